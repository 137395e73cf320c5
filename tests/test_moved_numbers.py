"""Lots whose items the catalogue has moved to another number."""

from decimal import Decimal

import pytest

from apps.batches.models import Batch
from apps.batches.tests.factories import make_batch, stow_all
from apps.batches.tests.factories import make_item as make_batch_item
from apps.catalog.models import Component, ElementCode, ItemAlias
from apps.catalog.tests.factories import make_color, make_item, make_lot
from apps.core.testing.jobs import run_jobs
from apps.inventory.models import InventoryItem
from apps.inventory.services import acts
from apps.inventory.services.consolidate import Options, consolidate_items
from apps.inventory.services.moves import MoveLine, move_items
from apps.inventory.services.promises import Want, promise
from apps.inventory.tests.bsx_files import bsx, lot, sync_file
from apps.inventory.tests.factories import NOON, make_stock, quantities
from apps.locations.tests.factories import make_location
from apps.lots.models import KeptAct
from apps.orders.tests.factories import make_order, sell
from apps.sets.selectors.destinations import set_destinations
from apps.sets.services.parts import put_aside
from apps.sets.services.sets import renew_contents, take_back_renewal
from apps.sets.tests.factories import make_user_set

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("searchable")]
LIST = "/api/inventoryItems/renumbered"
RENUMBER = "/api/inventoryItems/renumber"


@pytest.fixture
def moved():
    """A lot of cty001, which is cty0001 by now."""
    new = make_item("cty0001", "Policeman", "MINIFIG")
    old = make_item("cty001", "Policeman", "MINIFIG", is_retired=True, replaced_by=new)
    return make_lot(old)


@pytest.fixture
def rows(ann, moved):
    """Two rows of stock, one of them in the store, and one of a batch."""
    stock = [make_stock(ann, moved, marketplace_lot_id=lot_id) for lot_id in (None, 9)]
    return [*stock, make_batch_item(make_batch(ann), lot=moved)]


def numbers(rows):
    for row in rows:
        row.refresh_from_db()
    return [row.lot.item.number for row in rows]


def renumber(client):
    response = client.post(RENUMBER)
    assert response.status_code == 200, response.json()
    (done,) = response.json()["data"]
    return done


class TestLotsOfAMovedNumber:
    def test_are_listed_with_the_old_and_the_new_one(self, ann, bo, api, rows):
        (row,) = api(ann).get(LIST).json()["data"]

        del row["item_id"]
        assert row == {
            "item_type": "MINIFIG",
            "old_number": "cty001",
            "new_number": "cty0001",
            "item_name": "Policeman",
            "lots": 2,
            "listed": 1,
            "batch_lots": 1,
            "set_parts": 0,
            "order_lines": 0,
        }
        assert api(bo).get(LIST).json()["data"] == []

    def test_are_told_on_home(self, ann, api, rows):
        waiting = api(ann).get("/api/home").json()["data"][0]["waiting"]

        line = next(line for line in waiting if line["id"] == "renumbered")
        assert (line["title"], line["count"]) == ("Change the numbers of 3 lots", 3)
        assert line["note"] == ("The catalogue moved 1 item to another number; 1 lot in the store")

    @pytest.mark.parametrize("of", ["set", "order"])
    def test_are_told_where_only_a_set_or_an_order_has_them(self, ann, api, moved, of):
        if of == "set":
            make_user_set(ann, contents={moved: 2})
        else:
            row = make_stock(ann, make_lot(moved.item.replaced_by))
            order = make_order(ann, (row, 1))
            order.lines.update(lot=moved)
        client = api(ann)

        (told,) = client.get(LIST).json()["data"]
        waiting = client.get("/api/home").json()["data"][0]["waiting"]

        assert (told["set_parts"], told["order_lines"]) == ((1, 0) if of == "set" else (0, 1))
        assert [line["count"] for line in waiting if line["id"] == "renumbered"] == [1]
        assert renumber(client)["item_count"] == 1

    def test_get_it_in_stock_and_batches_by_one_act(self, ann, api, rows):
        done = renumber(api(ann))

        assert done["item_count"] == 3
        assert numbers(rows) == ["cty0001"] * 3
        assert api(ann).get(LIST).json()["data"] == []
        assert api(ann).post(RENUMBER).status_code == 409

    def test_get_the_old_one_back_by_undo(self, ann, api, rows):
        client = api(ann)
        done = renumber(client)

        undone = client.post(f"/api/inventoryActs/{done['act_id']}/undo")

        assert undone.status_code == 200, undone.json()
        assert numbers(rows) == ["cty001"] * 3

    def test_get_it_in_sets_and_in_orders_that_are_to_be_picked(self, ann, api, rows, moved):
        twice = make_lot(moved.item.replaced_by)
        part = make_user_set(ann, contents={moved: 2}).requirements.get()
        both = make_user_set(ann, contents={moved: 2, twice: 1})
        picked = sell(ann, make_stock(ann, moved), 1).lines.get()
        line = make_order(ann, (rows[0], 2)).lines.get()
        client = api(ann)

        done = renumber(client)

        assert numbers([part, line, picked]) == ["cty0001", "cty0001", "cty001"]
        assert both.requirements.count() == 2
        client.post(f"/api/inventoryActs/{done['act_id']}/undo")
        assert numbers([part, line, *rows]) == ["cty001"] * 5

    def test_get_it_by_a_job_where_they_are_many(self, ann, api, rows, monkeypatch):
        monkeypatch.setattr(acts, "AT_ONCE", 1)
        monkeypatch.setattr(acts, "CHUNK", 1)

        assert api(ann).post(RENUMBER).status_code == 202
        (job,) = run_jobs()

        assert (job.state, job.result["item_count"]) == ("succeeded", 3)
        assert numbers(rows) == ["cty0001"] * 3
        acts.undo_act(act=KeptAct.objects.get(), by=ann, now=job.finished_at)
        run_jobs()
        assert numbers(rows) == ["cty001"] * 3

    def test_lose_the_number_that_their_file_gave(self, ann, api, moved):
        sync_file(ann, bsx(lot("cty0001", color=0, kind="M", LotID=9)))
        row = InventoryItem.objects.get(owner=ann)
        InventoryItem.objects.filter(pk=row.pk).update(lot=moved, raw_item_number="cty001")

        renumber(api(ann))

        row.refresh_from_db()
        assert (row.lot.item.number, row.raw_item_number) == ("cty0001", "")

    @pytest.mark.parametrize("by", ["search", "item_number"])
    def test_are_found_by_the_old_one_in_lists(self, ann, api, moved, by):
        new = moved.item.replaced_by
        ItemAlias.objects.create(
            item=new, catalogue="B", kind="former", value="cty001", value_key="CTY001"
        )
        make_stock(ann, make_lot(new))

        found = api(ann).get("/api/inventoryItems", {by: "cty001"}).json()["data"]

        assert [row["item_number"] for row in found] == ["cty0001"]


class TestTheCatalogue:
    def test_tells_the_new_number_of_an_item(self, ann, api, moved):
        new = moved.item.replaced_by
        found = [api(ann).get(f"/api/catalogItems/{item.pk}") for item in (moved.item, new)]

        told = [one.json()["data"][0]["replaced_by_number"] for one in found]
        assert told == ["cty0001", None]

    def test_finds_the_new_item_by_what_the_old_one_was_called(self, ann, api, moved):
        ItemAlias.objects.create(
            item=moved.item, catalogue="B", kind="former", value="cop1", value_key="COP1"
        )
        ElementCode.objects.create(code="4567890", lot=moved)

        for text in ("cop1", "4567890"):
            found = api(ann).get("/api/catalogItems", {"search": text}).json()["data"]
            assert [row["item_number"] for row in found] == ["cty0001"]

    def test_offers_the_new_item_for_an_unknown_number(self, ann, api, moved):
        new = moved.item.replaced_by
        ItemAlias.objects.create(
            item=moved.item, catalogue="B", kind="similar", value="cop1", value_key="COP1"
        )
        make_stock(ann, raw_item_number="cop1", raw_item_type="M")

        (row,) = api(ann).get("/api/inventoryItems/unknown").json()["data"]

        assert [one["item_id"] for one in row["candidates"]] == [new.pk]


class TestAFileWithTheOldNumber:
    @pytest.mark.parametrize("number", ["cty001", "cty1", "CTY001"])
    def test_is_read_as_the_new_one(self, ann, moved, number):
        make_lot(moved.item.replaced_by)

        sync_file(ann, bsx(lot(number, color=0, kind="M")))

        row = InventoryItem.objects.get(owner=ann)
        assert row.lot.item.number == "cty0001"

    def test_of_a_number_before_is_read_as_the_new_one(self, ann, moved):
        ItemAlias.objects.create(
            item=moved.item, catalogue="B", kind="former", value="cop1", value_key="COP1"
        )

        sync_file(ann, bsx(lot("cop1", color=0, kind="M")))

        assert InventoryItem.objects.get(owner=ann).lot.item.number == "cty0001"


class TestAFileWithTheNewNumber:
    @pytest.fixture(params=["a lot of the catalogue", "a new pair"])
    def new(self, request, moved):
        return make_lot(moved.item.replaced_by) if request.param[2] == "l" else None

    @pytest.mark.parametrize("whole", [True, False])
    def test_is_of_the_rows_with_the_old_one(self, ann, moved, new, whole):
        row = make_stock(
            ann, moved, 5, make_location(ann, "A-1"), remarks="A-1", cost=Decimal("0.0500")
        )
        pieces = Want(line_id=1, quantity=2, item_id=row.pk)
        promise(owner=ann, wants=[pieces], now=NOON)

        file = bsx(lot("cty0001", color=0, kind="M", qty=3, Remarks="A-1", Cost="0.05"))
        sync_file(ann, file, covers="whole" if whole else "part")

        (kept,) = InventoryItem.objects.owned_by(ann)
        assert (kept.pk, kept.quantity, kept.promised, kept.location_id) == (
            *(row.pk, 5, 2, row.location_id),
        )
        assert (kept.cost, kept.lot.item.number) == (row.cost, "cty0001")

    def test_without_quantities_is_of_them_too(self, ann, moved, new):
        row = make_stock(ann, moved, 5)
        file = b"Item Number,Type,Color,Condition,Price\ncty0001,M,0,U,0.5\n"

        sync_file(ann, file, name="prices.csv")

        (kept,) = InventoryItem.objects.owned_by(ann)
        assert (kept.pk, kept.quantity, str(kept.price)) == (row.pk, 5, "0.5000")


class TestAnOrder:
    @pytest.mark.parametrize("sold", ["cty001", "cty0001"])
    def test_is_served_by_lots_of_either_number(self, ann, moved, sold):
        lots = {"cty001": moved, "cty0001": make_lot(moved.item.replaced_by)}
        make_stock(ann, lots["cty001"], 2)
        make_stock(ann, lots["cty0001"], 3)
        make_stock(ann, make_lot(moved.item, make_color(5)), 4)
        want = Want(line_id=1, quantity=9, lot_id=lots[sold].pk, condition="U")

        assert promise(owner=ann, wants=[want], now=NOON) == {1: 5}


class TestASet:
    @pytest.fixture
    def lots(self, moved):
        return {"cty001": moved, "cty0001": make_lot(moved.item.replaced_by)}

    @pytest.mark.parametrize(
        ("needed", "held"), [("cty001", "cty0001"), ("cty0001", "cty001"), ("cty001", "cty001")]
    )
    def test_takes_lots_of_either_number(self, ann, api, lots, needed, held):
        owned = make_user_set(ann, contents={lots[needed]: 2})
        make_stock(ann, lots[held], 5)
        client = api(ann)

        lines = {"user_set": owned.pk, "state": "in_stock"}
        (part,) = client.get("/api/userSetParts", lines).json()["data"]
        (row,) = client.post(f"/api/userSets/{owned.pk}/take", {}).json()["data"]

        assert (part["in_stock"], row["pieces"], row["still_missing"]) == (5, 2, 0)

    def test_is_where_a_part_with_the_new_number_is_put_aside(self, ann, lots):
        owned = make_user_set(ann, contents={lots["cty001"]: 2})

        (found,) = set_destinations(owner=ann, lot_id=lots["cty0001"].pk)
        put_aside(user_set=owned, lot_id=lots["cty0001"].pk, quantity=2)

        assert found["user_set_id"] == owned.pk
        assert owned.requirements.get().quantity_on_hand == 2

    @pytest.mark.parametrize(
        ("needed", "added"), [("cty001", "cty0001"), ("cty0001", "cty001"), ("cty001", "cty001")]
    )
    def test_is_completed_by_a_batch_with_either_number(self, ann, api, lots, needed, added):
        owned = make_user_set(ann, contents={lots[needed]: 2})
        make_batch_item(make_batch(ann), lot=lots[added], quantity=2)

        waiting = api(ann).get("/api/home").json()["data"][0]["waiting"]

        assert f"set-{owned.pk}" in [line["id"] for line in waiting]

    def test_keeps_what_is_on_hand_when_its_contents_have_the_new_number(self, ann, lots):
        owned = make_user_set(ann, contents={lots["cty001"]: 2})
        put_aside(user_set=owned, lot_id=lots["cty001"].pk, quantity=2)
        Component.objects.update(lot=lots["cty0001"])

        renewed = renew_contents(user_set=owned)

        part = owned.requirements.get()
        assert (part.lot, part.quantity_on_hand) == (lots["cty0001"], 2)
        take_back_renewal(user_set=owned, inventory_id=renewed.inventory_id, lots=renewed.lots)
        assert owned.requirements.get().lot == lots["cty001"]


class TestPiecesOfEitherNumber:
    """They are one lot wherever equal pieces are added up."""

    @pytest.fixture
    def lots(self, moved):
        return [moved, make_lot(moved.item.replaced_by)]

    def test_are_stowed_into_one_row(self, ann, lots):
        for lot_ in lots:
            make_batch_item(make_batch(ann), lot=lot_)
        bin_ = make_location(ann, "A-1")

        for batch in Batch.objects.all():
            stow_all(batch, location=bin_)

        assert quantities(ann) == [("A-1", 6)]

    def test_are_moved_into_one_row(self, ann, lots):
        bins = [make_location(ann, name) for name in ("A-1", "A-2")]
        old, _new = (
            make_stock(ann, lot_, 3, bin_, remarks=bin_.name)
            for lot_, bin_ in zip(lots, bins, strict=True)
        )
        lines = [MoveLine(item_id=old.pk, to_location_id=bins[1].pk, quantity=3)]

        move_items(owner=ann, lines=lines, by=ann, now=NOON)

        assert quantities(ann) == [("A-1", 0), ("A-2", 6)]

    def test_are_consolidated(self, ann, lots):
        ids = [make_stock(ann, lot_, 3).pk for lot_ in lots]

        consolidate_items(owner=ann, item_ids=ids, options=Options(), by=ann, now=NOON)

        assert quantities(ann) == [(None, 0), (None, 6)]

    def test_are_unconsolidated_in_two_bins(self, ann, api, lots):
        for lot_, name in zip(lots, ("A-1", "A-2"), strict=True):
            make_stock(ann, lot_, 3, make_location(ann, name))
        make_stock(ann, location=make_location(ann, "A-3"))

        found = api(ann).get("/api/inventoryItems", {"unconsolidated": "true"}).json()["data"]

        assert {row["item_number"] for row in found} == {"cty001", "cty0001"}

    def test_are_consolidated_in_a_batch(self, ann, api, lots):
        batch = make_batch(ann)
        for lot_ in lots:
            make_batch_item(batch, lot=lot_)

        done = api(ann).post(f"/api/batches/{batch.pk}/consolidate", {"items": "all"})

        assert done.status_code == 200, done.json()
        assert [item.quantity for item in batch.items.all()] == [6]

    def test_are_equal_adds(self, ann, api, lots):
        batch = make_batch(ann)
        for lot_ in lots:
            body = {"batch_id": batch.pk, "lot_id": lot_.pk, "qty": 2, "top_up": True}
            assert api(ann).post("/api/batchItems", body).status_code == 201

        assert batch.items.get().quantity == 4
