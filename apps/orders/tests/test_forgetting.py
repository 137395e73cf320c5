"""Buyers' data: erased after the time that the seller sets or on request; sums stay."""

import datetime as dt
from dataclasses import replace

import pytest

from apps.core.api.rendering import to_json
from apps.core.clock import now
from apps.core.idempotency.models import StoredAnswer
from apps.orders.models import ForgottenBuyer, Order, OrderOrigin, OrderState
from apps.orders.services.arrival import receive_order
from apps.orders.services.forgetting import erase_again, forget_old_buyers, months_before
from apps.orders.tests.factories import make_order
from apps.orders.tests.test_arrival import line, lot, told

pytestmark = pytest.mark.django_db


def make_old(owner, days, **also):
    order = make_order(owner, buyer="Bo Brick", address="5 Lane", country="DE")
    values = {"state": OrderState.SHIPPED, "buyer_email": "bo@example.com", **also}
    Order.objects.filter(pk=order.pk).update(ordered_at=now() - dt.timedelta(days=days), **values)
    order.refresh_from_db()
    return order


def kept(order):
    order.refresh_from_db()
    return order.buyer, order.address_name, order.address, order.buyer_email


class TestAfterItsTime:
    def test_a_buyer_is_erased_and_the_sums_stay(self, ann, bo):
        old, young = make_old(ann, 740), make_old(ann, 700)
        total = old.total

        assert forget_old_buyers(now=now()) == 1

        assert kept(old) == ("", "", "", "")
        assert (old.total, old.country) == (total, "DE")
        assert kept(young)[0] == "Bo Brick"
        assert forget_old_buyers(now=now()) == 0

    def test_is_what_the_seller_sets(self, ann, bo):
        mine, other = make_old(ann, 40), make_old(bo, 40)
        ann.buyer_data_months = 1
        ann.save(update_fields=["buyer_data_months"])

        forget_old_buyers(now=now())

        assert (kept(mine)[0], kept(other)[0]) == ("", "Bo Brick")

    def test_open_orders_keep_theirs(self, ann):
        paid = make_old(ann, 740, state=OrderState.PAID)
        problem = make_old(ann, 740, state=OrderState.PROBLEM)
        filed = make_old(ann, 740, state=OrderState.PROBLEM, is_filed=True)

        forget_old_buyers(now=now())

        assert [kept(order)[2] for order in (paid, problem, filed)] == ["5 Lane", "5 Lane", ""]

    def test_an_order_that_is_read_again_stays_erased(self, ann):
        there = lot("3001")
        sent = told(line(there, 2), state=OrderState.SHIPPED)
        order = receive_order(owner=ann, told=sent, now=now()).order
        forget_old_buyers(now=now() + dt.timedelta(days=800))

        receive_order(owner=ann, told=told(line(there, 3), state=OrderState.SHIPPED), now=now())

        order.refresh_from_db()
        assert (order.buyer, order.lines.get().quantity) == ("", 3)


def test_forgetting_a_buyer_erases_all_of_their_orders_and_nobody_elses(ann, bo, api):
    one, other = make_old(ann, 3), make_old(bo, 2)
    two = make_old(ann, 2, buyer="B. Brick", buyer_email="Bo@Example.com")
    third = make_order(ann, buyer="Cy")

    answer = api(ann).post(f"/api/orders/{one.pk}/forgetBuyer")

    assert answer.json()["data"] == [{"count": 2}]
    assert [kept(order)[0] for order in (one, two, other, third)] == ["", "", "Bo Brick", "Cy"]


@pytest.mark.parametrize(("channel", "count"), [(OrderOrigin.STORE, 2), (OrderOrigin.HAND, 1)])
def test_a_name_is_one_buyer_at_a_marketplace_alone(ann, api, channel, count):
    one, two = (make_old(ann, 3, buyer_email="", channel=channel) for _ in range(2))
    by_hand = make_old(ann, 3, buyer_email="", channel=OrderOrigin.HAND)

    answer = api(ann).post(f"/api/orders/{one.pk}/forgetBuyer")

    assert answer.json()["data"] == [{"count": count}]
    assert kept(two)[0] == ("" if count == 2 else "Bo Brick")
    assert kept(by_hand)[0] == "Bo Brick"


def test_a_buyer_of_an_open_order_is_not_forgotten(ann, api):
    sent, paid = make_old(ann, 3), make_old(ann, 2, state=OrderState.PAID)

    answer = api(ann).post(f"/api/orders/{sent.pk}/forgetBuyer")

    assert answer.status_code == 409
    assert answer.json()["error"]["message"] == (
        f"The buyer's data is still needed for open orders: {paid.number}."
    )
    assert kept(sent)[0] == "Bo Brick"


def test_a_write_is_not_repeated_after_its_buyer_was_forgotten(ann, api):
    order, key = make_old(ann, 3), {"Idempotency-Key": "k"}
    noted = {"note": "Bo Brick calls"}
    path = f"/api/orders/{order.pk}"
    assert api(ann).patch(path, noted, headers=key).status_code == 200
    api(ann).post(f"{path}/forgetBuyer")

    answer = api(ann).patch(path, noted, headers=key)

    order.refresh_from_db()
    assert (answer.status_code, answer.json()["data"], order.note) == (200, [], "")


class TestAForgottenBuyer:
    """Nothing brings their data back."""

    def forget(self, ann, api, **also):
        order = make_old(ann, 3, **also)
        assert api(ann).post(f"/api/orders/{order.pk}/forgetBuyer").status_code == 200
        return order

    def test_stays_erased_when_an_order_that_was_deleted_is_read_again(self, ann, api):
        there = lot("3001")
        sent = told(line(there, 2), state=OrderState.SHIPPED, buyer_email="bo@example.com")
        order = receive_order(owner=ann, told=sent, now=now()).order
        api(ann).post(f"/api/orders/{order.pk}/forgetBuyer")
        order.delete()

        again = receive_order(owner=ann, told=sent, now=now()).order

        again.refresh_from_db()
        assert (again.buyer, again.buyer_email, again.total) == ("", "", order.total)

    def test_is_erased_in_an_older_order_that_comes_later(self, ann, api):
        self.forget(ann, api, channel=OrderOrigin.STORE, buyer="buyer_1")
        old = told(line(lot("3001"), 2), state=OrderState.SHIPPED, at=now() - dt.timedelta(days=9))

        order = receive_order(owner=ann, told=old, now=now()).order

        order.refresh_from_db()
        assert order.buyer == ""

    def test_who_buys_again_is_kept_until_then(self, ann, api):
        self.forget(ann, api, channel=OrderOrigin.STORE, buyer="buyer_1")

        order = receive_order(
            owner=ann, told=told(line(lot("3001"), 2), state=OrderState.SHIPPED), now=now()
        ).order

        order.refresh_from_db()
        assert order.buyer == "buyer_1"

    def test_is_another_sellers_buyer_still(self, ann, bo, api):
        self.forget(ann, api)
        other = make_old(bo, 3)

        erase_again(orders=Order.objects.owned_by(bo), now=now())

        assert kept(other)[0] == "Bo Brick"

    @pytest.mark.parametrize("buyer", ["x", "buyer_1"])
    def test_is_another_sellers_buyer_whose_order_number_was_guessed(self, ann, bo, api, buyer):
        there = lot("3001")
        receive_order(owner=ann, told=told(line(there, 2)), now=now())
        guessed = replace(told(state=OrderState.SHIPPED, at=now()), buyer=buyer)
        taken = receive_order(owner=bo, told=guessed, now=now(), channel=OrderOrigin.FILE).order

        assert api(bo).post(f"/api/orders/{taken.pk}/forgetBuyer").status_code == 200
        sent = told(line(there, 2), state=OrderState.SHIPPED)
        sent = replace(sent, ordered_at=sent.ordered_at - dt.timedelta(days=1))
        order = receive_order(owner=ann, told=sent, now=now()).order

        order.refresh_from_db()
        assert (order.state, order.buyer) == (OrderState.SHIPPED, "buyer_1")

    def test_is_erased_daily_in_orders_that_came_back_open(self, ann, api):
        order = self.forget(ann, api)
        open_again = {"state": OrderState.PAID, "buyer": "Bo Brick", "buyer_erased_at": None}
        orders = Order.objects.filter(pk=order.pk)
        orders.update(**open_again)

        assert forget_old_buyers(now=now()) == 0
        orders.update(state=OrderState.SHIPPED)

        assert forget_old_buyers(now=now()) == 1
        assert kept(order)[0] == ""

    def test_leaves_nothing_that_can_be_read(self, ann, api):
        StoredAnswer.objects.create(
            owner=ann, key="k", fingerprint="f", body=to_json({"to": "Bo Brick"})
        )
        StoredAnswer.objects.create(owner=ann, key="l", fingerprint="f", body=to_json({"to": "Cy"}))
        self.forget(ann, api)

        kept_answers = StoredAnswer.objects.order_by("key").values_list("key", "body")
        assert [(key, bytes(body)) for key, body in kept_answers] == [
            ("k", b""),
            ("l", b'{"to":"Cy"}'),
        ]
        marks = "".join(ForgottenBuyer.objects.values_list("mark", flat=True))
        assert set(marks) <= set("0123456789abcdef")


def test_months_end_with_their_last_day():
    end = dt.datetime(2026, 3, 31, tzinfo=dt.UTC)

    assert months_before(end, 1) == dt.datetime(2026, 2, 28, tzinfo=dt.UTC)
    assert months_before(end, 24) == dt.datetime(2024, 3, 31, tzinfo=dt.UTC)
