"""The starter catalogue: enough to try everything, loaded once, and in nobody's way."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.catalog.models import Color, Component, Item, Lot
from apps.catalog.selectors import search_items
from apps.catalog.services.imports import ImportOptions, import_catalog
from apps.catalog.services.starter import load_starter_catalog, starter_numbers
from apps.catalog.tests import files
from apps.core.clock import now

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def loaded(rows_of_module):
    return load_starter_catalog(now=now())


class TestLoadStarterCatalog:
    def test_has_something_of_everything(self, loaded):
        kinds = {
            kind: Item.objects.filter(item_type=kind).count() for kind in ("PART", "SET", "MINIFIG")
        }

        assert Color.objects.count() == 213
        assert kinds["PART"] >= 400
        assert kinds["SET"] >= 25
        assert kinds["MINIFIG"] >= 40
        assert Component.objects.values("inventory").distinct().count() >= 5
        assert not Lot.objects.filter(is_known=False).exists()

    def test_is_found(self, loaded, subtests):
        for text, number, item_type in (
            ("3001", "3001", "PART"),
            ("Brick 2 x 4", "3001", "PART"),
            ("6141", "4073", "PART"),
            ("3069b", "3069", "PART"),
            ("2780", "2780", "PART"),
            ("32064", "32064", "PART"),
            ("3815", "970", "PART"),
            ("970c00", "970c00", "PART"),
            ("10179", "10179-1", "SET"),
            ("sp001", "sp001", "MINIFIG"),
            ("300121", "3001", "PART"),
            ("4211398", "3023", "PART"),
        ):
            with subtests.test(text):
                hit = search_items(text).hits[0]

                assert (hit.number, hit.item_type) == (number, item_type)

    def test_tells_weights_and_colours_of_the_commonest(self, loaded):
        commonest = Item.objects.filter(number__in=["3001", "3003", "3020", "3023", "3024"])

        assert all(item.weight_grams and item.lots.count() > 20 for item in commonest)
        for color in (1, 5, 11, 85, 86):  # white, red, black and the two greys
            assert all(item.lots.filter(color_id=color).exists() for item in commonest)

    def test_lists_its_parts_with_their_known_colours(self, loaded, api, ann):
        with CaptureQueriesContext(connection) as queries:
            answer = api(ann).get("/api/catalogItems/common")

        rows = {row["item_number"]: row for row in answer.json()["data"]}
        brick = rows["3001"]
        assert len(rows) == len(starter_numbers())
        assert {row["item_type"] for row in rows.values()} == {"PART"}
        assert (brick["item_name"], brick["color_id"]) == ("Brick 2 x 4", None)
        lots = Lot.objects.filter(item__number="3001", is_known=True)
        assert dict(zip(brick["lot_ids"], brick["color_ids"], strict=True)) == dict(
            lots.values_list("pk", "color_id")
        )
        assert len(queries) <= 4
        assert len(answer.content) < 400_000

    def test_ranks_colours_by_the_parts_that_come_in_them(self, loaded):
        Color.objects.filter(pk=1).update(part_count=0)

        load_starter_catalog(now=now())

        likeliest = Color.objects.order_by("-part_count").values_list("name", flat=True)[:6]
        assert {"Black", "White", "Red"} <= set(likeliest)

    def test_tells_the_plain_figures_by_their_parts(self, loaded):
        legs = Component.objects.filter(
            inventory__item__item_type="MINIFIG", lot__item__number="970c00"
        )

        assert set(legs.values_list("inventory__item__number", "lot__color_id", "quantity")) == {
            ("pln001", 7, 1),
            ("pln002", 11, 1),
            ("pln004", 5, 1),
            ("pln009", 11, 1),
        }

    def test_writes_nothing_the_second_time(self, loaded):
        again = load_starter_catalog(now=now())

        assert not again.anything

    def test_gives_way_to_an_import(self, loaded, tmp_path):
        brick = Item.objects.get(item_type="PART", number="3001")
        folder = files.write_files(
            tmp_path / "in", {**files.BRICKLINK, **files.REBRICKABLE, "colors.txt": files.COLORS}
        )

        import_catalog(paths=[folder], options=ImportOptions(), clock=now)
        load_starter_catalog(now=now())

        brick.refresh_from_db()
        assert (brick.number, brick.name, brick.name_from) == ("3001", "Brick 2 x 4", "B")
        assert Item.objects.filter(item_type="PART", number="3001").count() == 1
