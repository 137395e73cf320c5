import datetime as dt
from dataclasses import dataclass, field
from decimal import Decimal as D

import pytest

from apps.inventory.rules.consolidation import (
    Mode,
    Target,
    average,
    group_key,
    groups_of,
    joined,
    merged,
    target_of,
)

NOON = dt.datetime(2026, 11, 21, 12, tzinfo=dt.UTC)


@dataclass
class Row:
    """What the rules read of a row."""

    pk: int
    quantity: int = 1
    lot_id: int | None = 7
    condition: str = "U"
    sub_condition: str = ""
    status: str = "I"
    location_id: int | None = 1
    price: D | None = None
    cost: D = D(0)
    tq1: int = 0
    tp1: D = D(0)
    tq2: int = 0
    tp2: D = D(0)
    tq3: int = 0
    tp3: D = D(0)
    bulk: int = 1
    sale: int = 0
    reserved: str = ""
    retain: bool = False
    stockroom: str = ""
    comments: str = ""
    remarks: str = ""
    date_added: dt.datetime | None = None
    date_last_sold: dt.datetime | None = None
    created_at: dt.datetime = field(default=NOON)


def changes(target, *sources, modes=None, count_unpriced=False, says=None):
    found = merged(
        target, sources, modes=modes or {}, count_unpriced=count_unpriced, says=says or {}
    )
    return found.changes


class TestGroupsOf:
    @pytest.mark.parametrize(
        "other",
        [
            {"lot_id": 8},
            {"lot_id": None},
            {"condition": "N"},
            {"sub_condition": "C"},
            {"status": "X"},
        ],
    )
    def test_keeps_apart_what_differs(self, other):
        assert groups_of([Row(1), Row(2, **other)], {}) == []

    def test_lets_an_included_and_an_extra_row_meet(self):
        assert [
            [row.pk for row in group] for group in groups_of([Row(2, status="E"), Row(1)], {})
        ] == [[1, 2]]

    def test_compares_neither_price_nor_location_nor_listing(self):
        rows = [Row(1, price=D(1)), Row(2, location_id=None, stockroom="A")]
        assert len(groups_of(rows, {})) == 1

    def test_never_joins_lots_that_the_catalogue_does_not_know(self):
        assert group_key(Row(1, lot_id=None), {}) is None


class TestTargetOf:
    def pick(self, group, wanted=Target.FULLEST, chosen=(), free=None):
        return target_of(group, wanted=wanted, chosen=frozenset(chosen), free=free or {}).pk

    def test_takes_the_row_with_most_pieces_the_older_of_two(self):
        assert self.pick([Row(1, 3), Row(2, 9), Row(3, 9)]) == 2

    def test_takes_the_row_whose_location_has_most_room(self):
        rows = [Row(1, location_id=1), Row(2, location_id=2), Row(3, location_id=None)]
        assert self.pick(rows, Target.MOST_FREE, free={1: 5, 2: 80}) == 2
        assert self.pick(rows, Target.MOST_FREE, free={1: None, 2: 80}) == 1

    def test_takes_the_newest_row(self):
        later = NOON + dt.timedelta(days=1)
        assert self.pick([Row(1), Row(2, created_at=later), Row(3)], Target.NEWEST) == 2

    def test_takes_the_row_that_a_person_chose(self):
        assert self.pick([Row(1, 3), Row(2, 9)], chosen=[1, 99]) == 1


class TestAverage:
    @pytest.mark.parametrize(
        ("mine", "quantity", "theirs", "other", "expected"),
        [
            ("0.10", 30, "0.20", 10, "0.1250"),
            ("0.10", 0, "0.20", 0, "0.1500"),
            ("0.10", 0, "0.20", 5, "0.2000"),
            ("0.0001", 1, "0.0002", 1, "0.0002"),
        ],
    )
    def test_weighs_by_quantity(self, mine, quantity, theirs, other, expected):
        assert average(D(mine), quantity, D(theirs), other) == D(expected)


class TestJoined:
    @pytest.mark.parametrize(
        ("mine", "theirs", "expected"),
        [
            ("", "b", "b"),
            ("a", "", "a"),
            ("a", "a", "a"),
            ("a shiny one", "shiny", "a shiny one"),
            ("shiny", "a shiny one", "a shiny one"),
            ("shin", "shiny", "shin shiny"),
            ("B-1", "B-12", "B-1 B-12"),
        ],
    )
    def test_says_nothing_twice(self, mine, theirs, expected):
        assert joined(mine, theirs) == expected


class TestMerged:
    def test_averages_prices_source_by_source(self):
        rows = Row(1, 30, price=D("0.10")), Row(2, 10, price=D("0.20")), Row(3, 40, price=D("0.30"))
        assert changes(*rows)["price"] == D("0.2125")

    def test_lets_a_missing_price_lower_nothing(self):
        found = merged(
            Row(1, 30, price=D("0.10")),
            [Row(2, 900)],
            modes={},
            count_unpriced=False,
            says={},
        )
        assert (found.changes, found.unpriced) == ({}, 1)

    def test_takes_the_price_of_another_where_the_target_has_none(self):
        assert changes(Row(1, 30), Row(2, 1, price=D("0.10")))["price"] == D("0.10")

    def test_counts_a_typed_zero_as_a_price(self):
        rows = Row(1, 30, price=D("0.10")), Row(2, 10, price=D(0))
        assert changes(*rows)["price"] == D("0.0750")
        assert changes(Row(1), Row(2, price=D(0)))["price"] == 0

    def test_counts_no_price_as_zero_where_a_person_says_so(self):
        rows = Row(1, 30, price=D("0.10")), Row(2, 10)
        assert changes(*rows, count_unpriced=True)["price"] == D("0.0750")

    @pytest.mark.parametrize(("mode", "expected"), [(Mode.HIGHEST, D("0.30")), (Mode.KEEP, None)])
    def test_follows_the_mode_of_a_price(self, mode, expected):
        rows = Row(1, 9, price=D("0.10")), Row(2, 1, price=D("0.30"))
        assert changes(*rows, modes={"price": mode}).get("price") == expected

    def test_joins_texts_and_fills_what_is_unsaid(self):
        target = Row(1, comments="clean", bulk=1, sale=5)
        source = Row(2, comments="new", bulk=10, sale=9, reserved="bo", retain=True, stockroom="A")
        assert changes(target, source) == {
            "comments": "clean new",
            "bulk": 10,
            "reserved": "bo",
            "retain": True,
        }

    def test_reads_remarks_as_they_are_in_the_location_of_the_target(self):
        target, source = Row(1, remarks="A-1"), Row(2, remarks="B-2")
        assert changes(target, source, says={2: "A-1"}) == {}
        assert changes(target, source) == {"remarks": "A-1 B-2"}

    def test_averages_tiers_that_begin_alike_and_takes_them_where_there_are_none(self):
        source = Row(2, 10, tq1=10, tp1=D("0.20"), tq2=50, tp2=D("0.10"))
        assert changes(Row(1, 10, tq1=10, tp1=D("0.40"), tq2=60, tp2=D("0.30")), source) == {
            "tp1": D("0.3000")
        }
        assert changes(Row(1, 10), source) == {
            "tq1": 10,
            "tp1": D("0.20"),
            "tq2": 50,
            "tp2": D("0.10"),
        }

    def test_keeps_dates_unless_they_are_missing(self):
        later = NOON + dt.timedelta(days=1)
        source = Row(2, date_added=later, date_last_sold=later)
        assert changes(Row(1, date_added=NOON), source) == {"date_last_sold": later}

    def test_leaves_identity_listing_and_status_alone(self):
        assert changes(Row(1), Row(2, status="E")) == {}
