"""The write lock of SQLite, waited for beside a real second connection."""

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

import pytest
from django.db import OperationalError, connection, transaction

from apps.core.jobs.long_job import CHUNKS_IN_LOG, ON_SQLITE, long_job
from apps.core.jobs.models import Job
from apps.core.jobs.run import progressed
from apps.core.sqlite3 import base

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif("connection.vendor != 'sqlite'", reason="the lock of a file"),
]


@pytest.fixture
def other():
    """Yield a connection that has the write lock."""
    name = connection.settings_dict["NAME"]
    made = sqlite3.connect(name, isolation_level=None, check_same_thread=False)
    made.execute("BEGIN IMMEDIATE")
    yield made
    made.close()


def pragma(name):
    with connection.cursor() as cursor:
        return cursor.execute(f"PRAGMA {name}").fetchone()[0]


class TestTheWriteLock:
    def test_is_asked_for_every_half_millisecond_until_it_is_free(self, other, monkeypatch):
        pauses = []

        def sleep(seconds):
            pauses.append(seconds)
            if len(pauses) == 3:
                other.execute("ROLLBACK")

        monkeypatch.setattr(base.time, "sleep", sleep)

        with transaction.atomic():
            pass

        assert pauses == [0.0005] * 3

    def test_is_refused_in_words_after_the_timeout(self, other, monkeypatch):
        monkeypatch.setitem(connection.settings_dict["OPTIONS"], "timeout", 0.01)

        with pytest.raises(OperationalError, match="locked"), transaction.atomic():
            pass

    def test_is_waited_for_by_a_single_statement_too(self, other, monkeypatch):
        monkeypatch.setattr(base.time, "sleep", lambda _: other.execute("ROLLBACK"))

        assert Job.objects.update(message="") == 0

    def test_is_not_waited_for_while_sqlite_holds_the_connection(self):
        assert pragma("busy_timeout") == 0

    def test_a_statement_that_waits_lets_another_thread_close_its_cursors(self, other):
        """As garbage collection does, in a thread that may have the lock."""
        connection.ensure_connection()
        left = connection.connection.cursor().execute("SELECT 1")
        left.fetchall()
        closed = threading.Event()

        def close():
            left.close()
            closed.set()
            other.execute("ROLLBACK")

        closing = threading.Thread(target=close)

        def begin(_):
            if not closing.ident:
                closing.start()
            closed.wait(5)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(base.time, "sleep", begin)
            Job.objects.update(message="")
        closing.join()

        assert closed.is_set()


class TestALongJob:
    def test_leaves_the_settings_of_the_connection_as_they_were(self):
        before = {name: pragma(name) for name in ON_SQLITE}

        with long_job():
            assert {name: pragma(name) for name in ON_SQLITE} == ON_SQLITE

        assert {name: pragma(name) for name in ON_SQLITE} == before

    def test_moves_its_log_to_the_database_so_that_it_begins_anew(self, monkeypatch):
        log, chunk = Path(f"{connection.settings_dict['NAME']}-wal"), 400_000

        def write():
            with connection.cursor() as cursor:
                cursor.execute(f"INSERT INTO logged VALUES (zeroblob({chunk}))")

        class WhileTheJobWrites(ThreadPoolExecutor):
            def submit(self, *args):
                with transaction.atomic():
                    write()
                    moving = super().submit(*args)
                    wait([moving])
                return moving

        monkeypatch.setattr("apps.core.jobs.long_job.ThreadPoolExecutor", WhileTheJobWrites)
        with connection.cursor() as cursor:
            cursor.execute("CREATE TABLE logged (content)")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            with long_job():
                for _ in range(4 * CHUNKS_IN_LOG):
                    write()
                    progressed.send(sender=None, run=None)
            written = log.stat().st_size
            cursor.execute("DROP TABLE logged")

        assert chunk * CHUNKS_IN_LOG < written < chunk * (CHUNKS_IN_LOG + 4)


class TestWhatIsDeleted:
    def test_is_overwritten_in_the_file(self):
        secret = "eve-987654321@example.org"
        kept = Job.objects.create(kind="x", payload={"email_address": secret})
        pragma("wal_checkpoint(TRUNCATE)")
        file = Path(connection.settings_dict["NAME"])
        assert secret.encode() in file.read_bytes()

        kept.delete()
        pragma("wal_checkpoint(TRUNCATE)")

        assert secret.encode() not in file.read_bytes()
