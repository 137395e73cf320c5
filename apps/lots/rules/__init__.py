"""Rules of lots: how a person recognises one. Pure."""


def name_to_show(*, name: str, number: str, color: str) -> str:
    """Return how a person recognises a lot: 'Black Brick 2 x 4 (3001)'."""
    text = " ".join(part for part in (color, name or number) if part)
    return f"{text} ({number})" if number and name else text or "?"
