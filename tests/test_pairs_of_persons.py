"""Catalogue pairs that a person made: theirs to use, nobody else's to see."""

import pytest

from apps.batches.tests.factories import make_batch
from apps.catalog.models import Lot
from apps.catalog.services.lots import take_over
from apps.catalog.tests.factories import make_color, make_item, make_lot
from apps.core.clock import now
from apps.core.testing.queries import count_queries

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("searchable")]


@pytest.fixture
def brick():
    item = make_item("3001", "Brick 2 x 4")
    make_lot(item, make_color(5))  # known in red
    make_color(7, name="Blue")
    return item


def add(client, person, **named):
    body = {"batch_id": make_batch(person).pk, **named}
    return client.post("/api/batchItems", body)


def in_blue(client, person):
    answer = add(client, person, item_number="3001", item_type="PART", color_id=7)
    assert answer.status_code == 201, answer.json()
    return answer.json()["data"][0]["lot_id"]


def colors_seen(client, brick):
    """The colours of the brick: in its panel, in the list of lots, and in a search."""
    panel = client.get(f"/api/catalogItems/{brick.pk}").json()["data"][0]
    listed = client.get("/api/catalogLots", {"item": brick.pk}).json()["data"]
    (hit,) = client.get("/api/catalogItems", {"search": "brick 2 x 4 blue"}).json()["data"] or [{}]
    return (
        {lot["color_id"] for lot in panel["lots"]},
        {lot["color_id"] for lot in listed},
        hit.get("color_id"),
    )


class TestAPairThatAPersonMade:
    def test_is_seen_and_used_by_its_maker(self, api, ann, brick):
        client = api(ann)
        lot_id = in_blue(client, ann)

        assert colors_seen(client, brick) == ({5, 7}, {5, 7}, 7)
        assert client.get(f"/api/catalogLots/{lot_id}/prices").status_code == 200
        assert add(client, ann, lot_id=lot_id).status_code == 201
        stock = {"lot_id": lot_id, "quantity": 3, "condition": "U"}
        assert client.post("/api/inventoryItems", stock).status_code == 201
        (row,) = client.get("/api/inventoryItems").json()["data"]
        assert (row["lot_id"], row["color_name"]) == (lot_id, "Blue")

    def test_is_not_there_for_another_person(self, api, ann, bo, brick):
        lot_id = in_blue(api(ann), ann)
        client = api(bo)

        assert colors_seen(client, brick) == ({5}, {5}, None)
        assert client.get(f"/api/catalogLots/{lot_id}/prices").status_code == 404
        for path in ("batchItems", "inventoryItems"):
            body = {"batch_id": make_batch(bo).pk} if path == "batchItems" else {"quantity": 1}
            answer = client.post(f"/api/{path}", {**body, "lot_id": lot_id, "condition": "U"})
            assert answer.status_code == 400
            assert "lot_id" in answer.json()["meta"]["error"]["fields"]

    def test_is_one_pair_for_two_who_make_it(self, api, ann, bo, brick):
        assert in_blue(api(ann), ann) == in_blue(api(bo), bo)

        assert colors_seen(api(bo), brick) == ({5, 7}, {5, 7}, 7)
        assert Lot.objects.count() == 2

    def test_is_everybodys_once_an_operator_took_it_over(self, api, ann, bo, brick):
        lot_id = in_blue(api(ann), ann)
        take_over(lots=Lot.objects.filter(pk=lot_id), now=now())

        assert colors_seen(api(bo), brick) == ({5, 7}, {5, 7}, 7)

    def test_costs_no_query_for_each(self, api, ann, bo, brick):
        client = api(bo)
        in_blue(api(ann), ann)
        look = lambda: client.get("/api/catalogLots", {"item": brick.pk})  # noqa: E731
        look()
        few, _ = count_queries(look)
        for color in range(20, 30):
            make_color(color, name=f"Shade {color}")
            add(api(ann), ann, item_number="3001", item_type="PART", color_id=color)
        many, _ = count_queries(look)

        assert few == many
