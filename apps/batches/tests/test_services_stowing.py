from decimal import Decimal

import pytest

from apps.batches.models import BatchItem, BatchOperation
from apps.batches.rules import ItemState
from apps.batches.services.batches import BatchIsArchived, archive_batch
from apps.batches.services.selection import Chosen
from apps.batches.services.stowing import (
    NothingToDo,
    StowOptions,
    mark_listed,
    remove_items,
    stow_items,
)
from apps.batches.tests.factories import (
    NOON,
    in_location,
    list_all,
    make_batch,
    make_item,
    make_location,
    stock_of,
    stow_all,
)
from apps.catalog.tests.factories import make_category, make_lot
from apps.catalog.tests.factories import make_item as make_catalogue_item
from apps.core.errors import ErrorCode
from apps.core.testing.jobs import run_jobs
from apps.core.testing.queries import count_queries
from apps.inventory.models import InventoryItem, Movement
from apps.inventory.selectors.ledger import counter_differences, quantity_differences
from apps.inventory.tests.factories import adjust_quantity
from apps.locations.models import Location

pytestmark = pytest.mark.django_db


def log_of(batch):
    """The batch's operations as (kind, outcome, done, failed), oldest first."""
    return list(
        BatchOperation.objects.filter(batch=batch)
        .order_by("pk")
        .values_list("kind", "outcome", "item_count", "failed_count")
    )


def assert_ledger_is_exact(owner):
    assert list(quantity_differences(owner=owner)) == []
    assert list(counter_differences(owner=owner)) == []


class TestStowItems:
    def test_puts_each_into_its_planned_location(self, ann):
        batch = make_batch(ann)
        a, b = make_location(ann, "A-01"), make_location(ann, "B-01")
        first = make_item(batch, quantity=3, location=a)
        second = make_item(batch, quantity=4, location=b)

        operated = stow_all(batch)

        assert operated.results.done == [first.pk, second.pk]
        assert stock_of(ann) == [("A-01", 3), ("B-01", 4)]
        first.refresh_from_db()
        assert (first.is_stowed, first.stowed_at, first.location_id) == (True, NOON, a.pk)
        assert first.inventory_item.quantity == 3
        movement = Movement.objects.get(item=first.inventory_item)
        assert (movement.delta, movement.reason, movement.cause_kind, movement.cause_id) == (
            3,
            "stow",
            "batch_item",
            first.pk,
        )
        assert log_of(batch) == [("stow", "success", 2, 0)]
        assert_ledger_is_exact(ann)

    def test_one_location_for_all_goes_before_the_planned_one(self, ann):
        batch = make_batch(ann)
        planned, chosen = make_location(ann, "A-01"), make_location(ann, "B-01")
        item = make_item(batch, quantity=3, location=planned)

        stow_all(batch, chosen)

        item.refresh_from_db()
        assert item.location_id == chosen.pk
        assert stock_of(ann) == [("B-01", 3)]

    def test_takes_the_recommended_location_where_none_is_planned(self, ann):
        batch = make_batch(ann)
        lot = make_lot()
        home, _ = make_location(ann, "B-01"), make_location(ann, "A-01")
        make_item(batch, quantity=1, lot=lot, location=home)
        stow_all(batch)
        item = make_item(batch, quantity=2, lot=lot)

        stow_all(batch)

        item.refresh_from_db()
        assert item.location_id == home.pk
        assert stock_of(ann) == [("B-01", 3)]

    def test_pours_2000_lots_into_one_bin_without_limits(self, ann):
        place, batch = make_location(ann), make_batch(ann)
        category = make_category()
        catalogued = [make_catalogue_item(f"7{n}", category=category) for n in range(4)]
        lots = [make_lot(one) for one in catalogued] + [make_lot() for _ in range(4)]
        BatchItem.objects.bulk_create(
            BatchItem(owner=ann, batch=batch, lot=lots[n % 8], price=n, quantity=1)
            for n in range(2_000)
        )

        job = stow_all(batch).job
        run_jobs()

        job.refresh_from_db()
        assert (job.result["item_count"], job.result["failed_count"]) == (2_000, 0)
        assert in_location(place.name, ann) == 2_000

    def test_refuses_what_has_no_place(self, ann):
        batch = make_batch(ann)
        item = make_item(batch)

        results = stow_all(batch).results

        assert results.done == []
        assert results.failed[0]["id"] == item.pk
        assert results.failed[0]["reason"] == (
            "No bin is planned and none is recommended: choose one."
        )
        assert log_of(batch) == [("stow", "error", 0, 1)]

    def test_keeps_in_the_item_why_it_was_refused(self, ann):
        batch, stowed_batch = make_batch(ann), make_batch(ann, "Stowed")
        item = make_item(batch)
        seen = item.updated_at
        there = make_item(stowed_batch)
        place = make_location(ann)
        stow_all(stowed_batch, place)
        Location.objects.filter(pk=place.pk).update(exclude_from_recommendations=True)

        stow_all(batch)
        stow_items(
            batch=stowed_batch,
            chosen=Chosen(item_ids=(there.pk,)),
            options=StowOptions(),
            by=ann,
            now=NOON,
        )

        item.refresh_from_db()
        there.refresh_from_db()
        assert item.failure == "No bin is planned and none is recommended: choose one."
        assert item.updated_at == seen
        assert there.failure == ""

    def test_forgets_it_once_the_item_is_stowed(self, ann):
        batch = make_batch(ann)
        item = make_item(batch)
        stow_all(batch)

        stow_all(batch, make_location(ann))

        item.refresh_from_db()
        assert (item.is_stowed, item.failure) == (True, "")

    def test_tops_up_the_row_that_agrees(self, ann):
        batch, lot, place = make_batch(ann), make_lot(), make_location(ann)
        make_item(batch, quantity=3, lot=lot)
        make_item(batch, quantity=4, lot=lot)
        make_item(batch, quantity=5, lot=lot, price="0.2000")

        stow_all(batch, place)

        assert stock_of(ann) == [("A-01", 5), ("A-01", 7)]
        assert_ledger_is_exact(ann)

    def test_a_full_location_refuses_in_numbers_and_the_rest_is_stowed(self, ann):
        batch = make_batch(ann)
        small = make_location(ann, "A-01", max_item_count=5)
        large = make_location(ann, "B-01")
        fits = make_item(batch, quantity=4, location=small)
        too_many = make_item(batch, quantity=6, location=small)
        elsewhere = make_item(batch, quantity=9, location=large)

        operated = stow_all(batch)

        assert operated.results.done == [fits.pk, elsewhere.pk]
        [failed] = operated.results.failed
        assert failed["id"] == too_many.pk
        assert failed["reason"] == "A-01 takes 1 more piece, not 6."
        assert failed["limits"] == [
            {
                "location_id": small.pk,
                "name": "A-01",
                "limit": "max_item_count",
                "room": "1",
                "wanted": "6",
                "can_override": True,
            }
        ]
        assert operated.results.code == ErrorCode.CAPACITY_EXCEEDED
        too_many.refresh_from_db()
        assert (too_many.is_stowed, too_many.inventory_item_id) == (False, None)
        assert log_of(batch) == [("stow", "error", 2, 1)]
        assert BatchOperation.objects.get(batch=batch).failed[0]["reason"] == failed["reason"]
        assert_ledger_is_exact(ann)

    def test_one_location_for_all_takes_all_or_nothing_and_says_the_sum(self, ann):
        batch, small = make_batch(ann), make_location(ann, max_item_count=5)
        items = [make_item(batch, quantity=2) for _ in range(3)]

        operated = stow_all(batch, small)

        assert operated.results.done == []
        assert [failed["id"] for failed in operated.results.failed] == [one.pk for one in items]
        assert {failed["reason"] for failed in operated.results.failed} == {
            "A-01 takes 5 more pieces, not 6."
        }
        assert stock_of(ann) == []
        assert in_location("A-01", ann) == 0
        assert not BatchItem.objects.filter(is_stowed=True).exists()
        assert log_of(batch) == [("stow", "error", 0, 3)]
        assert Movement.objects.count() == 0

    def test_the_sum_of_weights_is_told_in_grams(self, ann):
        batch, small = make_batch(ann), make_location(ann, max_total_weight=Decimal(10))
        brick = make_catalogue_item(weight_grams=Decimal("2.5"))
        make_item(batch, quantity=3, lot=make_lot(brick))
        make_item(batch, quantity=3, lot=make_lot(brick, condition_free_color()))

        operated = stow_all(batch, small)

        assert {failed["reason"] for failed in operated.results.failed} == {
            "A-01 takes 10 g more, not 15 g."
        }

    def test_one_of_many_may_be_stowed_alone_when_asked(self, ann):
        batch, small = make_batch(ann), make_location(ann, max_item_count=5)
        items = [make_item(batch, quantity=2) for _ in range(3)]

        operated = stow_all(batch, small, atomic=False)

        assert operated.results.done == [one.pk for one in items[:2]]
        assert operated.results.failed[0]["reason"] == "A-01 takes 1 more piece, not 2."

    def test_nothing_is_stowed_when_all_was_asked_for_and_one_has_no_pieces(self, ann):
        batch, place = make_batch(ann), make_location(ann)
        good, empty = make_item(batch), make_item(batch, quantity=0)

        results = stow_all(batch, place).results

        assert results.done == []
        assert {one["id"]: one["reason"] for one in results.failed} == {
            empty.pk: "It has no pieces to stow.",
            good.pk: "Nothing was stowed, because another item was refused.",
        }

    def test_a_reason_overrides_the_limits_and_stays_in_the_ledger(self, ann):
        batch, small = make_batch(ann), make_location(ann, max_item_count=1)
        item = make_item(batch, quantity=6)

        stow_all(batch, small, override_reason="They are tiny.")

        item.refresh_from_db()
        assert item.is_stowed
        assert Movement.objects.get().note == "They are tiny."

    def test_no_reason_overrides_a_location_marked_full(self, ann):
        batch, full = make_batch(ann), make_location(ann, is_full=True)
        make_item(batch, quantity=1)

        results = stow_all(batch, full, override_reason="Please.").results

        assert results.failed[0]["reason"] == "A-01 is marked full."
        assert results.failed[0]["limits"][0]["can_override"] is False

    def test_tells_whose_weight_is_unknown(self, ann):
        batch, place = make_batch(ann), make_location(ann)
        unknown = make_item(batch)
        make_item(batch, unit_weight_grams=Decimal(2))

        assert stow_all(batch, place).results.weight_unknown == [unknown.pk]

    def test_an_item_is_stowed_once(self, ann):
        batch, place = make_batch(ann), make_location(ann)
        item = make_item(batch, quantity=3)
        stow_all(batch, place)

        results = stow_items(
            batch=batch,
            chosen=Chosen(item_ids=(item.pk,)),
            options=StowOptions(location_id=place.pk),
            by=ann,
            now=NOON,
        ).results

        assert results.failed[0]["reason"] == "It is already stowed in A-01."
        assert stock_of(ann) == [("A-01", 3)]

    def test_keeps_to_the_batch(self, ann):
        batch, other, place = make_batch(ann), make_batch(ann, "Other"), make_location(ann)
        mine, strange = make_item(batch), make_item(other)

        results = stow_items(
            batch=batch,
            chosen=Chosen(item_ids=(mine.pk, strange.pk)),
            options=StowOptions(location_id=place.pk, atomic=False),
            by=ann,
            now=NOON,
        ).results

        assert results.done == [mine.pk]
        assert results.failed[0] == {
            "id": strange.pk,
            "reason": "It is not in this batch.",
            "name": "",
        }

    def test_refuses_an_archived_batch(self, ann):
        batch, place = make_batch(ann), make_location(ann)
        make_item(batch)
        archive_batch(batch=batch, now=NOON)

        with pytest.raises(BatchIsArchived):
            stow_all(batch, place)

        assert stock_of(ann) == []
        assert log_of(batch) == []

    def test_refuses_when_nothing_is_new(self, ann):
        with pytest.raises(NothingToDo):
            stow_all(make_batch(ann), make_location(ann))

    def test_an_unknown_item_can_be_stowed_too(self, ann):
        batch, place = make_batch(ann), make_location(ann)
        make_item(batch, quantity=2, raw_item_type="P", raw_item_number="x999", raw_color_id=5)

        stow_all(batch, place)

        row = InventoryItem.objects.get()
        assert (row.lot_id, row.raw_item_number, row.quantity) == (None, "x999", 2)

    def test_carries_every_field_into_stock(self, ann):
        batch, place = make_batch(ann), make_location(ann)
        make_item(
            batch,
            comments="public",
            remarks="private",
            cost=Decimal("0.0500"),
            bulk=2,
            sale=10,
            tq1=5,
            tp1=Decimal("0.0900"),
            retain=True,
            stockroom="B",
            marketplace_lot_id=77,
            extra={"extra": [["OwlID", "1", None]]},
        )

        stow_all(batch, place)

        row = InventoryItem.objects.get()
        assert (row.comments, row.remarks, row.cost, row.bulk, row.sale) == (
            "public",
            "private",
            Decimal("0.0500"),
            2,
            10,
        )
        assert (row.tq1, row.tp1, row.retain, row.stockroom) == (5, Decimal("0.0900"), True, "B")
        assert (row.marketplace_lot_id, row.extra) == (77, {"extra": [["OwlID", "1", None]]})

    def test_statements_are_constant(self, ann):
        def queries_for(count, name):
            batch = make_batch(ann, name)
            lot = make_lot()
            for index in range(count):
                place = make_location(ann, f"{name}-{index}")
                make_item(batch, lot=lot, location=place)
            return count_queries(lambda: stow_all(batch))[0]

        queries_for(1, "first")  # SQLite begins to number the rows

        assert queries_for(2, "few") == queries_for(60, "many")

    def test_statements_are_constant_where_none_is_planned(self, ann):
        for index in range(70):
            make_location(ann, f"A-{index}", max_item_count=3)

        def queries_for(count, name):
            batch = make_batch(ann, name)
            for _ in range(count):
                make_item(batch, quantity=3)
            number, operated = count_queries(lambda: stow_all(batch))
            assert operated.results.failed == []
            return number

        queries_for(1, "first")  # SQLite begins to number the rows

        assert queries_for(2, "few") == queries_for(40, "many")


def condition_free_color():
    from apps.catalog.tests.factories import make_color

    return make_color(11)


class TestRemoveItems:
    def remove(self, batch, *items, **also):
        chosen = Chosen(item_ids=tuple(item.pk for item in items) or None, **also)
        return remove_items(batch=batch, chosen=chosen, by=batch.owner, now=NOON)

    def test_takes_stowed_pieces_out_and_makes_the_item_new_again(self, ann):
        batch, place = make_batch(ann), make_location(ann)
        item = make_item(batch, quantity=3)
        stow_all(batch, place)

        operated = self.remove(batch, item)

        assert operated.results.done == [item.pk]
        item.refresh_from_db()
        assert (item.is_stowed, item.stowed_at, item.inventory_item_id) == (False, None, None)
        assert item.location_id == place.pk
        assert stock_of(ann) == []
        assert in_location("A-01", ann) == 0
        assert log_of(batch)[-1] == ("remove", "success", 1, 0)
        assert_ledger_is_exact(ann)

    def test_taken_back_twice_deletes_nothing(self, ann):
        batch = make_batch(ann)
        item = make_item(batch, quantity=3)
        stow_all(batch, make_location(ann))

        self.remove(batch, item, state=ItemState.STOWED)
        again = self.remove(batch, item, state=ItemState.STOWED).results

        assert again.failed[0]["reason"] == "It is not stowed any more, or not in this batch."
        assert BatchItem.objects.get().quantity == 3

    def test_deletes_new_items(self, ann):
        batch = make_batch(ann)
        item, kept = make_item(batch), make_item(batch)

        self.remove(batch, item)

        assert list(BatchItem.objects.values_list("pk", flat=True)) == [kept.pk]

    def test_leaves_listed_items(self, ann):
        batch, place = make_batch(ann), make_location(ann)
        item = make_item(batch, quantity=3)
        stow_all(batch, place)
        list_all(batch)

        results = self.remove(batch, item).results

        assert results.failed[0]["reason"] == "It is listed: take the mark off first."
        assert stock_of(ann) == [("A-01", 3)]
        assert log_of(batch)[-1] == ("remove", "error", 0, 1)

    def test_refuses_what_the_stock_no_longer_has(self, ann):
        batch, place = make_batch(ann), make_location(ann)
        item = make_item(batch, quantity=3)
        stow_all(batch, place)
        item.refresh_from_db()
        adjust_quantity(owner=ann, item_id=item.inventory_item_id, delta=-2, by=ann, now=NOON)

        results = self.remove(batch, item).results

        assert results.failed[0]["reason"] == "There are 1 here, not 3."
        item.refresh_from_db()
        assert item.is_stowed
        assert_ledger_is_exact(ann)

    def test_all_can_be_narrowed_to_a_state(self, ann):
        from apps.batches.rules.states import ItemState

        batch, place = make_batch(ann), make_location(ann)
        stowed = make_item(batch)
        stow_all(batch, place)
        make_item(batch)

        self.remove(batch, state=ItemState.NEW)

        assert list(BatchItem.objects.values_list("pk", "is_stowed")) == [(stowed.pk, True)]

    def test_stow_and_remove_again_and_again_stays_exact(self, ann):
        batch, place = make_batch(ann), make_location(ann)
        items = [make_item(batch, quantity=n) for n in (1, 2, 3)]

        for _ in range(3):
            stow_all(batch, place)
            self.remove(batch, *items)
        stow_all(batch, place)

        assert in_location("A-01", ann) == 6
        assert_ledger_is_exact(ann)


class TestMarkListed:
    def test_marks_what_is_stowed(self, ann):
        batch, place = make_batch(ann), make_location(ann)
        item = make_item(batch)
        stow_all(batch, place)

        operated = list_all(batch)

        item.refresh_from_db()
        assert (item.is_listed, item.listed_at) == (True, NOON)
        assert operated.results.done == [item.pk]
        assert log_of(batch)[-1] == ("markListed", "success", 1, 0)

    def test_refuses_what_is_new(self, ann):
        batch = make_batch(ann)
        item = make_item(batch)

        results = mark_listed(
            batch=batch, chosen=Chosen(item_ids=(item.pk,)), listed=True, by=ann, now=NOON
        ).results

        assert results.failed[0]["reason"] == "It is not stowed yet."
        item.refresh_from_db()
        assert item.is_listed is False
        assert log_of(batch) == [("markListed", "error", 0, 1)]

    def test_can_be_taken_off(self, ann):
        batch, place = make_batch(ann), make_location(ann)
        item = make_item(batch)
        stow_all(batch, place)
        list_all(batch)

        mark_listed(batch=batch, chosen=Chosen(), listed=False, by=ann, now=NOON)

        item.refresh_from_db()
        assert (item.is_stowed, item.is_listed, item.listed_at) == (True, False, None)
