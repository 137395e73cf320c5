"""Lists of many rows find them by index, whatever is filtered and sorted, on both databases.

`benchmarks/list_plans.py` asks the same with 100,000 rows of one user and 1,000,000 of others,
and each filter with each ordering in both directions.
"""

import pytest
from django.db import connection

from apps.accounts.models import User
from apps.core.testing.plans import EXPLAIN, full_scans
from benchmarks._many_rows import fill_users
from tests.list_plans import LISTS, TABLES, scans_behind, ways_to_ask

pytestmark = pytest.mark.django_db
MINE = 300
# PostgreSQL plans by how many rows there are; SQLite without statistics does not.
OTHERS = 30_000 if connection.vendor == "postgresql" else 2_000


@pytest.fixture(scope="module")
def owner(rows_of_module: None) -> User:
    return fill_users(MINE, OTHERS, lots=MINE)


def steps_of(statement: str) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(f"{EXPLAIN[connection.vendor]} {statement}")
        return full_scans(statement, cursor.fetchall(), TABLES)


@pytest.mark.long("asks every filter of every list, among many rows")
class TestListsOfManyRows:
    def test_read_no_table_from_end_to_end(self, api, owner):
        client = api(owner)
        if connection.vendor == "postgresql":
            # So few rows it would rather read whole, index or not; the benchmark has many.
            with connection.cursor() as cursor:
                cursor.execute("SET LOCAL enable_seqscan = off")
        asked = list(ways_to_ask(by_turns=True))
        found = {
            str(one): scans for one in asked if (scans := scans_behind(client, one, read=True))
        }

        assert found == {}
        assert len({one.path for one in asked}) == len(LISTS)


@pytest.mark.usefixtures("owner")
class TestFullScans:
    """What the test above must catch."""

    @pytest.mark.parametrize(
        "statement",
        [
            "SELECT COUNT(*) FROM \"inventory_inventoryitem\" WHERE comments LIKE '%x%'",
            "SELECT U0.id FROM \"inventory_inventoryitem\" U0 WHERE U0.comments = 'x'",
        ],
    )
    def test_names_a_table_that_is_read_whole(self, statement):
        assert steps_of(statement) != []

    def test_lets_a_search_by_owner_pass(self):
        statement = 'SELECT id FROM "inventory_inventoryitem" WHERE owner_id = 1 ORDER BY price'
        assert steps_of(statement) == []
