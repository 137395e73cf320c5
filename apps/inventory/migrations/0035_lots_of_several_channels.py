import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("inventory", "0034_each_lot_has_its_channel")]

    operations = [
        migrations.AddField("channellot", "remote_lot_id", models.BigIntegerField(null=True)),
        migrations.AddField(
            "inventorysync",
            "channel",
            models.ForeignKey(
                help_text="whose lots were read; none of a file",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                db_index=False,
                to="inventory.channel",
            ),
        ),
        migrations.AddField(
            "fieldconflict",
            "channel",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                db_index=False,
                to="inventory.channel",
            ),
        ),
    ]
