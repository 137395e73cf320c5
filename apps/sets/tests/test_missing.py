import csv
import io
import zipfile

import pytest

from apps.accounts.models import Preferences
from apps.catalog.models import PriceStat
from apps.catalog.tests.factories import make_color, make_item, make_lot
from apps.core.clock import now
from apps.exchange.bricklink_wanted import read_wanted_list
from apps.sets.tests.factories import make_user_set

pytestmark = pytest.mark.django_db


def price(owner, lot, amount):
    PriceStat.objects.create(
        owner=owner,
        lot=lot,
        condition="U",
        region="global",
        currency=Preferences.objects.get(user=owner).currency,
        avg_sold_price=amount,
        synced_at=now(),
    )


def file_of(client, *sets, **body):
    return client.post(
        "/api/userSets/missingFile", {"user_sets": [each.pk for each in sets], **body}
    )


class TestMissingFile:
    def test_is_a_wanted_list_of_what_sets_lack_together(self, api, ann):
        lot = make_lot(make_item("3001"))
        first = make_user_set(ann, contents={lot: 4}, number="1-1")
        second = make_user_set(ann, contents={lot: 2}, number="2-1")
        api(ann).post(f"/api/userSets/{first.pk}/putAside", {"lot_id": lot.pk, "quantity": 1})
        price(ann, lot, "0.25")

        answer = file_of(api(ann), first, second, kind="wanted_list", with_prices=True)

        (wish,) = read_wanted_list(io.BytesIO(answer.content))
        assert (wish.item_number, wish.item_type, wish.color_id) == ("3001", "P", 5)
        assert (wish.min_quantity, wish.max_price, wish.condition) == (5, 0.25, "")
        assert 'filename="Missing of 2 sets.xml"' in answer["Content-Disposition"]

    def test_is_a_table_with_costs(self, api, ann):
        lot, other = make_lot(make_item("3001")), make_lot(make_item("3002"))
        owned = make_user_set(ann, contents={lot: 4, other: 1}, number="1-1")
        price(ann, lot, "0.25")

        answer = file_of(api(ann), owned, kind="csv")

        rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
        assert [(row["item_number"], row["quantity"], row["cost"]) for row in rows] == [
            ("3001", "4", "1.0000"),
            ("3002", "1", ""),
            ("", "5", "1.0000"),
        ]

    def test_comes_in_parts_of_a_thousand_lots(self, api, ann):
        contents = {make_lot(): 1 for _ in range(1_001)}
        owned = make_user_set(ann, contents=contents, number="1-1")

        answer = file_of(api(ann), owned, kind="wanted_list")

        parts = zipfile.ZipFile(io.BytesIO(answer.content)).namelist()
        assert parts == ["part 001.xml", "part 002.xml"]

    def test_leaves_out_what_bricklink_does_not_number(self, api, ann):
        foreign = make_lot(color=make_color(10_005, name="Hue"))
        owned = make_user_set(ann, contents={foreign: 1}, number="1-1")

        answer = file_of(api(ann), owned, kind="wanted_list")

        assert answer.status_code == 409
        assert "no numbers for any of the 1 missing lots" in answer.json()["message"]

    def test_says_when_nothing_is_missing(self, api, ann):
        owned = make_user_set(ann, contents={make_lot(): 1}, number="1-1")
        api(ann).post(f"/api/userSets/{owned.pk}/complete", {"missing": "have"})

        answer = file_of(api(ann), owned, kind="csv")

        assert answer.status_code == 409
        assert answer.json()["message"] == "Nothing is missing."

    def test_is_the_owners_alone(self, api, ann, bo):
        owned = make_user_set(ann, contents={make_lot(): 1}, number="1-1")

        assert file_of(api(bo), owned, kind="csv").status_code == 404


class TestSummary:
    def test_tells_what_is_missing_and_what_it_costs(self, api, ann):
        lot, other = make_lot(), make_lot()
        owned = make_user_set(ann, contents={lot: 4, other: 2}, number="1-1")
        api(ann).post(f"/api/userSets/{owned.pk}/putAside", {"lot_id": lot.pk, "quantity": 1})
        price(ann, lot, "0.25")
        price(ann, make_lot(owned.item), "80")

        (row,) = api(ann).get(f"/api/userSets/{owned.pk}/summary").json()["data"]

        assert (row["pieces_required"], row["pieces_on_hand"], row["pieces_missing"]) == (6, 1, 5)
        assert (row["cost_of_missing"], row["lots_without_price"]) == ("0.7500", 1)
        assert (row["parts_value"], row["value_of_set"]) == ("1.0000", "80.0000")
        assert row["by_color"][0]["pieces_required"] == 6

    def test_counts_in_the_default_currency_where_none_was_chosen(self, api, ann):
        owned = make_user_set(ann, number="1-1")
        Preferences.objects.all().delete()

        (row,) = api(ann).get(f"/api/userSets/{owned.pk}/summary").json()["data"]
        out = api(ann).post("/api/batches/partOut", {"user_set_id": owned.pk})

        assert row["currency"] == Preferences().currency
        assert out.json()["data"][0]["currency"] == Preferences().currency
        assert file_of(api(ann), owned, kind="csv").status_code == 200
