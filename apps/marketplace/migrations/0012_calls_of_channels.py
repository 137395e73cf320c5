import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("marketplace", "0011_name_the_channel_of_each_connection")]

    operations = [
        migrations.RemoveField("marketplaceconnection", "marketplace"),
        migrations.AlterField(
            "marketplaceconnection",
            "channel",
            models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="connection",
                to="inventory.channel",
            ),
        ),
        migrations.AlterField(
            "callday",
            "channel",
            models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="call_days",
                to="inventory.channel",
            ),
        ),
        migrations.RemoveConstraint("callday", "callday_once"),
        migrations.AddConstraint(
            "callday",
            models.UniqueConstraint(fields=("owner", "channel", "day"), name="callday_once"),
        ),
    ]
