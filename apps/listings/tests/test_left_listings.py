"""Deleting what is being listed, or may be: refused; what older versions left is settled."""

import pytest

from apps.batches.models import Batch, BatchItem
from apps.core.jobs.models import Job
from apps.core.testing.jobs import run_jobs
from apps.inventory.models import InventoryItem
from apps.listings.models import Listing, ListingLine
from apps.listings.services import left_listings
from apps.listings.tests.listing import (
    items_of,
    let_a_minute_pass,
    list_items,
    look_again,
    lots_of,
    start,
    stowed,
)
from apps.marketplace.models import MarketplaceConnection
from apps.marketplace.tests.factories import failing

pytestmark = pytest.mark.django_db


def delete(api, batch):
    return api(batch.owner).delete(f"/api/batches/{batch.pk}?name=Summer%20lot")


def message_of(response):
    return response.json()["meta"]["error"]["message"]


def lose_the_batch(batch):
    """Delete it as older versions did."""
    BatchItem.objects.filter(batch=batch).delete()
    Job.objects.all().delete()
    batch.delete()


def sweep():
    Job.objects.create(owner=None, kind=left_listings.KIND)
    run_jobs()


def unknown(store, user, mode="before"):
    """A batch whose listing got no answer, given up after the second look."""
    list_items(stowed(user, 1, first=2001))
    batch = stowed(user, 1, place="A-02")
    failing(store, mode, method="POST", path="/inventories")
    return batch


class TestDeletingABatch:
    def test_waits_for_its_listing(self, store, connected, api):
        batch = stowed(connected, 2)
        job = start(batch)

        response = delete(api, batch)

        assert response.status_code == 409
        assert message_of(response) == (
            "The batch “Summer lot” is being worked on. Wait for it or cancel it first."
        )
        run_jobs()
        job.refresh_from_db()
        assert job.result["item_count"] == 2
        assert delete(api, batch).status_code == 200
        assert not ListingLine.objects.filter(is_open=True).exists()

    def test_is_refused_while_a_listing_may_be_in_the_store(self, store, connected, api):
        batch = unknown(store, connected)
        list_items(batch)
        store.sellers.register(f"user-{connected.pk}").stock.is_closed = True
        look_again()
        (item,) = items_of(batch)
        assert not item.is_listed_pending

        response = delete(api, batch)
        one = api(connected).delete(f"/api/batchItems/{item.pk}?stock=keep")
        removed = api(connected).post(
            f"/api/batches/{batch.pk}/remove", {"items": [item.pk]}, format="json"
        )

        assert response.status_code == one.status_code == removed.status_code == 409
        assert message_of(response) == (
            "1 lot of the batch “Summer lot” may be for sale already: the marketplace did not "
            "answer. List them again, which asks the store; then delete the batch."
        )
        assert Batch.objects.filter(pk=batch.pk).exists()
        assert items_of(batch) == [item]


class TestTheSweeper:
    @pytest.mark.parametrize(
        ("mode", "state"), [("after", "listed"), ("before", "rejected")], ids=["there", "not there"]
    )
    def test_settles_by_the_store_what_a_deleted_batch_left(
        self, store, connected, monkeypatch, mode, state
    ):
        batch = unknown(store, connected, mode)
        start(batch)
        (item,) = items_of(batch)
        with monkeypatch.context() as patch:
            patch.setattr("apps.listings.services.sending.Sender.settle", _killed)
            run_jobs()
        lose_the_batch(batch)

        for _ in range(2):
            sweep()
            let_a_minute_pass()

        (listing,) = Listing.objects.filter(inventory_item_id=item.inventory_item_id)
        assert listing.state == state
        assert not ListingLine.objects.filter(is_open=True).exists()
        row = InventoryItem.objects.get(pk=item.inventory_item_id)
        in_store = {lot["inventory_id"] for lot in lots_of(store, connected)}
        assert (row.marketplace_lot_id in in_store) is (state == "listed")

    def test_closes_what_no_store_can_be_asked_about(self, store, connected):
        batch = stowed(connected, 1)
        (item,) = items_of(batch)
        listing = Listing.objects.create(
            owner=connected,
            kind="create",
            state="unknown",
            target="x",
            mark="#b1",
            quantity=3,
            price=1,
            inventory_item_id=item.inventory_item_id,
        )
        ListingLine.objects.create(listing=listing, batch_item_id=item.pk, quantity=3)
        lose_the_batch(batch)
        MarketplaceConnection.objects.all().delete()

        sweep()

        listing.refresh_from_db()
        assert (listing.state, listing.reason) == ("rejected", left_listings.STORE_GONE)
        assert not ListingLine.objects.filter(is_open=True).exists()

    def test_leaves_what_a_job_works_on(self, store, connected):
        batch = stowed(connected, 1)
        start(batch)
        before = list(Job.objects.values_list("pk", flat=True))

        found = left_listings._left()

        assert found == []
        assert list(Job.objects.values_list("pk", flat=True)) == before


def _killed(_sender, listings, **_):
    if listings:
        raise RuntimeError("killed")
