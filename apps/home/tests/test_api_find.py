import pytest

from apps.batches.tests.factories import make_batch, make_location
from apps.catalog.models import Item
from apps.catalog.services.texts import refresh_texts
from apps.catalog.tests.factories import make_color, make_item, make_lot
from apps.core.testing.queries import count_queries
from apps.inventory.tests.factories import make_stock
from apps.orders.models import Order, OrderState
from apps.orders.tests.factories import make_order
from apps.sets.tests.factories import make_user_set
from apps.sources.models import Source

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.postgres,
    pytest.mark.usefixtures("searchable"),
]
URL = "/api/find"


def found(client, text):
    response = client.get(URL, {"search": text})
    assert response.status_code == 200, response.json()
    (row,) = response.json()["data"]
    return row


@pytest.fixture
def brick(indexed_catalogue):
    return indexed_catalogue["brick"]


@pytest.fixture
def indexed_catalogue():
    brick = make_item("3001", name="Brick 2 x 4")
    red, blue = make_color(5, name="Red", rgb="C91A09"), make_color(7, name="Blue")
    made = {"brick": brick, "red": make_lot(brick, red), "blue": make_lot(brick, blue)}
    refresh_texts(item_ids=[brick.pk])
    return made


class TestParts:
    def test_are_shown_with_their_pieces_and_fullest_bins(self, ann, api, indexed_catalogue):
        red = indexed_catalogue["red"]
        for name, quantity in (("A-1", 4), ("A-2", 30)):
            make_stock(ann, red, quantity=quantity, location=make_location(ann, name))

        (part,) = found(api(ann), "3001 red")["parts"]

        assert (part["item_number"], part["color_name"], part["pieces"]) == ("3001", "Red", 34)
        assert [(one["name"], one["pieces"]) for one in part["bins"]] == [("A-2", 30), ("A-1", 4)]

    def test_are_shown_in_their_colour(self, ann, api, indexed_catalogue):
        Item.objects.filter(number="3001").update(face="a" * 16)
        make_stock(ann, indexed_catalogue["red"], quantity=2)

        (part,) = found(api(ann), "3001")["parts"]

        assert part["image_url"] == f"/pictures/1/{'a' * 16}/C91A09-5/128.webp"

    def test_without_a_colour_are_the_colours_in_stock_most_first(
        self, ann, api, indexed_catalogue
    ):
        make_stock(ann, indexed_catalogue["red"], quantity=2)
        make_stock(ann, indexed_catalogue["blue"], quantity=9)

        parts = found(api(ann), "3001")["parts"]

        assert [(part["color_name"], part["pieces"]) for part in parts] == [("Blue", 9), ("Red", 2)]

    def test_that_are_not_in_stock_come_from_the_catalogue(self, ann, api, brick):
        (part,) = found(api(ann), "brick 2x4")["parts"]

        assert (part["item_id"], part["lot_id"], part["pieces"]) == (brick.pk, None, 0)

    def test_are_found_that_the_catalogue_does_not_know(self, ann, api):
        make_stock(ann, None, raw_item_number="xyz77", raw_item_name="Own part", quantity=3)

        (part,) = found(api(ann), "xyz7")["parts"]

        assert (part["item_number"], part["pieces"], part["item_id"]) == ("xyz77", 3, None)

    def test_of_others_are_not_counted(self, ann, bo, api, indexed_catalogue):
        make_stock(bo, indexed_catalogue["red"], quantity=2)

        (part,) = found(api(ann), "3001 red")["parts"]

        assert part["pieces"] == 0


class TestTheBestPart:
    def test_brings_the_open_orders_and_sets_with_it(self, ann, bo, api, indexed_catalogue):
        red, blue = indexed_catalogue["red"], indexed_catalogue["blue"]
        open_one, _of_blue, sent = (
            make_order(ann, (make_stock(ann, lot, quantity=9), 4)) for lot in (red, blue, red)
        )
        Order.objects.filter(pk=sent.pk).update(state=OrderState.SHIPPED)
        make_order(bo, (make_stock(bo, red, quantity=9), 4))
        made = make_user_set(ann, contents={red: 6})
        make_user_set(ann, contents={blue: 6})

        row = found(api(ann), "3001 red")

        assert [one["id"] for one in row["orders"]] == [open_one.pk]
        assert [(one["id"], one["lacks"]) for one in row["sets"]] == [(made.pk, 6)]


class TestElsewhere:
    def test_the_bin_of_that_name_comes_first(self, ann, api):
        for name in ("CA-1", "A-10", "A-1"):
            make_location(ann, name)

        bins = found(api(ann), "a-1")["locations"]

        assert [row["name"] for row in bins] == ["A-1", "A-10", "CA-1"]

    def test_batches_sets_and_sources_are_found_by_their_words(self, ann, api):
        make_batch(ann, "Space lot of May")
        make_user_set(ann, number="6990-1")
        Source.objects.create(owner=ann, name="May's attic")

        assert [row["name"] for row in found(api(ann), "may space")["batches"]] == [
            "Space lot of May"
        ]
        assert [row["number"] for row in found(api(ann), "6990")["sets"]] == ["6990-1"]
        assert [row["name"] for row in found(api(ann), "attic")["sources"]] == ["May's attic"]

    def test_nothing_of_others_is_found(self, ann, bo, api):
        make_batch(bo, "Space lot")
        make_location(bo, "Space")
        make_user_set(bo, number="6990-1")
        Source.objects.create(owner=bo, name="Space")

        row = found(api(ann), "space") | found(api(ann), "6990")

        assert not row["batches"] + row["locations"] + row["sets"] + row["sources"]


class TestText:
    @pytest.mark.parametrize(
        "text", ["", "   ", '"', "%", "_", ".*[", "a" * 1_000, "' OR 1=1 --", "🧱"]
    )
    def test_may_be_anything(self, ann, api, text):
        row = found(api(ann), text)

        assert set(row) == {"orders", "parts", "locations", "batches", "sets", "sources"}

    def test_signs_of_patterns_stand_for_themselves(self, ann, api):
        make_location(ann, "A-1")

        assert found(api(ann), "%")["locations"] == []

    def test_costs_as_many_queries_for_many_rows(self, ann, api, indexed_catalogue):
        client = api(ann)
        make_stock(ann, indexed_catalogue["red"], quantity=1, location=make_location(ann, "A-0"))
        few, _ = count_queries(lambda: found(client, "3001"))
        for number in range(1, 30):
            place = make_location(ann, f"A-{number}")
            make_stock(ann, indexed_catalogue["red"], quantity=1, location=place)

        many, _ = count_queries(lambda: found(client, "3001"))

        assert many == few


class TestOrders:
    def test_are_found_by_number_buyer_and_item(self, ann, bo, api):
        order = make_order(ann, buyer="Zoe Quill")
        make_order(bo, buyer="Zoe Quill")

        for text in (order.number, "quill", order.lines.get().item_number):
            assert found(api(ann), text)["orders"] == [
                {"id": order.pk, "number": order.number, "state": "paid", "buyer": "Zoe Quill"}
            ]
