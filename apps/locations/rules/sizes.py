"""How large a container is, and what that means. Pure."""

from enum import StrEnum
from typing import Final

#: Places of unknown size that stay within so many pieces are small.
SMALL_LIMIT: Final = 100


class SizeClass(StrEnum):
    """A small one keeps the colours of an item apart; the others may hold them together."""

    SMALL = "small"
    MEDIUM = "medium"
    LARGE = "large"


SIZES = [(one.value, one.value) for one in SizeClass]


def keeps_colors_apart(size_class: str, learnt_limit: int | None = None) -> bool | None:
    """Return whether a place is too small for other colours of an item; None if unknown.

    `learnt_limit` are the pieces that places like it stay within. It tells a small one where
    nobody has set a size class.
    """
    if size_class:
        return size_class == SizeClass.SMALL
    return True if learnt_limit is not None and learnt_limit <= SMALL_LIMIT else None
