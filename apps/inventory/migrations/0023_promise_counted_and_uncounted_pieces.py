"""A line may be promised counted and uncounted pieces of one row, each in a promise of its own.

Until now both were added up in one promise, so `promised` of some rows was not the sum of their
counted promises.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("inventory", "0022_keep_amounts_of_other_tables_with_an_act"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="promise",
            name="promise_once",
        ),
        migrations.AddConstraint(
            model_name="promise",
            constraint=models.UniqueConstraint(
                fields=("line_id", "item", "is_out"), name="promise_once"
            ),
        ),
        migrations.RunSQL(
            """
            UPDATE inventory_inventoryitem SET promised = (
              SELECT COALESCE(SUM(p.quantity), 0) FROM inventory_promise p
              WHERE p.item_id = inventory_inventoryitem.id AND NOT p.is_out
            )
            WHERE promised <> (
              SELECT COALESCE(SUM(p.quantity), 0) FROM inventory_promise p
              WHERE p.item_id = inventory_inventoryitem.id AND NOT p.is_out
            )
            """,
            migrations.RunSQL.noop,
            elidable=True,
        ),
    ]
