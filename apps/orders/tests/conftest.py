"""The demo store over real HTTP, ann's stock with lots in it, and her buyers."""

from decimal import Decimal

import pytest
import requests

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


@pytest.fixture
def seller(store, owl, ann):  # noqa: F811
    """ann, connected to the first; both fixtures have the server's key by then."""
    connect_demo_store(owner=ann, now=now())
    return ann


@pytest.fixture
def first(store, seller):  # noqa: F811
    """Three lots of ten at the first marketplace, pulled."""
    return first_store(store, seller, 3001, 3002, 3003)


@pytest.fixture
def second(owl, seller, first):  # noqa: F811
    """A store at the second marketplace, connected and without lots."""
    connect_second(seller)
    return owl.sellers.register(f"user-{seller.pk}").stock


@pytest.fixture
def both(seller, first, second):
    """The three lots in both stores, tied."""
    put_up_there(seller, *map(draft, (3001, 3002, 3003)))
    pull_second(seller)
    look_at_second(seller)
    return seller


@pytest.fixture
def buy_there(owl, both):  # noqa: F811
    """`buy_there(number, pieces)` is an order at the second marketplace."""
    shop = owl.sellers.register(f"user-{both.pk}")

    def buy(number, pieces):
        (lot,) = (each for each in shop.stock.all() if each["number"] == str(number))
        return place_there(shop, {lot["inventory_id"]: pieces})

    return buy
