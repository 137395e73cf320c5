"""Tasks of the stock, run by Celery (apps/core/jobs): each makes one service call."""

import datetime as dt
from typing import Any

from apps.core.clock import now
from apps.core.jobs.long_job import long_job
from apps.core.jobs.registry import job_handler
from apps.core.jobs.run import JobRun
from apps.inventory.models import SYNC_FILES
from apps.inventory.services import (
    acts,
    bsx_sync,
    bulk,
    consolidate,
    currency,
    move_many,
    renumber,
    reprice,
    stock_figures,
    unknown,
)
from apps.inventory.services.after_import import follow_import


@job_handler("inventory.tell_changes", every=dt.timedelta(minutes=1))
def tell_changes(run: JobRun, **_: Any) -> None:
    stock_figures.tell_changes()
    with run.finish():
        pass


@job_handler(bsx_sync.PREVIEW_KIND, folder=SYNC_FILES)
def preview_sync(run: JobRun, *, sync_id: int, **_: Any) -> None:
    with long_job():
        bsx_sync.preview_sync(run, sync_id=sync_id, now=now())


@job_handler(bsx_sync.APPLY_KIND)
def apply_sync(run: JobRun, *, sync_id: int, **_: Any) -> None:
    with long_job():
        bsx_sync.apply_sync(run, sync_id=sync_id, now=now())


def _undo_stopped(run: JobRun, reason: str, **_: Any) -> None:
    follow_import(owner=run.owner, now=now())


@job_handler(bsx_sync.UNDO_KIND, stopped=_undo_stopped)
def undo_sync(run: JobRun, *, sync_id: int, otherwise: str, rows: dict[str, str], **_: Any) -> None:
    with long_job():
        bsx_sync.undo_sync(run, sync_id=sync_id, otherwise=otherwise, rows=rows, now=now())


@job_handler(bulk.STOCK.job_kind)
def edit_items(run: JobRun, **payload: Any) -> None:
    bulk.STOCK.run(run=run, by=run.by, clock=now, **payload)


@job_handler(move_many.MOVE_KIND)
def move_items(run: JobRun, **payload: Any) -> None:
    move_many.run_move(run=run, by=run.by, clock=now, **payload)


@job_handler(consolidate.CONSOLIDATE_KIND)
def consolidate_items(run: JobRun, **payload: Any) -> None:
    consolidate.run_consolidation(run=run, by=run.by, clock=now, **payload)


@job_handler(reprice.REPRICE_KIND)
def reprice_items(run: JobRun, **payload: Any) -> None:
    reprice.run_repricing(run=run, clock=now, **payload)


@job_handler("inventory.reprice_by_night", every=dt.timedelta(days=1))
def reprice_by_night(run: JobRun, **_: Any) -> None:
    reprice.reprice_by_night()
    with run.finish():
        pass


@job_handler(currency.CURRENCY_KIND)
def change_currency(run: JobRun, **payload: Any) -> None:
    currency.run_change(run=run, clock=now, **payload)


@job_handler(unknown.NAME_KIND)
def name_items(run: JobRun, **payload: Any) -> None:
    unknown.run_naming(run=run, by=run.by, clock=now, **payload)


@job_handler(renumber.RENUMBER_KIND)
def renumber_items(run: JobRun, **payload: Any) -> None:
    renumber.run_renumbering(run=run, by=run.by, clock=now, **payload)


@job_handler(unknown.WORD_KIND)
def name_words(run: JobRun, **payload: Any) -> None:
    unknown.run_naming_word(run=run, by=run.by, clock=now, **payload)


@job_handler(acts.UNDO_KIND)
def undo_act(run: JobRun, **payload: Any) -> None:
    acts.run_undo(run=run, by=run.by, clock=now, **payload)
