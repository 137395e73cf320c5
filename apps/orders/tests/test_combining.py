"""Two orders of one buyer: one tray, one parcel, one packing slip, and undone."""

from decimal import Decimal

import pytest

from apps.core.clock import now
from apps.orders.models import Order, OrderState, WalkOrder
from apps.orders.selectors.walks import stops_of
from apps.orders.services.picking import pick_stop
from apps.orders.tests.factories import make_order, make_walk, stock_in
from apps.orders.tests.test_papers import read

pytestmark = pytest.mark.django_db

JOAN = {"buyer": "Joan Field", "address": "1 Elm Street", "country": "US"}


@pytest.fixture
def two(ann):
    row = stock_in(ann, "A-1", 9, price=Decimal("0.25"))
    return make_order(ann, (row, 2), **JOAN), make_order(ann, (row, 3), **JOAN)


def url(order, act):
    return f"/api/orders/{order.pk}/{act}"


def combine(client, order, *others, status=200):
    body = {"order_ids": [one.pk for one in others]}
    answer = client.post(url(order, "combine"), body, format="json")
    assert answer.status_code == status, answer.json()
    return answer.json()


def pick_all(owner, *orders):
    walk = make_walk(owner, *orders)
    for stop in stops_of(walk=walk):
        picked = {tray["line_id"]: tray["quantity"] for tray in stop["trays"]}
        pick_stop(walk=walk, item_id=stop["item_id"], picked=picked, by=owner, now=now())
    return walk


def beside(client, order):
    rows = client.get(url(order, "parcel")).json()["data"]
    return [(row["number"], row["pieces"], row["is_together"]) for row in rows]


def state(order):
    return Order.objects.get(pk=order.pk).state


class TestTheOffer:
    def test_names_the_other_orders_of_the_buyer_to_the_same_address(self, ann, bo, api, two):
        one, other = two
        make_order(ann, **{**JOAN, "address": "2 Oak Road"})
        make_order(ann, buyer="Eva", address="1 Elm Street", country="US")
        make_order(bo, **JOAN)
        Order.objects.filter(pk=make_order(ann, **JOAN).pk).update(state=OrderState.SHIPPED)

        assert beside(api(ann), one) == [(other.number, 3, False)]

    def test_is_none_for_orders_without_a_buyer(self, ann, api):
        one, _ = make_order(ann), make_order(ann)

        assert beside(api(ann), one) == []

    def test_of_another_person_is_not_found(self, bo, api, two):
        one, other = two

        assert api(bo).get(url(one, "parcel")).status_code == 404
        combine(api(bo), make_order(bo, **JOAN), other, status=404)


class TestCombinedOrders:
    def test_share_a_tray_whichever_is_picked(self, ann, api, two):
        one, other = two
        combine(api(ann), one, other)

        walk = make_walk(ann, other)

        trays = dict(WalkOrder.objects.filter(walk=walk).values_list("order", "tray"))
        assert trays == {one.pk: "A", other.pk: "A"}
        (stop,) = stops_of(walk=walk)
        assert (stop["quantity"], {tray["tray"] for tray in stop["trays"]}) == (5, {"A"})

    def test_leave_the_next_tray_to_the_next_parcel(self, ann, api, two):
        one, other = two
        third = make_order(ann)
        combine(api(ann), one, other)

        walk = make_walk(ann, one, third)

        trays = dict(WalkOrder.objects.filter(walk=walk).values_list("order", "tray"))
        assert trays == {one.pk: "A", other.pk: "A", third.pk: "B"}

    def test_are_packed_and_shipped_together_and_unpacked(self, ann, api, two):
        one, other = two
        client = api(ann)
        combine(client, one, other)
        pick_all(ann, one)

        client.post(url(other, "pack"), {"weighed_grams": "20"}, format="json")
        assert {state(one), state(other)} == {OrderState.PACKED}
        client.post(url(one, "unpack"))
        assert {state(one), state(other)} == {OrderState.PICKED}
        client.post(url(one, "ship"), {"tracking_number": "RR1"}, format="json")

        for order in two:
            order.refresh_from_db()
            assert (order.state, order.tracking_number) == (OrderState.SHIPPED, "RR1")

    def test_are_not_packed_while_one_is_not_picked(self, ann, api, two):
        one, other = two
        pick_all(ann, one)
        combine(api(ann), one, other)

        answer = api(ann).post(url(one, "pack"), {}, format="json")

        assert answer.status_code == 409
        assert other.number in answer.json()["message"]
        assert state(one) == OrderState.PICKED

    def test_have_one_packing_slip_and_one_label(self, ann, api, two):
        one, other = two
        combine(api(ann), one, other)
        papers = {"order_ids": [one.pk, other.pk]}

        (slip,) = read(
            api(ann).post("/api/orders/papers", {"kind": "packing_slip", **papers}, format="json")
        )
        labels = read(
            api(ann).post("/api/orders/papers", {"kind": "address_label", **papers}, format="json")
        )

        for part in (f"{one.number}, {other.number}", "Pieces: 5", "1.25"):
            assert part in slip
        assert len(labels) == 1

    def test_go_without_a_cancelled_one(self, ann, api, two):
        one, other = two
        client = api(ann)
        combine(client, one, other)
        client.post(url(one, "cancel"), {}, format="json")
        pick_all(ann, other)

        client.post(url(other, "pack"), {}, format="json")

        assert (state(one), state(other)) == (OrderState.CANCELLED, OrderState.PACKED)

    def test_are_separated_again(self, ann, api, two):
        one, other = two
        client = api(ann)
        assert combine(client, one, other)["data"] == [{"count": 1}]
        assert combine(client, one, other)["data"] == [{"count": 0}]
        assert beside(client, other) == [(one.number, 2, True)]

        client.post(url(other, "separate"))

        assert beside(client, other) == [(one.number, 2, False)]
        walk = make_walk(ann, one, other)
        assert set(WalkOrder.objects.filter(walk=walk).values_list("tray", flat=True)) == {"A", "B"}


class TestARefusal:
    def test_of_another_buyers_order_changes_nothing(self, ann, api, two):
        one, other = two
        evas = make_order(ann, buyer="Eva")

        told = combine(api(ann), one, other, evas, status=409)

        assert evas.number in told["message"]
        assert not Order.objects.filter(parcel__isnull=False).exists()

    def test_of_an_order_that_is_being_picked(self, ann, api, two):
        one, other = two
        make_walk(ann, other)

        assert "being picked" in combine(api(ann), one, other, status=409)["message"]

    def test_of_a_packed_parcel_to_be_separated(self, ann, api, two):
        one, other = two
        combine(api(ann), one, other)
        pick_all(ann, one)
        api(ann).post(url(one, "pack"), {}, format="json")

        assert api(ann).post(url(one, "separate")).status_code == 409
