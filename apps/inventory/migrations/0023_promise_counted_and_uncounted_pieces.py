"""The tables of 0.2.0."""

from decimal import Decimal

import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.comparison
import django.db.models.manager
from django.conf import settings
from django.db import migrations, models

import apps.inventory.models.sync


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0006_keep_own_views_of_the_inventory"),
        ("accounts", "__first__"),
        ("catalog", "0009_search_by_length_of_names"),
        ("core", "0004_tell_what_a_job_works_on"),
        ("locations", "0010_describe_an_empty_size_class"),
    ]

    operations = [
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
                        choices=[("N", "new"), ("U", "used")], default="U", max_length=1
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
                (
                    "comments",
                    models.TextField(blank=True, default="", help_text="what buyers read"),
                ),
                (
                    "remarks",
                    models.TextField(
                        blank=True, default="", help_text="private; names the location"
                    ),
                ),
                (
                    "reserved",
                    models.TextField(blank=True, default="", help_text="kept for this buyer"),
                ),
                ("marketplace_lot_id", models.BigIntegerField(blank=True, null=True)),
                ("tq1", models.IntegerField(default=0)),
                ("tp1", models.DecimalField(decimal_places=4, default=Decimal("0"), max_digits=12)),
                ("tq2", models.IntegerField(default=0)),
                ("tp2", models.DecimalField(decimal_places=4, default=Decimal("0"), max_digits=12)),
                ("tq3", models.IntegerField(default=0)),
                ("tp3", models.DecimalField(decimal_places=4, default=Decimal("0"), max_digits=12)),
                (
                    "retain",
                    models.BooleanField(default=False, help_text="keep the lot when sold out"),
                ),
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
                    "piece_grams",
                    models.DecimalField(
                        blank=True, decimal_places=4, editable=False, max_digits=14, null=True
                    ),
                ),
                ("deleted_at", models.DateTimeField(blank=True, editable=False, null=True)),
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
                    "owner",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
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
            ],
            options={
                "verbose_name": "inventory item",
                "ordering": ("-id",),
                "base_manager_name": "with_deleted",
                "default_manager_name": "objects",
                "indexes": [
                    models.Index(
                        fields=["owner", "lot", "condition"], name="inventoryitem_of_a_lot"
                    ),
                    models.Index(fields=["lot"], name="inventoryitem_lot"),
                    models.Index(
                        fields=["location", "quantity"], name="inventoryitem_of_a_location"
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
                        fields=["owner", "quantity", "id"],
                        name="inventoryitem_by_quantity",
                    ),
                    models.Index(
                        condition=models.Q(("deleted_at", None)),
                        fields=["owner", "price", "id", "quantity"],
                        name="inventoryitem_by_price",
                    ),
                    models.Index(
                        condition=models.Q(("deleted_at", None)),
                        fields=["owner", "id", "quantity"],
                        name="inventoryitem_by_making",
                    ),
                    models.Index(
                        condition=models.Q(("deleted_at", None), ("piece_grams", None)),
                        fields=["location", "quantity"],
                        name="inventoryitem_unweighed",
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
                        condition=models.Q(("deleted_at", None), ("location", None)),
                        fields=["owner", "quantity", "price"],
                        name="inventoryitem_in_no_bin",
                    ),
                    models.Index(
                        condition=models.Q(("deleted_at", None), ("lot", None)),
                        fields=["owner", "quantity"],
                        name="inventoryitem_unknown",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("quantity__gte", 0)),
                        name="inventoryitem_quantity_not_negative",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("price__gte", 0)),
                        name="inventoryitem_price_not_negative",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("condition__in", ["N", "U"])),
                        name="inventoryitem_condition_new_or_used",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("bulk__gte", 1), ("sale__gte", -99), ("sale__lte", 100)
                        ),
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
            name="InventorySync",
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
                    "file",
                    models.FileField(
                        max_length=200, upload_to=apps.inventory.models.sync.upload_name
                    ),
                ),
                (
                    "file_name",
                    models.CharField(help_text="as the person called it", max_length=255),
                ),
                ("file_size", models.PositiveBigIntegerField(default=0)),
                ("options", models.JSONField(default=dict)),
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
                    "over_limits",
                    models.JSONField(
                        default=list, help_text="locations over their limits after it"
                    ),
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
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "read_from",
                    models.CharField(
                        choices=[("file", "File"), ("store", "Store")], default="file", max_length=5
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
                    "reading",
                    models.JSONField(
                        default=dict, help_text="what the file is, and how its table was read"
                    ),
                ),
                (
                    "bin_groups",
                    models.JSONField(
                        default=list,
                        help_text="names in Remarks by pattern, and why some are no bins",
                    ),
                ),
            ],
            options={
                "verbose_name": "inventory sync",
                "ordering": ("-id",),
                "indexes": [
                    models.Index(fields=["owner", "-id"], name="inventorysync_newest_first")
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state__in", ["previewing", "applying", "undoing"])),
                        fields=("owner",),
                        name="inventorysync_one_runs_per_owner",
                    )
                ],
            },
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
                ("note", models.TextField(blank=True, default="", help_text="a person's reason")),
                ("created_at", models.DateTimeField()),
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
                    "item",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="movements",
                        to="inventory.inventoryitem",
                    ),
                ),
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
            ],
            options={
                "ordering": ("-id",),
                "indexes": [
                    models.Index(fields=["item", "id"], name="movement_of_an_item"),
                    models.Index(
                        fields=["cause_kind", "cause_id", "item"], name="movement_of_a_cause"
                    ),
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
                        condition=models.Q(("delta", 0), _negated=True),
                        name="movement_delta_not_zero",
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
            name="SyncChunk",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
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
                (
                    "sync",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="chunks",
                        to="inventory.inventorysync",
                    ),
                ),
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
            name="StockAct",
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
                    "kind",
                    models.CharField(
                        choices=[
                            ("move", "moved"),
                            ("split", "split"),
                            ("consolidate", "consolidated"),
                            ("count", "counted"),
                            ("reprice", "re-priced"),
                            ("edit", "edited"),
                            ("sync", "synced with the store"),
                            ("name", "named"),
                            ("currency", "kept in another currency"),
                        ],
                        max_length=12,
                    ),
                ),
                (
                    "note",
                    models.TextField(blank=True, default="", help_text="what it was, for people"),
                ),
                (
                    "row_count",
                    models.PositiveIntegerField(
                        default=0, help_text="rows that it changed or made"
                    ),
                ),
                ("undone_at", models.DateTimeField(null=True)),
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
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "stock act",
                "ordering": ("-id",),
                "indexes": [models.Index(fields=["owner", "-id"], name="stockact_newest_first")],
            },
        ),
        migrations.CreateModel(
            name="ActChunk",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("rows", models.JSONField(default=list)),
                ("undone_at", models.DateTimeField(null=True)),
                (
                    "act",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="chunks",
                        to="inventory.stockact",
                    ),
                ),
                ("table", models.CharField(blank=True, db_default="", default="", max_length=60)),
            ],
            options={
                "verbose_name": "act chunk",
                "ordering": ("number",),
                "constraints": [
                    models.UniqueConstraint(fields=("act", "number"), name="actchunk_number_once")
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
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("open", "Open"),
                            ("applied", "Applied"),
                            ("discarded", "Discarded"),
                        ],
                        default="open",
                        max_length=10,
                    ),
                ),
                ("note", models.TextField(blank=True, default="", help_text="the person's reason")),
                ("applied_at", models.DateTimeField(null=True)),
                (
                    "act",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="inventory.stockact",
                    ),
                ),
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
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
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
                    "condition",
                    models.CharField(
                        choices=[("N", "new"), ("U", "used")], default="U", max_length=1
                    ),
                ),
                ("counted", models.PositiveIntegerField()),
                ("seen", models.PositiveIntegerField(default=0)),
                ("counted_at", models.DateTimeField()),
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
                    "stocktake",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="counts",
                        to="inventory.stocktake",
                    ),
                ),
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
            name="StockPart",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
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
                    "owner",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
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
            name="ReceivedLot",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("marketplace_lot_id", models.BigIntegerField()),
                ("received_at", models.DateTimeField()),
                (
                    "sync_id",
                    models.BigIntegerField(
                        blank=True, help_text="the import that told it", null=True
                    ),
                ),
                ("quantity", models.IntegerField()),
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
                "verbose_name": "lot as the marketplace has it",
                "verbose_name_plural": "lots as the marketplace has them",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("owner", "marketplace_lot_id"), name="receivedlot_once"
                    )
                ],
                "indexes": [
                    models.Index(fields=["owner", "-updated_at"], name="receivedlot_by_change")
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
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("line_id", models.BigIntegerField(help_text="the line of the order")),
                ("quantity", models.PositiveIntegerField()),
                ("is_out", models.BooleanField(default=False)),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="promises",
                        to="inventory.inventoryitem",
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
            ],
            options={
                "ordering": ("id",),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("quantity__gt", 0)), name="promise_of_something"
                    ),
                    models.UniqueConstraint(
                        fields=("line_id", "item", "is_out"), name="promise_once"
                    ),
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
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("sync_id", models.BigIntegerField(help_text="the import that found it")),
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
                "verbose_name": "field changed on both sides",
                "verbose_name_plural": "fields changed on both sides",
                "indexes": [
                    models.Index(fields=["owner", "-id"], name="fieldconflict_newest_first")
                ],
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
                ("item_type", models.CharField(blank=True, max_length=12)),
                ("number", models.CharField(blank=True, max_length=255)),
                ("name", models.CharField(blank=True, default="", max_length=255)),
                (
                    "act",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="choices",
                        to="inventory.stockact",
                    ),
                ),
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
                "verbose_name": "choice for a number",
                "verbose_name_plural": "choices for numbers",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("owner", "item_type", "number", "name"), name="numberchoice_once"
                    )
                ],
            },
        ),
    ]
