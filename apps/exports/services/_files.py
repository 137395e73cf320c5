"""Each kind of file from the lots of an export; BrickLink's XML in files of 1,000 lots."""

import io
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import chain
from typing import IO, Any, BinaryIO, cast

from apps.exchange.bricklink_rows import in_batches
from apps.exchange.bricklink_update import write_mass_update
from apps.exchange.bricklink_upload import write_mass_upload
from apps.exchange.bricklink_wanted import WantedItem, wanted_of, write_wanted_list
from apps.exchange.bsx_lot import BsxLot
from apps.exchange.bsx_tags_out import LotRefused, WriteNotice
from apps.exchange.bsx_writer import BsxWritten, write_bsx
from apps.exchange.csv_lots import COLUMNS, write_lots_csv
from apps.exports.models import ExportKind
from apps.exports.services._lots import LotSource
from apps.exports.services._update import UpdateOfStore

XmlWriter = Callable[[Iterable[Any], BinaryIO], BsxWritten]


def write_file(
    kind: str,
    source: LotSource,
    out: IO[bytes],
    *,
    options: dict[str, Any],
    around: dict[str, Any],
    update: UpdateOfStore,
) -> tuple[BsxWritten, str]:
    """Write a file of `kind`; return the result and the file's suffix.

    `around` holds what a BSX file has besides its lots, `update` the changes of a mass update.
    XML of more than 1,000 lots is written as a zip of several files: BrickLink's limit.
    """
    stream = cast(BinaryIO, out)
    if kind == ExportKind.BSX:
        return write_bsx(source.lots(), stream, **around), "bsx"
    if kind == ExportKind.CSV:
        columns = options.get("columns")
        written = write_lots_csv(
            source.lots_and_places(),
            stream,
            columns=columns or COLUMNS,
            currency=around["currency"],
            extra_tags=() if columns else source.extra_tags(),
        )
        return written, "csv"
    if kind == ExportKind.MASS_UPLOAD:
        return _in_files(source.lots(), stream, write_mass_upload)
    if kind == ExportKind.MASS_UPDATE:
        return _mass_update(source, update, stream)
    return _in_files(source.lots(), stream, _wanted_list_of(options.get("wanted_list_id", "")))


def _in_files(lots: Iterable[Any], out: BinaryIO, write: XmlWriter) -> tuple[BsxWritten, str]:
    files = in_batches(lots)
    first, second = next(files, []), next(files, None)
    if second is None:
        return write(first, out), "xml"
    written = BsxWritten()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        offset = 0
        for number, some in enumerate(chain([first, second], files), start=1):
            part = io.BytesIO()
            _add(written, write(some, part), offset)
            offset += len(some)
            archive.writestr(f"part {number:03}.xml", part.getvalue())
    return written, "zip"


def _add(whole: BsxWritten, part: BsxWritten, offset: int) -> None:
    whole.count += part.count
    whole.notice_count += part.notice_count
    whole.notices.extend(replace(one, index=one.index + offset) for one in part.notices)
    whole.refused.extend(replace(one, index=one.index + offset) for one in part.refused)


def _mass_update(source: LotSource, update: UpdateOfStore, out: BinaryIO) -> tuple[BsxWritten, str]:
    """Write the changes of lots that differ; notices carry the lot's position."""
    written, suffix = _in_files(update.changes(source.lots()), out, write_mass_update)
    places = update.places
    written.notices[:] = [replace(one, index=places[one.index]) for one in written.notices]
    # That a lot is as it was is no failure.
    written.refused[:] = [
        replace(one, index=places[one.index]) for one in written.refused if one.field
    ]
    written.refused.extend(update.refused)
    written.notices.extend(update.notices)
    written.notice_count += len(update.notices)
    return written, suffix


def _wanted_list_of(wanted_list_id: str) -> XmlWriter:
    def write(lots: Iterable[BsxLot], out: BinaryIO) -> BsxWritten:
        refused: list[WriteNotice] = []
        wishes: list[WantedItem] = []
        given: list[int] = []
        for index, lot in enumerate(lots):
            try:
                wishes.append(wanted_of(lot))
                given.append(index)
            except LotRefused as refusal:
                refused.append(WriteNotice(index, refusal.field, refusal.message))
        written = write_wanted_list(wishes, out, wanted_list_id=wanted_list_id)
        written.notices[:] = [replace(one, index=given[one.index]) for one in written.notices]
        written.refused[:] = [replace(one, index=given[one.index]) for one in written.refused]
        written.refused.extend(refused)
        return written

    return write
