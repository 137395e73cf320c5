"""Which texts of Remarks are names of bins: grouped by pattern, each with why it may be none. Pure."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from apps.core.names import name_key

#: More series of one shape than this are one group: A-01 to F-24, not six groups.
MOST_SERIES: Final = 6
LEAST_TWIN: Final = 4
#: Of so many numbers, the last few that are far beyond the others are no bins'.
LEAST_NUMBERS: Final = 20
MOST_FAR: Final = 2
FAR: Final = 10
_DIGITS: Final = re.compile(r"\d+")
_LETTERS: Final = re.compile(r"[^\W\d_]+")
#: Of a sentence, a formula or an address.
_MARKS: Final = re.compile(r"[!?…]|\.$|, |^=|://")
_BETWEEN: Final = re.compile(r"(?<=\d)[\W_]+(?=\d)")
_PLAIN: Final = re.compile(r"[^\w.]+|_")
#: Words that begin a sentence about a place rather than its name.
_BEFORE: Final = frozenset(
    {"in", "on", "at", "under", "behind", "see", "from", "auf", "im", "bei", "unter", "op", "bij"}
    | {"onder", "dans", "sur", "sous", "en", "sobre", "nel", "nella", "su"}
    | {"for", "für", "voor", "pour", "para", "per"}
)
_MOST_WORDS: Final = 3


class Doubt(StrEnum):
    """Why a name is not taken for a bin's."""

    COLOR = "color"
    PART = "part"
    SENTENCE = "sentence"
    TWIN = "twin"
    REFUSED = "refused"  # a person said so before


@dataclass(slots=True)
class FoundName:
    """A text of Remarks, with the lots and pieces that carry it.

    `part_lots` of them are lots of the item with this number; `is_sure` was named as a bin, as by
    a column of bins.
    """

    name: str
    lots: int = 0
    pieces: int = 0
    part_lots: int = 0
    is_sure: bool = False

    def add(self, *, pieces: int, is_part: bool, is_sure: bool) -> None:
        """Count one more lot."""
        self.lots += 1
        self.pieces += pieces
        self.part_lots += is_part
        self.is_sure |= is_sure


@dataclass(slots=True)
class NameGroup:
    """Names of one pattern, in their natural order: all are taken for bins, or none is."""

    names: list[FoundName] = field(default_factory=list)
    doubt: Doubt | None = None
    #: Of a twin: the name that it is nearly the same as.
    twin_of: str = ""
    #: Of sentences: the pattern that would find their bins, such as "in *".
    pattern: str = ""

    @property
    def is_series(self) -> bool:
        """Whether the names count on, such as A-01 to A-24."""
        return len(self.names) > 1 and self.doubt is None and has_digit(self.names[0].name)


def has_digit(text: str) -> bool:
    """Return whether there is a digit in it."""
    return _DIGITS.search(text) is not None


def natural_key(name: str) -> tuple[tuple[int, int, str], ...]:
    """Return what sorts A-2 before A-10."""
    return tuple(
        (0, int(part), "") if part.isdigit() else (1, 0, name_key(part))
        for part in re.split(r"(\d{1,18})", name)
        if part
    )


def group_names(
    found: Sequence[FoundName],
    *,
    there: Iterable[str],
    is_color: Callable[[str], bool],
    decided: Mapping[str, bool],
) -> list[NameGroup]:
    """Group names by pattern, most lots first; doubtful ones come last, by their doubt.

    `there` are existing locations' names, `decided` a person's earlier choices, by `name_key`.
    """
    there = list(there)
    sure = [one.name for one in found if one.is_sure]
    twins = _twins([one for one in found if not one.is_sure], [*there, *sure])
    groups: dict[tuple[str, ...], NameGroup] = {}
    series = _series_of(found)
    far = _far_numbers({*there, *(one.name for one in found)})
    for one in found:
        said = decided.get(name_key(one.name))
        doubt = Doubt.REFUSED if said is False else None
        if said is None and not one.is_sure:
            doubt = Doubt.PART if one.name in far else _doubt(one, is_color, twins)
        twin = twins.get(one.name, "") if doubt is Doubt.TWIN else ""
        key = (doubt.value, twin) if doubt else ("", *series[one.name])
        group = groups.setdefault(key, NameGroup(doubt=doubt, twin_of=twin))
        group.names.append(one)
    for group in groups.values():
        group.names.sort(key=lambda one: natural_key(one.name))
        if group.doubt is Doubt.SENTENCE:
            group.pattern = _pattern_of([one.name for one in group.names])
    doubts = list(Doubt)
    return sorted(
        groups.values(),
        key=lambda group: (
            doubts.index(group.doubt) + 1 if group.doubt else 0,
            -sum(one.lots for one in group.names),
            natural_key(group.names[0].name),
        ),
    )


def place_by_pattern(text: str, pattern: str) -> str:
    """Return the bin that a text names by a pattern such as "in *", '' for another text."""
    before, _, after = pattern.partition("*")
    folded = text.casefold()
    start, end = before.casefold(), after.casefold()
    if not (folded.startswith(start) and folded.endswith(end)):
        return ""
    return text[len(start) : len(text) - len(end)].strip() if len(folded) == len(text) else ""


def names_after_word(text: str, name: str) -> bool:
    """Return whether a text is a word such as "in" and the name of a bin."""
    first, _, rest = text.partition(" ")
    return name_key(first) in _BEFORE and name_key(rest) == name_key(name)


def _doubt(
    one: FoundName, is_color: Callable[[str], bool], twins: Mapping[str, str]
) -> Doubt | None:
    if is_color(one.name):
        return Doubt.COLOR
    if one.part_lots * 2 >= one.lots and one.part_lots:
        return Doubt.PART
    words = one.name.split()
    is_long = len(words) > _MOST_WORDS or (len(words) == _MOST_WORDS and not has_digit(one.name))
    if is_long or _MARKS.search(one.name) or (len(words) > 1 and name_key(words[0]) in _BEFORE):
        return Doubt.SENTENCE
    return Doubt.TWIN if one.name in twins else None


def _far_numbers(names: Iterable[str]) -> set[str]:
    """Return the numbers that are far beyond all others, as a part number is among bins."""
    numbers = sorted((int(name), name) for name in names if name.isdecimal() and len(name) < 18)
    if len(numbers) < LEAST_NUMBERS:
        return set()
    last = numbers[-MOST_FAR - 1 :]
    for at in range(1, len(last)):
        if last[at][0] > FAR * last[at - 1][0]:
            return {name for _, name in last[at:]}
    return set()


def _series_of(found: Sequence[FoundName]) -> dict[str, tuple[str, ...]]:
    """Return the series of each name: its shape, and its letters unless there are many series."""
    shapes: dict[str, tuple[str, str]] = {}
    series: dict[str, set[str]] = {}
    for one in found:
        if has_digit(one.name):
            letters = _DIGITS.sub("#", name_key(one.name))
            shape = _LETTERS.sub("@", letters)
            shapes[one.name] = (shape, letters)
            series.setdefault(shape, set()).add(letters)
    return {
        one.name: (
            ("words",)
            if one.name not in shapes
            else (shapes[one.name][0],)
            if len(series[shapes[one.name][0]]) > MOST_SERIES
            else shapes[one.name]
        )
        for one in found
    }


def _twins(found: Sequence[FoundName], there: Iterable[str]) -> dict[str, str]:
    """Return the names that are nearly another one of more lots, with that one."""
    known = {name_key(name) for name in there}
    ranked = [(0, name) for name in there] + [(-one.lots, one.name) for one in found]
    ranked[: len(known)] = [(-(10**9), name) for _, name in ranked[: len(known)]]
    twins: dict[str, str] = {}
    firsts: dict[str, str] = {}
    for lots, name in sorted(ranked, key=lambda one: (one[0], natural_key(one[1]))):
        variants = _variants(name)
        first = next((firsts[one] for one in variants if one in firsts), "")
        if first and lots > -(10**9):
            twins[name] = first
            continue
        for one in variants:
            firsts.setdefault(one, name)
    return twins


def _variants(name: str) -> list[str]:
    """Return texts of which near twins have one in common.

    Signs and capitals do not count; names without digits may differ by one letter, too.
    """
    plain = _PLAIN.sub("", _BETWEEN.sub(".", name_key(name)))
    if not plain:
        return []
    if has_digit(plain) or len(plain) < LEAST_TWIN:
        return [f"={plain}"]
    places = range(len(plain))
    return [
        f"={plain}",
        *(f"~{plain[:at]}_{plain[at + 1 :]}" for at in places),
        f"-{plain}",
        *(f"-{plain[:at]}{plain[at + 1 :]}" for at in places),
    ]


def _pattern_of(names: Sequence[str]) -> str:
    """Return the pattern of sentences that begin alike and continue with a bin, '' for none."""
    begun: dict[str, int] = {}
    for name in names:
        first, _, rest = name.partition(" ")
        if name_key(first) in _BEFORE and has_digit(rest) and len(rest.split()) <= _MOST_WORDS:
            begun[name_key(first)] = begun.get(name_key(first), 0) + 1
    best = max(begun, key=lambda one: begun[one], default="")
    return f"{best} *" if best else ""
