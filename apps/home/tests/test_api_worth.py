import datetime as dt
from decimal import Decimal

import pytest

from apps.accounts.models import Preferences
from apps.auctions.services.listings import set_buyer_options
from apps.auctions.tests.factories import make_listing
from apps.batches.tests.factories import make_batch, make_item, make_location, stow_all
from apps.core.clock import now
from apps.core.testing.queries import count_queries
from apps.inventory.models import InventoryItem
from apps.orders.tests.factories import make_order
from apps.recognition.models import StationSitting
from apps.sources.models import Source

pytestmark = pytest.mark.django_db
URL = "/api/auctionWorth"
SITE = "ShopGoodwill"


def sorted_batch(owner, *, source=None, kg=2, pieces=1000, price="0.0500"):
    """A batch of so many kilograms whose pieces are all stowed."""
    made = None
    if source is not None:
        made, _ = Source.objects.get_or_create(owner=owner, name=source)
    name = f"Batch {pieces} {price}"
    batch = make_batch(owner, name, source=made, gross_weight_grams=kg * 1000)
    make_item(batch, quantity=pieces, price=price)
    stow_all(batch, location=make_location(owner, f"Bin of {batch.pk}"))
    return batch


def sat(owner, *, pieces, minutes):
    at = now()
    StationSitting.objects.create(
        owner=owner,
        key=f"{pieces}",
        started_at=at - dt.timedelta(minutes=minutes),
        acted_at=at,
        adds=1,
        pieces=pieces,
    )


@pytest.fixture
def rich(ann):
    Preferences.objects.filter(user=ann).update(currency="USD")
    return ann


def worth_of(client, *listings):
    ids = ",".join(str(listing.pk) for listing in listings)
    response = client.get(URL, {"ids": ids})
    assert response.status_code == 200, response.json()
    (row,) = response.json()["data"]
    return row


class TestAuctionWorth:
    def test_is_what_a_kilogram_brought_less_fees_work_tax_and_shipping(self, rich, api):
        sorted_batch(rich, source=SITE)  # 2 kg, 50.00: 25.00 and 500 pieces a kg
        sat(rich, pieces=500, minutes=60)
        set_buyer_options(
            owner=rich,
            options={
                "fee_percent": Decimal(10),
                "hourly_rate": Decimal(8),
                "tax_percent": Decimal(10),
            },
        )
        listing = make_listing(
            rich, external_id="1", weight_grams=4000, shipping_cost=10, handling_cost=3
        )

        row = worth_of(api(rich), listing)

        assert row["of_site"] == {
            "batches": 1,
            "source_name": SITE,
            "value_per_kg": "25.0000",
            "minutes_per_kg": "60.0",
            "fee_percent": "10.000",
            "hourly_rate": "8.0000",
            "net_per_kg": "14.5000",
        }
        # 58.00 landed; 58 ÷ 1.1 = 52.727…, less 13.00
        assert row["listings"] == [
            {"id": listing.pk, "worth": "58.00", "highest_bid": "39.72", "rests_on": "of_site"}
        ]

    def test_counts_what_was_sold_at_what_buyers_paid(self, rich, api):
        sorted_batch(rich)  # 2 kg, 1,000 pieces at 0.05
        sold = make_order(rich, (InventoryItem.objects.get(), 400))
        sold.lines.update(price=Decimal("0.03"), picked=400)
        InventoryItem.objects.get().movements.create(
            delta=-400,
            reason="sale",
            cause_kind="order",
            cause_id=sold.lines.get().pk,
            created_at=now(),
        )

        basis = worth_of(api(rich), make_listing(rich, weight_grams=1000))["of_all"]

        # 600 × 0.05 + 400 × 0.03 = 42.00 for 2 kg
        assert basis["value_per_kg"] == "21.0000"

    def test_of_unknown_shipping_names_no_bid(self, rich, api):
        sorted_batch(rich)
        listing = make_listing(rich, weight_grams=1000)

        (found,) = worth_of(api(rich), listing)["listings"]

        assert (found["worth"], found["highest_bid"]) == ("23.50", None)

    def test_is_never_below_nothing(self, rich, api):
        sorted_batch(rich, price="0.0010")
        listing = make_listing(rich, weight_grams=1000, shipping_cost=30)

        (found,) = worth_of(api(rich), listing)["listings"]

        assert found["highest_bid"] == "0.00"

    def test_rests_on_the_sites_batches_before_all(self, rich, api):
        sorted_batch(rich, source=SITE, kg=1, price="0.0100")
        sorted_batch(rich, source="Flea market", kg=1, price="0.0300")
        of_site = make_listing(rich, external_id="1", weight_grams=1000)
        entered = make_listing(rich, origin="entered", weight_grams=1000)

        row = worth_of(api(rich), of_site, entered)

        assert (row["of_site"]["batches"], row["of_all"]["batches"]) == (1, 2)
        assert [(one["rests_on"], one["worth"]) for one in row["listings"]] == [
            ("of_site", "9.40"),
            ("of_all", "18.80"),
        ]

    def test_leaves_out_batches_that_are_still_sorted_or_were_not_weighed(self, rich, api):
        new = make_batch(rich, "new", gross_weight_grams=1000)
        make_item(new)
        unweighed = make_batch(rich, "unweighed")
        make_item(unweighed)
        stow_all(unweighed, location=make_location(rich))
        make_batch(rich, "empty", gross_weight_grams=1000)

        row = worth_of(api(rich), make_listing(rich, weight_grams=1000))

        assert row == {"of_site": None, "of_all": None, "listings": []}

    def test_is_not_told_in_another_currency(self, rich, api):
        Preferences.objects.filter(user=rich).update(currency="EUR")
        sorted_batch(rich)

        row = worth_of(api(rich), make_listing(rich, weight_grams=1000))

        assert row["of_all"] is None

    def test_leaves_out_listings_without_weight_and_those_of_others(self, rich, bo, api):
        sorted_batch(rich)
        light = make_listing(rich)
        theirs = make_listing(bo, weight_grams=1000)

        assert worth_of(api(rich), light, theirs)["listings"] == []

    def test_costs_the_same_for_one_and_for_many(self, rich, api):
        sorted_batch(rich)
        client = api(rich)
        listings = [make_listing(rich, weight_grams=1000 + n) for n in range(20)]
        one, _ = count_queries(lambda: worth_of(client, listings[0]))
        sorted_batch(rich, source=SITE)

        many, row = count_queries(lambda: worth_of(client, *listings))

        assert len(row["listings"]) == 20
        assert many == one

    @pytest.mark.parametrize("ids", ["x", "1,,2", "1" * 16, "-1", "٣", ",".join(["1"] * 101)])
    def test_refuses_what_are_no_ids(self, ann, api, ids):
        response = api(ann).get(URL, {"ids": ids})

        assert response.status_code == 400
        assert "ids" in response.json()["meta"]["error"]["fields"]
