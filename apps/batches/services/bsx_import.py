"""Import a file as a batch, or into one: it appears when it is whole and not before."""

import datetime as dt
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Any, Final

from django.core.files.base import File
from django.core.files.storage import default_storage
from django.db import transaction

from apps.accounts.models import User
from apps.batches.models import Batch, BatchItem
from apps.batches.models.batch import NAME_LENGTH
from apps.batches.services._import_applying import BatchImporter, discard_import
from apps.batches.services._import_preview import BatchPreview
from apps.batches.services._import_undo import UndoBatch
from apps.batches.services.batches import BatchIsArchived, open_batch
from apps.core.errors import NotFound
from apps.core.jobs.models import JobState
from apps.core.jobs.run import JobFailed, JobRun
from apps.inventory.models import InventorySync, SyncChunk, SyncState, SyncTarget
from apps.inventory.services import bsx_sync
from apps.inventory.services.bsx_sync import SyncOptions
from apps.inventory.services.sync_questions import has_question, has_warning

KIND, APPLY_KIND, UNDO_KIND = "batches.import_bsx", "batches.apply_import", "batches.undo_import"
#: Files of imports that 0.2.0 began.
FOLDER: Final = "batch_imports"


@dataclass(frozen=True, kw_only=True, slots=True)
class ImportOptions:
    """How to read the file; `name` is the batch's, by default the file's.

    With `into` its lots join those of that batch instead, as new items; `consolidate` makes
    one of those and new items there that equal them in lot, condition and location. A file with a
    question waits for its answer; with `shows_warnings`, one that was read with a warning does too.
    """

    name: str = ""
    into: Batch | None = None
    consolidate: bool = False
    shows_warnings: bool = False
    #: Nothing is applied before a person says so.
    always_waits: bool = False
    reading: SyncOptions = field(default_factory=lambda: SyncOptions(create_locations=False))


def start_import(
    *, owner: User, file: File[bytes], file_name: str, options: ImportOptions, by: User
) -> InventorySync:
    """Store the file and start the job that reads it and, if nothing is asked, fills the batch.

    Raises Invalid for a file without lots, UploadTooLarge, BatchIsArchived; then nothing is stored.
    """
    if options.into is not None:
        with transaction.atomic():
            open_batch(options.into)
    _sweep_files(owner)
    batch = {
        "name": _name_of(options.name, file_name),
        "into": None if options.into is None else options.into.pk,
        "consolidate": options.consolidate,
        "shows_warnings": options.shows_warnings,
        "always_waits": options.always_waits,
    }
    return bsx_sync.start_sync(
        owner=owner,
        file=file,
        file_name=file_name,
        options=replace(options.reading, batch=batch),
        by=by,
        target=SyncTarget.BATCH,
    )


def run_import(run: JobRun, *, sync_id: int, is_first: bool, now: dt.datetime) -> None:
    """Preview the file; apply it at once the first time, unless a person has to decide first."""
    sync = InventorySync.objects.select_related("owner").get(pk=sync_id)
    if sync.state not in (SyncState.PREVIEWED, SyncState.APPLYING):
        bsx_sync.preview_sync(run, sync_id=sync_id, now=now, ends_job=False, of_file=BatchPreview)
        sync.refresh_from_db()
    how = sync.options["batch"]
    shows = how.get("shows_warnings") and has_warning(sync)
    waits = not is_first or how.get("always_waits") or shows or has_question(sync)
    if sync.state == SyncState.PREVIEWED:
        if waits:
            with run.finish(result={"sync_id": sync.pk, "counts": sync.counts}):
                pass
            return
        bsx_sync.take_up(run, sync)
    apply_import(run, sync_id=sync_id, now=now)


def apply_import(run: JobRun, *, sync_id: int, now: dt.datetime) -> None:
    """Fill the hidden batch, then show it, and delete the file. Raises JobFailed, JobCancelled."""
    file = InventorySync.objects.values_list("file", flat=True).get(pk=sync_id)
    try:
        bsx_sync.apply_sync(run, sync_id=sync_id, now=now, importer=BatchImporter)
    except NotFound as refusal:
        raise JobFailed(reason="The batch was deleted meanwhile.") from refusal
    except BatchIsArchived as refusal:
        raise JobFailed(reason=refusal.text) from refusal
    if file:
        default_storage.delete(file)


def import_stopped(
    run: JobRun,
    reason: str,
    *,
    sync_id: int | None = None,
    batch_id: int | None = None,
    **_: Any,
) -> None:
    """Delete what an import that ended without success had written."""
    if batch_id is not None:  # of a job of 0.2.0
        hidden = Batch.objects.filter(pk=batch_id, owner=run.owner, is_ready=False)
        BatchItem.objects.filter(batch__in=hidden).delete()
        hidden.delete()
    pk = sync_id or run.state.get("sync_id", 0)
    sync = InventorySync.objects.filter(pk=pk, job=run.job, state=SyncState.APPLYING).first()
    if sync is not None:
        discard_import(sync, **_ended_as(run, reason))


def undo_import(
    run: JobRun, *, sync_id: int, otherwise: str, rows: dict[str, str], now: dt.datetime
) -> None:
    """Delete the items that an import made. Those changed since stay or go as was decided."""
    bsx_sync.undo_sync(run, sync_id=sync_id, otherwise=otherwise, rows=rows, now=now, of=UndoBatch)


def undo_stopped(run: JobRun, reason: str, *, sync_id: int, **_: Any) -> None:
    """Return an import to `applied` whose undo ended before anything was undone."""
    rows = InventorySync.objects.filter(pk=sync_id, job=run.job, state=SyncState.UNDOING)
    ended = _ended_as(run, reason)
    if not SyncChunk.objects.filter(sync=sync_id, undone_at__isnull=False).exists():
        ended["state"] = SyncState.APPLIED
    rows.update(**ended)


def _ended_as(run: JobRun, reason: str) -> dict[str, str]:
    """Return the state of an import whose job ended, and the reason of one that failed."""
    if run.job.state == JobState.CANCELLED:
        return {"state": SyncState.CANCELLED, "problem": ""}
    return {"state": SyncState.FAILED, "problem": reason}


def adopt_import(run: JobRun, payload: dict[str, Any]) -> int:
    """Return the import that continues a job of 0.2.0, which had no import.

    What the job had written is deleted: its file is read anew.
    """
    if "sync_id" in run.state:
        return int(run.state["sync_id"])
    hidden = Batch.objects.filter(pk=payload["batch_id"], owner=run.owner, is_ready=False)
    batch = hidden.first()
    if batch is None or not default_storage.exists(payload["file"]):
        raise JobFailed(reason="The uploaded file is no longer here. Please upload it again.")
    means, rate = payload["remarks_mean"], payload.get("rate")
    several = payload.get("several_locations", "ignore")
    reading = SyncOptions(
        create_locations=means == "locations",
        reads_remarks=means != "nothing",
        # It was asked before the job began.
        is_several_decided=True,
        several_locations="ignore" if several == "ask" else several,
        split_quantities=payload.get("split_quantities", False),
        currency_action="relabel" if rate is None else "convert",
        rate=rate or "",
        repair=payload["repair"],
        batch={
            "name": batch.name,
            "into": payload.get("into"),
            "consolidate": payload.get("consolidate", False),
        },
    )
    with run.chunk(done=0):
        BatchItem.objects.filter(batch=batch).delete()
        hidden.delete()
        sync = bsx_sync.adopt_file(
            owner=run.owner,
            file=payload["file"],
            file_name=payload["file_name"],
            options=reading,
            job=run.job,
        )
        run.state = {"sync_id": sync.pk}
        run.failed, run.failed_count = [], 0
    return sync.pk


def _name_of(name: str, file_name: str) -> str:
    return (name.strip() or PurePath(file_name).stem.strip() or "Import")[:NAME_LENGTH]


def _sweep_files(owner: User) -> None:
    """Delete the files of imports that were given up, which cannot be repaired then."""
    given_up = InventorySync.objects.owned_by(owner).filter(
        target=SyncTarget.BATCH, state__in=(SyncState.CANCELLED, SyncState.FAILED)
    )
    for sync in given_up.exclude(file=""):
        sync.file.delete(save=False)
        counts = {**sync.counts, "can_repair": False}
        InventorySync.objects.filter(pk=sync.pk).update(file="", counts=counts)
