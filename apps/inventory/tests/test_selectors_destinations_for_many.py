import datetime as dt
from decimal import Decimal

import pytest

from apps.catalog.tests.factories import make_category, make_color, make_item, make_lot
from apps.core.testing.queries import count_queries
from apps.inventory.selectors import recommend_destinations
from apps.inventory.selectors.destinations import Wanted, recommend_for_many
from apps.inventory.tests.factories import make_stock
from apps.locations.services.locations import create_location
from apps.locations.services.rooms import Load
from apps.locations.tests.factories import make_container_type

pytestmark = pytest.mark.django_db
NOON = dt.datetime(2026, 11, 21, 12, 0, tzinfo=dt.UTC)


def sized_bin(owner):
    return place(owner, "Z-01", container_type=make_container_type(owner, size_class="large"))


def place(owner, name, **also):
    return create_location(owner=owner, fields={"name": name, **also})


@pytest.fixture
def store(ann):
    """Bins of every sort, some of them with lots."""
    bricks, plates = make_category(5, "Brick"), make_category(26, "Plate")
    brick = make_item(name="Brick 2 x 4", category=bricks, weight_grams=Decimal("2.3"))
    lots = {
        "home": make_lot(brick, make_color(5)),
        "neighbour": make_lot(brick, make_color(11)),
        "sold_out": make_lot(make_item(category=plates)),
        "stranger": make_lot(make_item()),
    }
    near = place(ann, "A-01", max_item_count=100)
    place(ann, "A-02")
    place(ann, "A-03", is_full=True)
    place(ann, "A-04", exclude_from_recommendations=True)
    place(ann, "A-05", max_item_count=2)
    last = place(ann, "B-01")
    make_stock(ann, lots["home"], 10, near)
    make_stock(ann, lots["home"], 50, last)
    make_stock(ann, lots["sold_out"], 0, place(ann, "C-01"))
    return lots


class TestRecommendForMany:
    @pytest.mark.parametrize("name", ["home", "neighbour", "sold_out", "stranger"])
    @pytest.mark.parametrize("condition", ["N", "U"])
    @pytest.mark.parametrize("quantity", [1, 3, 95, 1_000])
    def test_one_goes_where_the_list_for_one_puts_it_first(
        self, ann, store, name, condition, quantity
    ):
        lot = store[name]

        [best, *_] = recommend_destinations(
            owner=ann, lot_ids=[lot.pk], condition=condition, quantity=quantity, now=NOON
        )

        wanted = {7: Wanted(lot.pk, condition, quantity)}
        assert recommend_for_many(owner=ann, wanted=wanted, planned={}) == {7: best.id}

    @pytest.mark.parametrize("quantity", [1, 8, 90])
    @pytest.mark.parametrize("size_class", ["small", "large"])
    def test_sizes_count_as_they_do_for_one(self, ann, store, size_class, quantity):
        kind = make_container_type(ann, size_class=size_class)
        brick = store["home"].item
        for name, pieces, room in (("D-01", 4, 10), ("D-02", 2, 50)):
            there = place(ann, name, container_type=kind, max_item_count=room)
            make_stock(ann, store["home"], pieces, there)
        lot = make_lot(brick, make_color(3))

        [best, *_] = recommend_destinations(
            owner=ann, lot_ids=[lot.pk], condition="U", quantity=quantity, now=NOON
        )

        wanted = {7: Wanted(lot.pk, "U", quantity)}
        assert recommend_for_many(owner=ann, wanted=wanted, planned={}) == {7: best.id}

    @pytest.mark.parametrize("name", ["other colour", "other item", "sold out"])
    @pytest.mark.parametrize("pieces", [30, 150])
    @pytest.mark.parametrize("quantity", [1, 8, 200])
    def test_what_was_learnt_counts_as_it_does_for_one(self, ann, name, pieces, quantity):
        drawer, box = make_container_type(ann, "drawer"), make_container_type(ann, "box")
        bricks = make_category(5, "Brick")
        held = make_lot(make_item(category=bricks), make_color(5))
        for n in range(20):
            there = place(ann, f"A-{n:02}", container_type=drawer)
            make_stock(ann, held, pieces - n % 3, there)
        for number, kind in enumerate((drawer, box), 1):
            place(ann, f"Z-{number}", container_type=kind)
        lot = make_lot(held.item, make_color(3)) if name == "other colour" else None
        lot = lot or make_lot(make_item(category=bricks))
        if name == "sold out":
            make_stock(ann, lot, 0, place(ann, "Y-1", container_type=drawer))

        [best, *_] = recommend_destinations(
            owner=ann, lot_ids=[lot.pk], condition="U", quantity=quantity, now=NOON
        )

        wanted = {7: Wanted(lot.pk, "U", quantity)}
        assert recommend_for_many(owner=ann, wanted=wanted, planned={}) == {7: best.id}

    def test_a_lot_of_them_fills_bins_to_what_bins_like_them_hold(self, ann):
        drawer = make_container_type(ann, "drawer")
        bricks = make_category(5, "Brick")
        held = make_lot(make_item(category=bricks))
        for n in range(20):
            make_stock(ann, held, 100, place(ann, f"A-{n:02}", container_type=drawer))
        empty = [place(ann, f"Z-{n}", container_type=drawer) for n in (1, 2)]
        lots = [make_lot(make_item(category=bricks)) for _ in range(4)]

        chosen = recommend_for_many(
            owner=ann, wanted={n: Wanted(lot.pk, "U", 50) for n, lot in enumerate(lots)}, planned={}
        )

        first, second = (one.pk for one in empty)
        assert chosen == {0: first, 1: first, 2: second, 3: second}

    def test_later_colours_stay_out_of_a_small_bin(self, ann):
        small = make_container_type(ann, size_class="small")
        bins = [place(ann, name, container_type=small) for name in ("A-01", "A-02")]
        item = make_item(category=make_category())
        red, blue = make_lot(item, make_color(5)), make_lot(item, make_color(7))
        wanted = {n: Wanted(lot.pk, "U", 1) for n, lot in enumerate((red, blue, red))}

        chosen = recommend_for_many(owner=ann, wanted=wanted, planned={})

        assert chosen == {0: bins[0].pk, 1: bins[1].pk, 2: bins[0].pk}

    def test_later_ones_see_what_earlier_ones_take(self, ann):
        first, second = place(ann, "A-01", max_item_count=5), place(ann, "A-02", max_item_count=5)
        lots = [make_lot() for _ in range(3)]

        chosen = recommend_for_many(
            owner=ann, wanted={n: Wanted(lot.pk, "U", 5) for n, lot in enumerate(lots)}, planned={}
        )

        assert chosen == {0: first.pk, 1: second.pk}

    def test_pieces_of_one_lot_go_together(self, ann):
        place(ann, "A-01"), place(ann, "A-02")
        lot, other = make_lot(), make_lot()

        chosen = recommend_for_many(
            owner=ann,
            wanted={
                1: Wanted(lot.pk, "U", 1),
                2: Wanted(other.pk, "U", 1),
                3: Wanted(lot.pk, "U", 1),
            },
            planned={},
        )

        assert chosen[1] == chosen[3] != chosen[2]

    def test_weights_count(self, ann):
        place(ann, "A-01", max_total_weight=Decimal(5))
        heavy = place(ann, "B-01")
        lot = make_lot(make_item(weight_grams=Decimal("2.3")))

        chosen = recommend_for_many(owner=ann, wanted={1: Wanted(lot.pk, "U", 3)}, planned={})

        assert chosen == {1: heavy.pk}

    def test_what_is_planned_for_a_bin_takes_its_room(self, ann):
        first, second = place(ann, "A-01", max_item_count=5), place(ann, "A-02", max_item_count=5)
        make_stock(ann, lot := make_lot(), 1, first)
        wanted = {1: Wanted(lot.pk, "U", 3)}

        chosen = recommend_for_many(
            owner=ann, wanted=wanted, planned={first.pk: Load(2, Decimal(0))}
        )

        assert chosen == {1: second.pk}

    def test_an_empty_bin_comes_before_one_that_something_is_planned_for(self, ann):
        meant, free = place(ann, "A-01", max_item_count=5), place(ann, "A-02", max_item_count=5)
        wanted = {n: Wanted(make_lot().pk, "U", 3) for n in (1, 2)}

        chosen = recommend_for_many(
            owner=ann, wanted=wanted, planned={meant.pk: Load(2, Decimal(0))}
        )

        assert chosen == {1: free.pk, 2: meant.pk}

    def test_a_weight_of_its_own_goes_before_the_catalogues(self, ann):
        place(ann, "A-01", max_total_weight=Decimal(5))
        roomy = place(ann, "B-01")
        lot = make_lot(make_item(weight_grams=Decimal("0.5")))

        wanted = {1: Wanted(lot.pk, "U", 3, Decimal("2.3"))}

        assert recommend_for_many(owner=ann, wanted=wanted, planned={}) == {1: roomy.pk}

    def test_another_persons_bins_are_not_there(self, ann, bo):
        place(bo, "A-01")

        assert (
            recommend_for_many(owner=ann, wanted={1: Wanted(make_lot().pk, "U", 1)}, planned={})
            == {}
        )

    def test_costs_five_queries_whatever_the_number_and_sizes(self, ann, store):
        for number in (1, 30):
            wanted = {n: Wanted(store["home"].pk, "U", 1) for n in range(number)}
            queries, _ = count_queries(
                lambda: recommend_for_many(owner=ann, wanted=wanted, planned={})  # noqa: B023
            )
            assert queries == 5

        make_stock(ann, make_lot(), 1, sized_bin(ann))
        queries, _ = count_queries(lambda: recommend_for_many(owner=ann, wanted=wanted, planned={}))
        assert queries == 5
