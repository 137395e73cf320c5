import datetime as dt
from decimal import Decimal

import pytest

from apps.catalog.models import PricePoint, PriceSetting, PriceStat
from apps.catalog.services.prices import GuideFigures, delete_old_figures, record_figures
from apps.catalog.tests.factories import make_color, make_item, make_lot
from apps.core.clock import now
from apps.core.jobs.registry import periods

NOON = dt.datetime(2026, 11, 21, 12, 0, tzinfo=dt.UTC)
RULE = "/api/priceRule"


def told(lot, **given):
    """What a market told of a lot: 0.10 sold, 0.20 asked, 0.05 at least."""
    return GuideFigures(
        **{
            "lot_id": lot.pk,
            "condition": "U",
            "region": "global",
            "currency": "EUR",
            "avg_sold_price": Decimal("0.1000"),
            "avg_inventory_price": Decimal("0.2000"),
            "low_price": Decimal("0.0500"),
            "sold_lots": 3,
            "sold_quantity": 30,
            "stock_lots": 4,
            "stock_quantity": 20,
            **given,
        }
    )


def record(owner, *figures, at=NOON):
    record_figures(owner=owner, figures=figures, now=at)


def row_of(client, lot, **query):
    (row,) = client.get("/api/catalogLots", {"id": lot.pk, **query}).json()["data"]
    return row


@pytest.fixture
def lot(db):
    return make_lot()


class TestRecordFigures:
    def test_replaces_what_was_known(self, ann, lot):
        record(ann, told(lot))
        later = NOON + dt.timedelta(hours=1)

        record(ann, told(lot, avg_sold_price=None, sold_quantity=0, sold_lots=0), at=later)

        stat = PriceStat.objects.get()
        assert (stat.avg_sold_price, stat.sell_through, stat.synced_at) == (
            None,
            Decimal("0.0000"),
            later,
        )
        assert PricePoint.objects.get().avg_sold_price is None

    def test_keeps_each_day(self, ann, lot):
        for day in range(3):
            record(ann, told(lot), at=NOON + dt.timedelta(days=day))

        assert PricePoint.objects.count() == 3

    @pytest.mark.parametrize(
        ("sold", "stock", "through"),
        [
            (30, 20, "1.5000"),
            (0, 20, "0.0000"),
            (30, 0, None),
            (0, 0, None),
            (10**6, 1, "9999.9999"),
        ],
    )
    def test_divides_what_was_sold_by_what_is_offered(self, ann, lot, sold, stock, through):
        record(ann, told(lot, sold_quantity=sold, stock_quantity=stock))

        found = PriceStat.objects.get().sell_through
        assert found == (None if through is None else Decimal(through))


class TestOldFigures:
    def test_are_deleted_after_half_a_year_and_their_history_after_a_year(self, ann, lot):
        other = make_lot()
        record(ann, told(lot), at=NOON - dt.timedelta(days=181))
        record(ann, told(lot, region="us"), at=NOON - dt.timedelta(days=366))
        record(ann, told(other), at=NOON - dt.timedelta(days=179))

        assert delete_old_figures(now=NOON) == 3
        assert PriceStat.objects.get().lot_id == other.pk
        assert set(PricePoint.objects.values_list("lot_id", "region")) == {
            (lot.pk, "global"),
            (other.pk, "global"),
        }

    def test_are_deleted_every_day(self):
        assert periods()["catalog.delete_old_figures"] == dt.timedelta(days=1)


class TestLots:
    def test_tell_the_reference_price_and_how_it_was_found(self, api, ann, lot):
        record(ann, told(lot), told(lot, condition="N", avg_sold_price=None))
        client = api(ann)

        used, new = row_of(client, lot), row_of(client, lot, condition="N")

        assert (used["reference_price"], used["reference_basis"]) == ("0.1000", "sold")
        assert (new["reference_price"], new["reference_basis"]) == ("0.2000", "asked")
        assert used["bricklinkSyncedAt"].startswith("2026-11-21T12:00:00")

    @pytest.mark.parametrize(("hours", "are_old"), [(5, False), (7, True)])
    def test_tell_whether_their_figures_are_too_old_to_be_used(self, api, ann, lot, hours, are_old):
        record(ann, told(lot), at=now() - dt.timedelta(hours=hours))

        assert row_of(api(ann), lot)["figures_are_old"] is are_old

    def test_have_no_price_without_data(self, api, ann, lot):
        row = row_of(api(ann), lot)

        assert (row["reference_price"], row["reference_basis"]) == (None, "none")
        assert (row["suggested_price"], row["suggested_basis"]) == (None, "")

    def test_tell_what_ones_own_rule_makes_of_it(self, api, ann, bo, lot):
        for person in (ann, bo):
            record(person, told(lot))
        api(ann).patch(RULE, {"basis": "asked", "percent": "-10", "rounding": "0.05"})

        assert row_of(api(ann), lot)["suggested_price"] == "0.2000"
        assert row_of(api(ann), lot)["suggested_basis"] == "asked"
        assert row_of(api(bo), lot)["suggested_price"] == "0.1000"

    def test_take_the_region_of_the_rule(self, api, ann, lot):
        record(ann, told(lot), told(lot, region="us", avg_sold_price=Decimal("0.7")))
        api(ann).patch(RULE, {"region": "us"})

        assert row_of(api(ann), lot)["suggested_price"] == "0.7000"


class TestPriceRule:
    def test_has_defaults(self, api, ann):
        (rule,) = api(ann).get(RULE).json()["data"]

        del rule["updatedAt"]
        assert rule == {
            "basis": "reference",
            "nth": 1,
            "fallback": "",
            "region": "global",
            "percent": "0.00",
            "rounding": "0.0100",
            "ending": "0.0000",
            "minimum": "0.0100",
            "maximum": None,
            "max_step": None,
            "without_data": "keep",
            "is_nightly": False,
            "low_value": "0.0500",
            "high_value": "1.0000",
        }
        assert not PriceSetting.objects.exists()

    def test_keeps_what_is_changed_and_leaves_the_rest(self, api, ann, bo):
        api(ann).patch(RULE, {"percent": "12.5", "without_data": "mark"})
        api(ann).patch(RULE, {"low_value": "0.1"})

        (rule,) = api(ann).get(RULE).json()["data"]
        assert (rule["percent"], rule["without_data"], rule["low_value"]) == (
            "12.50",
            "mark",
            "0.1000",
        )
        (others,) = api(bo).get(RULE).json()["data"]
        assert others["percent"] == "0.00"

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("basis", "guess"),
            ("region", "mars"),
            ("percent", "-100"),
            ("percent", "901"),
            ("percent", "x"),
            ("percent", None),
            ("rounding", "-0.01"),
            ("minimum", "0.00001"),
            ("low_value", "NaN"),
            ("high_value", "123456789"),
            ("without_data", "drop"),
            ("nth", 0),
            ("nth", 11),
            ("fallback", "guess"),
            ("region", "ZZ"),
            ("region", "US"),
            ("ending", "0.01"),
            ("maximum", "0.0099"),
            ("maximum", "0"),
            ("max_step", "0"),
            ("is_nightly", "often"),
        ],
    )
    def test_refuses_what_is_no_rule(self, api, ann, field, value):
        answer = api(ann).patch(RULE, {field: value})

        assert answer.status_code == 400
        assert list(answer.json()["meta"]["error"]["fields"]) == [field]
        assert not PriceSetting.objects.exists()

    @pytest.mark.parametrize("field", ["minimum", "maximum"])
    def test_names_the_bound_that_was_given_beyond_the_other(self, api, ann, field):
        api(ann).patch(RULE, {"minimum": "1", "maximum": "2"})

        answer = api(ann).patch(RULE, {field: {"minimum": "3", "maximum": "0.5"}[field]})

        assert answer.status_code == 400
        assert list(answer.json()["meta"]["error"]["fields"]) == [field]

    def test_takes_a_country_and_gives_up_bounds(self, api, ann):
        api(ann).patch(RULE, {"region": "DE", "maximum": "9", "max_step": "20"})
        api(ann).patch(RULE, {"maximum": None, "max_step": None})

        (rule,) = api(ann).get(RULE).json()["data"]
        assert (rule["region"], rule["maximum"], rule["max_step"]) == ("DE", None, None)


class TestPrices:
    def test_tell_figures_with_their_samples(self, api, ann, lot):
        record(ann, told(lot), told(lot, region="us"))
        record(ann, told(lot, currency="USD"))

        (row,) = api(ann).get(f"/api/catalogLots/{lot.pk}/prices").json()["data"]

        assert row["currency"] == "EUR"
        assert [(each["condition"], each["region"]) for each in row["figures"]] == [
            ("U", "global"),
            ("U", "us"),
        ]
        first = row["figures"][0]
        assert (first["sold_lots"], first["stock_quantity"], first["sell_through"]) == (
            3,
            20,
            "1.5000",
        )

    def test_tell_a_year_by_day_oldest_first(self, api, ann, lot):
        today = now()
        for days in (400, 2, 1, 0):
            record(ann, told(lot), at=today - dt.timedelta(days=days))

        (row,) = api(ann).get(f"/api/catalogLots/{lot.pk}/prices").json()["data"]

        days = [point["day"] for point in row["points"]]
        assert len(days) == 3
        assert days == sorted(days)
        assert row["points"][0]["avg_sold_price"] == "0.1000"

    def test_are_not_there_for_no_lot(self, api, ann):
        assert api(ann).get("/api/catalogLots/999/prices").status_code == 404


class TestContents:
    @pytest.fixture
    def figure(self, db):
        """A minifig of a red torso and two black legs, with a spare hat and an alternate."""
        from apps.catalog.models import Component, ItemInventory

        figure = make_item("sp001", "Blacktron", item_type="MINIFIG")
        inventory = ItemInventory.objects.create(item=figure, catalogue="B", has_components=True)
        self.torso = make_lot(make_item("973"), make_color(5))
        self.legs = make_lot(make_item("970"), make_color(11))
        hat = make_lot(make_item("3901"), make_color(11))
        Component.objects.create(inventory=inventory, lot=self.torso, quantity=1)
        Component.objects.create(inventory=inventory, lot=self.legs, quantity=2)
        Component.objects.create(inventory=inventory, lot=hat, quantity=1, is_spare=True)
        self.inventory = inventory
        return figure

    def test_list_what_it_is_made_of_spares_last(self, api, ann, figure):
        rows = api(ann).get(f"/api/catalogItems/{figure.pk}/contents").json()["data"]

        assert [(row["item_number"], row["quantity"], row["is_spare"]) for row in rows][-1] == (
            "3901",
            1,
            True,
        )
        assert {row["item_number"]: row["color_html"] for row in rows}["973"] == "#B30006"

    def test_are_of_the_newest_version_of_the_best_source(self, api, ann, figure):
        from apps.catalog.models import Component, ItemInventory

        for catalogue, version, quantity in (("R", 9, 7), ("B", 2, 5)):
            other = ItemInventory.objects.create(
                item=figure, catalogue=catalogue, version=version, has_components=True
            )
            Component.objects.create(inventory=other, lot=self.torso, quantity=quantity)

        rows = api(ann).get(f"/api/catalogItems/{figure.pk}/contents").json()["data"]

        assert [row["quantity"] for row in rows] == [5]

    def test_are_nothing_for_a_brick_and_missing_for_no_item(self, api, ann, lot):
        client = api(ann)

        assert client.get(f"/api/catalogItems/{lot.item_id}/contents").json()["data"] == []
        assert client.get("/api/catalogItems/999/contents").status_code == 404
        assert client.get("/api/catalogItems/999/appearsIn").status_code == 404

    def test_tell_where_a_part_appears(self, api, ann, figure):
        rows = api(ann).get(f"/api/catalogItems/{self.legs.item_id}/appearsIn").json()["data"]

        assert [(row["item_number"], row["quantity"]) for row in rows] == [("sp001", 2)]

    @pytest.mark.parametrize(
        ("query", "count"),
        [
            ({"item_type": "MINIFIG"}, 1),
            ({"item_type": "SET"}, 0),
            ({"color_id": 11}, 1),
            ({"color_id": 5}, 0),
        ],
    )
    def test_narrow_by_type_and_colour(self, api, ann, figure, query, count):
        address = f"/api/catalogItems/{self.legs.item_id}/appearsIn"

        assert len(api(ann).get(address, query).json()["data"]) == count

    @pytest.mark.parametrize(
        "query", [{"item_type": "BRICK"}, {"color_id": "red"}, {"color_id": "٣"}]
    )
    def test_refuse_what_cannot_be_narrowed_by(self, api, ann, figure, query):
        address = f"/api/catalogItems/{self.legs.item_id}/appearsIn"

        assert api(ann).get(address, query).status_code == 400

    def test_leave_out_retired_lists_spares_and_alternates(self, api, ann, figure):
        self.inventory.is_retired = True
        self.inventory.save()

        rows = api(ann).get(f"/api/catalogItems/{self.legs.item_id}/appearsIn").json()["data"]

        assert rows == []
