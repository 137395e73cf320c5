"""Base values and what is carried as JSON."""

from __future__ import annotations

import io
import json
from decimal import Decimal

from hypothesis import given, settings

from apps.exchange.bsx_base import base_of, differences
from apps.exchange.bsx_carried import carried_of, carried_values
from apps.exchange.bsx_lot import BsxLot, ExtraTag
from apps.exchange.bsx_reader import read_bsx
from apps.exchange.tests.files import lots_of
from apps.exchange.tests.strategies import lots


class TestBaseOf:
    def test_applies_the_base_through_the_readers(self):
        full, plain = lots_of("01_full_lot.bsx")

        base = base_of(full)

        assert (base.item_type, base.item_number, base.color_id) == ("P", "75192", 5)
        assert (base.quantity, base.price, base.remarks) == (11, None, "C001-01\nold")
        assert (base.retain, base.stockroom, base.sub_condition) == (False, "", "")
        assert (base.marketplace_lot_id, base.total_weight_grams) == (None, None)
        assert base.marker_text == full.marker_text
        assert base.base == ()
        assert base_of(plain) == plain

    def test_leaves_what_it_cannot_read(self):
        lot = BsxLot(quantity=4, base=(("Qty", "some"), ("Mood", "fine"), ("DateAdded", "now")))

        assert base_of(lot) == BsxLot(quantity=4)


class TestDifferences:
    def test_are_those_of_the_full_lot(self):
        full, _plain = lots_of("01_full_lot.bsx")

        assert differences(full, base_of(full)) == full.base

    def test_are_those_that_brickstore_wrote(self, shared_data):
        with shared_data("bsx/brickstore-2026-base-values-29-lots.bsx").open("rb") as stream:
            some = list(read_bsx(stream))

        assert [differences(lot, base_of(lot)) for lot in some] == [lot.base for lot in some]

    def test_leave_out_default_identities_and_catalogue_weights(self):
        lot = BsxLot(item_number="3001", item_type_id="P", color_id=5)
        base = BsxLot(color_id=0, total_weight_grams=Decimal(3))

        assert differences(lot, base) == ()

    def test_are_nothing_below_what_is_written(self):
        lot = BsxLot(price=Decimal("0.06312"))

        assert differences(lot, BsxLot(price=Decimal("0.06314"))) == ()


class TestCarried:
    def test_is_empty_for_the_lots_of_a_store(self, shared_data):
        with shared_data("bsx/store-2022-eur-2524-lots.bsx").open("rb") as stream:
            assert all(carried_of(lot) == {} for lot in read_bsx(stream))

    def test_holds_what_has_no_column(self):
        first, _second = lots_of("05_bricksync.bsx")

        carried = carried_of(first)

        assert carried["extra"][0] == ["OwlID", "771344-65", None]
        assert carried_values(carried, quantity=-3) == {"extra": first.extra}

    def test_holds_types_that_are_spelled_otherwise(self):
        some = lots_of("10_identities.bsx")

        assert [carried_of(lot) for lot in some[3:6]] == [{}, {"item_type_id": "P"}, {}]
        assert carried_of(some[8]) == {"item_type_name": "Minifig"}
        assert carried_of(some[10]) == {"item_type_id": "Z", "item_type_name": "Zeppelin"}

    def test_holds_a_weight_that_cannot_be_divided_while_the_quantity_stays(self):
        lot = lots_of("07_weights.bsx")[4]

        carried = carried_of(lot)

        assert carried == {"total_weight_grams": "1.0000", "weighed_quantity": 3}
        assert carried_values(carried, quantity=3) == {"total_weight_grams": Decimal("1.0000")}
        assert carried_values(carried, quantity=4) == {}

    def test_is_small_where_the_weight_can_be_divided(self):
        assert carried_of(lots_of("07_weights.bsx")[0]) == {}

    @settings(deadline=None, max_examples=50)
    @given(lots)
    def test_survives_json(self, lot):
        carried = json.loads(json.dumps(carried_of(lot)))

        values = carried_values(carried, quantity=lot.quantity)

        assert values.get("base", ()) == lot.base
        assert values.get("extra", ()) == lot.extra
        assert values.get("attributes", ()) == lot.attributes
        assert all(isinstance(extra, ExtraTag) for extra in values.get("extra", ()))


class TestReading:
    def test_of_a_base_keeps_unknown_attributes(self):
        raw = (
            b'<BrickStoreXML><Inventory Currency="EUR"><Item><ItemID>1</ItemID>'
            b"<ItemTypeID>P</ItemTypeID><Qty>1</Qty>"
            b'<DifferenceBaseValues Qty="2" Mood="fine"/></Item></Inventory></BrickStoreXML>'
        )

        (lot,) = read_bsx(io.BytesIO(raw))

        assert lot.base == (("Qty", "2"), ("Mood", "fine"))
        assert base_of(lot).quantity == 2
