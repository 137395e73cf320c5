"""The account that a transaction erases: triggers let go with it what nobody else may delete."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0004_keep_when_an_address_was_confirmed")]
    operations = [
        migrations.CreateModel(
            name="Erasure",
            fields=[
                ("holder_id", models.BigIntegerField(primary_key=True, serialize=False)),
            ],
        ),
    ]
