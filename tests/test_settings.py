"""The settings as a fresh process reads them from its environment."""

import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.core.checks import Error, Warning
from django.db import connection

from apps.core import checks
from tests.warm import WarmPython

PRODUCTION = {
    "PRODUCTION": "1",
    "SECRET_KEY": "s3cret-of-this-test-" + "x1Y" * 20,
    "ALLOWED_HOSTS": "shop.example.org",
    "DATABASE_URL": "postgres://brickstow@127.0.0.1:1/brickstow",
    "REDIS_URL": "redis://127.0.0.1:1/0",
    "STORAGE_BUCKET": "brickstow-files",
    "CREDENTIALS_KEY": "UvX0sYDk4pmwo6RZSz8mCqTgyAHjJ0o1DoBM2rX0vl8=",
}


MANAGE = "import manage; manage.main()"


@pytest.fixture(scope="module")
def python(tmp_path_factory) -> Iterator[WarmPython]:
    made = WarmPython(tmp_path_factory.mktemp("warm"))
    yield made
    made.close()


@pytest.fixture
def started(python) -> Callable:
    """`started(folder, code, NAME=value)` is a process that ran the code and had this alone."""

    def start(folder: Path, code: str = "import bricks.settings", *arguments, **environment):
        return python.run(code, *arguments, VAR_DIR=str(folder), **environment)

    return start


# Counted for the test that is the last, when the process that started all others ends.
pytestmark = pytest.mark.long("reads the settings in 24 processes")


class TestEmbedded:
    def test_makes_its_secret_once_and_for_itself(self, tmp_path, python):
        code = "from bricks.settings import SECRET_KEY; print(SECRET_KEY)"
        folder = tmp_path / "var"

        at_once = python.run_at_once(code, times=4, VAR_DIR=str(folder))
        keys = {done.stdout for done in at_once}

        assert len(keys) == 1
        assert len(keys.pop().strip()) > 50
        assert stat.S_IMODE((folder / "secret_key").stat().st_mode) == 0o600
        assert {path.name for path in folder.iterdir()} == {"secret_key", "brickstow.sqlite3"}

    def test_takes_a_folder_whose_name_means_something_in_an_address(self, tmp_path, started):
        folder = tmp_path / "my store #1 100%"
        code = "from bricks.settings import DATABASES; print(DATABASES['default']['NAME'])"

        assert started(folder, code).stdout.strip() == str(folder / "brickstow.sqlite3")
        assert folder.is_dir()

    def test_keeps_data_from_other_users_of_the_machine(self, tmp_path, started):
        folder = tmp_path / "var"
        code = (
            "import bricks.wsgi\n"
            "from django.core.files.base import ContentFile\n"
            "from django.core.files.storage import default_storage\n"
            "from django.db import connection\n"
            "connection.cursor().execute('CREATE TABLE a (b)')\n"
            "default_storage.save('backups/a.zip', ContentFile(b'x'))\n"
            "import os; os._exit(0)\n"  # so that the write-ahead log stays
        )

        done = started(folder, code)

        assert done.returncode == 0, done.stderr
        modes = {
            str(path.relative_to(tmp_path)): oct(stat.S_IMODE(path.stat().st_mode))
            for path in [folder, *folder.rglob("*")]
        }
        assert modes == {
            "var": "0o700",
            "var/secret_key": "0o600",
            "var/brickstow.sqlite3": "0o600",
            "var/brickstow.sqlite3-wal": "0o600",
            "var/brickstow.sqlite3-shm": "0o600",
            "var/media": "0o700",
            "var/media/backups": "0o700",
            "var/media/backups/a.zip": "0o600",
        }

    def test_takes_rights_away_that_an_older_version_gave(self, tmp_path, started):
        media, database = tmp_path / "media", tmp_path / "brickstow.sqlite3"
        media.mkdir(mode=0o755)
        database.touch(mode=0o644)

        started(tmp_path)

        assert stat.S_IMODE(media.stat().st_mode) == 0o700
        assert stat.S_IMODE(database.stat().st_mode) == 0o600

    def test_looks_for_garbage_after_the_apps_are_loaded(self, tmp_path, started):
        code = (
            "import gc, bricks; loading = gc.get_threshold()\n"
            "import django; django.setup(); print(loading[0], gc.get_threshold()[0])"
        )

        assert started(tmp_path, code).stdout.split() == ["200000", "20000"]


class TestProduction:
    @pytest.mark.parametrize("key", ["short", "x" * 44, "UvX0", "=" * 44])
    def test_refuses_a_key_for_credentials_that_is_none(self, tmp_path, started, key):
        done = started(tmp_path, **{**PRODUCTION, "CREDENTIALS_KEY": f"{key}"})

        assert done.returncode != 0
        assert "CREDENTIALS_KEY must be 32 bytes" in done.stderr.splitlines()[-1]

    def test_starts_with_all_it_needs(self, tmp_path, started):
        done = started(tmp_path, **PRODUCTION)

        assert done.returncode == 0, done.stderr

    @pytest.mark.parametrize("name", [name for name in PRODUCTION if name != "PRODUCTION"])
    def test_names_what_is_missing_and_gives_an_example(self, tmp_path, started, name):
        environment = {key: value for key, value in PRODUCTION.items() if key != name}

        done = started(tmp_path, **environment)

        assert done.returncode != 0
        last = done.stderr.strip().splitlines()[-1]
        assert f"PRODUCTION=1 needs {name}, for example {name}=" in last
        assert not (tmp_path / "secret_key").exists()

    def test_names_all_that_a_deployment_should_not_have(self, tmp_path, started):
        done = started(
            tmp_path,
            MANAGE,
            "check",
            "--deploy",
            "--fail-level=WARNING",
            **PRODUCTION
            | {
                "EMAIL_URL": "",
                "DATABASE_URL": "sqlite:////tmp/a.sqlite3",
                "ALLOWED_HOSTS": "*",
            },
        )

        assert done.returncode != 0
        assert re.findall(r"core\.W\d+", done.stderr) == ["core.W002", "core.W003", "core.W004"]
        assert done.stderr.count("HINT: Set ") == 3

    def test_starts_no_worker_with_a_short_key(self, tmp_path, started):
        done = started(tmp_path, MANAGE, "work", **{**PRODUCTION, "SECRET_KEY": "short"})

        assert done.returncode != 0
        assert "core.E001" in done.stderr

    def test_sends_no_mail_to_a_console(self, tmp_path, started):
        code = "from bricks.settings import MAIL_IS_SENT; print(MAIL_IS_SENT)"

        done = started(tmp_path, code, **PRODUCTION, EMAIL_URL="consolemail://")

        assert done.stdout.strip() == "False"

    def test_is_clean_to_djangos_deployment_checks(self, tmp_path, started):
        done = started(
            tmp_path,
            MANAGE,
            "check",
            "--deploy",
            "--fail-level=WARNING",
            **PRODUCTION,
            EMAIL_URL="smtp+tls://a:b@mail.example.org:587",
        )

        assert done.returncode == 0, done.stderr
        assert "no issues" in done.stdout

    def test_offers_no_demo_account(self, tmp_path, started):
        code = "from bricks.settings import DEMO_MODE; print(DEMO_MODE)"

        assert started(tmp_path, code, **PRODUCTION).stdout.strip() == "False"

    def test_writes_links_to_its_own_host(self, tmp_path, started):
        code = "from bricks.settings import PUBLIC_URL; print(PUBLIC_URL)"

        assert started(tmp_path, code, **PRODUCTION).stdout.strip() == "https://shop.example.org"


class TestChecks:
    @pytest.mark.parametrize(
        ("change", "check", "found"),
        [
            ({"SECRET_KEY": "short"}, checks.check_secret_key, ("core.E001", Error)),
            ({"DEMO_MODE": True}, checks.check_demo_mode, ("core.W001", Warning)),
            (
                {
                    "CACHES": {
                        "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
                    }
                },
                checks.check_shared_cache,
                ("core.E003", Error),
            ),
            ({"MAIL_IS_SENT": False}, checks.check_mail, ("core.W002", Warning)),
            ({"ALLOWED_HOSTS": ["*"]}, checks.check_allowed_hosts, ("core.W004", Warning)),
        ],
    )
    def test_find_risky_settings(self, settings, change, check, found):
        settings.PRODUCTION = True
        for name, value in change.items():
            setattr(settings, name, value)

        (message,) = check()

        assert (message.id, type(message)) == found
        assert message.hint

    def test_find_transactions_around_every_request(self, settings, monkeypatch):
        monkeypatch.setitem(settings.DATABASES["default"], "ATOMIC_REQUESTS", True)

        (message,) = checks.check_no_atomic_requests()

        assert (message.id, type(message)) == ("core.E002", Error)

    def test_find_nothing_when_embedded(self):
        found = [
            message
            for check in (
                checks.check_secret_key,
                checks.check_demo_mode,
                checks.check_no_atomic_requests,
                checks.check_shared_cache,
            )
            for message in check()
        ]

        assert found == []


@pytest.mark.django_db
class TestTheDatabase:
    def test_logs_ahead_on_sqlite(self):
        if connection.vendor != "sqlite":
            pytest.skip("this is about SQLite")
        with connection.cursor() as cursor:
            values = {}
            for name in ("journal_mode", "synchronous", "foreign_keys"):
                cursor.execute(f"PRAGMA {name}")
                values[name] = cursor.fetchone()[0]

        assert values == {
            "journal_mode": "wal",
            "synchronous": 1,
            "foreign_keys": 1,
        }

    def test_gives_up_on_postgresql_before_a_browser_does(self):
        if connection.vendor != "postgresql":
            pytest.skip("this is about PostgreSQL")
        with connection.cursor() as cursor:
            values = {}
            for name in ("statement_timeout", "lock_timeout"):
                cursor.execute(f"SHOW {name}")
                values[name] = cursor.fetchone()[0]

        assert values == {"statement_timeout": "15s", "lock_timeout": "5s"}
