"""Open an uploaded file of any supported format, with the catalogue's colours loaded."""

import io
from collections.abc import Mapping
from functools import partial
from typing import IO, Any, BinaryIO, Final, cast

from apps.accounts.models import User
from apps.catalog.selectors.naming import ColorsByText
from apps.core.errors import FilesBusy
from apps.core.isolated import Isolated, Limits, NoRoom, OutOfLimits, Raised
from apps.exchange.any_file import PACKED, AnyFile, FileKind, OtherFile, read_any, recognised
from apps.exchange.refusals import FileRefused, RefusalCode
from apps.exchange.workbooks import split_csv
from apps.inventory.models import InventorySync

MOST_WORKBOOK_BYTES: Final = 32 * 1024 * 1024
_HEAD_BYTES: Final = 64 * 1024
#: As much of a table as its form is guessed from.
_TABLE_BYTES: Final = 256 * 1024

# A workbook unpacks to many times its size.
_as_csv = Isolated(
    "apps.exchange.workbooks:as_csv",
    Limits(cpu_seconds=30, memory_bytes=1_200_000_000),
    processes=1,
    patience=120,
)


# What repairs XML may be made to take long.
_repair = Isolated(
    "apps.exchange.xml_repair:repair_broken",
    Limits(cpu_seconds=10, memory_bytes=1_200_000_000),
    processes=1,
    patience=120,
)


def open_file(
    stream: IO[bytes],
    *,
    owner: User,
    table: Mapping[str, Any] | None = None,
    repair: bool = False,
    repairs: bool = True,
) -> AnyFile:
    """Open a file of any kind; `table` has a person's corrections. Raises FileRefused, FilesBusy."""
    return read_any(
        cast("BinaryIO", stream),
        colors=ColorsByText(),
        unpack=partial(_unpacked, owner),
        said=table,
        repair=repair,
        repair_xml=partial(_repaired, owner) if repairs else None,
    )


def open_as_last_time(
    stream: IO[bytes], *, owner: User, but: int = 0, repair: bool = False
) -> AnyFile:
    """Open a file; a table as `owner` corrected the last one with the same head.

    `but` is the import that asks, 0 for none. Raises FileRefused, FilesBusy.
    """
    file = open_file(stream, owner=owner, repair=repair)
    if not (isinstance(file, OtherFile) and file.table and file.table.signature):
        return file
    last = (
        InventorySync.objects.owned_by(owner)
        .filter(reading__table__signature=file.table.signature)
        .exclude(options__table={})
        .exclude(pk=but)
        .order_by("-pk")
        .values_list("options__table", flat=True)
        .first()
    )
    if not last:
        return file
    stream.seek(0)
    return open_file(stream, owner=owner, table=last)


def check_file(stream: object, *, owner: User) -> FileKind:
    """Return the kind of a file by its first bytes.

    Raises FileRefused if it holds no lots, FilesBusy.
    """
    stream = cast("BinaryIO", stream)
    kind = recognised(stream)
    if kind is FileKind.TABLE:
        stream.seek(0)
        open_file(io.BytesIO(stream.read(_TABLE_BYTES)), owner=owner)
    elif kind not in PACKED:  # a workbook is unpacked by the job
        _check_head(stream, owner)
    stream.seek(0)
    return kind


def _check_head(stream: BinaryIO, owner: User) -> None:
    """Read the head. All of a broken file is repaired by the job, here only its first bytes."""
    try:
        open_file(stream, owner=owner, repairs=False)
    except FileRefused as refused:
        if refused.code is not RefusalCode.NOT_XML:
            raise
        stream.seek(0)
        open_file(io.BytesIO(stream.read(_HEAD_BYTES)), owner=owner)


def _repaired(owner: User, content: bytes) -> bytes:
    try:
        return _repair(content, whose=owner.pk)
    except NoRoom:
        raise FilesBusy from None
    except OutOfLimits:
        raise FileRefused(
            RefusalCode.NOT_XML,
            "The file is broken XML, and takes too long to repair. Download it again, or split it.",
        ) from None


def _unpacked(owner: User, stream: BinaryIO) -> tuple[bytes, list[str]]:
    content = stream.read(MOST_WORKBOOK_BYTES + 1)
    if len(content) > MOST_WORKBOOK_BYTES:
        raise FileRefused(
            RefusalCode.FILE_TOO_LARGE,
            "The file is larger than 32 MB; save its sheet as CSV instead.",
        )
    try:
        return split_csv(_as_csv(content, whose=owner.pk))
    except NoRoom:
        raise FilesBusy from None
    except OutOfLimits:
        raise FileRefused(
            RefusalCode.FILE_TOO_LARGE,
            "The file takes too long or too much memory to unpack; save its sheet, or the list of "
            "its parts, as CSV instead.",
        ) from None
    except Raised as raised:
        if raised.kind == "TooLarge":
            raise FileRefused(
                RefusalCode.FILE_TOO_LARGE, f"The file is too large: {raised}."
            ) from None
        raise FileRefused(
            RefusalCode.NOT_TEXT,
            "The file is damaged or has a password; save it anew, or as CSV.",
        ) from None
