"""Fixtures of every test: the cast, the API client, the shared sample data."""

import hashlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

os.environ.setdefault("LOG_LEVEL", "WARNING")

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
PASSWORD = "correct horse battery"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what the choice of the database can change: .ci/run runs that on PostgreSQL again."""
    for item in items:
        fixtures = set(getattr(item, "fixturenames", ()))
        if item.get_closest_marker("django_db") or fixtures & {"db", "transactional_db"}:
            item.add_marker("database")


@pytest.fixture(scope="session")
def migrated_copy(request, tmp_path_factory) -> Path | None:
    """Where a database is kept that has all migrations, for later runs; None on PostgreSQL.

    To migrate takes seconds of each worker of each run. The name holds all that migrations say.
    """
    from django.db import connections

    if not connections["default"].settings_dict["ENGINE"].endswith("sqlite3"):
        return None
    known = hashlib.sha256()
    for path in [ROOT / "constraints.txt", *sorted(ROOT.glob("apps/*/migrations/*.py"))]:
        known.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    folder = request.config.cache.mkdir("migrated")
    return folder / f"{known.hexdigest()[:16]}.sqlite3"


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix, tmp_path_factory, migrated_copy
):
    """SQLite in a file, as in production: in memory, threads cannot wait for each other."""
    from django.db import connections

    if migrated_copy is not None:
        path = tmp_path_factory.mktemp("database") / "test.sqlite3"
        connections["default"].settings_dict["TEST"]["NAME"] = str(path)
        if migrated_copy.exists():
            shutil.copyfile(migrated_copy, path)


@pytest.fixture(scope="session")
def django_db_keepdb(migrated_copy) -> bool:
    """Begin with the copy. The folder of a run is its own, so nothing of a run is kept."""
    return migrated_copy is not None and migrated_copy.exists()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker, django_db_keepdb, migrated_copy):
    """Keep what was migrated for the next run."""
    from django.db import connection

    if migrated_copy is None or django_db_keepdb:
        return
    for older in migrated_copy.parent.glob("*.sqlite3"):
        older.unlink(missing_ok=True)
    part = migrated_copy.with_suffix(f".{os.getpid()}")
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(part)])
    part.replace(migrated_copy)


@pytest.fixture(scope="session", autouse=True)
def _the_ledger_can_be_flushed():
    """Open the kept ledger for the flush after a transactional test.

    SQLite flushes by DELETE, which its triggers refuse; PostgreSQL's TRUNCATE asks none.
    """
    from django.db.backends.sqlite3.base import DatabaseOperations

    flush = DatabaseOperations.execute_sql_flush
    first = (
        "INSERT OR IGNORE INTO accounts_erasure (holder_id) SELECT id FROM accounts_user",
        "DELETE FROM inventory_movement",
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            DatabaseOperations,
            "execute_sql_flush",
            lambda self, statements: flush(self, [*first, *statements]),
        )
        yield


@pytest.fixture(autouse=True)
def _fast_and_local(settings, tmp_path):
    """Cheap hashing and files in the test's own folder; nothing else differs from real."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.STATIC_ROOT = tmp_path / "static"  # empty: no test needs what was collected
    settings.STATIC_ROOT.mkdir()
    settings.STORAGES = {
        **settings.STORAGES,
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }


@pytest.fixture
def make_user(db):
    from apps.accounts.models import Preferences, User

    def make(name: str, **also):
        user = User.objects.create_user(
            f"{name}@example.org", PASSWORD, name=name.capitalize(), **also
        )
        Preferences.objects.create(user=user, currency="EUR")
        return user

    return make


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
