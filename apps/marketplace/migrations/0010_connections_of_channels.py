import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("inventory", "0034_each_lot_has_its_channel"),
        ("marketplace", "0009_ask_for_prices_by_person"),
    ]

    operations = [
        migrations.AddField(
            "marketplaceconnection",
            "channel",
            models.OneToOneField(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="connection",
                to="inventory.channel",
            ),
        ),
        migrations.AddField(
            "callday",
            "channel",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="call_days",
                to="inventory.channel",
            ),
        ),
    ]
