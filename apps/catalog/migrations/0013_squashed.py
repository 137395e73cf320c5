"""The catalogue, and the search index that the database keeps itself: FTS5 on SQLite, GIN on PostgreSQL.

Both hold exactly the words that `rules.search_words` folds, so both find the same items.
SQLite's full text rows are numbered by `rank_id`, so hits come out in ranking order and a
search may stop after twenty of them.
"""

from decimal import Decimal

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import apps.catalog.rules.pricing
import apps.core.natural
from apps.core.new_tables import NewTables

SQLITE = (
    # prefix: without these lists a common beginning ("pri") costs 100 ms instead of 3.
    """
    CREATE VIRTUAL TABLE catalog_itemtext_fts USING fts5(
        words, more,
        content='catalog_itemtext', content_rowid='rank_id',
        tokenize="unicode61 remove_diacritics 0 tokenchars '_='",
        prefix='1 2 3 4 5 6 7 8', detail=none, columnsize=0
    )
    """,
    """
    CREATE TRIGGER catalog_itemtext_added AFTER INSERT ON catalog_itemtext BEGIN
        INSERT INTO catalog_itemtext_fts (rowid, words, more)
        VALUES (new.rank_id, new.words, new.more);
    END
    """,
    """
    CREATE TRIGGER catalog_itemtext_removed AFTER DELETE ON catalog_itemtext BEGIN
        INSERT INTO catalog_itemtext_fts (catalog_itemtext_fts, rowid, words, more)
        VALUES ('delete', old.rank_id, old.words, old.more);
    END
    """,
    """
    CREATE TRIGGER catalog_itemtext_changed
    AFTER UPDATE OF rank_id, words, more ON catalog_itemtext BEGIN
        INSERT INTO catalog_itemtext_fts (catalog_itemtext_fts, rowid, words, more)
        VALUES ('delete', old.rank_id, old.words, old.more);
        INSERT INTO catalog_itemtext_fts (rowid, words, more)
        VALUES (new.rank_id, new.words, new.more);
    END
    """,
    """
    CREATE INDEX itemtext_number_prefix
    ON catalog_itemtext (number_key, name_rank, sort_key, type_order, item_type)
    """,
    # 16 MiB of words before they are written out: an import takes 14 s instead of 24.
    "INSERT INTO catalog_itemtext_fts (catalog_itemtext_fts, rank) VALUES ('hashsize', 16777216)",
)

# The same as RANGES of apps/catalog/selectors/word_index.py.
RANGES = ((0, 8), (8, 16), (16, 28), (28, 44))
# Lexemes are made from our own words, not by PostgreSQL's parser: it would read `2x4`,
# hosts and numbers in its own way. Beginnings of up to eight letters are words of their own: it
# reads all words that begin so otherwise, which are up to half of the catalogue.
POSTGRESQL = (
    """
    CREATE FUNCTION catalog_lexemes(line text) RETURNS tsvector
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT array_to_tsvector(array_agg(word) || array_agg(beginning))
        FROM (
            SELECT word, '^' || left(word, size) AS beginning
            FROM unnest(string_to_array(line, ' ')) AS word,
            LATERAL generate_series(1, least(length(word), 8)) AS size
        ) AS found
    $$
    """,
    """
    ALTER TABLE catalog_itemtext ADD COLUMN lexemes tsvector
    GENERATED ALWAYS AS (catalog_lexemes(words || ' ' || more)) STORED
    """,
    "CREATE INDEX itemtext_lexemes ON catalog_itemtext USING gin (lexemes)",
    *(
        f"CREATE INDEX itemtext_lexemes_to_{highest} ON catalog_itemtext USING gin (lexemes) "
        f"WHERE name_rank > {above} AND name_rank <= {highest}"
        for above, highest in RANGES
    ),
    """
    CREATE INDEX itemtext_number_prefix
    ON catalog_itemtext (number_key COLLATE "C", name_rank, sort_key, type_order, item_type)
    """,
    """
    CREATE INDEX itemtext_in_ranking_order
    ON catalog_itemtext (name_rank, sort_key, type_order)
    """,
)


def make_index(apps, schema_editor):
    is_sqlite = schema_editor.connection.vendor == "sqlite"
    for statement in SQLITE if is_sqlite else POSTGRESQL:
        schema_editor.execute(statement, params=None)


class Migration(NewTables):
    replaces = [
        ("catalog", "0009_search_by_length_of_names"),
        ("catalog", "0010_sort_items_by_number"),
        ("catalog", "0011_figures_belong_to_who_asked"),
        ("catalog", "0012_sort_hits_by_number"),
        ("catalog", "0013_price_rule_bounds"),
    ]

    initial = True

    dependencies = [
        ("accounts", "__first__"),
    ]

    operations = [
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
                    "color",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="aliases",
                        to="catalog.color",
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
            name="Category",
            fields=[
                ("id", models.IntegerField(primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=200)),
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
                (
                    "sort_key",
                    apps.core.natural.NumberOrder(
                        blank=True,
                        db_default="",
                        default="",
                        editable=False,
                        help_text="2335 before 10247",
                    ),
                ),
                ("name", models.CharField(blank=True, default="", max_length=500)),
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
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
            ],
            options={
                "ordering": ["sort_key", "item_type"],
                "indexes": [
                    models.Index(fields=["number_key", "item_type"], name="item_resolver_any_case"),
                    models.Index(fields=["name"], name="item_list_by_name"),
                    models.Index(fields=["sort_key", "item_type"], name="item_list_by_number"),
                    models.Index(fields=["item_type", "sort_key"], name="item_list_of_a_type"),
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
            name="ItemAlias",
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
                        related_name="aliases",
                        to="catalog.item",
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
                    "item",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="lots",
                        to="catalog.item",
                    ),
                ),
                (
                    "color",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="lots",
                        to="catalog.color",
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
            name="LotMaker",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
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
                ("created_at", models.DateTimeField(auto_now_add=True)),
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
            name="ElementCode",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("code", models.CharField(max_length=12)),
                (
                    "lot",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="element_codes",
                        to="catalog.lot",
                    ),
                ),
                ("catalogue", models.CharField(default="B", max_length=1)),
            ],
            options={
                "verbose_name": "element code",
                "constraints": [
                    models.UniqueConstraint(fields=("code", "lot"), name="elementcode_is_told_once")
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
                    "item",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="inventories",
                        to="catalog.item",
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
            name="Component",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
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
            name="RefusedRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="refused_rows",
                        to="catalog.importrun",
                    ),
                ),
                ("file", models.CharField(max_length=200)),
                ("line", models.PositiveIntegerField()),
                ("is_parked", models.BooleanField(default=False)),
                ("reason", models.CharField(max_length=300)),
                ("text", models.CharField(blank=True, default="", max_length=300)),
            ],
            options={
                "verbose_name": "refused row",
                "indexes": [
                    models.Index(fields=["run", "file", "line"], name="refusedrow_report_order")
                ],
            },
        ),
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
            name="PriceStat",
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
                    "condition",
                    models.CharField(choices=[("N", "new"), ("U", "used")], max_length=1),
                ),
                ("region", models.CharField(max_length=6)),
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
                    "mean_sold_price",
                    models.DecimalField(blank=True, decimal_places=4, max_digits=12, null=True),
                ),
                (
                    "median_sold_price",
                    models.DecimalField(blank=True, decimal_places=4, max_digits=12, null=True),
                ),
                (
                    "mean_inventory_price",
                    models.DecimalField(blank=True, decimal_places=4, max_digits=12, null=True),
                ),
                (
                    "median_inventory_price",
                    models.DecimalField(blank=True, decimal_places=4, max_digits=12, null=True),
                ),
                (
                    "lowest_sold",
                    models.JSONField(blank=True, help_text="the lowest prices, few", null=True),
                ),
                ("lowest_offered", models.JSONField(blank=True, help_text="the same", null=True)),
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
                        fields=("lot", "owner", "condition", "region", "currency"),
                        name="pricestat_row_once",
                    )
                ],
            },
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
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "lot",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="price_points",
                        to="catalog.lot",
                    ),
                ),
                (
                    "condition",
                    models.CharField(choices=[("N", "new"), ("U", "used")], max_length=1),
                ),
                ("region", models.CharField(max_length=6)),
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
            ],
            options={
                "verbose_name": "price of a day",
                "verbose_name_plural": "prices by day",
                "indexes": [models.Index(fields=["day"], name="pricepoint_oldest_first")],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("lot", "owner", "currency", "condition", "region", "day"),
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
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="price_setting",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "basis",
                    models.CharField(
                        choices=[
                            ("reference", "reference"),
                            ("sold", "sold"),
                            ("sold_mean", "sold_mean"),
                            ("sold_median", "sold_median"),
                            ("sold_lowest", "sold_lowest"),
                            ("asked", "asked"),
                            ("asked_mean", "asked_mean"),
                            ("asked_median", "asked_median"),
                            ("lowest", "lowest"),
                        ],
                        default=apps.catalog.rules.pricing.Basis["REFERENCE"],
                        max_length=12,
                    ),
                ),
                (
                    "nth",
                    models.PositiveSmallIntegerField(default=1, help_text="of the lowest prices"),
                ),
                (
                    "fallback",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("reference", "reference"),
                            ("sold", "sold"),
                            ("sold_mean", "sold_mean"),
                            ("sold_median", "sold_median"),
                            ("sold_lowest", "sold_lowest"),
                            ("asked", "asked"),
                            ("asked_mean", "asked_mean"),
                            ("asked_median", "asked_median"),
                            ("lowest", "lowest"),
                        ],
                        default="",
                        help_text="the figure where there is none of the basis",
                        max_length=12,
                    ),
                ),
                ("region", models.CharField(default="global", max_length=6)),
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
                    "ending",
                    models.DecimalField(
                        decimal_places=4,
                        default=Decimal("0"),
                        help_text="below the step: 0.10 and 0.01 make 0.19",
                        max_digits=12,
                    ),
                ),
                (
                    "minimum",
                    models.DecimalField(decimal_places=4, default=Decimal("0.01"), max_digits=12),
                ),
                (
                    "maximum",
                    models.DecimalField(blank=True, decimal_places=4, max_digits=12, null=True),
                ),
                (
                    "max_step",
                    models.DecimalField(
                        blank=True,
                        decimal_places=2,
                        help_text="percent that a price changes by at most each time",
                        max_digits=6,
                        null=True,
                    ),
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
                    "is_nightly",
                    models.BooleanField(
                        default=False, help_text="the stock is re-priced by the rule every night"
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
                    models.CheckConstraint(
                        condition=models.Q(("nth__range", (1, 10))),
                        name="pricesetting_keeps_so_many_lowest",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("ending", 0),
                            models.Q(("ending__gt", 0), ("ending__lt", models.F("rounding"))),
                            _connector="OR",
                        ),
                        name="pricesetting_ending_below_step",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("maximum", None),
                            models.Q(("maximum__gt", 0), ("maximum__gte", models.F("minimum"))),
                            _connector="OR",
                        ),
                        name="pricesetting_most_from_least",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("max_step", None), ("max_step__gt", 0), _connector="OR"
                        ),
                        name="pricesetting_steps_somewhere",
                    ),
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
                (
                    "sort_key",
                    apps.core.natural.NaturalKey(db_default="", help_text="of the number"),
                ),
            ],
        ),
        migrations.CreateModel(
            name="SearchWord",
            fields=[
                ("word", models.CharField(max_length=40, primary_key=True, serialize=False)),
            ],
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
        migrations.RunPython(make_index),
    ]
