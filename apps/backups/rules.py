"""The parts of a backup file, and the reasons to refuse one before it is read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

PRODUCT: Final = "Brickstow"
FORMAT: Final = 2
#: In which no price was written as 0.
PRICED_BY_ZERO: Final = 1
READABLE: Final = (PRICED_BY_ZERO, FORMAT)
HEAD: Final = "backup.json"
ROWS: Final = "rows/"
# The catalogue's items and colours that the rows use, by their public names.
LOTS, ITEMS, CONTENTS = "lots", "items", "contents"

MIB: Final = 1024 * 1024
MAX_FILES: Final = 100
MAX_UNPACKED: Final = 2048 * MIB
# Rows are text and shrink to about a tenth; a zip that grows more than this is a bomb.
MAX_GROWTH: Final = 100
SMALL: Final = 16 * MIB
MAX_LINE: Final = 4 * MIB
# Ids of all rows, and the items to look up in the catalogue, are in memory at once.
MAX_ROWS: Final = 3_000_000
MAX_NAMED: Final = 300_000


@dataclass(frozen=True, slots=True)
class Entry:
    """A file in the zip, as listed in its directory."""

    name: str
    packed: int
    unpacked: int
    is_encrypted: bool


def why_not_opened(entries: Sequence[Entry]) -> str:
    """Return why a zip with these files is not read at all, '' when it may be."""
    if HEAD not in {entry.name for entry in entries}:
        return f"This zip is no backup of {PRODUCT}: it has no {HEAD}."
    if len(entries) > MAX_FILES or len({entry.name for entry in entries}) < len(entries):
        return "This zip has more files than a backup has."
    if any(entry.is_encrypted for entry in entries):
        return "This zip is encrypted. Unpack it and zip it again without a password."
    unpacked = sum(entry.unpacked for entry in entries)
    packed = sum(entry.packed for entry in entries)
    if unpacked > MAX_UNPACKED or unpacked > max(SMALL, packed * MAX_GROWTH):
        return f"Unpacked this would be {unpacked // MIB:,} MiB; no backup is so large."
    return ""


def why_not_this_head(head: Mapping[str, Any], *, known: Sequence[str]) -> str:
    """Return why a backup with this head cannot be restored, '' if it can be."""
    if not isinstance(head, Mapping) or head.get("product") != PRODUCT:
        return f"This zip is no backup of {PRODUCT}."
    version = head.get("format")
    if version not in READABLE:
        return f"This backup is of format {version}; this {PRODUCT} reads format 1 to {FORMAT}."
    counts = head.get("counts")
    if not isinstance(counts, Mapping) or not all(
        isinstance(count, int) and not isinstance(count, bool) and count >= 0
        for count in counts.values()
    ):
        return f"{HEAD} does not say how many rows there are."
    if strange := sorted(set(counts) - set(known)):
        return f"It holds {strange[0]}, which this {PRODUCT} does not know: a newer one made it."
    if sum(counts.values()) > MAX_ROWS:
        return f"It has more than {MAX_ROWS:,} rows, the most that can be restored."
    for name in (LOTS, ITEMS, CONTENTS):
        if counts.get(name, 0) > MAX_NAMED:
            return f"It has more than {MAX_NAMED:,} {name}, the most that can be restored."
    return ""


def place_of(name: str, line: int) -> str:
    """Return the file of a table and the line in it, as people find them in the zip."""
    return f"{ROWS}{name}.jsonl, line {line}"


def file_name_of(*, day: str) -> str:
    return f"{PRODUCT} {day}.zip"
