"""Import a file as a batch, or into one: it appears when it is whole and not before."""

import datetime as dt
from collections import deque
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from pathlib import PurePath
from typing import Any, Final

from django.conf import settings
from django.core.files.base import File
from django.core.files.storage import default_storage
from django.db import transaction

from apps.accounts.services.currency import adopt_currency, can_adopt_currency
from apps.accounts.services.users import preferences_of
from apps.batches.models import Batch, BatchItem
from apps.batches.models.batch import NAME_LENGTH
from apps.batches.services._bsx_filling import (
    MAX_WARNINGS_KEPT,
    Filler,
    PlaceReader,
    RemarksMean,
    RemarksOptions,
    all_warnings_of,
    chunks,
    currency_of,
    is_unknown,
    names_there,
    refused_row,
    warning_row,
)
from apps.batches.services._bsx_joining import join_batch
from apps.batches.services.batches import BatchIsArchived, open_batch
from apps.core.errors import (
    FileUnreadable,
    NotFound,
    StateConflict,
    UploadTooLarge,
    ValueRefused,
)
from apps.core.jobs.dispatch import start_job
from apps.core.jobs.models import FINAL_STATES, Job
from apps.core.jobs.run import JobCancelled, JobFailed, JobRun
from apps.core.names import NamesThere
from apps.exchange.any_file import PACKED, AnyFile, FileKind, OtherFile, kind_of
from apps.exchange.bsx_around import LotOrder, around_of
from apps.exchange.bsx_lot import BsxLot, BsxWarning
from apps.exchange.bsx_reader import BsxFile
from apps.exchange.refusals import FileRefused
from apps.exchange.table_columns import NAMING_FIELDS
from apps.inventory.rules.bins import bins_of
from apps.inventory.rules.bsx_fields import refusal_of
from apps.inventory.rules.dividing import division
from apps.inventory.selectors.meanings import identity_of, resolve_as_named
from apps.inventory.services.files import open_as_last_time
from apps.locations.rules.several import SeveralLocations
from apps.locations.services.remarks_reading import SeveralQuestion

KIND: Final = "batches.import_bsx"
FOLDER: Final = "batch_imports"
MIB: Final = 1024 * 1024
TO_INVENTORY: Final = (
    "Open it once on the inventory page, say what its columns are, and import it here."
)
LOST_IN_JOINING: Final = (
    "It is not kept: the batch has its own, of the file that was imported into it first."
)


class CurrencyAction(StrEnum):
    """How a file in another currency than the store's is imported."""

    ASK = ""
    RELABEL = "relabel"
    CONVERT = "convert"
    STOP = "stop"


class CurrencyDiffers(StateConflict):
    """The file is in another currency; `data` holds both."""

    message = (
        "The file is in {file_currency}, your store in {store_currency}. Say whether to relabel "
        "the amounts, convert them at a rate, or stop."
    )

    def __init__(self, *, file_currency: str, store_currency: str) -> None:
        super().__init__(
            file_currency=file_currency,
            store_currency=store_currency,
            fields={"currency_action": ["must be relabel or convert"]},
            data=[{"file_currency": file_currency, "store_currency": store_currency}],
        )


class SeveralInRemarks(StateConflict):
    """Remarks of the file name several locations; `data` holds how many lots' and some of them."""

    message = "{says} Say what becomes of them."

    def __init__(self, question: SeveralQuestion) -> None:
        super().__init__(
            says=question.message(),
            fields={"several_locations": ["must be ignore, first or whole"]},
            data=[{"several_locations": question.told()}],
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class ImportOptions:
    """How to read the file; `name` is the batch's, by default the file's.

    With `into` its lots join those of that batch instead, as new items; `consolidate` makes
    one of those and new items there that equal them in lot, condition and location.
    """

    name: str = ""
    into: Batch | None = None
    consolidate: bool = False
    remarks: RemarksOptions = field(default_factory=RemarksOptions)
    currency_action: CurrencyAction = CurrencyAction.ASK
    rate: Decimal | None = None
    repair: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class FileSummary:
    """The expected result of importing the file."""

    currency: str
    lots: int
    pieces: int
    unknown: int
    refused: list[dict[str, Any]]
    new_locations: list[str]
    several: SeveralQuestion
    warnings: list[dict[str, Any]]
    warning_count: int


def start_import(
    *, owner: Any, file: File[bytes], file_name: str, options: ImportOptions, now: dt.datetime
) -> Job:
    """Store the file and start the job that creates a batch from it.

    Reads the header at once, and the whole file if `several_locations` is to be asked for. Raises
    Invalid for a file that makes no batch, UploadTooLarge, CurrencyDiffers, SeveralInRemarks,
    BatchIsArchived; then nothing is stored.
    """
    if (file.size or 0) > settings.MAX_UPLOAD_BYTES:
        raise UploadTooLarge(limit_mib=settings.MAX_UPLOAD_BYTES // MIB)
    rate, adopted = _rate_for(owner, file, options)
    remarks = options.remarks
    if remarks.several is SeveralLocations.ASK and remarks.mean is not RemarksMean.NOTHING:
        _ask_about_several(owner, file, options)
    file.seek(0)
    _sweep_abandoned(owner)
    stored = default_storage.save(f"{FOLDER}/{now:%Y%m%d%H%M%S}.bsx", file)
    try:
        with transaction.atomic():
            if options.into is not None:
                open_batch(options.into)
            if adopted:
                adopt_currency(user=owner, currency=adopted)
            batch = Batch.objects.create(
                owner=owner, name=_name_of(options.name, file_name), is_ready=False
            )
            return start_job(
                owner=owner,
                kind=KIND,
                about={"batch": [batch.pk]},
                payload={
                    "batch_id": batch.pk,
                    "into": None if options.into is None else options.into.pk,
                    "consolidate": options.consolidate,
                    "file": stored,
                    "file_name": file_name[:NAME_LENGTH],
                    "remarks_mean": options.remarks.mean.value,
                    "several_locations": options.remarks.several.value,
                    "split_quantities": options.remarks.splits,
                    "rate": None if rate is None else str(rate),
                    "repair": options.repair,
                },
            )
    except BaseException:
        default_storage.delete(stored)
        raise


def summarise_file(
    *, owner: Any, file: File[bytes], options: ImportOptions, now: dt.datetime
) -> FileSummary:
    """Return a summary of an import without changing anything.

    Raises Invalid, CurrencyDiffers.
    """
    rate, _adopted = _rate_for(owner, file, options)
    source = _opened(owner, file, repair=options.repair)
    pieces = unknown = 0
    warnings: list[BsxWarning] = []
    refused: list[dict[str, Any]] = []
    there, missing = NamesThere(names_there(owner)), NamesThere(())
    reader, several = PlaceReader(options.remarks, there), SeveralQuestion()
    try:
        for chunk in chunks(source):
            taken = [lot for lot in chunk if not refusal_of(lot, rate=rate)]
            refused.extend(refused_row(lot, rate) for lot in chunk if refusal_of(lot, rate=rate))
            found = resolve_as_named((identity_of(lot) for lot in taken), owner=owner)
            unknown += sum(1 for lot in taken if is_unknown(found[identity_of(lot)].reason))
            pieces += sum(lot.quantity for lot in taken)
            warnings += [warning for lot in taken for warning in all_warnings_of(lot)]
            for lot in taken:
                names = _names_of(lot, reader, several, splits=options.remarks.splits)
                for name in names:
                    if name not in there and name not in missing:
                        missing.add(name)
    except FileRefused as refusal:
        raise FileUnreadable(fields={"file": [str(refusal)]}) from refusal
    makes = options.remarks.mean is RemarksMean.LOCATIONS
    return FileSummary(
        currency=currency_of(source, preferences_of(user=owner).currency),
        lots=source.lot_count - len(refused),
        pieces=pieces,
        unknown=unknown,
        refused=refused,
        new_locations=list(missing) if makes else [],
        several=several,
        warnings=[warning_row(one) for one in (*source.warnings, *warnings)[:MAX_WARNINGS_KEPT]],
        warning_count=len(source.warnings) + len(warnings),
    )


def fill_batch(
    *,
    run: JobRun,
    batch_id: int,
    into: int | None,
    file: str,
    file_name: str,
    remarks: RemarksOptions,
    rate: Decimal | None,
    repair: bool,
    consolidate: bool,
    now: dt.datetime,
) -> None:
    """Fill the hidden batch from the stored file, then show it, or move its items to `into`.

    Each chunk is one transaction, and a killed job resumes after the last one. If the import is
    cancelled or refused, the batch and the file are deleted. Raises JobFailed, JobCancelled.
    """
    batch = Batch.objects.filter(pk=batch_id, owner=run.owner, is_ready=False).first()
    if batch is None or not default_storage.exists(file):
        raise JobFailed(reason="The uploaded file is no longer here. Please upload it again.")
    filler = Filler(run=run, batch=batch, remarks=remarks, rate=rate, now=now)
    try:
        with default_storage.open(file, "rb") as stream:
            source = open_as_last_time(stream, owner=run.owner, repair=repair)
            run.total = run.total or _count_items(stream, kind_of(source))
            stream.seek(0)
            source = open_as_last_time(stream, owner=run.owner, repair=repair)
            filler.fill(source)
        currency = currency_of(source, preferences_of(user=batch.owner).currency)
        result = filler.result(source, currency)
        header = _header_of(source, filler.order, file_name, currency)
        with run.finish(result=result):
            if into is None:
                Batch.objects.filter(pk=batch.pk).update(
                    is_ready=True, bsx_header=header, updated_at=now
                )
            else:
                told = join_batch(
                    batch=batch,
                    into=into,
                    header=header,
                    consolidate=consolidate,
                    by=run.owner,
                    now=now,
                )
                _add_joined(result, told)
    except (BatchIsArchived, NotFound) as refusal:
        _discard(batch, file)
        gone = "The batch was deleted meanwhile."
        raise JobFailed(reason=gone if isinstance(refusal, NotFound) else refusal.text) from refusal
    except FileRefused as refusal:
        _discard(batch, file)
        raise JobFailed(reason=str(refusal)) from refusal
    except JobCancelled:
        _discard(batch, file)
        raise
    default_storage.delete(file)


def _add_joined(result: dict[str, Any], told: dict[str, Any]) -> None:
    """Add what joining came to, with a warning for each block of the file that was lost."""
    lost = [{"item": None, "field": tag, "message": LOST_IN_JOINING} for tag in told.pop("lost")]
    result |= told
    result["warnings"] = [*lost, *result["warnings"]][:MAX_WARNINGS_KEPT]
    result["warning_count"] += len(lost)


def _names_of(
    lot: BsxLot, reader: PlaceReader, question: SeveralQuestion, *, splits: bool
) -> list[str]:
    """Return the locations of a lot, noting where its Remarks name several."""
    lot, bins, _why_not = bins_of(lot)
    if bins:
        return [place for _part, place in bins if place]
    place = reader.read(lot)
    if place.several is None:
        return [place.name] if place.name else []
    parts = division(lot, place.several)
    question.note(lot.remarks, place.several, quantity=lot.quantity, is_divisible=bool(parts))
    if parts and splits:
        return [name for name, _ in parts]
    return [place.name] if place.name else []


def _ask_about_several(owner: Any, file: File[bytes], options: ImportOptions) -> None:
    """Read the whole file. Raises SeveralInRemarks where Remarks name several, Invalid."""
    reader, question = (
        PlaceReader(options.remarks, NamesThere(names_there(owner))),
        SeveralQuestion(),
    )
    file.seek(0)
    try:
        for lot in _opened(owner, file, repair=options.repair):
            if not refusal_of(lot):
                _names_of(lot, reader, question, splits=False)
    except FileRefused as refusal:
        raise FileUnreadable(fields={"file": [str(refusal)]}) from refusal
    if question.lots:
        raise SeveralInRemarks(question)


def _opened(owner: Any, file: File[bytes], *, repair: bool) -> AnyFile:
    """Open the upload. Raises FileUnreadable, also for a file that makes no batch."""
    file.seek(0)
    try:
        source = open_as_last_time(file, owner=owner, repair=repair)
    except FileRefused as refusal:
        raise FileUnreadable(fields={"file": [str(refusal)]}) from refusal
    if why := _why_no_batch(source):
        raise FileUnreadable(fields={"file": [why]})
    return source


def _why_no_batch(source: AnyFile) -> str:
    """Return why the lots of a file are none to sort and stow, '' where they are."""
    if kind_of(source) is FileKind.UPDATE_XML:
        return "This file changes lots of your store: import it on the inventory page."
    if not isinstance(source, OtherFile) or source.says is None:
        return ""
    if not source.says & (NAMING_FIELDS - {"marketplace_lot_id"}):
        return (
            f"No column of this table was understood as the item's number or name. {TO_INVENTORY}"
        )
    if head := source.number_head:
        return (
            "No column of this table was understood as the item's number; "
            f"“{head[:40]}” looks like one. {TO_INVENTORY}"
        )
    if not source.has_quantities:
        return f"No column of this table was understood as the quantity. {TO_INVENTORY}"
    return ""


def _rate_for(owner: Any, file: File[bytes], options: ImportOptions) -> tuple[Decimal | None, str]:
    """Return the factor on every amount, None for as they are, and the currency to adopt, or ''.

    An account without amounts adopts the currency that a file names, as in the inventory's
    import. Raises CurrencyDiffers, Invalid.
    """
    source = _opened(owner, file, repair=options.repair)
    if isinstance(source, OtherFile) and source.table is None:
        # BrickLink's XML names its currency with its lots.
        try:
            deque(source, maxlen=0)
        except FileRefused as refusal:
            raise FileUnreadable(fields={"file": [str(refusal)]}) from refusal
    store = preferences_of(user=owner).currency
    currency = currency_of(source, store)
    if currency == store or options.currency_action is CurrencyAction.RELABEL:
        return None, ""
    is_asked = options.currency_action is CurrencyAction.ASK and source.header.currency
    if is_asked and can_adopt_currency(user=owner, currency=currency):
        return None, currency
    if options.currency_action is not CurrencyAction.CONVERT:
        raise CurrencyDiffers(file_currency=currency, store_currency=store)
    if options.rate is None or options.rate <= 0:
        raise ValueRefused(fields={"rate": [f"must be how many {store} one {currency} is"]})
    return options.rate, ""


def _name_of(name: str, file_name: str) -> str:
    return (name.strip() or PurePath(file_name).stem.strip() or "Import")[:NAME_LENGTH]


def _header_of(source: AnyFile, order: LotOrder, file_name: str, currency: str) -> dict[str, Any]:
    around = around_of(source, order) if isinstance(source, BsxFile) else {}
    return {"file_name": file_name, "currency": currency, **around}


def _count_items(stream: Any, kind: FileKind) -> int | None:
    """Count the lots by their ends: exact enough for a progress bar, in milliseconds.

    None of a file that is unpacked.
    """
    if kind in PACKED:
        return None
    end = b"\n" if kind is FileKind.TABLE else b"</item>"
    stream.seek(0)
    count, tail = 0, b""
    while piece := stream.read(MIB):
        text = tail + piece.lower()
        count += text.count(end)
        tail = text[-6:] if len(end) > 1 else b""
    return count


def _discard(batch: Batch, file: str) -> None:
    with transaction.atomic():
        BatchItem.objects.filter(batch=batch).delete()
        Batch.objects.filter(pk=batch.pk).delete()
    default_storage.delete(file)


def _sweep_abandoned(owner: Any) -> None:
    """Remove what imports left that were given up after their worker died five times."""
    hidden = {batch.pk: batch for batch in Batch.objects.owned_by(owner).filter(is_ready=False)}
    if not hidden:
        return
    ended = (
        Job.objects.owned_by(owner).about("batch", hidden).filter(kind=KIND, state__in=FINAL_STATES)
    )
    for payload in ended.values_list("payload", flat=True):
        if batch := hidden.get(payload["batch_id"]):
            _discard(batch, payload["file"])
