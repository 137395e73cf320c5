import datetime as dt
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.core.bulk import plain
from apps.exchange.bsx_lot import BsxLot, BsxWarning, WarningCode
from apps.inventory.models import InventoryItem
from apps.inventory.rules.bsx_fields import amount_text, plain_values, refusal_of
from apps.inventory.rules.file_columns import FILE_COLUMNS
from apps.inventory.rules.matching import NOT_MATCHED, FileKey, StockKey, match_lots
from apps.inventory.rules.ranking import Candidate, rank_destinations
from apps.inventory.rules.recency import recency_of
from apps.inventory.rules.stacking import remarks_in
from apps.inventory.tests.factories import columns_of
from apps.lots.services.images import value_of

D = Decimal
NOON = dt.datetime(2026, 11, 21, 12, 0, tzinfo=dt.UTC)


class TestRecency:
    @pytest.mark.parametrize(
        ("days", "word"),
        [(0, "recent"), (30, "recent"), (30.01, "moderate"), (180, "moderate"), (181, "old")],
    )
    def test_follows_the_thresholds(self, days, word):
        sold_at = NOON - dt.timedelta(days=days)

        assert recency_of(sold_at, now=NOON, recent_days=30, moderate_days=180) == word

    def test_is_unknown_without_a_date_and_recent_in_the_future(self):
        assert recency_of(None, now=NOON, recent_days=30, moderate_days=180) == "unknown"
        later = NOON + dt.timedelta(days=3)
        assert recency_of(later, now=NOON, recent_days=30, moderate_days=180) == "recent"


class TestRemarksIn:
    @pytest.mark.parametrize(
        ("remarks", "was", "becomes", "then"),
        [
            ("", "", "B-07", "B-07"),
            ("A-1", "A-1", "B-07", "B-07"),
            (" A-1 ", "A-1", "B-07", "B-07"),
            ("look twice", "A-1", "B-07", "look twice"),
            ("A-1", "", "B-07", "A-1"),
            ("A-1", "A-1", "", ""),
        ],
    )
    def test_follow_the_location_only_while_they_name_it(self, remarks, was, becomes, then):
        assert remarks_in(remarks, was=was, becomes=becomes) == then


def candidate(pk, **also):
    plain = {
        "id": pk,
        "name": f"B-{pk}",
        "sort_key": f"b-{pk:03}",
        "item_count": 0,
        "stored_weight": D(0),
        "max_item_count": None,
        "max_total_weight": None,
        "min_item_weight": None,
        "max_item_weight": None,
        "is_full": False,
        "is_excluded": False,
    }
    return Candidate(**{**plain, **also})


def ranked(*candidates, quantity=1, grams=None, **also):
    found = rank_destinations(candidates, quantity=quantity, piece_grams=grams, **also)
    return [one.candidate.id for one in found]


class TestRankDestinations:
    def test_follows_the_order_of_the_rules(self):
        empty = candidate(1)
        category = candidate(2, item_count=9, has_category=True)
        lived = candidate(3, item_count=4, lived_here=True)
        same = candidate(4, item_count=3, same_condition=3, lived_here=True)

        assert ranked(empty, category, lived, same) == [4, 3, 2, 1]

    def test_mixes_conditions_only_when_told(self):
        other = candidate(1, item_count=3, other_condition=3, lived_here=True)
        lived = candidate(2, item_count=3, lived_here=True)

        assert ranked(other, lived) == [2]
        assert ranked(other, lived, allow_mixed=True) == [1, 2]

    def test_offers_no_bin_of_other_things(self):
        assert ranked(candidate(1, item_count=3)) == []

    @pytest.mark.parametrize(
        "barred",
        [
            {"is_excluded": True},
            {"is_full": True},
            {"max_item_count": 4},
            {"max_total_weight": D(3)},
            {"min_item_weight": D("1.5")},
            {"max_item_weight": D("0.5")},
        ],
        ids=str,
    )
    def test_never_offers_what_is_excluded_full_or_unfit(self, barred):
        same = candidate(1, item_count=3, stored_weight=D(1), same_condition=3, **barred)

        assert ranked(same, quantity=2, grams=D("1.2")) == []

    def test_puts_most_pieces_of_the_lot_together(self):
        few = candidate(1, item_count=2, same_condition=2)
        many = candidate(2, item_count=8, same_condition=8)

        assert ranked(few, many) == [2, 1]

    def test_prefers_most_room_within_a_category(self):
        tight = candidate(1, item_count=8, max_item_count=10, has_category=True)
        wide = candidate(2, item_count=8, max_item_count=50, has_category=True)
        unlimited = candidate(3, item_count=8, has_category=True)

        assert ranked(tight, wide, unlimited) == [3, 2, 1]

    def test_comes_to_an_empty_bin_before_one_that_is_fuller_than_its_like(self):
        full = candidate(1, item_count=90, has_category=True, learnt_limit=90)
        roomy = candidate(2, item_count=60, has_category=True, learnt_limit=90)

        found = rank_destinations(
            [full, roomy, candidate(3)], quantity=5, piece_grams=None, category="Bricks"
        )

        assert [(one.candidate.id, one.reason) for one in found] == [
            (2, "same category (Bricks), room for about 30 more, as in bins like it"),
            (3, "empty"),
            (1, "same category (Bricks), fuller than most bins like it"),
        ]

    def test_is_never_refused_by_what_was_learnt(self):
        assert ranked(candidate(1, learnt_limit=9), quantity=50)

    def test_prefers_an_empty_bin_that_usually_takes_as_much(self):
        found = ranked(
            candidate(1, learnt_limit=9, type_suits=True),
            candidate(2, learnt_limit=90),
            quantity=50,
        )

        assert found == [2, 1]

    def test_keeps_colours_apart_in_a_bin_that_was_learnt_to_be_small(self):
        small = candidate(1, item_count=5, other_colors=5, has_category=True, learnt_limit=100)
        large = candidate(2, item_count=5, other_colors=5, has_category=True, learnt_limit=110)

        assert ranked(small, large) == [2]

    def test_prefers_an_empty_bin_of_a_suitable_type(self):
        assert ranked(candidate(1), candidate(2, type_suits=True)) == [2, 1]

    def test_walks_on_from_the_last_one(self):
        bins = [candidate(pk) for pk in (1, 2, 3)]

        assert ranked(*bins) == [1, 2, 3]
        assert ranked(*bins, near="b-002") == [2, 3, 1]

    @pytest.mark.parametrize(
        ("size_class", "offered"),
        [
            ("small", [3]),  # what is small keeps the colours of an item apart
            ("medium", [1, 2, 3]),
            ("large", [1, 2, 3]),
            ("", [3, 1]),  # unknown size: by its category alone
        ],
    )
    def test_puts_other_colours_together_by_the_size(self, size_class, offered):
        there = {"item_count": 9, "size_class": size_class}
        many = candidate(1, other_colors=9, has_category=True, max_item_count=20, **there)
        few = candidate(2, other_colors=4, **there)
        category = candidate(3, item_count=9, has_category=True)

        assert ranked(category, few, many) == offered

    def test_lets_a_lot_come_home_to_its_other_colours(self):
        home = candidate(1, item_count=9, other_colors=4, size_class="small", lived_here=True)
        beside = candidate(2, item_count=9, other_colors=4, size_class="large")

        assert ranked(beside, home) == [1, 2]

    @pytest.mark.parametrize(
        ("one", "says"),
        [
            (
                candidate(1, item_count=12, other_colors=12, size_class="large"),
                "same item, other colours: 12 here",
            ),
            (
                candidate(1, item_count=62, max_item_count=100, same_condition=34),
                "same lot and condition: 34 here, 62 % full",
            ),
            (candidate(1, item_count=34, same_condition=34), "same lot and condition: 34 here"),
            (
                candidate(1, lived_here=True, last_sold="recent"),
                "this lot was here before, sold recently",
            ),
            (candidate(1, lived_here=True), "this lot was here before"),
            (
                candidate(1, item_count=4, max_item_count=10, has_category=True),
                "same category (Brick), room for 6 more",
            ),
            (
                candidate(
                    1,
                    item_count=4,
                    max_total_weight=D("12.5000"),
                    stored_weight=D("2.0000"),
                    has_category=True,
                ),
                "same category (Brick), room for 10.5 g more",
            ),
            (
                candidate(
                    1,
                    item_count=4,
                    max_total_weight=D("12.5000"),
                    stored_weight=D("2.0000"),
                    unknown_weight_count=3,
                    has_category=True,
                ),
                "same category (Brick), room for 10.5 g more, 3 pieces in it without a weight",
            ),
            (candidate(1), "empty"),
        ],
    )
    def test_says_why(self, one, says):
        found = rank_destinations([one], quantity=1, piece_grams=None, category="Brick")

        assert found[0].reason == says

    @pytest.mark.parametrize(
        ("barred", "why"),
        [
            ({"is_excluded": True}, "is left out of recommendations"),
            ({"is_full": True}, "is marked full"),
            ({"max_item_count": 1}, "takes 0 more pieces, not 1"),
            ({"same_condition": 0, "other_condition": 1}, "has the other condition"),
        ],
    )
    def test_says_why_the_bin_that_has_the_lot_is_passed_over(self, barred, why):
        same = candidate(2, **{"item_count": 1, "same_condition": 1, **barred})

        first, *_ = rank_destinations([candidate(1), same], quantity=1, piece_grams=None)

        assert first.reason == f"empty; B-2, with 1 of this lot, {why}"

    def test_stops_at_the_limit(self):
        assert ranked(*[candidate(pk) for pk in range(1, 30)], limit=3) == [1, 2, 3]


def file_key(listing=None, lot=1, price="0.1000", location="", condition="U", sub=""):
    return FileKey(listing, (lot,), ("P", f"raw{lot}", 5), condition, sub, location, price)


def stock_key(pk, listing=None, lot=1, price="0.1000", location="", condition="U", sub=""):
    return StockKey(pk, listing, (lot,), condition, sub, location, price)


class TestMatchLots:
    @pytest.mark.parametrize(
        ("why", "lots", "rows", "matched"),
        [
            ("nothing there", [file_key()], [], [NOT_MATCHED]),
            (
                "by lot id, whatever else changed",
                [file_key(7, lot=2, price="9.0000", condition="N")],
                [stock_key(1, 7)],
                [1],
            ),
            (
                "by what it is and where",
                [file_key(location="A")],
                [stock_key(1, location="A")],
                [1],
            ),
            ("another condition is another", [file_key()], [stock_key(1, condition="N")], [-1]),
            ("another sub-condition too", [file_key()], [stock_key(1, sub="C")], [-1]),
            (
                "equal prices first",
                [file_key(price="2"), file_key(price="1")],
                [stock_key(1, price="1"), stock_key(2, price="2")],
                [2, 1],
            ),
            ("another price after them", [file_key(price="3")], [stock_key(1, price="1")], [1]),
            (
                "carried to another bin",
                [file_key(location="B")],
                [stock_key(1, location="A")],
                [1],
            ),
            (
                "but not with another price",
                [file_key(location="B", price="2")],
                [stock_key(1, location="A")],
                [-1],
            ),
            (
                "its own bin before another's",
                [file_key(location="B"), file_key(location="A", price="2")],
                [stock_key(1, location="A")],
                [-1, 1],
            ),
            ("each once", [file_key(), file_key()], [stock_key(1)], [1, -1]),
            ("a lot id once", [file_key(7), file_key(7)], [stock_key(1, 7)], [1, -1]),
            (
                "the likest of a repeated lot id",
                [file_key(7, price="2"), file_key(7, price="1")],
                [stock_key(1, 7, price="1"), stock_key(2, 7, price="2")],
                [2, 1],
            ),
            (
                "the lot id decides before the rest",
                [file_key(), file_key(7)],
                [stock_key(1, 7)],
                [-1, 1],
            ),
            (
                "an unknown lot by what its file called it",
                [file_key(lot=9)],
                [StockKey(1, None, ("P", "raw9", 5), "U", "", "", "0.1000")],
                [1],
            ),
        ],
        ids=lambda value: value if isinstance(value, str) else "",
    )
    def test_finds_rows(self, why, lots, rows, matched):
        assert match_lots(lots, rows) == matched

    @given(
        st.lists(
            st.tuples(
                st.sampled_from([None, 1, 2]),
                st.integers(1, 3),
                st.sampled_from(["1", "2"]),
                st.sampled_from(["", "A"]),
            ),
            max_size=12,
        )
    )
    def test_finds_every_row_of_its_own_file_again(self, lots):
        keys = [file_key(one, lot, price, location) for one, lot, price, location in lots]
        rows = [stock_key(pk + 1, *lot[:4]) for pk, lot in enumerate(lots)]

        matched = match_lots(keys, rows)

        assert sorted(matched) == [row.id for row in rows]
        for key, pk in zip(keys, matched, strict=True):
            row = rows[pk - 1]
            assert (row.marketplace_lot_id, row.identity, row.price, row.location) == (
                key.marketplace_lot_id,
                key.identity,
                key.price,
                key.location,
            )


class TestBsxFields:
    def test_has_a_value_for_every_column(self):
        assert len(plain_values(BsxLot())) == len(FILE_COLUMNS)

    def test_leave_the_mark_of_a_listing_in_the_store(self):
        values = plain_values(BsxLot(remarks="A-01 #bk3x9qaz"))

        assert values[FILE_COLUMNS.index("remarks")] == "A-01"
        assert set(columns_of(BsxLot())) <= {f.attname for f in InventoryItem._meta.fields}

    def test_comes_back_from_the_text_that_is_stored(self):
        lot = BsxLot(
            price=D("0.1234567"),
            date_added=NOON,
            total_weight_grams=D("10"),
            quantity=4,
            marketplace_lot_id=7,
        )

        texts = dict(zip(FILE_COLUMNS, plain_values(lot), strict=True))

        assert (texts["price"], texts["unit_weight_grams"]) == ("0.1235", "2.5000")
        for name, value in texts.items():
            assert plain(value_of(InventoryItem, name, value)) == value

    @pytest.mark.parametrize(
        ("lot", "says"),
        [
            (BsxLot(item_number="3001"), ""),
            (BsxLot(item_name="Own torso"), ""),
            (
                BsxLot(quantity=3),
                "ItemID, ItemName, Remarks and Comments are empty; expected one that names the lot.",
            ),
            (BsxLot(quantity=-1), "Qty is -1; expected 0 or more."),
            (BsxLot(price=D("-0.1")), "Price is -0.1; expected 0 or more."),
            (
                BsxLot(
                    warnings=(
                        BsxWarning(WarningCode.UNREADABLE_NUMBER, "Qty", "Qty is “x”; expected 5."),
                    )
                ),
                "Qty is “x”; expected 5.",
            ),
            (BsxLot(marketplace_lot_id=2**63), f"LotID is {2**63}; expected at most {2**63 - 1}."),
        ],
    )
    def test_says_why_a_lot_is_not_taken(self, lot, says):
        assert refusal_of(lot) == says

    def test_refuses_amounts_that_grow_too_large_by_the_rate(self):
        lot = BsxLot(item_number="3001", price=D("90000000"))

        assert refusal_of(lot, rate=D(1)) == ""
        assert refusal_of(lot, rate=D(2)) == (
            "Price is 90000000 × 2; expected at most 99999999.9999."
        )

    def test_refuses_an_amount_that_rounds_beyond_its_column(self):
        lot = BsxLot(item_number="3001", cost=D("99999999.99999"))

        assert refusal_of(lot) == "Cost is 99999999.99999; expected at most 99999999.9999."

    @pytest.mark.parametrize(
        ("amount", "text"),
        [
            ("0", "0.0000"),
            ("0.072", "0.0720"),
            ("12", "12.0000"),
            ("0.00005", "0.0000"),
            ("0.00015", "0.0002"),
            ("1E+3", "1000.0000"),
            ("1.234E-5", "0.0000"),
            ("-0.5", "-0.5000"),
            ("1.5E+4", "15000.0000"),
        ],
    )
    def test_writes_amounts_with_four_places(self, amount, text):
        assert amount_text(D(amount)) == text

    def test_converts_base_values_with_the_rest(self):
        lot = BsxLot(price=D(2), base=(("Price", "1.000"), ("Qty", "3"), ("Cost", "odd")))

        columns = columns_of(lot, rate=D("0.5"))

        assert columns["price"] == D(1)
        assert columns["extra"]["base"] == [["Price", "0.500"], ["Qty", "3"], ["Cost", "odd"]]
