"""Orders of files without dates have none."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("orders", "0013_keep_who_acted_on_orders")]

    operations = [
        migrations.AddField(
            model_name="order",
            name="is_dated",
            field=models.BooleanField(
                default=True, help_text="false: no date is known; it came in at `orderedAt`"
            ),
        ),
    ]
