from decimal import Decimal

import pytest

from apps.core.clock import now
from apps.core.errors import Invalid
from apps.locations.models import Location
from apps.locations.services import rooms
from apps.locations.services.errors import LocationGone, LocationNotEmpty
from apps.locations.services.locations import (
    delete_location,
    edit_location,
    locations_named,
    name_in_remarks,
)
from apps.locations.services.rooms import Load
from apps.locations.tests.factories import make_location

pytestmark = pytest.mark.django_db
D = Decimal


def counters():
    rows = Location.objects.order_by("name").values_list("name", "item_count", "stored_weight")
    return [(name, count, D(weight)) for name, count, weight in rows]


class TestChangeRooms:
    def test_counts_loads_into_many_at_once_and_out_again(self, ann):
        a, b = make_location(ann, "A", max_item_count=5), make_location(ann, "B")

        rooms.change_rooms(loads={a.pk: Load(5, D("1.25")), b.pk: Load(7, D(0))})
        rooms.change_rooms(loads={a.pk: Load(-2, D("-1"))})

        assert counters() == [("A", 3, D("0.25")), ("B", 7, D(0))]

    def test_adds_tenths_of_a_gram_exactly(self, ann):
        a = make_location(ann, "A")

        for _ in range(3):
            rooms.change_rooms(loads={a.pk: Load(1, D("0.1"))})

        assert counters() == [("A", 3, D("0.3"))]


class TestLocationsNamed:
    def test_finds_and_makes(self, ann, bo):
        there = make_location(ann, "A")
        make_location(bo, "B")

        found = locations_named(owner=ann, names=["A", "B", "B"], create=False, now=now())
        made = locations_named(owner=ann, names=["A", "B"], create=True, now=now())

        assert found == {"A": there.pk}
        assert made == {"A": there.pk, "B": Location.objects.get(owner=ann, name="B").pk}

    def test_gives_a_code_only_where_it_is_free(self, ann):
        make_location(ann, "Other", code="B")

        locations_named(owner=ann, names=["B", "C"], create=True, now=now())

        assert dict(Location.objects.values_list("name", "code")) == {
            "Other": "B",
            "B": "",
            "C": "C",
        }

    def test_costs_the_same_for_one_and_for_two_thousand(self, ann, django_assert_num_queries):
        names = [f"A-{n}" for n in range(2_000)]
        locations_named(owner=ann, names=names, create=True, now=now())

        with django_assert_num_queries(1):
            found = locations_named(owner=ann, names=names, create=True, now=now())

        assert len(found) == 2_000

    @pytest.mark.parametrize(
        ("remarks", "name"),
        [
            ("B-07", "B-07"),
            ("  B-07 ", "B-07"),
            ("enkel  bak", "enkel bak"),
            ("", ""),
            ("two\nlines", ""),
            ("x" * 101, ""),
        ],
    )
    def test_reads_the_name_in_remarks(self, remarks, name):
        assert name_in_remarks(remarks) == name


class TestEditAndDelete:
    def test_keeps_the_natural_order_of_a_new_name(self, ann):
        a = make_location(ann, "A-10")

        edit_location(location=a, changes={"name": "A-2"})

        a.refresh_from_db()
        assert a.sort_key < make_location(ann, "A-10").sort_key

    def test_refuses_what_nobody_may_set(self, ann):
        with pytest.raises(Invalid):
            edit_location(location=make_location(ann), changes={"item_count": 5})

    def test_deletes_only_what_is_empty(self, ann):
        a = make_location(ann)
        rooms.change_rooms(loads={a.pk: Load(1, D(0))})

        with pytest.raises(LocationNotEmpty):
            delete_location(location=a)
        rooms.change_rooms(loads={a.pk: Load(-1, D(0))})
        delete_location(location=a)

        with pytest.raises(LocationGone):
            delete_location(location=Location(pk=99))
