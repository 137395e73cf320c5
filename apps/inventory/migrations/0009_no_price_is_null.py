"""No price becomes null. Until now it was 0, on every page and in every file, so each 0 was none.

What was kept to undo and to apply says the same of the same rows. On SQLite the table is made
anew by the change of its column, and its triggers with it.
"""

import zlib
from importlib import import_module

import orjson
from django.db import migrations, models

ZERO = "0.0000"
PRICE = 9  # among the values of a lot in a plan
triggers = import_module("apps.inventory.migrations.0007_smaller_parts_of_the_stock")


def make_triggers(apps, schema_editor):
    if schema_editor.connection.vendor != "sqlite":
        return
    new, old = (triggers.SQLITE_MARK.format(row=row, lots=triggers.IS) for row in ("NEW", "OLD"))
    schema_editor.execute(triggers.SQLITE_ADDED.format(new=new))
    schema_editor.execute(triggers.SQLITE_CHANGED.format(new=new, old=old))


def mark_all(schema_editor):
    for statement in triggers.FORGET:
        schema_editor.execute(statement.format(lots=triggers.IS))


def to_null(apps, schema_editor):
    apps.get_model("inventory", "InventoryItem").objects.filter(price=0).update(price=None)
    rewrite_kept(apps, ZERO, None)
    mark_all(schema_editor)
    make_triggers(apps, schema_editor)


def to_zero(apps, schema_editor):
    apps.get_model("inventory", "InventoryItem").objects.filter(price=None).update(price=0)
    rewrite_kept(apps, None, ZERO)


def rewrite_kept(apps, was, becomes):
    """Say of the rows that acts and imports keep what the stock says."""
    acts = apps.get_model("inventory", "ActChunk").objects
    for chunk in acts.order_by("pk").iterator(chunk_size=20):
        images = [row[side] for row in chunk.rows for side in ("before", "after") if row[side]]
        touched = [one for one in images if "price" in one and one["price"] == was]
        for one in touched:
            one["price"] = becomes
        if touched:
            acts.filter(pk=chunk.pk).update(rows=chunk.rows)
    syncs = apps.get_model("inventory", "SyncChunk").objects
    for chunk in syncs.order_by("pk").iterator(chunk_size=5):
        plan, before = unpacked(chunk.plan), unpacked(chunk.before)
        values = [entry[8] for entry in (plan[0] if plan else ())]
        values += [image[5] for image in (before[1] if before else ())]
        for one in values:
            if one[PRICE] == was:
                one[PRICE] = becomes
        for entry in plan[0] if plan else ():
            if entry[11] and "price" in entry[11]:
                told = entry[11]["price"]
                entry[11]["price"] = [becomes if price == was else price for price in told]
        syncs.filter(pk=chunk.pk).update(plan=packed(plan), before=packed(before))


def unpacked(blob):
    return orjson.loads(zlib.decompress(blob)) if blob else None


def packed(value):
    return zlib.compress(orjson.dumps(value), 1) if value is not None else b""


class Migration(migrations.Migration):
    dependencies = [("inventory", "0008_tell_that_rows_were_repriced")]

    operations = [
        migrations.AddField(
            model_name="stockpart",
            name="lots_without_price",
            field=models.PositiveIntegerField(
                default=0, help_text="rows that hold pieces and are not in the value"
            ),
        ),
        # On the way back the table is made anew after all that follows.
        migrations.RunPython(migrations.RunPython.noop, make_triggers),
        migrations.AlterField(
            model_name="inventoryitem",
            name="price",
            field=models.DecimalField(
                blank=True,
                decimal_places=4,
                help_text="of one piece; empty: no price",
                max_digits=12,
                null=True,
            ),
        ),
        migrations.RunPython(to_null, to_zero),
    ]
