"""The mark in Remarks by which a listing is found again. Pure."""

import re
from typing import Final

MARK_LETTERS: Final = "abcdefghijkmnpqrstuvwxyz23456789"
MARK_LENGTH: Final = 7
_MARK: Final = re.compile(rf"(?:^|\s)(#b[{MARK_LETTERS}]{{{MARK_LENGTH}}})$")


def mark_of(remarks: str) -> str:
    """Return the mark at the end of Remarks, or nothing."""
    found = _MARK.search(remarks) if "#b" in remarks else None
    return found.group(1) if found else ""


def without_mark(remarks: str) -> str:
    """Return Remarks as the seller wrote them."""
    found = _MARK.search(remarks) if "#b" in remarks else None
    return remarks[: found.start()].rstrip() if found else remarks
