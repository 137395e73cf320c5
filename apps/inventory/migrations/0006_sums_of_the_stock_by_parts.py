"""Sums of the stock by parts, and the marks of the parts that a write touched.

The marks are made by the database, so that each of the many services that write stock, and
whatever is written past them, is seen. PostgreSQL appends a mark for each statement and part:
two transactions that marked one row would wait for each other. SQLite has one writer, so it
keeps one mark a part.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

SQLITE_MARK = """
    INSERT INTO inventory_stocktouched (holder_id, part)
    SELECT {row}.owner_id, COALESCE({row}.lot_id, 0) / 512
    WHERE NOT EXISTS (
        SELECT 1 FROM inventory_stocktouched
        WHERE holder_id = {row}.owner_id AND part = COALESCE({row}.lot_id, 0) / 512
    );
"""
SQLITE_UP = (
    f"""
    CREATE TRIGGER inventory_stock_added AFTER INSERT ON inventory_inventoryitem BEGIN
        {SQLITE_MARK.format(row="NEW")}
    END
    """,
    f"""
    CREATE TRIGGER inventory_stock_changed
    AFTER UPDATE OF quantity, price, lot_id, condition, location_id, deleted_at
    ON inventory_inventoryitem BEGIN
        {SQLITE_MARK.format(row="NEW")}
        {SQLITE_MARK.format(row="OLD")}
    END
    """,
)
SQLITE_DOWN = (
    "DROP TRIGGER inventory_stock_changed",
    "DROP TRIGGER inventory_stock_added",
)

POSTGRESQL_UP = (
    """
    CREATE FUNCTION inventory_mark_added() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO inventory_stocktouched (holder_id, part)
        SELECT DISTINCT owner_id, COALESCE(lot_id, 0) / 512 FROM added;
        RETURN NULL;
    END $$
    """,
    """
    CREATE FUNCTION inventory_mark_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO inventory_stocktouched (holder_id, part)
        SELECT owner_id, COALESCE(lot_id, 0) / 512 FROM added
        UNION
        SELECT owner_id, COALESCE(lot_id, 0) / 512 FROM gone;
        RETURN NULL;
    END $$
    """,
    """
    CREATE TRIGGER inventory_stock_added AFTER INSERT ON inventory_inventoryitem
    REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION inventory_mark_added()
    """,
    """
    CREATE TRIGGER inventory_stock_changed AFTER UPDATE ON inventory_inventoryitem
    REFERENCING OLD TABLE AS gone NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION inventory_mark_changed()
    """,
)
POSTGRESQL_DOWN = (
    "DROP TRIGGER inventory_stock_changed ON inventory_inventoryitem",
    "DROP TRIGGER inventory_stock_added ON inventory_inventoryitem",
    "DROP FUNCTION inventory_mark_changed()",
    "DROP FUNCTION inventory_mark_added()",
)
# What is in stock already.
MARK_ALL = """
    INSERT INTO inventory_stocktouched (holder_id, part)
    SELECT DISTINCT owner_id, COALESCE(lot_id, 0) / 512 FROM inventory_inventoryitem
"""


def make_triggers(apps, schema_editor):
    is_sqlite = schema_editor.connection.vendor == "sqlite"
    for statement in (*(SQLITE_UP if is_sqlite else POSTGRESQL_UP), MARK_ALL):
        schema_editor.execute(statement)


def drop_triggers(apps, schema_editor):
    is_sqlite = schema_editor.connection.vendor == "sqlite"
    for statement in SQLITE_DOWN if is_sqlite else POSTGRESQL_DOWN:
        schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [
        ("inventory", "0005_take_for_sets"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
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
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("owner", "part", "item_type"), name="stockpart_once"
                    )
                ],
            },
        ),
        migrations.RunPython(make_triggers, drop_triggers),
    ]
