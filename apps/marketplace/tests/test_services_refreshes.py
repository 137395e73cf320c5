import datetime as dt
from decimal import Decimal

import pytest

from apps.accounts.services.users import preferences_of
from apps.catalog.models import PricePoint, PriceSetting, PriceStat
from apps.catalog.services.prices import record_figures
from apps.core.clock import now
from apps.core.errors import Invalid
from apps.core.jobs.dispatch import cancel_job, retry_job, start_due_jobs, start_job
from apps.core.jobs.models import Job
from apps.core.jobs.run import progressed
from apps.core.jobs.runner import run_job
from apps.core.testing.jobs import run_jobs, run_twice
from apps.core.testing.threads import at_once
from apps.inventory.services.channels import channel_of_files
from apps.inventory.tests.factories import make_stock
from apps.marketplace.models import CallDay, LotRefresh, MarketplaceConnection, PriceWant
from apps.marketplace.providers.base import CallKind
from apps.marketplace.selectors import GET_PRICES
from apps.marketplace.services.calls import LimitReached, spend_call
from apps.marketplace.services.connections import NotConnected, connect_demo_store
from apps.marketplace.services.refreshes import (
    KIND,
    start_refresh,
    want_valuable_prices,
)
from apps.marketplace.tests.factories import failing, make_part, sold

NOON = dt.datetime(2026, 11, 21, 12, 0, tzinfo=dt.UTC)
PRICES = "/price"


def calls(store):
    """How often the price guide was asked."""
    return sum(count for name, count in store.calls.items() if name.endswith(PRICES))


def refresh(owner, *lots):
    start_refresh(owner=owner, lot_ids=[lot.pk for lot in lots], now=now())
    return run_jobs()[-1]


def long_ago(**also):
    LotRefresh.objects.update(refreshed_at=NOON - dt.timedelta(days=400), **also)


@pytest.mark.django_db
class TestStartRefresh:
    def test_connects_the_demo_store_for_who_has_none(self, ann, store):
        job = start_refresh(owner=ann, lot_ids=[make_part().pk], now=NOON)

        assert (job.kind, job.total) == (KIND, 1)
        assert MarketplaceConnection.objects.get(owner=ann).is_demo is True

    def test_needs_a_connection_to_the_real_one(self, ann, store, settings):
        settings.MARKETPLACE_IS_DEMO = False

        with pytest.raises(NotConnected):
            start_refresh(owner=ann, lot_ids=[make_part().pk], now=NOON)

        assert not Job.objects.exists()

    @pytest.mark.parametrize("wanted", [[], [10**9], list(range(1, 502))])
    def test_refuses_what_is_no_lot_or_too_many(self, connected, wanted):
        with pytest.raises(Invalid):
            start_refresh(owner=connected, lot_ids=wanted, now=NOON)

        assert not Job.objects.exists()

    def test_asks_for_each_once(self, connected):
        lot = make_part()

        job = start_refresh(owner=connected, lot_ids=[lot.pk, lot.pk], now=NOON)

        assert job.payload["lot_ids"] == [lot.pk]


@pytest.mark.django_db
class TestRefresh:
    def test_fills_the_figures_of_both_conditions_and_regions(self, connected):
        lot = make_part()

        job = refresh(connected, lot)

        assert (job.state, job.result) == (
            "succeeded",
            {"refreshed": 1, "left_out": 0, "failed_count": 0},
        )
        found = PriceStat.objects.filter(lot=lot, currency="EUR")
        assert {(row.condition, row.region) for row in found} == {
            ("U", "global"),
            ("U", "us"),
            ("N", "global"),
            ("N", "us"),
        }
        world = found.get(condition="U", region="global")
        assert world.avg_sold_price > 0
        assert world.low_price <= world.avg_inventory_price
        assert world.sell_through == (Decimal(world.sold_quantity) / world.stock_quantity).quantize(
            Decimal("0.0001")
        )
        assert found.get(condition="U", region="us").sold_quantity < world.sold_quantity

    @pytest.mark.parametrize("region", ["eu", "DE"])
    def test_fills_those_of_the_rules_region_too(self, connected, region):
        PriceSetting.objects.create(user=connected, region=region)

        refresh(connected, make_part())

        assert set(PriceStat.objects.values_list("region", flat=True)) == {"global", "us", region}

    def test_finds_out_that_the_secrets_are_taken(self, connected):
        refresh(connected, make_part())

        connection = MarketplaceConnection.objects.get()
        assert (connection.state, connection.tested_at is None) == ("ok", False)

    def test_asks_no_more_often_than_it_must(self, connected, store):
        refresh(connected, make_part())

        assert calls(store) == 6  # the US sales are among the world's
        day = CallDay.objects.get(owner=connected)
        assert (day.total, day.lookup) == (6, 6)

    def test_asks_for_us_sales_where_not_all_are_told(self, connected, store):
        before = calls(store)

        refresh(connected, *[make_part(str(number)) for number in range(3100, 3112)])

        assert 12 * 6 < calls(store) - before <= 12 * 8

    def test_stores_null_where_there_is_no_data(self, connected):
        refresh(connected, *[make_part(str(number)) for number in range(3000, 3008)])

        rows = PriceStat.objects.filter(region="global")
        unsold = rows.filter(sold_quantity=0)
        assert unsold.exists()
        assert not unsold.filter(avg_sold_price__isnull=False).exists()
        assert not rows.filter(avg_sold_price=0).exists()
        assert not rows.filter(stock_quantity=0, sell_through__isnull=False).exists()

    def test_keeps_one_point_of_history_a_day(self, connected):
        lot = make_part()
        refresh(connected, lot)
        long_ago()
        PricePoint.objects.update(day=NOON.date() - dt.timedelta(days=400))

        refresh(connected, lot)
        long_ago()
        refresh(connected, lot)

        days = PricePoint.objects.filter(lot=lot, condition="U", region="global")
        assert days.count() == 2
        stat = PriceStat.objects.get(lot=lot, condition="U", region="global")
        newest = days.order_by("day").last()
        assert newest.avg_sold_price == stat.avg_sold_price

    def test_leaves_out_what_was_asked_for_just_now(self, connected, store):
        lot = make_part()
        refresh(connected, lot)
        before = calls(store)

        job = refresh(connected, lot)

        assert job.result == {"refreshed": 0, "left_out": 1, "failed_count": 0}
        assert calls(store) == before

    def test_does_not_wait_for_a_clock_that_was_set_back(self, connected, store):
        lot = make_part()
        refresh(connected, lot)
        LotRefresh.objects.update(refreshed_at=now() + dt.timedelta(days=400))

        assert refresh(connected, lot).result["refreshed"] == 1

    def test_shows_figures_to_nobody_but_the_person_whose_key_asked(
        self, connected, bo, store, api
    ):
        lot = make_part()
        refresh(connected, lot)

        (mine,), (others,) = (
            api(person).get("/api/catalogLots", {"id": lot.pk}).json()["data"]
            for person in (connected, bo)
        )
        history = api(bo).get(f"/api/catalogLots/{lot.pk}/prices").json()["data"][0]

        assert mine["reference_price"] is not None
        assert (others["reference_price"], others["bricklinkSyncedAt"]) == (None, None)
        assert (history["figures"], history["points"]) == ([], [])

    def test_asks_in_the_currency_of_the_person(self, connected, store):
        lot = make_part()
        refresh(connected, lot)
        preferences = preferences_of(user=connected)
        preferences.currency = "USD"
        preferences.save(update_fields=["currency"])
        refresh(connected, lot)

        assert {row.currency for row in PriceStat.objects.all()} == {"EUR", "USD"}

    def test_tells_what_the_market_does_not_know_and_goes_on(self, connected):
        odd, good = make_part("nosuchpart"), make_part()

        job = refresh(connected, odd, good)

        assert job.state == "succeeded"
        assert job.result == {"refreshed": 1, "left_out": 0, "failed_count": 1}
        (failed,) = job.failed
        assert (failed["id"], failed["name"]) == (odd.pk, "nosuchpart Red")
        assert "no such item" in failed["reason"]
        assert not PriceStat.objects.filter(lot=odd).exists()

    def test_goes_on_after_the_same_lot_where_it_was_killed(self, connected, store):
        lots = [make_part(), make_part("3002")]
        job = start_refresh(owner=connected, lot_ids=[lot.pk for lot in lots], now=now())
        dying = Dying(after=3)
        progressed.connect(dying)
        try:
            with pytest.raises(SystemExit):
                run_job(job.pk)
        finally:
            progressed.disconnect(dying)
        Job.objects.update(lease_until=now() - dt.timedelta(days=1))

        run_job(job.pk)

        job.refresh_from_db()
        assert (job.state, job.result["refreshed"]) == ("succeeded", 2)
        assert PriceStat.objects.count() == 8

    def test_asks_nobody_twice_when_it_is_delivered_twice(self, connected, store):
        lot = make_part()

        job = run_twice(
            owner=connected, kind=KIND, payload={"lot_ids": [lot.pk], "currency": "EUR"}
        )

        assert job.state == "succeeded"
        assert calls(store) == 6

    def test_stops_when_it_is_cancelled_and_leaves_the_lot_free(self, connected, store):
        lots = [make_part(), make_part("3002")]
        job = start_refresh(owner=connected, lot_ids=[lot.pk for lot in lots], now=now())
        cancelling = Cancelling(job, after=3)
        progressed.connect(cancelling)
        try:
            run_job(job.pk)
        finally:
            progressed.disconnect(cancelling)

        job.refresh_from_db()
        assert job.state == "cancelled"
        assert calls(store) < 6
        assert not LotRefresh.objects.exclude(claimed_until=None).exists()


class Dying:
    """A worker that is killed after so many steps: nothing of its own is tidied up."""

    def __init__(self, after):
        self.left = after

    def __call__(self, **_):
        self.left -= 1
        if self.left == 0:
            raise SystemExit


class Cancelling:
    """A person who cancels after so many steps."""

    def __init__(self, job, after):
        self.job, self.left = job, after

    def __call__(self, **_):
        self.left -= 1
        if self.left == 0:
            cancel_job(job=self.job)


@pytest.mark.django_db
class TestWithoutAService:
    @pytest.fixture
    def lots(self):
        return [make_part(str(number)) for number in range(3001, 3006)]

    @pytest.mark.parametrize(
        ("mode", "told"),
        [
            ("html", "a page for people"),
            ("before", "an internal error"),
            ("empty", "sent nothing"),
            ("throttled_bare", "fewer calls"),
            ("throttled_in_200", "fewer calls"),
        ],
    )
    def test_says_why_it_waits(self, connected, store, lots, mode, told, no_pauses):
        failing(store, mode, times=99)

        job = refresh(connected, *lots)

        assert job.state == "queued"
        assert told in job.message
        assert not PriceStat.objects.exists()
        assert not LotRefresh.objects.exclude(claimed_until=None).exists()

    def test_fails_with_the_reason_where_the_secrets_are_refused(self, connected, store, lots):
        failing(store, "unauthorized_in_200", times=99)

        job = refresh(connected, *lots)

        assert job.state == "failed"
        assert "registered for another address" in job.message
        assert not LotRefresh.objects.exclude(claimed_until=None).exists()

    def test_goes_on_with_every_lot_when_the_marketplace_is_back(
        self, connected, store, lots, no_pauses
    ):
        failing(store, "html", times=99)
        start_refresh(owner=connected, lot_ids=[lot.pk for lot in lots], now=now())

        for _ in range(6):  # more often than a job is tried otherwise
            Job.objects.update(not_before=None)
            (job,) = run_jobs()
        assert (job.state, CallDay.objects.get().total) == ("queued", 6 * 9)  # three lots each
        assert "0 of 5 lots were refreshed. Trying again." in job.message
        store.failures.clear()
        Job.objects.update(not_before=None)
        (job,) = run_jobs()

        assert (job.state, job.result["refreshed"], job.failed_count) == ("succeeded", 5, 0)

    @pytest.mark.parametrize("number", [3001, 3005])  # the first and the last
    def test_goes_on_when_only_one_lot_has_no_answer(
        self, connected, store, lots, number, no_pauses
    ):
        failing(store, "html", times=3, path=f"/{number}/price")

        job = refresh(connected, *lots)

        assert (job.state, job.result["refreshed"], job.failed_count) == ("succeeded", 4, 1)

    def test_marks_the_connection_whose_secrets_are_refused(self, connected, store, lots):
        failing(store, "unauthorized_in_200")

        refresh(connected, *lots)

        assert MarketplaceConnection.objects.get().state == "refused"
        assert CallDay.objects.get().total == 1

    def test_stops_at_the_days_calls_and_goes_on_the_next_day(
        self, connected, store, lots, settings
    ):
        settings.MARKETPLACE_DAILY_CALLS = 17  # look-ups up to 14: two lots and a piece

        job = refresh(connected, *lots)

        assert job.state == "failed"
        assert "14 of today's 17 calls are used" in job.message
        assert "2 of 5 lots were refreshed" in job.message
        assert PriceStat.objects.count() == 9  # what was paid for is kept
        CallDay.objects.all().delete()
        settings.MARKETPLACE_DAILY_CALLS = 5_000
        retry_job(job=job)
        (job,) = run_jobs()
        assert (job.state, job.result["refreshed"]) == ("succeeded", 5)

    def test_says_that_the_connection_is_gone(self, connected, lots):
        start_refresh(owner=connected, lot_ids=[lots[0].pk], now=now())
        MarketplaceConnection.objects.all().delete()

        (job,) = run_jobs()

        assert (job.state, job.message.startswith("Connect your store first")) == ("failed", True)


@pytest.mark.django_db
class TestWantValuablePrices:
    def wanted(self):
        rows = PriceWant.objects.order_by("-urgency", "pk")
        return list(rows.values_list("lot_id", flat=True))

    def test_begins_with_what_is_worth_most(self, connected, bo):
        cheap, dear, many = make_part("3001"), make_part("3002"), make_part("3003")
        make_stock(connected, cheap, quantity=10, price=Decimal("0.01"))
        make_stock(connected, dear, quantity=1, price=Decimal("9.00"))
        make_stock(connected, many, quantity=100, price=Decimal("0.05"))
        make_stock(connected, make_part("3004"), quantity=0)
        make_stock(bo, make_part("3005"))

        assert want_valuable_prices(now=NOON) == 3

        assert self.wanted() == [dear.pk, many.pk, cheap.pk]
        assert Job.objects.get(kind=GET_PRICES).owner == connected
        assert not PriceWant.objects.filter(is_unasked=False).exists()

    def test_leaves_out_what_is_fresh_or_unknown(self, connected):
        fresh, unknown, old = make_part("3001"), make_part("3002"), make_part("3003")
        day = dt.timedelta(days=1)
        for lot, age in ((fresh, 4 * day), (old, 6 * day)):
            make_stock(connected, lot)
            record_figures(owner=connected, figures=[sold(lot)], now=NOON - age)
        make_stock(connected, unknown)
        LotRefresh.objects.create(
            owner=connected, lot=unknown, currency="EUR", unknown_at=NOON - 29 * day
        )

        want_valuable_prices(now=NOON)

        assert self.wanted() == [old.pk]

    def test_leaves_calls_to_the_person(self, connected, settings):
        settings.MARKETPLACE_DAILY_CALLS = 8  # unasked up to 2
        for number in range(3001, 3005):
            make_stock(connected, make_part(str(number)))
        want_valuable_prices(now=NOON)

        (job,) = run_jobs()

        assert job.state == "succeeded"
        assert CallDay.objects.get().total == 2
        assert not PriceWant.objects.exists()

    def test_starts_once_however_often_it_is_delivered(self, connected):
        make_stock(connected, make_part())

        want_valuable_prices(now=NOON)
        want_valuable_prices(now=NOON)

        assert Job.objects.filter(kind=GET_PRICES).count() == 1

    def test_leaves_refused_secrets_alone(self, connected):
        MarketplaceConnection.objects.update(state="refused", problem="no")
        make_stock(connected, make_part())

        assert want_valuable_prices(now=NOON) == 0

    def test_is_started_by_the_workers(self, connected, store):
        make_stock(connected, make_part())

        start_due_jobs(now=now())
        run_jobs()

        assert PriceStat.objects.filter(region="global").exists()


@pytest.mark.django_db
class TestTheLimitOfTheAccount:
    """Other tools call on the same account, so the marketplace may refuse before our own limit."""

    @pytest.fixture
    def refused(self, connected, store):
        store.sellers.daily_calls = 3
        refresh(connected, make_part())
        return CallDay.objects.get(owner=connected)

    def test_a_refusal_lowers_the_allowance_of_the_day(self, api, connected, store, refused):
        (row,) = api(connected).get("/api/marketplaceConnection").json()["data"]
        sent = calls(store)

        with pytest.raises(LimitReached) as problem:
            spend_call(channel=channel_of_files(connected), kind=CallKind.STOCK, now=now())

        assert (row["calls"]["used"], row["calls"]["limit"], row["calls"]["left"]) == (4, 4, 0)
        assert "other tools" in problem.value.text
        assert calls(store) == sent

    def test_a_few_more_are_tried_after_an_hour(self, connected, refused):
        an_hour_ago = now() - dt.timedelta(hours=1)
        CallDay.objects.filter(pk=refused.pk).update(refused_at=an_hour_ago)

        spend_call(channel=channel_of_files(connected), kind=CallKind.STOCK, now=now())

        refused.refresh_from_db()
        assert (refused.total, refused.allowance) == (5, 4 + 250)

    def test_it_ends_with_the_day(self, connected, refused):
        spend_call(
            channel=channel_of_files(connected),
            kind=CallKind.GUIDE,
            now=now() + dt.timedelta(days=1),
        )

        assert CallDay.objects.filter(owner=connected).count() == 2

    def test_a_time_to_wait_is_no_limit_of_the_day(self, connected, store):
        failing(store, "throttled_bare")
        refresh(connected, make_part())

        assert CallDay.objects.get(owner=connected).allowance is None


@pytest.mark.django_db(transaction=True)
class TestTwoAtOnce:
    def test_ask_for_a_lot_once(self, ann, store):
        lot = make_part()
        connect_demo_store(owner=ann, now=now())
        jobs = [
            start_job(
                owner=ann, kind=KIND, payload={"lot_ids": [lot.pk], "currency": "EUR"}, total=1
            )
            for _ in range(2)
        ]

        at_once(lambda number: run_job(jobs[number].pk), threads=2)

        assert calls(store) == 6
        results = [Job.objects.get(pk=job.pk).result for job in jobs]
        assert sorted(result["refreshed"] for result in results) == [0, 1]
        assert sorted(result["left_out"] for result in results) == [0, 1]
