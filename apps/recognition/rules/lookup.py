"""What may be looked for in a picture, and what a recogniser's item is in our words."""

import re
from collections.abc import Iterable
from enum import StrEnum
from typing import Final
from urllib.parse import parse_qs, urlsplit


class Lookup(StrEnum):
    """What the picture shows, as far as the person knows."""

    PART = "PART"
    MINIFIG = "MINIFIG"
    SET = "SET"
    ANY = "ANY"


# Items that a picture is looked at among: a form holds at most 1,000 fields.
MOST_AMONG: Final = 900

_TYPES: Final = {"part": "P", "set": "S", "fig": "M"}
_BRICKLINK_LETTER: Final = re.compile(r"^[PMSGBICO]$")


def type_letter(kind: str, bricklink_urls: Iterable[str]) -> str:
    """Return BrickLink's type letter: its own address knows best, then the recogniser's word.

    A sticker's type is told by the address only; without one it is taken for a part.
    """
    for url in bricklink_urls:
        for key in parse_qs(urlsplit(url).query):
            if _BRICKLINK_LETTER.match(key.upper()):
                return key.upper()
    return _TYPES.get(kind, "P")
