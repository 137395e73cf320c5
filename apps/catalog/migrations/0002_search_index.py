"""The search index: FTS5 on SQLite, GIN on PostgreSQL, both kept by the database itself.

Both hold exactly the words that `rules.search_words` folds, so both find the same items.
SQLite's full text rows are numbered by `rank_id`, so hits come out in ranking order and a
search may stop after twenty of them.
"""

from django.db import migrations

SQLITE_UP = (
    """
    CREATE VIRTUAL TABLE catalog_itemtext_fts USING fts5(
        item_type, words, more,
        content='catalog_itemtext', content_rowid='rank_id',
        tokenize="unicode61 remove_diacritics 0 tokenchars '_'",
        prefix='1 2 3 4', detail=column, columnsize=0
    )
    """,
    """
    CREATE VIRTUAL TABLE catalog_itemtext_tri USING fts5(
        words,
        content='catalog_itemtext', content_rowid='rank_id',
        tokenize='trigram', detail=none, columnsize=0
    )
    """,
    """
    CREATE TRIGGER catalog_itemtext_added AFTER INSERT ON catalog_itemtext BEGIN
        INSERT INTO catalog_itemtext_fts (rowid, item_type, words, more)
        VALUES (new.rank_id, new.item_type, new.words, new.more);
        INSERT INTO catalog_itemtext_tri (rowid, words) VALUES (new.rank_id, new.words);
    END
    """,
    """
    CREATE TRIGGER catalog_itemtext_removed AFTER DELETE ON catalog_itemtext BEGIN
        INSERT INTO catalog_itemtext_fts (catalog_itemtext_fts, rowid, item_type, words, more)
        VALUES ('delete', old.rank_id, old.item_type, old.words, old.more);
        INSERT INTO catalog_itemtext_tri (catalog_itemtext_tri, rowid, words)
        VALUES ('delete', old.rank_id, old.words);
    END
    """,
    """
    CREATE TRIGGER catalog_itemtext_changed
    AFTER UPDATE OF rank_id, item_type, words, more ON catalog_itemtext BEGIN
        INSERT INTO catalog_itemtext_fts (catalog_itemtext_fts, rowid, item_type, words, more)
        VALUES ('delete', old.rank_id, old.item_type, old.words, old.more);
        INSERT INTO catalog_itemtext_tri (catalog_itemtext_tri, rowid, words)
        VALUES ('delete', old.rank_id, old.words);
        INSERT INTO catalog_itemtext_fts (rowid, item_type, words, more)
        VALUES (new.rank_id, new.item_type, new.words, new.more);
        INSERT INTO catalog_itemtext_tri (rowid, words) VALUES (new.rank_id, new.words);
    END
    """,
    """
    CREATE INDEX itemtext_number_prefix
    ON catalog_itemtext (number_key, name_rank, type_order, item_type)
    """,
    # Rows that were there before the index.
    "INSERT INTO catalog_itemtext_fts (catalog_itemtext_fts) VALUES ('rebuild')",
    "INSERT INTO catalog_itemtext_tri (catalog_itemtext_tri) VALUES ('rebuild')",
)
SQLITE_DOWN = (
    "DROP INDEX itemtext_number_prefix",
    "DROP TRIGGER catalog_itemtext_changed",
    "DROP TRIGGER catalog_itemtext_removed",
    "DROP TRIGGER catalog_itemtext_added",
    "DROP TABLE catalog_itemtext_tri",
    "DROP TABLE catalog_itemtext_fts",
)

# Lexemes are made from our own words, not by PostgreSQL's parser: it would read `2x4`,
# hosts and numbers in its own way. `=` cannot begin a word that somebody types.
POSTGRESQL_UP = (
    """
    ALTER TABLE catalog_itemtext ADD COLUMN lexemes tsvector
    GENERATED ALWAYS AS (
        array_to_tsvector(
            array_remove(string_to_array('=' || item_type || ' ' || words || ' ' || more, ' '), '')
        )
    ) STORED
    """,
    "CREATE INDEX itemtext_lexemes ON catalog_itemtext USING gin (lexemes)",
    """
    CREATE INDEX itemtext_number_prefix
    ON catalog_itemtext (number_key COLLATE "C", name_rank, type_order, item_type)
    """,
    """
    CREATE INDEX itemtext_in_ranking_order
    ON catalog_itemtext (name_rank, number_key COLLATE "C", type_order)
    """,
)
POSTGRESQL_TRIGRAMS = (
    "CREATE EXTENSION IF NOT EXISTS pg_trgm",
    "CREATE INDEX itemtext_trigrams ON catalog_itemtext USING gin (words gin_trgm_ops)",
)
POSTGRESQL_DOWN = (
    "DROP INDEX IF EXISTS itemtext_trigrams",
    "DROP INDEX itemtext_in_ranking_order",
    "DROP INDEX itemtext_number_prefix",
    "ALTER TABLE catalog_itemtext DROP COLUMN lexemes",
)


def make_index(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        for statement in SQLITE_UP:
            schema_editor.execute(statement)
        return
    for statement in POSTGRESQL_UP:
        schema_editor.execute(statement)
    # A server without the contrib modules still searches, only its second try is slower.
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_available_extensions WHERE name = 'pg_trgm'")
        has_trigrams = cursor.fetchone() is not None
    if has_trigrams:
        for statement in POSTGRESQL_TRIGRAMS:
            schema_editor.execute(statement)


def drop_index(apps, schema_editor):
    statements = SQLITE_DOWN if schema_editor.connection.vendor == "sqlite" else POSTGRESQL_DOWN
    for statement in statements:
        schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("catalog", "0001_initial")]

    operations = [migrations.RunPython(make_index, drop_index)]
