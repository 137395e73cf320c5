from decimal import Decimal

import pytest

from apps.catalog.tests.factories import make_color, make_item, make_lot
from apps.core.errors import Invalid
from apps.inventory.models import InventoryItem, Movement, Reason
from apps.inventory.services.errors import ItemGone, NotEnoughInStock
from apps.inventory.services.ledger_check import check_ledger
from apps.inventory.services.moves import MoveLine, move_items
from apps.inventory.tests.factories import NOON, make_stock, quantities
from apps.locations.services.errors import LocationFull, LocationGone
from apps.locations.tests.factories import make_location

pytestmark = pytest.mark.django_db
D = Decimal


def move(owner, *lines, **also):
    return move_items(owner=owner, lines=lines, by=owner, now=NOON, **also)


def line(row, to, quantity=None):
    return MoveLine(item_id=row.pk, to_location_id=to.pk if to else None, quantity=quantity)


@pytest.fixture
def lot():
    return make_lot(make_item(weight_grams=D("2.5")))


class TestMoveItems:
    def test_takes_the_row_itself_when_all_of_it_goes(self, ann, lot):
        a, b = make_location(ann, "A"), make_location(ann, "B")
        row = make_stock(ann, lot, 5, a, marketplace_lot_id=7)

        result = move(ann, line(row, b))

        row.refresh_from_db()
        assert result.moved[0].item_id == row.pk
        assert (row.location, row.quantity, row.remarks) == (b, 5, "B")
        moved = row.movements.filter(reason=Reason.MOVE).order_by("id")
        assert list(moved.values_list("delta", "from_location_id", "to_location_id")) == [
            (-5, a.pk, b.pk),
            (5, a.pk, b.pk),
        ]
        for bin_, pieces in ((a, 0), (b, 5)):
            bin_.refresh_from_db()
            assert (bin_.item_count, bin_.stored_weight) == (pieces, pieces * D("2.5"))

    def test_adds_to_the_row_that_agrees_and_leaves_the_other_at_zero(self, ann, lot):
        a, b = make_location(ann, "A"), make_location(ann, "B")
        row, there = make_stock(ann, lot, 5, a), make_stock(ann, lot, 2, b)

        result = move(ann, line(row, b))

        assert result.moved[0].item_id == there.pk
        assert quantities(ann) == [("A", 0), ("B", 7)]
        assert check_ledger().is_sound

    def test_makes_a_row_for_a_part(self, ann, lot):
        a, b = make_location(ann, "A"), make_location(ann, "B")
        row = make_stock(ann, lot, 5, a, price=D("0.3"), comments="x", marketplace_lot_id=7)

        result = move(ann, line(row, b, 2))

        part = InventoryItem.objects.get(pk=result.moved[0].item_id)
        assert part.pk != row.pk
        assert (part.quantity, part.price, part.comments) == (2, D("0.3"), "x")
        assert (part.marketplace_lot_id, part.remarks) == (7, "B")
        assert quantities(ann) == [("A", 3), ("B", 2)]
        assert check_ledger().is_sound

    def test_keeps_remarks_that_say_something_else(self, ann, lot):
        a, b = make_location(ann, "A"), make_location(ann, "B")
        row = make_stock(ann, lot, 5, a, remarks="look twice")

        move(ann, line(row, b))

        row.refresh_from_db()
        assert row.remarks == "look twice"

    def test_moves_many_in_one_call(self, ann, lot):
        a, b, c = (make_location(ann, name) for name in "ABC")
        one = make_stock(ann, lot, 5, a)
        two = make_stock(ann, lot, 3, b)

        move(ann, line(one, c, 2), line(two, c), line(one, b, 1))

        assert quantities(ann) == [("A", 2), ("B", 1), ("C", 5)]
        assert check_ledger().is_sound

    def test_can_swap_two_full_bins(self, ann, lot):
        a = make_location(ann, "A", max_item_count=5)
        b = make_location(ann, "B", max_item_count=5)
        other = make_lot(make_item())
        one, two = make_stock(ann, lot, 3, a), make_stock(ann, other, 3, b)

        with pytest.raises(LocationFull):
            move(ann, line(one, b), line(two, a))
        move(ann, line(one, None), line(two, a), line(one, b))

        assert quantities(ann) == [("A", 3), ("B", 3)]
        assert check_ledger().is_sound

    def test_takes_out_of_every_location(self, ann, lot):
        a = make_location(ann, "A")
        row = make_stock(ann, lot, 5, a)

        move(ann, line(row, None, 2))

        assert quantities(ann) == [(None, 2), ("A", 3)]
        assert check_ledger().is_sound

    def test_does_nothing_within_one_location(self, ann, lot):
        a = make_location(ann, "A")
        row = make_stock(ann, lot, 5, a)

        assert move(ann, line(row, a)).moved[0].item_id == row.pk
        assert Movement.objects.count() == 1

    @pytest.mark.parametrize("quantity", [6, 100])
    def test_refuses_more_than_there_is(self, ann, lot, quantity):
        row = make_stock(ann, lot, 5, make_location(ann, "A"))

        with pytest.raises(NotEnoughInStock):
            move(ann, line(row, make_location(ann), quantity))

        assert quantities(ann) == [("A", 5)]
        assert Movement.objects.count() == 1

    def test_refuses_a_full_location_with_nothing_moved(self, ann, lot):
        a, b = make_location(ann, "A"), make_location(ann, "B", max_item_count=6)
        one, two = make_stock(ann, lot, 5, a), make_stock(ann, lot, 5, a, condition="N")

        with pytest.raises(LocationFull) as refused:
            move(ann, line(one, b), line(two, b))

        assert refused.value.text == "B takes 1 more piece, not 5."
        assert quantities(ann) == [("A", 5), ("A", 5)]
        assert check_ledger().is_sound

    def test_does_what_it_can_when_told_so(self, ann, lot):
        a, b = make_location(ann, "A"), make_location(ann, "B", max_item_count=6)
        one, two = make_stock(ann, lot, 5, a), make_stock(ann, lot, 5, a, condition="N")

        result = move(ann, line(one, b), line(two, b), all_or_nothing=False)

        assert [moved.line.item_id for moved in result.moved] == [one.pk]
        assert isinstance(result.refused[0].refusal, LocationFull)
        assert quantities(ann) == [("A", 5), ("B", 5)]

    def test_lets_a_reason_pass_and_keeps_it(self, ann, lot):
        row = make_stock(ann, lot, 5, make_location(ann, "A"))
        small = make_location(ann, "B", max_item_count=1)

        move(ann, line(row, small), override_reason="over the weekend")

        assert quantities(ann) == [("B", 5)]
        notes = Movement.objects.filter(reason=Reason.MOVE).values_list("note", flat=True)
        assert set(notes) == {"over the weekend"}

    def test_knows_nothing_of_somebody_else(self, ann, bo, lot):
        hers, his = make_stock(ann, lot, 5), make_location(bo)

        with pytest.raises(ItemGone):
            move(bo, line(hers, his))
        with pytest.raises(LocationGone):
            move(ann, line(hers, his))

        assert quantities(ann) == [(None, 5)]

    def test_refuses_quantities_below_one(self, ann, lot):
        with pytest.raises(Invalid):
            move(ann, line(make_stock(ann, lot), None, 0))

    def test_costs_the_same_for_few_and_for_five_hundred(self, ann, django_assert_max_num_queries):
        a, b = make_location(ann, "A"), make_location(ann, "B")
        item = make_item()
        rows = [make_stock(ann, make_lot(item, make_color(100 + n)), 2, a) for n in range(60)]

        with django_assert_max_num_queries(18):
            move(ann, *[line(row, b, 1) for row in rows])

        assert sum(q for name, q in quantities(ann) if name == "B") == 60
        assert check_ledger().is_sound
