"""What the market says beside a batch's items: reference prices, the filter by price, the charts."""

import datetime as dt
from decimal import Decimal as D

import pytest

from apps.accounts.models import Preferences
from apps.batches.models import BatchItem
from apps.batches.tests.factories import NOON, make_batch, make_item
from apps.catalog.models import PriceSetting, PriceStat
from apps.catalog.tests.factories import make_color, make_lot
from apps.catalog.tests.factories import make_item as make_catalogue_item

pytestmark = pytest.mark.django_db
URL = "/api/batchItems"


def priced(owner, lot, *, sold=None, asked=None, condition="U", currency="EUR", region="global"):
    PriceStat.objects.create(
        owner=owner,
        lot=lot,
        condition=condition,
        region=region,
        currency=currency,
        avg_sold_price=sold,
        avg_inventory_price=asked,
        synced_at=NOON,
        sold_synced_at=NOON,
        asked_synced_at=NOON - dt.timedelta(days=1),
    )
    return lot


@pytest.fixture
def batch(ann):
    Preferences.objects.filter(user=ann).update(currency="EUR")
    return make_batch(ann)


@pytest.fixture
def client(ann, api):
    return api(ann)


class TestReferencePrice:
    @pytest.mark.parametrize(
        ("sold", "asked", "told"),
        [
            ("0.2000", "0.5000", ("0.2000", "sold")),
            (None, "0.5000", ("0.5000", "asked")),
            (None, None, (None, "none")),
        ],
    )
    def test_is_what_was_paid_else_what_is_asked_else_nothing(
        self, ann, batch, client, sold, asked, told
    ):
        make_item(batch, lot=priced(ann, make_lot(), sold=sold, asked=asked))

        row = client.get(f"{URL}?batch={batch.pk}").json()["data"][0]

        assert (row["reference_price"], row["reference_basis"]) == told
        days = {"sold": "2026-11-21T12:00:00Z", "asked": "2026-11-20T12:00:00Z", "none": None}
        assert row["referenceAt"] == days[told[1]]

    def test_is_of_the_items_condition_worldwide_and_in_the_owners_currency(
        self, ann, batch, client
    ):
        lot = priced(ann, make_lot(), sold="0.2000")
        priced(ann, lot, sold="7", condition="N")
        priced(ann, lot, sold="8", currency="USD")
        priced(ann, lot, sold="9", region="us")
        make_item(batch, lot=lot)

        row = client.get(f"{URL}?batch={batch.pk}").json()["data"][0]

        assert row["reference_price"] == "0.2000"

    def test_is_in_the_default_currency_where_none_was_chosen(self, ann, batch, client):
        Preferences.objects.filter(user=ann).delete()
        make_item(batch, lot=priced(ann, make_lot(), sold="0.3000", currency="USD"))

        row = client.get(f"{URL}?batch={batch.pk}").json()["data"][0]

        assert row["reference_price"] == "0.3000"

    def test_comes_with_a_changed_row_and_with_the_batch_too(self, ann, batch, client):
        item = make_item(batch, lot=priced(ann, make_lot(), sold="0.2000"))

        bulk = {"update": [{"id": item.pk, "price": "0.15"}]}
        changed = client.post(f"{URL}/bulk", bulk, format="json").json()["data"][0]["row"]
        nested = client.get(f"/api/batches/{batch.pk}").json()["data"][0]["batch_items"][0]

        assert [changed["reference_price"], nested["reference_price"]] == ["0.2000", "0.2000"]


class TestPriceFilter:
    def asked(self, client, batch, price):
        rows = client.get(f"{URL}?batch={batch.pk}&price={price}").json()["data"]
        return [row["price"] for row in rows]

    def test_none_finds_what_has_no_price_but_not_what_is_free(self, batch, client):
        make_item(batch, price=None)
        make_item(batch, price="0")
        make_item(batch, price="0.01")

        assert self.asked(client, batch, "none") == [None]

    def test_low_finds_what_the_settings_call_low(self, ann, batch, client):
        PriceSetting.objects.create(user=ann, low_value=D("0.10"))
        for price in (None, "0", "0.0999", "0.1"):
            make_item(batch, price=price)

        assert self.asked(client, batch, "low") == ["0.0000", "0.0999"]

    def test_outlier_finds_more_than_three_times_the_reference_and_less_than_a_third(
        self, ann, batch, client
    ):
        lot = priced(ann, make_lot(), sold="0.3000")
        for price in (None, "0", "0.09", "0.11", "0.89", "0.91"):
            make_item(batch, price=price, lot=lot)
        make_item(batch, price="99")  # without a reference price

        assert self.asked(client, batch, "outlier") == ["0.0000", "0.0900", "0.9100"]


class TestActivity:
    def test_tells_the_time_spent_adding_and_stowing(self, batch, client):
        for minutes in (0, 2, 40):
            item = make_item(batch)
            BatchItem.objects.filter(pk=item.pk).update(
                created_at=NOON + dt.timedelta(minutes=minutes)
            )
        make_item(make_batch(batch.owner, "Other"))
        BatchItem.objects.filter(pk=item.pk).update(
            is_stowed=True, stowed_at=NOON + dt.timedelta(minutes=41)
        )

        row = client.get(f"/api/batches/{batch.pk}/activity").json()["data"][0]

        assert row == {"active_seconds": 180}


class TestCharts:
    def charts(self, client, batch):
        answer = client.get(f"/api/batches/{batch.pk}/charts")
        assert answer.status_code == 200, answer.content
        return answer.json()["data"][0]

    def test_tell_what_the_value_is_made_of_most_first(self, batch, client):
        red, blue = make_color(5), make_color(7, name="Blue", rgb="0057A6")
        brick = make_catalogue_item("3001", "Brick 2 x 4")
        make_item(batch, quantity=2, price="1", lot=make_lot(brick, red))
        make_item(batch, quantity=5, price="1", lot=make_lot(brick, blue))
        make_item(
            batch,
            quantity=1,
            price="0.5",
            raw_item_type="P",
            raw_item_number="x1",
            raw_color_name="Chrome",
        )

        told = self.charts(client, batch)

        assert told["by_color"] == [
            {"color_name": "Blue", "color_html": "#0057A6", "lots": 1, "pieces": 5}
            | {"value": "5.0000", "lots_without_price": 0},
            {"color_name": "Red", "color_html": "#B30006", "lots": 1, "pieces": 2}
            | {"value": "2.0000", "lots_without_price": 0},
            {"color_name": "Chrome", "color_html": "", "lots": 1, "pieces": 1}
            | {"value": "0.5000", "lots_without_price": 0},
        ]
        # What the file calls P is a part like those of the catalogue.
        assert told["by_type"] == [
            {"item_type": "PART", "lots": 3, "pieces": 8}
            | {"value": "7.5000", "lots_without_price": 0}
        ]

    def test_tell_ten_colours_at_most(self, batch, client):
        brick = make_catalogue_item("3001", "Brick 2 x 4")
        for number in range(12):
            color = make_color(100 + number, name=f"Colour {number:02}")
            make_item(batch, quantity=1, price=str(number + 1), lot=make_lot(brick, color))

        names = [row["color_name"] for row in self.charts(client, batch)["by_color"]]

        assert names == [f"Colour {number:02}" for number in range(11, 1, -1)]

    def test_tell_how_prices_lie_to_the_market(self, ann, batch, client):
        lot = priced(ann, make_lot(), sold="1.0000")
        for price in ("0.49", "0.5", "0.9", "1", "1.0999", "1.1", "2", None):
            make_item(batch, price=price, lot=lot)
        make_item(batch, price="1")

        told = self.charts(client, batch)

        lots = [(row["from_percent"], row["lots"]) for row in told["deviations"]]
        assert lots == [
            (None, 1),
            (-50, 1),
            (-25, 0),
            (-10, 3),
            (10, 1),
            (25, 0),
            (50, 0),
            (100, 1),
        ]
        assert (told["unpriced"], told["unknown"]) == (1, 1)
        assert told["figuresAt"] == "2026-11-21T12:00:00Z"

    def test_of_an_empty_batch_are_empty(self, batch, client):
        told = self.charts(client, batch)

        assert (told["by_color"], told["by_type"]) == ([], [])
        assert sum(row["lots"] for row in told["deviations"]) == 0


class TestLabels:
    URL = "/api/batches/labels"

    def test_are_a_pdf_of_the_batches_in_the_order_asked(self, ann, client):
        first, second = make_batch(ann, name="Attic box"), make_batch(ann, name="Flea market")

        answer = client.post(
            self.URL, {"ids": [second.pk, first.pk], "layout": "roll_62"}, format="json"
        )

        assert answer["Content-Type"] == "application/pdf"
        assert answer.content.startswith(b"%PDF")
        plan = client.post(
            self.URL,
            {"ids": [second.pk, first.pk], "layout": "roll_62", "dry_run": True},
            format="json",
        )
        assert plan.json()["data"][0] == {
            "count": 2,
            "names": ["Flea market", "Attic box"],
            "pages": 2,
            "unknown_characters": [],
        }

    def test_say_what_the_station_reads_as_this_batch(self, ann):
        from apps.batches.services.labels import _cards
        from apps.recognition.rules.cards import station_cards

        batch = make_batch(ann, name="Attic box")

        assert _cards(ann, [batch.pk]) == [station_cards(batch=(str(batch.pk), batch.name))[-1]]

    def test_are_never_of_somebody_elses_batch(self, ann, bo, api):
        batch = make_batch(ann)

        answer = api(bo).post(self.URL, {"ids": [batch.pk], "layout": "roll_62"}, format="json")

        assert answer.status_code == 400
        assert answer.json()["meta"]["error"]["fields"] == {"ids": ["are none of yours"]}


class TestSums:
    def test_are_of_the_items_that_the_list_shows_a_lot_counting_once(self, batch, client):
        lot = make_lot()
        for price in ("0.5", None):
            make_item(batch, lot=lot, quantity=4, price=price)
        make_item(batch, quantity=1, price="2")

        (all_items,) = client.get(f"{URL}/sums?batch={batch.pk}").json()["data"]
        (without,) = client.get(f"{URL}/sums?batch={batch.pk}&price=none").json()["data"]

        assert all_items == {
            **{"rows": 3, "lots": 2, "pieces": 9, "value": "4.0000", "lots_without_price": 1}
        }
        assert (without["rows"], without["value"]) == (1, "0.0000")
