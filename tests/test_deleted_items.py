"""Deleted items of batches are kept for the undo: no page, sum, filter or file counts them."""

import re

import pytest

from apps.batches.models import BatchItem
from apps.batches.tests.factories import list_all, make_batch, make_item, make_location, stow_all
from apps.inventory.models import InventoryItem
from apps.sources.models import Source
from tests.routes import api_routes

pytestmark = pytest.mark.django_db

# All that can be read, but what takes long and is nobody's.
READ = [
    one
    for one in api_routes()
    if {"get", "list"} & {*one.methods} and not re.match(r"/api/(schema|docs|catalog)", one.path)
]


@pytest.fixture
def batch(ann):
    """Listed, stowed, new and unknown lots, of which every other is deleted below."""
    source = Source.objects.create(owner=ann, name="Flea market")
    batch, place = make_batch(ann, source=source, cost_total=9), make_location(ann)
    for number in range(2):
        make_item(batch, price="1", location=place, marketplace_lot_id=number + 1)
    stow_all(batch)
    list_all(batch)
    for number in range(4):
        make_item(batch, price="1", location=place, marketplace_lot_id=number + 5)
    stow_all(batch)
    for number in range(2):
        make_item(batch, price="1", location=place)
        make_item(batch, lot=None, raw_item_type="P", raw_item_number=f"x{number}")
    return batch


def answers(client, batch):
    """What the owner is told wherever something can be read."""
    ids = {"batches": batch.pk, "sources": batch.source_id}
    found = {}
    for route in READ:
        kind = re.split(r"[/?]", route.path)[2]
        response = client.get(route.of(ids.get(kind, InventoryItem.objects.latest("pk").pk)))
        if response.status_code == 200 and response["Content-Type"].startswith("application/json"):
            found[route.path] = response.json()["data"]
    return found


def test_are_as_if_they_were_not_there(ann, api, batch):
    client = api(ann)
    items = list(BatchItem.objects.filter(batch=batch).order_by("pk"))
    client.post(f"/api/batches/{batch.pk}/markListed", {"items": [items[0].pk], "listed": False})
    for gone, stock in ((items[:2], "keep"), (items[2:4], "keep"), (items[4:6:2], "out")):
        body = {"items": [one.pk for one in gone[::2]], "stock": stock}
        removed = client.post(f"/api/batches/{batch.pk}/remove", body, format="json")
        assert removed.json()["data"][0]["item_count"] == len(gone[::2]), removed.json()
    body = {"delete": [one.pk for one in items[6:8]]}
    client.post("/api/batchItems/bulk", body, format="json")
    kept = BatchItem.with_deleted.filter(deleted_in__isnull=False)
    assert (kept.count(), BatchItem.objects.count()) == (5, 5)
    told = answers(client, batch)

    kept.delete()

    assert answers(client, batch) == told
    assert len(told) > 40
