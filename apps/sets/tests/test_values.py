"""What a set is worth: one figure by the price rule, in the list and in the set's own page."""

import datetime as dt
import itertools
from decimal import Decimal as D

import pytest

from apps.accounts.models import Preferences
from apps.catalog.models import PriceSetting, PriceStat
from apps.catalog.rules.pricing import MarketFigures, rule_price
from apps.catalog.selectors.pricing import amount_of, rule_of, rule_price_column
from apps.catalog.tests.factories import make_lot
from apps.core.clock import now
from apps.sets.tests.factories import make_user_set

pytestmark = pytest.mark.django_db
URL = "/api/userSets"


@pytest.fixture(autouse=True)
def euros(ann):
    Preferences.objects.filter(user=ann).update(currency="EUR")


def stat(owner, lot, sold, asked=None, lowest=None, region="global", **times):
    return PriceStat.objects.create(
        owner=owner,
        lot=lot,
        condition="U",
        region=region,
        currency="EUR",
        avg_sold_price=sold,
        avg_inventory_price=asked,
        low_price=lowest,
        synced_at=now(),
        **times,
    )


def one(response):
    assert response.status_code == 200, response.content
    return response.json()["data"][0]


class TestTimesOfFigures:
    """Each value tells when the market told the oldest figure that it is made of."""

    def test_are_those_of_the_figures_in_use(self, ann, api):
        first, second, third = (now() - dt.timedelta(days=days) for days in (3, 2, 1))
        lot, offered = make_lot(), make_lot()
        added = make_user_set(ann, contents={lot: 3, offered: 4, make_lot(): 2})
        stat(ann, lot, D(2), sold_synced_at=third, asked_synced_at=first)
        stat(ann, offered, None, D(1), sold_synced_at=first, asked_synced_at=second)
        stat(ann, make_lot(added.item), D(7), sold_synced_at=third)
        client = api(ann)

        listed, detail = one(client.get(URL)), one(client.get(f"{URL}/{added.pk}/summary"))
        parted = {"user_set_id": added.pk, "dry_run": True}
        parted = one(client.post("/api/batches/partOut", parted, format="json"))

        assert listed["figuresAt"] == detail["parts_value_at"] == wire(second)
        assert detail["value_of_set_at"] == wire(third)
        assert one(client.get(f"{URL}/overview"))["figuresAt"] == wire(second)
        of_parts = [row["figuresAt"] for row in parted["values"] if row["value"] is not None]
        assert of_parts == [wire(second)]

    def test_are_none_without_figures(self, ann, api):
        make_user_set(ann, contents={make_lot(): 3})

        assert one(api(ann).get(URL))["figuresAt"] is None


def wire(instant):
    return instant.isoformat().replace("+00:00", "Z")


class TestValues:
    def test_are_the_same_in_the_list_and_in_the_set(self, ann, api):
        PriceSetting.objects.create(
            user=ann, percent=D(50), rounding=D("0.05"), minimum=D("0.10"), region="us"
        )
        lot, cheap, unknown = make_lot(), make_lot(), make_lot()
        added = make_user_set(ann, contents={lot: 3, cheap: 4, unknown: 2})
        stat(ann, lot, D("2.5533"), region="us")
        stat(ann, cheap, D("0.0100"), region="us")
        stat(ann, make_lot(added.item), D("7.6600"), region="us")

        listed = one(api(ann).get(URL))
        detail = one(api(ann).get(f"{URL}/{added.pk}/summary"))

        assert detail["region"] == "us"
        assert listed["value"] == detail["value_of_set"] == "11.5000"
        assert listed["parts_value"] == detail["parts_value"] == "11.9500"
        assert listed["lots_without_price"] == detail["parts_without_price"] == 1
        assert detail["cost_of_missing"] == "11.9500"

    def test_are_none_where_no_part_has_a_price(self, ann, api):
        added = make_user_set(ann, contents={make_lot(): 3})

        detail = one(api(ann).get(f"{URL}/{added.pk}/summary"))
        listed = one(api(ann).get(URL))
        overview = one(api(ann).get(f"{URL}/overview"))

        assert (detail["cost_of_missing"], detail["lots_without_price"]) == (None, 1)
        assert (detail["parts_value"], listed["parts_value"]) == (None, None)
        assert overview["cost_of_missing"] is None
        assert overview["sets"][0]["cost_of_missing"] is None


class TestRuleAsAColumn:
    @pytest.mark.parametrize("basis", ["reference", "sold", "asked", "lowest"])
    @pytest.mark.parametrize("rounding", [D(0), D("0.01"), D("0.05"), D(1)])
    def test_asks_what_the_rule_asks(self, ann, basis, rounding):
        amounts = [None, D(0), D("0.0001"), D("0.0250"), D("0.1249"), D("12.3450"), D("88888.8888")]
        stats = [
            stat(ann, make_lot(), *figures)
            for figures in itertools.product(amounts[::2], amounts[1::2], amounts[2:4])
        ]
        for percent in (D(-10), D("12.5"), D("33.33")):
            setting = PriceSetting(
                user=ann, basis=basis, rounding=rounding, percent=percent, minimum=D("0.02")
            )
            rule = rule_of(setting)
            columns = dict(
                PriceStat.objects.annotate(asks=rule_price_column(rule)).values_list("pk", "asks")
            )
            for one_stat in stats:
                told = MarketFigures(
                    one_stat.avg_sold_price, one_stat.avg_inventory_price, one_stat.low_price
                )
                assert amount_of(columns[one_stat.pk]) == rule_price(rule, told).amount, told
