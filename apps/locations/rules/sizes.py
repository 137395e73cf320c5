"""How large a container is, and what that means. Pure."""

from enum import StrEnum


class SizeClass(StrEnum):
    """A small one keeps the colours of an item apart; the others may hold them together."""

    SMALL = "small"
    MEDIUM = "medium"
    LARGE = "large"


SIZES = [(one.value, one.value) for one in SizeClass]


def keeps_colors_apart(size_class: str) -> bool | None:
    """Return whether a place is too small for other colours of an item; None if unknown."""
    return size_class == SizeClass.SMALL if size_class else None
