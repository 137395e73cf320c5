from decimal import Decimal

import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import apps.core.ownership
from apps.core.new_tables import NewTables
from apps.inventory.migrations import _tables as inventory
from apps.lots.migrations import _tables as lots


class Migration(NewTables):
    """Makes the tables of acts and of the stock too: those refer to each other."""

    replaces = [
        ("batches", "0013_log_acts_on_rows"),
        ("batches", "0014_keep_unknown_conditions"),
        ("batches", "0015_list_unknown_items"),
        ("batches", "0016_sort_batches_in_natural_order"),
        ("batches", "0017_keep_deleted_items"),
        ("batches", "0018_keep_acts_with_those_of_stock"),
        ("batches", "0019_drop_acts_of_batches"),
        ("batches", "0020_name_the_program_of_an_operation"),
        ("inventory", "0023_promise_counted_and_uncounted_pieces"),
        ("inventory", "0024_pieces_that_orders_gave_up"),
        ("inventory", "0025_imports_into_batches"),
        ("inventory", "0026_keep_unknown_conditions"),
        ("inventory", "0027_remember_how_a_row_came"),
        ("inventory", "0028_count_changes_of_the_stock"),
        ("inventory", "0029_lock_prices"),
        ("inventory", "0030_move_acts_to_lots"),
        ("inventory", "0031_acts_are_of_lots"),
        ("inventory", "0032_lots_of_channels"),
        ("inventory", "0033_name_the_channel_of_each_lot"),
        ("inventory", "0034_each_lot_has_its_channel"),
        ("inventory", "0035_lots_of_several_channels"),
        ("inventory", "0036_number_each_lot_as_its_channel"),
        ("inventory", "0037_each_lot_is_once_in_a_channel"),
        ("inventory", "0038_when_a_channel_was_read"),
        ("inventory", "0039_lots_that_a_channel_does_not_get"),
        ("inventory", "0040_name_the_program_of_a_movement"),
        ("inventory", "0041_how_a_channel_was_last_read"),
        ("inventory", "0042_rules_of_channels"),
        ("lots", "0001_keep_acts"),
    ]

    initial = True

    dependencies = [
        ("accounts", "__first__"),
        ("auctions", "0004_landed_costs_of_any_price"),
        ("catalog", "0009_search_by_length_of_names"),
        ("core", "0004_tell_what_a_job_works_on"),
        ("locations", "0010_describe_an_empty_size_class"),
        ("sources", "0005_names_once_in_any_case"),
    ]

    operations = [
        migrations.CreateModel(
            name="Batch",
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
                ("name", models.CharField(max_length=200)),
                ("description", models.TextField(blank=True, default="")),
                (
                    "source",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="batches",
                        to="sources.source",
                    ),
                ),
                (
                    "cost_total",
                    models.DecimalField(
                        blank=True,
                        decimal_places=4,
                        help_text="what it cost, with shipping and handling",
                        max_digits=12,
                        null=True,
                    ),
                ),
                (
                    "gross_weight_grams",
                    models.DecimalField(
                        blank=True,
                        decimal_places=3,
                        help_text="grams, as it came",
                        max_digits=12,
                        null=True,
                    ),
                ),
                (
                    "foreign_count",
                    models.PositiveIntegerField(
                        blank=True,
                        help_text="pieces thrown out as not LEGO; null: nobody counted",
                        null=True,
                    ),
                ),
                ("is_archived", models.BooleanField(default=False)),
                ("archived_at", models.DateTimeField(blank=True, null=True)),
                (
                    "won_listing",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="batch",
                        to="auctions.auctionlisting",
                    ),
                ),
                (
                    "image_url",
                    models.CharField(
                        blank=True, default="", help_text="as it came", max_length=500
                    ),
                ),
                ("is_ready", models.BooleanField(default=True)),
                ("bsx_header", models.JSONField(blank=True, default=dict)),
            ],
            options={
                "verbose_name_plural": "batches",
                "indexes": [
                    models.Index(fields=["owner", "created_at"], name="batch_list_by_making"),
                    models.Index(fields=["owner", "updated_at"], name="batch_list_by_change"),
                    models.Index(fields=["owner", "cost_total"], name="batch_list_by_cost"),
                    models.Index(
                        fields=["owner", "is_archived", "created_at"], name="batch_list_present"
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("name", ""), _negated=True), name="batch_has_a_name"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("cost_total__isnull", True), ("cost_total__gte", 0), _connector="OR"
                        ),
                        name="batch_cost_not_negative",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("gross_weight_grams__isnull", True),
                            ("gross_weight_grams__gte", 0),
                            _connector="OR",
                        ),
                        name="batch_weight_not_negative",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("archived_at__isnull", True), ("is_archived", False)),
                            models.Q(("archived_at__isnull", False), ("is_archived", True)),
                            _connector="OR",
                        ),
                        name="batch_archived_has_its_instant",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="BatchOperation",
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
                    "batch",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="batches.batch",
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("sync", "Sync"),
                            ("stow", "Stow"),
                            ("remove", "Remove"),
                            ("list", "List"),
                            ("markListed", "Mark Listed"),
                            ("edit", "Edit"),
                            ("reprice", "Reprice"),
                            ("spreadCost", "Spread Cost"),
                            ("recommend", "Recommend"),
                            ("consolidate", "Consolidate"),
                            ("split", "Split"),
                            ("move", "Move"),
                            ("copy", "Copy"),
                            ("merge", "Merge"),
                        ],
                        max_length=12,
                    ),
                ),
                (
                    "outcome",
                    models.CharField(
                        choices=[("success", "Success"), ("error", "Error")], max_length=7
                    ),
                ),
                (
                    "item_count",
                    models.PositiveIntegerField(default=0, help_text="rows that were done"),
                ),
                (
                    "failed_count",
                    models.PositiveIntegerField(default=0, help_text="rows that were refused"),
                ),
                ("failed", models.JSONField(blank=True, default=list)),
                ("items", models.JSONField(blank=True, default=list)),
                ("message", models.TextField(blank=True, default="")),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
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
            ],
            options={
                "verbose_name": "batch operation",
                "indexes": [
                    models.Index(fields=["batch", "-created_at"], name="operation_log_of_batch")
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "kind__in",
                                [
                                    "sync",
                                    "stow",
                                    "remove",
                                    "list",
                                    "markListed",
                                    "edit",
                                    "reprice",
                                    "spreadCost",
                                    "recommend",
                                    "consolidate",
                                    "split",
                                    "move",
                                    "copy",
                                    "merge",
                                ],
                            )
                        ),
                        name="operation_kind_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("outcome", "error"),
                            models.Q(("failed_count", 0), ("outcome", "success")),
                            _connector="OR",
                        ),
                        name="operation_success_failed_nothing",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="BatchItem",
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
                    "batch",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="items",
                        related_query_name="items_with_deleted",
                        to="batches.batch",
                    ),
                ),
                (
                    "location",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="locations.location",
                    ),
                ),
                (
                    "inventory_item",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="batch_items",
                        related_query_name="batch_items_with_deleted",
                        to="inventory.inventoryitem",
                    ),
                ),
                ("is_stowed", models.BooleanField(default=False)),
                ("is_stowed_pending", models.BooleanField(default=False)),
                ("is_listed", models.BooleanField(default=False)),
                ("is_listed_pending", models.BooleanField(default=False)),
                ("is_changed_since_listing", models.BooleanField(default=False)),
                (
                    "failure",
                    models.CharField(blank=True, db_default="", default="", max_length=500),
                ),
                ("stowed_at", models.DateTimeField(blank=True, null=True)),
                ("listed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "deleted_in",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="lots.keptact",
                    ),
                ),
            ],
            options={
                "verbose_name": "batch item",
                "indexes": [
                    models.Index(fields=["batch", "id"], name="batchitem_of_batch"),
                    models.Index(
                        condition=models.Q(("deleted_in", None)),
                        fields=["batch", "is_listed", "is_stowed", "quantity", "price"],
                        name="batchitem_figures",
                    ),
                    models.Index(fields=["owner", "id"], name="batchitem_of_owner"),
                    models.Index(fields=["owner", "created_at"], name="batchitem_list_by_making"),
                    models.Index(
                        condition=models.Q(("deleted_in", None), ("stowed_at__isnull", False)),
                        fields=["owner", "stowed_at", "quantity"],
                        name="batchitem_by_stowing",
                    ),
                    models.Index(
                        condition=models.Q(("deleted_in", None), ("listed_at__isnull", False)),
                        fields=["owner", "listed_at", "quantity"],
                        name="batchitem_by_listing",
                    ),
                    models.Index(
                        condition=models.Q(("deleted_in", None), ("lot", None)),
                        fields=["owner", "is_stowed", "quantity"],
                        name="batchitem_unknown",
                    ),
                    models.Index(
                        condition=models.Q(("deleted_in__isnull", False)),
                        fields=["deleted_in"],
                        name="batchitem_deleted",
                    ),
                    models.Index(fields=["lot", "batch"], name="batchitem_of_a_lot"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("quantity__gte", 0)),
                        name="batchitem_quantity_not_negative",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("price__gte", 0)), name="batchitem_price_not_negative"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("condition__in", ["N", "U", "?"])),
                        name="batchitem_condition_is_one",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("bulk__gte", 1), ("sale__gte", -99), ("sale__lte", 100)
                        ),
                        name="batchitem_bulk_and_sale_in_range",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("is_stowed", True), ("stowed_at__isnull", False)),
                            models.Q(("is_stowed", False), ("stowed_at__isnull", True)),
                            _connector="OR",
                        ),
                        name="batchitem_stowed_has_its_instant",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("is_listed", True), ("listed_at__isnull", False)),
                            models.Q(("is_listed", False), ("listed_at__isnull", True)),
                            _connector="OR",
                        ),
                        name="batchitem_listed_has_its_instant",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("is_listed", False), ("is_stowed", True), _connector="OR"
                        ),
                        name="batchitem_listed_is_stowed",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("is_stowed_pending", False), ("is_stowed", False), _connector="OR"
                        ),
                        name="batchitem_pending_is_not_yet_stowed",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PartedOutSet",
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
                    "batch",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="batches.batch",
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="catalog.item",
                    ),
                ),
                ("quantity", models.PositiveIntegerField(help_text="copies")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("batch", "item"), name="partedoutset_once_per_batch"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("quantity__gte", 1)), name="partedoutset_has_a_copy"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="KeptPhoto",
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
                    "item",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="photo",
                        to="batches.batchitem",
                    ),
                ),
                (
                    "jpeg",
                    models.TextField(
                        editable=False,
                        validators=[
                            django.core.validators.RegexValidator("^[A-Za-z0-9+/]+={0,2}\\Z")
                        ],
                    ),
                ),
            ],
            options={
                "verbose_name": "kept photo",
            },
        ),
    ]
    others = {"inventory": inventory.OPERATIONS, "lots": lots.OPERATIONS}
