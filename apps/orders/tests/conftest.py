"""The demo store over real HTTP, ann's stock with lots in it, and her buyers."""

from decimal import Decimal
from functools import partial

import pytest
import requests

from apps.accounts.models import User
from apps.accounts.tests.factories import make_user
from apps.core.clock import now
from apps.inventory.tests.factories import make_stock
from apps.listings.tests.two_channels import (
    connect_second,
    draft,
    first_store,
    look_at_second,
    place_there,
    pull_second,
    put_up_there,
)
from apps.locations.tests.factories import make_location
from apps.marketplace.providers.lots import LotDraft
from apps.marketplace.services.connections import connect_demo_store, connection_of, open_store
from apps.marketplace.tests.conftest import (  # noqa: F401
    KeptStores,
    no_pauses,
    owl,
    owl_server,
    store,
    store_server,
)


class Shop:
    """ann's store: `put` lots into stock and store, let buyers `buy`, `pull` what they did."""

    def __init__(self, owner, url):
        self.owner = owner
        self.url = url
        self.name = f"user-{owner.pk}"

    def client(self):
        return open_store(connection_of(owner=self.owner), spend=lambda kind: None)

    def list(self, lot, quantity, *, bin="A-1"):
        """A lot of the catalogue in the store alone; return its id there."""
        with self.client() as client:
            draft = LotDraft(
                item_type=lot.item.item_type,
                number=lot.item.number,
                color_id=lot.color_id,
                condition="U",
                quantity=quantity,
                price=Decimal("0.25"),
                remarks=bin,
            )
            return client.create_lot(draft).lot_id

    def put(self, lot, quantity, *, bin="A-1", split=(), **fields):
        """A lot of the catalogue in stock and in the store; return its rows, the first first."""
        there = self.list(lot, quantity + sum(pieces for _, pieces in split), bin=bin)
        rows = []
        for name, pieces in ((bin, quantity), *split):
            rows.append(
                make_stock(
                    self.owner,
                    lot=lot,
                    quantity=pieces,
                    location=location_named(self.owner, name),
                    condition="U",
                    marketplace_lot_id=there,
                    price=Decimal("0.25"),
                    **fields,
                )
            )
        return rows

    def buy(self, *, expect=200, **told):
        """What buyers do; return the order's number."""
        with requests.Session() as session:
            session.trust_env = False
            address = self.url.replace("/api/store/v1", "/_control/orders")
            answer = session.post(address, json={"name": self.name, **told})
        assert answer.status_code == expect, answer.text
        return (answer.json().get("touched") or [None])[0] if expect == 200 else None

    def pull(self):
        from apps.orders.services.pulling import read_store_orders

        with self.client() as client:
            return read_store_orders(owner=self.owner, store=client, clock=now).count


def location_named(owner, name):
    from apps.locations.models import Location

    if not name:
        return None
    return Location.objects.owned_by(owner).filter(name=name).first() or make_location(owner, name)


@pytest.fixture
def shop(store, ann):  # noqa: F811
    connect_demo_store(owner=ann, now=now())
    return Shop(ann, store.url)


@pytest.fixture(scope="class")
def stores(rows_of_class, store_server, owl_server):  # noqa: F811
    """ann's two stores, which the tests of a class begin with.

    The first has three lots of ten, which were pulled; the second none.
    """
    kept = KeptStores(store_server, owl_server)
    with kept.change():
        kept.user = make_user("ann")
        connect_demo_store(owner=kept.user, now=now())
        first_store(store_server, kept.user, 3001, 3002, 3003)
        connect_second(kept.user)
    return kept


def tie(user):
    """Put the three lots into the second store, too, and let syncs send to it."""
    put_up_there(user, *map(draft, (3001, 3002, 3003)))
    pull_second(user)
    look_at_second(user)


def buy_at_second(server, user, number, pieces):
    """Place an order at the second marketplace."""
    shop = server.sellers.register(f"user-{user.pk}")
    (lot,) = (each for each in shop.stock.all() if each["number"] == str(number))
    return place_there(shop, {lot["inventory_id"]: pieces})


@pytest.fixture(scope="class")
def tied(stores):
    """All tests of the class begin with `both`: it is made once."""
    stores.begin()
    with stores.change():
        tie(stores.user)


@pytest.fixture
def seller(stores, store, owl):  # noqa: F811
    """ann, connected to both."""
    stores.begin()
    return User.objects.get(pk=stores.user.pk)


@pytest.fixture
def first(stores, store, seller):  # noqa: F811
    """Three lots of ten at the first marketplace, pulled."""
    return stores.stock(store)


@pytest.fixture
def second(stores, owl, seller):  # noqa: F811
    """A store at the second marketplace, connected and without lots."""
    return stores.stock(owl)


@pytest.fixture
def both(request, seller):
    """The three lots in both stores, tied."""
    if "tied" not in request.fixturenames:
        tie(seller)
    return seller


@pytest.fixture
def buy_there(owl, both):  # noqa: F811
    """`buy_there(number, pieces)` is an order at the second marketplace."""
    return partial(buy_at_second, owl, both)
