"""Tasks of the batches, run by Celery (apps/core/jobs); `batch_id` says on which one."""

import datetime as dt
from decimal import Decimal
from typing import Any

from apps.batches.models import OperationKind
from apps.batches.services import (
    bsx_import,
    bulk,
    left_listings,
    listing,
    stock_listing,
    store_sync,
    stow_and_list,
    stowing,
)
from apps.core.clock import now
from apps.core.jobs.registry import job_handler
from apps.core.jobs.run import JobRun
from apps.locations.rules.several import SeveralLocations


def _log_stopped(kind: OperationKind) -> Any:
    def stopped(run: JobRun, reason: str, *, batch_id: int, **_: Any) -> dict[str, Any]:
        return stowing.operation_stopped(run=run, kind=kind, batch_id=batch_id, reason=reason)

    return stopped


def _listing_stopped(
    run: JobRun, reason: str, *, batch_id: int, item_ids: list[int], **_: Any
) -> dict[str, Any]:
    return listing.listing_stopped(
        run=run, batch_id=batch_id, item_ids=item_ids, reason=reason, clock=now
    )


def _settling_stopped(run: JobRun, reason: str, **payload: Any) -> dict[str, Any]:
    return listing.settling_stopped(run=run, reason=reason, clock=now, **payload)


def _stock_listing_stopped(unlists: bool) -> Any:
    def stopped(run: JobRun, reason: str, *, row_ids: list[int], **_: Any) -> dict[str, Any]:
        return stock_listing.stock_listing_stopped(
            run=run, row_ids=row_ids, unlists=unlists, reason=reason, clock=now
        )

    return stopped


def _stock_settling_stopped(run: JobRun, reason: str, **payload: Any) -> dict[str, Any]:
    return stock_listing.stock_settling_stopped(run=run, reason=reason, clock=now, **payload)


def _sync_stopped(run: JobRun, reason: str, *, sync_id: int, **_: Any) -> dict[str, Any]:
    return store_sync.sync_stopped(run=run, sync_id=sync_id, reason=reason)


@job_handler(stowing.STOW_KIND, stopped=_log_stopped(OperationKind.STOW))
def stow_items(run: JobRun, *, batch_id: int, **payload: Any) -> None:
    stow_and_list.run_stow_and_list(run=run, batch_id=batch_id, by=run.owner, now=now(), **payload)


@job_handler(stowing.REMOVE_KIND, stopped=_log_stopped(OperationKind.REMOVE))
def remove_items(run: JobRun, *, batch_id: int, **payload: Any) -> None:
    stowing.run_remove(run=run, batch_id=batch_id, by=run.owner, now=now(), **payload)


@job_handler(stowing.MARK_LISTED_KIND, stopped=_log_stopped(OperationKind.MARK_LISTED))
def mark_listed(run: JobRun, *, batch_id: int, **payload: Any) -> None:
    stowing.run_mark_listed(run=run, batch_id=batch_id, by=run.owner, now=now(), **payload)


@job_handler(listing.KIND, stopped=_listing_stopped)
def list_items(run: JobRun, **payload: Any) -> None:
    listing.run_listing(run=run, clock=now, **payload)


@job_handler(listing.SETTLE_KIND, stopped=_settling_stopped)
def settle_listings(run: JobRun, **payload: Any) -> None:
    listing.run_settling(run=run, clock=now, **payload)


@job_handler(stock_listing.LIST_STOCK_KIND, stopped=_stock_listing_stopped(unlists=False))
def list_stock(run: JobRun, **payload: Any) -> None:
    stock_listing.run_stock_listing(run=run, unlists=False, clock=now, **payload)


@job_handler(stock_listing.UNLIST_STOCK_KIND, stopped=_stock_listing_stopped(unlists=True))
def unlist_stock(run: JobRun, **payload: Any) -> None:
    stock_listing.run_stock_listing(run=run, unlists=True, clock=now, **payload)


@job_handler(stock_listing.SETTLE_STOCK_KIND, stopped=_stock_settling_stopped)
def settle_stock_listings(run: JobRun, **payload: Any) -> None:
    stock_listing.run_stock_settling(run=run, clock=now, **payload)


@job_handler(left_listings.KIND, every=dt.timedelta(hours=6))
def settle_left_listings(run: JobRun) -> None:
    left_listings.settle_left_listings(run=run, now=now())


@job_handler(store_sync.PLAN_KIND, stopped=_sync_stopped)
def plan_store_sync(run: JobRun, **payload: Any) -> None:
    store_sync.run_plan(run=run, clock=now, **payload)


@job_handler(store_sync.APPLY_KIND, stopped=_sync_stopped)
def apply_store_sync(run: JobRun, **payload: Any) -> None:
    store_sync.run_apply(run=run, clock=now, **payload)


@job_handler(bulk.EDIT_KIND)
def edit_items(run: JobRun, **payload: Any) -> None:
    bulk.run_edit(run=run, by=run.owner, now=now(), **payload)


@job_handler(bsx_import.KIND)
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
