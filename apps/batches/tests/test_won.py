from decimal import Decimal

import pytest

from apps.accounts.models import Preferences
from apps.auctions.models import AuctionListing
from apps.auctions.tests.factories import make_listing
from apps.batches.models import Batch
from apps.batches.services.won import batch_of_listing
from apps.core.testing.threads import at_once
from apps.sources.models import Source

URL = "/api/batches/fromListing"


def won(owner, **also):
    values = {
        "external_id": "300000007",
        "listing_url": "https://shopgoodwill.com/item/300000007",
        "image_url": "https://images.example.org/7.jpg",
        "landed_cost": Decimal("31.04"),
        "weight_grams": Decimal("5443.11"),
        "outcome": "won",
    }
    return make_listing(owner, **{**values, **also})


@pytest.fixture
def dollars(ann):
    Preferences.objects.filter(user=ann).update(currency="USD")


@pytest.mark.django_db
class TestTheBatchOfAListing:
    @pytest.mark.usefixtures("dollars")
    def test_has_its_source_cost_weight_picture_and_link(self, ann, api):
        listing = won(ann)

        response = api(ann).post(URL, {"listing_id": listing.pk})

        (row,) = response.json()["data"]
        assert response.status_code == 201
        assert (row["name"], row["source_name"], row["cost_total"]) == (
            "12 lbs of LEGO",
            "ShopGoodwill",
            "31.0400",
        )
        assert (row["gross_weight"], row["image_url"]) == ("5443.110", listing.image_url)
        assert (row["listing_id"], row["listing_url"]) == (listing.pk, listing.listing_url)

    def test_is_told_by_its_listing(self, ann, api):
        listing = won(ann)
        client = api(ann)
        before = client.get("/api/auctionListings").json()["data"][0]
        batch = client.post(URL, {"listing_id": listing.pk}).json()["data"][0]

        after = client.get("/api/auctionListings").json()["data"][0]

        assert (before["batch_id"], before["batch_name"]) == (None, None)
        assert (after["batch_id"], after["batch_name"]) == (batch["id"], batch["name"])

    def test_is_the_same_one_when_pressed_again(self, ann, api):
        listing = won(ann)
        first = api(ann).post(URL, {"listing_id": listing.pk})

        second = api(ann).post(URL, {"listing_id": listing.pk, "name": "Another"})

        assert second.status_code == 200
        assert second.json()["data"] == first.json()["data"]
        assert Batch.objects.count() == 1

    def test_notes_an_open_listing_as_won(self, ann, api):
        listing = won(ann, outcome="")

        assert api(ann).post(URL, {"listing_id": listing.pk}).status_code == 201

        listing.refresh_from_db()
        assert listing.outcome == "won"

    @pytest.mark.parametrize("landed", [None, Decimal("100000000.0000")])
    @pytest.mark.usefixtures("dollars")
    def test_has_no_cost_that_is_unknown_or_more_than_an_amount(self, ann, api, landed):
        listing = won(ann, landed_cost=landed)

        (row,) = api(ann).post(URL, {"listing_id": listing.pk}).json()["data"]

        assert row["cost_total"] is None

    def test_has_no_cost_in_another_currency_than_the_sites(self, ann, api):
        (row,) = api(ann).post(URL, {"listing_id": won(ann).pk}).json()["data"]

        assert row["cost_total"] is None

    def test_takes_name_source_and_cost_that_are_told(self, ann, api):
        market = Source.objects.create(owner=ann, name="Market")
        told = {"name": "Attic", "source_id": market.pk, "cost_total": "29.90"}

        (row,) = api(ann).post(URL, {"listing_id": won(ann).pk, **told}).json()["data"]

        assert (row["name"], row["source_id"], row["cost_total"]) == ("Attic", market.pk, "29.9000")
        assert Source.objects.count() == 1

    def test_of_a_listing_entered_by_hand_has_no_source_unless_told(self, ann, api):
        listing = won(ann, origin="entered", external_id="")

        (row,) = api(ann).post(URL, {"listing_id": listing.pk}).json()["data"]

        assert row["source_id"] is None

    def test_is_refused_of_one_that_was_lost(self, ann, api):
        listing = won(ann, outcome="lost")

        response = api(ann).post(URL, {"listing_id": listing.pk})

        assert response.status_code == 409
        assert (Batch.objects.count(), Source.objects.count()) == (0, 0)
        assert AuctionListing.objects.get().outcome == "lost"

    def test_is_refused_of_somebody_elses(self, ann, bo, api):
        response = api(bo).post(URL, {"listing_id": won(ann).pk})

        assert response.status_code == 400
        assert Batch.objects.count() == 0

    def test_keeps_a_title_that_is_too_long_for_a_name(self, ann, api):
        listing = won(ann, title="L" * 300)

        (row,) = api(ann).post(URL, {"listing_id": listing.pk}).json()["data"]

        assert row["name"] == "L" * 200

    def test_outlives_its_listing(self, ann, api):
        listing = won(ann)
        client = api(ann)
        batch = client.post(URL, {"listing_id": listing.pk}).json()["data"][0]
        listing.delete()

        (row,) = client.get(f"/api/batches/{batch['id']}").json()["data"]

        assert (row["listing_id"], row["image_url"]) == (None, "https://images.example.org/7.jpg")


@pytest.mark.django_db(transaction=True)
class TestTheSameButton:
    def test_pressed_many_times_at_once_makes_one_batch(self, ann):
        listing = won(ann)

        made = at_once(
            lambda _: batch_of_listing(owner=ann, listing_id=listing.pk, fields={}), threads=8
        )

        assert sum(is_made for _, is_made in made) == 1
        assert {batch.pk for batch, _ in made} == {Batch.objects.get().pk}
        assert Source.objects.count() == 1
