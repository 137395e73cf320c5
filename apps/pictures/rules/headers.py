"""Read a part's attributes from the first lines of an LDraw file."""

import re
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Header:
    """A part's attributes from the first lines of its file."""

    title: str
    moved_to: str = ""
    bricklink: tuple[str, ...] = ()
    rebrickable: tuple[str, ...] = ()


_MOVED: Final = re.compile(r"^~?Moved to\s+(\S+)", re.IGNORECASE)
_BRICKLINK: Final = re.compile(r"bricklink\s+([0-9a-z.\-]+)", re.IGNORECASE)
_REBRICKABLE: Final = re.compile(r"rebrickable\s+([0-9a-z.\-]+)", re.IGNORECASE)


def read_header(content: bytes) -> Header:
    """Return title, new number and other catalogues' numbers from a file's first lines."""
    lines = content.decode("utf-8", "replace").lstrip("\ufeff").splitlines()
    title = lines[0][1:].strip() if lines and lines[0].startswith("0") else ""
    moved = _MOVED.match(title)
    numbers: list[str] = []
    others: list[str] = []
    for line in lines[1:]:
        if line.startswith("0 !KEYWORDS"):
            numbers += _BRICKLINK.findall(line)
            others += _REBRICKABLE.findall(line)
        elif line[:1] in "12345" and line[:1]:
            break
    to = moved.group(1).lower().removesuffix(".dat").replace("\\", "/") if moved else ""
    named = (tuple(number.lower() for number in some) for some in (numbers, others))
    return Header(title, to, *named)
