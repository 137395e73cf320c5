"""Bulk edits, moves of many, splitting: one act each."""

import datetime as dt
from decimal import Decimal

import pytest

from apps.catalog.tests.factories import make_item, make_lot
from apps.core.errors import Conflict, Invalid
from apps.core.jobs.dispatch import cancel_job, retry_job
from apps.core.many import SomeRefused
from apps.core.testing.jobs import run_jobs
from apps.core.testing.queries import count_queries
from apps.inventory.models import InventoryItem, Movement
from apps.inventory.services import acts, move_many
from apps.inventory.services.acts import undo_act
from apps.inventory.services.bulk import STOCK, Removal, change_items
from apps.inventory.services.errors import NotEnoughInStock
from apps.inventory.services.ledger_check import check_ledger
from apps.inventory.services.moves import MoveLine
from apps.inventory.services.split import split_item
from apps.inventory.tests.factories import NOON, make_stock, quantities
from apps.locations.models import Location
from apps.locations.services.errors import LocationFull
from apps.locations.tests.factories import make_location
from apps.lots.models import KeptAct
from apps.lots.services.bulk import Edit

pytestmark = pytest.mark.django_db
D = Decimal
LATER = NOON + dt.timedelta(hours=1)


def change(owner, *, create=(), update=(), delete=(), atomic=True):
    return change_items(
        owner=owner,
        create=dict(enumerate(create)),
        update={
            i: Edit(item_id=row.pk, changes=changes) for i, (row, changes) in enumerate(update)
        },
        delete=dict(enumerate(delete)),
        refused={},
        atomic=atomic,
        by=owner,
        now=LATER,
    )


def everything(owner):
    fields = ("pk", "quantity", "location_id", "price", "remarks", "deleted_at", "lot_id")
    return list(InventoryItem.with_deleted.owned_by(owner).order_by("pk").values(*fields))


def whole_rows(owner):
    """All columns but the stamp, which an undo moves too."""
    rows = InventoryItem.objects.owned_by(owner).order_by("pk").values()
    return [{name: value for name, value in row.items() if name != "updated_at"} for row in rows]


@pytest.fixture
def lot():
    return make_lot(make_item(weight_grams=D("2.5")))


class TestChangeItems:
    def test_creates_edits_and_deletes_through_the_ledger(self, ann, lot):
        a, b = make_location(ann, "A"), make_location(ann, "B")
        kept, gone = make_stock(ann, lot, 5, a), make_stock(ann, lot, 0, a)

        done = change(
            ann,
            create=[{"lot_id": lot.pk, "quantity": 3, "location_id": b.pk, "price": D("0.5")}],
            update=[(kept, {"quantity": 8, "price": D("0.2"), "location_id": b.pk})],
            delete=[Removal(item_id=gone.pk)],
        )

        assert done.refused == {}
        assert quantities(ann) == [("B", 3), ("B", 8)]
        kept.refresh_from_db()
        assert (kept.price, kept.remarks, kept.updated_at) == (D("0.2"), "B", LATER)
        made = InventoryItem.objects.get(pk=done.created[0])
        assert (made.price, made.remarks, made.piece_grams) == (D("0.5"), "B", D("2.5"))
        b.refresh_from_db()
        assert (b.item_count, b.stored_weight) == (11, D("27.5"))
        assert check_ledger().is_sound

    def test_does_nothing_when_one_row_is_refused(self, ann, lot):
        tiny = make_location(ann, "T", max_item_count=1)
        rows = [make_stock(ann, lot, 5), make_stock(ann, lot, 5)]
        before = everything(ann)

        with pytest.raises(SomeRefused) as refused:
            change(ann, update=[(rows[0], {"quantity": 1}), (rows[1], {"location_id": tiny.pk})])

        assert list(refused.value.fields) == ["update.1"]
        assert refused.value.status == 409
        assert refused.value.text.startswith("1 of 2 rows was refused, so nothing was changed: ")
        assert everything(ann) == before
        assert check_ledger().is_sound

    def test_does_the_others_when_not_atomic(self, ann, lot):
        rows = [make_stock(ann, lot, 5), make_stock(ann, lot, 5)]

        done = change(
            ann,
            create=[{"lot_id": 9_999_999}],
            update=[(rows[0], {"quantity": 1}), (rows[1], {"location_id": 9_999_999})],
            atomic=False,
        )

        assert {key: why.code for key, why in done.refused.items()} == {
            ("create", 0): "UNKNOWN_REFERENCE",
            ("update", 1): "NOT_FOUND",
        }
        assert quantities(ann) == [(None, 1), (None, 5)]

    def test_refuses_a_row_that_changed_since_it_was_seen(self, ann, lot):
        row = make_stock(ann, lot, 5)
        stale = Edit(
            item_id=row.pk, changes={"quantity": 1}, seen_at=NOON - dt.timedelta(seconds=1)
        )

        done = change_items(
            owner=ann,
            create={},
            update={0: stale},
            delete={},
            refused={},
            atomic=False,
            by=ann,
            now=LATER,
        )

        assert isinstance(done.refused["update", 0], Conflict)
        assert quantities(ann) == [(None, 5)]

    def test_refuses_a_row_that_is_named_twice(self, ann, lot):
        row = make_stock(ann, lot, 5)

        done = change(ann, update=[(row, {"quantity": 1}), (row, {"quantity": 2})], atomic=False)

        assert done.refused["update", 1].fields == {"id": ["is named twice"]}
        assert quantities(ann) == [(None, 1)]

    def test_refuses_to_delete_pieces_unless_they_are_booked_out(self, ann, lot):
        rows = [make_stock(ann, lot, 5), make_stock(ann, lot, 7)]

        done = change(
            ann,
            delete=[Removal(item_id=rows[0].pk), Removal(item_id=rows[1].pk, zero=True)],
            atomic=False,
        )

        assert done.refused["delete", 0].text.startswith("Only rows with quantity 0")
        assert quantities(ann) == [(None, 5)]
        assert check_ledger().is_sound

    def test_leaves_a_strangers_rows_alone(self, ann, bo, lot):
        theirs = make_stock(bo, lot, 5)

        done = change(ann, update=[(theirs, {"quantity": 1})], atomic=False)

        assert done.refused["update", 0].code == "NOT_FOUND"
        assert quantities(bo) == [(None, 5)]

    def test_edits_a_thousand_rows_and_takes_it_back_in_twelve_statements(self, ann, lot):
        a, b = make_location(ann, "A"), make_location(ann, "B")
        drafts = [{"lot_id": lot.pk, "quantity": 2, "location_id": a.pk}] * 1_000
        made = change(ann, create=drafts)
        rows = list(InventoryItem.objects.order_by("pk"))
        before = everything(ann)
        new = {"quantity": 3, "price": D("9.5"), "location_id": b.pk, "unit_weight_grams": D(3)}

        count, _ = count_queries(lambda: change(ann, update=[(row, new) for row in rows]))
        old = {"quantity": 2, "price": None, "location_id": a.pk, "unit_weight_grams": None}
        back, _ = count_queries(lambda: change(ann, update=[(row, old) for row in rows]))

        assert len(made.created) == 1_000
        assert count <= 12
        assert back <= 12
        assert everything(ann) == before
        assert check_ledger().is_sound


class TestEditAlike:
    def test_becomes_a_job_for_many(self, ann, lot, monkeypatch):
        monkeypatch.setattr("apps.lots.services.bulk.AT_ONCE", 2)
        rows = [make_stock(ann, lot, 5) for _ in range(3)]

        job = STOCK.edit_alike(
            owner=ann,
            item_ids=[*(row.pk for row in rows), 9_999_999],
            changes={"price": D("0.75"), "quantity": 2},
            atomic=True,
            by=ann,
            now=LATER,
        )
        run_jobs()

        job.refresh_from_db()
        act = KeptAct.objects.get()
        assert job.result == {"act_id": act.pk, "item_count": 3, "failed_count": 1}
        assert (act.kind, act.row_count) == ("edit", 3)
        assert set(InventoryItem.objects.values_list("price", "quantity")) == {(D("0.75"), 2)}
        assert check_ledger().is_sound

    def test_takes_back_what_a_job_did(self, ann, lot, monkeypatch):
        monkeypatch.setattr("apps.lots.services.bulk.AT_ONCE", 2)
        monkeypatch.setattr("apps.lots.services.bulk.CHUNK", 2)
        a, b, small = make_location(ann, "A"), make_location(ann, "B"), make_location(ann, "S")
        other = make_lot(make_item("3002", weight_grams=D("2.5")))
        rows = [make_stock(ann, lot, 5, place) for place in (a, b, None)]
        rows[2].raw_item_number = "as in the file"
        rows[2].save(update_fields=["raw_item_number"])
        before = whole_rows(ann)

        STOCK.edit_alike(
            owner=ann,
            item_ids=[row.pk for row in rows],
            changes={
                "lot_id": other.pk,
                "condition": "N",
                "marketplace_lot_id": 7,
                "unit_weight_grams": D("3"),
                "status": "X",
                "quantity": 2,
                "location_id": small.pk,
            },
            atomic=False,
            by=ann,
            now=LATER,
        )
        run_jobs()
        edited = whole_rows(ann)
        undo_act(act=KeptAct.objects.get(), by=ann, now=LATER)
        run_jobs()

        assert all(row["quantity"] == 2 and row["location_id"] == small.pk for row in edited)
        assert whole_rows(ann) == before
        assert check_ledger().is_sound

    def test_takes_prices_back_after_pieces_were_sold(self, ann, lot, monkeypatch):
        monkeypatch.setattr("apps.lots.services.bulk.AT_ONCE", 0)
        row = make_stock(ann, lot, 5)

        STOCK.edit_alike(
            owner=ann, item_ids=[row.pk], changes={"price": D(2)}, atomic=False, by=ann, now=LATER
        )
        run_jobs()
        change(ann, update=[(row, {"quantity": 4})])
        undo_act(act=KeptAct.objects.get(), by=ann, now=LATER)

        row.refresh_from_db()
        assert (row.price, row.quantity) == (D("0.1"), 4)


class TestMoveMany:
    def move(self, owner, to, *parts, **also):
        return move_many.move_many(
            owner=owner,
            lines=[
                MoveLine(item_id=row.pk, to_location_id=to and to.pk, quantity=quantity)
                for row, quantity in parts
            ],
            by=owner,
            now=LATER,
            **also,
        )

    def test_moves_parts_and_wholes_and_takes_it_back(self, ann, lot):
        a, b = make_location(ann, "A"), make_location(ann, "B")
        other = make_lot(make_item("3002"))
        rows = [
            make_stock(ann, lot, 5, a),
            make_stock(ann, other, 4, a),
            make_stock(ann, lot, 2, b),
        ]
        before = everything(ann)

        result, act, _ = self.move(ann, b, (rows[0], None), (rows[1], 1))
        moved = quantities(ann)
        undo_act(act=act, by=ann, now=LATER)

        assert len(result.moved) == 2
        assert moved == [("A", 0), ("A", 3), ("B", 1), ("B", 7)]
        after = [row for row in everything(ann) if row["deleted_at"] is None]
        assert after == before
        assert check_ledger().is_sound

    def test_puts_a_row_that_went_itself_back_with_its_remarks(self, ann, lot):
        a, b = make_location(ann, "A"), make_location(ann, "B")
        row = make_stock(ann, lot, 5, a)

        _, act, _ = self.move(ann, b, (row, None))
        undo_act(act=act, by=ann, now=LATER)

        row.refresh_from_db()
        assert (row.location_id, row.remarks, row.quantity) == (a.pk, "A", 5)
        a.refresh_from_db()
        assert a.item_count == 5

    def test_is_not_taken_back_into_a_bin_that_was_filled_meanwhile(self, ann, lot):
        a, b = make_location(ann, "A", max_item_count=5), make_location(ann, "B")
        row = make_stock(ann, lot, 5, a)
        _, act, _ = self.move(ann, b, (row, None))
        make_stock(ann, make_lot(make_item("3002")), 1, a)

        with pytest.raises(LocationFull):
            undo_act(act=act, by=ann, now=LATER)

        assert quantities(ann) == [("A", 1), ("B", 5)]
        assert check_ledger().is_sound

    def test_is_not_taken_back_into_a_bin_that_takes_less_weight_now(self, ann):
        a, b = make_location(ann, "A"), make_location(ann, "B")
        row = make_stock(ann, make_lot(), 5, a, unit_weight_grams=D(2))
        _, act, _ = self.move(ann, b, (row, None))
        Location.objects.filter(pk=a.pk).update(max_total_weight=D("9.9"))

        with pytest.raises(LocationFull) as refused:
            undo_act(act=act, by=ann, now=LATER)

        assert refused.value.text == "A takes 9.9 g more, not 10 g."
        assert quantities(ann) == [("B", 5)]
        assert check_ledger().is_sound

    def test_becomes_a_job_for_many_and_so_does_its_undo(self, ann, lot, monkeypatch):
        monkeypatch.setattr(acts, "AT_ONCE", 1)
        a, b = make_location(ann, "A"), make_location(ann, "B", max_item_count=6)
        rows = [make_stock(ann, make_lot(make_item(f"5{n}")), 3, a) for n in range(3)]

        job = self.move(ann, b, *((row, None) for row in rows))
        run_jobs()
        job.refresh_from_db()
        moved = quantities(ann)
        act_id = job.result["act_id"]
        undo_act(act=KeptAct.objects.get(pk=act_id), by=ann, now=LATER)
        run_jobs()

        assert (job.result["item_count"], job.result["failed_count"]) == (2, 1)
        assert moved == [("A", 3), ("B", 3), ("B", 3)]
        assert quantities(ann) == [("A", 3), ("A", 3), ("A", 3)]
        assert check_ledger().is_sound

    def test_is_not_taken_back_while_its_job_does_it(self, ann, lot, monkeypatch, api):
        monkeypatch.setattr(acts, "AT_ONCE", 1)
        monkeypatch.setattr(acts, "CHUNK", 1)
        a, b = make_location(ann, "A"), make_location(ann, "B")
        rows = [make_stock(ann, make_lot(make_item(f"5{n}")), 3, a) for n in range(2)]
        job = self.move(ann, b, *((row, None) for row in rows))
        act = KeptAct.objects.get()
        url = f"/api/inventoryActs/{act.pk}/undo"

        early = api(ann).post(url)
        cancel_job(job=job)
        undone = api(ann).post(url)
        retry_job(job=job)
        run_jobs()

        assert (early.status_code, early.json()["data"]) == (409, [{"job_id": str(job.pk)}])
        assert early.json()["meta"]["error"]["message"] == (
            "This is still being done. Wait for the end of it, or cancel it first."
        )
        assert undone.status_code == 200
        job.refresh_from_db()
        assert (job.state, job.message) == (
            "failed",
            "It was undone meanwhile, so the rest is not done.",
        )
        assert quantities(ann) == [("A", 3), ("A", 3)]


class TestSplitItem:
    def split(self, row, quantity, **changes):
        return split_item(item=row, quantity=quantity, changes=changes, by=row.owner, now=LATER)

    def test_makes_a_row_that_differs(self, ann, lot):
        a, b = make_location(ann, "A"), make_location(ann, "B")
        row = make_stock(ann, lot, 5, a, marketplace_lot_id=7, comments="x")

        done = self.split(row, 2, condition="N", price=D("0.9"), location_id=b.pk)

        part = InventoryItem.objects.get(pk=done.item_id)
        assert (part.quantity, part.condition, part.price, part.comments) == (2, "N", D("0.9"), "x")
        assert (part.location_id, part.remarks, part.marketplace_lot_id) == (b.pk, "B", None)
        assert quantities(ann) == [("A", 3), ("B", 2)]
        assert check_ledger().is_sound

    def test_keeps_the_listing_of_a_part_that_is_only_carried(self, ann, lot):
        row = make_stock(ann, lot, 5, make_location(ann, "A"), marketplace_lot_id=7)

        done = self.split(row, 2, location_id=make_location(ann, "B").pk)

        assert InventoryItem.objects.get(pk=done.item_id).marketplace_lot_id == 7

    def test_is_taken_back(self, ann, lot):
        row = make_stock(ann, lot, 5, make_location(ann, "A"))
        act = self.split(row, 2, price=D("0.9")).act

        undo_act(act=act, by=ann, now=LATER)

        assert quantities(ann) == [("A", 5)]
        assert check_ledger().is_sound

    @pytest.mark.parametrize("quantity", [5, 6])
    def test_leaves_something_behind(self, ann, lot, quantity):
        row = make_stock(ann, lot, 5)

        with pytest.raises(NotEnoughInStock):
            self.split(row, quantity)

        assert quantities(ann) == [(None, 5)]
        assert Movement.objects.count() == 1

    def test_refuses_a_full_bin(self, ann, lot):
        row = make_stock(ann, lot, 5)

        with pytest.raises(LocationFull):
            self.split(row, 2, location_id=make_location(ann, "T", max_item_count=1).pk)

        assert quantities(ann) == [(None, 5)]

    def test_refuses_fields_that_are_none_of_a_lot(self, ann, lot):
        with pytest.raises(Invalid):
            self.split(make_stock(ann, lot, 5), 2, owner_id=1)
