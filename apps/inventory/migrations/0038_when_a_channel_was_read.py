from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("inventory", "0037_each_lot_is_once_in_a_channel")]

    operations = [
        migrations.AddField(
            "channel",
            "read_at",
            models.DateTimeField(
                blank=True,
                help_text="shortly before a sync of several channels last read it",
                null=True,
            ),
        ),
    ]
