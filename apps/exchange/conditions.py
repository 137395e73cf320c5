"""Which condition a text means: new, used, or one that was not understood. Pure.

The one reader of conditions, for files of every kind and the marketplaces' answers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

NEW: Final = "N"
USED: Final = "U"
#: A condition that was not understood. Its text is kept; it is neither new nor used.
UNKNOWN_CONDITION: Final = "?"
#: Letters of a text that are kept.
LONGEST: Final = 100
#: What conditions are called, by the first word of a text.
CONDITIONS: Final[Mapping[str, str]] = {
    word: letter
    for letter, words in {
        NEW: "n new neu neue neuer neues neuf neuve nuevo nueva nieuw nuovo nuova novo nova nowy "
        "nowe ny nytt nyt uusi ovp sealed misb mint nw news newc newi",
        # A is BrickSync's: acceptable.
        USED: "a u used gebraucht gebr gebrauchte g occasion occ usage usagé usado usada gebruikt usato "
        "usata używany używane uzywany begagnad brugt brukt käytetty gut good acceptable usedn "
        "usedg useda usedc usedi",
    }.items()
    for word in words.split()
}
_WORDS: Final = {
    letter: "|".join(word for word, of in CONDITIONS.items() if of == letter and len(word) > 1)
    for letter in (NEW, USED)
}
#: Phrases for one condition that hold the word of the other: `used, like new`, `new, never used`.
_OF_THE_OTHER: Final = re.compile(
    rf"\b(?:like|as|wie|comme|come|como|als|som|jak)\s+(?:{_WORDS[NEW]})\b"
    rf"|\b(?:never|not|nicht|nie|nooit|jamais|mai|non|nunca)\s+(?:{_WORDS[USED]})\b"
)
_WORD: Final = re.compile(r"[^\W\d_]+")
#: Signs and words between two conditions of which either may be meant.
_EITHER: Final = re.compile(r"[/|,]|\b(?:or|oder|ou|of|o|eller|und|and|et|en)\b")


def condition_of(text: str) -> str:
    """Return N or U, UNKNOWN_CONDITION for a text that names neither, or may name either.

    `new?` is a doubt, `N/A`, `new used` and `new or used` are no condition.
    """
    return _condition_of(text[:LONGEST])


@lru_cache(1_000)  # asked of each lot
def _condition_of(text: str) -> str:
    text = _OF_THE_OTHER.sub("", text.casefold())
    words = _WORD.findall(text)
    letter = CONDITIONS.get(words[0], "") if words else ""
    others = {CONDITIONS.get(word, "") for word in words[1:]}
    is_bare = bool(words) and len(words[0]) == 1 and bool(others) and letter not in others
    # `A-12` is a bin.
    is_bare = is_bare or (len("".join(words)) == 1 and any(map(str.isdecimal, text)))
    is_either = bool(others - {letter, ""}) and _EITHER.search(text)
    is_both = any(CONDITIONS.get(word, letter) != letter for word in words[1:] if len(word) > 1)
    is_unsure = "?" in text or is_bare or is_either or is_both
    return UNKNOWN_CONDITION if is_unsure else letter or UNKNOWN_CONDITION


def condition_text(condition: str, text: str) -> str:
    """Return the text to keep with a condition: that of one that was not understood."""
    return " ".join(text[:LONGEST].split()) if condition == UNKNOWN_CONDITION else ""


def why_no_condition(text: str) -> str:
    """Return why a lot whose condition was not understood is not written or listed."""
    told = f" “{text}”" if text else ""
    return f"Its condition{told} was not understood: choose new or used first."
