"""Natural order: A-2 before A-10, 2335 before 10247."""

import re
from typing import Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.sql.compiler import SQLCompiler

_DIGITS = re.compile(r"\d+")
_WIDTH = 12


def natural_key(text: str) -> str:
    """Return a key whose plain text order is the natural order of `text`.

    Numbers are padded to 12 digits; longer ones keep their digits and sort after.
    """
    return _DIGITS.sub(lambda found: found.group().lstrip("0").zfill(_WIDTH), text.casefold())


class NaturalKey(models.TextField):
    """A column of natural keys."""

    def db_parameters(self, connection: BaseDatabaseWrapper) -> Any:
        # PostgreSQL's own collations skip signs, so that the order would depend on the server's.
        found = super().db_parameters(connection)
        return {**found, "collation": "C"} if connection.vendor == "postgresql" else found


class NumberOrder(NaturalKey):
    """The natural key of the row's number, made whenever the row is written, also with many others.

    Statements that write numbers past the ORM leave it empty for `catalog.services.texts` to fill.
    """

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        key = natural_key(str(vars(model_instance)["number"]))
        setattr(model_instance, self.attname, key)
        return key


class NaturalOrder(models.Func):
    """The natural key of a text that a query groups or a table keeps without one."""

    output_field = models.TextField()
    function = "NATURAL_KEY"
    arity = 1

    def as_postgresql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **context: Any
    ) -> Any:
        padded = rf"regexp_replace(lower(%(expressions)s), '(\d+)', '{'0' * _WIDTH}\1', 'g')"
        cut = rf"'0*(\d{{{_WIDTH},}})(?!\d)', '\1', 'g'"
        return super().as_sql(
            compiler,
            connection,
            template=f'regexp_replace({padded}, {cut}) COLLATE "C"',
            **context,
        )
