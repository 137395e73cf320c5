"""Adds at the station, and the number of lots that each page makes of them."""

import pytest

from apps.batches.tests.factories import make_batch, make_location
from apps.catalog.tests.factories import make_lot
from apps.exports.tests.factories import export_of, lots_in

pytestmark = pytest.mark.django_db


def first(response):
    assert response.status_code in (200, 201), response.json()
    return response.json()["data"][0]


class TestEqualAdds:
    def test_are_one_lot_on_every_page(self, ann, api):
        client, batch, lot = api(ann), make_batch(ann), make_lot()
        here, there = (make_location(ann, name).pk for name in ("A-1", "A-2"))
        add = {"batch_id": batch.pk, "lot_id": lot.pk, "qty": 2, "price": "0.10", "top_up": True}
        add["user_inventory_item_location_id"] = here
        others = (
            {"price": "0.11"},
            {"condition": "N"},
            {"user_inventory_item_location_id": there},
            {"top_up": False},
        )

        adds = [add, add, add, *({**add, **other} for other in others)]
        at_station = {first(client.post("/api/batchItems", body))["id"] for body in adds}

        stats = first(client.get(f"/api/batches/{batch.pk}"))["stats"]
        waiting = first(client.get("/api/home"))["waiting"]
        on_home = next(line for line in waiting if line["id"].startswith("to-stow"))
        walk = client.get("/api/batchItems", {"batch": batch.pk, "state": "new"}).json()
        exported = lots_in(export_of(ann, batch))
        assert {
            "station": len(at_station),
            "batch": stats["total_lots"],
            "home": on_home["count"],
            "walk": len(walk["data"]),
            "export": len(exported),
        } == dict.fromkeys(("station", "batch", "home", "walk", "export"), 5)
        pieces = [stats["total_items"], sum(one.quantity for one in exported)]
        assert pieces == [14, 14]
