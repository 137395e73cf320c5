import datetime as dt
from decimal import Decimal

import pytest

from apps.catalog.models import PricePoint, PriceSetting, PriceStat
from apps.catalog.services.prices import record_figures
from apps.core.clock import now
from apps.core.jobs.dispatch import cancel_job
from apps.core.jobs.models import Job
from apps.core.jobs.run import JobRun, progressed
from apps.core.jobs.runner import run_job
from apps.core.testing.jobs import run_jobs
from apps.core.testing.threads import at_once
from apps.inventory.services.channels import channel_of_files
from apps.marketplace.models import CallDay, LotRefresh, MarketplaceConnection, PriceWant
from apps.marketplace.rules.wants import Wanted
from apps.marketplace.selectors import price_run_row
from apps.marketplace.services.connections import NotConnected, connect_demo_store
from apps.marketplace.services.wants import (
    change_guide_share,
    resume_prices,
    stop_prices,
    want_prices,
)
from apps.marketplace.tests.factories import failing, make_part, sold

DAY = dt.timedelta(days=1)
HOUR = dt.timedelta(hours=1)


def calls(store):
    """How often the price guide was asked."""
    return sum(count for name, count in store.calls.items() if name.endswith("/price"))


def want(owner, *lots, condition="U", price="0.10", quantity=10, **also):
    rows = [Wanted(lot.pk, condition, quantity, price and Decimal(price)) for lot in lots]
    return want_prices(owner=owner, wanted=rows, now=now(), **also)


def parts(count, first=3001):
    return [make_part(str(number)) for number in range(first, first + count)]


def basis(owner, basis, **also):
    PriceSetting.objects.update_or_create(user=owner, defaults={"basis": basis, **also})


def go_on():
    """Let the job go on that waits; return how it is then."""
    Job.objects.filter(state="queued").update(not_before=None)
    ran = run_jobs()
    return ran[-1] if ran else None


@pytest.mark.django_db
class TestWantPrices:
    @pytest.mark.parametrize(
        ("start", "halves"),
        [("sold", "sold"), ("asked", "stock"), ("lowest", "stock")],
    )
    def test_makes_one_call_for_a_lot(self, connected, store, start, halves):
        basis(connected, start)
        lots = parts(12)

        want(connected, *lots)
        (job,) = run_jobs()

        assert (job.state, job.done, job.failed_count) == ("succeeded", 12, 0)
        assert calls(store) == 12
        rows = PriceStat.objects.filter(region="global", condition="U", currency="EUR")
        assert rows.count() == 12
        dated = "sold_synced_at" if halves == "sold" else "asked_synced_at"
        assert not rows.filter(**{f"{dated}__isnull": True}).exists()

    def test_makes_two_calls_at_most_where_nothing_was_sold(self, connected, store):
        lots = parts(40)

        want(connected, *lots)
        run_jobs()

        unsold = PriceStat.objects.filter(region="global", avg_sold_price=None).count()
        assert unsold > 0
        assert calls(store) == 40 + unsold

    def test_asks_for_the_region_of_the_rule(self, connected, store):
        basis(connected, "asked", region="us")

        want(connected, make_part())
        run_jobs()

        assert list(PriceStat.objects.values_list("region", flat=True)) == ["us"]

    def test_keeps_the_median_and_the_lowest_prices_of_a_country(self, connected, store):
        basis(connected, "sold_median", region="DE", fallback="lowest", nth=3)
        lots = parts(30)

        want(connected, *lots)
        run_jobs()
        again = calls(store)
        want(connected, *lots)
        run_jobs()

        rows = PriceStat.objects.order_by("lot_id")
        assert {row.region for row in rows} == {"DE"}
        assert calls(store) == again == 30 + sum(row.median_sold_price is None for row in rows)
        for row in rows:
            kept = [Decimal(price) for price in row.lowest_sold]
            assert kept == sorted(kept)
            assert len(kept) == min(row.sold_lots, 10)
            assert (row.median_sold_price is None) == (not kept)
            if kept:
                assert kept[0] <= row.median_sold_price
                assert kept[0] <= row.mean_sold_price

    def test_asks_for_the_condition_of_the_lot(self, connected):
        want(connected, make_part(), condition="N")
        run_jobs()

        assert set(PriceStat.objects.values_list("condition", flat=True)) == {"N"}

    def test_asks_nothing_for_a_condition_that_was_not_understood(self, connected, store):
        lot = make_part()

        want_prices(owner=connected, wanted=[Wanted(lot.pk, "?", 1, None)], now=now())
        run_jobs()

        assert calls(store) == 0

    def test_keeps_the_half_that_it_did_not_ask_for(self, connected):
        lot = make_part()
        offered = sold(
            lot,
            price=None,
            avg_inventory_price=Decimal("0.5000"),
            low_price=Decimal("0.3000"),
            sold_lots=0,
            sold_quantity=0,
            stock_lots=2,
            stock_quantity=4,
            has_sold=False,
            has_asked=True,
        )
        record_figures(owner=connected, figures=[offered], now=now())
        basis(connected, "sold")

        want(connected, lot)
        run_jobs()

        row = PriceStat.objects.get(region="global")
        assert (row.avg_inventory_price, row.low_price, row.stock_lots) == (
            Decimal("0.5000"),
            Decimal("0.3000"),
            2,
        )
        assert row.avg_sold_price > 0
        assert row.sell_through == (Decimal(row.sold_quantity) / 4).quantize(Decimal("0.0001"))
        point = PricePoint.objects.get(region="global")
        assert (point.avg_sold_price, point.avg_inventory_price) == (
            row.avg_sold_price,
            Decimal("0.5000"),
        )

    def test_asks_for_each_person_by_their_own_key(self, connected, bo, store):
        lot = make_part()
        want(connected, lot)
        run_jobs()
        connect_demo_store(owner=bo, now=now())
        before = calls(store)

        assert want(bo, lot).lots == 1
        run_jobs()

        assert calls(store) > before
        owners = PriceStat.objects.filter(region="global").values_list("owner_id", flat=True)
        assert set(owners) == {connected.pk, bo.pk}

    def test_asks_again_after_six_hours(self, connected, store):
        lot = make_part()
        record_figures(owner=connected, figures=[sold(lot)], now=now() - 7 * HOUR)

        assert want(connected, lot).lots == 1
        run_jobs()
        assert calls(store) == 1

    @pytest.mark.parametrize("noted", ["claimed_until", "unknown_at"])
    def test_does_not_wait_for_a_clock_that_was_set_back(self, connected, store, noted):
        lot = make_part()
        record_figures(owner=connected, figures=[sold(lot)], now=now() + 400 * DAY)
        LotRefresh.objects.create(
            owner=connected, lot=lot, currency="EUR", **{noted: now() + 400 * DAY}
        )

        assert want(connected, lot).lots == 1
        run_jobs()
        assert calls(store) == 1

    def test_goes_by_money_at_stake(self, connected):
        cheap, dear = make_part("3001"), make_part("3002")
        seen = []

        def see(run, **_):
            seen.extend(PriceStat.objects.order_by("pk").values_list("lot_id", flat=True))

        want_prices(
            owner=connected,
            wanted=[
                Wanted(cheap.pk, "U", 1, Decimal("0.01")),
                Wanted(dear.pk, "U", 1, Decimal("9.00")),
            ],
            now=now(),
        )
        progressed.connect(see)
        try:
            run_jobs()
        finally:
            progressed.disconnect(see)

        assert list(dict.fromkeys(seen)) == [dear.pk, cheap.pk]

    def test_counts_rows_of_a_lot_as_one(self, connected):
        lot = make_part()
        rows = [Wanted(lot.pk, "U", 3, None), Wanted(lot.pk, "U", 4, Decimal("0.50"))]

        asked = want_prices(owner=connected, wanted=rows, now=now())

        assert asked.lots == 1
        assert PriceWant.objects.get().urgency == 7 * 5_000 * 180

    def test_leaves_out_what_the_marketplace_did_not_know_lately(self, connected):
        lot = make_part()
        LotRefresh.objects.create(
            owner=connected, lot=lot, currency="EUR", unknown_at=now() - 29 * DAY
        )

        asked = want(connected, lot)

        assert (asked.lots, asked.unknown, asked.job) == (0, 1, None)

    def test_tells_what_the_marketplace_does_not_know_and_goes_on(self, connected):
        odd, good = make_part("nosuchpart"), make_part()

        want(connected, odd, good)
        (job,) = run_jobs()

        assert (job.state, job.done, job.failed_count) == ("succeeded", 2, 1)
        assert job.failed[0]["id"] == odd.pk
        assert want(connected, odd).unknown == 1

    def test_adds_to_the_job_that_runs(self, connected):
        first, second = make_part("3001"), make_part("3002")
        job = want(connected, first).job

        assert want(connected, second).job == job
        (ran,) = run_jobs()
        assert (ran.done, ran.total) == (2, 2)

    def test_takes_what_is_added_as_it_ends(self, connected, monkeypatch):
        first, second = make_part("3001"), make_part("3002")
        want(connected, first)
        real = JobRun.finish

        def finish(run, **also):
            monkeypatch.setattr(JobRun, "finish", real)
            want(connected, second)
            return real(run, **also)

        monkeypatch.setattr(JobRun, "finish", finish)
        (job,) = run_jobs()

        assert (job.state, job.done) == ("succeeded", 2)
        assert not PriceWant.objects.exists()

    def test_starts_another_job_after_the_last(self, connected):
        one = want(connected, make_part("3001")).job
        run_jobs()

        two = want(connected, make_part("3002")).job

        assert two != one
        assert run_jobs()[-1].state == "succeeded"

    def test_needs_a_connection_to_the_real_marketplace(self, ann, store, settings):
        settings.MARKETPLACE_IS_DEMO = False

        with pytest.raises(NotConnected):
            want(ann, make_part())

        assert not PriceWant.objects.exists()

    def test_gives_the_demo_store_to_who_has_none(self, ann, store):
        want(ann, make_part())

        assert MarketplaceConnection.objects.get(owner=ann).is_demo


@pytest.mark.django_db
class TestAllowance:
    def test_stays_inside_its_share_and_goes_on_the_next_day(self, connected, store, settings):
        settings.MARKETPLACE_DAILY_CALLS = 20
        basis(connected, "sold")
        change_guide_share(owner=connected, share=50, now=now())

        want(connected, *parts(15))
        (job,) = run_jobs()

        assert (job.state, job.done, job.attempts) == ("queued", 10, 0)
        assert job.message == "Today's calls for prices are used. 10 of 15 lots are done."
        assert job.not_before.time() == dt.time()
        day = CallDay.objects.get()
        assert (day.guide, day.lookup, day.total) == (10, 0, 10)
        CallDay.objects.update(day=day.day - DAY)
        job = go_on()
        assert (job.state, job.done) == ("succeeded", 15)
        assert calls(store) == 15

    def test_leaves_the_other_kinds_their_calls(self, connected, settings):
        settings.MARKETPLACE_DAILY_CALLS = 20  # prices of many lots up to 16 of all
        basis(connected, "sold")
        CallDay.objects.create(
            owner=connected,
            channel=channel_of_files(connected),
            day=now().date(),
            total=12,
            stock=12,
        )

        want(connected, *parts(8))
        run_jobs()

        day = CallDay.objects.get()
        assert (day.guide, day.total) == (4, 16)

    def test_goes_on_at_once_with_a_larger_share(self, connected, settings):
        settings.MARKETPLACE_DAILY_CALLS = 20
        basis(connected, "sold")
        change_guide_share(owner=connected, share=10, now=now())
        want(connected, *parts(3))
        run_jobs()

        change_guide_share(owner=connected, share=80, now=now())

        assert run_jobs()[-1].state == "succeeded"

    def test_keeps_what_was_paid_for_when_the_second_call_is_refused(self, connected, settings):
        settings.MARKETPLACE_DAILY_CALLS = 20
        change_guide_share(owner=connected, share=5, now=now())
        unsold = self.unsold(connected)
        want(connected, unsold)

        run_jobs()

        assert PriceStat.objects.get(lot=unsold, region="global").sold_synced_at is not None
        assert PriceWant.objects.count() == 1

    def unsold(self, owner):
        """A lot that nobody bought."""
        for lot in parts(40):
            want(owner, lot)
            before = CallDay.objects.all().delete()
            assert before
            run_jobs()
            row = PriceStat.objects.get(lot=lot, region="global")
            if row.avg_sold_price is None and row.sold_quantity == 0:
                CallDay.objects.all().delete()
                Job.objects.all().delete()
                PriceWant.objects.all().delete()
                PriceStat.objects.all().delete()
                return lot
        raise AssertionError("all were sold")

    def test_says_how_far_it_is_and_when_it_will_be_done(self, connected, settings):
        settings.MARKETPLACE_DAILY_CALLS = 20
        basis(connected, "sold")
        change_guide_share(owner=connected, share=50, now=now())
        want(connected, *parts(25))
        run_jobs()

        told = price_run_row(owner=connected, now=now())

        assert (told["lots_done"], told["lots_left"], told["state"]) == (10, 15, "queued")
        assert (told["calls_a_day"], told["calls_left_today"], told["share"]) == (10, 0, 50)
        assert told["waitsUntil"] is not None
        assert told["expectedAt"].date() == now().date() + 2 * DAY


@pytest.mark.django_db
class TestTrouble:
    def test_waits_for_a_marketplace_that_is_away(self, connected, store, no_pauses):
        failing(store, "html", times=9)
        want(connected, *parts(5))

        (job,) = run_jobs()

        assert (job.state, job.attempts, job.done) == ("queued", 0, 0)
        assert "a page for people" in job.message
        assert go_on().done == 5

    def test_tries_a_lot_without_an_answer_again_after_the_others(
        self, connected, store, no_pauses
    ):
        failing(store, "html", times=3)
        want(connected, *parts(5))

        (job,) = run_jobs()
        assert (job.state, job.done) == ("queued", 4)
        assert go_on().failed_count == 0
        assert not PriceWant.objects.exists()

    def test_waits_as_long_as_the_marketplace_says(self, connected, store):
        failing(store, "throttled_bare")
        want(connected, make_part())

        (job,) = run_jobs()

        assert "fewer calls" in job.message
        assert go_on().state == "succeeded"

    def test_waits_as_long_when_more_is_wanted_meanwhile(self, connected, store):
        failing(store, "throttled_bare")
        first, second = parts(2)
        want(connected, first)
        (job,) = run_jobs()

        asked = want(connected, second)

        job.refresh_from_db()
        assert (asked.lots, asked.job, job.not_before is not None) == (1, job, True)
        assert go_on().done == 2

    def test_goes_on_at_once_when_a_person_resumes(self, connected, store):
        failing(store, "throttled_bare")
        want(connected, make_part())
        run_jobs()

        resume_prices(owner=connected, now=now())

        assert run_jobs()[-1].state == "succeeded"

    def test_fails_on_refused_secrets_and_goes_on_when_asked(self, connected, store):
        failing(store, "unauthorized_in_200")
        want(connected, make_part())

        (job,) = run_jobs()

        assert job.state == "failed"
        assert MarketplaceConnection.objects.get().state == "refused"
        assert PriceWant.objects.count() == 1
        resume_prices(owner=connected, now=now())
        assert run_jobs()[-1].done == 1

    def test_says_that_the_connection_is_gone(self, connected):
        want(connected, make_part())
        MarketplaceConnection.objects.all().delete()

        (job,) = run_jobs()

        assert (job.state, job.message.startswith("Connect your store first")) == ("failed", True)

    def test_asks_for_no_lot_twice_after_a_kill(self, connected, store):
        basis(connected, "sold")
        job = want(connected, *parts(3)).job
        dying = Dying(after=4)
        progressed.connect(dying)
        try:
            with pytest.raises(SystemExit):
                run_job(job.pk)
        finally:
            progressed.disconnect(dying)
        Job.objects.update(lease_until=now() - DAY)

        run_job(job.pk)

        job.refresh_from_db()
        assert (job.state, job.done) == ("succeeded", 3)
        assert calls(store) <= 4


class Dying:
    """A worker that is killed after so many steps."""

    def __init__(self, after):
        self.left = after

    def __call__(self, **_):
        self.left -= 1
        if self.left == 0:
            raise SystemExit


@pytest.mark.django_db
class TestStop:
    def test_forgets_what_is_left_while_it_waits(self, connected, settings):
        settings.MARKETPLACE_DAILY_CALLS = 20
        basis(connected, "sold")
        change_guide_share(owner=connected, share=10, now=now())
        want(connected, *parts(5))
        run_jobs()

        assert stop_prices(owner=connected) == 3

        assert Job.objects.get().state == "cancelled"
        assert not PriceWant.objects.exists()
        assert PriceStat.objects.filter(region="global").count() == 2

    def test_forgets_what_is_left_when_the_job_is_cancelled(self, connected):
        job = want(connected, *parts(5)).job
        cancelling = Cancelling(job, after=4)
        progressed.connect(cancelling)
        try:
            run_job(job.pk)
        finally:
            progressed.disconnect(cancelling)

        job.refresh_from_db()
        assert job.state == "cancelled"
        assert not PriceWant.objects.exists()
        assert not LotRefresh.objects.exclude(claimed_until=None).exists()


class Cancelling:
    """A person who cancels after so many steps."""

    def __init__(self, job, after):
        self.job, self.left = job, after

    def __call__(self, **_):
        self.left -= 1
        if self.left == 0:
            cancel_job(job=self.job)


@pytest.mark.django_db(transaction=True)
class TestTwoAtOnce:
    def test_ask_for_each_lot_of_a_person_once(self, ann, bo, store):
        lots = parts(6)
        for person in (ann, bo):
            connect_demo_store(owner=person, now=now())
            basis(person, "sold")
        jobs = [want(person, *lots).job for person in (ann, bo)]

        at_once(lambda number: run_job(jobs[number].pk), threads=2)
        go_on()

        assert calls(store) == 12
        assert not PriceWant.objects.exists()

    def test_make_one_job(self, ann, store):
        lots = parts(2)
        connect_demo_store(owner=ann, now=now())

        at_once(lambda number: want(ann, lots[number]), threads=2)

        assert Job.objects.count() == 1
        assert PriceWant.objects.count() == 2
