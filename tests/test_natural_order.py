"""Lists by item number are in the order of the numbers, whichever door shows them."""

import pytest

from apps.batches.tests.factories import make_batch
from apps.batches.tests.factories import make_item as make_batch_item
from apps.catalog.models import Item
from apps.catalog.services.items import edit_item
from apps.catalog.tests.factories import make_item, make_lot
from apps.inventory.tests.factories import make_stock
from apps.orders.models import Order
from apps.orders.tests.factories import make_order
from apps.sets.tests.factories import make_user_set

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("searchable")]
IN_ORDER = ["970c00", "2335", "3001pb2", "3001pb10", "10247"]
MADE = ["10247", "3001pb10", "970c00", "3001pb2", "2335"]


@pytest.fixture
def lots():
    return [make_lot(make_item(number)) for number in MADE]


def numbers(client, path, name="item_number", **query):
    found = client.get(f"/api/{path}", query).json()["data"]
    rows = found if isinstance(found, list) else found["results"]
    return [row[name] for row in rows]


class TestListsByNumber:
    def test_of_the_stock(self, api, ann, lots):
        for lot in lots:
            make_stock(ann, lot=lot)
        client = api(ann)

        for path in ("inventoryItems", "inventoryItems/lots"):
            assert numbers(client, path, ordering="item_number") == IN_ORDER
            assert numbers(client, path, ordering="-item_number") == IN_ORDER[::-1]

    def test_of_the_items_of_a_batch(self, api, ann, lots):
        batch = make_batch(ann)
        for lot in lots:
            make_batch_item(batch, lot=lot)

        assert numbers(api(ann), "batchItems", batch=batch.pk, ordering="item_number") == IN_ORDER

    def test_of_the_catalogue(self, api, ann, lots):
        assert numbers(api(ann), "catalogItems") == IN_ORDER

    @pytest.mark.parametrize("text", ["brick", "pb"])
    def test_of_what_the_search_finds_under_one_name(self, api, lots, ann, text):
        make_item("pb10")
        make_item("pb9")
        expected = {"brick": [*IN_ORDER, "pb9", "pb10"], "pb": ["pb9", "pb10"]}

        assert numbers(api(ann), "catalogItems", search=text) == expected[text]

    def test_of_batches_by_name(self, api, ann):
        for name in ("Lot 10", "lot 9"):
            make_batch(ann, name)

        assert numbers(api(ann), "batches", "name", ordering="name") == ["lot 9", "Lot 10"]

    def test_of_numbers_that_the_catalogue_does_not_know(self, api, ann):
        for number in MADE:
            make_stock(ann, raw_item_number=number, raw_item_type="P")

        path = "inventoryItems/unknown"
        assert numbers(api(ann), path, ordering="item_number") == IN_ORDER

    def test_of_sets_and_their_parts(self, api, ann, lots):
        for number in ("75192-1", "10247-1", "6080-1"):
            make_user_set(ann, number=number, contents=dict.fromkeys(lots, 1))
        client = api(ann)

        sets = numbers(client, "userSets", "number", ordering="number")
        assert sets == ["6080-1", "10247-1", "75192-1"]
        parts = numbers(client, "userSetParts", ordering="number")
        assert list(dict.fromkeys(parts)) == IN_ORDER

    def test_of_orders(self, api, ann):
        for number in ("10247", "2335"):
            Order.objects.filter(pk=make_order(ann).pk).update(number=number)

        assert numbers(api(ann), "orders", "number", ordering="number") == ["2335", "10247"]


class TestAnItemThatGetsAnotherNumber:
    def test_gets_another_place(self, api, ann, lots):
        edit_item(item=lots[0].item, changes={"number": "1"})

        assert numbers(api(ann), "catalogItems")[0] == "1"

    def test_is_sorted_where_many_are_written_at_once(self, api, ann):
        Item.objects.bulk_create(
            Item(item_type="PART", number=number, number_key=number.upper()) for number in MADE
        )

        assert numbers(api(ann), "catalogItems") == IN_ORDER
