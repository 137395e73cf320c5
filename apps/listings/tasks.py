"""Jobs that list, take off sale, and sync with the store.

Their kinds begin with `batches`, where they were first: the rows of jobs hold them.
"""

import datetime as dt
from typing import Any

from apps.core.clock import now
from apps.core.jobs.kept_file import file_left_behind
from apps.core.jobs.long_job import long_job
from apps.core.jobs.registry import job_handler
from apps.core.jobs.run import JobRun
from apps.inventory.models import SYNC_FILES
from apps.listings.services import jobs, left_listings, store_cycle, store_pull, store_sync


def _listing_stopped(run: JobRun, reason: str, **payload: Any) -> dict[str, Any]:
    return jobs.listing_stopped(run=run, reason=reason, clock=now, **payload)


def _settling_stopped(run: JobRun, reason: str, **payload: Any) -> dict[str, Any]:
    return jobs.settling_stopped(run=run, reason=reason, clock=now, **payload)


def _sync_stopped(run: JobRun, reason: str, *, sync_id: int, **_: Any) -> dict[str, Any]:
    return store_cycle.sync_stopped(run=run, sync_id=sync_id, reason=reason, clock=now)


def list_or_unlist(run: JobRun, **payload: Any) -> None:
    jobs.run_listing(run=run, clock=now, **payload)


def look_again(run: JobRun, **payload: Any) -> None:
    jobs.run_settling(run=run, clock=now, **payload)


for kind in jobs.LIST_KINDS:
    job_handler(kind, stopped=_listing_stopped)(list_or_unlist)
for kind in jobs.SETTLE_KINDS:
    job_handler(kind, stopped=_settling_stopped)(look_again)


@job_handler(left_listings.KIND, every=dt.timedelta(hours=6))
def settle_left_listings(run: JobRun) -> None:
    left_listings.settle_left_listings(run=run, now=now())


def sync_store(run: JobRun, **payload: Any) -> None:
    with long_job():
        store_cycle.run_sync(run=run, clock=now, **payload)


for kind in (store_sync.PLAN_KIND, store_sync.APPLY_KIND, store_sync.KIND):
    job_handler(kind, stopped=_sync_stopped)(sync_store)


@job_handler(store_sync.DUE_KIND, every=store_sync.LOOK_EVERY)
def sync_due_stores(run: JobRun, **_: Any) -> None:
    store_sync.start_due_cycles(now=now())


@job_handler(store_pull.PULL_KIND, stopped=file_left_behind, folder=SYNC_FILES)
def pull_store(run: JobRun, **payload: Any) -> None:
    with long_job():
        store_pull.run_pull(run=run, clock=now, **payload)
