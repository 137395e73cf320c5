from decimal import Decimal

import pytest

from apps.catalog.tests.factories import make_item, make_lot
from apps.core.errors import Invalid
from apps.core.testing.queries import count_queries
from apps.inventory.api.serializers import InventoryItemWrite
from apps.inventory.models import CauseKind, InventoryItem, Movement, Reason
from apps.inventory.services.edits import EDITABLE, StockEdit, edit_rows
from apps.inventory.services.errors import ItemGone, NotEnoughInStock
from apps.inventory.services.ledger_check import check_ledger
from apps.inventory.tests.factories import NOON, make_stock, quantities
from apps.locations.services.errors import LocationFull, LocationGone
from apps.locations.tests.factories import make_location

pytestmark = pytest.mark.django_db
D = Decimal


def edit(owner, *edits, **also):
    return edit_rows(owner=owner, edits=dict(enumerate(edits)), by=owner, now=NOON, **also)


@pytest.fixture
def lot():
    return make_lot(make_item(weight_grams=D("2.5")))


class TestEditRows:
    def test_books_more_and_fewer_with_their_reasons(self, ann):
        place = make_location(ann)
        up, down = make_stock(ann, None, 5, place), make_stock(ann, None, 5, place)

        refused = edit(
            ann,
            StockEdit(item_id=up.pk, delta=2, cause_id=71),
            StockEdit(item_id=down.pk, delta=-5, cause_id=72),
            cause_kind=CauseKind.BATCH_ITEM,
            more=Reason.STOW,
            fewer=Reason.REMOVE,
        )

        assert refused == {}
        assert quantities(ann) == [(place.name, 0), (place.name, 7)]
        last = Movement.objects.filter(cause_id__in=[71, 72]).order_by("cause_id")
        assert list(last.values_list("delta", "reason", "from_location_id", "to_location_id")) == [
            (2, Reason.STOW, None, place.pk),
            (-5, Reason.REMOVE, place.pk, None),
        ]
        place.refresh_from_db()
        assert place.item_count == 7
        assert check_ledger(owner=ann).is_sound

    def test_edits_of_one_row_follow_one_another(self, ann):
        row = make_stock(ann, None, 5, make_location(ann, max_item_count=7))

        refused = edit(
            ann,
            StockEdit(item_id=row.pk, delta=2),
            StockEdit(item_id=row.pk, delta=1),
            StockEdit(item_id=row.pk, delta=-7),
        )

        assert list(refused) == [1]
        row.refresh_from_db()
        assert row.quantity == 0

    def test_refuses_what_cannot_be_and_does_the_rest(self, ann, bo):
        place = make_location(ann, max_item_count=10)
        rows = [make_stock(ann, None, 3, place) for _ in range(3)]
        strange = make_stock(bo, None, 3)

        refused = edit(
            ann,
            StockEdit(item_id=rows[0].pk, delta=2),
            StockEdit(item_id=rows[1].pk, delta=-4),
            StockEdit(item_id=strange.pk, delta=1),
            StockEdit(item_id=rows[2].pk, changes={"location_id": 999_999}),
            StockEdit(item_id=rows[2].pk, changes={"price": D("9")}),
        )

        assert {key: type(why) for key, why in refused.items()} == {
            0: LocationFull,
            1: NotEnoughInStock,
            2: ItemGone,
            3: LocationGone,
        }
        assert refused[0].text == f"{place.name} takes 1 more piece, not 2."
        assert quantities(ann) == [(place.name, 3)] * 3
        assert sorted(InventoryItem.objects.owned_by(ann).values_list("price", flat=True)) == [
            D("0.1"),
            D("0.1"),
            D("9"),
        ]
        strange.refresh_from_db()
        assert strange.quantity == 3

    def test_a_reason_passes_limits_and_stays_in_the_ledger(self, ann):
        row = make_stock(ann, None, 3, make_location(ann, max_item_count=3))

        refused = edit(ann, StockEdit(item_id=row.pk, delta=1, override_reason="heaped"))

        assert refused == {}
        assert row.movements.order_by("-pk").first().note == "heaped"

    def test_moves_the_whole_row_with_its_weight_and_remarks(self, ann, lot):
        a, b = make_location(ann, "A"), make_location(ann, "B")
        row = make_stock(ann, lot, 4, a)

        edit(ann, StockEdit(item_id=row.pk, changes={"location_id": b.pk}, delta=1))

        row.refresh_from_db()
        assert (row.location, row.quantity, row.remarks) == (b, 5, "B")
        for place, pieces in ((a, 0), (b, 5)):
            place.refresh_from_db()
            assert (place.item_count, place.stored_weight) == (pieces, pieces * D("2.5"))
        assert list(row.movements.order_by("pk").values_list("delta", "reason")) == [
            (4, Reason.EDIT),
            (-4, Reason.MOVE),
            (4, Reason.MOVE),
            (1, Reason.EDIT),
        ]
        assert check_ledger(owner=ann).is_sound

    def test_a_full_target_leaves_the_row_and_its_room(self, ann):
        a, b = make_location(ann, "A"), make_location(ann, "B", max_item_count=2)
        row, next_one = make_stock(ann, None, 3, a), make_stock(ann, None, 2, a)

        refused = edit(
            ann,
            StockEdit(item_id=row.pk, changes={"location_id": b.pk, "price": D("7")}),
            StockEdit(item_id=next_one.pk, changes={"location_id": b.pk}),
        )

        assert list(refused) == [0]
        row.refresh_from_db()
        assert (row.location, row.price) == (a, D("0.1"))
        assert quantities(ann) == [("A", 3), ("B", 2)]
        assert check_ledger(owner=ann).is_sound

    def test_another_lot_weighs_what_it_weighs(self, ann, lot):
        place = make_location(ann)
        row = make_stock(ann, None, 4, place)

        edit(ann, StockEdit(item_id=row.pk, changes={"lot_id": lot.pk}))

        place.refresh_from_db()
        row.refresh_from_db()
        assert (row.piece_grams, place.stored_weight) == (D("2.5"), D("10"))

    def test_may_change_all_that_a_request_sets(self):
        of_the_booking = {"quantity", "note", "override_reason"}

        assert set(InventoryItemWrite().fields) - of_the_booking - EDITABLE == set()

    def test_names_what_cannot_be_changed(self, ann):
        row = make_stock(ann, None, 4)

        with pytest.raises(Invalid):
            edit(ann, StockEdit(item_id=row.pk, changes={"quantity": 9}))

    def test_costs_the_same_for_one_and_for_a_hundred(self, ann):
        place = make_location(ann)
        rows = [make_stock(ann, None, 3, place) for _ in range(100)]

        def more(some):
            return count_queries(
                lambda: edit(ann, *(StockEdit(item_id=row.pk, delta=1) for row in some))
            )[0]

        assert more(rows[:1]) == more(rows) <= 9
