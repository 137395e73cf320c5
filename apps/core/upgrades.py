"""Which databases this version can upgrade."""

from typing import Final

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

TOO_OLD: Final = (
    "This database is of a version before 0.2.0, which this version cannot upgrade: "
    "install version 0.2.0, run its `manage.py migrate`, then upgrade to this version."
)


def refusal_to_migrate(connection: BaseDatabaseWrapper) -> str:
    """Return why the database cannot be migrated; an empty string if it can.

    The migrations of 0.2.0 are one for each app now, so a database has all of an app's or none.
    """
    applied = MigrationRecorder(connection).applied_migrations().keys()
    for migration in MigrationLoader(None).replacements.values():
        replaced = set(migration.replaces)
        if replaced & applied and replaced - applied:
            return TOO_OLD
    return ""
