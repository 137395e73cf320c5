"""The cards beside the station: a scanner reads one, the station obeys. Pure."""

from typing import Final

# A scanner hands over the kind and a colon, then what of that kind.
COMMANDS: Final = (
    ("Add", "ADD"),
    ("One more", "PLUS"),
    ("One less", "MINUS"),
    ("Undo", "UNDO"),
    ("Next match", "NEXT"),
    ("Next colour", "COLOR"),
    ("New", "COND-N"),
    ("Used", "COND-U"),
    ("× 5", "QTY-5"),
    ("× 10", "QTY-10"),
    ("× 25", "QTY-25"),
    ("Capture", "CAPTURE"),
    ("Put aside", "ASIDE"),
    ("Lock colour", "LOCK"),
    ("Into the bulk", "BULK"),
    ("Clear", "CLEAR"),
)
TRAYS: Final = 12


def station_cards(*, batch: tuple[str, str] | None = None) -> list[tuple[str, str]]:
    """Return the text and code of each card: commands, trays, and the batch if one is named."""
    cards = [(text, f"CMD:{command}") for text, command in COMMANDS]
    cards += [(f"T{tray}", f"TRAY:{tray}") for tray in range(1, TRAYS + 1)]
    if batch is not None:
        number, name = batch
        cards.append((name, f"BAT:{number}"))
    return cards
