"""Ask for an export, write its file, delete it."""

import base64
import datetime as dt
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any, Final

from django.core.files.base import File
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import Q, QuerySet

from apps.accounts.services.users import preferences_of
from apps.batches.models import IN_STATE, Batch, BatchItem
from apps.batches.rules import ItemState, name_to_show
from apps.catalog.rules.kinds import LETTER_OF_TYPE
from apps.core.errors import DomainError, ErrorCode
from apps.core.jobs.dispatch import JobFinished, cancel_job, start_job
from apps.core.jobs.run import JobFailed, JobRun
from apps.exchange.bsx_lot import BsxLot
from apps.exchange.bsx_writer import BsxWritten, write_bsx
from apps.exports.models import Export, ExportKind, Scope
from apps.exports.rules import (
    FIRST_FOREIGN_COLOR_ID,
    OWN_CATALOGUE,
    file_name_of,
    why_not_written,
)
from apps.inventory.models import InventoryItem
from apps.inventory.selectors import bsx_lots_of

KIND: Final = "exports.write_bsx"
PAGE: Final = 2_000
MAX_NOTICES_KEPT: Final = 200


class NotWrittenYet(DomainError):
    code = ErrorCode.CONFLICT
    status = 409
    message = "The file is not there: its job is {state}."


@dataclass(frozen=True, kw_only=True, slots=True)
class ExportOptions:
    """What of the scope is written, and for whom."""

    state: ItemState | None = None
    item_ids: tuple[int, ...] = ()
    include_zero_quantity: bool = True
    # For BrickSync and BrickStock: with a DOCTYPE and without the currency.
    compatible: bool = False


@transaction.atomic
def start_export(
    *, owner: Any, batch: Batch | None, options: ExportOptions, now: dt.datetime
) -> Export:
    """Ask for the BSX file of a batch, or (None) of the inventory; a job writes it. 2 queries."""
    job = start_job(
        owner=owner, kind=KIND, payload={"batch_id": batch.pk if batch is not None else None}
    )
    return Export.objects.create(
        owner=owner,
        kind=ExportKind.BSX,
        scope=Scope.INVENTORY if batch is None else Scope.BATCH,
        batch=batch,
        options=asdict(options),
        job=job,
        file_name=file_name_of(
            title="Inventory" if batch is None else batch.name, today=now.date()
        ),
    )


def write_export(*, run: JobRun, now: dt.datetime) -> None:
    """Write the file of the export that this job belongs to; it is there when it is whole.

    What cannot be written is reported and the rest goes on. A second attempt begins
    anew. 1 query per 2,000 lots. Raises JobFailed, JobCancelled.
    """
    export = Export.objects.select_related("batch").filter(job_id=run.job.pk).first()
    if export is None:
        raise JobFailed(reason="This export was deleted.")
    _forget_last_attempt(run)
    source = _Source(run, _rows_of(export))
    with tempfile.TemporaryFile() as out:
        written = write_bsx(source.lots(), out, **_around_the_lots(export))
        _report_refused(run, source, written)
        stored = f"exports/{run.job.pk.hex}-{run.token.hex}.{export.kind}"
        with run.chunk(done=source.seen, message="Keeping the file"):
            # Should this worker be killed, the next attempt removes the file it left.
            run.state["stored"] = stored
        out.seek(0)
        default_storage.save(stored, File(out))
    try:
        with run.finish(result=_result(export, written)):
            Export.objects.filter(pk=export.pk).update(
                file=stored,
                row_count=written.count,
                failed=run.failed,
                failed_count=run.failed_count,
                notices=_notices(source, written),
                written_at=now,
                updated_at=now,
            )
    except BaseException:
        default_storage.delete(stored)
        raise


def open_file(*, export: Export) -> File[bytes]:
    """Return the written file, opened. Raises NotWrittenYet."""
    if not export.file:
        raise NotWrittenYet(state=export.job.state)
    return default_storage.open(str(export.file.name), "rb")


def delete_export(*, export: Export) -> None:
    """Delete an export with its file; a job that still writes it stops."""
    with transaction.atomic():
        with suppress(JobFinished):
            cancel_job(job=export.job)
        export.delete()
    if export.file:
        default_storage.delete(str(export.file.name))


class _Source:
    """Gives the lots of an export one by one, tells progress, and remembers whose they are."""

    def __init__(self, run: JobRun, rows: QuerySet[Any]) -> None:
        self._run = run
        self._rows = rows
        self._ids: list[int] = []
        self.seen = 0

    def lots(self) -> Iterator[BsxLot]:
        run = self._run
        refused = unwritable(self._rows)
        run.failed, run.failed_count = [], 0  # an earlier attempt's are found again
        for failed in refused.values():
            run.fail_item(failed)
        run.total = self._rows.count()
        for row_id, lot in bsx_lots_of(self._rows):
            if self.seen % PAGE == 0:
                run.beat(done=self.seen, message="Writing the lots")
            self.seen += 1
            if row_id not in refused:
                self._ids.append(row_id)
                yield lot

    def row_id(self, index: int) -> int | None:
        """Return the row of the lot that was given as the `index`-th, None for the whole file."""
        return self._ids[index] if index >= 0 else None


def unwritable(rows: QuerySet[Any]) -> dict[int, dict[str, Any]]:
    """Return id -> {id, reason, name} of the rows that no BSX file can hold. 1 query."""
    # A row that names its item as its file did is written as the file had it.
    suspects = (
        rows.filter(raw_item_number="")
        .filter(
            Q(lot=None)
            | Q(lot__item__number="")
            | Q(lot__item__origin=OWN_CATALOGUE)
            | Q(lot__color_id__gte=FIRST_FOREIGN_COLOR_ID)
        )
        .order_by("pk")
    )
    found = {}
    for row in suspects.values_list("pk", *_IDENTITY):
        pk, lot_id, kind, number, name, origin, color_id, color, *raw = row
        raw_type, raw_number, raw_name, raw_color = raw
        known = lot_id is not None
        reason = why_not_written(
            item_number=number if known else raw_number,
            item_name=name if known else raw_name,
            item_type=LETTER_OF_TYPE.get(kind, "") if known else raw_type,
            origin=origin or "",
            catalogue_color_id=color_id,
        )
        if reason:
            found[pk] = {
                "id": pk,
                "reason": reason,
                "name": name_to_show(
                    name=name if known else raw_name,
                    number=number if known else raw_number,
                    color=(color if color_id else "") if known else raw_color,
                ),
            }
    return found


_IDENTITY: Final = (
    "lot_id",
    "lot__item__item_type",
    "lot__item__number",
    "lot__item__name",
    "lot__item__origin",
    "lot__color_id",
    "lot__color__name",
    "raw_item_type",
    "raw_item_number",
    "raw_item_name",
    "raw_color_name",
)


def _rows_of(export: Export) -> QuerySet[Any]:
    """Return the rows that the export's scope and options name, unordered."""
    options = export.options
    if export.scope == Scope.INVENTORY:
        rows = InventoryItem.objects.owned_by(export.owner)
    elif export.batch is None:
        raise JobFailed(reason="The batch was deleted.")
    else:
        rows = BatchItem.objects.filter(batch=export.batch)
        if options.get("state"):
            rows = rows.filter(IN_STATE[ItemState(options["state"])])
    if options.get("item_ids"):
        rows = rows.filter(pk__in=options["item_ids"])
    if not options.get("include_zero_quantity", True):
        rows = rows.filter(quantity__gt=0)
    return rows


def _around_the_lots(export: Export) -> dict[str, Any]:
    """Return what the file says beside its lots; an imported batch says again what its file said."""
    header = export.batch.bsx_header if export.batch is not None else {}
    return {
        "currency": preferences_of(user=export.owner).currency,
        "compatible": bool(export.options.get("compatible")),
        "changelog_id": header.get("changelog_id"),
        "root_attributes": tuple(map(tuple, header.get("root_attributes", ()))),
        "inventory_attributes": tuple(map(tuple, header.get("inventory_attributes", ()))),
        "extra_blocks": tuple(base64.b64decode(one) for one in header.get("extra_blocks", ())),
    }


def _report_refused(run: JobRun, source: _Source, written: BsxWritten) -> None:
    for refusal in written.refused:
        run.fail_item(
            {"id": source.row_id(refusal.index), "reason": refusal.message, "name": refusal.field}
        )


def _notices(source: _Source, written: BsxWritten) -> list[dict[str, Any]]:
    return [
        {"id": source.row_id(notice.index), "field": notice.field, "message": notice.message}
        for notice in written.notices[:MAX_NOTICES_KEPT]
    ]


def _result(export: Export, written: BsxWritten) -> dict[str, Any]:
    return {
        "export_id": export.pk,
        "batch_id": export.batch_id,
        "row_count": written.count,
        "file_name": export.file_name,
    }


def _forget_last_attempt(run: JobRun) -> None:
    if left := run.state.pop("stored", ""):
        default_storage.delete(left)
