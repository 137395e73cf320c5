import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("inventory", "0038_when_a_channel_was_read"),
        ("listings", "0006_one_plan_for_both_ways"),
    ]

    operations = [
        migrations.AddField(
            "storesyncrow",
            "channel",
            models.ForeignKey(
                db_index=False,
                help_text="where it differs; none of a sync from before channels",
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="inventory.channel",
            ),
        ),
    ]
