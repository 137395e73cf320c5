"""Lots on demand."""

import pytest

from apps.catalog.models import Lot
from apps.catalog.services import lots
from apps.catalog.tests.factories import make_color, make_item, make_lot
from apps.core.clock import now
from apps.core.testing.queries import count_queries

pytestmark = pytest.mark.django_db


class TestEnsureLots:
    def test_makes_an_unseen_pair_and_says_so(self):
        pair = make_item("3001").pk, make_color(7).pk

        found = lots.ensure_lots(pairs=[pair], now=now())

        lot = Lot.objects.get(pk=found[pair])
        assert (lot.is_known, lot.composite_ssearch) == (False, "3001 brick 2 x 4 2x4 blue")

    def test_leaves_out_a_colour_that_is_not_there(self):
        item = make_item("3001")

        assert lots.ensure_lots(pairs=[(item.pk, 999)], now=now()) == {}
        assert Lot.objects.count() == 0

    def test_finds_and_makes_in_one_go(self):
        lot = make_lot(make_item("3001"))
        other = make_item("3002")
        pairs = [(lot.item_id, 5), (other.pk, 5), (other.pk, 5), (999_999, 5)]

        found = lots.ensure_lots(pairs=pairs, now=now())

        assert found[lot.item_id, 5] == lot.pk
        assert set(found) == {(lot.item_id, 5), (other.pk, 5)}
        assert Lot.objects.count() == 2

    def test_costs_the_same_for_one_and_for_many(self):
        make_color()
        items = [make_item(is_searchable=False).pk for _ in range(40)]

        one, _ = count_queries(lambda: lots.ensure_lots(pairs=[(items[0], 5)], now=now()))
        many, _ = count_queries(
            lambda: lots.ensure_lots(pairs=[(item, 5) for item in items], now=now())
        )

        assert one == many
