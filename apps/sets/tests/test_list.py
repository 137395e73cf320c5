"""The list of sets: narrowed and sorted by how far they are and what they are worth."""

from decimal import Decimal

import pytest

from apps.catalog.models import PriceStat
from apps.catalog.tests.factories import make_lot
from apps.core.testing.queries import count_queries
from apps.sets.models import SetRequirement, UserSet
from apps.sets.tests.factories import make_user_set
from apps.sets.tests.test_overview import have, priced

pytestmark = pytest.mark.django_db
URL = "/api/userSets"


def numbers_of(client, **asked):
    response = client.get(URL, asked)
    assert response.status_code == 200, response.content
    return [row["number"] for row in response.json()["data"]]


@pytest.fixture
def far(ann):
    """Sets of which 0, 33, 50 and 100 percent are on hand, and one without contents."""
    for number, required, on_hand in (("1-1", 4, 0), ("2-1", 3, 1), ("3-1", 4, 2), ("4-1", 4, 4)):
        have(make_user_set(ann, number=number, contents={make_lot(): required}), on_hand)
    make_user_set(ann, number="5-1", contents={})


class TestSets:
    @pytest.mark.parametrize(
        ("asked", "found"),
        [
            ({"percent_min": "33"}, ["2-1", "3-1", "4-1"]),
            ({"percent_min": "34"}, ["3-1", "4-1"]),
            ({"percent_max": "33"}, ["1-1", "2-1"]),
            ({"percent_min": "1", "percent_max": "99"}, ["2-1", "3-1"]),
            ({"percent_min": "100"}, ["4-1"]),
            ({"missing_max": "2"}, ["2-1", "3-1", "4-1", "5-1"]),
            ({"state": "in_progress", "percent_max": "0"}, ["1-1"]),
        ],
    )
    def test_are_narrowed_by_what_is_on_hand(self, ann, api, far, asked, found):
        assert numbers_of(api(ann), ordering="number", **asked) == found

    @pytest.mark.parametrize("asked", ["-1", "101", "x"])
    def test_take_percents_alone(self, ann, api, far, asked):
        response = api(ann).get(URL, {"percent_min": asked})

        assert response.status_code == 400

    def test_are_sorted_by_what_is_on_hand(self, ann, api, far):
        client = api(ann)

        assert numbers_of(client, ordering="-percent")[:4] == ["4-1", "3-1", "2-1", "5-1"]
        assert numbers_of(client, ordering="percent,number") == ["1-1", "5-1", "2-1", "3-1", "4-1"]

    def test_tell_their_value_and_that_of_their_parts(self, ann, api):
        cheap = priced(ann, make_lot(), Decimal("0.5000"))
        added = make_user_set(ann, contents={cheap: 4, make_lot(): 9})
        priced(ann, make_lot(added.item), Decimal("30.0000"))
        UserSet.objects.filter(pk=added.pk).update(quantity=2)

        (row,) = api(ann).get(URL).json()["data"]

        assert (row["value"], row["parts_value"]) == ("60.0000", "2.0000")

    def test_are_worth_what_their_condition_is(self, ann, api):
        lot = make_lot()
        priced(ann, lot, Decimal("0.5000"))
        priced(ann, lot, Decimal("0.8000"), condition="N")
        added = make_user_set(ann, contents={lot: 10})
        UserSet.objects.filter(pk=added.pk).update(condition="N")

        (row,) = api(ann).get(URL).json()["data"]

        assert (row["value"], row["parts_value"]) == (None, "8.0000")

    def test_fall_back_to_what_is_asked_where_nothing_was_sold(self, ann, api):
        lot = priced(ann, make_lot(), Decimal(0))
        PriceStat.objects.filter(lot=lot).update(avg_inventory_price=Decimal("0.2500"))
        make_user_set(ann, contents={lot: 4})

        (row,) = api(ann).get(URL).json()["data"]

        assert row["parts_value"] == "1.0000"

    def test_are_sorted_by_value_what_is_unknown_as_nothing(self, ann, api):
        for number, amount in (("1-1", 3), ("2-1", 9), ("3-1", None)):
            lot = make_lot()
            added = make_user_set(ann, number=number, contents={lot: 2})
            if amount is not None:
                priced(ann, lot, Decimal(amount))
                priced(ann, make_lot(added.item), Decimal(100 - amount))
        client = api(ann)

        assert numbers_of(client, ordering="-parts_value") == ["2-1", "1-1", "3-1"]
        assert numbers_of(client, ordering="-value") == ["1-1", "2-1", "3-1"]

    def test_come_in_as_many_queries_whatever_their_number(self, ann, api):
        client = api(ann)
        make_user_set(ann)
        asked = f"{URL}?ordering=-parts_value&percent_max=90"
        one, _ = count_queries(lambda: client.get(asked))
        for _ in range(6):
            make_user_set(ann)
        many, response = count_queries(lambda: client.get(asked))

        assert len(response.json()["data"]) == 7
        assert one == many
        assert SetRequirement.objects.count() == 7
