"""Rows whose price no re-pricing changes. SQLite makes the table anew, without its triggers."""

from importlib import import_module

from django.db import migrations, models

_kept = import_module("apps.inventory.migrations.0026_keep_unknown_conditions")


class Migration(migrations.Migration):
    dependencies = [
        ("inventory", "0028_count_changes_of_the_stock"),
    ]

    operations = [
        migrations.RunPython(_kept.drop_triggers, _kept.make_triggers),
        migrations.AddField(
            model_name="inventoryitem",
            name="price_locked",
            field=models.BooleanField(
                blank=True,
                db_default=False,
                default=False,
                help_text="no re-pricing changes the price",
            ),
        ),
        migrations.RunPython(_kept.make_triggers, _kept.drop_triggers),
    ]
