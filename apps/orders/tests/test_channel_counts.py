"""What orders do to the store's pieces is never taken for stock: none appear and none are lost.

Orders, edits, cancels on either side, returns and syncs come in any order. At the end the pieces
are what was bought less what was shipped, here and in the store.
"""

from collections import Counter
from contextlib import suppress
from itertools import count

import pytest
from django.db import connection
from hypothesis import HealthCheck, Phase, given, note, settings
from hypothesis import strategies as st

from apps.accounts.models import User
from apps.accounts.tests.factories import make_user
from apps.core.clock import now
from apps.core.errors import DomainError
from apps.core.jobs.models import Job, JobState
from apps.core.testing.jobs import run_jobs
from apps.inventory.models import InventoryItem, Promise
from apps.inventory.services.ledger_check import check_ledger
from apps.inventory.tests.factories import make_stock
from apps.listings.rules.cycle import REMOVALS
from apps.listings.services.listing import start_stock_listing
from apps.listings.services.store_sync import start_apply, start_cycle, start_plan
from apps.listings.tests.listing import part
from apps.listings.tests.test_store_pull import pulled, store_lot
from apps.marketplace.services.connections import connect_demo_store, connection_of, open_store
from apps.marketplace.tests.conftest import KeptStores
from apps.orders.models import SENT_STATES, Order
from apps.orders.selectors.walks import stops_of
from apps.orders.services.handling import cancel_order, ship_order, take_back
from apps.orders.services.picking import pick_stop, start_walk
from apps.orders.services.pulling import read_store_orders
from simulators.store.failures import Mode, Plan
from simulators.store.wire import Refusal

pytestmark = pytest.mark.django_db

BOUGHT = {"3001": 20, "3002": 3}
NUMBERS = tuple(BOUGHT)
#: So many that one lot that sold out does not make it look like another store.
OTHERS = tuple(str(3003 + place) for place in range(10))
names = count()


def open_shop(market, user):
    """Connect a seller to a store with all lots, and pull it."""
    connect_demo_store(owner=user, now=now())
    for number in (*NUMBERS, *OTHERS):
        part(number)
    lots = [store_lot(number, quantity=pieces) for number, pieces in BOUGHT.items()]
    lots += [store_lot(number) for number in OTHERS]
    market.sellers.register(f"user-{user.pk}").stock.add(lots)
    pulled(user)


class World:
    """A seller with two lots, a store and its buyers; what is physically gone of each lot."""

    def __init__(self, market, user, *, restocks):
        self.market, self.user = market, user
        seller = market.sellers.register(f"user-{user.pk}")
        self.stock, self.orders = seller.stock, seller.orders
        self.stock.restocks = restocks
        self.number_of = {lot["inventory_id"]: lot["item"]["no"] for lot in self.stock.all()}
        self.ids: list[int] = []
        self.bought, self.gone = Counter(BOUGHT), Counter()
        self.shipped: set[int] = set()

    # -- at the marketplace

    def buy(self, *wanted):
        """Place an order for `(number, pieces)`; return its number, None where none is left."""
        lots = {}
        for number, pieces in wanted:
            for lot in self.stock.all():
                if lot["item"]["no"] == number and lot["quantity"]:
                    lots[lot["inventory_id"]] = min(pieces, lot["quantity"])
                    self.number_of.setdefault(lot["inventory_id"], number)
        if not lots:
            return None
        self.ids.append(self.orders.place(self.stock, lots, now=now())["order_id"])
        return self.ids[-1]

    def add(self, order_id, number, pieces):
        for lot in self.stock.all():
            if lot["item"]["no"] == number and lot["quantity"]:
                wanted = {lot["inventory_id"]: min(pieces, lot["quantity"])}
                with suppress(Refusal):
                    self.orders.add(self.stock, order_id, wanted, now())
                return

    def take_off(self, order_id, number, pieces):
        is_known = Order.objects.filter(owner=self.user, marketplace_order_id=order_id).exists()
        if self.is_over(order_id) or not (self.stock.restocks or is_known):
            return  # what an unread order had held and gave to nobody cannot be known
        if not is_known or self.lines_there(order_id) == self.lines_here(order_id):
            lots = [lot for lot, its in self.number_of.items() if its == number]
            self.orders.take_off(self.stock, order_id, {lots[0]: pieces}, now())

    def cancel_there(self, order_id):
        here = Order.objects.filter(owner=self.user, marketplace_order_id=order_id).first()
        if order_id in self.shipped and (here is None or here.state not in SENT_STATES):
            return  # that its pieces left before the cancel cannot be known
        self.orders.cancel(self.stock, order_id, now())

    def ship_there(self, order_id):
        """Ship an order without the app; never one whose pieces were oversold."""
        here = Order.objects.filter(owner=self.user, marketplace_order_id=order_id).first()
        if self.is_over(order_id) or (here is not None and here.state == "cancelled"):
            return
        wanted = self.lines_there(order_id)
        physical = self.bought - self.gone
        if here is None and any(physical[number] < n for number, n in wanted.items()):
            return
        if here is not None:
            if self.lines_here(order_id) != wanted:
                return
            ids = list(here.lines.values_list("pk", flat=True))
            held = sum(Promise.objects.filter(line_id__in=ids).values_list("quantity", flat=True))
            if held != sum(line.to_pick for line in here.lines.all()):
                return
        self.orders.change(order_id, now(), {"status": "SHIPPED"})
        self.gone += wanted
        self.shipped.add(order_id)

    def status(self, order_id, status):
        if not self.is_over(order_id):
            self.orders.change(order_id, now(), {"status": status})

    def is_over(self, order_id):
        status = self.orders.get(order_id)["status"]
        return status in ("CANCELLED", "SHIPPED") or order_id in self.shipped

    def lines_there(self, order_id):
        found = Counter()
        for batch in self.orders.get(order_id)["batches"]:
            for line in batch:
                found[self.number_of[line["inventory_id"]]] += line["quantity"]
        return +found

    # -- here

    def lines_here(self, order_id):
        found = Counter()
        for line in self.order(order_id).lines.all():
            found[line.item_number] += line.quantity
        return +found

    def order(self, order_id):
        return Order.objects.get(owner=self.user, marketplace_order_id=order_id)

    def read(self):
        with open_store(connection_of(owner=self.user), spend=lambda kind: None) as client:
            read_store_orders(owner=self.user, store=client, clock=now)

    def sync(self):
        with suppress(DomainError):
            start_cycle(owner=self.user, now=now())
        self.run()

    def compare(self):
        """Sync by a plan that a person looks at, and does as it is."""
        with suppress(DomainError):
            sync = start_plan(owner=self.user, batch=None, now=now())
            self.run()
            rows = sync.rows.filter(kind__in=REMOVALS)
            start_apply(sync=sync, confirm_removals=rows.count())
        self.run()

    def run(self):
        """Run the jobs, those too that wait for the store."""
        run_jobs()
        while Job.objects.filter(owner=self.user, state=JobState.QUEUED).update(not_before=None):
            run_jobs()

    def sync_while(self, act, *args, before_answer):
        """Sync while something happens there as the store is being read."""
        kept = self.stock.all

        def answer():
            self.stock.all = kept
            lots = None if before_answer else kept()
            try:
                act(*args)
            finally:
                connection.close()  # of the thread of the simulator
            return kept() if lots is None else lots

        self.stock.all = answer
        self.sync()
        self.stock.all = kept

    def pick(self, order_id):
        order = self.order(order_id)
        walk = start_walk(owner=self.user, order_ids=[order.pk], now=now())
        for stop in stops_of(walk=walk):
            picked = {tray["line_id"]: tray["quantity"] for tray in stop["trays"]}
            pick_stop(walk=walk, item_id=stop["item_id"], picked=picked, by=self.user, now=now())

    def put_extras_back(self, order):
        extras = {
            line.pk: line.picked - line.returned - line.quantity for line in order.lines.all()
        }
        extras = {pk: pieces for pk, pieces in extras.items() if pieces > 0}
        if extras:
            take_back(order=order, pieces=extras, location_id=None, by=self.user, now=now())

    def ship(self, order_id):
        order = self.order(order_id)
        if order_id in self.shipped:
            return
        self.put_extras_back(order)
        ship_order(order=order, tracking_number="", now=now())
        for line in order.lines.all():
            self.gone[line.item_number] += line.picked - line.returned
        self.shipped.add(order_id)

    def cancel(self, order_id, *, tell=True, put_back=True, unsent=False):
        if order_id in self.shipped:
            return
        if unsent:
            plan = Plan(Mode.CUT_BEFORE, times=1, method="PUT", path=f"/orders/{order_id}")
            self.market.failures.add(plan)
        order = self.order(order_id)
        cancel_order(order=order, tell_marketplace=tell, by=self.user, now=now(), put_back=put_back)
        run_jobs()

    def give_back(self, order_id, pieces):
        if order_id not in self.shipped:
            return
        order = self.order(order_id)
        line = order.lines.order_by("pk").first()
        took = min(pieces, line.picked - line.returned)
        take_back(order=order, pieces={line.pk: took}, location_id=None, by=self.user, now=now())
        self.gone[line.item_number] -= took

    def list_more(self, number, pieces):
        """Put pieces of a part on sale that nobody had: a new lot, or more in the store's."""
        row = make_stock(self.user, part(number), pieces, condition="U", remarks="A-01")
        self.bought[number] += pieces
        start_stock_listing(owner=self.user, row_ids=[row.pk], stockroom=None, now=now())
        self.run()

    def end(self, *, syncs):
        """Bring everything to rest: nothing on trays that is not in an open order."""
        self.run()
        self.sync()
        for order in Order.objects.filter(owner=self.user):
            if order.marketplace_order_id in self.shipped:
                continue
            if order.state == "cancelled":
                cancel_order(order=order, tell_marketplace=False, by=self.user, now=now())
            self.put_extras_back(order)
        for _ in range(syncs):
            self.sync()
        loose = InventoryItem.objects.owned_by(self.user).filter(marketplace_lot_id=None)
        if ids := list(loose.filter(quantity__gt=0).values_list("pk", flat=True)):
            with suppress(DomainError):
                start_stock_listing(owner=self.user, row_ids=ids, stockroom=None, now=now())
            self.run()
            self.sync()

    def check(self, *, syncs=1):
        self.end(syncs=syncs)
        rows = InventoryItem.objects.owned_by(self.user)
        here, free = Counter(), Counter()
        for number, quantity, promised in rows.values_list(
            "lot__item__number", "quantity", "promised"
        ):
            here[number] += quantity
            free[number] += quantity - promised
        beside = Promise.objects.filter(owner=self.user, is_out=True)
        for number, quantity in beside.values_list("item__lot__item__number", "quantity"):
            here[number] += quantity
        for order in Order.objects.filter(owner=self.user).prefetch_related("lines"):
            if order.marketplace_order_id not in self.shipped:
                for line in order.lines.all():
                    here[line.item_number] += line.picked - line.returned
        there = Counter()
        for lot in self.stock.all():
            there[lot["item"]["no"]] += lot["quantity"]
        left = {number: self.bought[number] - self.gone[number] for number in NUMBERS}
        assert {number: here[number] for number in NUMBERS} == left
        assert {number: there[number] for number in NUMBERS} == {
            number: free[number] for number in NUMBERS
        }
        assert check_ledger(owner=self.user).is_sound


@pytest.fixture
def world_of(store, make_user, no_pauses):
    """`world_of(restocks=…)` is a new seller's."""

    def made(*, restocks):
        user = make_user(f"seller{next(names)}")
        open_shop(store, user)
        return World(store, user, restocks=restocks)

    return made


@pytest.fixture(params=[True, False], ids=["restocked", "not restocked"])
def restocks(request):
    """Whether the marketplace offers again what orders give up."""
    return request.param


@pytest.fixture(scope="class")
def stores(rows_of_class, store_server):
    """ann's store, which the tests of a class begin with."""
    kept = KeptStores(store_server)
    with kept.change():
        kept.user = make_user("ann")
        open_shop(store_server, kept.user)
    return kept


@pytest.fixture
def world(stores, store, restocks, no_pauses):
    stores.begin()
    return World(store, User.objects.get(pk=stores.user.pk), restocks=restocks)


class TestAnOrder:
    def test_cancelled_here_makes_no_pieces(self, world):
        order = world.buy(("3001", 5))
        world.sync()
        world.cancel(order)

        world.check()

    def test_cancelled_by_its_buyer_makes_no_pieces(self, world):
        order = world.buy(("3001", 5), ("3002", 1))
        world.sync()
        world.cancel_there(order)

        world.check()

    def test_cancelled_here_is_not_offered_before_the_marketplace_knows_it(self, world):
        order = world.buy(("3001", 5))
        world.sync()
        world.cancel(order, unsent=True)
        with suppress(DomainError):
            start_cycle(owner=world.user, now=now())
        run_jobs()  # the cancel still waits for its second try

        there = {lot["item"]["no"]: lot["quantity"] for lot in world.stock.all()}
        assert there["3001"] == 15
        world.check()

    def test_cancelled_or_returned_is_raised_there_by_a_sync_that_is_planned_first(self, world):
        first, second = world.buy(("3001", 5)), world.buy(("3001", 4), ("3002", 3))
        world.sync()
        world.pick(first)
        world.ship(first)
        world.cancel_there(second)
        world.give_back(first, 2)
        world.compare()

        world.check()

    def test_that_took_a_whole_lot_gives_it_back(self, world):
        order = world.buy(("3002", 3))
        world.sync()
        world.cancel_there(order)

        world.check()

    def test_shipped_at_the_marketplace_takes_its_pieces_along(self, world):
        order = world.buy(("3001", 5))
        world.sync()
        world.ship_there(order)

        world.check()

    def test_lost_on_its_way_and_cancelled_gives_nothing_back(self, world):
        order = world.buy(("3001", 5), ("3002", 3))
        world.sync()
        world.pick(order)
        world.ship(order)
        world.sync()
        world.cancel_there(order)

        world.check()

    def test_that_came_and_went_between_two_syncs_leaves_no_trace(self, world):
        world.cancel_there(world.buy(("3001", 5)))

        world.check()

    def test_that_came_and_went_before_another_lot_was_listed_leaves_no_trace(self, world):
        world.cancel_there(world.buy(("3001", 5)))
        world.list_more("3002", 2)
        world.list_more("3999", 4)

        world.check()

    def test_that_came_before_more_of_its_lot_was_listed_is_promised(self, world):
        order = world.buy(("3001", 3))
        world.list_more("3001", 5)
        world.sync()

        rows = InventoryItem.objects.filter(lot__item__number="3001")
        assert sum(rows.values_list("promised", flat=True)) == 3
        world.ship_there(order)
        world.check()

    def test_that_its_buyer_made_smaller_gives_up_the_rest(self, world):
        order = world.buy(("3001", 5))
        world.sync()
        world.take_off(order, "3001", 2)

        world.check()

    @pytest.mark.parametrize("before_answer", [True, False])
    def test_cancelled_while_the_store_is_read_makes_no_pieces(self, world, before_answer):
        order = world.buy(("3001", 5))
        world.sync()
        world.sync_while(world.cancel_there, order, before_answer=before_answer)

        world.check()


pieces = st.integers(1, 6)
number = st.sampled_from(NUMBERS)
which = st.integers(0, 2)  # of the orders
there = st.one_of(
    st.tuples(st.just("buy"), st.tuples(number, pieces)),
    st.tuples(
        st.just("buy"), st.tuples(st.just("3001"), pieces), st.tuples(st.just("3002"), pieces)
    ),
    st.tuples(st.just("add"), which, number, pieces),
    st.tuples(st.just("take_off"), which, number, pieces),
    st.tuples(st.just("cancel_there"), which),
    st.tuples(st.just("ship_there"), which),
    st.tuples(st.just("status"), which, st.sampled_from(["NPB", "PAID", "PACKED"])),
)
here = st.one_of(
    st.tuples(st.just("pick"), which),
    st.tuples(st.just("ship"), which),
    st.tuples(st.just("cancel"), which),
    st.tuples(st.just("cancel_quietly"), which),
    st.tuples(st.just("give_back"), which, pieces),
    st.tuples(st.just("read")),
    st.tuples(st.just("sync")),
    st.tuples(st.just("compare")),
    st.tuples(st.just("sync_while"), there, st.booleans()),
)


def act(world, name, *args):
    """Do one act of an example; one of an order that is not there does nothing."""
    if name == "sync_while":
        inner, before_answer = args
        world.sync_while(act, world, *inner, before_answer=before_answer)
        return
    if name not in ("buy", "read", "sync", "compare"):
        if args[0] >= len(world.ids):
            return
        args = (world.ids[args[0]], *args[1:])
    do, also = getattr(world, name.removesuffix("_quietly")), {}
    if name == "cancel_quietly":
        also = {"tell": False, "put_back": False}
    with suppress(DomainError, Order.DoesNotExist):
        do(*args, **also)


@pytest.mark.long("orders, edits, cancels, returns and syncs over HTTP in drawn orders")
@settings(
    # More of them before a release, by `make test-postgres`.
    max_examples=6 if connection.vendor == "postgresql" else 3,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # to shrink one takes minutes
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(acts=st.lists(st.one_of(there, here), min_size=3, max_size=12))
def test_pieces_are_what_was_bought_less_what_was_shipped(world_of, restocks, acts):
    world = world_of(restocks=restocks)
    note(f"restocks={restocks}, acts={acts}")

    for one in acts:
        act(world, *one)

    world.check(syncs=2)
