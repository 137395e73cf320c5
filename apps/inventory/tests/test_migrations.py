"""Migrations of the stock that rewrite what is there, on a database with rows in it."""

import zlib
from decimal import Decimal as D

import orjson
import pytest
from django.db import IntegrityError, connection, transaction

from apps.accounts.models import User

WITH_ZERO = [
    ("inventory", "0008_tell_that_rows_were_repriced"),
    ("batches", "0009_name_what_was_done"),
    ("marketplace", "0004_name_many_in_english"),
]
WITH_NULL = [
    ("inventory", "0009_no_price_is_null"),
    ("batches", "0010_no_price_is_null"),
    ("marketplace", "0005_no_price_is_null"),
]


def pack(value):
    return zlib.compress(orjson.dumps(value))


def unpack(blob):
    return orjson.loads(zlib.decompress(bytes(blob)))


def values(price):
    return ["P", "3001", "", 5, "", None, "", "U", "", price, "0.0000", 1]


def entry(price, changes=None):
    return ["changed", 0, 1, None, None, "", "", 3, values(price), None, 1, changes]


def marks(owner):
    with connection.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM inventory_stocktouched WHERE holder_id = %s", [owner])
        return cursor.fetchone()[0]


@pytest.mark.long
class TestNoPriceIsNull:
    def test_turns_zero_into_none_wherever_it_was_none_and_back(self, migrate):
        get = migrate(WITH_ZERO).get_model
        ann = User.objects.create(email_address="ann@example.org")
        item = get("inventory", "InventoryItem").objects
        free = item.create(owner_id=ann.pk, raw_item_number="1", quantity=3, price=0)
        sold = item.create(owner_id=ann.pk, raw_item_number="2", quantity=3, price=D("0.25"))
        batch = get("batches", "Batch").objects.create(owner_id=ann.pk, name="Lot")
        waiting = get("batches", "BatchItem").objects.create(
            owner_id=ann.pk, batch_id=batch.pk, raw_item_number="1", quantity=1, price=0
        )
        rows = [{"id": free.pk, "before": {"price": "0.0000"}, "after": {"price": "0.2500"}}]
        act = get("inventory", "StockAct").objects.create(owner_id=ann.pk, kind="reprice")
        kept = get("inventory", "ActChunk").objects.create(act_id=act.pk, number=0, rows=rows)
        done = get("batches", "BatchAct").objects.create(
            owner_id=ann.pk,
            batch_id=batch.pk,
            kind="reprice",
            rows=[{"id": waiting.pk, "before": {"price": "0"}, "after": {"price": "0.1"}}],
        )
        sync = get("inventory", "InventorySync").objects.create(owner_id=ann.pk, file_name="a.bsx")
        chunk = get("inventory", "SyncChunk").objects.create(
            sync_id=sync.pk,
            number=0,
            plan=pack([[entry("0.0000", {"price": ["0.2500", "0.0000"]})], []]),
            before=pack([[], [[sold.pk, 3, None, None, None, values("0.0000")]]]),
        )

        after = migrate(WITH_NULL).get_model

        item = after("inventory", "InventoryItem").objects
        assert item.get(pk=free.pk).price is None
        assert item.get(pk=sold.pk).price == D("0.25")
        assert after("batches", "BatchItem").objects.get(pk=waiting.pk).price is None
        (row,) = after("inventory", "ActChunk").objects.get(pk=kept.pk).rows
        assert (row["before"]["price"], row["after"]["price"]) == (None, "0.2500")
        (row,) = after("batches", "BatchAct").objects.get(pk=done.pk).rows
        assert (row["before"]["price"], row["after"]["price"]) == (None, "0.1")
        chunk = after("inventory", "SyncChunk").objects.get(pk=chunk.pk)
        ((planned,), _) = unpack(chunk.plan)
        assert (planned[8], planned[11]) == (values(None), {"price": ["0.2500", None]})
        assert unpack(chunk.before)[1][0][5] == values(None)

        # The triggers still see each write.
        after("inventory", "StockTouched").objects.all().delete()
        item.filter(pk=sold.pk).update(price=D("0.3"))
        item.create(owner_id=ann.pk, raw_item_number="3", quantity=1)
        assert marks(ann.pk)

        again = migrate(WITH_ZERO).get_model

        item = again("inventory", "InventoryItem").objects
        assert item.get(pk=free.pk).price == 0
        assert again("batches", "BatchItem").objects.get(pk=waiting.pk).price == 0
        again("inventory", "StockTouched").objects.all().delete()
        item.filter(pk=sold.pk).update(price=D("0.4"))
        assert marks(ann.pk)


UNKEPT = [("inventory", "0011_index_pieces_without_a_weight")]
KEPT = [("inventory", "0012_the_database_keeps_the_ledger")]


class TestTheDatabaseKeepsTheLedger:
    def test_from_the_migration_on_and_no_more_when_it_is_taken_back(self, migrate):
        get = migrate(UNKEPT).get_model
        ann = User.objects.create(email_address="ann@example.org")
        item = get("inventory", "InventoryItem").objects.create(owner_id=ann.pk, quantity=3)
        made = {"item_id": item.pk, "delta": 3, "reason": "edit", "created_at": ann.created_at}
        get("inventory", "Movement").objects.create(**made)

        movements = migrate(KEPT).get_model("inventory", "Movement").objects

        for change in (lambda: movements.update(delta=4), movements.all().delete):
            with pytest.raises(IntegrityError, match="never changed"), transaction.atomic():
                change()
        movements.create(**made)

        movements = migrate(UNKEPT).get_model("inventory", "Movement").objects

        assert movements.update(delta=4) == 2
        assert movements.all().delete()[0] == 2


MIXED = [
    ("inventory", "0022_keep_amounts_of_other_tables_with_an_act"),
    ("orders", "0003_refunded"),
]
APART = [("inventory", "0023_promise_counted_and_uncounted_pieces"), ("orders", "0003_refunded")]


@pytest.mark.long
class TestCountedAndUncountedPieces:
    def test_sets_what_rows_promise_to_the_sum_of_their_counted_promises(self, migrate):
        get = migrate(MIXED).get_model
        ann = User.objects.create(email_address="ann@example.org")
        rows = get("inventory", "InventoryItem").objects
        promises = get("inventory", "Promise").objects
        counted, uncounted, sound, bare = (
            rows.create(owner_id=ann.pk, raw_item_number=str(number), quantity=9, promised=pieces)
            for number, pieces in enumerate((2, 3, 4, 0))
        )
        for item, pieces, is_out in ((counted, 3, False), (uncounted, 5, True), (sound, 4, False)):
            promises.create(
                owner_id=ann.pk, line_id=1, item_id=item.pk, quantity=pieces, is_out=is_out
            )

        get = migrate(APART).get_model

        rows = get("inventory", "InventoryItem").objects
        promised = [rows.get(pk=each.pk).promised for each in (counted, uncounted, sound, bare)]
        assert promised == [3, 0, 4, 0]
        promises = get("inventory", "Promise").objects
        promises.create(owner_id=ann.pk, line_id=1, item_id=counted.pk, quantity=1, is_out=True)
        with pytest.raises(IntegrityError), transaction.atomic():
            promises.create(owner_id=ann.pk, line_id=1, item_id=counted.pk, quantity=1)
