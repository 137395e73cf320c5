"""Why a number is not in the catalogue, and which numbers are similar. Pure."""

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import cache
from typing import Final, NamedTuple

from apps.catalog.rules.text import number_key
from apps.pictures.rules.finding import (
    known_aliases,
    other_letters,
    without_assembly,
    without_print,
)

MOST_CANDIDATES: Final = 5
_OLD: Final = re.compile(r"^(.*\d[a-z]?)(?:old|new)$")
#: A figure's number of before: BrickLink writes four digits now, njo0638 for njo638.
_FIGURE: Final = re.compile(r"([a-z]{2,5})(\d{2,3})([a-z]?)")
_ELEMENT: Final = re.compile(r"\d{6,8}")
#: What BrickLink's numbers look like: a code with digits, a set with its suffix.
_USUAL: Final = re.compile(r"[a-z]{0,8}\d{1,7}[a-z]{0,5}\d{0,5}[a-z0-9]{0,8}(?:-\d{1,2})?")


class Likeness(StrEnum):
    """How a candidate was found; the surest first."""

    NUMBER = "number"  # the number is in the catalogue by now
    FORMER = "former"  # another number of an item of the catalogue
    LDRAW = "ldraw"  # LDraw moved or renamed it
    ELEMENT = "element"  # it is the item's element id
    NAME = "name"  # an item of the same name
    MOULD = "mould"  # the same number with another letter of the mould
    TYPE = "type"  # the same number, of another type
    RELATED = "related"  # a variant of a similar item, by a catalogue
    PLAIN = "plain"  # the part without its print
    MAIN = "main"  # the main part of the assembly


class Why(StrEnum):
    """Why a number is unknown."""

    KNOWN_BY_NOW = "known_by_now"
    COLOR = "color"
    RENUMBERED = "renumbered"
    VARIANT = "variant"
    PRINT = "print"
    TYPE = "type"
    TOO_OLD = "too_old"
    OWN = "own"


_WHY_BY: Final = {
    Likeness.NUMBER: Why.KNOWN_BY_NOW,
    Likeness.FORMER: Why.RENUMBERED,
    Likeness.LDRAW: Why.RENUMBERED,
    Likeness.ELEMENT: Why.RENUMBERED,
    Likeness.NAME: Why.RENUMBERED,
    Likeness.MOULD: Why.VARIANT,
    Likeness.RELATED: Why.VARIANT,
    Likeness.TYPE: Why.TYPE,
    Likeness.PLAIN: Why.PRINT,
    Likeness.MAIN: Why.VARIANT,
}
_ORDER: Final = {one: place for place, one in enumerate(Likeness)}


class Like(NamedTuple):
    """Numbers that may be meant, by how they are like the unknown one."""

    numbers: Mapping[Likeness, tuple[str, ...]]

    def keys(self) -> dict[str, Likeness]:
        """Return the numbers as they are looked up, each with its surest likeness."""
        found: dict[str, Likeness] = {}
        for likeness in Likeness:
            for number in self.numbers.get(likeness, ()):
                found.setdefault(number_key(number), likeness)
        return found


def like_numbers(number: str) -> Like:
    """Return the numbers that a number may mean."""
    small = number.strip().lower()
    old = _OLD.match(small)
    stem = old.group(1) if old else small
    plain, main = without_print(stem), without_assembly(stem)
    moulds = [*([stem] if old else []), *other_letters(stem)]
    moved = known_aliases()
    figure = _FIGURE.fullmatch(small)
    found: dict[Likeness, tuple[str, ...]] = {
        Likeness.NUMBER: (small,) if small else (),
        Likeness.FORMER: (f"{figure[1]}{figure[2]:0>4}{figure[3]}",) if figure else (),
        Likeness.LDRAW: tuple(
            one for one in (moved.get(small), *_moved_from().get(small, ())) if one is not None
        ),
        Likeness.MOULD: tuple(moulds),
        Likeness.PLAIN: (plain, *other_letters(plain)) if plain else (),
        Likeness.MAIN: (main,) if main else (),
    }
    return Like(found)


def element_of(number: str) -> str:
    """Return the number if it can be an element id, '' otherwise."""
    text = number.strip()
    return text if _ELEMENT.fullmatch(text) else ""


def why_unknown(number: str, *, likenesses: Iterable[Likeness], knows_color: bool) -> Why:
    """Return why a number is unknown, by how its candidates were found."""
    surest = min(likenesses, key=_ORDER.__getitem__, default=None)
    if surest is Likeness.NUMBER and not knows_color:
        return Why.COLOR
    if surest is not None:
        if surest is not Likeness.NUMBER and without_print(number):
            return Why.PRINT
        return _WHY_BY[surest]
    return Why.TOO_OLD if _USUAL.fullmatch(number.strip().lower()) else Why.OWN


def rank_of(likeness: Likeness, *, has_same_name: bool) -> tuple[bool, int]:
    """Return a candidate's rank: those of the same name before all others but the number."""
    sure = likeness in (Likeness.NUMBER, Likeness.FORMER)
    return (not (has_same_name or sure), _ORDER[likeness])


@cache
def _moved_from() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for number, model in known_aliases().items():
        found.setdefault(model, []).append(number)
    return {model: tuple(numbers) for model, numbers in found.items()}
