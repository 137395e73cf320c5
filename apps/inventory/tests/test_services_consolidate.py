import datetime as dt
from decimal import Decimal

import pytest

from apps.catalog.tests.factories import make_item, make_lot
from apps.core.errors import Invalid
from apps.core.testing.jobs import run_jobs
from apps.core.testing.queries import count_queries
from apps.inventory.models import InventoryItem, Movement, Reason
from apps.inventory.services import acts
from apps.inventory.services.acts import undo_act
from apps.inventory.services.consolidate import (
    Options,
    consolidate_items,
)
from apps.inventory.services.errors import StockChangedSince
from apps.inventory.services.items import edit_item
from apps.inventory.services.ledger_check import check_ledger
from apps.inventory.tests.factories import NOON, make_stock, quantities
from apps.locations.tests.factories import make_location
from apps.lots.models import KeptAct
from apps.lots.services.acts import ActUndone, RowsChangedSince

pytestmark = pytest.mark.django_db
D = Decimal
LATER = NOON + dt.timedelta(hours=1)


def consolidate_all(owner, *rows, mark="", dry_run=False, **options):
    return consolidate_items(
        owner=owner,
        item_ids=[row.pk for row in rows],
        options=Options.read(options),
        dry_run=dry_run,
        by=owner,
        now=LATER,
        mark=mark,
    )


@pytest.fixture
def lot():
    return make_lot(make_item(weight_grams=D("2.5")))


@pytest.fixture
def spread(ann, lot):
    """One lot in three bins."""
    return [
        make_stock(ann, lot, pieces, make_location(ann, name), price=price)
        for name, pieces, price in (("A", 30, D("0.10")), ("B", 10, D("0.20")), ("C", 5, None))
    ]


class TestConsolidateItems:
    def test_makes_one_row_and_leaves_the_others_at_zero(self, ann, spread):
        done = consolidate_all(ann, *spread)

        assert (done.plan.group_count, done.plan.row_count, done.plan.refusals()) == (1, 3, [])
        assert quantities(ann) == [("A", 45), ("B", 0), ("C", 0)]
        spread[0].refresh_from_db()
        assert (spread[0].price, spread[0].remarks) == (D("0.1250"), "A")
        assert check_ledger().is_sound
        booked = Movement.objects.filter(reason=Reason.CONSOLIDATE)
        assert {one.cause_id for one in booked} == {done.act.pk}
        assert sum(one.delta for one in booked) == 0

    def test_hides_the_emptied_rows_when_asked(self, ann, spread):
        consolidate_all(ann, *spread, emptied="delete")

        assert quantities(ann) == [("A", 45)]
        assert InventoryItem.with_deleted.count() == 3

    def test_goes_into_the_row_that_was_chosen(self, ann, spread):
        consolidate_all(ann, *spread, chosen=[spread[2].pk])

        assert quantities(ann) == [("A", 0), ("B", 0), ("C", 45)]

    def test_refuses_a_group_whose_target_is_full_and_does_the_others(self, ann, spread, lot):
        full = make_location(ann, "F", max_item_count=9)
        other = make_lot(make_item("3002"))
        rows = [make_stock(ann, other, 9, full), make_stock(ann, other, 3, make_location(ann, "G"))]

        done = consolidate_all(ann, *spread, *rows)

        ((_, refusal),) = done.plan.refusals()
        assert refusal.text == "F takes 0 more pieces, not 3."
        assert done.plan.group_count == 1
        assert quantities(ann) == [("A", 45), ("B", 0), ("C", 0), ("F", 9), ("G", 3)]
        assert check_ledger().is_sound

    def test_counts_what_its_own_bin_weighs_more_for_the_next_group(self, ann, lot):
        bin_, other = make_location(ann, "W", max_total_weight=100), make_lot(make_item("3002"))
        heavy = make_stock(ann, lot, 50, bin_, unit_weight_grams=D("1"))
        light = make_stock(ann, lot, 50, bin_, unit_weight_grams=D("0.1"))
        rows = [
            make_stock(ann, other, 1, bin_, unit_weight_grams=D("1")),
            make_stock(ann, other, 10, make_location(ann, "G"), unit_weight_grams=D("1")),
        ]

        done = consolidate_all(ann, heavy, light, *rows, chosen=[heavy.pk, rows[0].pk])

        bin_.refresh_from_db()
        assert (len(done.plan.refusals()), bin_.stored_weight) == (1, D("101"))
        assert check_ledger().is_sound

    def test_passes_limits_with_a_reason(self, ann, lot):
        full = make_location(ann, "F", max_item_count=9)
        rows = [make_stock(ann, lot, 9, full), make_stock(ann, lot, 3, make_location(ann, "G"))]

        consolidate_all(ann, *rows, override_reason="big drawer")

        assert quantities(ann) == [("F", 12), ("G", 0)]
        assert set(
            Movement.objects.filter(reason=Reason.CONSOLIDATE).values_list("note", flat=True)
        ) == {"big drawer"}

    def test_refuses_rows_of_which_no_two_agree(self, ann, spread):
        with pytest.raises(Invalid):
            consolidate_all(ann, spread[0], make_stock(ann, make_lot(make_item("3002")), 3))
        assert KeptAct.objects.count() == 0

    def test_leaves_a_strangers_rows_alone(self, ann, bo, lot, spread):
        theirs = make_stock(bo, lot, 7, make_location(bo, "Z"))

        consolidate_all(ann, *spread, theirs)

        assert quantities(bo) == [("Z", 7)]

    def test_refuses_rows_that_changed_since_the_preview(self, ann, spread):
        mark = consolidate_all(ann, *spread, dry_run=True).plan.mark
        edit_item(item=spread[1], changes={"quantity": 4}, by=ann, now=LATER)

        with pytest.raises(StockChangedSince):
            consolidate_all(ann, *spread, mark=mark)

        assert quantities(ann) == [("A", 30), ("B", 4), ("C", 5)]
        assert KeptAct.objects.count() == 0

    def test_costs_the_same_whatever_the_number(self, ann, spread):
        few, _ = count_queries(lambda: consolidate_all(ann, *spread))
        rows = []
        for number in range(40):
            other = make_lot(make_item(f"4{number}"))
            rows += [
                make_stock(ann, other, 3, make_location(ann)),
                make_stock(ann, other, 2, make_location(ann)),
            ]
        many, done = count_queries(lambda: consolidate_all(ann, *rows))

        assert done.plan.group_count == 40
        assert many == few

    def test_becomes_a_job_for_many(self, ann, spread, lot, monkeypatch):
        monkeypatch.setattr(acts, "AT_ONCE", 2)

        consolidate_all(ann, *spread)
        run_jobs()

        assert quantities(ann) == [("A", 45), ("B", 0), ("C", 0)]
        assert check_ledger().is_sound


class TestPreview:
    def test_shows_what_would_happen_and_changes_nothing(self, ann, spread):
        before = list(InventoryItem.objects.order_by("pk").values())

        plan = consolidate_all(ann, *spread, dry_run=True).plan

        (group,) = plan.groups
        assert (plan.group_count, plan.row_count) == (1, 3)
        assert (group.target.pk, group.quantity, group.unpriced) == (spread[0].pk, 45, 1)
        assert group.changes == {"price": D("0.1250")}
        assert group.refusal is None
        assert list(InventoryItem.objects.order_by("pk").values()) == before


class TestUndo:
    def test_puts_everything_back(self, ann, spread):
        fields = ("pk", "quantity", "location_id", "price", "remarks", "comments", "deleted_at")
        before = list(InventoryItem.objects.order_by("pk").values(*fields))
        act = consolidate_all(ann, *spread, emptied="delete").act

        undo_act(act=act, by=ann, now=LATER)

        assert list(InventoryItem.objects.order_by("pk").values(*fields)) == before
        assert check_ledger().is_sound
        undone = Movement.objects.filter(reason=Reason.UNDO)
        assert undone.exclude(reverses=None).count() == undone.count() == 4

    def test_happens_once(self, ann, spread):
        act = consolidate_all(ann, *spread).act
        undo_act(act=act, by=ann, now=LATER)

        with pytest.raises(ActUndone):
            undo_act(act=act, by=ann, now=LATER)

    def test_is_refused_for_rows_that_changed_since(self, ann, spread):
        act = consolidate_all(ann, *spread).act
        edit_item(
            item=InventoryItem.objects.get(pk=spread[0].pk),
            changes={"quantity": 40},
            by=ann,
            now=LATER,
        )

        with pytest.raises(RowsChangedSince) as refused:
            undo_act(act=act, by=ann, now=LATER)

        assert refused.value.data == [{"id": spread[0].pk}]
        assert quantities(ann) == [("A", 40), ("B", 0), ("C", 0)]
        act.refresh_from_db()
        assert act.undone_at is None

    def test_leaves_other_fields_that_changed_since(self, ann, spread):
        act = consolidate_all(ann, *spread).act
        row = InventoryItem.objects.get(pk=spread[0].pk)
        edit_item(item=row, changes={"comments": "new"}, by=ann, now=LATER)

        undo_act(act=act, by=ann, now=LATER)

        row.refresh_from_db()
        assert (row.quantity, row.comments) == (30, "new")
