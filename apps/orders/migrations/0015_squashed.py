import django.db.models.deletion
import django.db.models.functions.text
from django.conf import settings
from django.db import migrations, models

import apps.core.ownership
import apps.orders.models.hook
from apps.core.new_tables import NewTables


class Migration(NewTables):
    replaces = [
        ("orders", "0004_find_lines_by_item"),
        ("orders", "0005_hold_orders_of_unknown_status"),
        ("orders", "0006_pieces_taken_at_the_marketplace"),
        ("orders", "0007_erase_buyers"),
        ("orders", "0008_keep_the_day_of_an_order"),
        ("orders", "0009_keep_which_pieces_were_out"),
        ("orders", "0010_remember_forgotten_buyers"),
        ("orders", "0011_keep_unknown_conditions"),
        ("orders", "0012_combine_orders_in_a_parcel"),
        ("orders", "0013_keep_who_acted_on_orders"),
        ("orders", "0014_order_is_dated"),
        ("orders", "0015_name_the_program_of_events_and_walks"),
    ]

    initial = True

    dependencies = [
        ("accounts", "__first__"),
        ("catalog", "0009_search_by_length_of_names"),
    ]

    operations = [
        migrations.CreateModel(
            name="ForgottenBuyer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("mark", models.CharField(max_length=64, unique=True)),
                ("created_at", models.DateTimeField()),
            ],
            options={
                "verbose_name": "forgotten buyer",
            },
        ),
        migrations.CreateModel(
            name="OrderHook",
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
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "secret",
                    models.CharField(
                        default=apps.orders.models.hook.new_secret, max_length=43, unique=True
                    ),
                ),
                ("heard_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "verbose_name": "address for hints on orders",
                "verbose_name_plural": "addresses for hints on orders",
            },
        ),
        migrations.CreateModel(
            name="Order",
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
                    models.CharField(
                        choices=[("store", "Store"), ("file", "File"), ("hand", "By hand")],
                        max_length=5,
                    ),
                ),
                ("number", models.CharField(max_length=60)),
                ("marketplace_order_id", models.BigIntegerField(blank=True, null=True)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("new", "New"),
                            ("paid", "To pick"),
                            ("picked", "To pack"),
                            ("packed", "To ship"),
                            ("shipped", "Shipped"),
                            ("done", "Done"),
                            ("cancelled", "Cancelled"),
                            ("problem", "Problem"),
                        ],
                        default="new",
                        max_length=9,
                    ),
                ),
                ("status", models.CharField(blank=True, default="", max_length=40)),
                ("payment_status", models.CharField(blank=True, default="", max_length=40)),
                ("payment_method", models.TextField(blank=True, default="")),
                ("paid_at", models.DateTimeField(blank=True, null=True)),
                ("ordered_at", models.DateTimeField()),
                (
                    "is_dated",
                    models.BooleanField(
                        default=True, help_text="false: no date is known; it came in at `orderedAt`"
                    ),
                ),
                (
                    "ordered_on",
                    models.DateField(
                        blank=True,
                        help_text="the day, the same in every zone, if no time is known",
                        null=True,
                    ),
                ),
                ("changed_at", models.DateTimeField(help_text="at the marketplace")),
                ("buyer", models.TextField(blank=True, default="")),
                ("buyer_email", models.TextField(blank=True, default="")),
                ("remarks", models.TextField(blank=True, default="", help_text="the buyer's")),
                ("address_name", models.TextField(blank=True, default="")),
                ("address", models.TextField(blank=True, default="")),
                ("country", models.CharField(blank=True, default="", max_length=60)),
                ("shipping_method", models.TextField(blank=True, default="")),
                ("tracking_number", models.CharField(blank=True, default="", max_length=100)),
                ("currency", models.CharField(max_length=3)),
                ("subtotal", models.DecimalField(decimal_places=4, default=0, max_digits=12)),
                ("shipping", models.DecimalField(decimal_places=4, default=0, max_digits=12)),
                ("insurance", models.DecimalField(decimal_places=4, default=0, max_digits=12)),
                ("fees", models.DecimalField(decimal_places=4, default=0, max_digits=12)),
                ("credit", models.DecimalField(decimal_places=4, default=0, max_digits=12)),
                ("tax", models.DecimalField(decimal_places=4, default=0, max_digits=12)),
                ("vat", models.DecimalField(decimal_places=4, default=0, max_digits=12)),
                ("total", models.DecimalField(decimal_places=4, default=0, max_digits=12)),
                (
                    "refunded",
                    models.DecimalField(
                        decimal_places=4, default=0, help_text="given back, in all", max_digits=12
                    ),
                ),
                (
                    "grams",
                    models.DecimalField(
                        blank=True,
                        decimal_places=2,
                        help_text="as reported",
                        max_digits=14,
                        null=True,
                    ),
                ),
                (
                    "weighed_grams",
                    models.DecimalField(blank=True, decimal_places=2, max_digits=14, null=True),
                ),
                (
                    "pieces_told",
                    models.PositiveIntegerField(default=0, help_text="by the marketplace"),
                ),
                ("is_filed", models.BooleanField(default=False)),
                ("packed_at", models.DateTimeField(blank=True, null=True)),
                ("shipped_at", models.DateTimeField(blank=True, null=True)),
                ("note", models.TextField(blank=True, default="", help_text="ours")),
                (
                    "parcel",
                    models.ForeignKey(
                        blank=True,
                        help_text="the order of the same buyer in whose parcel it is sent",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="combined",
                        to="orders.order",
                    ),
                ),
                (
                    "buyer_erased_at",
                    models.DateTimeField(
                        blank=True,
                        help_text="from then on the buyer's data is not stored again",
                        null=True,
                    ),
                ),
            ],
            options={
                "verbose_name": "order",
                "ordering": ("-ordered_at", "-id"),
                "indexes": [
                    models.Index(
                        models.F("owner"),
                        models.OrderBy(models.F("ordered_at"), descending=True),
                        models.OrderBy(models.F("id"), descending=True),
                        name="order_by_date",
                    ),
                    models.Index(fields=["owner", "state"], name="order_by_state"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("marketplace_order_id__isnull", False)),
                        fields=("owner", "marketplace_order_id"),
                        name="order_once",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="OrderLine",
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
                    "order",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="lines",
                        to="orders.order",
                    ),
                ),
                ("key", models.CharField(max_length=60)),
                ("marketplace_lot_id", models.BigIntegerField(blank=True, null=True)),
                (
                    "lot",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="catalog.lot",
                    ),
                ),
                ("item_type", models.CharField(max_length=20)),
                ("item_number", models.CharField(max_length=60)),
                ("item_name", models.TextField(blank=True, default="")),
                ("color_id", models.IntegerField(default=0)),
                ("color_name", models.TextField(blank=True, default="")),
                (
                    "condition",
                    models.CharField(
                        choices=[("N", "new"), ("U", "used"), ("?", "not understood")], max_length=1
                    ),
                ),
                (
                    "sub_condition",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "none"),
                            ("C", "complete"),
                            ("I", "incomplete"),
                            ("M", "sealed"),
                        ],
                        default="",
                        max_length=1,
                    ),
                ),
                ("quantity", models.PositiveIntegerField()),
                (
                    "price",
                    models.DecimalField(
                        decimal_places=4, help_text="of one piece, after tiers", max_digits=12
                    ),
                ),
                (
                    "is_out",
                    models.BooleanField(
                        default=False,
                        help_text="the stock did not count its pieces when the order arrived",
                    ),
                ),
                ("remarks", models.TextField(blank=True, default="")),
                ("comments", models.TextField(blank=True, default="")),
                (
                    "piece_grams",
                    models.DecimalField(blank=True, decimal_places=4, max_digits=14, null=True),
                ),
                (
                    "taken",
                    models.PositiveIntegerField(
                        default=0, help_text="pieces that it takes from the lot at the marketplace"
                    ),
                ),
                ("picked", models.PositiveIntegerField(default=0)),
                ("short", models.PositiveIntegerField(default=0)),
                ("returned", models.PositiveIntegerField(default=0)),
                (
                    "short_reason",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("not_found", "Not found"),
                            ("damaged", "Damaged"),
                            ("too_few", "Too few"),
                        ],
                        default="",
                        max_length=9,
                    ),
                ),
                (
                    "is_checked",
                    models.BooleanField(default=False, help_text="seen while it was packed"),
                ),
            ],
            options={
                "verbose_name": "line of an order",
                "verbose_name_plural": "lines of orders",
                "ordering": ("id",),
                "indexes": [
                    models.Index(
                        models.F("owner"),
                        django.db.models.functions.text.Upper("item_number"),
                        name="orderline_by_item",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("order", "key"), name="orderline_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="OrderEvent",
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
                    "order",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="events",
                        to="orders.order",
                    ),
                ),
                ("at", models.DateTimeField()),
                (
                    "by",
                    models.ForeignKey(
                        db_index=False,
                        default=apps.core.ownership.acting_person,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "program",
                    models.CharField(
                        blank=True,
                        default=apps.core.ownership.acting_program,
                        help_text="the name of the token that it was done by",
                        max_length=60,
                    ),
                ),
                ("kind", models.CharField(max_length=20)),
                ("text", models.TextField()),
                ("is_difference", models.BooleanField(default=False)),
                ("seen_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "verbose_name": "event of an order",
                "verbose_name_plural": "events of orders",
                "ordering": ("-id",),
            },
        ),
        migrations.CreateModel(
            name="OrderIntent",
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
                    "order",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="intents",
                        to="orders.order",
                    ),
                ),
                (
                    "step",
                    models.CharField(
                        choices=[
                            ("packed", "Packed"),
                            ("tracking", "Tracking number"),
                            ("shipped", "Shipped"),
                            ("filed", "Filed"),
                            ("cancelled", "Cancelled"),
                        ],
                        max_length=10,
                    ),
                ),
                ("value", models.CharField(blank=True, default="", max_length=100)),
                (
                    "state",
                    models.CharField(
                        choices=[("planned", "Planned"), ("done", "Done"), ("refused", "Refused")],
                        default="planned",
                        max_length=8,
                    ),
                ),
                (
                    "reason",
                    models.TextField(blank=True, default="", help_text="why it was refused"),
                ),
            ],
            options={
                "verbose_name": "what the marketplace is told of an order",
                "verbose_name_plural": "what the marketplace is told of orders",
                "ordering": ("id",),
                "constraints": [
                    models.UniqueConstraint(fields=("order", "step"), name="orderintent_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="PickWalk",
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
                    "by",
                    models.ForeignKey(
                        db_index=False,
                        default=apps.core.ownership.acting_person,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "program",
                    models.CharField(
                        blank=True,
                        default=apps.core.ownership.acting_program,
                        help_text="the name of the token that it was done by",
                        max_length=60,
                    ),
                ),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                ("stops_done", models.PositiveIntegerField(default=0)),
            ],
            options={
                "verbose_name": "pick walk",
                "ordering": ("-id",),
            },
        ),
        migrations.CreateModel(
            name="WalkOrder",
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
                    "walk",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="orders",
                        to="orders.pickwalk",
                    ),
                ),
                (
                    "order",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="walks",
                        to="orders.order",
                    ),
                ),
                ("tray", models.CharField(max_length=2)),
                ("is_open", models.BooleanField(default=True)),
            ],
            options={
                "verbose_name": "order in a walk",
                "verbose_name_plural": "orders in walks",
                "ordering": ("tray",),
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("is_open", True)),
                        fields=("order",),
                        name="walkorder_open_once",
                    )
                ],
            },
        ),
    ]
