"""Lots on demand."""

import pytest

from apps.catalog.models import Lot, LotMaker
from apps.catalog.services import lots
from apps.catalog.tests.factories import make_color, make_item, make_lot
from apps.core.clock import now
from apps.core.testing.queries import count_queries

pytestmark = pytest.mark.django_db


class TestEnsureLots:
    def test_makes_an_unseen_pair_and_says_so(self):
        pair = make_item("3001").pk, make_color(7).pk

        found = lots.ensure_lots(pairs=[pair], now=now(), by=None)

        lot = Lot.objects.get(pk=found[pair])
        assert (lot.is_known, lot.composite_ssearch) == (False, "3001 brick 2 x 4 2x4 blue")

    def test_leaves_out_a_colour_that_is_not_there(self):
        item = make_item("3001")

        assert lots.ensure_lots(pairs=[(item.pk, 999)], now=now(), by=None) == {}
        assert Lot.objects.count() == 0

    def test_finds_and_makes_in_one_go(self):
        lot = make_lot(make_item("3001"))
        other = make_item("3002")
        pairs = [(lot.item_id, 5), (other.pk, 5), (other.pk, 5), (999_999, 5)]

        found = lots.ensure_lots(pairs=pairs, now=now(), by=None)

        assert found[lot.item_id, 5] == lot.pk
        assert set(found) == {(lot.item_id, 5), (other.pk, 5)}
        assert Lot.objects.count() == 2

    def test_costs_the_same_for_one_and_for_many(self):
        make_color()
        items = [make_item().pk for _ in range(40)]

        one, _ = count_queries(lambda: lots.ensure_lots(pairs=[(items[0], 5)], now=now(), by=None))
        many, _ = count_queries(
            lambda: lots.ensure_lots(pairs=[(item, 5) for item in items], now=now(), by=None)
        )

        assert one == many

    def test_costs_the_same_for_one_and_for_many_of_a_person(self, ann, bo):
        make_color()
        items = [make_item().pk for _ in range(40)]
        make = lambda by, some: lots.ensure_lots(  # noqa: E731
            pairs=[(item, 5) for item in some], now=now(), by=by
        )

        one, _ = count_queries(lambda: make(ann, items[:1]))
        many, _ = count_queries(lambda: make(ann, items[1:]))
        others, _ = count_queries(lambda: make(bo, items))

        assert one == many <= 7
        assert others < one


class TestWhoSeesAPair:
    """A pair that people made is theirs until a catalogue or an operator knows it."""

    @pytest.fixture
    def pair(self):
        return make_item("3001").pk, make_color(7).pk

    def seen(self, *people):
        return [Lot.objects.visible_to(person).exists() for person in people]

    def test_is_its_maker_alone(self, ann, bo, pair):
        lots.ensure_lots(pairs=[pair], now=now(), by=ann)

        assert self.seen(ann, bo, None) == [True, False, False]

    def test_is_both_who_made_the_same(self, ann, bo, pair):
        first = lots.ensure_lots(pairs=[pair], now=now(), by=ann)
        for _ in range(2):
            assert lots.ensure_lots(pairs=[pair], now=now(), by=bo) == first

        assert self.seen(ann, bo, None) == [True, True, False]
        assert LotMaker.objects.count() == 2

    def test_leaves_what_everybody_sees(self, ann, bo, pair):
        """Pairs from before their makers were kept stay as they were."""
        lots.ensure_lots(pairs=[pair], now=now(), by=None)
        lots.ensure_lots(pairs=[pair], now=now(), by=ann)

        assert self.seen(ann, bo, None) == [True, True, True]

    def test_is_everybodys_once_taken_over(self, ann, bo, pair):
        lots.ensure_lots(pairs=[pair], now=now(), by=ann)

        assert lots.take_over(lots=Lot.objects.all(), now=now()) == 1
        assert self.seen(ann, bo, None) == [True, True, True]

    def test_does_not_become_everybodys_with_its_makers_account(self, ann, bo, pair):
        lots.ensure_lots(pairs=[pair], now=now(), by=ann)
        ann.delete()

        assert self.seen(bo, None) == [False, False]
        lots.ensure_lots(pairs=[pair], now=now(), by=bo)
        assert self.seen(bo, None) == [True, False]
