"""128 catalogue lots to a part instead of 512: twenty lots put away touch a quarter of the rows."""

from django.db import migrations

WAS, IS = 512, 128

SQLITE_MARK = """
    INSERT INTO inventory_stocktouched (holder_id, part)
    SELECT {row}.owner_id, COALESCE({row}.lot_id, 0) / {lots}
    WHERE NOT EXISTS (
        SELECT 1 FROM inventory_stocktouched
        WHERE holder_id = {row}.owner_id AND part = COALESCE({row}.lot_id, 0) / {lots}
    );
"""
SQLITE_ADDED = """
    CREATE TRIGGER inventory_stock_added AFTER INSERT ON inventory_inventoryitem BEGIN
        {new}
    END
"""
SQLITE_CHANGED = """
    CREATE TRIGGER inventory_stock_changed
    AFTER UPDATE OF quantity, price, lot_id, condition, location_id, deleted_at
    ON inventory_inventoryitem BEGIN
        {new}
        {old}
    END
"""
POSTGRESQL_ADDED = """
    CREATE OR REPLACE FUNCTION inventory_mark_added() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO inventory_stocktouched (holder_id, part)
        SELECT DISTINCT owner_id, COALESCE(lot_id, 0) / {lots} FROM added;
        RETURN NULL;
    END $$
"""
POSTGRESQL_CHANGED = """
    CREATE OR REPLACE FUNCTION inventory_mark_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO inventory_stocktouched (holder_id, part)
        SELECT owner_id, COALESCE(lot_id, 0) / {lots} FROM added
        UNION
        SELECT owner_id, COALESCE(lot_id, 0) / {lots} FROM gone;
        RETURN NULL;
    END $$
"""
# The parts have other numbers now: everything is reckoned anew.
FORGET = (
    "DELETE FROM inventory_stockpart",
    "DELETE FROM inventory_stocktouched",
    """
    INSERT INTO inventory_stocktouched (holder_id, part)
    SELECT DISTINCT owner_id, COALESCE(lot_id, 0) / {lots} FROM inventory_inventoryitem
    """,
)


def cut(schema_editor, lots):
    if schema_editor.connection.vendor == "sqlite":
        new, old = (SQLITE_MARK.format(row=row, lots=lots) for row in ("NEW", "OLD"))
        statements = (
            "DROP TRIGGER inventory_stock_changed",
            "DROP TRIGGER inventory_stock_added",
            SQLITE_ADDED.format(new=new),
            SQLITE_CHANGED.format(new=new, old=old),
        )
    else:
        statements = (POSTGRESQL_ADDED.format(lots=lots), POSTGRESQL_CHANGED.format(lots=lots))
    for statement in (*statements, *(one.format(lots=lots) for one in FORGET)):
        schema_editor.execute(statement)


def make_smaller(apps, schema_editor):
    cut(schema_editor, IS)


def make_larger(apps, schema_editor):
    cut(schema_editor, WAS)


class Migration(migrations.Migration):
    dependencies = [("inventory", "0006_sums_of_the_stock_by_parts")]

    operations = [migrations.RunPython(make_smaller, make_larger)]
