"""Natural order: A-2 before A-10."""

import re

_DIGITS = re.compile(r"\d+")
_WIDTH = 12


def natural_key(text: str) -> str:
    """Return a key whose plain text order is the natural order of `text`.

    Numbers are padded to 12 digits; longer ones keep their digits and sort after.
    """
    return _DIGITS.sub(lambda found: found.group().lstrip("0").zfill(_WIDTH), text.casefold())
