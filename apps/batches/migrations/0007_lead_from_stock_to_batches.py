"""Let the stock name the batches that its pieces came from; the tables stay as they are."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("inventory", "0008_tell_that_rows_were_repriced"),
        ("batches", "0006_tell_why_an_item_failed"),
    ]

    operations = [
        migrations.AlterField(
            model_name="batchitem",
            name="inventory_item",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="batch_items",
                to="inventory.inventoryitem",
            ),
        ),
    ]
