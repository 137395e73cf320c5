from decimal import Decimal
from importlib import import_module

import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.comparison
import django.db.models.manager
from django.conf import settings
from django.db import migrations, models
from django.db.migrations.operations.base import Operation

import apps.core.ownership
import apps.inventory.models.sync
from apps.inventory.migrations import _triggers

_program = import_module("apps.inventory.migrations.0040_name_the_program_of_a_movement")

OPERATIONS: list[Operation] = [
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
            (
                "owner",
                models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="+",
                    to=settings.AUTH_USER_MODEL,
                ),
            ),
            ("marketplace", models.CharField(max_length=16)),
            (
                "first_lot_id",
                models.BigIntegerField(help_text="the least id here of a lot of the channel"),
            ),
            (
                "read_at",
                models.DateTimeField(
                    blank=True,
                    help_text="shortly before a sync of several channels last read it",
                    null=True,
                ),
            ),
            (
                "seen",
                models.CharField(
                    blank=True,
                    db_default="",
                    default="",
                    editable=False,
                    help_text="digest of the last reading in which nothing differed, and of the stock then",
                    max_length=64,
                ),
            ),
        ],
        options={
            "constraints": [
                models.UniqueConstraint(fields=("owner", "marketplace"), name="channel_once"),
                models.UniqueConstraint(fields=("owner", "first_lot_id"), name="channel_ids_once"),
            ],
        },
    ),
    migrations.CreateModel(
        name="ChannelLot",
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
                    related_name="lots",
                    to="inventory.channel",
                ),
            ),
            ("marketplace_lot_id", models.BigIntegerField()),
            (
                "remote_lot_id",
                models.BigIntegerField(help_text="the id of the lot at the marketplace"),
            ),
            ("received_at", models.DateTimeField()),
            (
                "sync_id",
                models.BigIntegerField(blank=True, help_text="the import that told it", null=True),
            ),
            ("quantity", models.IntegerField()),
            (
                "given_up",
                models.PositiveIntegerField(
                    db_default=0,
                    default=0,
                    help_text="pieces that orders gave up since the last reading: there again, or not",
                ),
            ),
            ("price", models.DecimalField(decimal_places=4, max_digits=12, null=True)),
            ("cost", models.DecimalField(decimal_places=4, max_digits=12)),
            ("condition", models.CharField(max_length=1)),
            ("sub_condition", models.CharField(blank=True, default="", max_length=1)),
            ("bulk", models.IntegerField(default=1)),
            ("sale", models.SmallIntegerField(default=0)),
            ("comments", models.TextField(blank=True, default="")),
            ("remarks", models.TextField(blank=True, default="")),
            ("retain", models.BooleanField(default=False)),
            ("stockroom", models.CharField(blank=True, default="", max_length=1)),
            ("tq1", models.IntegerField(default=0)),
            ("tp1", models.DecimalField(decimal_places=4, default=0, max_digits=12)),
            ("tq2", models.IntegerField(default=0)),
            ("tp2", models.DecimalField(decimal_places=4, default=0, max_digits=12)),
            ("tq3", models.IntegerField(default=0)),
            ("tp3", models.DecimalField(decimal_places=4, default=0, max_digits=12)),
        ],
        options={
            "verbose_name": "lot of a channel",
            "verbose_name_plural": "lots of channels",
            "indexes": [models.Index(fields=["owner", "-updated_at"], name="channellot_by_change")],
            "constraints": [
                models.UniqueConstraint(
                    fields=("owner", "marketplace_lot_id", "channel"),
                    name="channellot_of_a_lot_once",
                ),
                models.UniqueConstraint(fields=("owner", "remote_lot_id"), name="channellot_once"),
            ],
        },
    ),
    migrations.CreateModel(
        name="WithheldLot",
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
                models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="withheld",
                    to="inventory.channel",
                ),
            ),
            ("marketplace_lot_id", models.BigIntegerField(help_text="the number of the lot here")),
            ("is_refused", models.BooleanField(default=False)),
            ("reason", models.TextField()),
        ],
        options={
            "verbose_name": "withheld lot",
            "constraints": [
                models.UniqueConstraint(
                    fields=("channel", "marketplace_lot_id"), name="withheldlot_once"
                )
            ],
        },
    ),
    migrations.CreateModel(
        name="ChannelRule",
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
                    related_name="rule",
                    to="inventory.channel",
                ),
            ),
            ("left_out_types", models.JSONField(blank=True, default=list)),
            ("left_out_categories", models.JSONField(blank=True, default=list)),
            ("left_out_stockrooms", models.JSONField(blank=True, default=list)),
            ("left_out_marker", models.CharField(blank=True, default="", max_length=100)),
            (
                "least_value",
                models.DecimalField(blank=True, decimal_places=4, max_digits=12, null=True),
            ),
            (
                "most_value",
                models.DecimalField(blank=True, decimal_places=4, max_digits=12, null=True),
            ),
            ("least_pieces", models.PositiveIntegerField(default=1)),
            ("keep_back", models.PositiveIntegerField(default=0)),
            (
                "percent",
                models.DecimalField(decimal_places=2, default=Decimal("100"), max_digits=6),
            ),
            ("currency", models.CharField(blank=True, default="", max_length=3)),
            (
                "rate",
                models.DecimalField(
                    decimal_places=6,
                    default=Decimal("1"),
                    help_text="units of its currency for one of the person's",
                    max_digits=14,
                ),
            ),
            (
                "rounding",
                models.DecimalField(decimal_places=4, default=Decimal("0.0001"), max_digits=6),
            ),
        ],
        options={
            "constraints": [
                models.CheckConstraint(
                    condition=models.Q(("percent__gt", 0), ("rate__gt", 0), ("rounding__gt", 0)),
                    name="channelrule_prices_stay_above_0",
                )
            ],
        },
    ),
    migrations.CreateModel(
        name="FieldConflict",
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
            ("sync_id", models.BigIntegerField(help_text="the import that found it")),
            (
                "channel",
                models.ForeignKey(
                    db_index=False,
                    null=True,
                    on_delete=django.db.models.deletion.SET_NULL,
                    related_name="+",
                    to="inventory.channel",
                ),
            ),
            ("marketplace_lot_id", models.BigIntegerField()),
            ("name", models.CharField(blank=True, default="", max_length=400)),
            ("field", models.CharField(max_length=20)),
            ("before", models.TextField(blank=True, default="")),
            ("here", models.TextField(blank=True, default="")),
            ("there", models.TextField(blank=True, default="")),
            (
                "decision",
                models.CharField(
                    choices=[
                        ("open", "Open"),
                        ("mine", "Mine"),
                        ("theirs", "Theirs"),
                        ("agreed", "Agreed"),
                    ],
                    default="open",
                    max_length=6,
                ),
            ),
            ("by_rule", models.BooleanField(default=False)),
            ("decided_at", models.DateTimeField(blank=True, null=True)),
        ],
        options={
            "verbose_name": "field changed on both sides",
            "verbose_name_plural": "fields changed on both sides",
            "indexes": [models.Index(fields=["owner", "-id"], name="fieldconflict_newest_first")],
            "constraints": [
                models.UniqueConstraint(
                    condition=models.Q(("decision", "open")),
                    fields=("owner", "marketplace_lot_id", "field"),
                    name="fieldconflict_one_question",
                ),
                models.CheckConstraint(
                    condition=models.Q(
                        models.Q(("decided_at__isnull", True), ("decision", "open")),
                        models.Q(
                            models.Q(("decision", "open"), _negated=True),
                            ("decided_at__isnull", False),
                        ),
                        _connector="OR",
                    ),
                    name="fieldconflict_decided_has_its_instant",
                ),
            ],
        },
    ),
    migrations.CreateModel(
        name="StockPart",
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
                    db_index=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="+",
                    to=settings.AUTH_USER_MODEL,
                ),
            ),
            ("part", models.IntegerField()),
            ("item_type", models.CharField(blank=True, max_length=20)),
            ("lots", models.PositiveIntegerField(help_text="rows that hold pieces")),
            ("pieces", models.PositiveBigIntegerField()),
            ("value", models.DecimalField(decimal_places=4, max_digits=24)),
            (
                "spread_lots",
                models.PositiveIntegerField(
                    help_text="lots of a condition that lie in several places"
                ),
            ),
            (
                "lots_without_price",
                models.PositiveIntegerField(
                    default=0, help_text="rows that hold pieces and are not in the value"
                ),
            ),
        ],
        options={
            "constraints": [
                models.UniqueConstraint(
                    fields=("owner", "part", "item_type"), name="stockpart_once"
                )
            ],
        },
    ),
    migrations.CreateModel(
        name="StockSummary",
        fields=[
            (
                "owner",
                models.OneToOneField(
                    on_delete=django.db.models.deletion.CASCADE,
                    primary_key=True,
                    related_name="+",
                    serialize=False,
                    to=settings.AUTH_USER_MODEL,
                ),
            ),
            (
                "version",
                models.PositiveBigIntegerField(default=0, help_text="one more with each change"),
            ),
            (
                "told_version",
                models.PositiveBigIntegerField(default=0, help_text="that webhooks know of"),
            ),
        ],
        options={
            "verbose_name_plural": "stock summaries",
        },
    ),
    migrations.CreateModel(
        name="StockTouched",
        fields=[
            (
                "id",
                models.BigAutoField(
                    auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                ),
            ),
            ("holder_id", models.BigIntegerField(help_text="the owner")),
            ("part", models.IntegerField()),
        ],
        options={
            "verbose_name_plural": "stock touched",
            "indexes": [
                models.Index(fields=["holder_id", "part"], name="stocktouched_of_an_owner")
            ],
        },
    ),
    migrations.CreateModel(
        name="InventoryItem",
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
                    blank=True,
                    db_index=False,
                    null=True,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="+",
                    to="catalog.lot",
                ),
            ),
            (
                "raw_item_type",
                models.TextField(blank=True, default="", help_text="the letter of the file"),
            ),
            ("raw_item_number", models.TextField(blank=True, default="")),
            ("raw_item_name", models.TextField(blank=True, default="")),
            ("raw_color_id", models.IntegerField(blank=True, null=True)),
            ("raw_color_name", models.TextField(blank=True, default="")),
            ("raw_category_id", models.IntegerField(blank=True, null=True)),
            ("raw_category_name", models.TextField(blank=True, default="")),
            (
                "condition",
                models.CharField(
                    choices=[("N", "new"), ("U", "used"), ("?", "not understood")],
                    default="U",
                    max_length=1,
                ),
            ),
            (
                "condition_text",
                models.TextField(
                    blank=True,
                    db_default="",
                    default="",
                    help_text="of a condition that was not understood",
                ),
            ),
            (
                "sub_condition",
                models.CharField(
                    blank=True,
                    choices=[("", "none"), ("C", "complete"), ("I", "incomplete"), ("M", "sealed")],
                    default="",
                    max_length=1,
                ),
            ),
            ("quantity", models.PositiveIntegerField(default=0)),
            (
                "price",
                models.DecimalField(
                    blank=True,
                    decimal_places=4,
                    help_text="of one piece; empty: no price",
                    max_digits=12,
                    null=True,
                ),
            ),
            (
                "cost",
                models.DecimalField(
                    decimal_places=4,
                    default=Decimal("0"),
                    help_text="what one piece cost",
                    max_digits=12,
                ),
            ),
            ("bulk", models.PositiveIntegerField(default=1, help_text="sold in multiples of")),
            ("sale", models.SmallIntegerField(default=0, help_text="percent off")),
            ("comments", models.TextField(blank=True, default="", help_text="what buyers read")),
            (
                "remarks",
                models.TextField(blank=True, default="", help_text="private; names the location"),
            ),
            ("reserved", models.TextField(blank=True, default="", help_text="kept for this buyer")),
            ("marketplace_lot_id", models.BigIntegerField(blank=True, null=True)),
            ("tq1", models.IntegerField(default=0)),
            ("tp1", models.DecimalField(decimal_places=4, default=Decimal("0"), max_digits=12)),
            ("tq2", models.IntegerField(default=0)),
            ("tp2", models.DecimalField(decimal_places=4, default=Decimal("0"), max_digits=12)),
            ("tq3", models.IntegerField(default=0)),
            ("tp3", models.DecimalField(decimal_places=4, default=Decimal("0"), max_digits=12)),
            ("retain", models.BooleanField(default=False, help_text="keep the lot when sold out")),
            (
                "stockroom",
                models.CharField(
                    blank=True,
                    choices=[("", "none"), ("A", "A"), ("B", "B"), ("C", "C")],
                    default="",
                    max_length=1,
                ),
            ),
            (
                "status",
                models.CharField(
                    choices=[("I", "include"), ("X", "exclude"), ("E", "extra")],
                    default="I",
                    max_length=1,
                ),
            ),
            (
                "unit_weight_grams",
                models.DecimalField(
                    blank=True,
                    decimal_places=4,
                    help_text="grams of one piece; empty: the catalogue's weight",
                    max_digits=14,
                    null=True,
                ),
            ),
            ("marker_text", models.TextField(blank=True, default="")),
            (
                "marker_color",
                models.CharField(blank=True, default="", help_text="#rrggbb", max_length=7),
            ),
            ("date_added", models.DateTimeField(blank=True, null=True)),
            ("date_last_sold", models.DateTimeField(blank=True, null=True)),
            (
                "extra",
                models.JSONField(
                    blank=True,
                    default=dict,
                    help_text="what the file had beside these: exchange.bsx_carried",
                ),
            ),
            (
                "location",
                models.ForeignKey(
                    blank=True,
                    db_index=False,
                    null=True,
                    on_delete=django.db.models.deletion.SET_NULL,
                    related_name="items",
                    to="locations.location",
                ),
            ),
            (
                "piece_grams",
                models.DecimalField(
                    blank=True, decimal_places=4, editable=False, max_digits=14, null=True
                ),
            ),
            (
                "promised",
                models.PositiveIntegerField(
                    blank=True,
                    db_default=0,
                    default=0,
                    editable=False,
                    help_text="pieces that buyers were promised",
                ),
            ),
            (
                "came_as",
                models.JSONField(
                    blank=True,
                    editable=False,
                    help_text="what its file said, where a person chose what that means: rules.stacking",
                    null=True,
                ),
            ),
            (
                "price_locked",
                models.BooleanField(
                    blank=True,
                    db_default=False,
                    default=False,
                    help_text="no re-pricing changes the price",
                ),
            ),
            ("deleted_at", models.DateTimeField(blank=True, editable=False, null=True)),
        ],
        options={
            "verbose_name": "inventory item",
            "ordering": ("-id",),
            "base_manager_name": "with_deleted",
            "default_manager_name": "objects",
            "indexes": [
                models.Index(fields=["owner", "lot", "condition"], name="inventoryitem_of_a_lot"),
                models.Index(fields=["lot"], name="inventoryitem_lot"),
                models.Index(fields=["location", "quantity"], name="inventoryitem_of_a_location"),
                models.Index(
                    condition=models.Q(("deleted_at", None), ("piece_grams", None)),
                    fields=["location", "quantity"],
                    name="inventoryitem_unweighed",
                ),
                models.Index(
                    condition=models.Q(("marketplace_lot_id__isnull", False)),
                    fields=["owner", "marketplace_lot_id"],
                    name="inventoryitem_of_a_listing",
                ),
                models.Index(
                    condition=models.Q(("deleted_at", None)),
                    fields=["owner", "-updated_at", "-id", "quantity"],
                    name="inventoryitem_by_change",
                ),
                models.Index(
                    condition=models.Q(("deleted_at", None)),
                    fields=["owner", "id", "quantity"],
                    name="inventoryitem_by_making",
                ),
                models.Index(
                    condition=models.Q(("deleted_at", None)),
                    fields=["owner", "quantity", "id"],
                    name="inventoryitem_by_quantity",
                ),
                models.Index(
                    condition=models.Q(("deleted_at", None)),
                    fields=["owner", "price", "id", "quantity"],
                    name="inventoryitem_by_price",
                ),
                models.Index(
                    models.F("owner"),
                    models.OrderBy(
                        django.db.models.functions.comparison.Coalesce(
                            models.ExpressionWrapper(
                                django.db.models.expressions.CombinedExpression(
                                    models.F("quantity"), "*", models.F("price")
                                ),
                                output_field=models.FloatField(),
                            ),
                            models.Func(output_field=models.FloatField(), template="-1"),
                        ),
                        descending=True,
                    ),
                    models.OrderBy(models.F("id"), descending=True),
                    models.F("quantity"),
                    condition=models.Q(("deleted_at", None)),
                    name="inventoryitem_by_value",
                ),
                models.Index(
                    condition=models.Q(("deleted_at", None), ("lot", None)),
                    fields=["owner", "quantity"],
                    name="inventoryitem_unknown",
                ),
                models.Index(
                    condition=models.Q(("deleted_at", None), ("location", None)),
                    fields=["owner", "quantity", "price"],
                    name="inventoryitem_in_no_bin",
                ),
            ],
            "constraints": [
                models.CheckConstraint(
                    condition=models.Q(("quantity__gte", 0)),
                    name="inventoryitem_quantity_not_negative",
                ),
                models.CheckConstraint(
                    condition=models.Q(("price__gte", 0)), name="inventoryitem_price_not_negative"
                ),
                models.CheckConstraint(
                    condition=models.Q(("condition__in", ["N", "U", "?"])),
                    name="inventoryitem_condition_is_one",
                ),
                models.CheckConstraint(
                    condition=models.Q(("bulk__gte", 1), ("sale__gte", -99), ("sale__lte", 100)),
                    name="inventoryitem_bulk_and_sale_in_range",
                ),
                models.CheckConstraint(
                    condition=models.Q(("deleted_at", None), ("quantity", 0), _connector="OR"),
                    name="inventoryitem_deleted_holds_nothing",
                ),
            ],
        },
        managers=[
            ("objects", django.db.models.manager.Manager()),
            ("with_deleted", django.db.models.manager.Manager()),
        ],
    ),
    migrations.CreateModel(
        name="Movement",
        fields=[
            (
                "id",
                models.BigAutoField(
                    auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                ),
            ),
            (
                "item",
                models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="movements",
                    to="inventory.inventoryitem",
                ),
            ),
            ("delta", models.IntegerField()),
            (
                "reason",
                models.CharField(
                    choices=[
                        ("stow", "stowed from a batch"),
                        ("remove", "taken out, back into its batch"),
                        ("move", "moved between locations"),
                        ("edit", "counted or corrected by a person"),
                        ("import", "set by a BSX sync"),
                        ("undo", "an earlier movement undone"),
                        ("sale", "sold"),
                        ("consolidate", "consolidated with another row"),
                        ("split", "split into two rows"),
                        ("count", "counted in a stocktake"),
                        ("set", "taken for a set"),
                        ("return", "came back from a buyer"),
                    ],
                    max_length=12,
                ),
            ),
            (
                "by",
                models.ForeignKey(
                    db_index=False,
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
                    db_default="",
                    default=apps.core.ownership.acting_program,
                    help_text="the name of the token that it was done by",
                    max_length=60,
                ),
            ),
            (
                "cause_kind",
                models.CharField(
                    blank=True,
                    choices=[
                        ("batch_item", "Batch Item"),
                        ("sync", "Sync"),
                        ("person", "a person's edit"),
                        ("move", "Move"),
                        ("order", "Order"),
                        ("act", "an act on several rows"),
                        ("set", "pieces taken for a set"),
                    ],
                    default="",
                    max_length=12,
                ),
            ),
            ("cause_id", models.BigIntegerField(null=True)),
            (
                "from_location",
                models.ForeignKey(
                    db_constraint=False,
                    db_index=False,
                    null=True,
                    on_delete=django.db.models.deletion.DO_NOTHING,
                    related_name="+",
                    to="locations.location",
                ),
            ),
            (
                "to_location",
                models.ForeignKey(
                    db_constraint=False,
                    db_index=False,
                    null=True,
                    on_delete=django.db.models.deletion.DO_NOTHING,
                    related_name="+",
                    to="locations.location",
                ),
            ),
            ("note", models.TextField(blank=True, default="", help_text="a person's reason")),
            (
                "reverses",
                models.ForeignKey(
                    db_constraint=False,
                    db_index=False,
                    null=True,
                    on_delete=django.db.models.deletion.DO_NOTHING,
                    related_name="reversed_by",
                    to="inventory.movement",
                ),
            ),
            ("created_at", models.DateTimeField()),
        ],
        options={
            "ordering": ("-id",),
            "indexes": [
                models.Index(fields=["item", "id"], name="movement_of_an_item"),
                models.Index(fields=["cause_kind", "cause_id", "item"], name="movement_of_a_cause"),
                models.Index(
                    condition=models.Q(("to_location__isnull", False)),
                    fields=["to_location", "id"],
                    name="movement_into_a_location",
                ),
                models.Index(
                    condition=models.Q(("from_location__isnull", False)),
                    fields=["from_location", "id"],
                    name="movement_out_of_a_location",
                ),
            ],
            "constraints": [
                models.CheckConstraint(
                    condition=models.Q(("delta", 0), _negated=True), name="movement_delta_not_zero"
                ),
                models.UniqueConstraint(
                    condition=models.Q(("reverses__isnull", False)),
                    fields=("reverses",),
                    name="movement_is_reversed_once",
                ),
            ],
        },
    ),
    migrations.CreateModel(
        name="Promise",
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
            ("line_id", models.BigIntegerField(help_text="the line of the order")),
            (
                "item",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="promises",
                    to="inventory.inventoryitem",
                ),
            ),
            ("quantity", models.PositiveIntegerField()),
            ("is_out", models.BooleanField(default=False)),
        ],
        options={
            "ordering": ("id",),
            "constraints": [
                models.UniqueConstraint(fields=("line_id", "item", "is_out"), name="promise_once"),
                models.CheckConstraint(
                    condition=models.Q(("quantity__gt", 0)), name="promise_of_something"
                ),
            ],
        },
    ),
    migrations.CreateModel(
        name="Stocktake",
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
                "location",
                models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="stocktakes",
                    to="locations.location",
                ),
            ),
            (
                "state",
                models.CharField(
                    choices=[("open", "Open"), ("applied", "Applied"), ("discarded", "Discarded")],
                    default="open",
                    max_length=10,
                ),
            ),
            ("note", models.TextField(blank=True, default="", help_text="the person's reason")),
            (
                "act",
                models.ForeignKey(
                    db_index=False,
                    null=True,
                    on_delete=django.db.models.deletion.SET_NULL,
                    related_name="+",
                    to="lots.keptact",
                ),
            ),
            ("applied_at", models.DateTimeField(null=True)),
        ],
        options={
            "ordering": ("-id",),
            "indexes": [
                models.Index(fields=["owner", "-id"], name="stocktake_newest_first"),
                models.Index(fields=["location", "-id"], name="stocktake_of_a_location"),
            ],
            "constraints": [
                models.UniqueConstraint(
                    condition=models.Q(("state", "open")),
                    fields=("location",),
                    name="stocktake_one_is_open",
                )
            ],
        },
    ),
    migrations.CreateModel(
        name="StocktakeCount",
        fields=[
            (
                "id",
                models.BigAutoField(
                    auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                ),
            ),
            (
                "stocktake",
                models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="counts",
                    to="inventory.stocktake",
                ),
            ),
            (
                "item",
                models.ForeignKey(
                    db_index=False,
                    null=True,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="stocktake_counts",
                    to="inventory.inventoryitem",
                ),
            ),
            (
                "lot",
                models.ForeignKey(
                    db_index=False,
                    null=True,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="+",
                    to="catalog.lot",
                ),
            ),
            (
                "condition",
                models.CharField(choices=[("N", "new"), ("U", "used")], default="U", max_length=1),
            ),
            ("counted", models.PositiveIntegerField()),
            ("seen", models.PositiveIntegerField(default=0)),
            ("counted_at", models.DateTimeField()),
        ],
        options={
            "verbose_name": "stocktake count",
            "ordering": ("id",),
            "indexes": [
                models.Index(
                    condition=models.Q(("lot__isnull", False)),
                    fields=["lot"],
                    name="stocktakecount_of_a_lot",
                ),
                models.Index(fields=["item"], name="stocktakecount_of_an_item"),
                models.Index(fields=["stocktake"], name="stocktakecount_of_a_stocktake"),
            ],
            "constraints": [
                models.UniqueConstraint(
                    condition=models.Q(("item__isnull", False)),
                    fields=("stocktake", "item"),
                    name="stocktakecount_row_once",
                ),
                models.UniqueConstraint(
                    condition=models.Q(("item__isnull", True)),
                    fields=("stocktake", "lot", "condition"),
                    name="stocktakecount_found_lot_once",
                ),
                models.CheckConstraint(
                    condition=models.Q(
                        ("item__isnull", False), ("lot__isnull", False), _connector="OR"
                    ),
                    name="stocktakecount_of_a_row_or_a_lot",
                ),
            ],
        },
    ),
    migrations.CreateModel(
        name="InventorySync",
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
                "target",
                models.CharField(
                    choices=[("stock", "Stock"), ("batch", "Batch")], default="stock", max_length=5
                ),
            ),
            (
                "batch_id",
                models.BigIntegerField(
                    help_text="the batch that its lots became, or joined", null=True
                ),
            ),
            (
                "read_from",
                models.CharField(
                    choices=[("file", "File"), ("store", "Store")], default="file", max_length=5
                ),
            ),
            (
                "channel",
                models.ForeignKey(
                    db_index=False,
                    help_text="whose lots were read; none of a file",
                    null=True,
                    on_delete=django.db.models.deletion.SET_NULL,
                    related_name="+",
                    to="inventory.channel",
                ),
            ),
            (
                "told",
                models.JSONField(
                    default=dict,
                    help_text="of a store: how many lots, how many as known, which are gone",
                ),
            ),
            (
                "file",
                models.FileField(max_length=200, upload_to=apps.inventory.models.sync.upload_name),
            ),
            ("file_name", models.CharField(help_text="as the person called it", max_length=255)),
            ("file_size", models.PositiveBigIntegerField(default=0)),
            ("options", models.JSONField(default=dict)),
            (
                "reading",
                models.JSONField(
                    default=dict, help_text="what the file is, and how its table was read"
                ),
            ),
            (
                "state",
                models.CharField(
                    choices=[
                        ("previewing", "Previewing"),
                        ("previewed", "Previewed"),
                        ("applying", "Applying"),
                        ("applied", "Applied"),
                        ("undoing", "Undoing"),
                        ("undone", "Undone"),
                        ("cancelled", "Cancelled"),
                        ("failed", "Failed"),
                    ],
                    default="previewing",
                    max_length=12,
                ),
            ),
            (
                "job",
                models.ForeignKey(
                    db_index=False,
                    null=True,
                    on_delete=django.db.models.deletion.SET_NULL,
                    related_name="+",
                    to="core.job",
                ),
            ),
            (
                "currency",
                models.CharField(blank=True, default="", help_text="of the file", max_length=3),
            ),
            (
                "header",
                models.JSONField(default=dict, help_text="what the file says beside its lots"),
            ),
            ("counts", models.JSONField(default=dict)),
            ("applied_counts", models.JSONField(default=dict)),
            ("warnings", models.JSONField(default=list)),
            ("new_locations", models.JSONField(default=list)),
            (
                "bin_groups",
                models.JSONField(
                    default=list, help_text="names in Remarks by pattern, and why some are no bins"
                ),
            ),
            (
                "over_limits",
                models.JSONField(default=list, help_text="locations over their limits after it"),
            ),
            ("made_location_ids", models.JSONField(default=list)),
            (
                "stock_mark",
                models.CharField(
                    blank=True,
                    default="",
                    help_text="the stock that the preview compared with",
                    max_length=160,
                ),
            ),
            (
                "problem",
                models.TextField(blank=True, default="", help_text="why it failed, for people"),
            ),
            ("previewed_at", models.DateTimeField(null=True)),
            ("applied_at", models.DateTimeField(null=True)),
            ("undone_at", models.DateTimeField(null=True)),
        ],
        options={
            "verbose_name": "inventory sync",
            "ordering": ("-id",),
            "indexes": [models.Index(fields=["owner", "-id"], name="inventorysync_newest_first")],
            "constraints": [
                models.UniqueConstraint(
                    condition=models.Q(
                        ("state__in", ["previewing", "applying", "undoing"]), ("target", "stock")
                    ),
                    fields=("owner",),
                    name="inventorysync_one_runs_per_owner",
                )
            ],
        },
    ),
    migrations.CreateModel(
        name="SyncChunk",
        fields=[
            (
                "id",
                models.BigAutoField(
                    auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                ),
            ),
            (
                "sync",
                models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="chunks",
                    to="inventory.inventorysync",
                ),
            ),
            ("number", models.PositiveIntegerField()),
            (
                "counts",
                models.JSONField(
                    default=dict, help_text="kind -> rows, for paging without reading"
                ),
            ),
            ("plan", models.BinaryField(default=b"")),
            ("before", models.BinaryField(default=b"")),
            ("applied_at", models.DateTimeField(null=True)),
            ("undone_at", models.DateTimeField(null=True)),
        ],
        options={
            "verbose_name": "sync chunk",
            "ordering": ("number",),
            "constraints": [
                models.UniqueConstraint(fields=("sync", "number"), name="syncchunk_number_once")
            ],
        },
    ),
    migrations.CreateModel(
        name="NumberChoice",
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
            ("item_type", models.CharField(blank=True, max_length=12)),
            ("number", models.CharField(blank=True, max_length=255)),
            ("name", models.CharField(blank=True, default="", max_length=255)),
            (
                "item",
                models.ForeignKey(
                    null=True,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="+",
                    to="catalog.item",
                ),
            ),
            (
                "act",
                models.ForeignKey(
                    null=True,
                    on_delete=django.db.models.deletion.SET_NULL,
                    related_name="choices",
                    to="lots.keptact",
                ),
            ),
        ],
        options={
            "verbose_name": "choice for a number",
            "verbose_name_plural": "choices for numbers",
            "constraints": [
                models.UniqueConstraint(
                    fields=("owner", "item_type", "number", "name"), name="numberchoice_once"
                )
            ],
        },
    ),
    migrations.CreateModel(
        name="WordChoice",
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
                "field",
                models.CharField(
                    choices=[("condition", "Condition"), ("color", "Color")], max_length=12
                ),
            ),
            ("text", models.CharField(blank=True, help_text="as the file said it", max_length=255)),
            (
                "condition",
                models.CharField(
                    blank=True, choices=[("N", "new"), ("U", "used")], default="", max_length=1
                ),
            ),
            (
                "color",
                models.ForeignKey(
                    null=True,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="+",
                    to="catalog.color",
                ),
            ),
            (
                "act",
                models.ForeignKey(
                    null=True,
                    on_delete=django.db.models.deletion.SET_NULL,
                    related_name="words",
                    to="lots.keptact",
                ),
            ),
        ],
        options={
            "verbose_name": "choice for a word",
            "verbose_name_plural": "choices for words",
            "constraints": [
                models.UniqueConstraint(fields=("owner", "field", "text"), name="wordchoice_once")
            ],
        },
    ),
    migrations.RunPython(_triggers.make_triggers, _triggers.drop_triggers),
    migrations.RunPython(_program.make_trigger, _program.drop_trigger),
]
