from decimal import Decimal

import pytest

from apps.batches.models import Batch, BatchItem, BatchOperation
from apps.batches.rules.cost import SpreadBy
from apps.batches.services.acts import undo_act
from apps.batches.services.arranging import merge_batch
from apps.batches.services.batches import BatchIsArchived, archive_batch
from apps.batches.services.bulk import add_item, change_items
from apps.batches.services.prices import spread_batch_cost
from apps.batches.services.selection import Chosen
from apps.batches.services.stowing import StowOptions, remove_items, stow_items
from apps.batches.tests.factories import (
    NOON,
    in_location,
    make_batch,
    make_item,
    make_location,
    stock_of,
    stow_all,
)
from apps.catalog.tests.factories import make_lot
from apps.core.testing.threads import at_once
from apps.inventory.selectors.ledger import counter_differences, quantity_differences
from apps.lots.models import KeptAct
from apps.lots.services.acts import ActUndone
from apps.lots.services.bulk import Edit

pytestmark = pytest.mark.django_db(transaction=True)


def stow_one(item, place, by):
    return stow_items(
        batch=item.batch,
        chosen=Chosen(item_ids=(item.pk,)),
        options=StowOptions(location_id=place.pk),
        by=by,
        now=NOON,
    )


def assert_ledger_is_exact(owner):
    assert list(quantity_differences(owner=owner)) == []
    assert list(counter_differences(owner=owner)) == []


class TestTheLastPlace:
    def test_is_taken_by_exactly_one_of_twenty(self, ann):
        place = make_location(ann, max_item_count=1)
        items = [make_item(make_batch(ann, f"Batch {n}"), quantity=1) for n in range(20)]

        results = at_once(lambda n: stow_one(items[n], place, ann).results, threads=20)

        assert sum(len(outcome.done) for outcome in results) == 1
        refusals = {outcome.failed[0]["reason"] for outcome in results if outcome.failed}
        assert refusals == {"A-01 takes 0 more pieces, not 1."}
        assert stock_of(ann) == [("A-01", 1)]
        assert in_location("A-01", ann) == 1
        assert BatchItem.objects.filter(is_stowed=True).count() == 1
        assert BatchOperation.objects.filter(outcome="error").count() == 19
        assert_ledger_is_exact(ann)


class TestTheSameItem:
    def test_is_stowed_once_by_two_people(self, ann):
        place, item = make_location(ann), make_item(make_batch(ann), quantity=3)

        results = at_once(lambda _: stow_one(item, place, ann).results, threads=4)

        assert sum(len(outcome.done) for outcome in results) == 1
        assert stock_of(ann) == [("A-01", 3)]
        assert_ledger_is_exact(ann)

    def test_is_removed_once_by_two_people(self, ann):
        batch, place = make_batch(ann), make_location(ann)
        item = make_item(batch, quantity=3)
        stow_all(batch, place)

        at_once(
            lambda _: remove_items(
                batch=batch, chosen=Chosen(item_ids=(item.pk,)), by=ann, now=NOON
            ),
            threads=2,
        )

        assert stock_of(ann) == []
        assert in_location("A-01", ann) == 0
        # Removed, it was new; removed again, it is gone.
        assert not BatchItem.objects.exists()
        assert_ledger_is_exact(ann)


class TestOppositeOrders:
    def test_two_batches_crossing_in_the_same_bins_both_end(self, ann):
        bins = [make_location(ann, f"A-{n}") for n in range(6)]
        batches = [make_batch(ann, "There"), make_batch(ann, "Back")]
        for batch, order in zip(batches, (bins, bins[::-1]), strict=True):
            for place in order:
                make_item(batch, quantity=1, location=place)

        results = at_once(lambda n: stow_all(batches[n]).results, threads=2)

        assert [len(outcome.done) for outcome in results] == [6, 6]
        assert sum(quantity for _, quantity in stock_of(ann)) == 12
        assert_ledger_is_exact(ann)


class TestArchiving:
    def test_nothing_lands_in_a_batch_after_it_was_archived(self, ann):
        batch, lot = make_batch(ann), make_lot()

        def act(number):
            if number == 0:
                archive_batch(batch=batch, now=NOON)
                return "archived", BatchItem.objects.filter(batch=batch).count()
            try:
                add_item(owner=ann, draft={"batch_id": batch.pk, "lot_id": lot.pk}, now=NOON)
            except BatchIsArchived:
                return "refused", None
            return "added", None

        results = at_once(act, threads=8)

        added = sum(1 for verb, _ in results if verb == "added")
        assert BatchItem.objects.filter(batch=batch).count() == added


class TestTopUp:
    def test_adds_every_piece_of_many_at_once(self, ann):
        batch, lot = make_batch(ann), make_lot()
        make_item(batch, quantity=1, lot=lot)
        draft = {"batch_id": batch.pk, "lot_id": lot.pk, "quantity": 1, "top_up": True}

        at_once(
            lambda _: add_item(owner=ann, draft={**draft, "price": Decimal("0.1")}, now=NOON),
            threads=10,
        )

        assert list(BatchItem.objects.values_list("quantity", flat=True)) == [11]


class TestCrossingMerges:
    def test_end_with_everything_in_one_open_batch(self, ann):
        batches = [
            make_batch(ann, "Here", cost_total="3"),
            make_batch(ann, "There", cost_total="4"),
        ]
        for batch in batches:
            for _ in range(3):
                make_item(batch)

        def merge(number):
            try:
                merge_batch(
                    batch=batches[number], to=batches[1 - number], dry_run=False, by=ann, now=NOON
                )
            except BatchIsArchived:
                return "refused"
            return "merged"

        results = at_once(merge, threads=2)

        assert sorted(results) == ["merged", "refused"]
        still_open = Batch.objects.get(is_archived=False)
        assert BatchItem.objects.filter(batch=still_open).count() == 6
        assert still_open.cost_total == 7


class TestManyEditsAtOnce:
    def test_of_the_same_stowed_items_leave_an_exact_ledger(self, ann):
        batch = make_batch(ann)
        places = [make_location(ann, f"A-{n}") for n in range(4)]
        items = [make_item(batch, quantity=3, location=places[n % 4]) for n in range(40)]
        stow_all(batch)

        def edit(number):
            order = items if number % 2 else items[::-1]
            change_items(
                owner=ann,
                create={},
                update={
                    place: Edit(item_id=item.pk, changes={"quantity": number + 1})
                    for place, item in enumerate(order)
                },
                delete={},
                refused={},
                atomic=True,
                by=ann,
                now=NOON,
            )

        at_once(edit, threads=6)

        left = set(BatchItem.objects.values_list("quantity", flat=True))
        assert len(left) == 1
        assert sum(pieces for _, pieces in stock_of(ann)) == 40 * left.pop()
        assert_ledger_is_exact(ann)


class TestUndo:
    def test_of_one_act_happens_once(self, ann):
        batch = make_batch(ann, cost_total="10")
        item = make_item(batch)
        acted = spread_batch_cost(
            batch=batch,
            chosen=Chosen(),
            spread_by=SpreadBy.PIECES,
            total=None,
            dry_run=False,
            by=ann,
            now=NOON,
        )

        def undo(_):
            try:
                undo_act(act=KeptAct.objects.get(pk=acted.act.pk), by=ann, now=NOON)
            except ActUndone:
                return "refused"
            return "undone"

        assert sorted(at_once(undo, threads=4)) == ["refused"] * 3 + ["undone"]
        item.refresh_from_db()
        assert item.cost == 0
