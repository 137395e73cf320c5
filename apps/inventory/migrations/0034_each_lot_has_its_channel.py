import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("inventory", "0033_name_the_channel_of_each_lot")]

    operations = [
        migrations.AlterField(
            "channellot",
            "channel",
            models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="lots",
                to="inventory.channel",
            ),
        ),
    ]
