from django.db import migrations

import apps.core.natural

#: Django would rebuild the table on SQLite, which loses the triggers of the index of words.
ADD = "ALTER TABLE catalog_itemtext ADD COLUMN sort_key text{collate} DEFAULT '' NOT NULL"
FILL = """
    UPDATE catalog_itemtext
    SET sort_key = (SELECT i.sort_key FROM catalog_item i WHERE i.id = catalog_itemtext.item_id)
"""
NUMBERS = """
    CREATE INDEX itemtext_number_prefix
    ON catalog_itemtext (number_key{collate}, name_rank, sort_key, type_order, item_type)
"""
RANKING = (
    "CREATE INDEX itemtext_in_ranking_order ON catalog_itemtext (name_rank, sort_key, type_order)"
)


def add_key(apps, schema_editor):
    is_postgresql = schema_editor.connection.vendor == "postgresql"
    statements = [ADD, "DROP INDEX itemtext_number_prefix", FILL, NUMBERS]
    if is_postgresql:
        statements.insert(1, "DROP INDEX itemtext_in_ranking_order")
        statements.append(RANKING)
    for statement in statements:
        collate = ' COLLATE "C"' if is_postgresql else ""
        schema_editor.execute(statement.format(collate=collate), params=None)


class Migration(migrations.Migration):
    dependencies = [("catalog", "0011_figures_belong_to_who_asked")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunPython(add_key, migrations.RunPython.noop)],
            state_operations=[
                migrations.AddField(
                    model_name="itemtext",
                    name="sort_key",
                    field=apps.core.natural.NaturalKey(db_default="", help_text="of the number"),
                ),
            ],
        ),
    ]
