"""Tasks of the batches, run by Celery (apps/core/jobs). `batch_id` is the batch."""

from typing import Any

from apps.batches.models import OperationKind
from apps.batches.services import bsx_import, bulk, stowing
from apps.core.clock import now
from apps.core.jobs.long_job import long_job
from apps.core.jobs.registry import job_handler
from apps.core.jobs.run import JobRun


def _register(kind: OperationKind) -> None:
    """Make the job of an operation, which is logged if it is stopped too."""

    def stopped(run: JobRun, reason: str, *, batch_id: int, **_: Any) -> dict[str, Any]:
        return stowing.operation_stopped(run=run, kind=kind, batch_id=batch_id, reason=reason)

    @job_handler(stowing.JOB_KINDS[kind], stopped=stopped)
    def operate(run: JobRun, *, batch_id: int, **payload: Any) -> None:
        stowing.run_operation(
            run=run, kind=kind, batch_id=batch_id, by=run.by, clock=now, **payload
        )


for operation in stowing.JOB_KINDS:
    _register(operation)


def _edit_stopped(
    run: JobRun, reason: str, *, about: dict[str, list[int]], **_: Any
) -> dict[str, Any]:
    return bulk.ITEMS.stopped(run=run, reason=reason, about=about)


@job_handler(bulk.ITEMS.job_kind, stopped=_edit_stopped)
def edit_items(run: JobRun, **payload: Any) -> None:
    bulk.ITEMS.run(run=run, by=run.by, clock=now, **payload)


@job_handler(bsx_import.KIND, folder=bsx_import.FOLDER, stopped=bsx_import.import_stopped)
def import_bsx(
    run: JobRun, *, sync_id: int | None = None, is_first: bool = False, **of_before: Any
) -> None:
    with long_job():
        if sync_id is None:  # a job of 0.2.0
            sync_id, is_first = bsx_import.adopt_import(run, of_before), True
        bsx_import.run_import(run, sync_id=sync_id, is_first=is_first, now=now())


@job_handler(bsx_import.APPLY_KIND, stopped=bsx_import.import_stopped)
def apply_import(run: JobRun, *, sync_id: int, **_: Any) -> None:
    with long_job():
        bsx_import.apply_import(run, sync_id=sync_id, now=now())


@job_handler(bsx_import.UNDO_KIND, stopped=bsx_import.undo_stopped)
def undo_import(
    run: JobRun, *, sync_id: int, otherwise: str, rows: dict[str, str], **_: Any
) -> None:
    with long_job():
        bsx_import.undo_import(run, sync_id=sync_id, otherwise=otherwise, rows=rows, now=now())
