"""Several people change the same locations at once: right on both databases."""

import pytest

from apps.catalog.tests.factories import make_lot
from apps.core.errors import DomainError
from apps.core.testing.threads import at_once
from apps.inventory.services.ledger_check import check_ledger
from apps.inventory.services.stocked_locations import merge_locations
from apps.inventory.tests.factories import NOON, make_stock
from apps.locations.models import Location
from apps.locations.services.locations import create_by_pattern
from apps.locations.tests.factories import make_location

pytestmark = pytest.mark.django_db(transaction=True)
PEOPLE = 20


class TestMergingBothWaysAtOnce:
    def test_leaves_one_location_with_everything(self, ann):
        one, other = make_location(ann, "A-1"), make_location(ann, "A-2")
        make_stock(ann, make_lot(), 4, one)
        make_stock(ann, make_lot(), 3, other)

        def merge(number):
            location, into = (one, other) if number else (other, one)
            try:
                merge_locations(location=location, into=into, by=ann, now=NOON)
            except DomainError as refusal:
                return type(refusal).__name__
            return "merged"

        outcomes = at_once(merge, threads=2)

        assert sorted(outcomes) == ["LocationGone", "merged"]
        assert list(Location.objects.values_list("item_count", flat=True)) == [7]
        report = check_ledger()
        assert (report.quantities, report.counters) == ([], [])


class TestTheSamePatternAtOnce:
    def test_makes_each_location_once(self, ann):
        def make(_number):
            create_by_pattern(owner=ann, pattern="A-[1-5]", container_type=None, now=NOON)

        at_once(make, threads=PEOPLE)

        names = Location.objects.order_by("sort_key").values_list("name", flat=True)
        assert list(names) == ["A-1", "A-2", "A-3", "A-4", "A-5"]
