"""Fold text into words, the same for stored texts and for queries.

Both databases index exactly these words, so that both find the same items.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from rapidfuzz import process
from rapidfuzz.distance import OSA

MAX_QUERY_LENGTH: Final = 100
MAX_QUERY_WORDS: Final = 8
# A list of numbers is as long as one looks through.
MAX_NUMBERS: Final = 25
MAX_NUMBER_LENGTH: Final = 64
MOST_SIZES: Final = 8  # of studs: 1 x 2 x 5
# The rank of a line is name length × 2^40 + item id, so that it sorts and is unique.
RANK_SHIFT: Final = 40
NAMELESS_RANK: Final = 1_000  # after every name
RETIRED_RANK: Final = 2_000  # retired items come last of all
LAST_RANK: Final = RETIRED_RANK + NAMELESS_RANK
_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "þ": "th", "×": "x"})
_NOT_WORD = re.compile(r"[^\w]|_")
_BETWEEN_NUMBERS: Final = re.compile(r"[,;\n\r\t]+")
_BLANK: Final = re.compile(r"\s")
# 2 x 4, 2x4, 1 x 2 x 5: studs. What is typed without blanks must meet what names write with.
_STUDS = re.compile(r"(?<![a-z0-9])\d+(?:\s*x\s*\d+)+(?![a-z0-9])")


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the query; a prefix unless a longer word would mean something else."""

    word: str
    is_prefix: bool


@dataclass(frozen=True, slots=True)
class Query:
    """A query: the whole text as a number, and its words."""

    number_key: str
    terms: tuple[Term, ...]


def fold(text: str) -> str:
    """Return lower-case text without accents; everything that is no letter or digit a blank."""
    if text.isascii():
        return _NOT_WORD.sub(" ", text.lower())
    text = unicodedata.normalize("NFKD", text.casefold().translate(_LETTERS))
    text = "".join(letter for letter in text if not unicodedata.combining(letter))
    return _NOT_WORD.sub(" ", text)


def words_of(text: str) -> list[str]:
    """Return the folded words of a text, in order."""
    return fold(text).split()


@lru_cache(2_048)
def words_of_color(name: str) -> Sequence[str]:
    """Return the folded words of a colour's name, of which there are some hundred."""
    return words_of(name)


@lru_cache(2_048)
def _text_of_color(name: str) -> str:
    return "".join(f" {word}" for word in words_of_color(name))


@lru_cache(2_048)
def _initials_of_color(name: str) -> str:
    return "".join(word[0] for word in words_of_color(name))


def _studs_in(folded: str) -> list[str]:
    found: list[str] = []
    for match in _STUDS.finditer(folded):
        sizes = "".join(match.group().split()).split("x")[:MOST_SIZES]
        found.extend("x".join(sizes[:count]) for count in range(2, len(sizes) + 1))
    return found


def indexed_words(number: str, name: str, *more: str) -> str:
    """Return an item's search line: the words of its number, name and other numbers.

    Sizes stand in it as written (`2 x 4`) and joined (`2x4`). No word comes twice.
    """
    folded = fold(name)
    words = [*words_of(number), *folded.split(), *_studs_in(folded)]
    for text in more:
        words.extend(words_of(text))
    return " ".join(dict.fromkeys(words))


def join_lot_words(item_words: str, color: str) -> str:
    """Return a lot's `composite_ssearch`: the item's words, then the colour's, at most 700 long.

    The importer joins the same two halves in SQL.
    """
    return " ".join((item_words, *words_of(color)))[:700].rstrip()


def lot_words(number: str, name: str, color: str) -> str:
    """Return `join_lot_words` of an item's number and name."""
    return join_lot_words(indexed_words(number, name), color)


def _is_prefix(word: str, *, is_last: bool) -> bool:
    # "plate 2" while typing goes on to "plate 2x4"; in the middle 2 is 2, not 20.
    if is_last or word.isalpha():
        return True
    return len(word) >= 3 and "x" not in word


def numbers_in(text: str) -> list[str]:
    """Return the numbers of a list of several ("3001, 3004; 10255-1"), each once; else nothing.

    Between commas, semicolons or on lines of their own; what holds a blank or no digit is a
    name, and names are searched one at a time.
    """
    text = text.replace("\x00", " ").encode(errors="ignore").decode()
    parts = [part.strip()[:MAX_NUMBER_LENGTH] for part in _BETWEEN_NUMBERS.split(text)]
    numbers = list(dict.fromkeys(part.upper() for part in parts if part))
    are_numbers = all(not _BLANK.search(n) and any(c.isdigit() for c in n) for n in numbers)
    return numbers[:MAX_NUMBERS] if len(numbers) > 1 and are_numbers else []


def read_query(text: str) -> Query:
    """Parse a query. Never raises, for any text."""
    text = text[:MAX_QUERY_LENGTH].replace("\x00", " ").encode(errors="ignore").decode()
    folded = _STUDS.sub(lambda match: "".join(match.group().split()), fold(text))
    words = list(dict.fromkeys(folded.split()))[:MAX_QUERY_WORDS]
    last = len(words) - 1
    terms = tuple(
        Term(word, _is_prefix(word, is_last=index == last)) for index, word in enumerate(words)
    )
    number = " ".join(text.split()).upper() if words else ""
    return Query(number_key=number, terms=terms)


def matches_color(name: str, typed: list[str]) -> bool:
    """Return whether the typed words begin words of the name, in their order ("d b g", "dbg").

    The browser narrows lists of colours by the same rule (matchesColor).
    """
    words = _text_of_color(name)
    if len(typed) == 1 and len(typed[0]) > 2 and typed[0] == _initials_of_color(name):
        return True
    at = 0
    for start in typed:
        at = words.find(f" {start}", at) + 1
        if not at:
            return False
    return True


@lru_cache(4)
def half_words_of_colors(names: Sequence[str]) -> frozenset[str]:
    """Return what a word of these names begins with, and is not yet the whole word."""
    words = {word for name in names for word in words_of_color(name)}
    return frozenset(word[:size] for word in words for size in range(1, len(word)))


def vocabulary_of(words: Iterable[str]) -> set[str]:
    """Return the folded words that "did you mean" may offer: plain letters, three to forty."""
    return {word for word in words if 3 <= len(word) <= 40 and word.isascii() and word.isalpha()}


def nearest_words(word: str, candidates: Sequence[str], *, at_most: int) -> list[tuple[int, str]]:
    """Return the candidates that differ in `at_most` letters (insert, drop, replace, swap)."""
    found = process.extract(word, candidates, scorer=OSA.distance, score_cutoff=at_most, limit=None)
    return sorted((int(distance), candidate) for candidate, distance, _ in found)
