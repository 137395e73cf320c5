"""PostgreSQL's word index holds the first one, two and three letters of each word.

It reads all words that begin with a letter otherwise, which are up to half of the catalogue.
SQLite's index does it by itself.
"""

from django.db import migrations

LINE = "words || ' ' || more"
BEGINNINGS = rf"regexp_replace(' ' || {LINE}, ' +(\S)(\S?)(\S?)\S*', ' ^\1 ^\1\2 ^\1\2\3', 'g')"


def statements_for(line):
    """Return what writes the column anew: PostgreSQL cannot change how a column is made."""
    return (
        "DROP INDEX itemtext_lexemes",
        "ALTER TABLE catalog_itemtext DROP COLUMN lexemes",
        "ALTER TABLE catalog_itemtext ADD COLUMN lexemes tsvector GENERATED ALWAYS AS "
        f"(array_to_tsvector(array_remove(string_to_array({line}, ' '), ''))) STORED",
        "CREATE INDEX itemtext_lexemes ON catalog_itemtext USING gin (lexemes)",
        "ANALYZE catalog_itemtext",  # a search asks what the planner expects
    )


def on_postgresql(statements):
    def do(apps, schema_editor):
        if schema_editor.connection.vendor == "postgresql":
            # A large catalogue takes longer than a request may.
            schema_editor.execute("SET LOCAL statement_timeout = 0")
            for statement in statements:
                schema_editor.execute(statement)

    return do


keep_beginnings = on_postgresql(statements_for(f"{LINE} || {BEGINNINGS}"))
keep_words_alone = on_postgresql(statements_for(LINE))


class Migration(migrations.Migration):
    dependencies = [("catalog", "0007_index_the_categories_of_items")]

    operations = [migrations.RunPython(keep_beginnings, keep_words_alone)]
