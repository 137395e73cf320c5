"""Stow, and list what was stowed in the same act."""

import datetime as dt
from dataclasses import replace
from typing import Any

from django.db import transaction

from apps.batches.models import Batch, BatchItem
from apps.batches.services._listing_work import pieces
from apps.batches.services.listing import start_listing
from apps.batches.services.stowing import Chosen, Operated, StowOptions, run_stow, stow_items
from apps.core.jobs.run import JobRun
from apps.marketplace.services.connections import ensure_connection


def stow_and_list(
    *, batch: Batch, chosen: Chosen, options: StowOptions, by: Any, now: dt.datetime
) -> Operated:
    """Stow as `stow_items` does; with `options.is_listed` queue the listing of what was stowed.

    Raises NotConnected before anything is stowed, and what `stow_items` raises.
    """
    if not options.is_listed:
        return stow_items(batch=batch, chosen=chosen, options=options, by=by, now=now)
    ensure_connection(owner=batch.owner, now=now)
    with transaction.atomic():
        operated = stow_items(batch=batch, chosen=chosen, options=options, by=by, now=now)
        if operated.outcome is None or not operated.outcome.done:
            return operated
        started = start_listing(
            batch=batch,
            chosen=Chosen(item_ids=tuple(operated.outcome.done)),
            stockroom=options.list_stockroom,
            now=now,
            follows=True,
        )
    return replace(operated, listing_job=started.job)


def run_stow_and_list(
    *,
    run: JobRun,
    batch_id: int,
    by: Any,
    now: dt.datetime,
    is_listed: bool = False,
    list_stockroom: str | None = None,
    **payload: Any,
) -> None:
    """Stow many items; with `is_listed` the job's end queues their listing with it."""

    def list_stowed(batch: Batch) -> dict[str, Any]:
        stowed = BatchItem.objects.filter(
            batch=batch, is_stowed=True, is_listed=False, stowed_at__gte=run.job.created_at
        )
        jobs = [
            start_listing(
                batch=batch,
                chosen=Chosen(item_ids=tuple(ids)),
                stockroom=list_stockroom,
                now=now,
                follows=True,
            ).job
            for ids in pieces(list(stowed.order_by("pk").values_list("pk", flat=True)))
        ]
        return {"listing_job_id": str(jobs[0].pk) if jobs else None}

    run_stow(
        run=run,
        batch_id=batch_id,
        by=by,
        now=now,
        at_end=list_stowed if is_listed else None,
        **payload,
    )
