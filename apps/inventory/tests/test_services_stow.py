from decimal import Decimal

import pytest

from apps.catalog.tests.factories import make_color, make_item, make_lot
from apps.core.errors import Invalid
from apps.inventory.models import CauseKind, InventoryItem, Movement, Reason
from apps.inventory.services.errors import ItemGone, NotEnoughInStock
from apps.inventory.services.ledger_check import check_ledger
from apps.inventory.services.stow import (
    StowLine,
    TakeLine,
    stow_into,
    take_out,
)
from apps.inventory.tests.factories import NOON, lot_fields, make_stock, quantities
from apps.locations.services.errors import LocationFull, LocationGone
from apps.locations.tests.factories import make_location

pytestmark = pytest.mark.django_db
D = Decimal


def stow(ann, *lines, **also):
    return stow_into(owner=ann, lines=lines, by=ann, now=NOON, **also)


def line(location, quantity=5, fields=None, **also):
    return StowLine(
        fields=fields or lot_fields(), location_id=location.pk, quantity=quantity, **also
    )


class TestStowInto:
    def test_makes_a_row_with_its_movement_and_counts_it(self, ann):
        bin_ = make_location(ann, "B-07")
        item = make_item(weight_grams=D("2.500"))
        fields = lot_fields(
            make_lot(item), condition="N", price=D("0.1500"), comments="shiny", extra={"a": [1]}
        )

        result = stow(ann, line(bin_, 4, fields, cause_id=77))

        row = InventoryItem.objects.get()
        assert (row.owner, row.location, row.quantity, row.condition) == (ann, bin_, 4, "N")
        assert (row.price, row.comments, row.remarks) == (D("0.1500"), "shiny", "B-07")
        assert (row.extra, row.piece_grams, row.created_at) == ({"a": [1]}, D("2.5000"), NOON)
        movement = Movement.objects.get()
        assert (movement.item_id, movement.delta, movement.reason) == (row.pk, 4, Reason.STOW)
        assert (movement.cause_kind, movement.cause_id) == (CauseKind.BATCH_ITEM, 77)
        assert (movement.from_location_id, movement.to_location_id) == (None, bin_.pk)
        assert (movement.by, movement.created_at) == (ann, NOON)
        bin_.refresh_from_db()
        assert (bin_.item_count, bin_.stored_weight) == (4, D("10.0000"))
        assert [(s.item_id, s.movement_id, s.is_new) for s in result.stowed] == [
            (row.pk, movement.pk, True)
        ]

    def test_tops_up_the_row_that_agrees(self, ann):
        bin_ = make_location(ann)
        fields = lot_fields()
        first = stow(ann, line(bin_, 4, fields)).stowed[0]

        second = stow(ann, line(bin_, 3, fields)).stowed[0]

        assert (second.item_id, second.is_new) == (first.item_id, False)
        assert quantities(ann) == [(bin_.name, 7)]
        assert check_ledger().is_sound

    @pytest.mark.parametrize(
        "other",
        [
            {"condition": "N"},
            {"sub_condition": "C"},
            {"price": D("0.2000")},
            {"stockroom": "A"},
            {"marketplace_lot_id": 5},
            {"remarks": "look twice"},
        ],
        ids=lambda other: next(iter(other)),
    )
    def test_makes_another_row_where_something_differs(self, ann, other):
        bin_ = make_location(ann)
        lot = make_lot()
        stow(ann, line(bin_, 4, lot_fields(lot)))

        result = stow(ann, line(bin_, 3, lot_fields(lot, **other)))

        assert result.stowed[0].is_new
        assert quantities(ann) == [(bin_.name, 3), (bin_.name, 4)]

    def test_puts_a_batchs_pieces_on_top_of_the_lot_that_is_for_sale(self, ann):
        bin_ = make_location(ann)
        lot = make_lot()
        for_sale = stow(ann, line(bin_, 4, lot_fields(lot, marketplace_lot_id=5))).stowed[0]

        more = stow(ann, line(bin_, 3, lot_fields(lot)), line(bin_, 2, lot_fields(lot))).stowed

        assert {one.item_id for one in more} == {for_sale.item_id}
        assert quantities(ann) == [(bin_.name, 9)]
        assert InventoryItem.objects.get().marketplace_lot_id == 5

    def test_prefers_the_row_that_is_not_for_sale_either(self, ann):
        bin_ = make_location(ann)
        lot = make_lot()
        plain = stow(ann, line(bin_, 1, lot_fields(lot))).stowed[0]
        stow(ann, line(bin_, 4, lot_fields(lot, marketplace_lot_id=5)))

        assert stow(ann, line(bin_, 3, lot_fields(lot))).stowed[0].item_id == plain.item_id

    def test_keeps_pieces_of_no_batch_apart_from_the_lot_that_is_for_sale(self, ann):
        """They would look like listed ones, and the next sync would book them as sold."""
        bin_ = make_location(ann)
        lot = make_lot()
        stow(ann, line(bin_, 4, lot_fields(lot, marketplace_lot_id=5)))

        by_hand = stow(ann, line(bin_, 3, lot_fields(lot)), cause_kind=CauseKind.PERSON)

        assert by_hand.stowed[0].is_new

    def test_puts_lines_of_one_call_together(self, ann):
        bin_ = make_location(ann)
        fields = lot_fields()

        result = stow(ann, line(bin_, 1, fields, cause_id=1), line(bin_, 2, fields, cause_id=2))

        assert len({s.item_id for s in result.stowed}) == 1
        assert quantities(ann) == [(bin_.name, 3)]
        assert sorted(Movement.objects.values_list("delta", "cause_id")) == [(1, 1), (2, 2)]

    def test_keeps_incomplete_lots_apart_by_what_their_file_called_them(self, ann):
        bin_ = make_location(ann)
        unknown = {"raw_item_type": "P", "raw_color_id": 5, "price": D(0)}
        one = InventoryItem(raw_item_number="x1", **unknown)
        two = InventoryItem(raw_item_number="x2", **unknown)

        stow(ann, line(bin_, 1, one), line(bin_, 2, two), line(bin_, 4, one))

        assert quantities(ann) == [(bin_.name, 2), (bin_.name, 5)]

    def test_refuses_what_the_bin_cannot_take_and_does_the_rest(self, ann):
        small = make_location(ann, "S", max_item_count=5)
        large = make_location(ann, "L")

        result = stow(ann, line(small, 3), line(small, 3), line(large, 9))

        assert [s.line.quantity for s in result.stowed] == [3, 9]
        refusal = result.refused[0].refusal
        assert isinstance(refusal, LocationFull)
        assert refusal.text == "S takes 2 more pieces, not 3."
        assert refusal.data == [
            {
                "location_id": small.pk,
                "name": "S",
                "limit": "max_item_count",
                "room": D(2),
                "wanted": D(3),
                "can_override": True,
            }
        ]
        assert quantities(ann) == [("L", 9), ("S", 3)]
        assert check_ledger().is_sound

    def test_changes_nothing_when_all_or_nothing_is_refused(self, ann):
        small = make_location(ann, max_item_count=5)

        with pytest.raises(LocationFull):
            stow(ann, line(small, 3), line(small, 3), all_or_nothing=True)

        assert not InventoryItem.objects.exists()
        assert not Movement.objects.exists()
        small.refresh_from_db()
        assert small.item_count == 0

    def test_refuses_by_weight_and_by_the_weight_of_a_piece(self, ann):
        light = make_location(ann, "Light", max_total_weight=D(10))
        tiny = make_location(ann, "Tiny", max_item_weight=D(1))
        lot = make_lot(make_item(weight_grams=D("2.500")))

        result = stow(
            ann,
            line(light, 4, lot_fields(lot)),
            line(light, 1, lot_fields(lot)),
            line(tiny, 1, lot_fields(lot)),
            line(tiny, 1, lot_fields(lot, unit_weight_grams=D("0.5"))),
        )

        assert [(s.line.location_id, s.line.quantity) for s in result.stowed] == [
            (light.pk, 4),
            (tiny.pk, 1),
        ]
        assert [r.refusal.text for r in result.refused] == [
            "Light takes 0 g more, not 2.5 g.",
            "Tiny takes pieces up to 1 g; this one weighs 2.5 g.",
        ]

    def test_fills_a_bin_to_the_last_tenth_of_a_gram(self, ann):
        bin_ = make_location(ann, "A", max_total_weight=D("0.3"))
        fields = lot_fields(unit_weight_grams=D("0.1"))

        results = [stow(ann, line(bin_, 1, fields)) for _ in range(4)]

        assert [len(result.stowed) for result in results] == [1, 1, 1, 0]
        bin_.refresh_from_db()
        assert (bin_.item_count, bin_.stored_weight) == (3, D("0.3"))

    def test_gives_a_new_row_the_price_of_a_later_line(self, ann):
        bin_ = make_location(ann)
        lot = make_lot()
        unpriced = lot_fields(lot, price=None)

        stow(ann, line(bin_, 1, unpriced), line(bin_, 2, lot_fields(lot, price=D("0.2"))))

        assert InventoryItem.objects.get().price == D("0.2")
        assert unpriced.price is None

    def test_tells_whose_weight_is_unknown(self, ann):
        bin_ = make_location(ann, max_total_weight=D(1))
        unweighed = line(bin_, 500)

        result = stow(ann, unweighed)

        assert result.weight_unknown == [unweighed]
        assert len(result.stowed) == 1

    def test_lets_a_reason_pass_the_limits_but_not_the_mark(self, ann):
        small = make_location(ann, max_item_count=1)
        marked = make_location(ann, is_full=True)

        result = stow(ann, line(small, 3), line(marked, 1), override_reason="Sunday only")

        assert [s.line.location_id for s in result.stowed] == [small.pk]
        assert result.refused[0].refusal.text == f"{marked.name} is marked full."
        assert Movement.objects.get().note == "Sunday only"
        small.refresh_from_db()
        assert small.item_count == 3

    def test_knows_no_location_of_somebody_else(self, ann, bo):
        hers = make_location(ann)

        result = stow_into(owner=bo, lines=[line(hers)], by=bo, now=NOON)

        assert isinstance(result.refused[0].refusal, LocationGone)
        assert not InventoryItem.objects.exists()

    def test_refuses_quantities_below_one(self, ann):
        with pytest.raises(Invalid):
            stow(ann, line(make_location(ann), 0))

    def test_costs_the_same_for_one_line_and_for_five_hundred(
        self, ann, django_assert_max_num_queries
    ):
        bins = [make_location(ann) for _ in range(10)]
        item, color = make_item(), make_color(1)
        lots = [make_lot(item, make_color(100 + n)) for n in range(50)]
        lines = [line(bins[n % 10], 1, lot_fields(lots[n // 10])) for n in range(500)]
        del color

        with django_assert_max_num_queries(14):
            stow(ann, *lines)
        with django_assert_max_num_queries(14):
            stow(ann, *lines)

        assert sum(q for _, q in quantities(ann)) == 1_000
        assert len(quantities(ann)) == 500
        assert check_ledger().is_sound


class TestTakeOut:
    def test_takes_pieces_and_leaves_the_row_at_its_place(self, ann):
        bin_ = make_location(ann)
        row = make_stock(ann, quantity=5, location=bin_)

        result = take_out(
            owner=ann, lines=[TakeLine(item_id=row.pk, quantity=5, cause_id=3)], by=ann, now=NOON
        )

        assert quantities(ann) == [(bin_.name, 0)]
        bin_.refresh_from_db()
        assert bin_.item_count == 0
        movement = Movement.objects.get(pk=result.taken[0].movement_id)
        assert (movement.delta, movement.reason, movement.cause_id) == (-5, Reason.REMOVE, 3)
        assert movement.from_location_id == bin_.pk
        assert check_ledger().is_sound

    def test_refuses_more_than_there_is_and_does_the_rest(self, ann):
        few, many = make_stock(ann, quantity=2), make_stock(ann, quantity=9)

        result = take_out(
            owner=ann,
            lines=[
                TakeLine(item_id=few.pk, quantity=2),
                TakeLine(item_id=few.pk, quantity=1),
                TakeLine(item_id=many.pk, quantity=4),
            ],
            by=ann,
            now=NOON,
        )

        assert [t.line.item_id for t in result.taken] == [few.pk, many.pk]
        assert result.refused[0].refusal.text == "There are 0 here, not 1."
        assert quantities(ann) == [(None, 0), (None, 5)]

    def test_changes_nothing_when_all_or_nothing_is_refused(self, ann):
        row = make_stock(ann, quantity=2)

        with pytest.raises(NotEnoughInStock):
            take_out(
                owner=ann,
                lines=[TakeLine(item_id=row.pk, quantity=1), TakeLine(item_id=row.pk, quantity=2)],
                by=ann,
                now=NOON,
                all_or_nothing=True,
            )

        assert quantities(ann) == [(None, 2)]
        assert Movement.objects.count() == 1

    def test_knows_no_row_of_somebody_else(self, ann, bo):
        row = make_stock(ann)

        result = take_out(owner=bo, lines=[TakeLine(item_id=row.pk, quantity=1)], by=bo, now=NOON)

        assert isinstance(result.refused[0].refusal, ItemGone)
