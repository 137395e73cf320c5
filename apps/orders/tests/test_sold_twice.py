"""The last piece, bought at two marketplaces between two syncs: who is later gives it up."""

import datetime as dt

import pytest

from apps.core.clock import now
from apps.core.waiting import Asked
from apps.inventory.services.ledger_check import check_ledger
from apps.listings.tests.two_channels import pieces_here, pieces_there, sync
from apps.marketplace.selectors import orders_close_together
from apps.orders.models import Order
from apps.orders.rules.sold_twice import message_to_buyer
from apps.orders.selectors.sold_twice import sold_twice
from apps.orders.services.errors import OrderIsOver
from apps.orders.services.sold_twice import leave_out_pieces
from apps.orders.services.waiting import open_orders
from apps.orders.tests.conftest import buy_at_second

pytestmark = pytest.mark.django_db


def orders_of(user):
    """The later order, which is at the first marketplace, and the earlier one."""
    found = Order.objects.owned_by(user).order_by("-ordered_at")
    later, earlier = found
    return later, earlier


def waiting(user):
    """The lines of Home about orders, by id."""
    asked = Asked(owner=user, currency="USD", now=now())
    return {line.id: line for line in open_orders(asked)}


@pytest.mark.usefixtures("tied")
class TestEnough:
    def test_home_asks_nothing_more_while_nothing_is_sold_twice(
        self, both, buy_there, django_assert_num_queries
    ):
        buy_there(3001, 7)
        sync(both)

        with django_assert_num_queries(2):  # all facts, and the orders by their step
            lines = waiting(both)

        assert "orders-sold-twice" not in lines

    def test_nothing_is_sold_twice_while_there_are_enough_pieces(self, both, buy_there):
        buy_there(3001, 7)
        sync(both)

        assert sold_twice(owner=both) == []


@pytest.fixture(scope="class")
def sold(stores, tied, store_server, owl_server):
    """Seven of ten bought at the second marketplace, then six at the first; four are lacking."""
    stores.begin()
    with stores.change():
        user = stores.user
        buy_at_second(owl_server, user, 3001, 7)
        first = stores.stock(store_server)
        (lot,) = (lot for lot in first.all() if lot["item"]["no"] == "3001")
        later = now() + dt.timedelta(seconds=30)
        orders = store_server.sellers.register(f"user-{user.pk}").orders
        orders.place(first, {lot["inventory_id"]: 6}, now=later)
        sync(user)


@pytest.fixture
def twice(sold, seller, store, owl):
    return seller


class TestSoldTwice:
    def test_the_later_order_goes_without_though_it_was_read_first(self, twice):
        later, earlier = orders_of(twice)

        (found,) = sold_twice(owner=twice)

        assert (found.order, found.earlier, found.pieces) == (later, earlier, 3)
        assert sold_twice(owner=twice, order=earlier) == [found]

    def test_both_orders_say_so_in_lists(self, api, twice):
        later, earlier = orders_of(twice)

        rows = api(twice).get("/api/orders", {"is_open": True}).json()["data"]

        assert {row["id"]: row["sold_twice"] for row in rows} == {
            later.pk: "later",
            earlier.pk: "earlier",
        }

    def test_home_leads_to_the_later_order_until_it_is_settled(self, twice):
        later, _earlier = orders_of(twice)
        line = waiting(twice)["orders-sold-twice"]

        assert (line.title, line.note, line.to) == (
            "Leave out 3 pieces sold twice",
            f"In order {later.number}, the later one",
            f"/app/orders?order={later.pk}",
        )
        assert (line.count, line.money, line.is_pressing) == (1, later.lines.get().price * 3, True)

        leave_out_pieces(order=later, line_id=later.lines.get().pk, pieces=3, now=now())
        assert "orders-sold-twice" not in waiting(twice)

    def test_left_out_the_earlier_buyer_gets_all_and_the_later_ones_money_is_noted(
        self, twice, first, second
    ):
        later, _earlier = orders_of(twice)
        (found,) = sold_twice(owner=twice)

        leave_out_pieces(order=later, line_id=found.line.pk, pieces=3, now=now())

        later.refresh_from_db()
        line = later.lines.get()
        assert (line.short, line.to_pick, later.refunded) == (3, 3, line.price * 3)
        assert sold_twice(owner=twice) == []
        sync(twice)
        assert pieces_here(twice)["3001"] == 0
        assert "3001" not in pieces_there(first) | pieces_there(second)
        assert check_ledger(owner=twice).is_sound

    def test_leaving_out_is_undone_and_not_done_for_more_than_is_left(self, api, twice):
        later, _earlier = orders_of(twice)
        line_id = later.lines.get().pk
        client, body = api(twice), {"line_id": line_id, "pieces": 3}
        left_out = client.post(f"/api/orders/{later.pk}/leaveOutPieces", body, format="json")

        undone = client.post(f"/api/orders/{later.pk}/undoLeaveOutPieces", body, format="json")

        assert (left_out.status_code, undone.status_code) == (200, 200)
        later.refresh_from_db()
        assert (later.refunded, later.lines.get().short) == (0, 0)
        (row,) = client.get(f"/api/orders/{later.pk}/soldTwice").json()["data"]
        assert (row["pieces"], row["later"]["id"]) == (3, later.pk)
        with pytest.raises(OrderIsOver):
            leave_out_pieces(order=later, line_id=line_id, pieces=7, now=now())
        again = client.post(f"/api/orders/{later.pk}/undoLeaveOutPieces", body, format="json")
        assert again.status_code == 409

    def test_a_stranger_finds_neither(self, api, bo, twice):
        later, _earlier = orders_of(twice)
        body = {"line_id": later.lines.get().pk, "pieces": 1}

        assert api(bo).get(f"/api/orders/{later.pk}/soldTwice").status_code == 404
        assert (
            api(bo).post(f"/api/orders/{later.pk}/leaveOutPieces", body, format="json").status_code
            == 404
        )

    def test_orders_that_came_within_a_sync_of_each_other_are_counted(self, twice):
        assert orders_close_together(owner=twice) == (1, 2, 60)


@pytest.mark.parametrize(
    ("language", "word"),
    [
        ("en", "refund"),
        ("de", "erstatten"),
        ("fr", "remboursons"),
        ("nl", "betalen"),
        ("xx", "refund"),
    ],
)
def test_the_text_is_in_the_language_of_the_buyer_else_english(language, word):
    text = message_to_buyer(
        language, buyer="Bo", number="12", pieces=3, item="3001 Red", amount="€0.30"
    )

    assert word in text
    assert all(part in text for part in ("Bo", "12", "3 × 3001 Red", "€0.30"))
