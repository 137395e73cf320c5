"""Fixtures of every test: the cast, the API client, the shared sample data."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

os.environ.setdefault("LOG_LEVEL", "WARNING")

ROOT = Path(__file__).resolve().parent
SHARED = Path(os.environ.get("SHARED_DATA", ROOT.parent / "shared"))
PASSWORD = "correct horse battery"


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix, tmp_path_factory):
    """SQLite in a file, as in production: in memory, threads cannot wait for each other."""
    from django.db import connections

    database = connections["default"].settings_dict
    if database["ENGINE"].endswith("sqlite3"):
        database["TEST"]["NAME"] = str(tmp_path_factory.mktemp("database") / "test.sqlite3")


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
