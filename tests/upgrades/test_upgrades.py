"""A database of version 0.2.0 with a used store is migrated in place.

The dumps are of that version's migrations, starter catalogue and demo store, with what people
leave: acts to undo, an imported file and one that waits, exports, listings in every state, a begun
walk, deleted and split rows.
"""

import gzip
import hashlib
import json
import re
import sqlite3
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any, Final

import pytest
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import F

from apps.accounts.models import User
from apps.batches.models import BatchItem
from apps.catalog.models import PriceStat
from apps.inventory.models import ChannelLot, InventoryItem
from apps.lots.models import ActChunk, KeptAct
from apps.marketplace.models import CallDay, MarketplaceConnection
from tests.upgrades.schema import columns_of, rows_of, schema_of

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.long("the first of them migrates a used store of version 0.2.0"),
    pytest.mark.postgres,
]
HERE = Path(__file__).parent


def dump_of(vendor: str) -> str:
    return gzip.decompress((HERE / f"0.2.0.{vendor}.sql.gz").read_bytes()).decode()


def load(dump: str, path: str) -> None:
    if connection.vendor == "sqlite":
        sqlite3.connect(path).executescript(f"BEGIN; {dump} COMMIT;")
        return
    with connection.cursor() as cursor:
        cursor.execute(dump)
    connection.close()  # the dump has set how its connection works


#: One person had prices of many lots got; another tested a connection, which tells no price.
CALLS: Final = """
    INSERT INTO marketplace_callday
        (created_at, updated_at, day, total, stock, note, price, lookup, guide, owner_id)
    SELECT created_at, created_at, '2026-11-28', 3, 0, 0, 0, 3 - guide, guide, id
    FROM (SELECT id, created_at, CASE WHEN is_demo THEN 2 ELSE 0 END AS guide FROM accounts_user) p
"""
#: The demo's owner has a price rule of each field that there was.
RULE: Final = """
    INSERT INTO catalog_pricesetting
        (user_id, basis, region, percent, rounding, minimum, without_data, low_value, high_value,
        updated_at)
    SELECT id, 'lowest', 'us', -5, 0.05, 0, 'mark', 0.03, 2, created_at
    FROM accounts_user WHERE is_demo
"""


#: One sells at BrickLink and has the lots of its files, another sells at Brick Owl.
LOTS: Final = """
    INSERT INTO inventory_receivedlot
        (created_at, updated_at, received_at, marketplace_lot_id, quantity, price, cost, condition,
        sub_condition, bulk, sale, comments, remarks, retain, stockroom, tq1, tp1, tq2, tp2, tq3,
        tp3, owner_id)
    SELECT created_at, created_at, created_at,
        CASE WHEN is_demo THEN 900000007 ELSE 1000000000007 END,
        3, 0.1, 0, 'N', '', 1, 0, '', '', FALSE, '', 0, 0, 0, 0, 0, 0, id
    FROM accounts_user
"""
CONNECTION: Final = """
    INSERT INTO marketplace_marketplaceconnection
        (created_at, updated_at, connected_at, sealed, is_demo, state, problem, outgoing_address,
        guide_share, marketplace, owner_id)
    SELECT created_at, created_at, created_at, 'sealed', TRUE, 'ok', '', '', 80, 'brickowl', id
    FROM accounts_user WHERE NOT is_demo
"""

#: Tables of 0.2.0 that have another name.
RENAMED: Final = {
    "inventory_stockact": "lots_keptact",
    "inventory_actchunk": "lots_actchunk",
    "inventory_receivedlot": "inventory_channellot",
}


def delete_items(cursor: Any) -> None:
    """Delete two new items as 0.2.0 did: all of their columns are in the act that it kept."""
    cursor.execute("SELECT * FROM batches_batchitem WHERE NOT is_stowed ORDER BY id LIMIT 2")
    names = [column[0] for column in cursor.description]
    images = [
        {
            name: value if value is None or isinstance(value, (bool, int)) else str(value)
            for name, value in zip(names, row, strict=True)
        }
        for row in cursor.fetchall()
    ]
    rows = json.dumps([{"id": one["id"], "before": one, "after": None} for one in images])
    first = images[0]
    cursor.execute(
        "INSERT INTO batches_batchact (created_at, updated_at, kind, note, item_count, rows,"
        " batches, batch_id, by_id, owner_id)"
        " VALUES (%s, %s, 'remove', '2 lots removed', 2, %s, '[]', %s, %s, %s)",
        [
            *(first["created_at"], first["updated_at"], rows),
            *(first["batch_id"], first["owner_id"], first["owner_id"]),
        ],
    )
    cursor.execute(
        "DELETE FROM batches_batchitem WHERE id IN (%s, %s)", [one["id"] for one in images]
    )


@pytest.fixture(scope="module")
def upgraded(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, Any]]:
    """The connection leads to the upgraded database. Yields what it is compared with."""
    usual = connection.settings_dict["NAME"]
    is_sqlite = connection.vendor == "sqlite"
    own = str(tmp_path_factory.mktemp("old") / "old.sqlite3") if is_sqlite else f"{usual}_old"
    with django_db_blocker.unblock():
        expected = {"schema": schema_of(connection)}
        connection.close()
        if not is_sqlite:
            with connection._nodb_cursor() as cursor:
                cursor.execute(f'DROP DATABASE IF EXISTS "{own}"')  # of a run that was killed
                cursor.execute(f'CREATE DATABASE "{own}" TEMPLATE template0')
        connection.settings_dict["NAME"] = own
        ContentType.objects.clear_cache()
        try:
            load(dump_of(connection.vendor), own)
            with connection.cursor() as cursor:
                cursor.execute(CALLS)
                for statement in (RULE, LOTS, CONNECTION):
                    cursor.execute(statement)
            expected["columns"] = columns_of(connection)
            # Where a store is says its channel.
            expected["columns"]["marketplace_marketplaceconnection"].remove("marketplace")
            # What a sync has seen of a store is kept by channel.
            expected["columns"]["listings_storesync"].remove("seen")
            expected["rows"] = rows_of(connection, expected["columns"])
            with connection.cursor() as cursor:
                delete_items(cursor)
            # It was upgraded before, to a version between.
            for target in (["inventory", "0034_each_lot_has_its_channel"], []):
                call_command("migrate", *target, interactive=False, verbosity=0, skip_checks=False)
            yield expected
        finally:
            connection.close()
            connection.settings_dict["NAME"] = usual
            ContentType.objects.clear_cache()
            if not is_sqlite:
                with connection._nodb_cursor() as cursor:
                    cursor.execute(f'DROP DATABASE "{own}"')


@pytest.fixture
def seller(upgraded: Any) -> User:
    return User.objects.get(is_demo=True)


#: They hold rows of new models too.
_OF_MODELS: Final = ("auth_group_permissions", "auth_permission", "django_content_type")


@pytest.mark.any_database
def test_goes_on_wherever_it_was_stopped(monkeypatch):
    applied = dict.fromkeys(
        re.findall(r"INTO \"django_migrations\" .*VALUES \(\d+,'(\w+)','(\w+)'", dump_of("sqlite"))
    )
    monkeypatch.setattr(MigrationRecorder, "applied_migrations", lambda _: dict(applied))

    def plan():
        executor = MigrationExecutor(connection)
        executor.loader.check_consistent_history(connection)
        return [one for one, _ in executor.migration_plan(executor.loader.graph.leaf_nodes())]

    left = plan()
    assert len(left) > 60
    while left:
        done = left.pop(0)
        applied |= dict.fromkeys(done.replaces or [(done.app_label, done.name)])

        assert plan() == left, done


class TestAnUpgradedDatabase:
    def test_has_no_migration_left_to_apply(self, upgraded):
        executor = MigrationExecutor(connection)

        assert executor.migration_plan(executor.loader.graph.leaf_nodes()) == []

    def test_has_the_schema_of_a_new_one(self, upgraded):
        assert schema_of(connection) == upgraded["schema"]

    def test_keeps_every_row(self, upgraded):
        columns = dict(upgraded["columns"])
        del columns["batches_batchact"]
        after = rows_of(
            connection, {RENAMED.get(table, table): names for table, names in columns.items()}
        )
        before = {RENAMED.get(table, table): upgraded["rows"][table] for table in columns}
        types = before["django_content_type"]
        before["django_content_type"] = [
            row.replace("'receivedlot'", "'channellot'") for row in types
        ]
        for table in (*_OF_MODELS, *RENAMED.values()):
            assert set(before.pop(table)) <= set(after.pop(table))

        def digests(rows):
            return {
                table: (len(some), hashlib.sha256("".join(some).encode()).hexdigest())
                for table, some in rows.items()
            }

        assert digests(after) == digests(before)
        assert len(after["inventory_inventoryitem"]) == 258
        assert len(after["catalog_lot"]) == 14_292

    def test_ties_lots_calls_and_connections_to_channels(self, seller):
        other = User.objects.exclude(pk=seller.pk).get()
        lots = ChannelLot.objects.values_list("marketplace_lot_id", "channel__marketplace")
        assert not ChannelLot.objects.exclude(remote_lot_id=F("marketplace_lot_id")).exists()

        assert set(lots.filter(marketplace_lot_id__in=[900000007, 10**12 + 7])) == {
            (900000007, "bricklink"),
            (10**12 + 7, "brickowl"),
        }
        calls = CallDay.objects.values_list("owner", "channel__owner", "channel__marketplace")
        assert set(calls) == {
            (seller.pk, seller.pk, "bricklink"),
            (other.pk, other.pk, "brickowl"),
        }
        assert MarketplaceConnection.objects.get(owner=other).marketplace == "brickowl"

    def test_gives_the_figures_to_who_asked_for_them(self, seller):
        owners = PriceStat.objects.order_by().values_list("owner", flat=True).distinct()

        assert list(owners) == [seller.pk]

    def test_prices_by_the_rule_that_there_was(self, api, seller):
        (rule,) = api(seller).get("/api/priceRule").json()["data"]

        del rule["updatedAt"]
        assert rule == {
            "basis": "lowest",
            "nth": 1,
            "fallback": "",
            "region": "us",
            "percent": "-5.00",
            "rounding": "0.0500",
            "ending": "0.0000",
            "minimum": "0.0000",
            "maximum": None,
            "max_step": None,
            "without_data": "mark",
            "is_nightly": False,
            "low_value": "0.0300",
            "high_value": "2.0000",
        }
        assert not InventoryItem.objects.filter(price_locked=True).exists()

    def test_has_a_ledger_without_errors(self, upgraded):
        call_command("check_ledger", stdout=StringIO())

    @pytest.mark.parametrize(
        ("path", "count"),
        [
            ("inventoryItems", 255),
            ("inventoryActs", 4),
            ("inventorySyncs", 1),
            ("inventoryLocations", 78),
            ("batches", 5),
            ("batchItems", 294),
            ("orders", 3),
            ("pickWalks", 1),
            ("exports", 2),
            ("marketplace/listings", 4),
            ("userSets", 5),
        ],
    )
    def test_shows_its_owner_the_lists(self, api, seller, path, count):
        response = api(seller).get(f"/api/{path}", {"page_size": 1})

        assert response.status_code == 200
        assert response.json()["meta"]["pagination"]["total_items"] == count

    def test_shows_its_owner_the_home_page(self, api, seller):
        assert api(seller).get("/api/home").status_code == 200

    def test_finds_items_of_the_catalogue(self, api, seller):
        response = api(seller).get("/api/catalogItems", {"search": "brick 2 x 4"})

        assert response.json()["data"][0]["item_number"] == "3001"

    def test_takes_an_act_back_that_was_kept(self, api, seller):
        kept = KeptAct.objects.get(owner=seller, kind="reprice", undone_at=None)
        (chunk,) = ActChunk.objects.filter(act=kept)
        before = {row["id"]: row["before"]["price"] for row in chunk.rows}

        response = api(seller).post(f"/api/inventoryActs/{kept.pk}/undo")

        assert response.status_code == 200, response.json()
        prices = InventoryItem.objects.filter(pk__in=before).values_list("pk", "price")
        assert {pk: str(price) for pk, price in prices} == before

    def test_takes_an_act_of_a_batch_back_by_the_id_that_it_had(self, api, seller):
        kept = KeptAct.objects.get(owner=seller, former_id=7)
        (chunk,) = ActChunk.objects.filter(act=kept)
        path = f"/api/batches/{kept.batch_id}"

        response = api(seller).post(f"{path}/undo", {"act_id": 7}, format="json")

        assert (response.status_code, kept.kind) == (200, "markListed"), response.json()
        items = BatchItem.objects.filter(pk__in=[row["id"] for row in chunk.rows])
        assert set(items.values_list("is_listed")) == {(False,)}

    @pytest.mark.parametrize("alone", [False, True])
    def test_brings_deleted_items_back(self, api, seller, alone):
        kept = KeptAct.objects.get(owner=seller, batch__isnull=False, kind="remove")
        ids = [row["id"] for row in ActChunk.objects.get(act=kept).rows]
        client = api(seller)

        if alone:
            client.post("/api/batchItems/bulk", {"restore": ids[:1]}, format="json")
        undone = client.post(
            f"/api/batches/{kept.batch_id}/undo", {"act_id": kept.former_id}, format="json"
        )

        assert undone.status_code == 200, undone.json()
        assert BatchItem.objects.filter(pk__in=ids).count() == 2

    def test_numbers_new_acts_after_those_that_were_kept(self, seller):
        last = KeptAct.objects.latest("pk").pk

        assert KeptAct.objects.create(owner=seller, kind="move").pk > last
