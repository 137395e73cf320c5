import csv
import datetime as dt
import io
from decimal import Decimal
from pathlib import Path

import pytest

from apps.batches.models import BatchItem
from apps.batches.tests.factories import make_batch, make_item, stow_all
from apps.catalog.tests.factories import make_item as make_catalogue_item
from apps.catalog.tests.factories import make_lot
from apps.core.clock import now
from apps.core.testing.queries import assert_query_budget
from apps.exchange.lot_ids import IDS_OF_ONE
from apps.home.selectors.reports import ReportsRow
from apps.inventory.models import InventoryItem, Movement
from apps.inventory.services.consolidate import Options, consolidate_items
from apps.inventory.services.items import edit_item
from apps.inventory.services.moves import MoveLine, move_items
from apps.inventory.tests.bsx_files import bsx, lot, sync_file
from apps.inventory.tests.factories import make_stock
from apps.locations.tests.factories import make_location
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.walks import stops_of
from apps.orders.services.handling import cancel_order, ship_order, take_back
from apps.orders.services.picking import pick_stop
from apps.orders.tests.factories import make_order, make_walk, sell
from apps.recognition.models import StationSitting
from apps.sources.models import Source

pytestmark = pytest.mark.django_db
URL = "/api/reports"
LEDGER = Path(__file__).parent / "query_counts.json"


def reports_of(client):
    response = client.get(URL)
    assert response.status_code == 200, response.json()
    (row,) = response.json()["data"]
    return row


def file_of(client, name):
    response = client.get(f"{URL}/{name}/file")
    assert response.status_code == 200
    assert response["Content-Type"].startswith("text/csv")
    return list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"))))


def sold(item, pieces, reason="sale", days=1, reverses=None):
    return Movement.objects.create(
        item=item,
        delta=-pieces if reverses is None else pieces,
        reason=reason,
        created_at=now() - dt.timedelta(days=days),
        reverses=reverses,
    )


class TestReports:
    def test_have_the_fields_of_their_schema(self, ann, api):
        assert set(reports_of(api(ann))) == set(ReportsRow.__annotations__)

    def test_tell_what_each_batch_brought(self, ann, api):
        market = Source.objects.create(owner=ann, name="Market")
        batch = make_batch(
            ann, cost_total=Decimal(10), gross_weight_grams=Decimal(2500), source=market
        )
        make_item(batch, quantity=40, price="0.5000")

        row = reports_of(api(ann))

        (line,) = row["batches"]
        assert (line["source_name"], line["pieces"], line["value"]) == ("Market", 40, "20.0000")
        assert (line["gives_back"], line["cost_per_kg"], line["cost_per_piece"]) == (
            "2.0000",
            "4.0000",
            "0.2500",
        )
        assert row["sources"][0]["gives_back"] == "2.0000"

    def test_of_a_batch_of_unknown_cost_tell_no_return(self, ann, api):
        make_item(make_batch(ann))

        (line,) = reports_of(api(ann))["batches"]

        assert (line["cost"], line["gives_back"], line["cost_per_kg"]) == (None, None, None)

    def test_tell_the_pace_of_sittings(self, ann, api):
        began = now() - dt.timedelta(hours=2)
        StationSitting.objects.create(
            owner=ann,
            key="a",
            started_at=began,
            acted_at=began + dt.timedelta(minutes=30),
            adds=20,
            pieces=90,
        )

        (line,) = reports_of(api(ann))["pace"]

        assert (line["minutes"], line["adds"], line["per_minute"]) == (30, 20, "3.0")

    def test_sort_the_stock_by_age_and_value(self, ann, api):
        old = now() - dt.timedelta(days=400)
        make_stock(ann, quantity=1, price=Decimal(80), date_added=old)
        make_stock(ann, quantity=10, price=Decimal("1.5"), date_added=now())
        make_stock(ann, quantity=5, price=Decimal(1), date_added=now())

        stock = reports_of(api(ann))["stock"]

        assert len(stock) == 15
        assert [
            (one["class"], one["age"], one["lots"], one["pieces"], one["value"])
            for one in stock
            if one["lots"]
        ] == [
            ("A", "a year and longer", 1, 1, "80.0000"),
            ("B", "under 30 days", 1, 10, "15.0000"),
            ("C", "under 30 days", 1, 5, "5.0000"),
        ]

    def test_tell_what_share_was_sold(self, ann, api):
        item = make_stock(ann, quantity=60)
        sold(item, 30)
        sold(item, 10, reason="import", days=100)
        sold(item, 7, reason="move")
        sold(item, 9, days=400)
        sold(item, 3, reason="sale", reverses=sold(item, 3))

        (line,) = reports_of(api(ann))["sell_through"]

        assert (line["sold_30"], line["sold_90"], line["sold_365"]) == (30, 30, 30)
        assert (line["stock_pieces"], line["sell_through"]) == (60, "0.3333")

    def test_tell_no_pieces_as_sold_that_a_file_of_the_store_only_moved(self, ann, api):
        sync_file(ann, bsx(lot(qty=10, LotID=71)))

        sync_file(ann, bsx(lot(qty=5, LotID=71), lot(qty=4, LotID=99)))

        (line,) = reports_of(api(ann))["sell_through"]
        assert (line["sold_30"], line["stock_pieces"]) == (1, 9)

    def test_count_what_came_back_as_not_sold(self, ann, api):
        item = make_stock(ann, quantity=60)
        sold(item, 30, days=100)
        sold(item, -12, reason="return", days=40)
        sold(item, -3, reason="return")

        (line,) = reports_of(api(ann))["sell_through"]

        assert (line["sold_30"], line["sold_90"], line["sold_365"]) == (0, 0, 15)

    def test_count_the_same_pieces_as_sold_by_type_and_by_day(self, ann, api):
        row = make_stock(ann, quantity=40)
        order = sell(ann, row, 3)
        # 27 more of another line were out of the stock before they were picked.
        OrderLine.objects.create(
            owner=ann, order=order, lot=row.lot, quantity=27, picked=27, price=1, condition="U"
        )
        sold(row, 5)

        report = reports_of(api(ann))

        assert [(line["sold_30"], line["sold_365"]) for line in report["sell_through"]] == [
            (30, 30)
        ]
        assert [line["pieces"] for line in report["sales"]] == [30]

    def test_count_pieces_of_an_older_order_that_is_picked_now_by_the_day_of_the_order(
        self, ann, api
    ):
        row = make_stock(ann, quantity=40)
        order = sell(ann, row, 3)
        OrderLine.objects.create(
            owner=ann, order=order, lot=row.lot, quantity=5, picked=5, price=1, condition="U"
        )
        sold(row, 5)
        older = sell(ann, row, 4)
        Order.objects.filter(pk=older.pk).update(ordered_at=now() - dt.timedelta(days=40))

        (line,) = reports_of(api(ann))["sell_through"]

        assert (line["sold_30"], line["sold_90"]) == (8, 12)

    def test_count_nothing_of_a_cancelled_order(self, ann, api):
        row = make_stock(ann, quantity=40)
        sell(ann, row, 3)
        cancelled = sell(ann, row, 5)
        cancel_order(order=cancelled, tell_marketplace=False, by=ann, now=now())

        report = reports_of(api(ann))

        assert [line["sold_30"] for line in report["sell_through"]] == [3]
        assert [line["pieces"] for line in report["sales"]] == [3]

    def test_tell_nothing_of_others(self, ann, bo, api):
        sold(make_stock(bo), 2)
        make_item(make_batch(bo, cost_total=Decimal(1)))

        row = reports_of(api(ann))

        assert (row["batches"], row["sources"], row["sell_through"]) == ([], [], [])
        assert {one["lots"] for one in row["stock"]} == {0}

    def test_cost_the_same_for_much_and_little(self, ann, api):
        client = api(ann)
        assert_query_budget(LEDGER, "reports", lambda: reports_of(client))
        for number in range(12):
            source = Source.objects.create(owner=ann, name=f"Market {number}")
            make_item(make_batch(ann, f"Batch {number}", cost_total=Decimal(5), source=source))
            sold(make_stock(ann), 1)

        reports_of(client)  # reckons what was changed

        assert_query_budget(LEDGER, "reports", lambda: reports_of(client))


class TestTheirFiles:
    @pytest.mark.parametrize(
        "name", ["batches", "profit", "source-profit", "sources", "pace", "stock", "sell-through"]
    )
    def test_are_there_for_an_empty_account_too(self, ann, api, name):
        rows = file_of(api(ann), name)

        assert len(rows) == (15 if name == "stock" else 0)

    def test_hold_all_batches_under_names(self, ann, api):
        for number in range(3):
            make_item(make_batch(ann, f"Batch {number}", cost_total=Decimal(1)), quantity=2)

        rows = file_of(api(ann), "batches")

        assert [row["name"] for row in rows] == ["Batch 2", "Batch 1", "Batch 0"]
        assert rows[0]["pieces"] == "2"

    def test_run_nothing_in_a_spreadsheet(self, ann, api):
        source = Source.objects.create(owner=ann, name="@SUM(A1)")
        make_item(make_batch(ann, '=HYPERLINK("http://x")', cost_total=Decimal(1), source=source))

        (row,) = file_of(api(ann), "batches")

        assert (row["name"], row["source_name"]) == ('\'=HYPERLINK("http://x")', "'@SUM(A1)")

    def test_of_another_name_are_not_found(self, ann, api):
        assert api(ann).get(f"{URL}/secrets/file").status_code == 404

    def test_come_with_a_name_of_their_own(self, ann, api):
        told = api(ann).get(f"{URL}/stock/file")["Content-Disposition"]

        assert told == f'attachment; filename="stock-{now():%Y-%m-%d}.csv"'


class TestSales:
    def test_are_told_by_day_and_by_category_without_what_came_back(self, ann, api):
        row = make_stock(ann, quantity=9, price=Decimal("0.25"), location=make_location(ann, "A"))
        order = make_order(ann, (row, 4))
        walk = make_walk(ann, order)
        (stop,) = stops_of(walk=walk)
        line = stop["trays"][0]["line_id"]
        pick_stop(walk=walk, item_id=row.pk, picked={line: 4}, by=ann, now=now())
        ship_order(order=order, tracking_number="", now=now())
        take_back(order=order, pieces={line: 1}, location_id=None, by=ann, now=now())

        row = reports_of(api(ann))

        (day,), (category,), (walked,) = row["sales"], row["categories"], row["walks"]
        assert (day["orders"], day["pieces"], Decimal(day["amount"])) == (1, 3, Decimal("0.75"))
        assert (category["lots"], category["pieces"]) == (1, 3)
        assert (walked["orders"], walked["stops"], walked["minutes_per_order"]) == (1, 1, "0.0")
        assert file_of(api(ann), "sales")[0]["pieces"] == "3"
        assert file_of(api(ann), "walks")[0]["orders"] == "1"
        assert file_of(api(ann), "categories")[0]["pieces"] == "3"

    def test_are_told_by_channel_with_the_fees_of_each(self, ann, api):
        orders = [make_order(ann) for _ in range(3)]
        for order, there in zip(orders, (7, IDS_OF_ONE + 8, None), strict=True):
            order.lines.update(picked=2)
            Order.objects.filter(pk=order.pk).update(marketplace_order_id=there)
        OrderLine.objects.update(price=Decimal("1.00"))

        row = reports_of(api(ann))

        assert {one["marketplace"]: (one["orders"], one["pieces"]) for one in row["channels"]} == {
            "bricklink": (1, 2),
            "brickowl": (1, 2),
            "": (1, 2),
        }
        assert {one["name"] for one in row["channels"]} == {
            "BrickLink",
            "BrickOwl",
            "By hand",
        }
        fees = {one["marketplace"]: Decimal(one["fees"]) for one in row["channels"]}
        assert fees[""] == 0
        assert fees["bricklink"] == fees["brickowl"] > 0
        assert sum(Decimal(one["amount"]) for one in row["channels"]) == Decimal(
            row["sales"][0]["amount"]
        )
        assert {one["name"] for one in file_of(api(ann), "channels")} >= {"BrickLink", "By hand"}

    def test_are_told_by_the_days_of_the_zone_that_the_page_names(self, ann, api):
        order = make_order(ann)
        order.lines.update(picked=2)
        late = dt.datetime.combine(now().date() - dt.timedelta(days=5), dt.time(23, 30), dt.UTC)
        Order.objects.filter(pk=order.pk).update(ordered_at=late)

        def day_of(**query):
            (row,) = api(ann).get(URL, query).json()["data"]
            (told,) = row["sales"]
            file = api(ann).get(f"{URL}/sales/file", query).content.decode("utf-8-sig")
            assert told["day"] in file
            return told["day"]

        assert day_of() == f"{late:%Y-%m-%d}"
        assert day_of(time_zone="Europe/Berlin") == f"{late + dt.timedelta(days=1):%Y-%m-%d}"
        for address in (URL, f"{URL}/sales/file"):
            assert api(ann).get(address, {"time_zone": "Atlantis"}).status_code == 400
        ann.time_zone = "America/New_York"
        ann.save()
        assert day_of(time_zone="Europe/Berlin") == f"{late:%Y-%m-%d}"

    def test_in_another_currency_or_of_others_are_left_out(self, ann, bo, api):
        order = make_order(ann)
        Order.objects.filter(pk=order.pk).update(currency="JPY")
        order.lines.update(picked=2)
        make_order(bo).lines.update(picked=2)

        assert reports_of(api(ann))["sales"] == []


@pytest.fixture
def two_batches(ann):
    """50 pieces for 10.00 and 20 for 6.00; of one lot 40 and 20 are in one bin, 30 were moved."""
    market = Source.objects.create(owner=ann, name="Market")
    here, there = (make_location(ann, name) for name in ("A-1", "B-1"))
    lot = make_lot()
    for name, cost, pieces in (("First", 10, 40), ("Second", 6, 20)):
        batch = make_batch(ann, name, cost_total=Decimal(cost), source=market)
        make_item(batch, quantity=pieces, price="0.5000", lot=lot)
        if name == "First":
            make_item(batch, quantity=10)
        stow_all(batch, location=here)
    row = InventoryItem.objects.get(lot=lot)
    line = MoveLine(item_id=row.pk, to_location_id=there.pk, quantity=30)
    move_items(owner=ann, lines=[line], by=ann, now=now())
    return row


def told(rows, *names):
    return [[row[name] for name in names] for row in rows]


class TestProfit:
    FIGURES = ("name", "pieces", "sold", "fees", "cost", "profit", "paid_back")

    def test_is_told_by_the_batch_that_each_piece_came_from(self, ann, two_batches, api):
        # 30 of the first were carried away: of the 16, 10 are of the first and 6 of the second.
        order = sell(ann, two_batches, 16)
        ship_order(order=order, tracking_number="", now=now())
        take_back(
            order=order, pieces={order.lines.get().pk: 2}, location_id=None, by=ann, now=now()
        )

        row = reports_of(api(ann))

        assert told(row["profit"], *self.FIGURES) == [
            ["First", 10, "5.0000", "0.0000", "2.0000", "3.0000", "0.5000"],
            ["Second", 4, "2.0000", "0.0000", "1.2000", "0.8000", "0.3333"],
        ]
        assert told(row["source_profit"], *self.FIGURES) == [
            ["Market", 14, "7.0000", "0.0000", "3.2000", "3.8000", "0.4375"]
        ]
        assert [line["name"] for line in file_of(api(ann), "profit")] == ["First", "Second"]
        assert file_of(api(ann), "source-profit")[0]["profit"] == "3.8000"

    def test_of_a_store_is_less_discounts_and_fees(self, ann, two_batches, api):
        sell(ann, two_batches, 16, channel="store", credit=Decimal("0.80"))

        # A tenth off 0.50, then 6 % for marketplace and payment.
        assert told(reports_of(api(ann))["profit"], *self.FIGURES) == [
            ["First", 10, "4.5000", "0.2700", "2.0000", "2.2300", "0.4230"],
            ["Second", 6, "2.7000", "0.1620", "1.8000", "0.7380", "0.4230"],
        ]

    def test_is_less_what_was_refunded_beyond_the_returned_pieces(self, ann, two_batches, api):
        order = sell(ann, two_batches, 10)
        line = order.lines.get()
        # 2 pieces come back for 1.00, and 0.40 of the 4.00 of the others is given back.
        take_back(
            order=order,
            pieces={line.pk: 2},
            location_id=None,
            by=ann,
            now=now(),
            refund=Decimal("1.40"),
        )

        row = reports_of(api(ann))

        assert told(row["profit"], "name", "pieces", "sold", "cost", "profit") == [
            ["First", 8, "3.6000", "1.6000", "2.0000"]
        ]
        assert told(row["sales"], "pieces", "amount") == [[8, "3.6000"]]
        assert told(row["categories"], "pieces", "amount") == [[8, "3.6000"]]

    def test_takes_the_cost_as_it_was_spread(self, ann, two_batches, api):
        BatchItem.objects.filter(batch__name="First", quantity=40).update(cost=Decimal("0.05"))
        sell(ann, two_batches, 10)

        assert told(reports_of(api(ann))["profit"], "name", "cost", "profit") == [
            ["First", "0.5000", "4.5000"]
        ]

    @pytest.mark.parametrize("when", ["renumbered", "merged and renumbered", "another lot"])
    def test_is_the_same_on_home(self, ann, api, when):
        new = make_lot(make_catalogue_item("cty0001"))
        old = make_lot(make_catalogue_item("cty001", replaced_by=new.item))
        batch = make_batch(ann, cost_total=Decimal(1))
        make_item(batch, quantity=4, price="0.5000", lot=old)
        stow_all(batch, location=make_location(ann, "A-1"))
        row = InventoryItem.objects.get()
        client = api(ann)
        if when == "merged and renumbered":
            stowed, row = row, make_stock(ann, old, 1, make_location(ann, "A-2"))
            merge = Options.read({"chosen": [row.pk], "emptied": "delete"})
            ids = [stowed.pk, row.pk]
            consolidate_items(owner=ann, item_ids=ids, options=merge, by=ann, now=now())
        if when == "another lot":
            edit_item(item=row, changes={"lot_id": make_lot().pk}, by=ann, now=now())
        sell(ann, row, 3)
        if when != "another lot":
            assert client.post("/api/inventoryItems/renumber").status_code == 200

        (bar,) = client.get("/api/home").json()["data"][0]["batch_returns"]

        of_batch = [one for one in reports_of(client)["profit"] if one["name"] == batch.name]
        assert [(one["sold"], one["paid_back"]) for one in of_batch] == [
            (bar["sold"], bar["paid_back"])
        ]

    def test_of_pieces_of_no_batch_or_of_unknown_cost_is_not_told(self, ann, api):
        sell(ann, make_stock(ann, quantity=5, price=Decimal("0.20")), 5)
        batch = make_batch(ann)
        make_item(batch, quantity=4, price="0.5000")
        stow_all(batch, location=make_location(ann, "A-1"))
        sell(ann, InventoryItem.objects.get(quantity=4), 2)

        row = reports_of(api(ann))

        assert told(row["profit"], "name", "sold", "cost", "profit") == [
            ["Summer lot", "1.0000", None, None],
            ["", "1.0000", None, None],
        ]
        assert row["source_profit"] == []

    def test_of_others_is_left_out(self, ann, bo, two_batches, api):
        sell(ann, two_batches, 2)

        assert reports_of(api(bo))["profit"] == []
