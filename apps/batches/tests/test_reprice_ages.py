"""Re-pricing by the market: figures older than six hours are asked for again before they are used."""

import datetime as dt

import pytest

from apps.batches.tests.factories import make_batch, make_item, make_location, stow_all
from apps.catalog.models import PriceSetting
from apps.catalog.services.prices import record_figures
from apps.core.clock import now
from apps.core.jobs.models import Job
from apps.core.jobs.runner import run_job
from apps.core.testing.jobs import run_jobs
from apps.inventory.models import InventoryItem
from apps.inventory.services import acts
from apps.inventory.services.channels import channel_of_files
from apps.inventory.services.reprice import REPRICE_KIND, reprice_by_night
from apps.inventory.tests.factories import make_stock
from apps.marketplace.models import CallDay, PriceWant
from apps.marketplace.selectors import GET_PRICES
from apps.marketplace.services.connections import connect_demo_store
from apps.marketplace.services.wants import stop_prices
from apps.marketplace.tests.conftest import no_pauses, store, store_server  # noqa: F401
from apps.marketplace.tests.factories import make_part, sold

pytestmark = pytest.mark.django_db
URL = "/api/inventoryItems/reprice"
RULE = {"by": "rule"}


@pytest.fixture
def lot(ann):
    lot = make_part()
    record_figures(owner=ann, figures=[sold(lot, "7.7700")], now=now() - dt.timedelta(hours=7))
    return lot


@pytest.fixture
def row(ann, lot):
    return make_stock(ann, lot, 10, price="0.10")


@pytest.fixture
def connected(ann, store):  # noqa: F811
    connect_demo_store(owner=ann, now=now())
    return ann


def act(client, row, **also):
    return client.post(URL, {"ids": [row.pk], **RULE, **also})


def price(row):
    return InventoryItem.objects.get(pk=row.pk).price


class TestWithAStore:
    def test_the_preview_has_new_figures_fetched_and_tells_the_age(self, api, connected, row):
        (shown,) = act(api(connected), row, dry_run=True).json()["data"]

        assert (shown["old_figures"], shown["being_fetched"]) == (1, 1)
        assert shown["figuresSince"] == shown["rows"][0]["figureAt"] is not None
        assert PriceWant.objects.get().lot_id == row.lot_id

    def test_the_act_waits_for_them_and_uses_them(self, api, connected, row):
        client = api(connected)

        refused = act(client, row)
        before = price(row)
        run_jobs()
        done = act(client, row)

        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "CONFLICT")
        assert "older than six hours and are being fetched" in refused.json()["error"]["message"]
        assert str(before) == "0.1000"
        assert done.status_code == 200
        assert str(price(row)) not in ("0.1000", "7.7700")

    def test_the_nightly_one_fetches_old_and_missing_ones_first(self, connected, row):
        unknown = make_stock(connected, make_part("3002"), 10, price="0.10")
        PriceSetting.objects.create(user=connected, is_nightly=True)

        reprice_by_night()
        run_jobs()
        run_job(Job.objects.get(kind=GET_PRICES).pk)
        Job.objects.update(not_before=None)
        run_jobs()

        job = Job.objects.get(kind=REPRICE_KIND)
        assert (job.state, job.total) == ("succeeded", 2)
        assert str(price(row)) not in ("0.1000", "7.7700")
        assert str(price(unknown)) != "0.1000"
        assert CallDay.objects.get().guide >= 2

    @pytest.mark.parametrize("batched", [False, True])
    def test_they_are_on_their_way_also_when_the_request_had_a_key(
        self, api, connected, row, lot, batched
    ):
        url, body = URL, {"ids": [row.pk], **RULE}
        if batched:
            batch = make_batch(connected)
            make_item(batch, lot=lot, price="0.1")
            url, body = f"/api/batches/{batch.pk}/reprice", {"items": "all", **RULE}
        client, key = api(connected), {"Idempotency-Key": "k"}

        refused = client.post(url, body, headers=key)
        wanted = PriceWant.objects.count()
        ran = run_jobs()
        done = client.post(url, body, headers=key)

        assert (refused.status_code, wanted, len(ran), done.status_code) == (409, 1, 1, 200)

    def test_a_preview_with_old_ones_fetches_none(self, api, connected, row):
        (shown,) = act(api(connected), row, dry_run=True, use_old_figures=True).json()["data"]

        assert (shown["old_figures"], shown["being_fetched"]) == (1, 0)
        assert not Job.objects.filter(kind=GET_PRICES).exists()

    def test_a_stopped_fetch_stays_stopped_and_old_ones_are_used(self, api, connected, row):
        client = api(connected)
        act(client, row, dry_run=True)
        stop_prices(owner=connected)

        (shown,) = act(client, row, dry_run=True).json()["data"]
        done = act(client, row)

        assert (shown["being_fetched"], done.status_code, str(price(row))) == (0, 200, "7.7700")
        assert not PriceWant.objects.exists()

    def test_a_job_waits_for_them_no_longer_once_they_are_stopped(
        self, api, connected, row, monkeypatch
    ):
        monkeypatch.setattr(acts, "AT_ONCE", 0)
        client = api(connected)
        asked = act(client, row)
        job = Job.objects.get(kind=REPRICE_KIND)
        run_job(job.pk)
        job.refresh_from_db()
        waited = (job.state, job.message)
        stop_prices(owner=connected)

        Job.objects.filter(pk=job.pk).update(not_before=None)
        run_job(job.pk)

        assert asked.status_code == 202
        assert waited == ("queued", "Waiting for new market figures.")
        assert str(price(row)) == "7.7700"
        assert not PriceWant.objects.exists()

    def test_looking_again_queues_nothing_anew(self, api, connected, row):
        client = api(connected)
        act(client, row, dry_run=True)
        before = PriceWant.objects.values_list("updated_at", flat=True).get()

        (shown,) = act(client, row, dry_run=True).json()["data"]

        assert shown["being_fetched"] == 1
        assert PriceWant.objects.values_list("updated_at", flat=True).get() == before

    def test_a_preview_has_no_more_fetched_than_the_day_allows(self, api, connected, row):
        other = make_part("3002")
        figures = [sold(other, "9.0000")]
        record_figures(owner=connected, figures=figures, now=now() - dt.timedelta(hours=7))
        make_stock(connected, other, 10, price="0.20")
        CallDay.objects.create(
            owner=connected,
            channel=channel_of_files(connected),
            day=now().date(),
            total=3_999,
            guide=3_999,
        )
        ids = list(InventoryItem.objects.values_list("pk", flat=True))

        (shown,) = api(connected).post(URL, {"ids": ids, **RULE, "dry_run": True}).json()["data"]

        assert (shown["old_figures"], shown["being_fetched"]) == (2, 1)
        assert PriceWant.objects.get().lot_id == other.pk

    def test_a_person_may_use_the_old_ones(self, api, connected, row):
        assert act(api(connected), row, use_old_figures=True).status_code == 200
        assert str(price(row)) == "7.7700"

    def test_old_ones_are_used_where_no_call_is_left(self, api, connected, row):
        CallDay.objects.create(
            owner=connected,
            channel=channel_of_files(connected),
            day=now().date(),
            total=4_500,
            guide=4_500,
        )

        (done,) = act(api(connected), row).json()["data"]

        assert (done["changed"], done["old_figures"]) == (1, 1)
        assert not PriceWant.objects.exists()

    def test_a_batch_waits_for_them_too(self, api, connected, lot):
        batch = make_batch(connected)
        item = make_item(batch, lot=lot, price="0.1")
        client, url = api(connected), f"/api/batches/{batch.pk}/reprice"
        chosen = {**RULE, "items": "all"}

        (shown,) = client.post(url, {**chosen, "dry_run": True}).json()["data"]
        refused = client.post(url, chosen)
        run_jobs()
        done = client.post(url, chosen)

        assert (shown["figures"]["old_figures"], shown["figures"]["being_fetched"]) == (1, 1)
        assert (refused.status_code, done.status_code) == (409, 200)
        item.refresh_from_db()
        assert str(item.price) not in ("0.1000", "7.7700")


def test_without_a_store_old_figures_are_used_with_their_age(api, ann, row):
    (done,) = act(api(ann), row).json()["data"]

    assert (str(price(row)), done["old_figures"], done["being_fetched"]) == ("7.7700", 1, 0)


def test_items_whose_stock_has_a_locked_price_keep_theirs(api, ann):
    batch = make_batch(ann)
    items = [make_item(batch) for _ in range(2)]
    stow_all(batch, make_location(ann))
    items[0].refresh_from_db()
    InventoryItem.objects.filter(pk=items[0].inventory_item_id).update(price_locked=True)
    body = {"items": "all", "by": "fixed", "price": "9"}

    (done,) = api(ann).post(f"/api/batches/{batch.pk}/reprice", body).json()["data"]

    assert done["figures"]["locked"] == 1
    assert [row["id"] for row in done["largest"]] == [items[1].pk]
    for item in items:
        item.refresh_from_db()
    stock = InventoryItem.objects.order_by("pk")
    assert [str(row.price) for row in (*items, *stock)] == ["0.1000", "9.0000"] * 2
