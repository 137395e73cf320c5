import pytest
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder

from apps.core.upgrades import TOO_OLD
from bricks import __version__

pytestmark = pytest.mark.django_db


@pytest.fixture
def database_down():
    """The server refuses every query, as after a crash."""

    def refuse(execute, sql, params, many, context):
        raise OperationalError("the database is gone")

    with connection.execute_wrapper(refuse):
        yield


class TestHealthz:
    def test_is_alive(self, client):
        response = client.get("/healthz")

        assert (response.status_code, response.json()) == (
            200,
            {"status": "alive", "version": __version__},
        )
        assert response.headers["Cache-Control"] == "no-store"

    def test_is_alive_without_its_database(self, client, database_down):
        assert client.get("/healthz").status_code == 200


class TestReadyz:
    def test_is_ready(self, client):
        response = client.get("/readyz")

        assert (response.status_code, response.json()) == (
            200,
            {"status": "ready", "problems": {}},
        )

    def test_is_not_ready_without_its_database(self, client, database_down):
        response = client.get("/readyz")

        assert response.status_code == 503
        assert response.headers["Retry-After"] == "5"
        assert response.json() == {
            "status": "not ready",
            "problems": {"database": "the database does not answer"},
        }

    def test_is_not_ready_before_its_migrations(self, client):
        MigrationRecorder(connection).record_unapplied(
            "pictures", "0002_put_sets_together_from_parts"
        )

        response = client.get("/readyz")

        assert response.status_code == 503
        assert response.json()["problems"] == {"database": "1 migrations are not applied"}

    def test_is_not_ready_on_a_database_too_old_to_upgrade(self, client):
        MigrationRecorder(connection).record_unapplied("core", "0004_tell_what_a_job_works_on")

        response = client.get("/readyz")

        assert response.status_code == 503
        assert response.json()["problems"] == {"database": TOO_OLD}

    def test_is_not_ready_without_its_broker(self, client, settings):
        settings.REDIS_URL = "redis://127.0.0.1:1/0"

        response = client.get("/readyz")

        assert response.status_code == 503
        assert response.json()["problems"] == {"broker": "the broker does not answer"}

    def test_is_not_ready_on_a_disk_that_takes_nothing(self, client, settings, tmp_path):
        (tmp_path / "a file").touch()
        settings.MEDIA_ROOT = tmp_path / "a file" / "media"

        response = client.get("/readyz")

        assert response.status_code == 503
        problem = response.json()["problems"]["disk"]
        assert problem == f"{settings.MEDIA_ROOT} cannot be written: Not a directory"

    def test_is_not_ready_on_a_disk_that_is_nearly_full(self, client, settings):
        settings.MAX_UPLOAD_BYTES = 2**60  # no disk has as much left

        response = client.get("/readyz")

        assert response.status_code == 503
        assert "MiB left" in response.json()["problems"]["disk"]


class TestTheApiWithoutItsDatabase:
    def test_says_so_and_when_to_come_back(self, api, ann, database_down):
        response = api(ann).get("/api/jobs")

        assert response.status_code == 503
        assert response.headers["Retry-After"] == "5"
        assert response.json()["error"]["code"] == "SERVICE_UNAVAILABLE"
