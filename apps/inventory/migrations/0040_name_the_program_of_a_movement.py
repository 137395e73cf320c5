from django.db import migrations, models

import apps.core.ownership

# As AddField, but SQLite would copy the whole ledger for it and lose its triggers.
ADD = "ALTER TABLE inventory_movement ADD COLUMN program varchar(60) NOT NULL DEFAULT ''"
DROP = "ALTER TABLE inventory_movement DROP COLUMN program"
NAME = "inventory_movement_program_changed"
KEPT = "movements are never changed or deleted: book the reverse one"
SQLITE_UP = f"""
    CREATE TRIGGER {NAME} BEFORE UPDATE OF program ON inventory_movement
    WHEN NEW.program IS NOT OLD.program
    BEGIN SELECT RAISE(ABORT, '{KEPT}'); END
"""
POSTGRESQL_UP = f"""
    CREATE TRIGGER {NAME} BEFORE UPDATE OF program ON inventory_movement
    FOR EACH ROW WHEN (NEW.program IS DISTINCT FROM OLD.program)
    EXECUTE FUNCTION inventory_keep_movement()
"""


def make_trigger(apps, schema_editor):
    is_sqlite = schema_editor.connection.vendor == "sqlite"
    schema_editor.execute(SQLITE_UP if is_sqlite else POSTGRESQL_UP)


def drop_trigger(apps, schema_editor):
    is_sqlite = schema_editor.connection.vendor == "sqlite"
    schema_editor.execute(f"DROP TRIGGER {NAME}{'' if is_sqlite else ' ON inventory_movement'}")


class Migration(migrations.Migration):
    dependencies = [("inventory", "0039_lots_that_a_channel_does_not_get")]

    operations = [
        migrations.RunSQL(
            ADD,
            DROP,
            state_operations=[
                migrations.AddField(
                    "movement",
                    "program",
                    models.CharField(
                        blank=True,
                        db_default="",
                        default=apps.core.ownership.acting_program,
                        help_text="the name of the token that it was done by",
                        max_length=60,
                    ),
                ),
            ],
        ),
        migrations.RunPython(make_trigger, drop_trigger),
    ]
