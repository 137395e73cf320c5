"""What a new database is made by.

The first migration of an app has its tables of 0.2.0, and the name of the last that made them
then. One `…_squashed` has all that came since, in its last form. It names what it depends on by
what was replaced there, never by another `…_squashed`: a database that has some of what was
replaced goes on over the rest of it.
"""

from collections.abc import Iterator
from typing import Any, ClassVar

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class NewTables(migrations.Migration):
    """Makes tables in their last form, all models of which are known before the first is made.

    Django builds the classes of nearly all models anew with each operation; here it does so
    once for all of them.
    """

    #: What it makes of other apps.
    others: ClassVar[dict[str, list[Operation]]] = {}

    def mutate_state(self, project_state: ProjectState, preserve: bool = True) -> ProjectState:
        state = project_state.clone() if preserve else project_state
        state.__dict__.pop("apps", None)
        state.is_delayed = False
        for app, operation in self._all():
            operation.state_forwards(app, state)
        return state

    def apply(
        self,
        project_state: ProjectState,
        schema_editor: BaseDatabaseSchemaEditor,
        collect_sql: bool = False,
    ) -> ProjectState:
        state = self.mutate_state(project_state, preserve=False)
        for app, operation in self._all():
            operation.database_forwards(app, schema_editor, state, state)
        return state

    def _all(self) -> Iterator[tuple[str, Any]]:
        for operation in self.operations:
            yield self.app_label, operation
        for app, operations in self.others.items():
            for operation in operations:
                yield app, operation
