"""Fixtures of every test: the cast, the API client, the shared sample data."""

import fcntl
import gzip
import hashlib
import itertools
import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from hypothesis.internal.charmap import charmap_file

from tests.cpu import CpuSeconds
from tests.postgres import EveryDoor, touches_a_door

os.environ.setdefault("LOG_LEVEL", "WARNING")

# One process runs thousands of tests: sockets and files wait in it for a collection of garbage.
_, _most_files = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (_most_files, _most_files))

ROOT = Path(__file__).resolve().parent
SHARED = Path(os.environ.get("SHARED_DATA", ROOT.parent / "shared"))
# How long a machine takes says nothing about what a test is for. CI draws the same cases each time.
hypothesis_settings.register_profile(
    "brickstow",
    deadline=None,
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
)
hypothesis_settings.load_profile("brickstow")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--every-door",
        action="store_true",
        help="fail where a door of tests/postgres.py stays shut",
    )


def know_utf_8(file: Path) -> None:
    """Write the characters of UTF-8 where Hypothesis keeps them.

    It would try all of them one by one, which takes 20 seconds of CPU in a clean clone.
    """
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        part = file.with_suffix(f".{os.getpid()}")
        before_surrogates, behind_them = [0, 0xD7FF], [0xE000, sys.maxunicode]
        part.write_bytes(gzip.compress(json.dumps([[before_surrogates, behind_them], []]).encode()))
        part.replace(file)


def pytest_configure(config: pytest.Config) -> None:
    """Give each worker a Redis database of its own: emptying a cache empties the whole database."""
    from django.conf import settings

    config.pluginmanager.register(CpuSeconds(), "cpu-seconds")
    if config.getoption("--every-door"):
        config.pluginmanager.register(EveryDoor(config), "every-door")

    cache = settings.CACHES["default"]
    if "LOCATION" in cache:
        worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
        base, _, _ = cache["LOCATION"].rpartition("/")
        # 0 is the broker's.
        cache["LOCATION"] = f"{base}/{1 + int(worker)}"


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Let one worker of a run compile the tests and the others read that: half of their start."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID")
    if run is None:
        return (yield)
    folder = session.config.cache.mkdir("collecting")
    with (folder / "lock").open("a+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        lock.seek(0)
        if lock.read() != run:
            collected = yield
            lock.truncate(0)
            lock.write(run)
            return collected
    return (yield)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what the choice of the database can change: .ci/run runs that on PostgreSQL again.

    What is marked as long begins first, so that no worker is left with it at the end.
    """
    for item in items:
        if (long := item.get_closest_marker("long")) and not long.args:
            raise pytest.UsageError(f"{item.nodeid}: long() says why it takes so long")
        fixtures = set(getattr(item, "fixturenames", ()))
        uses = item.get_closest_marker("django_db") or fixtures & {"db", "transactional_db"}
        if uses and not item.get_closest_marker("any_database"):
            item.add_marker("database")
            # To find doors, all modules are read: only where somebody asks.
            if "postgres" in config.option.markexpr and touches_a_door(item):
                item.add_marker("postgres")
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


def pytest_collection_finish() -> None:
    """Look for garbage as seldom as the product does; know what would be found out anew."""
    from apps.core.startup import collect_garbage_less

    collect_garbage_less()
    know_utf_8(Path(charmap_file("codec-v2-utf-8")))


def _state_of_migrations() -> str:
    known = hashlib.sha256()
    for path in [ROOT / "constraints.txt", *sorted(ROOT.glob("apps/*/migrations/*.py"))]:
        known.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return known.hexdigest()[:16]


def _migrate(url: str) -> None:
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "--noinput", "--verbosity", "0", "--skip-checks"],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": url},
        check=True,
    )


@pytest.fixture(scope="session")
def migrated_copy(request) -> Path | None:
    """A database that has all migrations, kept for later runs; None on PostgreSQL.

    To migrate takes 6 seconds of CPU: one worker of one run does it, and the others copy.
    """
    from django.db import connections

    if connections["default"].vendor != "sqlite":
        return None
    folder = request.config.cache.mkdir("migrated")
    copy = folder / f"{_state_of_migrations()}.sqlite3"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not copy.exists():
            for older in folder.glob("*.sqlite3*"):
                older.unlink()
            part = folder / "part.sqlite3"
            _migrate(f"sqlite:///{part}")
            part.replace(copy)
    return copy


@pytest.fixture(scope="session")
def migrated_template(django_db_blocker) -> str | None:
    """The same on PostgreSQL: a database to make the others from; None on SQLite."""
    from django.db import connections

    connection = connections["default"]
    if connection.vendor != "postgresql":
        return None
    name = f"migrated_{_state_of_migrations()}"
    part = f"{name}_part"
    with django_db_blocker.unblock(), connection._nodb_cursor() as cursor:
        # The one that migrates is waited for.
        cursor.execute("SET statement_timeout = 0; SET lock_timeout = 0")
        cursor.execute("SELECT pg_advisory_lock(hashtext(%s))", [name])
        cursor.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name])
        if cursor.fetchone() is None:
            cursor.execute(f'DROP DATABASE IF EXISTS "{part}"')
            cursor.execute(f'CREATE DATABASE "{part}"')
            _migrate(urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{part}").geturl())
            cursor.execute(f'ALTER DATABASE "{part}" RENAME TO "{name}"')
    return name


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix, tmp_path_factory, migrated_copy, migrated_template
):
    """SQLite in a file, as in production: in memory, threads cannot wait for each other."""
    from django.db import connections

    test = connections["default"].settings_dict["TEST"]
    if migrated_copy is not None:
        path = tmp_path_factory.mktemp("database") / "test.sqlite3"
        test["NAME"] = str(path)
        shutil.copyfile(migrated_copy, path)
    test["TEMPLATE"] = migrated_template


@pytest.fixture(scope="session")
def django_db_keepdb(migrated_copy) -> bool:
    """Begin with the copy. The folder of a run is its own, so nothing of a run is kept."""
    return migrated_copy is not None


@contextmanager
def _rows_of_several_tests(blocker) -> Iterator[None]:
    from django.db import transaction

    with blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def rows_of_module(django_db_setup, django_db_blocker) -> Iterator[None]:
    """What fixtures of the module write is there for each of its tests, and undone after the last.

    Each test has a transaction inside, which is undone as always. Not for tests of transactions.
    """
    with _rows_of_several_tests(django_db_blocker):
        yield


@pytest.fixture(scope="class")
def rows_of_class(django_db_setup, django_db_blocker) -> Iterator[None]:
    """The same for the tests of a class, perhaps inside those of its module."""
    with _rows_of_several_tests(django_db_blocker):
        yield


OLD_MEDIA = itertools.count()
# What migrating writes, and no test changes for good.
KEPT_TABLES = {
    "auth_group",
    "auth_group_permissions",
    "auth_permission",
    "django_content_type",
    "django_migrations",
}
LEDGER = "inventory_movement"


def _empty_tables(_case: object) -> None:
    """Delete the rows that a test of transactions left.

    Django empties all tables, and makes content types and permissions anew: 50 ms of CPU a test.
    """
    from django.db import connection, transaction

    tables = {*connection.introspection.table_names()} - KEPT_TABLES
    tables = [name for name in sorted(tables) if "_fts" not in name]
    filled = " UNION ALL ".join(
        f"SELECT '{name}' WHERE EXISTS (SELECT 1 FROM {name})" for name in tables
    )
    with transaction.atomic(), connection.cursor() as cursor:
        # Triggers count what is deleted, so that a table may have rows once more.
        while names := [name for (name,) in cursor.execute(filled).fetchall()]:
            if LEDGER in names:
                # Its triggers keep it, but for who leaves.
                cursor.execute(
                    "INSERT INTO accounts_erasure (holder_id) SELECT id FROM accounts_user "
                    "WHERE true ON CONFLICT DO NOTHING"
                )
                cursor.execute(f"DELETE FROM {LEDGER}")
            for name in names:
                cursor.execute(f"DELETE FROM {name}")


@pytest.fixture(scope="session", autouse=True)
def _tests_of_transactions_leave_nothing():
    from django.test import TransactionTestCase

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", _empty_tables)
        yield


@pytest.fixture(scope="session", autouse=True)
def _fast_and_local(tmp_path_factory):
    """Cheap hashing and files in the folder of the run; nothing else differs from real."""
    from django.conf import settings
    from django.test import override_settings

    plain = {
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    with override_settings(
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        STATIC_ROOT=tmp_path_factory.mktemp("static"),  # empty: no test needs what was collected
        WHITENOISE_ROOT=None,
        STORAGES={**settings.STORAGES, **plain},
    ):
        yield


@pytest.fixture(scope="session")
def media(tmp_path_factory) -> Iterator[Path]:
    """The folder of files, made with the first file: most tests have none."""
    from django.test import override_settings

    folder = tmp_path_factory.mktemp("media") / "files"
    with override_settings(MEDIA_ROOT=folder):
        yield folder


@pytest.fixture(autouse=True)
def _own_media(media):
    """Another setting for each test would be told to all who keep one: a tenth of an empty test."""
    yield
    if media.exists():
        media.rename(media.with_name(f"{next(OLD_MEDIA)}"))


@pytest.fixture(autouse=True)
def _knows_no_words_of_another_test():
    """Forget the words of names: their number is their version, and a test rolls its own back."""
    from apps.catalog.selectors import known_words

    known_words._read.cache_clear()


@pytest.fixture(autouse=True)
def _nobody_acts():
    """Forget who acted in a call of another test that was never answered."""
    from apps.core.ownership import note_acting

    note_acting(None)


@pytest.fixture
def one_window(monkeypatch) -> None:
    """Let no window of a limit end during the test, however long it takes."""
    from apps.core import clock, throttling

    began, window_of = clock.now(), throttling.window_of

    def of_the_test(_now, *, seconds):
        return window_of(began, seconds=seconds)

    monkeypatch.setattr(throttling, "window_of", of_the_test)


@pytest.fixture
def searchable() -> Iterator[None]:
    """Items that the test makes can be found by a search."""
    from apps.catalog.tests import factories

    with factories.searchable():
        yield


@pytest.fixture
def make_user(db) -> Callable:
    from apps.accounts.tests import factories

    return factories.make_user


@pytest.fixture
def ann(make_user):
    """The owner."""
    return make_user("ann")


@pytest.fixture
def bo(make_user):
    """The stranger."""
    return make_user("bo")


@pytest.fixture
def staff(make_user):
    """The operator."""
    return make_user("staff", is_staff=True, is_superuser=True)


@pytest.fixture
def api() -> Callable:
    """`api(ann)` is a client signed in as ann; `api()` an anonymous one."""
    from rest_framework.test import APIClient

    def client(user=None):
        made = APIClient()
        if user is not None:
            made.force_authenticate(user)
        return made

    return client


@pytest.fixture
def shared_data() -> Callable[[str], Path]:
    """`shared_data("bsx/x.bsx")` is a file of the shared samples; skips where there are none."""

    def find(path: str) -> Path:
        found = SHARED / "data" / path
        if not found.exists():
            pytest.skip(f"the shared sample {path} is not here")
        return found

    return find
