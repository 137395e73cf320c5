"""Listings with false, missing or malformed values, from the site and typed in."""

import datetime as dt
from decimal import Decimal

import pytest

from apps.auctions.models import AuctionListing
from apps.auctions.providers.shopgoodwill import _of_detail, _of_row
from apps.auctions.providers.texts import read_shipping
from apps.auctions.services import searches
from apps.auctions.services.listings import keep_found
from apps.auctions.tests.factories import make_listing, make_search
from apps.core.clock import now
from apps.core.testing.jobs import run_jobs

pytestmark = pytest.mark.django_db
URL = "/api/auctionListings"


def site_row(**also):
    """A row of the site's search, in its own words."""
    row = {
        "itemId": 302217423,
        "title": "12 lbs of LEGO",
        "currentPrice": Decimal("20.99"),
        "numBids": 3,
        "buyNowPrice": 0,
        "discountedBuyNowPrice": 0,
        "endTime": "2026-11-21T14:30:00",
        "imageURL": "https://shopgoodwillimages.azureedge.net/1.jpg",
        "shippingPrice": 0,
        "listingType": 0,
    }
    return {**row, **also}


def kept(owner, found):
    keep_found(owner=owner, found=[found], now=now())
    return AuctionListing.objects.get(owner=owner)


def shown(client, **query):
    return client.get(URL, query).json()["data"]


class TestWithoutAnEnd:
    @pytest.mark.parametrize("told", [None, "", "soon", "2026-13-45T99:00:00", 17, ["x"], "0"])
    def test_is_kept_and_shown_without_one(self, ann, api, told):
        listing = kept(ann, _of_row(site_row(endTime=told)))

        (row,) = shown(api(ann))
        assert listing.end_time is None
        assert (row["end_time"], row["time_remaining"], row["status"]) == (None, "", "open")

    def test_comes_with_those_that_end_whatever_the_order(self, ann, api):
        make_listing(ann, "endless", end_time=None)
        make_listing(ann, "soon", end_time=now() + dt.timedelta(hours=1))
        client = api(ann)

        for ordering in ("end_time", "-end_time"):
            assert {row["title"] for row in shown(client, ordering=ordering)} == {"endless", "soon"}
        assert [row["title"] for row in shown(client, ends_within_hours=2)] == ["soon"]


class TestWithAnEndInThePast:
    def test_has_ended_and_hides_until_asked_for(self, ann, api):
        kept(ann, _of_row(site_row(endTime="2020-01-01T00:00:00")))
        client = api(ann)

        assert shown(client) == []
        (row,) = shown(client, show_ended=True)
        assert (row["status"], row["time_remaining"]) == ("ended", "Ended")

    def test_is_not_asked_for_again_though_it_is_watched(self, ann, site_url, auction_server):
        make_search(ann, "technic")
        make_listing(
            ann, external_id="300000001", watch="watching", end_time=now() - dt.timedelta(hours=1)
        )

        searches.start_refresh(owner=ann, now=now())
        run_jobs()

        assert not [path for path in auction_server.asked if "ItemDetail" in path]

    def test_may_be_typed_in(self, ann, api):
        response = api(ann).post(
            URL, {"title": "Old", "current_price": "5", "end_time": "2001-09-09T01:46:40Z"}
        )

        assert response.status_code == 201
        assert response.json()["data"][0]["status"] == "ended"


class TestWhenTheSitesClockChanges:
    @pytest.mark.parametrize(
        ("told", "instant"),
        [
            # An hour before and after Pacific clocks go back, and the hour that comes twice.
            ("2026-11-01T00:30:00", "2026-11-01T07:30:00Z"),
            ("2026-11-01T01:30:00", "2026-11-01T08:30:00Z"),
            ("2026-11-01T02:30:00.25", "2026-11-01T10:30:00.250000Z"),
            # The hour that is left out in spring.
            ("2026-03-08T01:59:59", "2026-03-08T09:59:59Z"),
            ("2026-03-08T02:30:00", "2026-03-08T10:30:00Z"),
            ("2026-03-08T03:00:00", "2026-03-08T10:00:00Z"),
        ],
    )
    def test_the_end_is_told_in_utc(self, ann, api, told, instant):
        kept(ann, _of_row(site_row(endTime=told)))

        (row,) = shown(api(ann), show_ended=True)

        assert row["end_time"] == instant


class TestShippingThatCannotBeRead:
    @pytest.mark.parametrize(
        "html",
        [
            "Shipping: <span id='shipping-span'>¤ (GROUND)</span>",
            "Shipping: <span id='shipping-span'>¤., (GROUND)</span>",
            "Shipping: <span id='shipping-span'>free (GROUND)</span>",
            "Shipping: <span>¤11.04 (GROUND)</span>",
            "Shipping: <span id='shipping-span'>¤0.00 (GROUND)</span>",
            "Handling: ¤3.00",
            "<html>Access denied</html>",
        ],
    )
    def test_is_unknown(self, html):
        assert read_shipping(html) is None

    @pytest.mark.parametrize("told", [0, Decimal(0), None, "11.04"])
    def test_of_a_row_is_unknown_and_never_free(self, ann, api, told):
        kept(ann, _of_row(site_row(shippingPrice=told)))

        (row,) = shown(api(ann), show_ended=True)
        assert (row["shipping_rates"], row["landed_cost"], row["landed_per_kg"]) == ([], None, None)

    def test_of_a_detail_is_unknown_and_never_free(self, ann):
        found = _of_detail(site_row(numberOfBids=1, handlingPrice=3, shippingPrice=0))

        listing = kept(ann, found)

        assert (listing.shipping_cost, listing.landed_cost, listing.handling_cost) == (
            None,
            None,
            3,
        )

    def test_says_so_and_leaves_what_was_known(self, ann, api, site_url, play):
        ann.zip_code = "90210"
        ann.save()
        listing = make_listing(ann, external_id="302217423", shipping_cost=9, landed_cost=29)
        play("html")

        response = api(ann).post(f"{URL}/{listing.pk}/shipping")

        assert response.status_code == 502
        listing.refresh_from_db()
        assert (listing.shipping_cost, listing.landed_cost) == (9, 29)


class TestMarkup:
    TITLE = "<b>12 lbs</b> of LEGO<script>alert(1)</script> &amp; more<img src=x onerror=y>"

    def test_of_the_site_is_dropped_from_every_text(self, ann, api):
        found = _of_detail(
            site_row(
                title=self.TITLE,
                numberOfBids=1,
                description="<p onclick=x>As <i>is</i></p><style>p{}</style><svg/onload=y>",
                sellerCompanyName="<a href=javascript:x>Goodwill</a>",
                pickupCity="<b>Portland</b>",
                pickupState="OR<script>",
                bidHistory={"bidSummary": [{"bidderName": "<i>b****1</i>"}]},
            )
        )
        kept(ann, found)

        (row,) = shown(api(ann), show_ended=True)

        texts = [row[name] for name in ("title", "description", "seller", "location")]
        assert texts == ["12 lbs of LEGO & more", "As is", "Goodwill", "Portland, OR"]
        assert row["highest_bidder"] == "b****1"

    def test_that_is_typed_in_is_dropped_too(self, ann, api):
        response = api(ann).post(
            URL,
            {
                "title": self.TITLE,
                "description": "<p>As is<br>no returns</p>",
                "seller": "<b>Ann</b>",
                "current_price": "5",
            },
        )

        (row,) = response.json()["data"]
        assert (row["title"], row["description"], row["seller"]) == (
            "12 lbs of LEGO & more",
            "As is\nno returns",
            "Ann",
        )

    def test_alone_is_no_title(self, ann, api):
        response = api(ann).post(URL, {"title": "<br><script>x</script>", "current_price": "5"})

        assert response.status_code == 400
        assert list(response.json()["meta"]["error"]["fields"]) == ["title"]
        assert not AuctionListing.objects.exists()

    def test_is_no_picture(self):
        assert _of_row(site_row(imageURL="javascript:alert(1)")).image_url == ""


class TestASearchWithQuotes:
    @pytest.mark.parametrize("text", ['"lego technic"', "lego 'technic'", 'lego "', "“lego”"])
    def test_is_kept_as_typed_and_goes_through(self, ann, api, site_url, text):
        response = api(ann).post("/api/auctionSearches", {"text": text})
        assert response.status_code == 201
        assert response.json()["data"][0]["text"] == text

        job = searches.start_refresh(owner=ann, now=now())
        run_jobs()

        job.refresh_from_db()
        assert (job.state, job.failed) == ("succeeded", [])

    def test_of_quotes_alone_is_refused(self, ann, api):
        response = api(ann).post("/api/auctionSearches", {"text": ' "" '})

        assert response.status_code == 400
        assert list(response.json()["meta"]["error"]["fields"]) == ["text"]

    @pytest.mark.parametrize("text", ['"bulk', "o'neill", "100%", "a_b", "\\", "'; DROP TABLE"])
    def test_among_the_listings_is_only_words(self, ann, api, text):
        make_listing(ann, f"{text} of LEGO")
        make_listing(ann, "aXb of something")

        assert [row["title"] for row in shown(api(ann), search=text)] == [f"{text} of LEGO"]


class TestRowsOfTheSiteThatAreNone:
    @pytest.mark.parametrize(
        "also",
        [
            {"itemId": None},
            {"itemId": "302217423"},
            {"itemId": True},
            {"currentPrice": None},
            {"currentPrice": "20"},
            {"currentPrice": Decimal(-1)},
            {"currentPrice": Decimal("NaN")},
            {"currentPrice": Decimal("1e30")},
            {"endTime": "9999-12-31T23:00:00"},
            {"endTime": "0001-01-01T00:00:00+05:00"},
        ],
    )
    def test_are_left_out(self, also):
        assert _of_row(site_row(**also)) is None
        assert _of_detail(site_row(**also)) is None
