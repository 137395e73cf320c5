import pytest

from apps.batches.models import BatchItem, BatchOperation
from apps.batches.services.batches import BatchIsArchived, archive_batch
from apps.batches.services.items import add_item
from apps.batches.services.stowing import Chosen, StowOptions, remove_items, stow_items
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

        outcomes = at_once(lambda n: stow_one(items[n], place, ann).outcome, threads=20)

        assert sum(len(outcome.done) for outcome in outcomes) == 1
        refusals = {outcome.failed[0]["reason"] for outcome in outcomes if outcome.failed}
        assert refusals == {"A-01 takes 0 more pieces, not 1."}
        assert stock_of(ann) == [("A-01", 1)]
        assert in_location("A-01", ann) == 1
        assert BatchItem.objects.filter(is_stowed=True).count() == 1
        assert BatchOperation.objects.filter(outcome="error").count() == 19
        assert_ledger_is_exact(ann)


class TestTheSameItem:
    def test_is_stowed_once_by_two_people(self, ann):
        place, item = make_location(ann), make_item(make_batch(ann), quantity=3)

        outcomes = at_once(lambda _: stow_one(item, place, ann).outcome, threads=4)

        assert sum(len(outcome.done) for outcome in outcomes) == 1
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

        outcomes = at_once(lambda n: stow_all(batches[n]).outcome, threads=2)

        assert [len(outcome.done) for outcome in outcomes] == [6, 6]
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
            lambda _: add_item(owner=ann, draft={**draft, "price": "0.1000"}, now=NOON), threads=10
        )

        assert list(BatchItem.objects.values_list("quantity", flat=True)) == [11]
