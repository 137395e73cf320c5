"""Which LDraw model shows a part of the catalogue. The first rule that finds one wins."""

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Final

from apps.pictures.rules.headers import Header


class Rule(StrEnum):
    """How a model was found, in the order in which they are tried."""

    SAME = "the same number"
    MOVED = "the same number, moved or an alias in LDraw"
    KEYWORD = "LDraw names the number"
    ALIAS = "another catalogue's number (shared elements)"
    LETTER = "the same number with another mould letter"
    RELATION = "a mould variant or an alternate"
    PLAIN = "the plain mould, without the print"
    MAIN_PART = "the main part of an assembly"
    NONE = "no model"


# The part itself is shown; by the two others it is shown without its print or without what
# is mounted on it.
EXACT: Final = frozenset(
    {Rule.SAME, Rule.MOVED, Rule.KEYWORD, Rule.ALIAS, Rule.LETTER, Rule.RELATION}
)

_PRINT: Final = re.compile(r"(?<=[0-9a-z])(?:pb|pr|px|pat|ps|pt|p)\d\w*$")
_ASSEMBLY: Final = re.compile(r"(?<=\d)([a-z]?)c\d{2,3}[a-z]?$")
_LETTER: Final = re.compile(r"^(\d{2,7})([a-z])$")
_LETTERS: Final = "abcdefgh"
_MOVES: Final = 10


@cache
def known_aliases() -> dict[str, str]:
    """Return LDraw's alias numbers, which some copies of the library leave out, and a few old
    numbers of BrickLink's. From the titles of LDraw's index (CC BY)."""
    with (Path(__file__).parent / "part_aliases.csv").open(encoding="utf-8", newline="") as file:
        return {row["number"]: row["model"] for row in csv.DictReader(file)}


@dataclass
class Shelf:
    """The models: by LDraw's number, and by the other numbers that LDraw lists."""

    numbers: set[str] = field(default_factory=set)
    titles: dict[str, str] = field(default_factory=dict)
    moved: dict[str, str] = field(default_factory=dict)
    keywords: dict[str, str] = field(default_factory=dict)

    def add(self, number: str, header: Header) -> None:
        """Put a model, or the note that it moved, on the shelf."""
        if header.moved_to:
            self.moved[number] = header.moved_to
            return
        self.numbers.add(number)
        self.titles[number] = header.title
        for named in header.bricklink:
            self.keywords.setdefault(named, number)

    def at(self, number: str) -> str | None:
        """Return the model of a number, wherever LDraw moved it to."""
        for _ in range(_MOVES):
            if number in self.numbers:
                return number
            to = self.moved.get(number) or known_aliases().get(number)
            if to is None:
                # What bends has a model for each form; the first is the usual one.
                form = f"{number}-f1"
                return form if form in self.numbers else None
            number = to
        return None  # it moves in a circle


@dataclass(frozen=True, slots=True)
class Wanted:
    """A part of the catalogue, with all that helps to find it."""

    key: int
    number: str
    name: str = ""
    others: Sequence[str] = ()  # other catalogues' numbers, the surest first
    variants: Sequence[int] = ()  # keys of mould variants and alternates
    plain: Sequence[int] = ()  # keys of the part that it is a print or pattern of


@dataclass(frozen=True, slots=True)
class Found:
    """The model that shows a part."""

    model: str
    rule: Rule


def find_all(parts: Mapping[int, Wanted], shelf: Shelf) -> Iterator[tuple[Wanted, Found | None]]:
    """Return each part with the model that shows it, or None."""
    for part in parts.values():
        yield part, find(part, shelf, parts.get)


def find(
    part: Wanted, shelf: Shelf, other: Callable[[int], Wanted | None] = lambda _: None
) -> Found | None:
    """Return the model that shows a part; `other` gives the parts that it is related to."""
    found = _of_its_own(part.number, part.name, part.others, shelf)
    if found is None:
        found = _by_keys(part.variants, Rule.RELATION, shelf, other)
    if found is None:
        found = _by_keys(part.plain, Rule.PLAIN, shelf, other)
    number = part.number.lower()
    if found is None:
        found = _shorter(without_print(number), part, Rule.PLAIN, shelf)
    if found is None:
        found = _shorter(without_assembly(number), part, Rule.MAIN_PART, shelf)
    return found


def _of_its_own(number: str, name: str, others: Iterable[str], shelf: Shelf) -> Found | None:
    number = number.lower()
    if model := shelf.at(number):
        return Found(model, Rule.SAME if model == number else Rule.MOVED)
    if (named := shelf.keywords.get(number)) and (model := shelf.at(named)):
        return Found(model, Rule.KEYWORD)
    for another in others:
        if model := shelf.at(another.lower()):
            return Found(model, Rule.ALIAS)
    for variant in other_letters(number):
        model = shelf.at(variant)
        # Short of a name in common the letter may mean another part altogether.
        if model and _alike(name, shelf.titles.get(model, "")):
            return Found(model, Rule.LETTER)
    return None


def _by_keys(
    keys: Sequence[int], rule: Rule, shelf: Shelf, other: Callable[[int], Wanted | None]
) -> Found | None:
    for key in keys:
        related = other(key)
        if related is not None:
            found = _of_its_own(related.number, related.name, related.others, shelf)
            if found is not None:
                return Found(found.model, rule)
    return None


def without_print(number: str) -> str:
    """Return the number of the plain mould, in small letters; '' without a print."""
    return _without(_PRINT, number.lower())


def without_assembly(number: str) -> str:
    """Return the number of an assembly's main part, in small letters; '' for no assembly."""
    return _without(_ASSEMBLY, number.lower())


def _without(pattern: "re.Pattern[str]", number: str) -> str:
    match = pattern.search(number)
    if match is None:
        return ""
    return number[: match.start()] + (match.group(1) if match.groups() else "")


def _shorter(number: str, part: Wanted, rule: Rule, shelf: Shelf) -> Found | None:
    if not number:
        return None
    others = [without_print(another) for another in part.others]
    found = _of_its_own(number, part.name, [another for another in others if another], shelf)
    if found is None and (shorter := without_assembly(number)):
        found = _of_its_own(shorter, part.name, (), shelf)
    return Found(found.model, rule) if found is not None else None


def other_letters(number: str) -> Iterator[str]:
    """Yield the numbers that differ by the mould's letter, the likeliest first."""
    match = _LETTER.match(number)
    if match is None:
        if number.isdigit():
            yield from (number + letter for letter in reversed(_LETTERS))
        return
    digits, letter = match.groups()
    yield digits
    yield from (digits + one for one in reversed(_LETTERS) if one != letter)


_SMALL: Final = frozenset({"with", "and", "the", "for", "without", "type"})


def _words(text: str) -> set[str]:
    return {word for word in re.findall(r"[a-z]{3,}", text.lower()) if word not in _SMALL}


def _alike(name: str, title: str) -> bool:
    """Return whether two names have a word in common; True if one is empty."""
    return not name or not title or bool(_words(name) & _words(title))
