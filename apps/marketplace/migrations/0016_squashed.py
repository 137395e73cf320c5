import django.db.models.deletion
import django.db.models.expressions
from django.conf import settings
from django.db import migrations, models

from apps.core.new_tables import NewTables


class Migration(NewTables):
    replaces = [
        ("marketplace", "0008_connect_another_marketplace"),
        ("marketplace", "0009_ask_for_prices_by_person"),
        ("marketplace", "0010_connections_of_channels"),
        ("marketplace", "0011_name_the_channel_of_each_connection"),
        ("marketplace", "0012_calls_of_channels"),
        ("marketplace", "0013_stores_of_a_person"),
        ("marketplace", "0014_a_store_that_needs_a_plan"),
        ("marketplace", "0015_stores_that_get_what_they_lack"),
        ("marketplace", "0016_pause_a_store"),
    ]

    initial = True

    dependencies = [
        ("accounts", "__first__"),
        ("catalog", "0009_search_by_length_of_names"),
        ("inventory", "0032_lots_of_channels"),
    ]

    operations = [
        migrations.CreateModel(
            name="MarketplaceConnection",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "channel",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="connection",
                        to="inventory.channel",
                    ),
                ),
                ("sealed", models.TextField(help_text="the secrets, encrypted")),
                ("is_demo", models.BooleanField(default=False, help_text="of the demo store")),
                (
                    "state",
                    models.CharField(
                        choices=[("untested", "Untested"), ("ok", "Ok"), ("refused", "Refused")],
                        default="untested",
                        max_length=8,
                    ),
                ),
                ("problem", models.CharField(blank=True, default="", max_length=300)),
                (
                    "outgoing_address",
                    models.CharField(
                        blank=True,
                        default="",
                        help_text="ours, as the marketplace sees it",
                        max_length=45,
                    ),
                ),
                (
                    "guide_share",
                    models.PositiveSmallIntegerField(
                        default=80, help_text="percent of a day's calls that Get prices may use"
                    ),
                ),
                (
                    "needs_plan",
                    models.BooleanField(
                        db_default=False,
                        default=False,
                        help_text="connected beside another: left out of syncs until a plan with it was applied",
                    ),
                ),
                (
                    "puts_up",
                    models.BooleanField(
                        db_default=False,
                        default=False,
                        help_text="a person saw in a plan how many lots it lacks: syncs put up what it lacks later",
                    ),
                ),
                (
                    "is_paused",
                    models.BooleanField(
                        db_default=False,
                        default=False,
                        help_text="left out of syncs until it is resumed",
                    ),
                ),
                ("connected_at", models.DateTimeField()),
                ("tested_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("guide_share__range", (1, 80))),
                        name="marketplaceconnection_share_leaves_calls",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state", "refused"), _negated=True),
                            models.Q(("problem", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="marketplaceconnection_refused_has_a_reason",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="CallDay",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "owner",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "channel",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="call_days",
                        to="inventory.channel",
                    ),
                ),
                ("day", models.DateField()),
                ("total", models.PositiveIntegerField(default=0)),
                ("stock", models.PositiveIntegerField(default=0)),
                ("note", models.PositiveIntegerField(default=0)),
                ("price", models.PositiveIntegerField(default=0)),
                ("lookup", models.PositiveIntegerField(default=0)),
                ("guide", models.PositiveIntegerField(default=0)),
                (
                    "allowance",
                    models.PositiveIntegerField(
                        blank=True,
                        help_text="all calls of the day, once the marketplace refused more",
                        null=True,
                    ),
                ),
                ("refused_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "verbose_name": "calls of a day",
                "verbose_name_plural": "calls by day",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("owner", "channel", "day"), name="callday_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "total",
                                django.db.models.expressions.CombinedExpression(
                                    django.db.models.expressions.CombinedExpression(
                                        django.db.models.expressions.CombinedExpression(
                                            django.db.models.expressions.CombinedExpression(
                                                models.F("stock"), "+", models.F("note")
                                            ),
                                            "+",
                                            models.F("price"),
                                        ),
                                        "+",
                                        models.F("lookup"),
                                    ),
                                    "+",
                                    models.F("guide"),
                                ),
                            )
                        ),
                        name="callday_total_is_the_sum",
                    ),
                ],
            },
        ),
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
                (
                    "owner",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
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
        migrations.CreateModel(
            name="PriceWant",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "owner",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
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
                    "condition",
                    models.CharField(choices=[("N", "new"), ("U", "used")], max_length=1),
                ),
                (
                    "is_unasked",
                    models.BooleanField(
                        default=False, help_text="nobody asked: old figures of valuable stock"
                    ),
                ),
                (
                    "urgency",
                    models.BigIntegerField(
                        help_text="money at stake, times the age of its figures"
                    ),
                ),
            ],
            options={
                "verbose_name": "wanted price",
                "indexes": [
                    models.Index(
                        fields=["owner", "is_unasked", "-urgency", "id"],
                        name="pricewant_most_urgent_first",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("owner", "lot", "condition"), name="pricewant_once"
                    )
                ],
            },
        ),
    ]
