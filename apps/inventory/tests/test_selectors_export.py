import io

import pytest

from apps.catalog.tests.factories import make_category, make_color, make_item, make_lot
from apps.exchange.bsx_reader import read_bsx
from apps.inventory.models import InventoryItem
from apps.inventory.selectors import bsx_lots_of, lots_for_export
from apps.inventory.tests.bsx_files import bsx, lot, sync_file
from apps.inventory.tests.factories import make_stock

pytestmark = pytest.mark.django_db
SAMPLES = [
    "bsx/store-2022-eur-2524-lots.bsx",
    "bsx/brickstore-2026-base-values-29-lots.bsx",
    "bsx/brickstock-2017-31-lots.bsx",
]


def read(content):
    return list(read_bsx(io.BytesIO(content)))


class TestLotsForExport:
    @pytest.mark.parametrize("sample", SAMPLES)
    def test_gives_back_every_field_of_a_real_file(self, ann, shared_data, sample):
        content = shared_data(sample).read_bytes()
        lots = read(content)
        sync_file(ann, content, currency_action="relabel")

        back = [found for _, found in bsx_lots_of(InventoryItem.objects.owned_by(ann))]

        assert len(back) == len(lots) > 0
        assert back == lots

    def test_gives_back_foreign_tags_base_values_and_weights(self, ann):
        content = bsx(
            lot(
                qty=3,
                TotalWeight="10.0000",
                OwlID="12-3",
                Odd="<b>x</b>",
                ItemTypeName="Minifig",
                DifferenceBaseValues="",
            )
        ).replace(b"<DifferenceBaseValues>", b'<DifferenceBaseValues Qty="9" Price="0.070">')

        sync_file(ann, content)

        assert list(lots_for_export(ann)) == read(content)

    def test_names_no_category_that_sellers_programs_number_otherwise(self, ann):
        item = make_item("3001", "Brick 2 x 4", category=make_category(20_011, "Bricks"))
        make_stock(ann, make_lot(item, make_color(5)), 4)

        found = next(lots_for_export(ann))

        assert (found.category_id, found.category_name) == (None, "Bricks")

    def test_names_by_the_catalogue_what_was_made_here(self, ann):
        item = make_item("3001", "Brick 2 x 4", category=make_category(5, "Brick"))
        make_stock(ann, make_lot(item, make_color(5)), 4, comments="x")

        found = next(lots_for_export(ann))

        assert (found.item_number, found.item_type_id, found.item_type_name) == (
            "3001",
            "P",
            "Part",
        )
        assert (found.item_name, found.category_id, found.category_name) == (
            "Brick 2 x 4",
            5,
            "Brick",
        )
        assert (found.color_id, found.color_name, found.quantity) == (5, "Red", 4)

    def test_leaves_rows_at_zero_and_rows_of_others_out(self, ann, bo):
        make_stock(ann, quantity=0)
        make_stock(bo, quantity=3)
        mine = make_stock(ann, quantity=2)

        assert [found.quantity for found in lots_for_export(ann)] == [2]
        assert [found.quantity for found in lots_for_export(ann, item_ids=[mine.pk])] == [2]

    def test_costs_one_query_per_two_thousand_rows(self, ann, django_assert_num_queries):
        for _ in range(3):
            make_stock(ann)

        with django_assert_num_queries(3):
            assert len(list(lots_for_export(ann))) == 3
