"""Jobs that list, take off sale, and sync with the store.

Their kinds begin with `batches`, where they were first: the rows of jobs hold them.
"""

import datetime as dt
from typing import Any

from apps.core.clock import now
from apps.core.jobs.registry import job_handler
from apps.core.jobs.run import JobRun
from apps.listings.services import item_listing, left_listings, stock_listing, store_sync


def _listing_stopped(
    run: JobRun, reason: str, *, batch_id: int, item_ids: list[int], **_: Any
) -> dict[str, Any]:
    return item_listing.listing_stopped(
        run=run, batch_id=batch_id, item_ids=item_ids, reason=reason, clock=now
    )


def _settling_stopped(run: JobRun, reason: str, **payload: Any) -> dict[str, Any]:
    return item_listing.settling_stopped(run=run, reason=reason, clock=now, **payload)


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


@job_handler(item_listing.KIND, stopped=_listing_stopped)
def list_items(run: JobRun, **payload: Any) -> None:
    item_listing.run_listing(run=run, clock=now, **payload)


@job_handler(item_listing.SETTLE_KIND, stopped=_settling_stopped)
def settle_listings(run: JobRun, **payload: Any) -> None:
    item_listing.run_settling(run=run, clock=now, **payload)


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
