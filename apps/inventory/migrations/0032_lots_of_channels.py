import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("inventory", "0031_acts_are_of_lots"),
    ]

    operations = [
        migrations.CreateModel(
            name="Channel",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("marketplace", models.CharField(max_length=16)),
                (
                    "first_lot_id",
                    models.BigIntegerField(help_text="the least id here of a lot of the channel"),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("owner", "marketplace"), name="channel_once"),
                    models.UniqueConstraint(
                        fields=("owner", "first_lot_id"), name="channel_ids_once"
                    ),
                ],
            },
        ),
        migrations.RenameModel("ReceivedLot", "ChannelLot"),
        migrations.AlterModelOptions(
            "channellot",
            {"verbose_name": "lot of a channel", "verbose_name_plural": "lots of channels"},
        ),
        migrations.RemoveConstraint("channellot", "receivedlot_once"),
        migrations.AddConstraint(
            "channellot",
            models.UniqueConstraint(fields=("owner", "marketplace_lot_id"), name="channellot_once"),
        ),
        migrations.RenameIndex(
            "channellot", new_name="channellot_by_change", old_name="receivedlot_by_change"
        ),
        migrations.AddField(
            "channellot",
            "channel",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="lots",
                to="inventory.channel",
            ),
        ),
    ]
