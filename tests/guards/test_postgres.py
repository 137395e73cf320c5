"""No door of `tests/postgres.py` is missed, and a test that touches one is run on PostgreSQL."""

from types import SimpleNamespace

import pytest

from apps.core import bulk
from apps.core.clock import now
from apps.core.testing import threads
from apps.core.throttling import count_use
from apps.sources.services import create_source, delete_source
from tests.postgres import Door, EveryDoor, doors, modules_with_doors, never_opened, touches_a_door

STATEMENT = "with connection.cursor() as cursor:\n        cursor.execute('SELECT 1')"


def a_test(source: str, *, fixtures: tuple[str, ...] = (), **known: object) -> SimpleNamespace:
    """Return the function `test_it` of this source, as pytest would ask about it."""
    names = {"__name__": "planted", **known}
    exec(source, names)
    return SimpleNamespace(
        function=names["test_it"], fixturenames=fixtures, get_closest_marker=lambda _: None
    )


class TestDoors:
    def test_are_found_in_the_code(self):
        assert {
            Door("vendor", "apps.core.bulk.insert_rows"),
            Door("statement", "apps.core.throttling._count"),
            Door("lock", "apps.locations.services.rooms.locked"),
            Door("constraint", "apps.marketplace.services.calls.spend_call"),
        } <= doors()
        assert len(doors()) > 100

    def test_fail_a_run_that_never_opened_them(self, planted):
        bodies = {
            "statement": STATEMENT,
            "vendor": "return connection.vendor == 'sqlite'",
            "lock": "return lock_in_order(rows)",
            "constraint": (
                "try:\n        pass\n    except (IntegrityError, ValueError):\n        pass"
            ),
        }
        functions = [f"def {kind}():\n    {body}" for kind, body in bodies.items()]
        tree = planted({"apps/sources/planted_door.py": "\n".join(functions)})

        said = never_opened(doors(), tree)

        assert sorted(said) == sorted(
            f"apps.sources.planted_door.{kind}: no test marked `postgres` reaches its {kind}"
            for kind in bodies
        )


class TestATestOfADoor:
    @pytest.mark.parametrize(
        "source",
        [
            "def test_it(): insert_rows(1)",
            "def test_it(): bulk.insert_rows(1)",
            "def make(): return [insert_rows(one) for one in (1, 2)]\ndef test_it(): make()",
            "def test_it(): threads.at_once(make, threads=2)",
            "def test_it(): connection.vendor",
            "def test_it():\n    with pytest.raises(IntegrityError): make()",
        ],
    )
    def test_is_marked_without_being_told(self, source):
        known = {"bulk": bulk, "insert_rows": bulk.insert_rows, "threads": threads}

        assert touches_a_door(a_test(source, **known))

    @pytest.mark.parametrize("fixture", ["migrate", "transactional_db"])
    def test_is_marked_when_it_migrates_or_commits(self, fixture):
        assert touches_a_door(a_test("def test_it(): pass", fixtures=(fixture,)))

    def test_is_none_when_it_only_asks_the_api(self):
        source = "def test_it(): client.get('/api/batches')"

        assert not touches_a_door(a_test(source, bulk=bulk))

    def test_is_found_by_the_module_that_it_calls(self):
        assert {"apps.core.bulk", "apps.core.concurrency"} <= modules_with_doors()


class TestARun:
    @pytest.fixture
    def run(self):
        """`run(act)` has the exit status and the lines of a run in which this was done."""

        def run(act) -> tuple[int, list[str]]:
            plugin, said = EveryDoor(SimpleNamespace()), []
            session = SimpleNamespace(exitstatus=0)
            plugin.pytest_collection_finish()
            try:
                act()
            finally:
                plugin.pytest_sessionfinish(session)
            plugin.pytest_terminal_summary(SimpleNamespace(write_line=said.append))
            return session.exitstatus, said

        return run

    @pytest.mark.django_db
    def test_fails_and_tells_what_stayed_shut(self, run):
        status, said = run(lambda: count_use(key="a stranger", seconds=60, now=now()))

        told = [line.split()[1] for line in said]
        assert status == 1
        assert "apps.core.throttling._count:" not in told
        assert "apps.core.bulk.insert_rows:" in told

    @pytest.mark.django_db
    def test_sees_who_waits_for_a_lock(self, run, ann):
        source = create_source(owner=ann, fields={"name": "A"})

        _, said = run(lambda: delete_source(source=source))

        told = [line.split()[1] for line in said if "its lock" in line]
        assert "apps.sources.services.delete_source:" not in told
        assert "apps.sources.services.merge_source:" in told
