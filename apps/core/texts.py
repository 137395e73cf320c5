"""What a text may hold, whoever writes it."""

import re
from typing import Final

# XML 1.0 has no way to write these, so no export could.
_NOT_IN_ANY_FILE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def is_unprintable(text: str) -> bool:
    """Whether `text` has control characters that no XML file can hold."""
    return _NOT_IN_ANY_FILE.search(text) is not None
