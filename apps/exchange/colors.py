"""Which colour a text means: a number, whose number, or a name in anybody's words. Pure.

The one reader of colours, for files of every kind, typed cells and the station. What the
catalogue knows comes from `Colors`.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple, Protocol

BRICKLINK: Final = "bricklink"
REBRICKABLE: Final = "rebrickable"
BRICKOWL: Final = "brickowl"
LEGO: Final = "lego"
#: Whose numbers colours may have.
SITES: Final = (BRICKLINK, REBRICKABLE, BRICKOWL, LEGO)
#: What a colour's number of a site is called where the catalogue does not know it.
_SITES: Final = {REBRICKABLE: "Rebrickable", BRICKOWL: "Brick Owl", LEGO: "LEGO"}
#: What is longer names no colour.
LONGEST: Final = 100
LARGEST: Final = 2**31 - 1
#: What BrickStore writes for no colour, and for none that is known.
_NOT_SAID: Final = frozenset({"", "-1", "4294967295"})
_NUMBER: Final = re.compile(r"([0-9]{1,10})(?:\.0{1,4})?")
#: `Red (5)`, `5 - Red`.
_NAME_AND_NUMBER: Final = re.compile(
    r"([^(\[]{1,100})[(\[]\s?([0-9]{1,10})\s?[)\]]|([0-9]{1,10})\s?[-–:]?\s([^0-9].*)"
)
#: Signs of a doubt: `Red?`, `~Red`.
_DOUBTS: Final = frozenset("?~≈")


class Colors(Protocol):
    """Finds colours by the names that people use."""

    def named(self, name: str) -> int | None:
        """Return the colour of this name, of any catalogue."""

    def of_rebrickable(self, value: str) -> int | None:
        """Return the colour that Rebrickable (and LDraw) gives this number."""

    def of_lego(self, value: str) -> int | None:
        """Return the colour that LEGO gives this number."""

    def name_of(self, color_id: int) -> str:
        """Return the name of a colour, '' for one that is not known."""


class NoColors:
    """A catalogue without colours."""

    def named(self, name: str) -> int | None:
        """Return None."""

    def of_rebrickable(self, value: str) -> int | None:
        """Return None."""

    def of_lego(self, value: str) -> int | None:
        """Return None."""

    def name_of(self, color_id: int) -> str:
        """Return ''."""
        return ""


NO_COLORS: Final = NoColors()


class ColorRead(NamedTuple):
    """What a text means: a colour, a colour that is not known here, or nothing said.

    `name` is the text where it is no number of BrickLink's: what is not known keeps it.
    """

    color_id: int | None = None
    name: str = ""
    is_number: bool = False


def read_color(text: str, colors: Colors, *, site: str = BRICKLINK) -> ColorRead:
    """Return the colour of a text; a number is one of `site`."""
    text = text[:LONGEST].strip()
    if text in _NOT_SAID:
        return ColorRead()
    number = _NUMBER.fullmatch(text)
    if number is None:
        return ColorRead(None if _DOUBTS & set(text) else _named(text, colors, site), text)
    digits = number[1]
    if site == BRICKLINK:
        value = int(digits)
        return ColorRead(value, "", True) if value <= LARGEST else ColorRead(None, text)
    found = None
    if site != BRICKOWL:
        found = colors.of_lego(digits) if site == LEGO else colors.of_rebrickable(digits)
    return ColorRead(found, "" if found is not None else f"{_SITES[site]} {digits}", True)


def _named(text: str, colors: Colors, site: str) -> int | None:
    """Return the colour of a name; one with a number beside it only where both mean the same."""
    found = colors.named(text)
    if found is not None or not (parts := _NAME_AND_NUMBER.fullmatch(text)):
        return found
    name, number = (parts[1], parts[2]) if parts[1] else (parts[4], parts[3])
    found = colors.named(name.strip())
    numbers = (int(number), colors.of_rebrickable(number), colors.of_lego(number))
    return found if site == BRICKOWL or found in numbers else None
