import django.db.models.deletion
from django.db import migrations, models

LIVE = ("deleted_in", None)
FIGURES = ["batch", "is_listed", "is_stowed", "quantity", "price"]


class Migration(migrations.Migration):
    dependencies = [
        ("batches", "0016_sort_batches_in_natural_order"),
        ("lots", "0001_keep_acts"),
    ]

    operations = [
        migrations.AlterField(
            model_name="batchitem",
            name="batch",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="items",
                related_query_name="items_with_deleted",
                to="batches.batch",
            ),
        ),
        migrations.AlterField(
            model_name="batchitem",
            name="inventory_item",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="batch_items",
                related_query_name="batch_items_with_deleted",
                to="inventory.inventoryitem",
            ),
        ),
        migrations.AddField(
            model_name="batchitem",
            name="deleted_in",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="lots.keptact",
            ),
        ),
        migrations.RemoveIndex(model_name="batchitem", name="batchitem_figures"),
        migrations.RemoveIndex(model_name="batchitem", name="batchitem_by_stowing"),
        migrations.RemoveIndex(model_name="batchitem", name="batchitem_by_listing"),
        migrations.RemoveIndex(model_name="batchitem", name="batchitem_unknown"),
        migrations.AddIndex(
            model_name="batchitem",
            index=models.Index(condition=models.Q(LIVE), fields=FIGURES, name="batchitem_figures"),
        ),
        migrations.AddIndex(
            model_name="batchitem",
            index=models.Index(
                condition=models.Q(LIVE, ("stowed_at__isnull", False)),
                fields=["owner", "stowed_at", "quantity"],
                name="batchitem_by_stowing",
            ),
        ),
        migrations.AddIndex(
            model_name="batchitem",
            index=models.Index(
                condition=models.Q(LIVE, ("listed_at__isnull", False)),
                fields=["owner", "listed_at", "quantity"],
                name="batchitem_by_listing",
            ),
        ),
        migrations.AddIndex(
            model_name="batchitem",
            index=models.Index(
                condition=models.Q(LIVE, ("lot", None)),
                fields=["owner", "is_stowed", "quantity"],
                name="batchitem_unknown",
            ),
        ),
        migrations.AddIndex(
            model_name="batchitem",
            index=models.Index(
                condition=models.Q(("deleted_in__isnull", False)),
                fields=["deleted_in"],
                name="batchitem_deleted",
            ),
        ),
    ]
