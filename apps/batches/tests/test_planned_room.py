"""What is planned for a bin takes its room in the recommendation for one lot as in that for many."""

import pytest

from apps.batches.tests.factories import make_batch, make_item, make_location
from apps.catalog.tests.factories import make_lot
from apps.core.testing.queries import count_queries
from apps.inventory.selectors.destinations import Wanted, recommend_destinations, recommend_for_many
from apps.inventory.selectors.planned import planned_loads
from apps.inventory.tests.factories import NOON

pytestmark = pytest.mark.django_db


def offered(owner, lot, quantity=5):
    found = recommend_destinations(
        owner=owner, lot_ids=[lot.pk], condition="U", now=NOON, quantity=quantity
    )
    return [(one.name, one.available_item_count) for one in found]


def test_a_bin_that_plans_fill_is_not_offered(ann):
    batch = make_batch(ann)
    make_item(batch, 8, location=make_location(ann, "A-01", max_item_count=10))
    make_location(ann, "A-02", max_item_count=10)

    assert offered(ann, make_lot()) == [("A-02", 10)]


def test_of_empty_bins_those_that_nothing_is_planned_for_come_first(ann):
    batch = make_batch(ann)
    make_item(batch, 2, location=make_location(ann, "A-01", max_item_count=10))
    make_location(ann, "A-02", max_item_count=10)

    assert offered(ann, make_lot()) == [("A-02", 10), ("A-01", 8)]


def test_plans_of_archived_batches_and_of_others_do_not_count(ann, bo):
    place = make_location(ann, "A-01", max_item_count=10)
    make_item(make_batch(ann, is_archived=True, archived_at=NOON), 8, location=place)
    make_item(make_batch(bo), 8, location=make_location(bo, "B-01", max_item_count=10))

    assert offered(ann, make_lot()) == [("A-01", 10)]


def test_one_and_many_choose_alike(ann):
    batch = make_batch(ann)
    for name, planned in (("A-01", 8), ("A-02", 1), ("A-03", 0)):
        place = make_location(ann, name, max_item_count=10)
        if planned:
            make_item(batch, planned, location=place)
    lot = make_lot()

    many = recommend_for_many(
        owner=ann, wanted={1: Wanted(lot.pk, "U", 5)}, planned=planned_loads(owner=ann)
    )
    (first, *_) = recommend_destinations(
        owner=ann, lot_ids=[lot.pk], condition="U", now=NOON, quantity=5
    )

    assert many == {1: first.id}
    assert first.name == "A-03"


def test_costs_the_same_for_one_plan_and_for_many(ann, bo):
    for owner, plans in ((ann, 1), (bo, 20)):
        batch = make_batch(owner)
        for number in range(plans):
            make_item(batch, 1, location=make_location(owner, f"A-{number}", max_item_count=10))
    lot = make_lot()

    one, _ = count_queries(lambda: offered(ann, lot))
    many, _ = count_queries(lambda: offered(bo, lot))

    assert one == many
