"""Listings for rows of stock beside those for batch items, and lots that go into a stockroom."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("marketplace", "0002_listings_and_store_syncs")]

    operations = [
        migrations.AlterField(
            model_name="listing",
            name="kind",
            field=models.CharField(
                choices=[("create", "Create"), ("top_up", "Top Up"), ("move", "Move")],
                max_length=6,
            ),
        ),
        migrations.AlterField(
            model_name="listingline",
            name="batch_item_id",
            field=models.BigIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="listingline",
            name="inventory_item_id",
            field=models.BigIntegerField(
                blank=True, help_text="the stock row that holds the pieces", null=True
            ),
        ),
        migrations.AddConstraint(
            model_name="listingline",
            constraint=models.UniqueConstraint(
                condition=Q(("batch_item_id__isnull", True), ("is_open", True)),
                fields=("inventory_item_id",),
                name="listingline_row_open_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="listingline",
            constraint=models.CheckConstraint(
                condition=Q(
                    ("batch_item_id__isnull", False),
                    ("inventory_item_id__isnull", False),
                    _connector="OR",
                ),
                name="listingline_is_for_something",
            ),
        ),
    ]
