"""Tasks of the batches, run by Celery (apps/core/jobs). `batch_id` is the batch."""

from decimal import Decimal
from typing import Any

from apps.batches.models import OperationKind
from apps.batches.services import bsx_import, bulk, stowing
from apps.core.clock import now
from apps.core.jobs.registry import job_handler
from apps.core.jobs.run import JobRun
from apps.locations.rules.several import SeveralLocations


def _register(kind: OperationKind) -> None:
    """Make the job of an operation, which is logged if it is stopped too."""

    def stopped(run: JobRun, reason: str, *, batch_id: int, **_: Any) -> dict[str, Any]:
        return stowing.operation_stopped(run=run, kind=kind, batch_id=batch_id, reason=reason)

    @job_handler(stowing.JOB_KINDS[kind], stopped=stopped)
    def operate(run: JobRun, *, batch_id: int, **payload: Any) -> None:
        stowing.run_operation(
            run=run, kind=kind, batch_id=batch_id, by=run.owner, clock=now, **payload
        )


for operation in stowing.JOB_KINDS:
    _register(operation)


def _edit_stopped(
    run: JobRun, reason: str, *, about: dict[str, list[int]], **_: Any
) -> dict[str, Any]:
    return bulk.ITEMS.stopped(run=run, reason=reason, about=about)


@job_handler(bulk.ITEMS.job_kind, stopped=_edit_stopped)
def edit_items(run: JobRun, **payload: Any) -> None:
    bulk.ITEMS.run(run=run, by=run.owner, clock=now, **payload)


@job_handler(bsx_import.KIND, folder=bsx_import.FOLDER)
def import_bsx(
    run: JobRun,
    *,
    batch_id: int,
    file: str,
    file_name: str,
    remarks_mean: str,
    rate: str | None,
    repair: bool,
    into: int | None = None,
    consolidate: bool = False,
    several_locations: str = SeveralLocations.IGNORE.value,
    split_quantities: bool = False,
    **_: Any,
) -> None:
    bsx_import.fill_batch(
        run=run,
        batch_id=batch_id,
        into=into,
        file=file,
        file_name=file_name,
        remarks=bsx_import.RemarksOptions(
            mean=bsx_import.RemarksMean(remarks_mean),
            several=SeveralLocations(several_locations),
            splits=split_quantities,
        ),
        rate=None if rate is None else Decimal(rate),
        repair=repair,
        consolidate=consolidate,
        now=now(),
    )
