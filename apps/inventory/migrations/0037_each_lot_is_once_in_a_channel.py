from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("inventory", "0036_number_each_lot_as_its_channel")]

    operations = [
        migrations.AlterField(
            "channellot",
            "remote_lot_id",
            models.BigIntegerField(help_text="the id of the lot at the marketplace"),
        ),
        migrations.RemoveConstraint("channellot", "channellot_once"),
        migrations.AddConstraint(
            "channellot",
            models.UniqueConstraint(
                fields=("owner", "marketplace_lot_id", "channel"), name="channellot_of_a_lot_once"
            ),
        ),
        migrations.AddConstraint(
            "channellot",
            models.UniqueConstraint(fields=("owner", "remote_lot_id"), name="channellot_once"),
        ),
    ]
