"""The tables of 0.2.0."""

from decimal import Decimal

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import apps.catalog.rules.pricing


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "__first__"),
    ]

    operations = [
        migrations.CreateModel(
            name="CurrentFile",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "slot",
                    models.CharField(
                        help_text="table, or table and item type", max_length=100, unique=True
                    ),
                ),
                ("name", models.CharField(max_length=200)),
                ("sha256", models.CharField(max_length=64)),
                ("importer_version", models.PositiveSmallIntegerField()),
                ("rows", models.PositiveIntegerField(default=0)),
                ("refused", models.PositiveIntegerField(default=0)),
                ("parked", models.PositiveIntegerField(default=0)),
                ("imported_at", models.DateTimeField()),
                (
                    "revision",
                    models.PositiveIntegerField(
                        help_text="of the catalogue when it was read; an older one is read again"
                    ),
                ),
            ],
            options={
                "verbose_name": "current file",
            },
        ),
        migrations.CreateModel(
            name="Category",
            fields=[
                ("id", models.IntegerField(primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=200)),
                (
                    "path",
                    models.CharField(
                        help_text="names from the top, joined by ' / '", max_length=400
                    ),
                ),
                (
                    "origin",
                    models.CharField(
                        choices=[
                            ("B", "BrickLink"),
                            ("R", "Rebrickable"),
                            ("L", "LDraw"),
                            ("O", "Our own"),
                        ],
                        default="B",
                        max_length=1,
                    ),
                ),
                (
                    "parent",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="children",
                        to="catalog.category",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "categories",
                "ordering": ["path", "id"],
                "indexes": [models.Index(fields=["path"], name="category_list_order")],
            },
        ),
        migrations.CreateModel(
            name="Item",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "item_type",
                    models.CharField(
                        choices=[
                            ("PART", "Part"),
                            ("GEAR", "Gear"),
                            ("MINIFIG", "Minifigure"),
                            ("SET", "Set"),
                            ("BOOK", "Book"),
                            ("INSTRUCTION", "Instruction"),
                            ("ORIGINAL_BOX", "Original box"),
                            ("CATALOG", "Catalog"),
                            ("UNSORTED_LOT", "Unsorted lot"),
                        ],
                        max_length=12,
                    ),
                ),
                ("number", models.CharField(max_length=64)),
                (
                    "number_key",
                    models.CharField(
                        editable=False,
                        help_text="the number in upper case, for look-ups",
                        max_length=64,
                    ),
                ),
                ("name", models.CharField(blank=True, default="", max_length=500)),
                ("category_path", models.CharField(blank=True, default="", max_length=400)),
                ("year_released", models.PositiveSmallIntegerField(blank=True, null=True)),
                (
                    "weight_grams",
                    models.DecimalField(blank=True, decimal_places=3, max_digits=10, null=True),
                ),
                (
                    "dimensions",
                    models.CharField(
                        blank=True,
                        default="",
                        help_text="studs for parts, cm for the rest",
                        max_length=60,
                    ),
                ),
                ("image_url", models.CharField(blank=True, default="", max_length=300)),
                (
                    "origin",
                    models.CharField(
                        choices=[
                            ("B", "BrickLink"),
                            ("R", "Rebrickable"),
                            ("L", "LDraw"),
                            ("O", "Our own"),
                        ],
                        default="B",
                        help_text="whose number it carries",
                        max_length=1,
                    ),
                ),
                (
                    "name_from",
                    models.CharField(
                        choices=[
                            ("B", "BrickLink"),
                            ("R", "Rebrickable"),
                            ("L", "LDraw"),
                            ("O", "Our own"),
                        ],
                        default="B",
                        help_text="whose name it carries",
                        max_length=1,
                    ),
                ),
                ("is_retired", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "category",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="items",
                        to="catalog.category",
                    ),
                ),
                (
                    "replaced_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="replaces",
                        to="catalog.item",
                    ),
                ),
                (
                    "face",
                    models.CharField(
                        blank=True,
                        db_default="",
                        default="",
                        editable=False,
                        help_text="the render that shows it, set by apps.pictures; see rules.images",
                        max_length=20,
                    ),
                ),
            ],
            options={
                "ordering": ["number_key", "item_type"],
                "indexes": [
                    models.Index(fields=["number_key", "item_type"], name="item_resolver_any_case"),
                    models.Index(fields=["name"], name="item_list_by_name"),
                    models.Index(fields=["item_type", "number_key"], name="item_list_of_a_type"),
                    models.Index(fields=["year_released"], name="item_list_by_year"),
                    models.Index(fields=["weight_grams"], name="item_list_by_weight"),
                    models.Index(fields=["category_path"], name="item_list_of_a_category"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("item_type", "number"), name="item_number_is_unique"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("weight_grams__isnull", True),
                            ("weight_grams__gte", 0),
                            _connector="OR",
                        ),
                        name="item_weight_not_negative",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Color",
            fields=[
                ("id", models.IntegerField(primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=100)),
                (
                    "rgb",
                    models.CharField(
                        blank=True, default="", help_text="RRGGBB, upper case", max_length=6
                    ),
                ),
                ("color_type", models.CharField(blank=True, default="", max_length=30)),
                ("is_trans", models.BooleanField(default=False)),
                ("year_from", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("year_to", models.PositiveSmallIntegerField(blank=True, null=True)),
                (
                    "part_count",
                    models.PositiveIntegerField(default=0, help_text="parts known in it"),
                ),
                (
                    "origin",
                    models.CharField(
                        choices=[
                            ("B", "BrickLink"),
                            ("R", "Rebrickable"),
                            ("L", "LDraw"),
                            ("O", "Our own"),
                        ],
                        default="B",
                        max_length=1,
                    ),
                ),
            ],
            options={
                "verbose_name": "colour",
                "ordering": ["name", "id"],
                "indexes": [models.Index(fields=["name"], name="color_list_and_code_files")],
            },
        ),
        migrations.CreateModel(
            name="ColorAlias",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "catalogue",
                    models.CharField(
                        choices=[
                            ("B", "BrickLink"),
                            ("R", "Rebrickable"),
                            ("L", "LDraw"),
                            ("O", "Our own"),
                        ],
                        max_length=1,
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("id", "the number in that catalogue"),
                            ("alternate", "alternate number"),
                            ("former", "former number"),
                            ("similar", "another mould of the same part"),
                        ],
                        default="id",
                        max_length=9,
                    ),
                ),
                ("value", models.CharField(max_length=100)),
                ("name", models.CharField(blank=True, default="", max_length=100)),
                ("rank", models.PositiveSmallIntegerField(default=0)),
                ("confidence", models.PositiveSmallIntegerField(default=1000, help_text="of 1000")),
                (
                    "votes",
                    models.PositiveIntegerField(default=0, help_text="element ids that say so"),
                ),
                (
                    "color",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="aliases",
                        to="catalog.color",
                    ),
                ),
            ],
            options={
                "verbose_name": "colour alias",
                "verbose_name_plural": "colour aliases",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("catalogue", "kind", "value"),
                        name="coloralias_value_means_one_color",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ImportRun",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("started_at", models.DateTimeField()),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "heartbeat_at",
                    models.DateTimeField(help_text="a run that stops beating is dead"),
                ),
                ("is_running", models.BooleanField(default=True)),
                (
                    "revision",
                    models.PositiveIntegerField(
                        default=0,
                        help_text="of the catalogue after this run; grows when a run wrote anything",
                    ),
                ),
                ("importer_version", models.PositiveSmallIntegerField()),
                ("is_dry_run", models.BooleanField(default=False)),
                (
                    "files",
                    models.JSONField(
                        default=list, help_text="per file: kind, rows, refused, seconds"
                    ),
                ),
                (
                    "tables",
                    models.JSONField(
                        default=dict, help_text="per table: added, changed, retired, rows/s"
                    ),
                ),
                ("refused", models.PositiveIntegerField(default=0)),
                ("parked", models.PositiveIntegerField(default=0)),
                ("message", models.CharField(blank=True, default="", max_length=300)),
            ],
            options={
                "verbose_name": "import run",
                "ordering": ["-started_at"],
                "indexes": [models.Index(fields=["-started_at"], name="importrun_latest_first")],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("is_running", True)),
                        fields=("is_running",),
                        name="importrun_one_at_a_time",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ItemText",
            fields=[
                (
                    "item",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        serialize=False,
                        to="catalog.item",
                    ),
                ),
                (
                    "item_type",
                    models.CharField(
                        choices=[
                            ("PART", "Part"),
                            ("GEAR", "Gear"),
                            ("MINIFIG", "Minifigure"),
                            ("SET", "Set"),
                            ("BOOK", "Book"),
                            ("INSTRUCTION", "Instruction"),
                            ("ORIGINAL_BOX", "Original box"),
                            ("CATALOG", "Catalog"),
                            ("UNSORTED_LOT", "Unsorted lot"),
                        ],
                        max_length=12,
                    ),
                ),
                ("type_order", models.PositiveSmallIntegerField()),
                ("number_key", models.CharField(max_length=64)),
                (
                    "name_rank",
                    models.PositiveIntegerField(
                        help_text="length of the name; nameless and retired items come last"
                    ),
                ),
                (
                    "rank_id",
                    models.BigIntegerField(help_text="name_rank × 2^40 + item id", unique=True),
                ),
                ("words", models.TextField(help_text="folded number and name")),
                (
                    "more",
                    models.TextField(
                        blank=True, default="", help_text="=type, then folded other numbers"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ItemAlias",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "catalogue",
                    models.CharField(
                        choices=[
                            ("B", "BrickLink"),
                            ("R", "Rebrickable"),
                            ("L", "LDraw"),
                            ("O", "Our own"),
                        ],
                        max_length=1,
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("id", "the number in that catalogue"),
                            ("alternate", "alternate number"),
                            ("former", "former number"),
                            ("similar", "another mould of the same part"),
                        ],
                        default="id",
                        max_length=9,
                    ),
                ),
                ("value", models.CharField(max_length=64)),
                (
                    "value_key",
                    models.CharField(
                        editable=False, help_text="value in upper case", max_length=64
                    ),
                ),
                (
                    "rank",
                    models.PositiveSmallIntegerField(
                        default=0, help_text="0 is the preferred number back"
                    ),
                ),
                ("confidence", models.PositiveSmallIntegerField(default=1000, help_text="of 1000")),
                ("shared_elements", models.PositiveIntegerField(default=0)),
                ("is_current", models.BooleanField(default=True)),
                ("since", models.DateField(blank=True, null=True)),
                ("until", models.DateField(blank=True, null=True)),
                (
                    "item",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="aliases",
                        to="catalog.item",
                    ),
                ),
            ],
            options={
                "verbose_name": "item alias",
                "verbose_name_plural": "item aliases",
                "indexes": [
                    models.Index(
                        fields=["value_key", "catalogue", "kind"], name="itemalias_by_value"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("item", "catalogue", "kind", "value"), name="itemalias_is_told_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("is_current", True), ("until__isnull", False), _connector="OR"
                        ),
                        name="itemalias_past_has_its_end",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ItemInventory",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "catalogue",
                    models.CharField(
                        choices=[
                            ("B", "BrickLink"),
                            ("R", "Rebrickable"),
                            ("L", "LDraw"),
                            ("O", "Our own"),
                        ],
                        max_length=1,
                    ),
                ),
                ("version", models.PositiveSmallIntegerField(default=1)),
                ("external_id", models.PositiveIntegerField(blank=True, null=True)),
                ("has_components", models.BooleanField(default=False)),
                (
                    "has_inline_minifigs",
                    models.BooleanField(
                        default=False,
                        help_text="the parts of its minifigs are listed among its own",
                    ),
                ),
                (
                    "missing_quantity",
                    models.PositiveIntegerField(
                        default=0,
                        help_text="pieces that could not be resolved when it was put together",
                    ),
                ),
                ("note", models.CharField(blank=True, default="", max_length=100)),
                ("is_retired", models.BooleanField(default=False)),
                (
                    "item",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="inventories",
                        to="catalog.item",
                    ),
                ),
            ],
            options={
                "verbose_name": "item inventory",
                "verbose_name_plural": "item inventories",
                "indexes": [
                    models.Index(
                        fields=["catalogue", "external_id"], name="iteminventory_by_foreign_id"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("item", "catalogue", "version"), name="iteminventory_version_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ItemRelation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("P", "print of"),
                            ("R", "pairs with"),
                            ("B", "part of"),
                            ("M", "mould variant of"),
                            ("A", "alternate of"),
                            ("T", "pattern of"),
                        ],
                        max_length=1,
                    ),
                ),
                (
                    "child",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="relations_up",
                        to="catalog.item",
                    ),
                ),
                (
                    "parent",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="relations_down",
                        to="catalog.item",
                    ),
                ),
            ],
            options={
                "verbose_name": "item relation",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("child", "kind", "parent"), name="itemrelation_is_told_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Lot",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "is_known",
                    models.BooleanField(default=True, help_text="a catalogue says that it exists"),
                ),
                (
                    "composite_ssearch",
                    models.CharField(
                        blank=True,
                        default="",
                        help_text="folded number, name and colour",
                        max_length=700,
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "color",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="lots",
                        to="catalog.color",
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="lots",
                        to="catalog.item",
                    ),
                ),
            ],
            options={
                "ordering": ["item_id", "color_id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("item", "color"), name="lot_item_and_color_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ElementCode",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("code", models.CharField(max_length=12)),
                ("catalogue", models.CharField(default="B", max_length=1)),
                (
                    "lot",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="element_codes",
                        to="catalog.lot",
                    ),
                ),
            ],
            options={
                "verbose_name": "element code",
                "constraints": [
                    models.UniqueConstraint(fields=("code", "lot"), name="elementcode_is_told_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="Component",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("quantity", models.PositiveIntegerField()),
                ("is_spare", models.BooleanField(default=False)),
                ("is_alternate", models.BooleanField(default=False)),
                (
                    "match_id",
                    models.PositiveIntegerField(
                        default=0, help_text="alternates share one; 0 is none"
                    ),
                ),
                ("is_counterpart", models.BooleanField(default=False)),
                (
                    "inventory",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="components",
                        to="catalog.iteminventory",
                    ),
                ),
                (
                    "lot",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="components",
                        to="catalog.lot",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=(
                            "inventory",
                            "lot",
                            "is_spare",
                            "is_alternate",
                            "match_id",
                            "is_counterpart",
                        ),
                        name="component_line_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("quantity__gte", 1)), name="component_quantity_positive"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PriceStat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "condition",
                    models.CharField(choices=[("N", "new"), ("U", "used")], max_length=1),
                ),
                (
                    "region",
                    models.CharField(
                        choices=[("us", "United States"), ("global", "worldwide")], max_length=6
                    ),
                ),
                ("currency", models.CharField(max_length=3)),
                (
                    "avg_sold_price",
                    models.DecimalField(blank=True, decimal_places=4, max_digits=12, null=True),
                ),
                (
                    "avg_inventory_price",
                    models.DecimalField(blank=True, decimal_places=4, max_digits=12, null=True),
                ),
                (
                    "low_price",
                    models.DecimalField(blank=True, decimal_places=4, max_digits=12, null=True),
                ),
                (
                    "sell_through",
                    models.DecimalField(
                        blank=True,
                        decimal_places=4,
                        help_text="sold / offered pieces",
                        max_digits=8,
                        null=True,
                    ),
                ),
                ("sold_lots", models.PositiveIntegerField(default=0)),
                ("sold_quantity", models.PositiveIntegerField(default=0)),
                ("stock_lots", models.PositiveIntegerField(default=0)),
                ("stock_quantity", models.PositiveIntegerField(default=0)),
                ("synced_at", models.DateTimeField()),
                (
                    "lot",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="prices",
                        to="catalog.lot",
                    ),
                ),
                (
                    "sold_synced_at",
                    models.DateTimeField(
                        blank=True, help_text="when the market told what it sold for", null=True
                    ),
                ),
                (
                    "asked_synced_at",
                    models.DateTimeField(
                        blank=True,
                        help_text="when the market told what it is offered at",
                        null=True,
                    ),
                ),
            ],
            options={
                "verbose_name": "price figures",
                "verbose_name_plural": "price figures",
                "indexes": [models.Index(fields=["synced_at"], name="pricestat_oldest_first")],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("lot", "condition", "region", "currency"), name="pricestat_row_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="RefusedRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("file", models.CharField(max_length=200)),
                ("line", models.PositiveIntegerField()),
                ("is_parked", models.BooleanField(default=False)),
                ("reason", models.CharField(max_length=300)),
                ("text", models.CharField(blank=True, default="", max_length=300)),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="refused_rows",
                        to="catalog.importrun",
                    ),
                ),
            ],
            options={
                "verbose_name": "refused row",
                "indexes": [
                    models.Index(fields=["run", "file", "line"], name="refusedrow_report_order")
                ],
            },
        ),
        migrations.CreateModel(
            name="SearchWord",
            fields=[
                ("word", models.CharField(max_length=40, primary_key=True, serialize=False)),
            ],
        ),
        migrations.CreateModel(
            name="PricePoint",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "condition",
                    models.CharField(choices=[("N", "new"), ("U", "used")], max_length=1),
                ),
                (
                    "region",
                    models.CharField(
                        choices=[("us", "United States"), ("global", "worldwide")], max_length=6
                    ),
                ),
                ("currency", models.CharField(max_length=3)),
                ("day", models.DateField(help_text="in UTC")),
                (
                    "avg_sold_price",
                    models.DecimalField(blank=True, decimal_places=4, max_digits=12, null=True),
                ),
                (
                    "avg_inventory_price",
                    models.DecimalField(blank=True, decimal_places=4, max_digits=12, null=True),
                ),
                (
                    "low_price",
                    models.DecimalField(blank=True, decimal_places=4, max_digits=12, null=True),
                ),
                ("sold_quantity", models.PositiveIntegerField(default=0)),
                ("stock_quantity", models.PositiveIntegerField(default=0)),
                (
                    "lot",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="price_points",
                        to="catalog.lot",
                    ),
                ),
            ],
            options={
                "verbose_name": "price of a day",
                "verbose_name_plural": "prices by day",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("lot", "currency", "condition", "region", "day"),
                        name="pricepoint_once_a_day",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="PriceSetting",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "basis",
                    models.CharField(
                        choices=[
                            ("reference", "reference"),
                            ("sold", "sold"),
                            ("asked", "asked"),
                            ("lowest", "lowest"),
                        ],
                        default=apps.catalog.rules.pricing.Basis["REFERENCE"],
                        max_length=9,
                    ),
                ),
                (
                    "region",
                    models.CharField(
                        choices=[("us", "United States"), ("global", "worldwide")],
                        default="global",
                        max_length=6,
                    ),
                ),
                (
                    "percent",
                    models.DecimalField(
                        decimal_places=2,
                        default=Decimal("0"),
                        help_text="-10 asks a tenth less",
                        max_digits=6,
                    ),
                ),
                (
                    "rounding",
                    models.DecimalField(
                        decimal_places=4,
                        default=Decimal("0.01"),
                        help_text="the step; 0 keeps four places",
                        max_digits=12,
                    ),
                ),
                (
                    "minimum",
                    models.DecimalField(decimal_places=4, default=Decimal("0.01"), max_digits=12),
                ),
                (
                    "without_data",
                    models.CharField(
                        choices=[("keep", "keep"), ("zero", "zero"), ("mark", "mark")],
                        default=apps.catalog.rules.pricing.WithoutData["KEEP"],
                        max_length=4,
                    ),
                ),
                (
                    "low_value",
                    models.DecimalField(
                        decimal_places=4,
                        default=Decimal("0.05"),
                        help_text="below it a lot is of low value",
                        max_digits=12,
                    ),
                ),
                (
                    "high_value",
                    models.DecimalField(
                        decimal_places=4,
                        default=Decimal("1.00"),
                        help_text="from it on a lot is highlighted",
                        max_digits=12,
                    ),
                ),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="price_setting",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("percent__gt", -100)),
                        name="pricesetting_asks_something",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("high_value__gte", 0),
                            ("low_value__gte", 0),
                            ("minimum__gte", 0),
                            ("rounding__gte", 0),
                        ),
                        name="pricesetting_amounts_are_not_negative",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="LotMaker",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "lot",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="makers",
                        to="catalog.lot",
                    ),
                ),
                (
                    "maker",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "maker of a lot",
                "verbose_name_plural": "makers of lots",
                "constraints": [
                    models.UniqueConstraint(fields=("lot", "maker"), name="lotmaker_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="VocabularyChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("added", models.PositiveIntegerField(help_text="how many words")),
            ],
        ),
    ]
