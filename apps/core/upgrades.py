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
    """Return why the database cannot be migrated; an empty string if it can."""
    applied = MigrationRecorder(connection).applied_migrations().keys()
    loader = MigrationLoader(None, replace_migrations=False)
    for app in loader.migrated_apps & {app for app, _ in applied}:
        # The first has all tables of 0.2.0, and the name of the last that made them then.
        if applied.isdisjoint(set(loader.graph.root_nodes(app)) - loader.replacements.keys()):
            return TOO_OLD
    return ""
