import datetime as dt
from decimal import Decimal

import pytest

from apps.auctions.models import AuctionListing, AuctionSearch
from apps.auctions.tests.factories import make_listing, make_search
from apps.core.clock import now
from apps.core.jobs.models import Job
from apps.core.testing.jobs import run_jobs
from apps.core.testing.queries import count_queries

pytestmark = pytest.mark.django_db
URL = "/api/auctionListings"


def rows_of(response):
    return response.json()["data"]


class TestListings:
    def test_have_the_fields_of_the_specification(self, ann, api):
        make_listing(
            ann,
            buy_it_now_price=Decimal(60),
            shipping_cost=Decimal("11.04"),
            shipping_method="Ground",
            landed_cost=Decimal("31.04"),
            shipping_at=now(),
        )

        (row,) = rows_of(api(ann).get(URL))

        assert {
            "id",
            "title",
            "description",
            "current_price",
            "buy_it_now_price",
            "bid_count",
            "highest_bidder",
            "end_time",
            "time_remaining",
            "location",
            "shipping_rates",
            "image_url",
            "listing_url",
            "is_auction",
            "has_buy_it_now",
            "created_at",
            "updated_at",
        } <= set(row)
        assert row["has_buy_it_now"] is True
        assert row["time_remaining"] == "1d 23h"
        (rate,) = row["shipping_rates"]
        assert (rate["method"], rate["cost"]) == ("Ground", "11.0400")
        assert rate["time"] is None
        assert rate["calculatedAt"].endswith("Z")

    def test_with_unknown_shipping_have_no_rates(self, ann, api):
        make_listing(ann)

        (row,) = rows_of(api(ann).get(URL))

        assert (row["shipping_rates"], row["landed_cost"]) == ([], None)

    def test_come_in_3_queries_whatever_their_number(self, ann, api):
        client = api(ann)
        make_listing(ann)
        one, _ = count_queries(lambda: client.get(URL))
        for _ in range(20):
            make_listing(ann)
        many, response = count_queries(lambda: client.get(URL))

        assert len(rows_of(response)) == 21
        assert one == many

    @pytest.mark.parametrize(
        ("asked", "found"),
        [
            ("", {"open", "bid", "dear"}),
            ("?my_bids=true", {"bid"}),
            ("?show_rejected=true", {"open", "bid", "dear", "rejected"}),
            ("?watch=rejected", {"rejected"}),
            ("?show_ended=true", {"open", "bid", "dear", "ended"}),
            ("?ends_within_hours=24", {"open"}),
            ("?kind=buy_it_now", {"dear"}),
            ("?max_landed=50", {"open"}),
            ("?has_shipping=true", {"open", "dear"}),
            ("?has_shipping=false", {"bid"}),
            ("?search=OPE", {"open"}),
            ("?max_per_kg=5", {"open"}),
            ("?location=milwau", {"dear"}),
            ("?kind=auction", {"open", "bid"}),
        ],
    )
    def test_are_narrowed_down(self, ann, api, asked, found):
        soon, later = now() + dt.timedelta(hours=3), now() + dt.timedelta(days=3)
        make_listing(ann, "open", end_time=soon, shipping_cost=5, landed_cost=25, landed_per_kg=5)
        make_listing(ann, "bid", end_time=later, my_bid=21)
        make_listing(
            ann,
            "dear",
            end_time=None,
            is_auction=False,
            buy_it_now_price=90,
            shipping_cost=9,
            landed_cost=99,
            landed_per_kg=Decimal("5.01"),
            location="Milwaukee, WI",
        )
        make_listing(ann, "rejected", watch="rejected")
        make_listing(ann, "ended", end_time=now() - dt.timedelta(hours=1))

        assert {row["title"] for row in rows_of(api(ann).get(URL + asked))} == found

    def test_are_new_since_an_instant(self, ann, api):
        old = make_listing(ann, "old")
        AuctionListing.objects.filter(pk=old.pk).update(created_at=now() - dt.timedelta(days=1))
        make_listing(ann, "new")
        since = (now() - dt.timedelta(hours=1)).isoformat().replace("+00:00", "Z")

        rows = rows_of(api(ann).get(URL, {"new_since": since}))

        assert [row["title"] for row in rows] == ["new"]

    @pytest.mark.parametrize(
        ("ordering", "first"),
        [
            ("end_time", "soonest"),
            ("landed_per_kg", "cheap"),
            ("landed_cost", "cheap"),
            ("current_price", "soonest"),
            ("-bid_count", "wanted"),
        ],
    )
    def test_are_sorted_what_is_unknown_last(self, ann, api, ordering, first):
        make_listing(ann, "no end", end_time=None, current_price=30)
        make_listing(ann, "soonest", end_time=now() + dt.timedelta(hours=1), current_price=1)
        make_listing(ann, "cheap", landed_cost=9, landed_per_kg=3)
        make_listing(ann, "wanted", bid_count=9, landed_cost=90, landed_per_kg=30)

        rows = rows_of(api(ann).get(URL, {"ordering": ordering}))

        assert rows[0]["title"] == first

    def test_are_mine_by_my_bid_my_highest_one_or_my_name(self, ann, api):
        ann.bidder_name = "B****7"
        ann.save()
        make_listing(ann, "bid", my_bid=21)
        make_listing(ann, "would bid", max_bid=30)
        make_listing(ann, "leads", highest_bidder="b****7")
        make_listing(ann, "another's", highest_bidder="b****1")
        make_listing(ann, "nobody's")

        rows = rows_of(api(ann).get(f"{URL}?my_bids=true"))

        assert {row["title"] for row in rows} == {"bid", "would bid", "leads"}

    def test_stay_in_sight_once_won(self, ann, api):
        make_listing(ann, "won", end_time=now() - dt.timedelta(hours=1), outcome="won")

        assert [row["status"] for row in rows_of(api(ann).get(URL))] == ["won"]

    def test_are_entered_by_hand_with_the_weight_in_their_title(self, ann, api):
        response = api(ann).post(
            URL, {"title": "Garage sale, 10 lbs", "current_price": "15", "shipping_cost": "0"}
        )

        (row,) = rows_of(response)
        assert response.status_code == 201
        assert (row["origin"], row["weight_grams"], row["landed_cost"]) == (
            "entered",
            "4535.92",
            "15.0000",
        )
        assert row["landed_per_kg"] == "3.3100"
        assert row["time_remaining"] == ""

    def test_of_the_highest_prices_and_the_least_weight_are_summed_up(self, ann, api):
        most = "99999999.9999"
        body = {"current_price": most, "shipping_cost": most, "handling_cost": most}

        response = api(ann).post(URL, {"title": "Gold", "weight_grams": "0.01", **body})

        (row,) = rows_of(response)
        assert response.status_code == 201
        assert row["landed_cost"] == "300000000.0000"
        assert row["landed_per_kg"] == "30000000000000.0000"

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({"current_price": "1"}, "title"),
            ({"title": "x", "current_price": "-1"}, "current_price"),
            ({"title": "x", "current_price": "1", "end_time": "tomorrow"}, "end_time"),
            ({"title": "x", "current_price": "1", "listing_url": "javascript:x"}, "listing_url"),
            ({"title": "x", "current_price": "1", "outcome": "stolen"}, "outcome"),
        ],
    )
    def test_that_are_wrong_name_the_field(self, ann, api, body, field):
        response = api(ann).post(URL, body)

        assert response.status_code == 400
        assert list(response.json()["meta"]["error"]["fields"]) == [field]
        assert not AuctionListing.objects.exists()

    def test_of_the_site_keep_its_facts(self, ann, api):
        listing = make_listing(ann, external_id="300000001")

        response = api(ann).patch(f"{URL}/{listing.pk}", {"title": "Mine", "watch": "watching"})

        assert response.status_code == 400
        assert response.json()["meta"]["error"]["fields"] == {"title": ["comes from the site"]}
        listing.refresh_from_db()
        assert (listing.title, listing.watch) == ("12 lbs of LEGO", "")

    def test_take_decisions(self, ann, api):
        listing = make_listing(ann, external_id="300000001")

        response = api(ann).patch(
            f"{URL}/{listing.pk}",
            {"watch": "watching", "my_bid": "22", "max_bid": "30.5", "note": "two boxes"},
        )

        (row,) = rows_of(response)
        assert (row["status"], row["my_bid"], row["max_bid"], row["note"]) == (
            "leading",
            "22.0000",
            "30.5000",
            "two boxes",
        )


class TestAskingTheSite:
    def test_refreshes_one_listing(self, ann, api, site_url):
        listing = make_listing(ann, external_id="300000001")

        gone = api(ann).post(f"{URL}/{listing.pk}/refresh")

        assert gone.status_code == 404
        assert "no such listing" in gone.json()["message"]

    @pytest.mark.parametrize("number", ["1", "0", "302217423", "999999999999"])
    def test_that_the_site_does_not_know_is_404_by_its_link(self, ann, api, site_url, number):
        for link in (number, f"https://shopgoodwill.com/item/{number}"):
            answer = api(ann).post(f"{URL}/byLink", {"link": link})

            assert answer.status_code == 404
            assert "no such listing" in answer.json()["message"]

    @pytest.mark.parametrize("verb", ["refresh", "shipping"])
    def test_about_anothers_listing_is_a_404(self, ann, bo, api, site_url, auction_server, verb):
        listing = make_listing(ann, external_id="300000001")

        response = api(bo).post(f"{URL}/{listing.pk}/{verb}")

        assert response.status_code == 404
        assert auction_server.asked == []

    def test_starts_a_job_for_all(self, ann, api, site_url):
        make_search(ann)

        response = api(ann).post(f"{URL}/refresh")

        assert response.status_code == 202
        assert rows_of(response)[0]["kind"] == "auctions.refresh_listings"

    def test_asks_for_those_in_sight_that_no_search_finds(
        self, ann, bo, api, site_url, auction_server
    ):
        shown = make_listing(ann, external_id="300000001")
        make_listing(ann, external_id="300000002")
        anothers = make_listing(bo, external_id="300000003")

        response = api(ann).post(f"{URL}/refresh", {"shown": [shown.pk, anothers.pk]})
        run_jobs()

        assert response.status_code == 202
        assert auction_server.asked == ["/api/ItemDetail/GetItemDetailModelByItemId/300000001"]

    @pytest.mark.parametrize("shown", ["7", ["x"], [0], [1] * 501])
    def test_takes_ids_of_listings_alone(self, ann, api, site_url, shown):
        make_search(ann)

        response = api(ann).post(f"{URL}/refresh", {"shown": shown}, format="json")

        assert response.status_code == 400
        assert not Job.objects.exists()

    def test_says_what_is_missing_where_there_is_nothing_to_ask(self, ann, api, site_url):
        response = api(ann).post(f"{URL}/refresh")

        assert response.status_code == 409
        assert "add a saved search" in response.json()["message"]

    def test_is_told_to_be_off(self, ann, api, settings):
        settings.AUCTIONS_IS_DEMO = False
        settings.AUCTIONS_LIVE = False
        client = api(ann)

        (row,) = rows_of(client.get("/api/auctionSite"))

        assert (row["is_on"], row["is_demo"]) == (False, False)
        assert client.post(f"{URL}/byLink", {"link": "300000001"}).status_code == 409


class TestSearches:
    def test_are_kept_once(self, ann, api):
        client = api(ann)
        client.post("/api/auctionSearches", {"text": "lego bulk"})

        again = client.post("/api/auctionSearches", {"text": "lego bulk"})

        assert again.status_code == 400
        assert "text" in again.json()["meta"]["error"]["fields"]
        assert AuctionSearch.objects.count() == 1

    def test_are_switched_off_and_deleted(self, ann, api):
        search = make_search(ann)
        client = api(ann)

        (row,) = rows_of(client.patch(f"/api/auctionSearches/{search.pk}", {"is_active": False}))
        assert row["is_active"] is False
        assert client.delete(f"/api/auctionSearches/{search.pk}").status_code == 200

        assert not AuctionSearch.objects.exists()


class TestTax:
    def test_is_the_callers(self, ann, api):
        make_listing(ann, shipping_cost=Decimal(10))

        response = api(ann).patch("/api/auctionSite", {"tax_percent": "10"})

        assert rows_of(response)[0]["tax_percent"] == "10.000"
        assert AuctionListing.objects.get().landed_cost == 33

    def test_is_a_percentage(self, ann, api):
        response = api(ann).patch("/api/auctionSite", {"tax_percent": "120"})

        assert response.status_code == 400
