import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from apps.core.upgrades import refusal_to_migrate

pytestmark = pytest.mark.django_db


class TestADatabaseOlderThanTheSquashedMigrations:
    def test_is_not_migrated(self):
        recorder = MigrationRecorder(connection)
        recorder.record_unapplied("listings", "0004_lots_that_moved")
        recorder.record_unapplied("pictures", "0001_initial")
        before = recorder.applied_migrations().keys()

        with pytest.raises(SystemCheckError, match=r"install version 0\.2\.0"):
            call_command("migrate", verbosity=0, skip_checks=False)

        assert recorder.applied_migrations().keys() == before


class TestAnotherDatabase:
    def test_is_migrated(self):
        assert refusal_to_migrate(connection) == ""

    def test_is_migrated_where_an_app_is_new(self):
        recorder = MigrationRecorder(connection)
        for app, name in recorder.applied_migrations():
            if app == "listings":
                recorder.record_unapplied(app, name)

        assert refusal_to_migrate(connection) == ""
