"""A seller who has no batch runs no code of `batches`: not by listing, unlisting or syncing."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import apps.batches
from apps.batches.tests.factories import make_location
from apps.core.clock import now
from apps.core.testing.jobs import run_jobs
from apps.inventory.tests.factories import make_stock
from apps.listings.models import SyncState
from apps.listings.services.listing import start_stock_listing, start_unlisting
from apps.listings.services.store_sync import start_apply, start_plan
from apps.listings.tests.listing import list_items, lots_of, part, stowed

pytestmark = pytest.mark.django_db
BATCHES = str(Path(apps.batches.__file__).parent)


@contextmanager
def calls_into_batches() -> Iterator[set[str]]:
    """Collect the functions of `batches` that are called meanwhile."""
    seen: set[str] = set()

    def look(frame, event, _arg):
        if event == "call" and frame.f_code.co_filename.startswith(BATCHES):
            seen.add(f"{Path(frame.f_code.co_filename).name}:{frame.f_code.co_name}")

    sys.setprofile(look)
    try:
        yield seen
    finally:
        sys.setprofile(None)


def sell(owner, row):
    """List a row, edit it, sync it to the store, and take it off sale."""
    start_stock_listing(owner=owner, row_ids=[row.pk], stockroom=None, now=now())
    run_jobs()
    type(row).objects.filter(pk=row.pk).update(comments="As new")
    sync = start_plan(owner=owner, batch=None, now=now())
    run_jobs()
    start_apply(sync=sync, confirm_removals=None, leave_out=[])
    run_jobs()
    start_unlisting(owner=owner, row_ids=[row.pk], stockroom="B", now=now())
    run_jobs()
    sync.refresh_from_db()
    assert sync.state == SyncState.APPLIED


def test_who_has_no_batch_runs_none_of_it(store, connected):
    row = make_stock(connected, part(), 5, make_location(connected, "A-01"))

    with calls_into_batches() as seen:
        sell(connected, row)

    [lot] = lots_of(store, connected)
    assert (lot["quantity"], lot["is_stock_room"], lot["description"]) == (5, True, "As new")
    assert seen <= {"item.py:get_queryset"}  # what every query of items begins with


def test_who_has_one_does(store, connected):
    with calls_into_batches() as seen:
        list_items(stowed(connected, 1))

    assert "operations.py:record_operation" in seen
