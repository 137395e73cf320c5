"""The job of a preview: of a file, or of lots read from the store."""

import datetime as dt
import tempfile

from django.db.models.functions import Now

from apps.core.errors import FilesBusy
from apps.core.jobs.run import JobFailed, JobRun, TryLater
from apps.exchange.refusals import FileRefused, RefusalCode
from apps.inventory.models import InventorySync, ReadFrom, SyncChunk, SyncState
from apps.inventory.services._store_preview import StorePreview
from apps.inventory.services._sync_preview import Preview
from apps.inventory.services._sync_state import resume


def preview_sync(
    run: JobRun,
    *,
    sync_id: int,
    now: dt.datetime,
    ends_job: bool = True,
    of_file: type[Preview] = Preview,
) -> None:
    """Plan the changes of a file and store the plan. The stock does not change.

    Restarts after an interruption. Memory depends only on the number of lots (about 400 bytes each
    while they are matched), not on their size.
    """
    sync = resume(sync_id, run.job, SyncState.PREVIEWING)
    run_preview(run, sync, now=now, ends_job=ends_job, of_file=of_file)


def run_preview(
    run: JobRun,
    sync: InventorySync,
    *,
    now: dt.datetime,
    ends_job: bool = True,
    of_file: type[Preview] = Preview,
) -> None:
    """Preview a sync that this job has taken up. Raises JobFailed, TryLater."""
    with run.chunk(done=0, total=sync.file_size, message="Reading the file"):
        SyncChunk.objects.filter(sync=sync).delete()
    of_store = sync.read_from == ReadFrom.STORE
    preview = (StorePreview if of_store else of_file)(run, sync, now)
    try:
        with sync.file.open("rb") as stream, tempfile.TemporaryFile() as staged:
            preview.read(stream, staged)
            preview.plan(staged)
            preview.flush()
    except FileRefused as refused:
        can_repair = refused.code is RefusalCode.TRUNCATED
        with run.chunk():
            InventorySync.objects.filter(pk=sync.pk).update(
                state=SyncState.FAILED,
                problem=refused.message,
                counts={"can_repair": can_repair},
                updated_at=Now(),
            )
        raise JobFailed(reason=refused.message) from refused
    except FilesBusy as busy:
        raise TryLater(busy.text, until_back=True) from busy
    preview.finish(ends_job=ends_job)
