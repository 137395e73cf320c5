import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """Note for each person which lots were asked for, and how many calls a day still allows.

    Which lots were asked for begins anew: the rows do not say for whom.
    """

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("catalog", "0011_figures_belong_to_who_asked"),
        ("marketplace", "0008_connect_another_marketplace"),
    ]

    operations = [
        migrations.AddField(
            "callday",
            "allowance",
            models.PositiveIntegerField(
                blank=True,
                help_text="all calls of the day, once the marketplace refused more",
                null=True,
            ),
        ),
        migrations.AddField("callday", "refused_at", models.DateTimeField(blank=True, null=True)),
        migrations.DeleteModel("LotRefresh"),
        migrations.CreateModel(
            name="LotRefresh",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("currency", models.CharField(max_length=3)),
                (
                    "claimed_by",
                    models.CharField(blank=True, default="", help_text="a job", max_length=36),
                ),
                ("claimed_until", models.DateTimeField(blank=True, null=True)),
                ("refreshed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "unknown_at",
                    models.DateTimeField(
                        blank=True,
                        help_text="when the marketplace said that it does not know the lot",
                        null=True,
                    ),
                ),
                (
                    "lot",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="catalog.lot",
                    ),
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
                "verbose_name": "price refresh",
                "verbose_name_plural": "price refreshes",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("owner", "lot", "currency"), name="lotrefresh_once"
                    )
                ],
            },
        ),
    ]
