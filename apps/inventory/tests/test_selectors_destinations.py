import datetime as dt
import random
from decimal import Decimal

import pytest

from apps.accounts.models import Preferences
from apps.catalog.tests.factories import make_category, make_color, make_item, make_lot
from apps.inventory.selectors import destinations, owned_by_lot, recommend_destinations
from apps.inventory.tests.factories import NOON, make_stock
from apps.locations.tests.factories import make_container_type, make_location

pytestmark = pytest.mark.django_db
D = Decimal


@pytest.fixture
def brick():
    item = make_item("3001", weight_grams=D("2.5"), category=make_category(5, "Brick"))
    return make_lot(item, make_color(5))


def recommend(owner, lot, condition="U", **also):
    return recommend_destinations(
        owner=owner, lot_ids=[lot.pk], condition=condition, now=NOON, **also
    )


def told(found):
    return [(one.name, one.reason) for one in found]


class TestRecommendDestinations:
    def test_offers_the_kinds_in_their_order(self, ann, brick):
        neighbour = make_lot(make_item(category=brick.item.category))
        stranger = make_lot(make_item(category=make_category(9, "Plate")))
        make_location(ann, "empty")
        make_stock(ann, neighbour, 3, make_location(ann, "category", max_item_count=20))
        make_stock(ann, stranger, 3, make_location(ann, "others"))
        lived = make_location(ann, "lived")
        make_stock(ann, brick, 0, lived, date_last_sold=NOON - dt.timedelta(days=5))
        make_stock(ann, brick, 4, make_location(ann, "mixed"), condition="N")
        make_stock(ann, brick, 7, make_location(ann, "same"))

        found = recommend(ann, brick)

        assert told(found) == [
            ("same", "same lot and condition: 7 here"),
            ("lived", "this lot was here before, sold recently"),
            ("category", "same category (Brick), room for 17 more"),
            ("empty", "empty"),
        ]
        assert [one.recommended for one in found] == [True, False, False, False]
        assert [one.lastSold for one in found][:2] == ["unknown", "recent"]
        sold_at = NOON - dt.timedelta(days=5)
        assert [one.lastSoldDate for one in found] == [None, sold_at, None, None]
        assert told(recommend(ann, brick, allow_mixed=True))[1] == (
            "mixed",
            "same lot, other condition: 4 here",
        )

    def test_follows_the_owners_thresholds(self, ann, brick):
        make_stock(ann, brick, 0, make_location(ann), date_last_sold=NOON - dt.timedelta(days=5))
        Preferences.objects.filter(user=ann).update(
            last_sold_recent_days=2, last_sold_moderate_days=4
        )

        assert recommend(ann, brick)[0].lastSold == "old"

    def test_never_offers_what_is_excluded_full_or_unfit(self, ann, brick):
        make_stock(ann, brick, 4, make_location(ann, "tight", max_item_count=5))
        make_location(ann, "excluded", exclude_from_recommendations=True)
        make_location(ann, "marked", is_full=True)
        make_location(ann, "light", max_item_weight=D(2))
        make_location(ann, "heavy", min_item_weight=D(3))
        make_location(ann, "weak", max_total_weight=D(4))
        make_location(ann, "fits", max_total_weight=D(5))

        assert [one.name for one in recommend(ann, brick, quantity=2)] == ["fits"]

    def test_tells_the_weight_in_it_and_its_type(self, ann, brick):
        small = make_container_type(ann, "small")
        bin_ = make_location(ann, container_type=small, max_total_weight=D(100))
        make_stock(ann, brick, 4, bin_)

        (found,) = recommend(ann, brick)

        assert (found.stored_weight, found.max_total_weight) == (D(10), D(100))
        assert found.inventory_container_type_name == "small"

    def test_finds_a_category_that_little_stock_is_of(self, ann, brick):
        neighbour = make_lot(make_item(category=brick.item.category))
        others = make_lot(make_item(category=make_category(9, "Plate")))
        for number in range(3):
            make_stock(ann, others, 3, make_location(ann, f"roomy {number}"))
        make_stock(ann, neighbour, 2, make_location(ann, "its kind", max_item_count=9))

        assert [one.name for one in recommend(ann, brick)] == ["its kind"]

    def test_prefers_empty_bins_of_the_type_its_kind_lives_in(self, ann, brick):
        small = make_container_type(ann, "small")
        neighbour = make_lot(make_item(category=brick.item.category))
        full = make_location(ann, "A-1", container_type=small, max_item_count=3)
        make_stock(ann, neighbour, 2, full)
        make_location(ann, "B-1")
        make_location(ann, "C-1", container_type=small)

        assert [one.name for one in recommend(ann, brick)] == ["A-1", "C-1", "B-1"]

    def test_puts_other_colours_of_an_item_together_unless_the_bin_is_small(self, ann, brick):
        other = make_lot(brick.item, make_color(11))
        for name, pieces in (("small", 9), ("medium", 4), ("large", 6)):
            size = make_container_type(ann, size_class=name)
            make_stock(ann, other, pieces, make_location(ann, name, container_type=size))
        make_stock(ann, other, 3, make_location(ann, "untold", max_item_count=20))

        assert told(recommend(ann, brick)) == [
            ("large", "same item, other colours: 6 here"),
            ("medium", "same item, other colours: 4 here"),
            ("untold", "same category (Brick), room for 17 more"),
        ]
        # A small one that holds nothing of the item is as good as any of its category.
        stranger = make_lot(make_item(category=brick.item.category))
        assert "small" in {one.name for one in recommend(ann, stranger)}

    def test_keeps_looking_behind_the_small_bins_it_passes_over(self, ann, brick):
        small = make_container_type(ann, size_class="small")
        other = make_lot(brick.item, make_color(11))
        for _ in range(12):
            make_stock(ann, other, 1, make_location(ann, container_type=small))
        neighbour = make_lot(make_item(category=brick.item.category))
        make_stock(ann, neighbour, 1, make_location(ann, "tight", max_item_count=5))

        assert [one.name for one in recommend(ann, brick)] == ["tight"]

    def test_walks_on_from_the_last_bin(self, ann, brick):
        for n in range(1, 60):
            make_location(ann, f"A-{n}")

        names = [one.name for one in recommend(ann, brick, near="A-57", limit=4)]

        assert names == ["A-57", "A-58", "A-59", "A-1"]

    def test_places_several_lots_as_if_each_were_alone(self, ann, brick):
        plate = make_lot(make_item(category=make_category(9, "Plate")))
        stranger = make_lot(make_item(category=make_category(8, "Tile")))
        other = make_lot(brick.item, make_color(11))
        for lot in (brick, other, plate):
            make_stock(ann, lot, 3, make_location(ann, max_item_count=9))
        make_location(ann, "empty")
        lots = [brick, plate, stranger]

        together = recommend_destinations(
            owner=ann, lot_ids=[lot.pk for lot in lots], condition="U", now=NOON
        )

        assert together == [one for lot in lots for one in recommend(ann, lot)]
        assert {one.lot_id for one in together} == {lot.pk for lot in lots}

    def test_sees_nothing_of_somebody_else(self, ann, bo, brick):
        make_stock(bo, brick, 7, make_location(bo))

        assert recommend(ann, brick) == []

    def test_spreads_the_load_by_what_bins_of_a_type_hold(self, ann, brick):
        drawer = make_container_type(ann, "drawer")
        neighbour = make_lot(make_item(category=brick.item.category))
        for n in range(20):
            there = make_location(ann, f"A-{n:02}", container_type=drawer)
            make_stock(ann, neighbour, 150 if n else 20, there)
        make_location(ann, "Z-1", container_type=drawer)

        assert told(recommend(ann, brick, quantity=8, limit=3)) == [
            ("A-00", "same category (Brick), room for about 130 more, as in bins like it"),
            ("Z-1", "empty"),
            ("A-01", "same category (Brick), fuller than most bins like it"),
        ]

    def test_costs_six_queries_for_one_lot_or_three(self, ann, brick, django_assert_num_queries):
        for _ in range(5):
            make_stock(ann, brick, 3, make_location(ann))
        others = [make_lot(make_item(category=make_category(n))).pk for n in (8, 9)]

        for lots in ([brick.pk], [brick.pk, *others]):
            with django_assert_num_queries(6):
                recommend_destinations(owner=ann, lot_ids=lots, condition="U", now=NOON)

    def test_reads_no_empty_bins_where_enough_come_before_them(
        self, ann, brick, django_assert_num_queries
    ):
        make_location(ann, "empty")
        make_stock(ann, brick, 3, make_location(ann, "home"))

        with django_assert_num_queries(5):
            assert [one.name for one in recommend(ann, brick, limit=1)] == ["home"]
        assert [one.name for one in recommend(ann, brick, limit=2)] == ["home", "empty"]


class TestLargeCategories:
    """The roomiest locations are looked into first. What is recommended stays the same."""

    @pytest.fixture
    def stocked(self, ann, bo):
        """Return lots of three categories in 60 locations, some of them sold out."""
        chance = random.Random(7)
        lots = []
        for number in range(3):
            category = make_category(50 + number, f"Category {number}")
            items = [make_item(category=category, weight_grams=D(2)) for _ in range(4)]
            lots += [make_lot(item, make_color(color)) for item in items for color in (5, 11)]
        types = [None, *(make_container_type(ann, size_class=size) for size in ("small", "large"))]
        for n in range(60):
            place = make_location(
                ann,
                f"A-{n}",
                container_type=chance.choice(types),
                max_item_count=chance.choice([None, 30, 60]),
                exclude_from_recommendations=n % 9 == 0,
            )
            # Of the last category there is little.
            for lot in chance.sample(lots[: 24 if n % 20 == 0 else 16], chance.randrange(3)):
                make_stock(ann, lot, chance.choice([0, 3, 9]), place)
        make_stock(bo, lots[0], 5, make_location(bo))
        return lots

    def test_get_the_same_recommendations(self, ann, stocked, monkeypatch):
        asked = [
            {"limit": limit, "near": near, "quantity": quantity}
            for limit, near, quantity in ((1, "", 1), (3, "A-30", 25), (10, "A-7", 1))
        ]
        some = stocked[::8]  # one of each category
        before = [[recommend(ann, lot, **also) for also in asked] for lot in some]
        monkeypatch.setattr(destinations, "MANY_ITEMS", 0)

        for looked_into in (1, 3, 60):
            monkeypatch.setattr(destinations, "LOOKED_INTO", looked_into)
            assert [[recommend(ann, lot, **also) for also in asked] for lot in some] == before

    def test_are_found_in_the_roomiest_locations(self, ann, brick, monkeypatch):
        neighbour = make_lot(make_item(category=brick.item.category))
        for number in range(3):
            make_stock(ann, neighbour, 3, make_location(ann, f"roomy {number}"))
        monkeypatch.setattr(destinations, "MANY_ITEMS", 1)
        monkeypatch.setattr(destinations, "_lots_of_category", None)
        monkeypatch.setattr(destinations, "LOOKED_INTO", 4)  # no query was compiled with it

        assert [one.name for one in recommend(ann, brick, limit=2)] == ["roomy 0", "roomy 1"]

    def test_cost_one_query_more(self, ann, brick, monkeypatch, django_assert_num_queries):
        monkeypatch.setattr(destinations, "MANY_ITEMS", 0)

        with django_assert_num_queries(7):
            recommend(ann, brick)


class TestOwnedByLot:
    def test_groups_by_lot_with_most_pieces_first(self, ann, bo, brick, django_assert_num_queries):
        bin_ = make_location(ann, "A-1")
        make_stock(ann, brick, 2, bin_)
        make_stock(ann, brick, 5)
        make_stock(ann, brick, 0)
        make_stock(bo, brick, 9)
        other = make_lot()

        with django_assert_num_queries(1):
            found = owned_by_lot(owner=ann, lot_ids=[brick.pk, other.pk])

        assert list(found) == [brick.pk]
        assert [(row.quantity, row.location_name) for row in found[brick.pk]] == [
            (5, ""),
            (2, "A-1"),
        ]
