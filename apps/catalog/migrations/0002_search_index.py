"""The search index: FTS5 on SQLite, GIN on PostgreSQL, both kept by the database itself.

Both hold exactly the words that `rules.search_words` folds, so both find the same items.
SQLite's full text rows are numbered by `rank_id`, so hits come out in ranking order and a
search may stop after twenty of them.
"""

from django.db import migrations

SQLITE_UP = (
    # prefix: without these lists a common beginning ("pri") costs 100 ms instead of 3.
    """
    CREATE VIRTUAL TABLE catalog_itemtext_fts USING fts5(
        words, more,
        content='catalog_itemtext', content_rowid='rank_id',
        tokenize="unicode61 remove_diacritics 0 tokenchars '_='",
        prefix='1 2 3 4 5', detail=none, columnsize=0
    )
    """,
    """
    CREATE TRIGGER catalog_itemtext_added AFTER INSERT ON catalog_itemtext BEGIN
        INSERT INTO catalog_itemtext_fts (rowid, words, more)
        VALUES (new.rank_id, new.words, new.more);
    END
    """,
    """
    CREATE TRIGGER catalog_itemtext_removed AFTER DELETE ON catalog_itemtext BEGIN
        INSERT INTO catalog_itemtext_fts (catalog_itemtext_fts, rowid, words, more)
        VALUES ('delete', old.rank_id, old.words, old.more);
    END
    """,
    """
    CREATE TRIGGER catalog_itemtext_changed
    AFTER UPDATE OF rank_id, words, more ON catalog_itemtext BEGIN
        INSERT INTO catalog_itemtext_fts (catalog_itemtext_fts, rowid, words, more)
        VALUES ('delete', old.rank_id, old.words, old.more);
        INSERT INTO catalog_itemtext_fts (rowid, words, more)
        VALUES (new.rank_id, new.words, new.more);
    END
    """,
    """
    CREATE INDEX itemtext_number_prefix
    ON catalog_itemtext (number_key, name_rank, type_order, item_type)
    """,
    # 16 MiB of words before they are written out: an import takes 14 s instead of 24.
    "INSERT INTO catalog_itemtext_fts (catalog_itemtext_fts, rank) VALUES ('hashsize', 16777216)",
    # Rows that were there before the index.
    "INSERT INTO catalog_itemtext_fts (catalog_itemtext_fts) VALUES ('rebuild')",
)
SQLITE_DOWN = (
    "DROP INDEX itemtext_number_prefix",
    "DROP TRIGGER catalog_itemtext_changed",
    "DROP TRIGGER catalog_itemtext_removed",
    "DROP TRIGGER catalog_itemtext_added",
    "DROP TABLE catalog_itemtext_fts",
)

# Lexemes are made from our own words, not by PostgreSQL's parser: it would read `2x4`,
# hosts and numbers in its own way.
POSTGRESQL_UP = (
    """
    ALTER TABLE catalog_itemtext ADD COLUMN lexemes tsvector
    GENERATED ALWAYS AS (
        array_to_tsvector(array_remove(string_to_array(words || ' ' || more, ' '), ''))
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
POSTGRESQL_DOWN = (
    "DROP INDEX itemtext_in_ranking_order",
    "DROP INDEX itemtext_number_prefix",
    "DROP INDEX itemtext_lexemes",
    "ALTER TABLE catalog_itemtext DROP COLUMN lexemes",
)


def make_index(apps, schema_editor):
    is_sqlite = schema_editor.connection.vendor == "sqlite"
    for statement in SQLITE_UP if is_sqlite else POSTGRESQL_UP:
        schema_editor.execute(statement)


def drop_index(apps, schema_editor):
    is_sqlite = schema_editor.connection.vendor == "sqlite"
    for statement in SQLITE_DOWN if is_sqlite else POSTGRESQL_DOWN:
        schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("catalog", "0001_initial")]

    operations = [migrations.RunPython(make_index, drop_index)]
