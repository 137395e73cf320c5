from decimal import Decimal

import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from apps.core.new_tables import NewTables


class Migration(NewTables):
    initial = True

    dependencies = [
        ("accounts", "__first__"),
    ]

    operations = [
        migrations.CreateModel(
            name="BuyerOptions",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "tax_percent",
                    models.DecimalField(
                        decimal_places=3,
                        default=Decimal("0"),
                        max_digits=5,
                        validators=[
                            django.core.validators.MinValueValidator(0),
                            django.core.validators.MaxValueValidator(99),
                        ],
                    ),
                ),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "fee_percent",
                    models.DecimalField(
                        decimal_places=3,
                        default=Decimal("6"),
                        help_text="what marketplace and payment take of a sale",
                        max_digits=5,
                        validators=[
                            django.core.validators.MinValueValidator(0),
                            django.core.validators.MaxValueValidator(99),
                        ],
                    ),
                ),
                (
                    "hourly_rate",
                    models.DecimalField(
                        decimal_places=4,
                        default=Decimal("0"),
                        help_text="what an hour of sorting is worth, in dollars",
                        max_digits=12,
                        validators=[django.core.validators.MinValueValidator(0)],
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "buyer options",
            },
        ),
        migrations.CreateModel(
            name="SiteState",
            fields=[
                (
                    "id",
                    models.PositiveSmallIntegerField(default=1, primary_key=True, serialize=False),
                ),
                ("next_call_at", models.DateTimeField(blank=True, null=True)),
                ("halted_until", models.DateTimeField(blank=True, null=True)),
                ("halted_because", models.CharField(blank=True, default="", max_length=300)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("id", 1)), name="sitestate_is_one_row"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="AuctionListing",
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
                    "origin",
                    models.CharField(
                        choices=[("site", "Site"), ("entered", "Entered")],
                        default="site",
                        max_length=10,
                    ),
                ),
                ("external_id", models.CharField(blank=True, default="", max_length=20)),
                ("title", models.CharField(max_length=300)),
                ("description", models.TextField(blank=True, default="", help_text="plain text")),
                ("seller", models.CharField(blank=True, default="", max_length=200)),
                ("location", models.CharField(blank=True, default="", max_length=200)),
                ("image_url", models.CharField(blank=True, default="", max_length=500)),
                ("listing_url", models.CharField(blank=True, default="", max_length=500)),
                ("current_price", models.DecimalField(decimal_places=4, max_digits=12)),
                (
                    "minimum_bid",
                    models.DecimalField(blank=True, decimal_places=4, max_digits=12, null=True),
                ),
                (
                    "buy_it_now_price",
                    models.DecimalField(blank=True, decimal_places=4, max_digits=12, null=True),
                ),
                ("bid_count", models.PositiveIntegerField(default=0)),
                ("highest_bidder", models.CharField(blank=True, default="", max_length=100)),
                ("end_time", models.DateTimeField(blank=True, null=True)),
                ("is_auction", models.BooleanField(default=True)),
                ("is_pickup_only", models.BooleanField(default=False)),
                (
                    "weight_grams",
                    models.DecimalField(blank=True, decimal_places=2, max_digits=10, null=True),
                ),
                (
                    "shipping_cost",
                    models.DecimalField(blank=True, decimal_places=4, max_digits=12, null=True),
                ),
                ("shipping_method", models.CharField(blank=True, default="", max_length=100)),
                (
                    "handling_cost",
                    models.DecimalField(blank=True, decimal_places=4, max_digits=12, null=True),
                ),
                ("shipping_at", models.DateTimeField(blank=True, null=True)),
                (
                    "landed_cost",
                    models.DecimalField(
                        blank=True, decimal_places=4, editable=False, max_digits=24, null=True
                    ),
                ),
                (
                    "landed_per_kg",
                    models.DecimalField(
                        blank=True, decimal_places=4, editable=False, max_digits=24, null=True
                    ),
                ),
                (
                    "watch",
                    models.CharField(
                        blank=True,
                        choices=[("", "none"), ("watching", "watching"), ("rejected", "rejected")],
                        max_length=10,
                    ),
                ),
                (
                    "my_bid",
                    models.DecimalField(
                        blank=True,
                        decimal_places=4,
                        help_text="bid at the site",
                        max_digits=12,
                        null=True,
                    ),
                ),
                (
                    "max_bid",
                    models.DecimalField(
                        blank=True,
                        decimal_places=4,
                        help_text="never more than",
                        max_digits=12,
                        null=True,
                    ),
                ),
                ("note", models.CharField(blank=True, default="", max_length=1000)),
                (
                    "outcome",
                    models.CharField(
                        blank=True,
                        choices=[("", "none"), ("won", "won"), ("lost", "lost")],
                        max_length=10,
                    ),
                ),
                (
                    "checked_at",
                    models.DateTimeField(
                        blank=True, help_text="when the site was asked", null=True
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
                "indexes": [
                    models.Index(
                        models.F("owner"),
                        models.F("end_time"),
                        models.F("id"),
                        name="auctionlisting_by_end",
                    ),
                    models.Index(
                        models.F("owner"),
                        models.F("current_price"),
                        models.F("id"),
                        name="auctionlisting_by_price",
                    ),
                    models.Index(
                        models.F("owner"),
                        models.F("landed_cost"),
                        models.F("id"),
                        name="auctionlisting_by_landed",
                    ),
                    models.Index(
                        models.F("owner"),
                        models.F("landed_per_kg"),
                        models.F("id"),
                        name="auctionlisting_by_kg",
                    ),
                    models.Index(
                        models.F("owner"),
                        models.F("bid_count"),
                        models.F("id"),
                        name="auctionlisting_by_bids",
                    ),
                    models.Index(
                        condition=models.Q(("my_bid__isnull", False)),
                        fields=["owner", "my_bid"],
                        name="auctionlisting_my_bids",
                    ),
                    models.Index(fields=["owner", "id"], name="auctionlisting_by_making"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("external_id", ""), _negated=True),
                        fields=("owner", "external_id"),
                        name="auctionlisting_once_per_owner",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("shipping_at__isnull", True),
                            ("shipping_cost__isnull", False),
                            _connector="OR",
                        ),
                        name="auctionlisting_calculated_has_its_cost",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="AuctionSearch",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("text", models.CharField(max_length=100)),
                ("is_active", models.BooleanField(default=True)),
                ("run_at", models.DateTimeField(blank=True, null=True)),
                ("found_count", models.PositiveIntegerField(default=0)),
                ("problem", models.CharField(blank=True, default="", max_length=300)),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "auction searches",
                "ordering": ("text", "id"),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("owner", "text"), name="auctionsearch_once_per_owner"
                    )
                ],
            },
        ),
    ]
