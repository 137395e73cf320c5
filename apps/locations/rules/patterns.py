"""Patterns that name many locations: `A-[1-8]-[01-24]`, `Shelf [A-F]`, `Z[1,3,5]`."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Final

MOST_NAMES: Final = 2_000
LONGEST_NAME: Final = 100
_NUMBERS: Final = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")
_LETTERS: Final = re.compile(r"([A-Za-z])-([A-Za-z])")
_SHAPES: Final = "a range such as 01-24 or A-F, or values such as 1,3,5"


class BadPattern(ValueError):
    """The pattern cannot be read; the text has the position and the expected form."""


@dataclass(frozen=True, slots=True)
class _Numbers:
    first: int
    last: int
    width: int

    def __len__(self) -> int:
        return self.last - self.first + 1

    def __iter__(self) -> Iterator[str]:
        return (str(number).zfill(self.width) for number in range(self.first, self.last + 1))


def expand(pattern: str) -> list[str]:
    """Return the names that `pattern` means, each once, the last group turning fastest.

    Raises BadPattern, also for more than 2,000 names; what a huge range would
    mean is counted, not made.
    """
    pattern = pattern.strip()
    if not pattern:
        raise BadPattern("Expected a name or a pattern such as A-[1-8]-[01-24].")
    pieces = list(_pieces(pattern))
    count = math.prod(sum(len(part) for part in parts) for parts in pieces)
    if count > MOST_NAMES:
        raise BadPattern(f"This pattern means {count:,} locations; at most {MOST_NAMES:,} at once.")
    choices = [[name for part in parts for name in part] for parts in pieces]
    names = list(dict.fromkeys(" ".join("".join(one).split()) for one in product(*choices)))
    for name in names:
        if not name:
            raise BadPattern("This pattern gives an empty name.")
        if len(name) > LONGEST_NAME:
            raise BadPattern(f"A name has {len(name)} characters; at most {LONGEST_NAME}.")
    return names


def _pieces(pattern: str) -> Iterator[list[_Numbers | list[str]]]:
    """Yield the alternatives of each section of the pattern."""
    position = 0
    while position < len(pattern):
        opens = pattern.find("[", position)
        text = pattern[position : None if opens < 0 else opens]
        if (stray := text.find("]")) >= 0:
            raise BadPattern(f"Expected [ before the ] at character {position + stray + 1}.")
        if text:
            yield [[text]]
        if opens < 0:
            return
        closes = pattern.find("]", opens)
        if closes < 0:
            raise BadPattern(f"Expected ] after the [ at character {opens + 1}.")
        inside = pattern[opens + 1 : closes]
        if "[" in inside:
            raise BadPattern(f"Expected ] before another [ (group at character {opens + 1}).")
        yield [_part(part.strip(), opens + 1) for part in inside.split(",")]
        position = closes + 1


def _part(part: str, position: int) -> _Numbers | list[str]:
    if not part:
        raise BadPattern(f"Expected {_SHAPES} in the group at character {position}.")
    if found := _NUMBERS.fullmatch(part):
        first, last = found.groups()
        if first.startswith("0") and len(last) < len(first):
            raise BadPattern(f"Expected {last} with {len(first)} digits in [{part}].")
        if int(first) > int(last):
            raise BadPattern(f"Expected the smaller number first in [{part}].")
        width = len(first) if first.startswith("0") else 0
        return _Numbers(int(first), int(last), width)
    if found := _LETTERS.fullmatch(part):
        first, last = found.groups()
        if first.isupper() != last.isupper():
            raise BadPattern(f"Expected both letters in the same case in [{part}].")
        if first > last:
            raise BadPattern(f"Expected the earlier letter first in [{part}].")
        return [chr(code) for code in range(ord(first), ord(last) + 1)]
    if "-" in part:
        raise BadPattern(f"Expected {_SHAPES} in [{part}].")
    return [part]
