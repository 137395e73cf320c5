import uuid

import django.db.models.deletion
import django.db.models.functions.text
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.CreateModel(
            name="User",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                (
                    "last_login",
                    models.DateTimeField(blank=True, null=True, verbose_name="last login"),
                ),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                ("email_address", models.EmailField(max_length=254, unique=True)),
                ("name", models.CharField(max_length=150)),
                ("is_staff", models.BooleanField(default=False)),
                ("is_active", models.BooleanField(default=True)),
                ("is_demo", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
                ("bidder_name", models.CharField(blank=True, max_length=100)),
                ("time_zone", models.CharField(blank=True, max_length=64)),
                (
                    "units",
                    models.CharField(
                        choices=[("g", "grams"), ("oz", "ounces")], default="g", max_length=2
                    ),
                ),
                ("zip_code", models.CharField(blank=True, max_length=12)),
                ("email_confirmed_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "email_address",
                                django.db.models.functions.text.Lower("email_address"),
                            )
                        ),
                        name="user_email_address_is_lower_case",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Preferences",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "currency",
                    models.CharField(
                        choices=[
                            ("ARS", "ARS"),
                            ("AUD", "AUD"),
                            ("BRL", "BRL"),
                            ("CAD", "CAD"),
                            ("CNY", "CNY"),
                            ("CZK", "CZK"),
                            ("DKK", "DKK"),
                            ("EUR", "EUR"),
                            ("GBP", "GBP"),
                            ("GTQ", "GTQ"),
                            ("HKD", "HKD"),
                            ("HUF", "HUF"),
                            ("IDR", "IDR"),
                            ("INR", "INR"),
                            ("ILS", "ILS"),
                            ("JPY", "JPY"),
                            ("KRW", "KRW"),
                            ("MOP", "MOP"),
                            ("MYR", "MYR"),
                            ("MXN", "MXN"),
                            ("NOK", "NOK"),
                            ("NZD", "NZD"),
                            ("PHP", "PHP"),
                            ("PLN", "PLN"),
                            ("RON", "RON"),
                            ("RSD", "RSD"),
                            ("RUB", "RUB"),
                            ("SEK", "SEK"),
                            ("SGD", "SGD"),
                            ("CHF", "CHF"),
                            ("THB", "THB"),
                            ("TRY", "TRY"),
                            ("TWD", "TWD"),
                            ("UAH", "UAH"),
                            ("USD", "USD"),
                            ("ZAR", "ZAR"),
                        ],
                        default="USD",
                        max_length=3,
                    ),
                ),
                ("last_sold_recent_days", models.PositiveSmallIntegerField(default=30)),
                ("last_sold_moderate_days", models.PositiveSmallIntegerField(default=180)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="preferences",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "inventory_views",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text="the person's own views: name and query of each",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "preferences",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("last_sold_recent_days__lte", models.F("last_sold_moderate_days"))
                        ),
                        name="preferences_recent_is_within_moderate",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="RefreshGrant",
            fields=[
                (
                    "jti",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("family", models.UUIDField(db_index=True)),
                ("issued_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField(db_index=True)),
                ("replaced_at", models.DateTimeField(null=True)),
                ("revoked_at", models.DateTimeField(null=True)),
                (
                    "replaced_by",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="replaces",
                        to="accounts.refreshgrant",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="refresh_grants",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("device", models.CharField(blank=True, max_length=60)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("replaced_by", None), ("replaced_at__isnull", False), _connector="OR"
                        ),
                        name="refresh_grant_replaced_by_has_an_instant",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Erasure",
            fields=[
                ("holder_id", models.BigIntegerField(primary_key=True, serialize=False)),
            ],
        ),
    ]
