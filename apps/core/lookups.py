"""`among`: what `in` does, for thousands of whole numbers at once."""

from typing import Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.fields.related import ForeignKey
from django.db.models.lookups import Lookup
from django.db.models.sql.compiler import SQLCompiler

from apps.core.prepared import IDS, Slot


class Among(Lookup[Any]):
    """`pk__among=ids`: the ids are one parameter, an array or JSON.

    Binding each of two thousand takes Django and the driver longer than the database needs to
    look them up.
    """

    lookup_name = "among"

    def get_prep_lookup(self) -> list[int] | Slot:
        return self.rhs if isinstance(self.rhs, Slot) else [int(value) for value in self.rhs]

    def as_sql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper
    ) -> tuple[str, tuple[Any, ...]]:
        column, params = self.process_lhs(compiler, connection)
        is_slot = isinstance(self.rhs, Slot)
        ids = self.rhs if is_slot else IDS.get_db_prep_value(self.rhs, connection)
        if connection.vendor == "postgresql":
            kind = self.lhs.output_field.db_type(connection)
            return f"{column} = ANY(%s::{kind}[])", (*params, ids)
        return f"{column} IN (SELECT value FROM json_each(%s))", (*params, ids)


def register() -> None:
    """Add the lookup to whole numbers and to what points to a row."""
    models.IntegerField.register_lookup(Among)
    ForeignKey.register_lookup(Among)
