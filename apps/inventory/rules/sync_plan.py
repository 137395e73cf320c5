"""The chunks of a sync, of 500 lots each: the plan, and the rows before it."""

import zlib
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import orjson

from apps.inventory.rules.file_columns import FILE_COLUMNS

CHUNK: Final = 500  # lots in one transaction: it holds its locks for at most 100 ms
_FAST: Final = 1  # deflate at its fastest still makes a tenth of it

CREATED: Final = "created"
CHANGED: Final = "changed"
ZEROED: Final = "zeroed"
UNCHANGED: Final = "unchanged"
UNREADABLE: Final = "unreadable"
UNKNOWN: Final = "unknown"
#: The kinds that a preview counts; each lot has one kind.
KINDS: Final = (CREATED, CHANGED, ZEROED, UNCHANGED, UNREADABLE, UNKNOWN)
#: Why a lot is incomplete whose condition was not understood, or whose colour is missing.
OF_CONDITION: Final = "unknown_condition"
OF_COLOR: Final = "unsaid_color"
#: The count of these among the unknown.
UNKNOWN_CONDITIONS: Final = "unknown_conditions"
#: The counts of lots not in the catalogue that the sync creates or changes.
OF_UNKNOWN: Final = {CREATED: "unknown_created", CHANGED: "unknown_changed"}


Blob = bytes | memoryview


class Planned(NamedTuple):
    """The planned change for one lot of the file, or for a row that the file lacks.

    `values` are those of FILE_COLUMNS. `lot_id` is null if the lot does not exist yet; `pair` then
    names its item and colour. `grams` is the weight of one piece. `sold` is how many of the pieces
    that the row loses are in no other row of the file. `reason` is why it is incomplete or unreadable.
    """

    kind: str
    position: int
    line: int
    lot_id: int | None
    pair: Sequence[int] | None
    reason: str
    location: str
    quantity: int
    values: Sequence[Any]
    grams: str | None = None
    item_id: int | None = None
    changes: dict[str, Sequence[Any]] | None = None
    sold: int = 0


def counted_as(planned: Planned) -> str:
    """Return the kind under which the preview lists the lot: always UNKNOWN for a lot that the
    catalogue does not know or whose condition was not understood, unless it is unreadable.
    """
    return UNKNOWN if planned.reason and planned.kind != UNREADABLE else planned.kind


class Image(NamedTuple):
    """A row as it was before the sync changed it."""

    item_id: int
    quantity: int
    lot_id: int | None
    location_id: int | None
    piece_grams: str | None
    values: Sequence[Any]


class Before(NamedTuple):
    """The changes of one chunk: ids of the created rows, and images of the changed ones."""

    created: list[int]
    changed: list[Image]


def pack(value: object) -> bytes:
    return zlib.compress(orjson.dumps(value), _FAST)


def unpack(blob: Blob) -> Any:
    return orjson.loads(zlib.decompress(blob))


def plan_of(blob: Blob) -> Iterator[Planned]:
    """Yield the planned lots of a chunk in the order of the file."""
    planned = (Planned(*entry) for entry in unpack(blob)[0])
    return (one._replace(values=completed(one.values)) for one in planned)


def warnings_of(blob: Blob) -> list[list[Any]]:
    """Return `[index, line, code, field, message]` of a chunk's odd lots."""
    return unpack(blob)[1]


def before_of(blob: Blob) -> Before:
    """Return the before-images of a chunk; none of one that was not applied."""
    created, changed = unpack(blob) if blob else ([], [])
    images = (Image(*image) for image in changed)
    return Before(created, [one._replace(values=completed(one.values)) for one in images])


def completed(values: Sequence[Any]) -> Sequence[Any]:
    """Return the values of FILE_COLUMNS, with the text that plans of before 0.3 lack."""
    return values if len(values) == len(FILE_COLUMNS) else [*values, ""]
