import datetime as dt
from decimal import Decimal

import pytest

from apps.catalog.tests.factories import make_item, make_lot
from apps.core.errors import Invalid
from apps.core.testing.threads import at_once
from apps.inventory.models import InventoryItem, Movement, Promise, Reason, Stocktake
from apps.inventory.selectors.stocktakes import counted_rows, tally_of
from apps.inventory.services.acts import undo_act
from apps.inventory.services.items import edit_item
from apps.inventory.services.ledger_check import check_ledger
from apps.inventory.services.moves import MoveLine, move_items
from apps.inventory.services.promises import Want, promise
from apps.inventory.services.stocktakes import (
    Count,
    StocktakeClosed,
    apply_stocktake,
    discard_stocktake,
    record_counts,
    start_stocktake,
)
from apps.inventory.tests.factories import NOON, make_stock, quantities
from apps.locations.tests.factories import make_location

pytestmark = pytest.mark.django_db
D = Decimal
LATER = NOON + dt.timedelta(hours=1)


@pytest.fixture
def bin_(ann):
    return make_location(ann, "B-07")


@pytest.fixture
def lots():
    return [make_lot(make_item(f"300{n}")) for n in range(3)]


@pytest.fixture
def take(ann, bin_):
    return start_stocktake(owner=ann, location=bin_)


def count(take, *counts):
    record_counts(stocktake=take, counts=counts, now=LATER)


def apply(take, uncounted="keep", note=""):
    return apply_stocktake(stocktake=take, uncounted=uncounted, note=note, by=take.owner, now=LATER)


class TestStartStocktake:
    def test_gives_the_open_one_back(self, ann, bin_, take):
        assert start_stocktake(owner=ann, location=bin_).pk == take.pk

    def test_begins_anew_after_the_last_one_ended(self, ann, bin_, take):
        discard_stocktake(stocktake=take, now=LATER)
        assert start_stocktake(owner=ann, location=bin_).pk != take.pk


class TestStartStocktakeAtOnce:
    @pytest.mark.django_db(transaction=True)
    def test_begins_one_for_all(self, make_user):
        owner = make_user("ann")
        location = make_location(owner, "B-07")

        begun = at_once(lambda _: start_stocktake(owner=owner, location=location).pk, threads=6)

        assert len(set(begun)) == 1
        assert Stocktake.objects.count() == 1


class TestRecordCounts:
    def test_changes_nothing_of_the_stock(self, ann, bin_, lots, take):
        row = make_stock(ann, lots[0], 5, bin_)

        count(take, Count(item_id=row.pk, counted=3), Count(lot_id=lots[1].pk, counted=2))

        assert quantities(ann) == [("B-07", 5)]
        found = tally_of(stocktake=take)
        assert (found.rows, found.counted, found.fewer_pieces, found.found_pieces) == (1, 1, 2, 2)

    def test_replaces_what_was_counted_before_and_takes_it_back(self, ann, bin_, lots, take):
        row = make_stock(ann, lots[0], 5, bin_)
        count(take, Count(item_id=row.pk, counted=3))

        count(take, Count(item_id=row.pk, counted=9))
        assert list(counted_rows(stocktake=take).values_list("counted", "seen")) == [(9, 5)]
        count(take, Count(item_id=row.pk, counted=None))
        assert list(counted_rows(stocktake=take).values_list("counted", flat=True)) == [None]

    def test_refuses_rows_of_another_location_and_unknown_lots(self, ann, bin_, lots, take):
        elsewhere = make_stock(ann, lots[0], 5, make_location(ann, "C"))

        with pytest.raises(Invalid) as refused:
            count(take, Count(item_id=elsewhere.pk, counted=3), Count(lot_id=9_999_999, counted=1))

        assert list(refused.value.fields) == ["counts.0.item_id", "counts.1.lot_id"]
        assert take.counts.count() == 0

    def test_is_refused_once_it_ended(self, ann, bin_, lots, take):
        row = make_stock(ann, lots[0], 5, bin_)
        discard_stocktake(stocktake=take, now=LATER)

        with pytest.raises(StocktakeClosed):
            count(take, Count(item_id=row.pk, counted=3))


class TestApplyStocktake:
    def test_books_what_differs_with_the_reason(self, ann, bin_, lots, take):
        rows = [make_stock(ann, lot, 5, bin_) for lot in lots]
        count(
            take,
            Count(item_id=rows[0].pk, counted=3),
            Count(item_id=rows[1].pk, counted=5),
            Count(item_id=rows[2].pk, counted=8),
        )

        act = apply(take, note="spring count")

        assert quantities(ann) == [("B-07", 3), ("B-07", 5), ("B-07", 8)]
        booked = Movement.objects.filter(reason=Reason.COUNT).order_by("id")
        assert list(booked.values_list("delta", "note", "cause_id")) == [
            (-2, "spring count", act.pk),
            (3, "spring count", act.pk),
        ]
        bin_.refresh_from_db()
        assert bin_.item_count == 16
        assert check_ledger().is_sound

    def test_counts_what_nobody_counted_as_missing_when_asked(self, ann, bin_, lots, take):
        rows = [make_stock(ann, lot, 5, bin_) for lot in lots[:2]]
        count(take, Count(item_id=rows[0].pk, counted=5))

        apply(take, "missing")

        assert quantities(ann) == [("B-07", 0), ("B-07", 5)]

    def test_puts_found_lots_in_with_the_price_that_they_have_elsewhere(
        self, ann, bin_, lots, take
    ):
        make_stock(ann, lots[0], 2, make_location(ann, "C"), price=D("0.7"), marketplace_lot_id=5)
        count(take, Count(lot_id=lots[0].pk, counted=4), Count(lot_id=lots[1].pk, counted=1))

        apply(take)

        made = InventoryItem.objects.filter(location=bin_).order_by("pk")
        assert list(made.values_list("quantity", "price", "remarks", "marketplace_lot_id")) == [
            (4, D("0.7"), "B-07", None),
            (1, None, "B-07", None),
        ]
        assert check_ledger().is_sound

    def test_takes_what_came_and_went_meanwhile_for_no_difference(self, ann, bin_, lots, take):
        row = make_stock(ann, lots[0], 10, bin_)
        count(take, Count(item_id=row.pk, counted=8))
        edit_item(item=row, changes={"quantity": 6}, by=ann, now=LATER)

        apply(take)

        assert quantities(ann) == [("B-07", 4)]

    def test_promises_no_more_pieces_than_were_found(self, ann, bin_, lots, take):
        row = make_stock(ann, lots[0], 5, bin_)
        want = Want(line_id=1, quantity=4, lot_id=row.lot_id, condition=row.condition)
        promise(owner=ann, wants=[want], now=NOON)
        count(take, Count(item_id=row.pk, counted=1))

        apply(take)

        row.refresh_from_db()
        assert (row.quantity, row.promised) == (1, 1)
        assert Promise.objects.get().quantity == 1

    def test_keeps_its_act_where_what_is_missing_was_found_again(self, ann, bin_, lots, take):
        row = make_stock(ann, lots[0], 5, bin_)
        count(take, Count(item_id=row.pk, counted=3), Count(lot_id=lots[0].pk, counted=2))

        act = apply_stocktake(stocktake=take, uncounted="keep", note="", by=ann, now=LATER)

        booked = Movement.objects.filter(reason=Reason.COUNT).order_by("pk")
        assert list(booked.values_list("delta", "cause_id")) == [(-2, act.pk), (2, act.pk)]
        take.refresh_from_db()
        assert (take.act, quantities(ann)) == (act, [("B-07", 5)])

    def test_leaves_a_row_alone_that_left_the_location(self, ann, bin_, lots, take):
        row = make_stock(ann, lots[0], 10, bin_)
        count(take, Count(item_id=row.pk, counted=8))
        away = make_location(ann, "C")
        move_items(
            owner=ann,
            lines=[MoveLine(item_id=row.pk, to_location_id=away.pk)],
            by=ann,
            now=LATER,
        )

        assert apply(take, "missing") is None

        assert quantities(ann) == [("C", 10)]

    def test_is_not_refused_by_the_limits_of_the_location(self, ann, lots):
        tiny = make_location(ann, "T", max_item_count=5)
        row = make_stock(ann, lots[0], 5, tiny)
        take = start_stocktake(owner=ann, location=tiny)
        count(take, Count(item_id=row.pk, counted=9))

        apply(take)

        assert quantities(ann) == [("T", 9)]

    def test_happens_once(self, ann, bin_, lots, take):
        row = make_stock(ann, lots[0], 10, bin_)
        count(take, Count(item_id=row.pk, counted=8))
        apply(take)

        with pytest.raises(StocktakeClosed):
            apply(take)

        assert quantities(ann) == [("B-07", 8)]

    def test_is_taken_back(self, ann, bin_, lots, take):
        row = make_stock(ann, lots[0], 10, bin_)
        count(take, Count(item_id=row.pk, counted=8), Count(lot_id=lots[1].pk, counted=4))
        act = apply(take)

        undo_act(act=act, by=ann, now=LATER)

        assert quantities(ann) == [("B-07", 10)]
        assert check_ledger().is_sound
