"""No price becomes null, as in the stock. Until now it was 0, so each 0 was none."""

from decimal import Decimal

from django.db import migrations, models


def to_null(apps, schema_editor):
    apps.get_model("batches", "BatchItem").objects.filter(price=0).update(price=None)
    rewrite_acts(apps, lambda kept: kept is not None and not Decimal(kept), None)


def to_zero(apps, schema_editor):
    apps.get_model("batches", "BatchItem").objects.filter(price=None).update(price=0)
    rewrite_acts(apps, lambda kept: kept is None, "0")


def rewrite_acts(apps, is_none, becomes):
    """Say of the items that acts keep what the batches say."""
    acts = apps.get_model("batches", "BatchAct").objects
    for act in acts.order_by("pk").iterator(chunk_size=20):
        images = [row[side] for row in act.rows for side in ("before", "after") if row[side]]
        touched = [one for one in images if "price" in one and is_none(one["price"])]
        for one in touched:
            one["price"] = becomes
        if touched:
            acts.filter(pk=act.pk).update(rows=act.rows)


class Migration(migrations.Migration):
    dependencies = [("batches", "0009_name_what_was_done")]

    operations = [
        migrations.AlterField(
            model_name="batchitem",
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
