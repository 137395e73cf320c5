"""The kinds to look for in a picture, and a recogniser's item in our terms."""

import re
from collections.abc import Iterable
from enum import StrEnum
from typing import Final
from urllib.parse import parse_qs, urlsplit


class Lookup(StrEnum):
    """The kinds of item that a picture may show, chosen by the person."""

    PART = "PART"
    MINIFIG = "MINIFIG"
    SET = "SET"
    ANY = "ANY"


# Items that a picture is looked at among: a form holds at most 1,000 fields.
MOST_AMONG: Final = 900

_TYPES: Final = {"part": "P", "set": "S", "fig": "M"}
_BRICKLINK_LETTER: Final = re.compile(r"^[PMSGBICO]$")


def type_letter(kind: str, bricklink_urls: Iterable[str]) -> str:
    """Return BrickLink's type letter: from its own address, else from the recogniser's word.

    A sticker's type is in the address only; without one it is taken for a part.
    """
    for url in bricklink_urls:
        for key in parse_qs(urlsplit(url).query):
            if _BRICKLINK_LETTER.match(key.upper()):
                return key.upper()
    return _TYPES.get(kind, "P")
