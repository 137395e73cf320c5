"""What is asked of the site, politely, and what comes of its moods."""

import datetime as dt
import time
from decimal import Decimal

import pytest
from django.urls import reverse

from apps.auctions.models import AuctionListing, SiteState
from apps.auctions.services import listings, searches, site
from apps.auctions.services.listings import (
    NotFromTheSite,
    NoZipCode,
    ShippingUnknown,
    add_by_link,
    calculate_shipping,
    keep_found,
    refresh_listing,
    set_buyer_options,
)
from apps.auctions.services.site import (
    NoSuchListing,
    SiteDidNotAnswer,
    SiteHalted,
    SiteIsBusy,
    SiteIsOff,
)
from apps.auctions.tests.factories import make_listing, make_search
from apps.core.clock import now
from apps.core.errors import Invalid
from apps.core.jobs.models import JobState
from apps.core.testing.jobs import run_jobs
from apps.core.testing.queries import count_queries
from simulators.auctions.listings import open_listings

pytestmark = pytest.mark.django_db


def first_open():
    return open_listings(dt.datetime.fromtimestamp(time.time(), dt.UTC))[30]


@pytest.fixture
def listing(ann, site_url):
    """A listing of the site, as a search would have made it."""
    return make_listing(ann, external_id=str(first_open().item_id), current_price=Decimal(1))


class TestRefreshListing:
    def test_takes_over_what_the_site_tells(self, listing):
        theirs = first_open()
        begun = now()

        row = refresh_listing(listing=listing, clock=now)

        ended = now()
        assert row.title == theirs.title
        assert row.end_time == theirs.ends
        assert row.current_price in {theirs.price(begun), theirs.price(ended)}
        assert row.minimum_bid == row.current_price + 1
        assert row.bid_count in {theirs.bids(begun), theirs.bids(ended)}
        assert row.seller == theirs.seller[1]
        assert row.location == ", ".join(theirs.seller[2:])
        assert "<" not in row.description
        assert row.image_url.startswith("/static/icons/samples/")
        assert row.handling_cost == 3
        assert row.listing_url == f"https://shopgoodwill.com/item/{theirs.item_id}"

    def test_leaves_what_the_person_decided(self, listing):
        AuctionListing.objects.filter(pk=listing.pk).update(
            watch="watching", note="boxes", my_bid=25, max_bid=40, weight_grams=4000
        )

        row = refresh_listing(listing=listing, clock=now)

        assert (row.watch, row.note, row.my_bid, row.max_bid, row.weight_grams) == (
            "watching",
            "boxes",
            25,
            40,
            4000,
        )

    def test_leaves_shipping_unknown_though_the_site_says_0(self, listing):
        row = refresh_listing(listing=listing, clock=now)

        assert (row.shipping_cost, row.landed_cost) == (None, None)

    def test_does_not_ask_again_so_soon(self, listing, auction_server, settings):
        settings.AUCTIONS_FRESH_SECONDS = 60
        refresh_listing(listing=listing, clock=now)
        listing.refresh_from_db()

        refresh_listing(listing=listing, clock=now)

        assert len(auction_server.asked) == 1

    @pytest.mark.parametrize(
        ("mood", "refusal", "words"),
        [
            ("broken", SiteDidNotAnswer, "status 500"),
            ("html", SiteDidNotAnswer, "a page instead of data"),
            ("gone", NoSuchListing, "no such listing"),
            ("forbidden", SiteHalted, "refuses us"),
            ("throttled", SiteHalted, "asks to slow down"),
        ],
    )
    def test_keeps_what_is_known_when_the_site_fails(self, listing, play, mood, refusal, words):
        play(mood)

        with pytest.raises(refusal, match=words):
            refresh_listing(listing=listing, clock=now)

        listing.refresh_from_db()
        assert (listing.current_price, listing.checked_at) == (Decimal(1), None)

    def test_of_one_entered_by_hand_is_refused(self, ann, site_url, auction_server):
        with pytest.raises(NotFromTheSite):
            refresh_listing(listing=make_listing(ann), clock=now)

        assert auction_server.asked == []


class TestPoliteness:
    def test_stops_all_calls_after_a_refusal(self, listing, play, auction_server):
        play("forbidden")
        with pytest.raises(SiteHalted):
            refresh_listing(listing=listing, clock=now)

        with pytest.raises(SiteHalted):
            refresh_listing(listing=listing, clock=now)

        assert len(auction_server.asked) == 1
        site.lift_halt()
        refresh_listing(listing=listing, clock=now)
        assert len(auction_server.asked) == 2

    def test_stops_when_an_operator_says_so_until_it_is_lifted(
        self, ann, api, staff, client, listing, auction_server
    ):
        client.force_login(staff)
        url = reverse("admin:auctions_sitestate_changelist")
        assert client.get(url).status_code == 200
        client.post(url, {"action": "stop", "_selected_action": [1]})

        with pytest.raises(SiteHalted, match="the operator stopped it"):
            refresh_listing(listing=listing, clock=now)
        assert auction_server.asked == []
        (told,) = api(ann).get("/api/auctionSite").json()["data"]
        assert told["halted_because"] == "the operator stopped it"

        client.post(url, {"action": "ask_again", "_selected_action": [1]})
        refresh_listing(listing=listing, clock=now)
        assert len(auction_server.asked) == 1

    def test_leaves_time_between_calls(self, site_url, settings):
        settings.AUCTIONS_CALL_GAP_MS = 2_000
        time_is = [now()]
        waited = []

        def wait(seconds):
            waited.append(seconds)
            time_is[0] += dt.timedelta(seconds=seconds)

        for _ in range(2):
            site.ask(lambda _: None, clock=lambda: time_is[0], wait=wait)

        assert round(sum(waited), 1) == 2.0

    def test_does_not_let_a_person_wait_for_ever(self, site_url, settings):
        settings.AUCTIONS_CALL_GAP_MS = 2_000
        instant = now()
        SiteState.objects.create(pk=1, next_call_at=instant + dt.timedelta(seconds=9.5))
        time_is = [instant]

        def wait(seconds):
            time_is[0] += dt.timedelta(seconds=seconds)
            # Others take each turn.
            SiteState.objects.update(next_call_at=time_is[0] + dt.timedelta(seconds=1))

        with pytest.raises(SiteIsBusy):
            site.ask(lambda _: None, clock=lambda: time_is[0], wait=wait)

    def test_the_real_site_is_off_unless_switched_on(self, ann, settings, listing, auction_server):
        settings.AUCTIONS_IS_DEMO = False
        settings.AUCTIONS_LIVE = False

        with pytest.raises(SiteIsOff):
            refresh_listing(listing=listing, clock=now)
        with pytest.raises(SiteIsOff):
            searches.start_refresh(owner=ann, now=now())

        assert auction_server.asked == []


class TestCalculateShipping:
    def test_reckons_the_landed_cost(self, ann, listing):
        ann.zip_code = "90210"
        ann.save()
        set_buyer_options(owner=ann, options={"tax_percent": Decimal(10)})

        row = calculate_shipping(listing=listing, clock=now)

        assert row.shipping_method == "Ground home delivery"
        assert row.handling_cost == 3
        assert row.landed_cost == round(
            (row.current_price + row.shipping_cost + 3) * Decimal("1.1"), 2
        )
        assert row.shipping_at is not None

    def test_needs_a_zip_code_and_names_the_field(self, listing):
        with pytest.raises(NoZipCode) as refused:
            calculate_shipping(listing=listing, clock=now)

        assert refused.value.fields == {"zip_code": ["Enter your ZIP code."]}

    def test_stays_unknown_where_it_cannot_be_read(self, ann, listing, play):
        ann.zip_code = "90210"
        ann.save()
        play("unreadable")

        with pytest.raises(ShippingUnknown):
            calculate_shipping(listing=listing, clock=now)

        listing.refresh_from_db()
        assert (listing.shipping_cost, listing.landed_cost) == (None, None)


class TestAddByLink:
    def test_makes_the_listing(self, ann, site_url):
        theirs = first_open()

        made, is_new = add_by_link(
            owner=ann, link=f"https://shopgoodwill.com/item/{theirs.item_id}", clock=now
        )

        assert (made.owner, made.title, made.external_id) == (
            ann,
            theirs.title,
            str(theirs.item_id),
        )
        assert is_new

    def test_of_one_that_is_there_makes_no_second(self, ann, listing):
        made, is_new = add_by_link(owner=ann, link=listing.external_id, clock=now)

        assert (made.pk, is_new) == (listing.pk, False)
        assert AuctionListing.objects.count() == 1

    def test_refuses_other_addresses(self, ann, site_url, auction_server):
        with pytest.raises(Invalid):
            add_by_link(owner=ann, link="https://evil.example/item/1", clock=now)

        assert auction_server.asked == []


class TestRefreshAll:
    def run(self, ann):
        job = searches.start_refresh(owner=ann, now=now())
        run_jobs()
        job.refresh_from_db()
        return job

    def test_finds_the_pages_of_each_search(self, ann, site_url):
        search = make_search(ann, "lego")

        job = self.run(ann)

        assert (job.state, job.result) == (JobState.SUCCEEDED, {"new": 60, "renewed": 0})
        search.refresh_from_db()
        assert (search.found_count, search.problem) == (60, "")
        assert AuctionListing.objects.owned_by(ann).count() == 60

    def test_makes_no_listing_twice(self, ann, site_url):
        make_search(ann, "lego")
        make_search(ann, "lego minifigures")
        self.run(ann)

        job = self.run(ann)

        assert job.result["new"] == 0
        assert AuctionListing.objects.count() == 60

    def test_takes_quotation_marks_and_odd_words(self, ann, site_url):
        make_search(ann, 'lego "bulk" lot')

        job = self.run(ann)

        assert (job.state, job.failed) == (JobState.SUCCEEDED, [])
        assert AuctionListing.objects.count() > 0

    def test_drops_markup_in_titles(self, ann, site_url, play):
        make_search(ann, "technic")
        play("markup")

        self.run(ann)

        titles = set(AuctionListing.objects.values_list("title", flat=True))
        assert titles == {"LEGO Technic Gears, Beams & Pins 3 kg"}

    def test_refuses_a_listing_whose_end_no_calendar_has(self, ann, site_url, play):
        search = make_search(ann, "lego")
        play("endless")

        job = self.run(ann)

        search.refresh_from_db()
        assert (job.state, job.result) == (JobState.SUCCEEDED, {"new": 59, "renewed": 0})
        assert job.failed == [{"error": "1 listing could not be read", "context": "lego"}]
        assert (search.found_count, search.problem) == (59, "")

    @pytest.mark.parametrize("mood", ["out_of_order", "broken", "html"])
    def test_goes_on_after_a_search_that_failed(self, ann, site_url, play, mood):
        first, second = make_search(ann, "technic"), make_search(ann, "friends")
        play(mood)

        job = self.run(ann)

        first.refresh_from_db()
        second.refresh_from_db()
        assert job.state == JobState.SUCCEEDED
        assert [one["context"] for one in job.failed] == ["technic"]
        assert first.problem != ""
        assert (second.problem, second.found_count) == ("", 6)

    def test_stops_where_the_site_refuses(self, ann, site_url, play, auction_server):
        make_search(ann, "technic")
        make_search(ann, "friends")
        play("throttled")

        job = self.run(ann)

        assert job.state == JobState.FAILED
        assert "asks to slow down" in job.message
        assert len(auction_server.asked) == 1

    def test_asks_for_watched_listings_that_no_search_found(self, ann, listing):
        AuctionListing.objects.filter(pk=listing.pk).update(watch="watching")

        job = self.run(ann)

        listing.refresh_from_db()
        assert job.result == {"new": 0, "renewed": 1}
        assert listing.title == first_open().title

    def test_is_one_job_however_often_it_is_asked_for(self, ann, site_url):
        make_search(ann)

        first = searches.start_refresh(owner=ann, now=now())
        second = searches.start_refresh(owner=ann, now=now())

        assert first.pk == second.pk

    def test_without_anything_to_ask_for_is_refused(self, ann, site_url):
        with pytest.raises(searches.NothingToRefresh):
            searches.start_refresh(owner=ann, now=now())


class TestKeepFound:
    def test_costs_the_same_for_a_page_and_for_one(self, ann, site_url):
        found = list(site.open_site().search(text="lego", category="2230", page=1).listings)
        keep_found(owner=ann, found=found, now=now())

        one, _ = count_queries(lambda: keep_found(owner=ann, found=found[:1], now=now()))
        page, _ = count_queries(lambda: keep_found(owner=ann, found=found, now=now()))

        assert len(found) == 40
        assert page == one


class TestTax:
    def test_changes_every_landed_cost(self, ann, bo):
        mine = make_listing(ann, shipping_cost=Decimal(10))
        theirs = make_listing(bo, shipping_cost=Decimal(10), landed_cost=Decimal(30))

        set_buyer_options(owner=ann, options={"tax_percent": Decimal("7.25")})

        mine.refresh_from_db()
        theirs.refresh_from_db()
        assert (mine.landed_cost, theirs.landed_cost) == (Decimal("32.1800"), Decimal(30))
        assert listings.tax_percent_of(bo) == 0
