"""Ask for an export, write its file, delete it."""

import datetime as dt
import io
import tempfile
from dataclasses import asdict, dataclass
from typing import Any, Final

from django.core.files.base import File
from django.db import transaction
from django.db.models import QuerySet

from apps.accounts.models import User
from apps.accounts.services.users import preferences_of
from apps.batches.models import Batch
from apps.batches.rules import ItemState
from apps.core.errors import StateConflict
from apps.core.jobs.dispatch import start_job
from apps.core.jobs.kept_file import forget_left_file, kept_file, open_written
from apps.core.jobs.models import JobState
from apps.core.jobs.run import JobFailed, JobRun
from apps.exchange.bsx_around import around_values
from apps.exchange.bsx_writer import BsxWritten
from apps.exports.models import FOLDER, Export, ExportKind, Scope
from apps.exports.rules import file_name_of
from apps.exports.services._files import write_file
from apps.exports.services._lots import LotSource, listed_count, lot_id_of, rows_of, unwritable
from apps.exports.services._update import NOT_KNOWN, UpdateOfStore, packed
from apps.inventory.selectors.syncs import last_header
from apps.inventory.services.channels import remote_ids_in_files

KIND: Final = "exports.export_items"
MAX_NOTICES_KEPT: Final = 200
SAMPLED: Final = 5
SAMPLED_FAILED: Final = 50


class NothingWritten(StateConflict):
    message = "There is no file. {reason}"


NOTHING_CHOSEN: Final = "Nothing to write: no lot is chosen by these options."
NOTHING_DIFFERS: Final = "Nothing to write: no lot differs from what BrickLink was last told."
NOTHING_WRITABLE: Final = "Nothing to write: no lot can be in a file of this kind."


@dataclass(frozen=True, kw_only=True, slots=True)
class ExportOptions:
    """What of the scope is written, and for whom."""

    state: ItemState | None = None
    item_ids: tuple[int, ...] = ()
    include_zero_quantity: bool = True
    # Lots that are not in the catalogue, written with the values of their own file.
    include_incomplete: bool = True
    # BSX for BrickSync and BrickStock: with a DOCTYPE and without the currency.
    compatible: bool = False
    # Lots that are not in the catalogue, in files that BrickLink looks up by number.
    include_unknown: bool = False
    # Lots that BrickLink has already, once more in a mass upload.
    include_listed: bool = False
    # Remarks begin with the bin, before their own text; a template replaces both.
    carry_location: bool = True
    # Such as "{location} {remarks}"; '' leaves the remarks as they are.
    remarks_template: str = ""
    # Of a CSV file; none is all.
    columns: tuple[str, ...] = ()
    # Fields that a mass update sends always; without any, those that differ from the base values.
    update_fields: tuple[str, ...] = ()
    wanted_list_id: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class ExportPreview:
    """The preview of a file. `sample` is the file with the first five lots only;
    `notices` are the first of what would be written in another form than it is kept, and
    `listed_count` the lots that a mass upload leaves out."""

    row_count: int
    listed_count: int
    failed: list[dict[str, Any]]
    failed_count: int
    notices: list[dict[str, Any]]
    notice_count: int
    file_name: str
    sample: str


@transaction.atomic
def start_export(
    *,
    owner: User,
    batch: Batch | None,
    options: ExportOptions,
    now: dt.datetime,
    kind: ExportKind = ExportKind.BSX,
) -> Export:
    """Ask for a file of a batch, or (None) of the inventory; a job writes it."""
    export = _export(owner, batch, options, now, kind)
    about = {"batch": [export.batch_id]} if export.batch_id else None
    payload = {"batch_id": export.batch_id}
    export.job = start_job(owner=owner, kind=KIND, payload=payload, about=about)
    export.save(force_insert=True)
    return export


def preview_export(
    *,
    owner: User,
    batch: Batch | None,
    options: ExportOptions,
    now: dt.datetime,
    kind: ExportKind = ExportKind.BSX,
) -> ExportPreview:
    """Return a preview of the file; nothing is stored.

    Writes a file that is thrown away, so that every loss is reported before it happens.
    """
    export = _export(owner, batch, options, now, kind)
    rows = rows_of(export)
    refused = unwritable(rows, kind=kind, include_unknown=options.include_unknown)
    around = _around_the_lots(export)
    source = _source(export, rows, without=refused)
    update = UpdateOfStore(export, options.update_fields)
    with tempfile.TemporaryFile() as nowhere:
        written, _suffix = write_file(
            kind, source, nowhere, options=export.options, around=around, update=update
        )
    # Of a mass update the lots that change, not the first that are looked at.
    changed = [pk for place in update.places[:SAMPLED] if (pk := source.row_id(place))]
    sampled = changed or [pk for ids in source.shown for pk in ids]
    some = rows.model._base_manager.filter(pk__in=sampled)
    if changed:
        lot_ids = some.values_list(lot_id_of(rows), flat=True)
        some = rows.annotate(in_store=lot_id_of(rows)).filter(in_store__in=list(lot_ids))
    out = io.BytesIO()
    write_file(
        kind,
        _source(export, some, without=refused),
        out,
        options=export.options,
        around=around,
        update=UpdateOfStore(_narrowed(export), options.update_fields),
    )
    failed = [*refused.values(), *source.refused, *_refusals(source, written)]
    return ExportPreview(
        row_count=written.count,
        listed_count=listed_count(export),
        failed=failed[:SAMPLED_FAILED],
        failed_count=len(failed),
        notices=_notices(source, written),
        notice_count=written.notice_count,
        file_name=export.file_name,
        sample=out.getvalue().decode("utf-8-sig"),
    )


def _export(
    owner: User, batch: Batch | None, options: ExportOptions, now: dt.datetime, kind: ExportKind
) -> Export:
    return Export(
        owner=owner,
        kind=kind,
        scope=Scope.INVENTORY if batch is None else Scope.BATCH,
        batch=batch,
        options=asdict(options),
        file_name=file_name_of(title=_title(kind, batch), today=now.date(), suffix=_SUFFIX[kind]),
    )


def write_export(*, run: JobRun, now: dt.datetime) -> None:
    """Write the file of the export that this job belongs to; it is there when it is whole.

    Rows that cannot be written are reported and left out; if none is left, there is no file
    and the job says so. A second attempt starts from the beginning. Raises JobFailed, JobCancelled.
    """
    export = Export.objects.select_related("batch").filter(job_id=run.job.pk).first()
    if export is None:
        raise JobFailed(reason="This export was deleted.")
    forget_left_file(run)
    rows = rows_of(export)
    options = export.options
    refused = unwritable(
        rows, kind=export.kind, include_unknown=bool(options.get("include_unknown"))
    )
    run.failed, run.failed_count = [], 0  # an earlier attempt's are found again
    for failed in refused.values():
        run.fail_item(failed)
    run.total = rows.count()
    export.listed_count = listed_count(export)
    source = _source(
        export,
        rows,
        without=refused,
        tell=lambda seen: run.beat(done=seen, message="Writing the lots"),
    )
    update = UpdateOfStore(export, options.get("update_fields") or ())
    with tempfile.TemporaryFile() as out:
        written, suffix = write_file(
            export.kind,
            source,
            out,
            options=options,
            around=_around_the_lots(export),
            update=update,
        )
        for failed in (*source.refused, *_refusals(source, written)):
            run.fail_item(failed)
        if not written.count:
            _end_without_file(run, export, source, written, now)
            return
        export.file_name = f"{export.file_name.rpartition('.')[0]}.{suffix}"
        with kept_file(run, out, folder=FOLDER, suffix=suffix, done=source.seen) as stored:
            if export.listed_count:
                run.message = _listed_words(export.listed_count)
            with run.finish(result=_result(export, written)):
                Export.objects.filter(pk=export.pk).update(
                    file=stored,
                    file_name=export.file_name,
                    row_count=written.count,
                    failed=run.failed,
                    failed_count=run.failed_count,
                    notices=_notices(source, written),
                    listed_count=export.listed_count,
                    sent=packed(update.sent) if update.sent else b"",
                    written_at=now,
                    updated_at=now,
                )


def _end_without_file(
    run: JobRun, export: Export, source: LotSource, written: BsxWritten, now: dt.datetime
) -> None:
    """End a job that has nothing to write; where everything failed, it has failed. Raises JobFailed."""
    chosen = run.total or 0
    told = {
        "failed": run.failed,
        "failed_count": run.failed_count,
        "notices": _notices(source, written),
        "listed_count": export.listed_count,
        "updated_at": now,
    }
    if chosen and run.failed_count >= chosen:
        with run.chunk(done=chosen):
            Export.objects.filter(pk=export.pk).update(**told)
        raise JobFailed(reason=NOTHING_WRITABLE)
    run.done = chosen
    run.message = _why_nothing(export, chosen=chosen, written=written)
    with run.finish(result=_result(export, written)):
        Export.objects.filter(pk=export.pk).update(**told)


def _why_nothing(export: Export, *, chosen: int, written: BsxWritten) -> str:
    if not chosen:
        return (
            f"Nothing to write: {_listed_words(export.listed_count)}"
            if export.listed_count
            else NOTHING_CHOSEN
        )
    unknown = sum(one.message == NOT_KNOWN for one in written.notices)
    if not unknown:
        return NOTHING_DIFFERS
    lots = "1 lot" if unknown == 1 else f"{unknown:,} lots"
    return f"{NOTHING_DIFFERS} Of {lots} it is not known what BrickLink has."


def _listed_words(count: int) -> str:
    lots = "1 lot was" if count == 1 else f"{count:,} lots were"
    return f"{lots} left out, for BrickLink has them already."


def open_file(*, export: Export) -> File[bytes]:
    """Return the written file, opened. Raises NotWrittenYet, NothingWritten."""
    if not export.file and export.job.state in (JobState.SUCCEEDED, JobState.FAILED):
        raise NothingWritten(reason=export.job.message)
    return open_written(export)


_SUFFIX: Final = {
    ExportKind.BSX: "bsx",
    ExportKind.MASS_UPLOAD: "xml",
    ExportKind.MASS_UPDATE: "xml",
    ExportKind.WANTED_LIST: "xml",
    ExportKind.CSV: "csv",
}
_TITLE: Final = {
    ExportKind.MASS_UPLOAD: "upload",
    ExportKind.MASS_UPDATE: "update",
    ExportKind.WANTED_LIST: "wanted list",
}


def _title(kind: ExportKind, batch: Batch | None) -> str:
    title = "Inventory" if batch is None else batch.name
    return f"{title} {_TITLE[kind]}" if kind in _TITLE else title


def _around_the_lots(export: Export) -> dict[str, Any]:
    """Return the file's content besides its lots: the same as in the imported file."""
    header = last_header(export.owner) if export.batch is None else export.batch.bsx_header
    return {
        "currency": preferences_of(user=export.owner).currency,
        "compatible": bool(export.options.get("compatible")),
        **around_values(header),
    }


def _source(export: Export, rows: QuerySet[Any], *, without: Any, tell: Any = None) -> LotSource:
    options = export.options
    # A batch is no copy of the store: its lots keep the base values of their file.
    is_stock_bsx = export.kind == ExportKind.BSX and export.scope == Scope.INVENTORY
    return LotSource(
        rows,
        kind=export.kind,
        without=without,
        template=options.get("remarks_template", ""),
        carries_location=options.get("carry_location", True),
        tell=tell,
        based_on=export.owner if is_stock_bsx else None,
        # Of an update, its writer replaces them.
        their_ids={}
        if export.kind == ExportKind.MASS_UPDATE
        else remote_ids_in_files(export.owner),
    )


def _narrowed(export: Export) -> Export:
    """Return the same export for some lots only: the others do not count as gone."""
    options = {**export.options, "include_zero_quantity": False}
    return Export(owner=export.owner, scope=export.scope, batch=export.batch, options=options)


def _refusals(source: LotSource, written: BsxWritten) -> list[dict[str, Any]]:
    return [
        {"id": source.row_id(refusal.index), "reason": refusal.message, "name": refusal.field}
        for refusal in written.refused
    ]


def _notices(source: LotSource, written: BsxWritten) -> list[dict[str, Any]]:
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
        **({"listed_count": export.listed_count} if export.listed_count else {}),
    }
