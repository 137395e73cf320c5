"""Pulling the store: the effect on its lots here, and on stock that is not for sale yet."""

import pytest
from django.core.files.storage import default_storage
from django.db import connection

from apps.accounts.models import Preferences
from apps.accounts.tests.factories import make_user
from apps.batches.tests.factories import make_batch, make_item, stow_all
from apps.core.clock import now
from apps.core.jobs.models import Job, JobState
from apps.core.jobs.runner import run_job
from apps.core.testing.jobs import run_jobs
from apps.core.testing.threads import meet
from apps.inventory.models import (
    ChannelLot,
    InventoryItem,
    InventorySync,
    Movement,
    WordChoice,
    WordField,
)
from apps.inventory.services.bsx_sync import start_apply, start_undo
from apps.inventory.services.errors import ConfirmAnotherStore, StockChangedSince, SyncRunning
from apps.inventory.services.ledger_check import check_ledger
from apps.inventory.services.received import sell_received
from apps.inventory.services.split import split_item
from apps.inventory.tests.factories import adjust_quantity
from apps.listings.services.store_pull import start_pull
from apps.listings.tests.conftest import KeptStores
from apps.listings.tests.listing import (
    calls_of,
    items_of,
    list_items,
    part,
    stock_of_store,
    stowed,
)
from apps.locations.models import Location
from apps.marketplace.models import MarketplaceConnection
from apps.marketplace.services.connections import connect_demo_store
from apps.marketplace.tests.factories import failing

pytestmark = pytest.mark.django_db


def pull(user):
    sync = start_pull(owner=user, by=user, now=now())
    run_jobs()
    sync.refresh_from_db()
    return sync


def apply(sync, confirm=None):
    start_apply(sync=sync, confirm_zeroed=confirm, by=sync.owner)
    run_jobs()
    sync.refresh_from_db()
    assert sync.state == "applied"
    return sync


def pulled(user, confirm=None):
    return apply(pull(user), confirm)


def told(sync):
    kinds = ("created", "changed", "zeroed", "unchanged", "unknown")
    return {kind: sync.counts[kind] for kind in kinds if sync.counts[kind]}


def row_of(number):
    return InventoryItem.objects.get(lot__item__number=str(number))


def base_of(number):
    return ChannelLot.objects.get(marketplace_lot_id=row_of(number).marketplace_lot_id)


def change(store, user, lot_id, **fields):
    stock_of_store(store, user).change(lot_id, lambda lot: {**lot, **fields})


def store_lot(number, **also):
    """A lot as the store holds it."""
    return {
        "item": {"no": str(number), "type": "PART", "name": "Brick", "category_id": 5},
        "color_id": 5,
        "color_name": "Red",
        "quantity": 10,
        "new_or_used": "U",
        "unit_price": "0.1000",
        "bind_id": 0,
        "description": "",
        "remarks": "A-01",
        "bulk": 1,
        "is_retain": False,
        "is_stock_room": False,
        "date_created": "2026-01-05T12:00:00.000Z",
        "my_cost": "0.0300",
        "sale_rate": 0,
        **{f"tier_quantity{n}": 0 for n in (1, 2, 3)},
        **{f"tier_price{n}": "0.0000" for n in (1, 2, 3)},
        "my_weight": "0.0000",
        **also,
    }


@pytest.fixture
def full(store, connected):
    """A store with three lots that have no rows here."""
    for number in (3001, 3002, 3003):
        part(number)
    lots = [store_lot(number, remarks=f"A-0{number % 10}") for number in (3001, 3002, 3003)]
    stock_of_store(store, connected).add(lots)
    return stock_of_store(store, connected)


@pytest.fixture(scope="class")
def stores(rows_of_class, store_server):
    """ann's store, which the tests of a class begin with: three lots of ten, here and there."""
    kept = KeptStores(store_server)
    with kept.change():
        kept.user = make_user("ann")
        connect_demo_store(owner=kept.user, now=now())
        for number in (3001, 3002, 3003):
            part(number)
        lots = [store_lot(number, remarks=f"A-0{number % 10}") for number in (3001, 3002, 3003)]
        kept.stock(store_server).add(lots)
        pulled(kept.user)
        store_server.calls.clear()
    return kept


ODD = {
    "quantity": ({"quantity": "a few"}, "quantity is “a few”: expected a whole number"),
    "price": ({"unit_price": "1,234"}, "unit_price is “1,234”: expected an amount"),
    "no price": ({"unit_price": None}, "unit_price is missing"),
}


class TestAnUnreadableLot:
    @pytest.mark.parametrize(("fields", "why"), ODD.values(), ids=ODD)
    def test_costs_no_other_and_stays_as_it_is(self, store, connected, full, fields, why):
        pulled(connected)
        row, other = row_of(3001), row_of(3002)
        change(store, connected, row.marketplace_lot_id, **fields)
        change(store, connected, other.marketplace_lot_id, unit_price="0.5000")

        sync = pull(connected)

        assert told(sync) == {"changed": 1, "unchanged": 2}
        assert [why in one["message"] for one in sync.warnings] == [True]
        assert Job.objects.get(pk=sync.job_id).failed[0]["id"] == row.marketplace_lot_id
        apply(sync)
        assert (row_of(3001).quantity, str(row_of(3001).price)) == (10, "0.1000")
        assert str(row_of(3002).price) == "0.5000"
        assert base_of(3001).quantity == 10

    def test_that_is_new_is_not_taken(self, store, connected, full):
        change(store, connected, full.all()[0]["inventory_id"], quantity="a few")

        pulled(connected)

        assert InventoryItem.objects.count() == 2

    def test_keeps_what_is_known_where_a_word_is_not_understood(self, store, connected, full):
        pulled(connected)
        first, second = row_of(3001).marketplace_lot_id, row_of(3002).marketplace_lot_id
        change(store, connected, first, new_or_used="as is", unit_price="0.5000")
        item = {"no": "3002", "type": "GIOCO", "name": "Brick", "category_id": 5}
        change(store, connected, second, item=item, unit_price="0.6000")

        pulled(connected)

        assert (row_of(3001).condition, str(row_of(3001).price)) == ("U", "0.5000")
        assert str(row_of(3002).price) == "0.6000"

    def test_has_no_type_or_condition_that_it_does_not_name(self, store, connected, full):
        lot = {"item": {"no": "x9", "type": "GIOCO", "name": "?", "category_id": 5}}
        full.add([store_lot("x9", **lot, new_or_used="as is")])

        pulled(connected)

        row = InventoryItem.objects.get(raw_item_number="x9")
        assert (row.raw_item_type, row.condition, row.condition_text) == ("", "?", "as is")
        assert row.extra["item_type_name"] == "GIOCO"

    def test_has_the_condition_that_its_owner_gave_the_word(self, store, connected, full):
        pulled(connected)
        WordChoice.objects.create(
            owner=connected, field=WordField.CONDITION, text="as is", condition="U"
        )
        part(3004)
        full.add([store_lot(3004, new_or_used="as is")])

        pulled(connected)

        assert (row_of(3004).condition, row_of(3004).condition_text) == ("U", "")


class TestMoveIn:
    def test_creates_every_lot_with_its_bin_by_one_call(self, store, connected, full):
        sync = pull(connected)

        assert (sync.state, sync.read_from, told(sync)) == ("previewed", "store", {"created": 3})
        assert sync.counts["new_locations"] == 3
        assert not InventoryItem.objects.exists()
        assert calls_of(store, "GET /inventories") == 1

        apply(sync)

        row = row_of(3002)
        assert (row.quantity, str(row.price), str(row.cost)) == (10, "0.1000", "0.0300")
        assert (row.location.name, row.marketplace_lot_id) == (
            "A-02",
            full.all()[1]["inventory_id"],
        )
        assert row.date_added.year == 2026
        assert base_of(3002).quantity == 10
        assert Movement.objects.count() == 3

    def test_shows_that_the_connection_works(self, store, connected, full):
        assert MarketplaceConnection.objects.get().state == "untested"

        pull(connected)

        assert MarketplaceConnection.objects.get().state == "ok"

    @pytest.mark.django_db(transaction=True)
    @pytest.mark.skipif(
        connection.vendor != "postgresql", reason="SQLite lets one write at a time: nobody waits"
    )
    def test_keeps_what_an_order_takes_at_the_same_time(self, store, connected, full):
        pulled(connected)
        row = row_of(3001)
        change(store, connected, row.marketplace_lot_id, unit_price="0.2000")
        InventoryItem.objects.filter(pk=row.pk).update(price="0.2")
        start_apply(sync=pull(connected), confirm_zeroed=None, by=connected)

        pieces = {row.marketplace_lot_id: 2}
        meet(
            first=lambda: sell_received(owner=connected, pieces=pieces, now=now()),
            then=lambda: None,
            other=run_jobs,
        )

        assert base_of(3001).quantity == 8

    def test_finds_nothing_the_second_time(self, store, connected, full):
        pulled(connected)

        sync = pull(connected)

        assert told(sync) == {"unchanged": 3}
        assert sync.counts["lots"] == 3
        assert sync.told["same"] == 3

    def test_is_kept_in_the_currency_of_the_store(self, store, connected, full):
        full.currency = "EUR"
        Preferences.objects.update_or_create(user=connected, defaults={"currency": "USD"})

        sync = pulled(connected)

        assert sync.currency == "EUR"
        assert Preferences.objects.get(user=connected).currency == "EUR"

    def test_keeps_what_the_catalogue_does_not_know(self, store, connected, full):
        full.add([store_lot("no-such-part")])

        assert told(pulled(connected)) == {"created": 3, "unknown": 1}
        assert InventoryItem.objects.get(lot=None).raw_item_number == "no-such-part"

    def test_is_undone_as_an_import_is(self, store, connected, full):
        sync = pulled(connected)

        start_undo(sync=sync, by=connected)
        run_jobs()

        assert not InventoryItem.objects.exists()
        assert not Location.objects.exists()
        assert not ChannelLot.objects.exists()


class TestMerging:
    """What was changed in the store meets what was changed here."""

    @pytest.fixture
    def connected(self, seller):
        return seller

    @pytest.fixture
    def known(self, stores, store, seller):
        return stores.stock(store)

    def test_books_as_sold_what_is_fewer_there(self, store, connected, known):
        known.sell(row_of(3001).marketplace_lot_id, 4)
        known.sell(row_of(3002).marketplace_lot_id, 10)

        sync = pulled(connected, 1)

        assert told(sync) == {"changed": 1, "zeroed": 1, "unchanged": 1}
        assert (row_of(3001).quantity, row_of(3002).quantity) == (6, 0)
        sales = Movement.objects.filter(reason="sale").values_list("delta", flat=True)
        assert sorted(sales) == [-10, -4]
        assert base_of(3001).quantity == 6

    def test_adds_up_what_was_sold_there_and_stowed_here(self, store, connected, known):
        known.sell(row_of(3001).marketplace_lot_id, 4)
        adjust_quantity(owner=connected, item_id=row_of(3001).pk, delta=7, by=connected, now=now())

        pulled(connected)

        assert (row_of(3001).quantity, base_of(3001).quantity) == (13, 6)
        assert told(pull(connected)) == {"unchanged": 3}

    def test_keeps_what_was_only_changed_here(self, store, connected, known):
        row = row_of(3001)
        InventoryItem.objects.filter(pk=row.pk).update(price="0.7500", comments="mine")
        change(store, connected, row.marketplace_lot_id, unit_price="0.1000", bulk=2)

        pulled(connected)

        row = row_of(3001)
        assert (str(row.price), row.comments, row.bulk) == ("0.7500", "mine", 2)

    def test_tells_what_both_sides_changed_and_keeps_ours(self, store, connected, known):
        row = row_of(3001)
        InventoryItem.objects.filter(pk=row.pk).update(price="0.7500")
        change(store, connected, row.marketplace_lot_id, unit_price="0.3000", my_cost="0.0500")

        sync = pull(connected)

        assert sync.counts["warnings"] == 1
        apply(sync)
        row = row_of(3001)
        assert (str(row.price), str(row.cost)) == ("0.7500", "0.0500")
        assert str(base_of(3001).price) == "0.3000"

    def test_carries_a_lot_whose_remarks_were_changed_there(self, store, connected, known):
        change(store, connected, row_of(3001).marketplace_lot_id, remarks="Z-09")

        pulled(connected)

        assert row_of(3001).location.name == "Z-09"

    def test_takes_what_was_sold_from_the_rows_of_a_lot(self, store, connected, known):
        row = row_of(3001)
        elsewhere = Location.objects.get(name="A-02")
        changes = {"location_id": elsewhere.pk}
        split_item(item=row, quantity=4, changes=changes, by=connected, now=now())
        known.sell(row.marketplace_lot_id, 7)

        pulled(connected)

        rows = InventoryItem.objects.filter(marketplace_lot_id=row.marketplace_lot_id)
        held = {item.location.name: item.quantity for item in rows}
        assert held == {"A-01": 0, "A-02": 3}

    def test_leaves_stock_that_is_not_for_sale_yet(self, store, connected, known):
        batch = stowed(connected, 1, first=3009, place="N-01")
        more = make_batch(connected, "More")
        make_item(more, quantity=5, lot=part(3001), location=row_of(3001).location)
        stow_all(more)

        assert told(pull(connected)) == {"unchanged": 3}
        assert items_of(batch)[0].inventory_item.quantity == 3

    def test_does_not_take_back_what_was_listed_after_reading(self, store, connected, known):
        sync = pull(connected)
        batch = stowed(connected, 1, first=3001, quantity=5, place="N-01")
        list_items(batch)

        with pytest.raises(StockChangedSince):
            start_apply(sync=sync, confirm_zeroed=None, by=connected)

    def test_tells_pieces_that_were_sold_but_are_not_here(self, store, connected, known):
        adjust_quantity(owner=connected, item_id=row_of(3001).pk, delta=-8, by=connected, now=now())
        known.sell(row_of(3001).marketplace_lot_id, 5)

        sync = pull(connected)

        assert sync.counts["warnings"] == 1
        apply(sync)
        assert row_of(3001).quantity == 0

    def test_takes_on_a_lot_id_that_belongs_to_another_item_now(self, store, connected, known):
        lot_id = row_of(3001).marketplace_lot_id
        change(store, connected, lot_id, item=store_lot(3002)["item"], color_id=5)

        pulled(connected)

        assert InventoryItem.objects.get(marketplace_lot_id=lot_id).lot == part(3002)


class TestTheDemoStore:
    def test_has_sample_lots_for_an_empty_account(self, store, ann):
        sync = pull(ann)

        assert (sync.state, sync.counts["lots"], sync.counts["new_locations"]) == (
            "previewed",
            120,
            40,
        )

    def test_has_none_for_who_has_stock(self, store, connected):
        stowed(connected)

        assert "reads as empty" in pull(connected).job.message


class TestDanger:
    def test_takes_a_closed_store_for_no_loss(self, store, connected, full):
        pulled(connected)
        full.is_closed = True

        sync = pull(connected)

        assert sync.job.state == JobState.FAILED
        assert "reads as empty" in sync.job.message
        assert sum(InventoryItem.objects.values_list("quantity", flat=True)) == 30

    def test_suspects_another_store_and_wants_its_count_typed(self, store, connected, full):
        pulled(connected)
        for lot in full.all():
            full.delete(lot["inventory_id"])
        full.add([store_lot(3009), store_lot(3002, remarks="B-7")])

        sync = pull(connected)

        assert sync.counts["to_confirm"] == 3
        assert "looks like another store" in sync.warnings[0]["message"]
        with pytest.raises(ConfirmAnotherStore):
            start_apply(sync=sync, confirm_zeroed=None, by=connected)
        apply(sync, 3)
        assert sum(InventoryItem.objects.values_list("quantity", flat=True)) == 20
        start_undo(sync=sync, by=connected)
        run_jobs()
        assert sum(InventoryItem.objects.values_list("quantity", flat=True)) == 30
        assert check_ledger(owner=connected).is_sound

    @pytest.mark.parametrize("mode", ["half", "half_unsaid", "cut_before"])
    def test_waits_where_the_answer_breaks_off(self, mode, store, connected, full, no_pauses):
        failing(store, mode, times=9, path="/inventories")
        sync = start_pull(owner=connected, by=connected, now=now())

        run_job(sync.job_id)

        job = Job.objects.get(pk=sync.job_id)
        assert (job.state, job.not_before is not None) == (JobState.QUEUED, True)
        assert not InventoryItem.objects.exists()
        store.failures.clear()
        Job.objects.update(not_before=None)
        run_jobs()
        assert told(InventorySync.objects.get()) == {"created": 3}

    def test_refuses_a_second_one_beside_it(self, store, connected, full):
        start_pull(owner=connected, by=connected, now=now())

        with pytest.raises(SyncRunning):
            start_pull(owner=connected, by=connected, now=now())

    def test_reads_once_though_it_is_delivered_twice(self, store, connected, full):
        sync = pull(connected)
        Job.objects.update(state=JobState.QUEUED, token=None, lease_until=None, finished_at=None)
        InventorySync.objects.update(state="previewing")

        run_job(sync.job_id)

        sync.refresh_from_db()
        assert (sync.state, told(sync)) == ("previewed", {"created": 3})
        assert calls_of(store, "GET /inventories") == 1

    def test_removes_what_a_worker_read_and_was_killed_before_it_was_named(
        self, store, connected, full, monkeypatch
    ):
        sync = start_pull(owner=connected, by=connected, now=now())
        real = default_storage.save

        def save_and_die(name, content):
            real(name, content)
            raise SystemExit

        monkeypatch.setattr(default_storage, "save", save_and_die)
        with pytest.raises(SystemExit):
            run_job(sync.job_id)
        monkeypatch.undo()
        [left] = default_storage.listdir("bsx_syncs")[1]
        Job.objects.update(lease_until=now().replace(year=2020))

        run_job(sync.job_id)

        [kept] = default_storage.listdir("bsx_syncs")[1]
        assert kept != left


class TestApi:
    def test_begins_an_import_that_the_same_pages_show(self, api, store, connected, full):
        client = api(connected)

        answer = client.post("/api/marketplace/pulls", {}, format="json")

        assert answer.status_code == 202
        row = answer.json()["data"][0]
        run_jobs()
        shown = client.get(f"/api/inventorySyncs/{row['id']}").json()["data"][0]
        assert (shown["read_from"], shown["job_id"]) == ("store", row["job_id"])
        assert shown["counts"]["created"] == 3
        lots = client.get(f"/api/inventorySyncs/{row['id']}/rows?kind=created").json()["data"]
        assert [lot["item_number"] for lot in lots] == ["3001", "3002", "3003"]
