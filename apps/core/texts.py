"""The characters that texts may contain, from any source."""

import re
from typing import Final

#: XML 1.0 has no way to write these, so no export could: the inside of a class of characters,
#: as regular expressions of Python and of JSON schemas spell it.
NOT_IN_ANY_FILE: Final = r"\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff"
_NOT_IN_ANY_FILE: Final = re.compile(f"[{NOT_IN_ANY_FILE}]")


def is_unprintable(text: str) -> bool:
    """Whether `text` has control characters that no XML file can hold."""
    return _NOT_IN_ANY_FILE.search(text) is not None


def printable(text: str) -> str:
    """Return `text` without such characters."""
    return _NOT_IN_ANY_FILE.sub("", text)
