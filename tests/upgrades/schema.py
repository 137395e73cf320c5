"""All that a database has besides rows, so that two of them can be compared.

The order of columns says nothing: SQLite puts those that were altered at the end. Nor do names
that no model gives: those of a table that was renamed are still of its former name.
"""

import re
from typing import Any

# A database that was loaded from a dump casts each word of a list, and not the list.
CASTS = re.compile(r"[()]|::text(\[\])?|::character varying")
MADE = re.compile(r"\w+_(?:pkey|id_seq|check|[0-9a-f]{8}(?:_fk\w*)?)\b")
POSTGRESQL = {
    "columns": """
        SELECT t.relname, t.reloptions::text, a.attname, format_type(a.atttypid, a.atttypmod),
            a.attnotnull, a.attidentity, a.attgenerated, pg_get_expr(d.adbin, d.adrelid)
        FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid
        LEFT JOIN pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum
        WHERE t.relnamespace = 'public'::regnamespace AND t.relkind IN ('r', 'S', 'v')
            AND a.attnum > 0 AND NOT a.attisdropped
    """,
    "constraints": """
        SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
        WHERE connamespace = 'public'::regnamespace
    """,
    "indexes": "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'",
    "triggers": "SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal",
    "functions": """
        SELECT proname, pg_get_functiondef(oid) FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace
    """,
    "extensions": "SELECT extname FROM pg_extension",
}


def schema_of(connection: Any) -> dict[str, Any]:
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT type, name, sql FROM sqlite_master")
            found = {}
            for kind, name, sql in cursor.fetchall():
                sql = MADE.sub("", " ".join((sql or "").split()))
                found[f"{kind} {MADE.sub('', name) or sql}"] = (
                    _parts(sql) if kind == "table" else sql
                )
            return found
        found = {}
        for name, statement in POSTGRESQL.items():
            cursor.execute(statement)
            found[name] = sorted(
                MADE.sub("", CASTS.sub("", repr(row))) for row in cursor.fetchall()
            )
        return found


def _parts(sql: str) -> list[list[str]]:
    """Return the columns and constraints of a table, each as its sorted words.

    SQLite reads `integer unsigned` as integer.
    """
    parts, depth = [""], 0
    for letter in sql[sql.index("(") + 1 : sql.rindex(")")]:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return sorted(sorted(part.replace('"', "").replace(" unsigned", "").split()) for part in parts)


def rows_of(connection: Any, columns: dict[str, list[str]]) -> dict[str, list[str]]:
    """The rows of each table in an order that says nothing of where they lie."""
    quote = connection.ops.quote_name
    with connection.cursor() as cursor:
        found = {}
        for table, names in columns.items():
            listed = ", ".join(map(quote, names))
            cursor.execute(f"SELECT {listed} FROM {quote(table)}")
            found[table] = sorted(repr(row) for row in cursor.fetchall())
        return found


def columns_of(connection: Any) -> dict[str, list[str]]:
    """The columns of all tables but the record of migrations."""
    describe = connection.introspection.get_table_description
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        return {
            table: [column.name for column in describe(cursor, table)]
            for table in tables
            if table != "django_migrations" and "_fts" not in table
        }
