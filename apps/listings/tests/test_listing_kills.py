"""Listing resumes after a kill at any step: no lot is listed twice or lost.

A kill is an exception that our code does not catch. It is raised at each step in turn: before
and after each commit of the job, before and after each call, where something was written or
called since the step before. Then the lease expires and the job is delivered again.
"""

import datetime as dt
from contextlib import contextmanager
from functools import partial

import pytest
from django.db import connection, transaction
from django.db.models import Sum

from apps.batches.models import BatchItem
from apps.batches.tests.factories import make_batch, make_item, make_location, stow_all
from apps.core.clock import now
from apps.core.jobs.models import Job, JobState
from apps.core.jobs.run import JobRun
from apps.core.jobs.runner import run_job
from apps.core.testing.jobs import run_jobs
from apps.inventory.models import InventoryItem
from apps.listings.models import Listing
from apps.listings.services.listing import LIST_KIND
from apps.listings.tests.listing import let_a_minute_pass, lots_of, part, start, stowed
from apps.marketplace.providers.bricklink import BrickLinkStore

pytestmark = pytest.mark.django_db


STEPS = 14  # of the longest job here


def steps(end):
    """The steps from 1 at which to kill: all before a release, by `make test-postgres`.

    Here every third: a job does the same at each chunk and call, before and after, so that each
    sort of step is among these.
    """
    return range(1, end, 1 if connection.vendor == "postgresql" else 3)


class Killed(BaseException):
    """SIGKILL, as far as one process can play it."""


class Killer:
    """Counts steps and kills the process at step `at`. None never kills it."""

    def __init__(self):
        self.at = None
        self.step = 0
        self.has_changed = True

    def watch(self, execute, sql, *arguments):
        self.has_changed |= sql.startswith(("INSERT", "UPDATE", "DELETE"))
        return execute(sql, *arguments)

    def tick(self):
        if self.at is not None and self.has_changed:
            self.has_changed = False
            self.step += 1
            if self.step == self.at:
                raise Killed

    def kills(self, run, at):
        """Run jobs and kill them at a step; the lease is over then. Return if there was such a step."""
        self.at, self.step, self.has_changed = at, 0, True
        try:
            run()
        except Killed:
            running = Job.objects.filter(state=JobState.RUNNING)
            running.update(lease_until=now() - dt.timedelta(seconds=1))
            return True
        finally:
            self.at = None
        return False


@pytest.fixture
def journal(store, tmp_path):
    """The file in which the store keeps all that changes; it begins before anybody connects."""
    path = tmp_path / "store.jsonl"
    store.begin(journal=path)
    return path


@pytest.fixture
def killer(monkeypatch):
    killer = Killer()
    chunk, once = JobRun.chunk, BrickLinkStore._once

    class Around:
        def __init__(self, manager):
            self.manager = manager

        def __enter__(self):
            killer.tick()
            return self.manager.__enter__()

        def __exit__(self, *problem):
            handled = self.manager.__exit__(*problem)
            if problem[0] is None:
                killer.tick()
            return handled

    def call(self, *arguments):
        killer.tick()
        answer = once(self, *arguments)
        killer.has_changed = True
        killer.tick()
        return answer

    monkeypatch.setattr(JobRun, "chunk", lambda self, **also: Around(chunk(self, **also)))
    monkeypatch.setattr(BrickLinkStore, "_once", call)
    with connection.execute_wrapper(killer.watch):
        yield killer


def new_and_old(owner):
    """Six new lots (one call), and one that tops up what is listed already."""
    first = stowed(owner, 1, first=2001, quantity=4)
    start(first)
    run_jobs()
    batch = make_batch(owner, "Killed")
    place = make_location(owner, "A-02")
    for number in range(3001, 3007):
        make_item(batch, quantity=number - 3000, lot=part(number), location=place)
    make_item(batch, quantity=5, lot=part(2001), location=first.items.get().location)
    stow_all(batch)
    return batch


def few(owner):
    """Three new lots: a call each."""
    stored = stowed(owner, 1, first=2001)
    start(stored)
    run_jobs()
    return stowed(owner, 3, first=3001, place="A-02")


@contextmanager
def undone(store, journal):
    """Bring the database and the store back, at the end, to where they are now."""
    before = journal.read_bytes()
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    journal.write_bytes(before)
    store.begin(journal=journal)


def go_on(batch):
    """Deliver the job again, look a second time, and list missing lots again."""
    for job in Job.objects.filter(state=JobState.RUNNING):
        run_job(job.pk)
    let_a_minute_pass()
    run_jobs()
    if batch.items.filter(is_listed=False).exists():
        assert not batch.items.filter(is_listed=False, is_listed_pending=True).exists()
        start(batch)
        run_jobs()


def agree(store, owner):
    """The store and our stock, by lot: the same."""
    there = {lot["inventory_id"]: lot["quantity"] for lot in lots_of(store, owner)}
    rows = InventoryItem.objects.owned_by(owner).values("marketplace_lot_id")
    here = dict(rows.annotate(all=Sum("quantity")).values_list("marketplace_lot_id", "all"))
    assert here == there


@pytest.mark.parametrize("make", [new_and_old, few])
def test_listing_killed_at_a_step_ends_as_if_it_had_not_been(
    store, journal, connected, killer, make, subtests
):
    batch = make(connected)
    job = start(batch)

    for at in steps(STEPS + 2):
        with subtests.test(step=at), undone(store, journal):
            if not killer.kills(partial(run_job, job.pk), at):
                assert at > 11, "there are fewer steps than there were"
                break
            assert at <= STEPS, "there are more steps than are tried"
            go_on(batch)

            agree(store, connected)
            assert not BatchItem.objects.filter(is_listed=False).exists()
            assert not BatchItem.objects.filter(is_listed_pending=True).exists()
            assert not Listing.objects.filter(state__in=["planned", "sending", "unknown"]).exists()


def test_listing_delivered_twice_lists_once(store, connected):
    batch = new_and_old(connected)
    job = start(batch)

    run_jobs()
    Job.objects.filter(pk=job.pk).update(state=JobState.QUEUED, token=None, finished_at=None)
    run_jobs()

    agree(store, connected)
    assert Job.objects.filter(kind=LIST_KIND, state=JobState.SUCCEEDED).count() == 2
