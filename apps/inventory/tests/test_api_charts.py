"""The charts of the stock, and the filters for what wants a look."""

import datetime as dt
from decimal import Decimal as D
from pathlib import Path

import pytest

from apps.accounts.models import Preferences
from apps.catalog.models import PriceStat
from apps.catalog.tests.factories import make_color, make_item, make_lot
from apps.core.clock import now
from apps.core.testing.queries import assert_query_budget
from apps.inventory.models import InventoryItem
from apps.inventory.services.changes import changed_lots
from apps.inventory.services.split import split_item
from apps.inventory.tests import bsx_files
from apps.inventory.tests.factories import make_stock
from apps.locations.tests.factories import make_location

pytestmark = pytest.mark.django_db
LEDGER = Path(__file__).parent / "query_counts.json"
URL = "/api/inventoryItems"


def data(response):
    assert response.status_code == 200, response.content
    return response.json()["data"]


def aged(item, days):
    InventoryItem.objects.filter(pk=item.pk).update(date_added=now() - dt.timedelta(days=days))


def figures(
    owner, lot, *, sold=None, asked=None, condition="U", region="global", currency="EUR", days=0
):
    PriceStat.objects.create(
        owner=owner,
        lot=lot,
        condition=condition,
        region=region,
        currency=currency,
        avg_sold_price=sold,
        avg_inventory_price=asked,
        synced_at=now() - dt.timedelta(days=days),
    )
    return lot


@pytest.fixture
def euros(ann):
    Preferences.objects.filter(user=ann).update(currency="EUR")


def worth(value, unpriced=0):
    return {"value": value, "lots_without_price": unpriced}


class TestCharts:
    def test_sum_the_stock_by_type_location_and_age_and_draw_its_curve(self, ann, bo, api):
        bin_ = make_location(ann, "B-07")
        minifig = make_lot(make_item("sw0001", item_type="MINIFIG"), make_color(0))
        aged(make_stock(ann, minifig, 1, bin_, price=D(8)), 400)
        aged(make_stock(ann, quantity=4, location=bin_, price=D("0.25")), 31)
        aged(make_stock(ann, quantity=3, price=None), 0)
        make_stock(ann, quantity=0, location=bin_, price=D(99))
        make_stock(bo, quantity=5, price=D(99))

        charts = data(api(ann).get(f"{URL}/charts"))[0]

        assert charts["by_type"] == [
            {"item_type": "MINIFIG", "rows": 1, "pieces": 1, **worth("8.0000")},
            {"item_type": "PART", "rows": 2, "pieces": 7, **worth("1.0000", 1)},
        ]
        assert charts["by_location"] == [
            {
                "location_id": bin_.pk,
                "location_name": "B-07",
                "locations": 1,
                "rows": 2,
                "pieces": 5,
                **worth("9.0000"),
            },
            {
                "location_id": None,
                "location_name": None,
                "locations": 1,
                "rows": 1,
                "pieces": 3,
                **worth("0.0000", 1),
            },
        ]
        assert [(row["rows"], row["value"]) for row in charts["by_age"]] == [
            (1, "0.0000"),
            (1, "1.0000"),
            (0, "0.0000"),
            (0, "0.0000"),
            (1, "8.0000"),
        ]
        assert [(point["rows"], point["value"]) for point in charts["curve"]] == [
            (0, "0.0000"),
            (1, "8.0000"),
            (2, "9.0000"),
            (3, "9.0000"),
        ]

    def test_know_what_the_catalogue_does_not_by_the_type_of_its_file(self, ann, api):
        make_stock(ann, raw_item_number="x1", raw_item_type="M", quantity=2, price=D(1))

        charts = data(api(ann).get(f"{URL}/charts"))[0]

        assert [row["item_type"] for row in charts["by_type"]] == ["MINIFIG"]

    def test_name_the_twelve_locations_of_most_value_and_sum_up_the_rest(self, ann, api):
        for price in range(1, 15):
            make_stock(ann, quantity=1, location=make_location(ann, f"A-{price}"), price=D(price))

        places = data(api(ann).get(f"{URL}/charts"))[0]["by_location"]

        assert [row["location_name"] for row in places] == [
            *(f"A-{price}" for price in range(14, 2, -1)),
            None,
        ]
        assert (places[-1]["locations"], places[-1]["rows"], places[-1]["value"]) == (
            2,
            2,
            "3.0000",
        )

    @pytest.mark.parametrize("rows", [1, 30])
    def test_cost_the_same_for_few_and_many(self, ann, api, rows):
        for _ in range(rows):
            make_stock(ann, location=make_location(ann))
        client = api(ann)

        assert_query_budget(LEDGER, "stock charts", lambda: client.get(f"{URL}/charts"))


class TestOutliers:
    @pytest.mark.parametrize(
        ("price", "found"),
        [("0.3000", False), ("0.3001", True), ("0.0334", False), ("0.0333", True), ("0", True)],
    )
    def test_are_three_times_off_what_was_paid(self, ann, api, euros, price, found):
        lot = figures(ann, make_lot(), sold=D("0.1"), asked=D(9))
        make_stock(ann, lot, price=D(price))

        assert bool(data(api(ann).get(URL, {"outlier": "true"}))) is found

    def test_are_told_by_what_is_asked_where_nothing_was_sold(self, ann, api, euros):
        make_stock(ann, figures(ann, make_lot(), asked=D("0.1")), price=D(1))
        make_stock(ann, make_lot(), price=D(1))

        rows = data(api(ann).get(URL, {"outlier": "true"}))

        assert [row["price"] for row in rows] == ["1.0000"]

    def test_are_of_the_rows_condition_worldwide_and_in_the_owners_currency(self, ann, api, euros):
        lot = make_lot()
        for other in ({"condition": "N"}, {"region": "us"}, {"currency": "USD"}):
            figures(ann, lot, sold=D("0.1"), **other)
        make_stock(ann, lot, price=D(1))

        assert data(api(ann).get(URL, {"outlier": "true"})) == []

    def test_show_the_price_that_they_are_far_from(self, ann, api, euros):
        lot = figures(ann, make_lot(), asked=D("0.1"))
        make_stock(ann, lot, price=D(1))

        (row,) = data(api(ann).get(URL, {"outlier": "true"}))

        assert (row["reference_price"], row["reference_basis"]) == ("0.1000", "asked")

    def test_may_be_grouped_by_lot(self, ann, api, euros):
        lot = figures(ann, make_lot(), sold=D("0.1"))
        make_stock(ann, lot, 2, price=D(1))
        make_stock(ann, lot, 5, price=D("0.1"))

        lots = data(api(ann).get(f"{URL}/lots", {"outlier": "true"}))

        assert [row["quantity"] for row in lots] == [2]


class TestOldFigures:
    def test_are_older_than_90_days(self, ann, api, euros):
        for days in (89, 91):
            make_stock(ann, figures(ann, make_lot(), sold=D("0.1"), days=days), price=D(days))
        make_stock(ann, price=D(1))

        rows = data(api(ann).get(URL, {"stale_price": "true"}))

        assert [row["price"] for row in rows] == ["91.0000"]


class TestChangedSinceTheLastUpload:
    def store(self, ann):
        make_lot(make_item("3001"), make_color(5))
        lots = (bsx_files.lot(qty=3, LotID=71), bsx_files.lot("3002", LotID=72))
        bsx_files.sync_file(ann, bsx_files.bsx(*lots))

    def test_is_what_the_marketplace_has_not_received(self, ann, api):
        self.store(ann)
        client = api(ann)
        assert data(client.get(URL, {"since_sync": "true"})) == []
        row = InventoryItem.objects.owned_by(ann).order_by("pk").first()

        client.patch(f"{URL}/{row.pk}", {"price": "0.5"})
        assert [found["id"] for found in data(client.get(URL, {"since_sync": "true"}))] == [row.pk]

        client.patch(f"{URL}/{row.pk}", {"price": str(row.price)})
        assert data(client.get(URL, {"since_sync": "true"})) == []

    def test_has_every_lot_that_changed(self, ann, api):
        self.store(ann)
        client = api(ann)
        ids = list(InventoryItem.objects.owned_by(ann).order_by("pk").values_list("pk", flat=True))

        for pk in ids:
            client.patch(f"{URL}/{pk}", {"price": "0.5"})

        found = data(client.get(URL, {"since_sync": "true"}))
        assert sorted(row["id"] for row in found) == ids
        assert changed_lots(owner=ann).lots == len(ids) == 2

    def test_takes_the_rows_of_a_lot_for_one(self, ann, api):
        self.store(ann)
        row = InventoryItem.objects.get(marketplace_lot_id=71)
        changes = {"location_id": make_location(ann, "Z-01").pk}
        split_item(item=row, quantity=1, changes=changes, by=ann, now=now())
        client = api(ann)
        assert data(client.get(URL, {"since_sync": "true"})) == []

        client.patch(f"{URL}/{row.pk}", {"comments": "Clean"})

        assert len(data(client.get(URL, {"since_sync": "true"}))) == 2

    def test_is_nothing_where_nothing_was_received(self, ann, api):
        make_stock(ann)
        assert data(api(ann).get(URL, {"since_sync": "true"})) == []


class TestSums:
    def test_are_of_the_rows_that_the_same_filters_show(self, api, ann, bo):
        lot = make_lot()
        make_stock(ann, lot=lot, quantity=4, price=D("0.5"), condition="N")
        make_stock(ann, lot=lot, quantity=3, price=None, condition="N")
        make_stock(ann, lot=lot, quantity=9, price=D("2"), condition="U")
        make_stock(bo, lot=lot, quantity=50, price=D("1"), condition="N")

        new = data(api(ann).get(f"{URL}/sums?condition=N"))

        assert new == [
            {"rows": 2, "lots": 1, "pieces": 7, "value": "2.0000", "lots_without_price": 1},
        ]

    def test_count_a_lot_and_condition_once_and_each_unknown_row(self, api, ann):
        lot = make_lot()
        for condition in ("N", "U", "U"):
            make_stock(ann, lot=lot, condition=condition, price=None)
        make_stock(ann, raw_item_number="x1", condition="N")

        (found,) = data(api(ann).get(f"{URL}/sums"))

        assert (found["rows"], found["lots"], found["lots_without_price"]) == (4, 3, 2)

    def test_are_0_where_nothing_is_shown(self, api, ann):
        assert data(api(ann).get(f"{URL}/sums"))[0]["pieces"] == 0

    def test_refuse_a_filter_that_is_none(self, api, ann):
        answer = api(ann).get(f"{URL}/sums?conditon=N")

        assert answer.status_code == 400
        assert "conditon" in answer.json()["meta"]["error"]["fields"]


class TestGroups:
    def test_are_the_sums_of_each_bin_in_the_order_of_bins(self, api, ann, bo):
        lot = make_lot()
        first, second = make_location(ann, "A-2"), make_location(ann, "A-10")
        make_stock(ann, lot=lot, quantity=4, price=D("0.5"), location=second)
        make_stock(ann, lot=lot, quantity=3, price=None, location=first)
        make_stock(ann, lot=lot, quantity=2, price=D("1"))
        make_stock(bo, lot=lot, quantity=50, price=D("1"))

        found = data(api(ann).get(f"{URL}/groups?by=location"))

        assert [(one["id"], one["name"], one["pieces"], one["value"]) for one in found] == [
            (first.pk, "A-2", 3, "0.0000"),
            (second.pk, "A-10", 4, "2.0000"),
            (None, "", 2, "2.0000"),
        ]

    def test_of_colours_hold_the_rows_that_the_filter_of_the_colour_finds(self, api, ann):
        lot = make_lot()
        make_stock(ann, lot=lot, quantity=4)
        make_stock(ann, raw_item_number="x1", raw_color_id=lot.color_id, quantity=3)
        make_stock(ann, raw_item_number="x2", quantity=1)
        client = api(ann)

        group, unknown = data(client.get(f"{URL}/groups?by=color"))

        assert (group["name"], group["html"]) == (lot.color.name, lot.color.html)
        assert (group["rows"], group["pieces"], unknown["id"]) == (2, 7, None)
        assert len(data(client.get(URL, {"color_id": group["id"]}))) == 2

    def test_refuse_what_rows_are_not_grouped_by(self, api, ann):
        assert api(ann).get(f"{URL}/groups?by=price").status_code == 400


class TestCounts:
    def test_are_of_the_rows_that_each_of_several_filters_shows(self, api, ann, bo):
        lot = make_lot()
        make_stock(ann, lot=lot, quantity=4, price=D("0.5"), condition="N")
        make_stock(ann, lot=lot, quantity=3, price=None, condition="N")
        make_stock(ann, lot=lot, quantity=9, price=None, condition="U")
        make_stock(bo, lot=lot, quantity=50, price=None, condition="N")
        asked = [{}, {"unpriced": "true"}, {"unpriced": "true", "condition": "U"}]

        found = data(api(ann).post(f"{URL}/viewCounts", {"filters": asked}, format="json"))

        assert found == [{"rows": 3}, {"rows": 2}, {"rows": 1}]

    def test_are_counted_anew_each_time(self, api, ann):
        client, key = api(ann), {"Idempotency-Key": "k1"}
        asked = {"filters": [{}]}
        data(client.post(f"{URL}/viewCounts", asked, format="json", headers=key))
        make_stock(ann)

        again = data(client.post(f"{URL}/viewCounts", asked, format="json", headers=key))

        assert again == [{"rows": 1}]

    @pytest.mark.parametrize(
        "asked", [[], None, [{"unprice": "true"}], [{"unpriced": "perhaps"}], [[]], [{}] * 41]
    )
    def test_refuse_what_is_no_filter_of_the_list(self, api, ann, asked):
        answer = api(ann).post(f"{URL}/viewCounts", {"filters": asked}, format="json")

        assert answer.status_code == 400
