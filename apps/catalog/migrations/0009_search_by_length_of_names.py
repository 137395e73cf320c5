"""Search reads less: indexes of short names, of longer beginnings, and a version of the words.

PostgreSQL gets an index of words for each range of ranks, and beginnings of up to eight letters
as words of their own; SQLite gets lists of as long ones. Marks of short names stood for those
indexes until now. Whoever keeps all words sees that some were added.
"""

import importlib

from django.db import migrations, models

# The same as RANGES of apps/catalog/selectors/word_index.py.
RANGES = ((0, 8), (8, 16), (16, 28), (28, 44))

before = importlib.import_module("apps.catalog.migrations.0002_search_index")
beginnings = importlib.import_module("apps.catalog.migrations.0008_index_beginnings_of_words")

LINE = beginnings.LINE
LEXEMES = """
    CREATE FUNCTION catalog_lexemes(line text) RETURNS tsvector
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT array_to_tsvector(array_agg(word) || array_agg(beginning))
        FROM (
            SELECT word, '^' || left(word, size) AS beginning
            FROM unnest(string_to_array(line, ' ')) AS word,
            LATERAL generate_series(1, least(length(word), 8)) AS size
        ) AS found
    $$
    """
WITHOUT_MARKS = (
    "UPDATE catalog_itemtext SET more = replace(replace(more, ' =short', ''), ' =medium', '') "
    "WHERE more LIKE '%=medium%'"
)
WITH_MARKS = (
    "UPDATE catalog_itemtext SET more = substr(more, 1, length(item_type) + 1) || "
    "CASE WHEN name_rank <= 24 THEN ' =short' ELSE '' END || ' =medium' || "
    "substr(more, length(item_type) + 2) WHERE name_rank <= 40"
)
SHAPES = "UPDATE catalog_searchword SET initial = substr(word, 1, 1), length = length(word)"


def on_sqlite(marks, prefixes):
    index = [
        statement.replace("prefix='1 2 3 4 5'", f"prefix='{prefixes}'")
        for statement in before.SQLITE_UP
    ]
    return (*before.SQLITE_DOWN, marks, *index)


def on_postgresql(marks, made_by, *ranges):
    return (
        "ALTER TABLE catalog_itemtext DROP COLUMN lexemes",  # and its indexes
        marks,
        "SET CONSTRAINTS ALL IMMEDIATE",  # no table is altered while some wait
        f"ALTER TABLE catalog_itemtext ADD COLUMN lexemes tsvector GENERATED ALWAYS AS ({made_by}) STORED",
        "CREATE INDEX itemtext_lexemes ON catalog_itemtext USING gin (lexemes)",
        *(
            f"CREATE INDEX itemtext_lexemes_to_{highest} ON catalog_itemtext USING gin (lexemes) "
            f"WHERE name_rank > {above} AND name_rank <= {highest}"
            for above, highest in ranges
        ),
        "ANALYZE catalog_itemtext",  # a search asks what the planner expects
    )


def write(sqlite, postgresql):
    def do(apps, schema_editor):
        is_sqlite = schema_editor.connection.vendor == "sqlite"
        if not is_sqlite:
            # A large catalogue takes longer than a request may.
            schema_editor.execute("SET LOCAL statement_timeout = 0")
        for statement in sqlite if is_sqlite else postgresql:
            schema_editor.execute(statement, params=None)

    return do


def fill_shapes(apps, schema_editor):
    schema_editor.execute(SHAPES, params=None)


OF_WORDS = (
    f"array_to_tsvector(array_remove(string_to_array({LINE} || {beginnings.BEGINNINGS}, ' '), ''))"
)
short_names = write(
    on_sqlite(WITHOUT_MARKS, "1 2 3 4 5 6 7 8"),
    (LEXEMES, *on_postgresql(WITHOUT_MARKS, f"catalog_lexemes({LINE})", *RANGES)),
)
marks_of_short_names = write(
    on_sqlite(WITH_MARKS, "1 2 3 4 5"),
    (*on_postgresql(WITH_MARKS, OF_WORDS), "DROP FUNCTION catalog_lexemes(text)"),
)


class Migration(migrations.Migration):
    dependencies = [("catalog", "0008_index_beginnings_of_words")]

    operations = [
        migrations.RunPython(short_names, marks_of_short_names),
        migrations.CreateModel(
            name="VocabularyChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("added", models.PositiveIntegerField(help_text="how many words")),
            ],
        ),
        migrations.RemoveIndex(model_name="searchword", name="searchword_did_you_mean"),
        # Null in between: the way back has to fill them.
        migrations.AlterField("searchword", "initial", models.CharField(max_length=1, null=True)),
        migrations.AlterField("searchword", "length", models.PositiveSmallIntegerField(null=True)),
        migrations.RunPython(migrations.RunPython.noop, fill_shapes),
        migrations.RemoveField(model_name="searchword", name="initial"),
        migrations.RemoveField(model_name="searchword", name="length"),
    ]
