"""The large part of the starter catalogue: what it knows, and beside what it is loaded."""

import csv
import gzip

import pytest

from apps.catalog.models import CurrentFile, ElementCode, Item, ItemAlias, Lot, LotMaker
from apps.catalog.rules.readers.formats import Table
from apps.catalog.selectors import search_items
from apps.catalog.selectors.resolving import LotIdentity, resolve_lots
from apps.catalog.services.lots import ensure_lots
from apps.catalog.services.starter import load_colors
from apps.catalog.services.starter_library import PARTS, SETS, load_library
from apps.catalog.tests.factories import make_category, make_item
from apps.core.clock import now

pytestmark = pytest.mark.django_db

HEADER = ["number", "name", "category", "origin", "rebrickable", "ldraw", "others", "lots"]
BRICK = ["3001", "Brick 2 x 4", "20011", "R", "3001", "3001old", "", "5:300121 6001;11:"]
SHEET = ["74507", "Sticker Sheet", "", "R", "74507", "", "76169stk01", ""]


@pytest.fixture
def folder(tmp_path):
    """A library of two parts and one set."""
    load_colors()
    make_category(20011, "Bricks")
    for name, header, rows in (
        (PARTS, HEADER, [BRICK, SHEET]),
        (
            SETS,
            ["number", "name", "theme", "year"],
            [["6080-1", "Castle", "Castle / Lion", "1984"]],
        ),
    ):
        with gzip.open(tmp_path / name, "wt", newline="") as file:
            csv.writer(file).writerows([header, *rows])
    return tmp_path


def resolved(number, color_id=5, item_type="P"):
    one = LotIdentity(item_type, number, color_id)
    return resolve_lots([one])[one]


class TestLoadLibrary:
    def test_makes_parts_with_their_colours_and_elements(self, folder):
        assert load_library(folder, now=now()) == (3, 3)

        brick = Item.objects.get(number="3001")
        assert (brick.name, brick.category_path, brick.name_from) == ("Brick 2 x 4", "Bricks", "O")
        assert set(brick.lots.values_list("color_id", "is_known")) == {(5, True), (11, True)}
        codes = ElementCode.objects.filter(lot__item=brick, lot__color_id=5)
        assert set(codes.values_list("code", flat=True)) == {"300121", "6001"}

    def test_makes_sets_with_their_year_and_theme(self, folder):
        load_library(folder, now=now())

        castle = Item.objects.get(item_type="SET", number="6080-1")
        assert (castle.year_released, castle.category_path) == (1984, "Castle / Lion")
        assert castle.lots.get().color_id == 0

    @pytest.mark.parametrize(("number", "found"), [("3001old", "3001"), ("76169stk01", "74507")])
    def test_parts_answer_to_their_other_numbers(self, folder, number, found):
        load_library(folder, now=now())

        assert Item.objects.get(pk=resolved(number).item_id).number == found
        assert search_items(number).hits[0].number == found

    def test_writes_nothing_the_second_time(self, folder):
        load_library(folder, now=now())

        assert load_library(folder, now=now()) == (0, 0)

    def test_makes_no_second_item_of_a_part_that_is_there_under_another_number(self, folder):
        mine = make_item("3001x", "My brick")
        ItemAlias.objects.create(item=mine, catalogue="R", value="3001", value_key="3001")

        load_library(folder, now=now())

        mine.refresh_from_db()
        assert (mine.number, mine.name) == ("3001x", "My brick")
        assert set(mine.lots.values_list("color_id", flat=True)) == {5, 11}
        assert not Item.objects.filter(number="3001").exists()

    def test_shows_everybody_the_pair_that_a_person_made(self, folder, make_user):
        ann, item = make_user("ann"), make_item("3001")
        lot = ensure_lots(pairs=[(item.pk, 5)], now=now(), by=ann)[item.pk, 5]

        load_library(folder, now=now())

        assert Lot.objects.get(pk=lot).is_known
        assert LotMaker.objects.filter(lot=lot, maker=ann).exists()

    @pytest.mark.parametrize("slot", [str(Table.RB_PARTS), f"{Table.BL_ITEMS} PART"])
    def test_gives_way_to_an_imported_catalogue(self, folder, slot):
        CurrentFile.objects.create(
            slot=slot, name="parts", sha256="", importer_version=1, imported_at=now(), revision=1
        )

        assert load_library(folder, now=now()) == (0, 0)
