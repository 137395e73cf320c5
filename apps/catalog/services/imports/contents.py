"""Rebrickable's inventories, and the parts, minifigs and sets inside them."""

from apps.catalog.rules.readers import values
from apps.catalog.rules.readers.formats import Table
from apps.catalog.services.imports.components import merge_contents
from apps.catalog.services.imports.report import TableFigures
from apps.catalog.services.imports.work import Work


def stage_subjects(work: Work) -> None:
    """Stage what Rebrickable's set and fig numbers mean."""
    work.stage.make_from(
        "s_rb_subjects",
        "SELECT a.value AS number, "
        "COALESCE(MIN(CASE WHEN a.is_current THEN a.item_id END), MIN(a.item_id)) AS item_id "
        "FROM catalog_itemalias a JOIN catalog_item i ON i.id = a.item_id "
        "WHERE a.catalogue = 'R' AND a.kind = 'id' AND i.item_type <> 'PART' GROUP BY a.value",
    )
    work.stage.index("s_rb_subjects", "number")


def import_inventories(work: Work) -> None:
    """Rebrickable's inventories: versions of sets and figs."""
    stage = work.stage
    if work.has(Table.RB_INVENTORIES):
        with work.table("inventories") as figures:
            columns = {"number": "INTEGER", "version": "INTEGER", "subject": "VARCHAR(64)"}
            figures.rows += work.load(
                Table.RB_INVENTORIES, "s_inventories", columns, values.rb_inventory
            ).rows
            work.drop_repeated("s_inventories", "number")
            work.drop_repeated("s_inventories", "subject", "version")
            work.park(
                "s_inventories",
                "NOT EXISTS (SELECT 1 FROM s_rb_subjects r WHERE r.number = s.subject)",
                "set or fig {} is not there",
                "subject",
                "number",
            )
            _merge_inventories(work, figures)
    stage.make_from(
        "s_known_inventories",
        "SELECT v.external_id AS number, MIN(v.id) AS inventory_id FROM catalog_iteminventory v "
        "WHERE v.catalogue = 'R' AND v.external_id IS NOT NULL AND NOT v.is_retired "
        "GROUP BY v.external_id",
    )
    stage.index("s_known_inventories", "number")
    _import_sources(work)


def _merge_inventories(work: Work, figures: TableFigures) -> None:
    stage = work.stage
    same = (
        "v.item_id = r.item_id AND v.catalogue = 'R' AND v.version = s.version "
        "AND r.number = s.subject"
    )
    figures.changed += stage.write_in_chunks(
        "s_inventories",
        f"""
        UPDATE catalog_iteminventory AS v SET external_id = s.number, is_retired = FALSE
        FROM s_inventories AS s, s_rb_subjects AS r
        WHERE {{chunk}} AND {same}
            AND (v.external_id {stage.differs} s.number OR v.is_retired)
        """,
    )
    figures.added += stage.write_in_chunks(
        "s_inventories",
        f"""
        INSERT INTO catalog_iteminventory (
            item_id, catalogue, version, external_id, has_components, has_inline_minifigs,
            missing_quantity, note, is_retired
        )
        SELECT r.item_id, 'R', s.version, s.number, FALSE, FALSE, 0, '', FALSE
        FROM s_inventories s JOIN s_rb_subjects r ON r.number = s.subject
        WHERE {{chunk}} AND NOT EXISTS (SELECT 1 FROM catalog_iteminventory v WHERE {same})
        ORDER BY s.seq
        """,
    )
    stage.analyze("catalog_iteminventory")
    if work.is_whole(Table.RB_INVENTORIES):
        gone = (
            "v.catalogue = 'R' AND v.external_id IS NOT NULL AND NOT v.is_retired AND NOT EXISTS "
            "(SELECT 1 FROM s_inventories s WHERE s.number = v.external_id)"
        )
        missing = stage.value(f"SELECT COUNT(*) FROM catalog_iteminventory v WHERE {gone}")
        known = stage.value(
            "SELECT COUNT(*) FROM catalog_iteminventory WHERE catalogue = 'R' AND NOT is_retired"
        )
        if missing and work.may_retire("inventories", missing, known):
            figures.retired += stage.write(
                f"UPDATE catalog_iteminventory AS v SET is_retired = TRUE WHERE {gone}"
            )


def _import_sources(work: Work) -> None:
    """The source of derived contents, their missing parts, and whether figs are inline."""
    if not work.has(Table.CONTENTS_SOURCES):
        return
    stage = work.stage
    with work.table("inventories") as figures:
        columns = {
            "number": "INTEGER",
            "source": "VARCHAR(100)",
            "missing": "INTEGER",
            "has_minifigs": "BOOLEAN",
        }
        work.load(Table.CONTENTS_SOURCES, "s_sources", columns, values.contents_source)
        work.drop_repeated("s_sources", "number")
        work.park(
            "s_sources",
            "NOT EXISTS (SELECT 1 FROM s_known_inventories k WHERE k.number = s.number)",
            "inventory {} is not there",
            "number",
        )
        # The lists of 2014 hold the figs' parts inline.
        inline = "(s.source = '2014' AND s.has_minifigs)"
        figures.changed += stage.write_in_chunks(
            "s_sources",
            f"""
            UPDATE catalog_iteminventory AS v SET note = s.source, missing_quantity = s.missing,
                has_inline_minifigs = {inline}
            FROM s_sources AS s, s_known_inventories AS k
            WHERE {{chunk}} AND k.number = s.number AND v.id = k.inventory_id AND (
                v.note <> s.source OR v.missing_quantity <> s.missing
                OR v.has_inline_minifigs <> {inline}
            )
            """,
        )


def import_contents(work: Work) -> None:
    """Parts, minifigs and sets inside Rebrickable's inventories."""
    _import_inventory_parts(work)
    _import_contained(work, Table.RB_INVENTORY_MINIFIGS, "s_in_figs", "('MINIFIG')")
    _import_contained(work, Table.RB_INVENTORY_SETS, "s_in_sets", "('SET', 'GEAR', 'BOOK')")


def _import_inventory_parts(work: Work) -> None:
    if not work.has(Table.RB_INVENTORY_PARTS):
        return
    stage = work.stage
    with work.table("components") as figures:
        columns = {
            "number": "INTEGER",
            "part": "VARCHAR(64)",
            "color": "INTEGER",
            "quantity": "INTEGER",
            "is_spare": "BOOLEAN",
        }
        figures.rows += work.load(
            Table.RB_INVENTORY_PARTS, "s_in_parts", columns, values.rb_component
        ).rows
        shown = ("part", "number", "color", "quantity")
        work.park(
            "s_in_parts",
            "NOT EXISTS (SELECT 1 FROM s_known_inventories k WHERE k.number = s.number)",
            "inventory {} is not there",
            "number",
            "part",
            "color",
        )
        work.park(
            "s_in_parts",
            "NOT EXISTS (SELECT 1 FROM s_rb_items r WHERE r.part = s.part)",
            "part {} is not in parts",
            *shown,
        )
        work.park(
            "s_in_parts",
            "NOT EXISTS (SELECT 1 FROM s_rb_colors r WHERE r.color = s.color)",
            "colour {} is not in colors",
            "color",
            *shown,
        )
        merge_contents(
            work,
            "s_in_parts s JOIN s_known_inventories k ON k.number = s.number "
            "JOIN s_rb_items r ON r.part = s.part JOIN s_rb_colors c ON c.color = s.color",
            ("k.inventory_id", "r.item_id", "c.color_id", "s.is_spare", "FALSE", "0", "FALSE"),
            "('PART')",
            figures,
        )
        # Sets filled from the lists of 2014 have their real contents now.
        stage.write(
            "UPDATE catalog_iteminventory SET note = '', has_inline_minifigs = FALSE "
            "WHERE note = '2014 pieces' AND id IN (SELECT inventory_id FROM s_components)"
        )


def _import_contained(work: Work, table: Table, name: str, types: str) -> None:
    if not work.has(table):
        return
    with work.table("components") as figures:
        columns = {"number": "INTEGER", "subject": "VARCHAR(64)", "quantity": "INTEGER"}
        figures.rows += work.load(table, name, columns, values.rb_contained).rows
        work.park(
            name,
            "NOT EXISTS (SELECT 1 FROM s_known_inventories k WHERE k.number = s.number)",
            "inventory {} is not there",
            "number",
            "subject",
        )
        work.park(
            name,
            "NOT EXISTS (SELECT 1 FROM s_rb_subjects r WHERE r.number = s.subject)",
            "set or fig {} is not there",
            "subject",
            "number",
        )
        merge_contents(
            work,
            f"{name} s JOIN s_known_inventories k ON k.number = s.number "
            "JOIN s_rb_subjects r ON r.number = s.subject",
            ("k.inventory_id", "r.item_id", "0", "FALSE", "FALSE", "0", "FALSE"),
            types,
            figures,
        )
