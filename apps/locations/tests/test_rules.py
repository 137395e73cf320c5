from dataclasses import dataclass
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.core.natural import natural_key
from apps.locations.rules.capacity import learnt_limit, suggested_limit
from apps.locations.rules.fit import LimitKind, Reason, available_weight, why_no_room, why_not_fit
from apps.locations.rules.patterns import BadPattern, expand

D = Decimal
ZERO = D(0)


@dataclass
class Bin:
    name: str = "B-07"
    item_count: int = 0
    stored_weight: Decimal = ZERO
    max_item_count: int | None = None
    max_total_weight: Decimal | None = None
    min_item_weight: Decimal | None = None
    max_item_weight: Decimal | None = None
    is_full: bool = False


CASES = [
    ("no limits", Bin(), 1_000_000, D(5), []),
    ("count, exactly full after", Bin(max_item_count=10, item_count=7), 3, D(1), []),
    ("count, one too many", Bin(max_item_count=10, item_count=7), 4, D(1), ["max_item_count"]),
    ("count, over already", Bin(max_item_count=5, item_count=9), 1, None, ["max_item_count"]),
    ("count of nothing allowed", Bin(max_item_count=0), 1, None, ["max_item_count"]),
    ("weight, exactly", Bin(max_total_weight=D(10), stored_weight=D("9.7")), 3, D("0.1"), []),
    ("weight, a hair over", Bin(max_total_weight=D(10)), 1, D("10.0001"), ["max_total_weight"]),
    ("unknown weight counts 0", Bin(max_total_weight=D(0)), 5, None, []),
    ("unknown weight passes the range", Bin(min_item_weight=D(1)), 1, None, []),
    ("piece as light as allowed", Bin(min_item_weight=D(2)), 1, D(2), []),
    ("piece too light", Bin(min_item_weight=D(2)), 1, D("1.9"), ["min_item_weight"]),
    ("piece as heavy as allowed", Bin(max_item_weight=D(2)), 1, D(2), []),
    ("piece too heavy", Bin(max_item_weight=D(2)), 1, D("2.1"), ["max_item_weight"]),
    ("marked full", Bin(is_full=True), 1, None, ["is_full"]),
    (
        "everything at once",
        Bin(is_full=True, max_item_count=1, max_total_weight=D(1), max_item_weight=D(1)),
        2,
        D(3),
        ["is_full", "max_item_count", "max_total_weight", "max_item_weight"],
    ),
]


class TestWhyNotFit:
    @pytest.mark.parametrize(
        ("room", "pieces", "grams", "limits"), [c[1:] for c in CASES], ids=[c[0] for c in CASES]
    )
    def test_names_every_limit_that_would_break(self, room, pieces, grams, limits):
        assert [r.limit for r in why_not_fit(room, pieces=pieces, piece_grams=grams)] == limits

    def test_says_by_how_much(self):
        room = Bin(max_item_count=10, item_count=7, max_total_weight=D(10), stored_weight=D("9.5"))

        reasons = why_not_fit(room, pieces=4, piece_grams=D("0.25"))

        assert reasons == [
            Reason(LimitKind.MAX_ITEM_COUNT, D(3), D(4)),
            Reason(LimitKind.MAX_TOTAL_WEIGHT, D("0.5"), D("1.00")),
        ]
        assert [r.sentence("B-07") for r in reasons] == [
            "B-07 takes 3 more pieces, not 4.",
            "B-07 takes 0.5 g more, not 1 g.",
        ]

    def test_counts_one_piece_in_the_singular(self):
        room = Bin(max_item_count=8, item_count=7)

        [reason] = why_not_fit(room, pieces=4, piece_grams=None)

        assert reason.sentence("B-07") == "B-07 takes 1 more piece, not 4."

    def test_lets_a_person_override_all_but_a_marked_one(self):
        room = Bin(is_full=True, max_item_count=0)

        reasons = why_not_fit(room, pieces=1, piece_grams=None)

        assert [(r.limit, r.can_override) for r in reasons] == [
            ("is_full", False),
            ("max_item_count", True),
        ]

    def test_asks_of_a_mixed_load_only_what_it_weighs_together(self):
        room = Bin(max_total_weight=D(2), max_item_weight=D("0.5"))

        assert why_no_room(room, pieces=3, grams=D(2)) == []
        assert [r.limit for r in why_no_room(room, pieces=3, grams=D("2.1"))] == [
            "max_total_weight"
        ]

    def test_tells_free_weight_as_none_where_unlimited(self):
        assert available_weight(Bin()) is None
        assert available_weight(Bin(max_total_weight=D(3), stored_weight=D(1))) == D(2)


class TestExpand:
    @pytest.mark.parametrize(
        ("pattern", "names"),
        [
            ("B-07", ["B-07"]),
            ("A-[1-3]", ["A-1", "A-2", "A-3"]),
            ("[08-11]", ["08", "09", "10", "11"]),
            ("[8-11]", ["8", "9", "10", "11"]),
            ("[000-002]x", ["000x", "001x", "002x"]),
            ("[0-2]", ["0", "1", "2"]),
            ("S [A-C]", ["S A", "S B", "S C"]),
            ("[a-b][1,3]", ["a1", "a3", "b1", "b3"]),
            ("Z[1,3-5,big box]", ["Z1", "Z3", "Z4", "Z5", "Zbig box"]),
            ("[1,1,1-2]", ["1", "2"]),
            ("  A-[1-2]  ", ["A-1", "A-2"]),
        ],
    )
    def test_gives_the_names(self, pattern, names):
        assert expand(pattern) == names

    def test_turns_the_last_group_fastest(self):
        names = expand("A-[1-8]-[01-24]")

        assert len(names) == 192
        assert names[:2] == ["A-1-01", "A-1-02"]
        assert names[-1] == "A-8-24"

    @pytest.mark.parametrize(
        ("pattern", "says"),
        [
            ("", "Expected a name or a pattern such as A-[1-8]-[01-24]."),
            ("A-[1-8", "Expected ] after the [ at character 3."),
            ("A-1-8]", "Expected [ before the ] at character 6."),
            ("A-[[1-8]]", "Expected ] before another [ (group at character 3)."),
            ("A-[]", "in the group at character 3"),
            ("A-[1,,3]", "in the group at character 3"),
            ("[8-1]", "Expected the smaller number first in [8-1]."),
            ("[F-A]", "Expected the earlier letter first in [F-A]."),
            ("[a-F]", "Expected both letters in the same case in [a-F]."),
            ("[01-9]", "Expected 9 with 2 digits in [01-9]."),
            ("[1-A]", "in [1-A]"),
            ("[1-2-3]", "in [1-2-3]"),
            ("[1-2001]", "This pattern means 2,001 locations; at most 2,000 at once."),
            ("[0-999999999][0-999999999]", "at most 2,000 at once."),
            ("x" * 101, "A name has 101 characters; at most 100."),
            ("[1-9999999999]", "in [1-9999999999]"),
        ],
    )
    def test_says_what_was_expected(self, pattern, says):
        with pytest.raises(BadPattern) as refused:
            expand(pattern)

        assert says in str(refused.value)

    @given(st.text(alphabet="AB-[],019 ", max_size=30))
    def test_gives_names_or_a_reason_for_any_text(self, pattern):
        try:
            names = expand(pattern)
        except BadPattern:
            return
        assert 0 < len(names) == len(set(names)) <= 2_000

    def test_comes_out_in_natural_order(self):
        names = expand("A-[1-12]")

        assert sorted(names, key=natural_key) == names


class TestSuggestedLimit:
    @pytest.mark.parametrize(
        ("pieces", "limit"),
        [
            ([], None),
            ([10, 10, 10, 10], None),
            ([10, 10, 10, 10, 0], None),
            ([10, 20, 30, 40, 50], 50),
            ([*range(1, 10), 5_000], 9),
            ([95, 96, 97, 98, 123], 130),
        ],
    )
    def test_is_what_nine_of_ten_filled_bins_stay_within(self, pieces, limit):
        assert suggested_limit(pieces) == limit

    @pytest.mark.parametrize(
        ("pieces", "limit"),
        [
            ([50] * 20, 50),
            ([50] * 19, None),
            ([50] * 20 + [0] * 20, 50),
            ([50] * 20 + [0] * 21, None),
        ],
    )
    def test_is_followed_where_many_bins_are_filled_and_few_are_empty(self, pieces, limit):
        assert learnt_limit(pieces) == limit
