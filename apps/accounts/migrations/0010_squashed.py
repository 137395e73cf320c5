import uuid

import django.db.models.deletion
import django.db.models.functions.text
from django.conf import settings
from django.db import migrations, models

from apps.core.new_tables import NewTables


class Migration(NewTables):
    replaces = [
        ("accounts", "0006_keep_own_views_of_the_inventory"),
        ("accounts", "0002_keep_the_mark_of_the_password_with_the_session"),
        ("accounts", "0007_keep_what_slips_name_and_how_long_buyers_are_kept"),
        ("accounts", "0008_make_tokens_for_programs"),
        ("accounts", "0009_invite_people_into_a_store"),
        ("accounts", "0010_keep_second_factors"),
    ]

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
                ("email_confirmed_at", models.DateTimeField(blank=True, null=True)),
                ("name", models.CharField(max_length=150)),
                ("is_staff", models.BooleanField(default=False)),
                ("is_active", models.BooleanField(default=True)),
                ("is_demo", models.BooleanField(default=False)),
                ("bidder_name", models.CharField(blank=True, max_length=100)),
                ("zip_code", models.CharField(blank=True, max_length=12)),
                (
                    "units",
                    models.CharField(
                        choices=[("g", "grams"), ("oz", "ounces")], default="g", max_length=2
                    ),
                ),
                ("time_zone", models.CharField(blank=True, max_length=64)),
                (
                    "seller_address",
                    models.TextField(blank=True, default="", help_text="on packing slips"),
                ),
                (
                    "vat_id",
                    models.CharField(blank=True, default="", help_text="the same", max_length=40),
                ),
                (
                    "buyer_data_months",
                    models.PositiveSmallIntegerField(
                        default=24,
                        help_text="names, addresses and mails of buyers are erased after these",
                    ),
                ),
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
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="preferences",
                        to=settings.AUTH_USER_MODEL,
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
                (
                    "inventory_views",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text="the person's own views: name and query of each",
                    ),
                ),
                ("updated_at", models.DateTimeField(auto_now=True)),
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
            name="Erasure",
            fields=[
                ("holder_id", models.BigIntegerField(primary_key=True, serialize=False)),
            ],
        ),
        migrations.CreateModel(
            name="Membership",
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
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("manager", "Manager"),
                            ("sorter", "Sorter"),
                            ("picker", "Picker"),
                        ],
                        max_length=8,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("owner", "person"), name="membership_once"),
                    models.CheckConstraint(
                        condition=models.Q(("owner", models.F("person")), _negated=True),
                        name="membership_of_another_person",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Invitation",
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
                    "role",
                    models.CharField(
                        choices=[
                            ("manager", "Manager"),
                            ("sorter", "Sorter"),
                            ("picker", "Picker"),
                        ],
                        max_length=8,
                    ),
                ),
                ("token_hash", models.CharField(max_length=64, unique=True)),
                (
                    "email_address",
                    models.EmailField(
                        blank=True, help_text="where it was mailed; else blank", max_length=254
                    ),
                ),
                ("expires_at", models.DateTimeField()),
            ],
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
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="refresh_grants",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "store",
                    models.ForeignKey(
                        help_text="null: the user's own",
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("issued_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField(db_index=True)),
                ("device", models.CharField(blank=True, max_length=60)),
                ("password_mark", models.CharField(help_text="rules.password_mark", max_length=64)),
                (
                    "replaced_by",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="replaces",
                        to="accounts.refreshgrant",
                    ),
                ),
                ("replaced_at", models.DateTimeField(null=True)),
                ("revoked_at", models.DateTimeField(null=True)),
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
            name="ApiToken",
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
                ("public", models.CharField(max_length=16, unique=True)),
                ("token_hash", models.CharField(max_length=64)),
                ("name", models.CharField(max_length=60)),
                ("scopes", models.JSONField(default=list, help_text="such as stock:read")),
                (
                    "addresses",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text="networks it is allowed from; none: from anywhere",
                    ),
                ),
                ("expires_at", models.DateTimeField()),
                (
                    "last_used_at",
                    models.DateTimeField(blank=True, help_text="to the minute", null=True),
                ),
            ],
            options={
                "verbose_name": "API token",
            },
        ),
        migrations.CreateModel(
            name="Authenticator",
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
                ("sealed_secret", models.TextField(help_text="encrypted, see core/sealing.py")),
                ("confirmed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "last_step",
                    models.BigIntegerField(
                        default=0,
                        help_text="of 30 s, whose code was used: none up to it counts again",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("owner",), name="authenticator_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="Passkey",
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
                ("name", models.CharField(max_length=60)),
                (
                    "credential_id",
                    models.CharField(help_text="base64url", max_length=1400, unique=True),
                ),
                ("public_key", models.TextField(help_text="base64url")),
                ("sign_count", models.BigIntegerField(default=0)),
                (
                    "asked_at",
                    models.DateTimeField(
                        blank=True,
                        help_text="of the question answered last: no older one counts",
                        null=True,
                    ),
                ),
                ("last_used_at", models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name="RecoveryCode",
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
                ("code_hash", models.CharField(max_length=64, unique=True)),
            ],
        ),
        migrations.CreateModel(
            name="RememberedDevice",
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
                ("token_hash", models.CharField(max_length=64, unique=True)),
                ("device", models.CharField(blank=True, max_length=60)),
                ("family", models.UUIDField(help_text="the session that began there last")),
                ("expires_at", models.DateTimeField(db_index=True)),
            ],
        ),
    ]
