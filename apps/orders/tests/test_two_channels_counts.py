"""What two stores sell of one stock: never more than what both sold between two syncs.

Orders at either, cancels, pieces that come here and syncs come in any order, also while one store
does not answer. At rest both stores have what is free here: what there was less what was sold.
"""

from collections import Counter
from itertools import count

import pytest
from django.db import connection
from hypothesis import HealthCheck, Phase, given, note, settings
from hypothesis import strategies as st

from apps.core.clock import now
from apps.core.jobs.models import Job, JobState
from apps.core.testing.jobs import run_jobs
from apps.inventory.models import InventoryItem, Promise
from apps.inventory.services.ledger_check import check_ledger
from apps.inventory.tests.factories import adjust_quantity
from apps.listings.services.store_sync import start_cycle
from apps.listings.tests.two_channels import (
    connect_second,
    draft,
    first_store,
    look_at_second,
    pieces_here,
    pieces_there,
    place_there,
    pull_second,
    put_up_there,
)
from apps.marketplace.services.connections import connect_demo_store
from apps.marketplace.tests.factories import failing
from apps.orders.models import OrderLine
from simulators.brickowl import orders as owl_orders

pytestmark = pytest.mark.django_db

NUMBERS = ("3001", "3002")
#: So many that one lot that sold out does not make it look like another store.
OTHERS = tuple(str(3003 + place) for place in range(10))
names = count()


class World:
    """A seller with ten of each lot in both stores."""

    def __init__(self, store, owl, user):
        connect_demo_store(owner=user, now=now())
        self.user, self.owl = user, owl
        self.stock = first_store(store, user, *NUMBERS, *OTHERS)
        self.orders = store.sellers.register(f"user-{user.pk}").orders
        connect_second(user)
        put_up_there(user, *map(draft, (*NUMBERS, *OTHERS)))
        pull_second(user)
        look_at_second(user)
        self.second = owl.sellers.register(f"user-{user.pk}")
        self.had = Counter(dict.fromkeys(NUMBERS, 10))
        self.sold = Counter()
        self.placed = []

    def lot(self, shop, number):
        for lot in shop.all():
            if (lot["number"] if "number" in lot else lot["item"]["no"]) == number:
                return lot
        return None

    def buy_first(self, number, pieces):
        lot = self.lot(self.stock, number)
        taken = min(pieces, lot["quantity"]) if lot else 0
        if taken:
            order = self.orders.place(self.stock, {lot["inventory_id"]: taken}, now=now())
            self._placed(order["order_id"], "first", number, taken)

    def buy_second(self, number, pieces):
        lot = self.lot(self.second.stock, number)
        taken = min(pieces, lot["quantity"]) if lot else 0
        if taken:
            order = place_there(self.second, {lot["inventory_id"]: taken})
            self._placed(order["order_id"], "second", number, taken)

    def _placed(self, order_id, where, number, taken):
        self.sold[number] += taken
        self.placed.append((order_id, where, number, taken))

    def cancel(self, which):
        if which >= len(self.placed):
            return
        order_id, where, number, taken = self.placed.pop(which)
        if where == "first":
            self.orders.cancel(self.stock, order_id, now())
        else:
            owl_orders.cancel(self.second, order_id, now())
        self.sold[number] -= taken

    def more(self, number, pieces):
        row = InventoryItem.objects.owned_by(self.user).get(lot__item__number=number)
        adjust_quantity(owner=self.user, item_id=row.pk, delta=pieces, by=self.user, now=now())
        self.had[number] += pieces

    def sync(self):
        start_cycle(owner=self.user, now=now())
        run_jobs()
        while Job.objects.filter(owner=self.user, state=JobState.QUEUED).update(not_before=None):
            run_jobs()

    def sync_without_second(self):
        """Sync while the second store does not answer; the first is raised by nothing."""
        before = pieces_there(self.stock)
        failing(self.owl, "before", times=100)
        self.sync()
        self.owl.failures.clear()
        after = pieces_there(self.stock)
        assert all(after.get(number, 0) <= before.get(number, 0) for number in before)

    def check(self):
        for _ in range(3):
            self.sync()
        left = {number: max(self.had[number] - self.sold[number], 0) for number in NUMBERS}
        over = {number: max(self.sold[number] - self.had[number], 0) for number in NUMBERS}
        here = pieces_here(self.user)
        first, second = pieces_there(self.stock), pieces_there(self.second.stock)
        assert {number: here[number] for number in NUMBERS} == left
        assert {number: first.get(number, 0) for number in NUMBERS} == left
        assert {number: second.get(number, 0) for number in NUMBERS} == left
        lacking = Counter()
        for line in OrderLine.objects.filter(owner=self.user).exclude(order__state="cancelled"):
            held = Promise.objects.filter(line_id=line.pk).values_list("quantity", flat=True)
            lacking[line.item_number] += line.quantity - sum(held)
        assert {number: lacking[number] for number in NUMBERS} == over
        assert InventoryItem.objects.owned_by(self.user).count() == len((*NUMBERS, *OTHERS))
        assert check_ledger(owner=self.user).is_sound


@pytest.fixture
def world_of(store, owl, make_user, no_pauses, monkeypatch):
    monkeypatch.setattr("apps.marketplace.providers.brickowl.PAUSES", (0, 0), raising=False)

    def made():
        return World(store, owl, make_user(f"seller{next(names)}"))

    return made


pieces = st.integers(1, 7)
number = st.sampled_from(NUMBERS)
acts = st.one_of(
    st.tuples(st.just("buy_first"), number, pieces),
    st.tuples(st.just("buy_second"), number, pieces),
    st.tuples(st.just("more"), number, pieces),
    st.tuples(st.just("cancel"), st.integers(0, 2)),
    st.tuples(st.just("sync")),
    st.tuples(st.just("sync_without_second")),
)


def test_the_last_pieces_are_sold_once_where_a_sync_lies_between(world_of):
    world = world_of()
    world.buy_second("3001", 10)
    world.sync()
    world.buy_first("3001", 5)

    assert pieces_there(world.stock).get("3001", 0) == 0
    world.check()


def test_what_both_sold_between_two_syncs_is_told_as_lacking(world_of):
    world = world_of()
    world.buy_second("3001", 7)
    world.buy_first("3001", 6)

    world.check()


def test_nothing_is_raised_on_what_a_silent_store_may_have_sold(world_of):
    world = world_of()
    world.buy_second("3001", 7)
    world.more("3001", 5)
    world.sync_without_second()

    world.check()


@pytest.mark.long("syncs two stores over HTTP after each of many acts")
@settings(
    max_examples=5 if connection.vendor == "postgresql" else 3,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # to shrink one takes minutes
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    deadline=None,
)
@given(done=st.lists(acts, min_size=3, max_size=9))
def test_both_stores_have_what_is_free_here(world_of, done):
    world = world_of()
    note(f"acts={done}")

    for name, *args in done:
        getattr(world, name)(*args)

    world.check()
