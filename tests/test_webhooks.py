"""What webhooks are told: each event, from the act that a person does to its delivery."""

import pytest

from apps.batches.services.selection import Chosen
from apps.batches.services.stowing import mark_listed
from apps.batches.tests.factories import make_batch, make_item, stow_all
from apps.core.clock import now
from apps.core.jobs.dispatch import cancel_job, start_job
from apps.core.jobs.models import JobState
from apps.core.jobs.run import JobRun
from apps.core.testing.jobs import run_jobs
from apps.inventory.services.stock_figures import tell_changes
from apps.inventory.tests.factories import make_stock
from apps.listings.services.store_cycle import sync_stopped
from apps.listings.tests.factories import make_sync
from apps.locations.tests.factories import make_location
from apps.orders.services.by_hand import HandLine, sell_by_hand
from apps.orders.services.handling import cancel_order
from apps.webhooks.models import Delivery
from apps.webhooks.rules import EVENTS
from apps.webhooks.services.webhooks import make_webhook
from benchmarks.hooks import deliver_all

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def listening(ann):
    make_webhook(owner=ann, address="https://example.org/hook", events=EVENTS)


def told(event):
    return list(Delivery.objects.filter(event=event).order_by("pk").values_list("about", flat=True))


def test_an_order_is_told_as_received_and_as_changed(ann):
    row = make_stock(ann, quantity=5)

    order = sell_by_hand(owner=ann, lines=[HandLine(item_id=row.pk, quantity=2)], now=now())
    assert (told("order.received"), told("order.changed")) == ([f"order {order.pk}"], [])
    cancel_order(order=order, tell_marketplace=False, by=ann, now=now())

    assert told("order.changed") == [f"order {order.pk}"]


def test_the_stock_is_told_once_for_all_changes_since(ann):
    make_stock(ann)
    make_stock(ann)

    tell_changes()
    tell_changes()
    assert told("stock.changed") == ["stock"]
    make_stock(ann)
    tell_changes()

    assert told("stock.changed") == ["stock", "stock"]


def test_a_batch_is_told_once_it_is_listed_and_not_when_it_is_no_longer(ann):
    batch = make_batch(ann)
    make_item(batch)
    stow_all(batch, make_location(ann, name="A-1"))

    for listed in (True, False):
        mark_listed(batch=batch, chosen=Chosen(), listed=listed, by=ann, now=now())

    assert told("batch.listed") == [f"batch {batch.pk}"]


def test_a_job_is_told_however_it_ends(ann):
    ended, stopped = (start_job(owner=ann, kind="of.this_test", payload={}) for _ in range(2))
    cancel_job(job=stopped)
    run_jobs()

    assert told("job.finished") == [f"job {stopped.pk}", f"job {ended.pk}"]


def test_a_sync_is_told_that_failed(ann):
    sync = make_sync(ann)
    job = start_job(owner=ann, kind="of.this_test", payload={})
    job.state = JobState.FAILED

    sync_stopped(run=JobRun(job, job.pk), sync_id=sync.pk, reason="The store is away.", clock=now)

    assert told("sync.failed") == [f"sync {sync.pk}"]


def test_nobody_else_is_told(ann, bo):
    make_stock(bo)
    tell_changes()

    assert not Delivery.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_every_event_reaches_receivers_that_fail_in_each_way(settings):
    """The benchmark with few events: nothing is lost, nothing out of order, nobody waits."""
    settings.WEBHOOKS_TO_PRIVATE = True

    seen = deliver_all(events=30, workers=1)

    wrong = ("lost", "out_of_order", "wrong_signatures", "two_calls_at_once", "followed")
    assert {name: seen[name] for name in wrong} == dict.fromkeys(wrong, 0)
    assert seen["calls_of_the_dead_one_at_first"] == 1
