"""Orders arrive: they are read, matched and promised once, and later changes are reported."""

import datetime as dt
from dataclasses import replace
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.catalog.models import Color, Item
from apps.catalog.tests.factories import make_color, make_item, make_lot
from apps.core.clock import now
from apps.core.jobs.models import JobState
from apps.core.testing.jobs import run_jobs
from apps.exports.models import ExportKind
from apps.exports.services.exports import NOTHING_DIFFERS
from apps.exports.services.uploads import confirm_upload
from apps.exports.tests.factories import export_of
from apps.inventory.models import FREE, InventoryItem, InventorySync, Promise
from apps.inventory.services.bsx_sync import start_apply
from apps.inventory.services.errors import PromisedToBuyers
from apps.inventory.services.received import receive, receive_rows, received_of
from apps.inventory.services.stow import TakeLine, take_out
from apps.inventory.tests.factories import make_stock
from apps.listings.services.store_pull import start_pull
from apps.listings.services.store_sync import start_plan
from apps.marketplace.providers.orders import (
    OrderAddress,
    OrderMoney,
    OrderState,
    StoreOrder,
    StoreOrderLine,
)
from apps.marketplace.tests.factories import failing
from apps.orders.models import Order, OrderEvent, OrderLine
from apps.orders.services.arrival import receive_order
from apps.orders.services.pulling import start_pull as start_orders

pytestmark = pytest.mark.django_db


def lot(number="3001", color=5):
    item = Item.objects.filter(number=number).first() or make_item(number)
    shade = Color.objects.filter(pk=color).first() or make_color(color)
    return make_lot(item, shade)


def line(lot_, quantity=2, *, lot_id=None, **also):
    return StoreOrderLine(
        lot_id=lot_id,
        item_type=lot_.item.item_type,
        number=lot_.item.number,
        name=lot_.item.name,
        color_id=lot_.color_id,
        color_name="Red",
        condition="U",
        completeness="",
        quantity=quantity,
        price=Decimal("0.25"),
        **also,
    )


def told(*lines, order_id=7, state=OrderState.PAID, at=None, **also):
    when = at or now()
    return StoreOrder(
        order_id=order_id,
        state=state,
        status=state.upper(),
        ordered_at=when,
        changed_at=when,
        buyer="buyer_1",
        money=OrderMoney(currency="USD", total=Decimal(5)),
        lines=tuple(lines),
        **also,
    )


def free(owner):
    rows = InventoryItem.objects.owned_by(owner).annotate(n=FREE)
    return dict(rows.values_list("location__name", "n"))


def differences(owner):
    rows = OrderEvent.objects.filter(owner=owner, is_difference=True).order_by("pk")
    return list(rows.values_list("text", flat=True))


class TestFromTheStore:
    def test_are_read_matched_and_promised(self, ann, shop):
        (row,) = shop.put(lot(), 10)
        shop.buy(place={row.marketplace_lot_id: 3}, remarks="(it's 🧱 <b>)")

        assert shop.pull() == 1

        order = Order.objects.get(owner=ann)
        assert (order.state, order.remarks) == ("paid", "(it's 🧱 <b>)")
        assert free(ann) == {"A-1": 7}
        assert InventoryItem.objects.get(pk=row.pk).quantity == 10

    def test_are_read_again_only_when_they_changed(self, ann, shop):
        (row,) = shop.put(lot(), 10)
        shop.buy(place={row.marketplace_lot_id: 3})
        shop.pull()

        assert shop.pull() == 0
        assert Promise.objects.count() == 1

    def test_tell_lines_that_were_added_and_taken_off(self, ann, shop):
        (red,) = shop.put(lot(), 10)
        (blue,) = shop.put(lot(color=7), 10, bin="A-2")
        order_id = shop.buy(place={red.marketplace_lot_id: 3})
        shop.pull()
        shop.buy(order_id=order_id, add={blue.marketplace_lot_id: 4})
        shop.buy(order_id=order_id, take_off={red.marketplace_lot_id: 3})

        shop.pull()

        assert free(ann) == {"A-1": 10, "A-2": 6}
        assert [text.split()[0] for text in differences(ann)] == ["Added:", "Taken"]

    def test_take_over_a_price_that_the_seller_changed_at_the_store(self, ann, shop):
        (row,) = shop.put(make_lot(), 10)
        number = shop.buy(place={row.marketplace_lot_id: 3})
        shop.pull()

        shop.buy(order_id=number, reprice={row.marketplace_lot_id: "0.2"})

        assert shop.pull() == 1
        order = Order.objects.get()
        assert (order.lines.get().price, order.subtotal) == (Decimal("0.2"), Decimal("0.6"))
        assert "0.2 each instead of 0.25" in differences(ann)[0]
        assert shop.pull() == 0

    def test_come_before_a_sync_of_the_store_counts(self, ann, shop):
        (row,) = shop.put(lot(), 10)
        shop.buy(place={row.marketplace_lot_id: 3})

        sync = start_plan(owner=ann, batch=None, now=now())
        run_jobs()

        sync.refresh_from_db()
        assert {kind for kind, count in sync.counts.items() if count} == {"known", "same"}
        assert free(ann) == {"A-1": 7}

    def test_come_when_a_pull_of_the_store_is_applied_and_never_before(self, ann, shop):
        (row,) = shop.put(lot(), 10)
        shop.buy(place={row.marketplace_lot_id: 3})

        sync = start_pull(owner=ann, by=ann, now=now())
        run_jobs()

        assert not Order.objects.exists()
        start_apply(sync=InventorySync.objects.get(pk=sync.pk), confirm_zeroed=None, by=ann)
        run_jobs()
        assert free(ann) == {"A-1": 7}

    def test_that_are_cancelled_free_their_pieces(self, ann, shop):
        (row,) = shop.put(lot(), 10)
        order_id = shop.buy(place={row.marketplace_lot_id: 10})
        shop.pull()
        assert free(ann) == {"A-1": 0}
        shop.buy(order_id=order_id, cancel=True)

        shop.pull()

        assert free(ann) == {"A-1": 10}
        assert differences(ann) == ["Now: Cancelled"]
        assert not Promise.objects.exists()

    def test_hold_their_pieces_through_a_problem_until_they_are_shipped(self, ann, shop):
        (row,) = shop.put(lot(), 10)
        order_id = shop.buy(place={row.marketplace_lot_id: 5})
        shop.pull()
        seen = []

        for status in ("NPB", "SHIPPED"):
            shop.buy(order_id=order_id, fields={"status": status})
            shop.pull()
            row.refresh_from_db()
            seen.append((row.quantity, row.promised))

        assert seen == [(10, 5), (5, 0)]
        assert differences(ann)[-1] == "5 pieces were shipped without being picked here"

    def test_leave_out_what_is_over_already(self, ann, shop):
        (row,) = shop.put(lot(), 10)
        shop.buy(place={row.marketplace_lot_id: 1}, status="COMPLETED")
        shop.buy(place={row.marketplace_lot_id: 1}, status="SHIPPED")

        assert shop.pull() == 1
        assert free(ann) == {"A-1": 10}

    def test_come_though_one_of_them_cannot_be_read(self, ann, shop):
        (row,) = shop.put(lot(), 10)
        lots = {row.marketplace_lot_id: 1}
        bad = shop.buy(place=lots)
        shop.buy(order_id=bad, fields={"date_ordered": "yesterday"})
        listed_wrong = shop.buy(place=lots)
        shop.buy(order_id=listed_wrong, fields={"date_status_changed": None})
        good = shop.buy(place=lots)

        job = start_orders(owner=ann, now=now())
        run_jobs()

        job.refresh_from_db()
        assert list(Order.objects.values_list("marketplace_order_id", flat=True)) == [good]
        assert (job.state, job.attempts) == (JobState.SUCCEEDED, 1)
        assert job.result == {"order_count": 1}
        assert job.failed == [
            {
                "id": bad,
                "name": f"Order {bad}",
                "reason": "date_ordered is “yesterday”: expected a date and time.",
            },
            {
                "id": listed_wrong,
                "name": f"Order {listed_wrong}",
                "reason": "date_status_changed is missing: expected a date and time.",
            },
        ]

    def test_come_though_the_store_has_an_error_at_one_of_them(self, ann, shop, store, no_pauses):
        (row,) = shop.put(lot(), 10)
        first, second = (shop.buy(place={row.marketplace_lot_id: 1}) for _ in range(2))
        failing(store, "before", times=3, path=f"/orders/{first}")

        job = start_orders(owner=ann, now=now())
        run_jobs()

        job.refresh_from_db()
        assert list(Order.objects.values_list("marketplace_order_id", flat=True)) == [second]
        assert job.state == JobState.QUEUED
        assert job.message.startswith(f"Order {first}: ")

    def test_of_somebody_else_are_not_there(self, ann, bo, shop):
        (row,) = shop.put(lot(), 10)
        shop.buy(place={row.marketplace_lot_id: 1})
        shop.pull()

        assert not Order.objects.owned_by(bo).exists()


class TestReceiving:
    def test_takes_the_lot_that_was_bought_then_others_of_its_kind(self, ann, shop):
        red = lot()
        (listed,) = shop.put(red, 3, bin="B-1")
        shop.put(red, 9, bin="A-1")
        order = told(line(red, 5, lot_id=listed.marketplace_lot_id))

        receive_order(owner=ann, told=order, now=now())

        assert free(ann) == {"B-1": 0, "A-1": 7}

    def test_takes_from_several_bins_of_a_lot(self, ann, shop):
        (row, *_) = shop.put(lot(), 4, bin="A-1", split=[("A-2", 6), ("A-3", 2)])

        receive_order(
            owner=ann, told=told(line(row.lot, 11, lot_id=row.marketplace_lot_id)), now=now()
        )

        assert free(ann) == {"A-2": 0, "A-1": 0, "A-3": 1}

    def test_tells_what_nothing_in_stock_serves(self, ann, shop):
        (row,) = shop.put(lot(), 2)
        never = lot("9999", 11)

        arrived = receive_order(
            owner=ann,
            told=told(line(row.lot, 5), line(never, 1, lot_id=12345)),
            now=now(),
        )

        assert sorted(arrived.lacking.values()) == [1, 3]
        lacks = OrderEvent.objects.filter(kind="lacking").values_list("text", flat=True)
        assert [text.split(":")[0] for text in lacks] == ["Not in stock"] * 2

    def test_the_same_again_changes_nothing(self, ann, shop):
        (row,) = shop.put(lot(), 5)
        order = told(line(row.lot, 2, lot_id=row.marketplace_lot_id))

        receive_order(owner=ann, told=order, now=now())
        again = receive_order(owner=ann, told=order, now=now())

        assert (again.is_new, again.differences) == (False, [])
        assert free(ann) == {"A-1": 3}
        assert OrderEvent.objects.count() == 1

    def test_promises_nothing_that_the_stock_counts_no_more(self, ann, shop):
        (row,) = shop.put(lot(), 5)
        lots = {row.marketplace_lot_id: RECEIVED}
        receive(owner=ann, lots=lots, now=now())
        before = now() - dt.timedelta(hours=1)

        receive_order(
            owner=ann,
            told=told(line(row.lot, 2, lot_id=row.marketplace_lot_id), at=before),
            now=now(),
        )

        assert free(ann) == {"A-1": 5}
        assert Promise.objects.get().is_out

    def test_lowers_what_the_store_is_known_to_have(self, ann, shop):
        (row,) = shop.put(lot(), 5)
        early = now() - dt.timedelta(hours=1)
        receive(owner=ann, lots={row.marketplace_lot_id: RECEIVED}, now=early)

        receive_order(
            owner=ann, told=told(line(row.lot, 2, lot_id=row.marketplace_lot_id)), now=now()
        )

        there = received_of(owner=ann, lot_ids=[row.marketplace_lot_id])
        assert there[row.marketplace_lot_id]["quantity"] == 3

    def test_gives_up_nothing_of_a_cancelled_order_older_than_the_last_reading(self, ann, shop):
        (row,) = shop.put(lot(), 5)
        receive(owner=ann, lots={row.marketplace_lot_id: RECEIVED}, now=now())
        cancelled = told(
            line(row.lot, 2, lot_id=row.marketplace_lot_id),
            state=OrderState.CANCELLED,
            at=now() - dt.timedelta(hours=1),
        )

        receive_order(owner=ann, told=cancelled, now=now())

        (there,) = received_of(owner=ann, lot_ids=[row.marketplace_lot_id]).values()
        assert (there["quantity"], there["given_up"]) == (5, 0)

    @pytest.mark.parametrize("text", ["ул. Ленина 🧱", "שדרות", "x" * 400, "<b>&amp;</b>", ""])
    def test_keeps_addresses_and_remarks_as_they_are(self, ann, text):
        address = OrderAddress(name=text, lines=text, country="LV")

        receive_order(owner=ann, told=told(address=address, remarks=text), now=now())

        order = Order.objects.get()
        assert (order.address, order.address_name, order.remarks) == (text, text, text)

    def test_keeps_an_order_in_another_currency(self, ann, shop):
        (row,) = shop.put(lot(), 5)
        order = replace(told(line(row.lot)), money=OrderMoney(currency="EUR", total=Decimal(9)))

        receive_order(owner=ann, told=order, now=now())

        assert Order.objects.get().currency == "EUR"

    def test_takes_no_more_than_20_statements(self, ann, shop):
        lots = [lot(f"30{n}") for n in range(40)]
        rows = [shop.put(each, 5, bin=f"A-{n}")[0] for n, each in enumerate(lots)]
        order = told(*(line(row.lot, 2, lot_id=row.marketplace_lot_id) for row in rows))

        with CaptureQueriesContext(
            connection,
        ) as seen:
            receive_order(owner=ann, told=order, now=now())

        statements = [one["sql"] for one in seen if "SAVEPOINT" not in one["sql"]]
        assert len(statements) <= 20, "\n".join(sql[:90] for sql in statements)
        assert Promise.objects.count() == 40

    def test_takes_2000_lines(self, ann):
        red = lot()
        receive_order(
            owner=ann, told=told(*(line(red, 1, lot_id=n) for n in range(1, 2001))), now=now()
        )

        assert OrderLine.objects.count() == 2000


class TestPromisedPieces:
    def test_are_not_for_anything_else(self, ann, shop):
        (row,) = shop.put(lot(), 5)
        receive_order(owner=ann, told=told(line(row.lot, 4)), now=now())

        with pytest.raises(PromisedToBuyers) as refused:
            take_out(
                owner=ann,
                lines=[TakeLine(item_id=row.pk, quantity=2)],
                by=ann,
                now=now(),
                all_or_nothing=True,
            )

        assert "1 are free" in refused.value.text

    def test_follow_when_they_are_carried_into_another_row(self, ann, shop):
        from apps.inventory.services.moves import MoveLine, move_items

        red = lot()
        (one,) = shop.put(red, 5, bin="A-1")
        (other,) = shop.put(red, 1, bin="A-2")
        receive_order(owner=ann, told=told(line(red, 4, lot_id=one.marketplace_lot_id)), now=now())

        move_items(
            owner=ann,
            lines=[MoveLine(item_id=one.pk, to_location_id=other.location_id, quantity=4)],
            by=ann,
            now=now(),
        )

        assert sum(Promise.objects.values_list("quantity", flat=True)) == 4
        for row in InventoryItem.objects.owned_by(ann):
            assert row.promised <= row.quantity

    def test_stay_promised_as_far_as_a_count_finds_them(self, ann, shop):
        from apps.inventory.services.edits import StockEdit, edit_rows

        (row,) = shop.put(lot(), 5)
        receive_order(owner=ann, told=told(line(row.lot, 4)), now=now())

        edit_rows(owner=ann, edits={0: StockEdit(item_id=row.pk, quantity=1)}, by=ann, now=now())

        assert Promise.objects.get().quantity == 1
        assert InventoryItem.objects.get(pk=row.pk).promised == 1


RECEIVED = {
    "quantity": 5,
    "price": Decimal("0.25"),
    "cost": Decimal(0),
    "condition": "U",
    "sub_condition": "",
    "bulk": 1,
    "sale": 0,
    "comments": "",
    "remarks": "",
    "retain": False,
    "stockroom": "",
    **{f"t{kind}{n}": Decimal(0) if kind == "p" else 0 for kind in "qp" for n in (1, 2, 3)},
}


class TestBesideAMassUpdate:
    @pytest.mark.parametrize("fields", [(), ("price",)], ids=["what differs", "the price alone"])
    def test_stays_sold_when_the_file_is_confirmed_after_it(self, ann, fields):
        row = make_stock(ann, lot(), 10, marketplace_lot_id=71, price=Decimal("0.10"))
        receive_rows(
            owner=ann,
            rows=InventoryItem.objects.owned_by(ann),
            shared=set(),
            now=now() - dt.timedelta(hours=1),
            sync_id=None,
        )
        edited = InventoryItem.objects.filter(pk=row.pk)
        edited.update(quantity=13 if not fields else 10, price=Decimal("0.30"))
        options = {"update_fields": list(fields)} if fields else {}
        written = export_of(ann, kind=ExportKind.MASS_UPDATE, **options)
        receive_order(owner=ann, told=told(line(row.lot, 2, lot_id=71)), now=now())

        confirm_upload(export=written, by=ann, now=now())

        again = export_of(ann, kind=ExportKind.MASS_UPDATE)
        assert again.job.message == NOTHING_DIFFERS
        (base,) = received_of(owner=ann, lot_ids=[71]).values()
        assert (base["quantity"], str(base["price"])) == (8 if fields else 11, "0.3000")
