"""What sets and minifigs contain: inventories and their components."""

from collections.abc import Sequence

from apps.catalog.models import Item, ItemInventory
from apps.catalog.rules.kinds import Catalogue
from apps.catalog.rules.readers import values
from apps.catalog.rules.readers.formats import Table
from apps.catalog.services.imports.codes import make_lots
from apps.catalog.services.imports.report import TableFigures
from apps.catalog.services.imports.staging import WRITE_CHUNK
from apps.catalog.services.imports.work import Work

_COMPONENT_COLUMNS = {
    "inventory_id": "BIGINT",
    "lot_id": "BIGINT",
    "quantity": "INTEGER",
    "is_spare": "BOOLEAN",
    "is_alternate": "BOOLEAN",
    "match_id": "INTEGER",
    "is_counterpart": "BOOLEAN",
}
_KEY = ("inventory_id", "lot_id", "is_spare", "is_alternate", "match_id", "is_counterpart")
_SAME = " AND ".join(f"c.{column} = s.{column}" for column in _KEY)


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
    """Where derived contents come from, what they lack, and whether figs are inline."""
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
        _merge_contents(
            work,
            "s_in_parts s JOIN s_known_inventories k ON k.number = s.number "
            "JOIN s_rb_items r ON r.part = s.part JOIN s_rb_colors c ON c.color = s.color",
            ("k.inventory_id", "r.item_id", "c.color_id", "s.is_spare", "FALSE", "0", "FALSE"),
            "('PART')",
            figures,
        )
        # What was filled from the lists of 2014 has its real contents now.
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
        _merge_contents(
            work,
            f"{name} s JOIN s_known_inventories k ON k.number = s.number "
            "JOIN s_rb_subjects r ON r.number = s.subject",
            ("k.inventory_id", "r.item_id", "0", "FALSE", "FALSE", "0", "FALSE"),
            types,
            figures,
        )


def _merge_contents(
    work: Work, source: str, line: Sequence[str], types: str, figures: TableFigures
) -> None:
    """Replace the lines of the inventories that `source` tells, for the item types it tells.

    `line` gives inventory, item, colour, spare, alternate, match id and counterpart.
    """
    stage = work.stage
    inventory, item, color, spare, alternate, match, counterpart = line
    make_lots(
        work,
        f"SELECT {item} AS item_id, {color} AS color_id FROM {source}",
        work.report.table("lots"),
    )
    stage.make("s_components", _COMPONENT_COLUMNS)
    stage.execute(
        f"""
        INSERT INTO s_components ({", ".join(_COMPONENT_COLUMNS)})
        SELECT inventory_id, lot_id, SUM(quantity), is_spare, is_alternate, match_id,
               is_counterpart
        FROM (
            SELECT {inventory} AS inventory_id, l.id AS lot_id, s.quantity,
                   {spare} AS is_spare, {alternate} AS is_alternate, {match} AS match_id,
                   {counterpart} AS is_counterpart
            FROM {source}
            JOIN catalog_lot l ON l.item_id = {item} AND l.color_id = {color}
        ) AS told
        GROUP BY {", ".join(_KEY)}
        ORDER BY inventory_id, lot_id
        """
    )
    stage.index("s_components", *_KEY[:2])
    stage.analyze("s_components")
    _remove_lines(work, types, figures)
    figures.changed += stage.write_in_chunks(
        "s_components",
        f"UPDATE catalog_component AS c SET quantity = s.quantity FROM s_components AS s "
        f"WHERE {{chunk}} AND {_SAME} AND c.quantity <> s.quantity",
    )
    figures.added += stage.write_in_chunks(
        "s_components",
        f"""
        INSERT INTO catalog_component ({", ".join(_COMPONENT_COLUMNS)})
        SELECT {", ".join(f"s.{column}" for column in _COMPONENT_COLUMNS)} FROM s_components s
        WHERE {{chunk}} AND NOT EXISTS (SELECT 1 FROM catalog_component c WHERE {_SAME})
        ORDER BY s.seq
        """,
    )
    stage.write(
        "UPDATE catalog_iteminventory SET has_components = TRUE WHERE NOT has_components "
        "AND id IN (SELECT inventory_id FROM s_components)"
    )
    stage.analyze("catalog_component")


def _remove_lines(work: Work, types: str, figures: TableFigures) -> None:
    """Take out the lines that the told inventories no longer have.

    CROSS JOIN keeps SQLite from trying every lot with every inventory.
    """
    gone = [
        pk
        for (pk,) in work.stage.rows(
            f"""
            SELECT c.id
            FROM (SELECT DISTINCT inventory_id FROM s_components) AS told
            CROSS JOIN catalog_component AS c
            WHERE c.inventory_id = told.inventory_id
                AND NOT EXISTS (SELECT 1 FROM s_components s WHERE {_SAME})
                AND EXISTS (
                    SELECT 1 FROM catalog_lot l JOIN catalog_item i ON i.id = l.item_id
                    WHERE l.id = c.lot_id AND i.item_type IN {types}
                )
            """
        )
    ]
    for start in range(0, len(gone), WRITE_CHUNK):
        chunk = gone[start : start + WRITE_CHUNK]
        figures.removed += work.stage.write(
            f"DELETE FROM catalog_component WHERE id IN ({', '.join(map(str, chunk))})"
        )


def import_old_pieces(work: Work) -> None:
    """The set lists of 2014: only for sets of which nothing better tells the contents."""
    if not work.has(Table.OLD_SET_PIECES):
        return
    stage = work.stage
    with work.table("components") as figures:
        columns = {
            "subject": "VARCHAR(64)",
            "piece": "VARCHAR(64)",
            "quantity": "INTEGER",
            "color": "INTEGER",
            "is_spare": "BOOLEAN",
        }
        figures.rows += work.load(Table.OLD_SET_PIECES, "s_old", columns, values.old_piece).rows
        stage.index("s_old", "subject")
        stage.analyze("s_old")
        stage.make_from(
            "s_old_sets",
            """
            SELECT subject, item_id, EXISTS (
                SELECT 1 FROM catalog_iteminventory v WHERE v.item_id = known.item_id
                    AND v.has_components AND v.note <> '2014 pieces'
            ) AS is_told
            FROM (
                SELECT s.subject, COALESCE(
                    (SELECT r.item_id FROM s_rb_subjects r WHERE r.number = s.subject),
                    (SELECT i.id FROM catalog_item i
                        WHERE i.item_type = 'SET' AND i.number = s.subject)
                ) AS item_id
                FROM (SELECT DISTINCT subject FROM s_old) AS s
            ) AS known
            """,
        )
        stage.index("s_old_sets", "subject")
        stage.execute(
            "DELETE FROM s_old WHERE subject IN (SELECT subject FROM s_old_sets WHERE is_told)"
        )
        work.park(
            "s_old",
            "NOT EXISTS (SELECT 1 FROM s_old_sets k WHERE k.subject = s.subject "
            "AND k.item_id IS NOT NULL)",
            "set {} is not there",
            "subject",
            "piece",
        )
        _stage_old_pieces(work)
        work.park(
            "s_old",
            "NOT EXISTS (SELECT 1 FROM s_old_items o WHERE o.piece = s.piece)",
            "part {} is not there any more",
            "piece",
            "subject",
        )
        work.park(
            "s_old",
            "NOT EXISTS (SELECT 1 FROM s_rb_colors r WHERE r.color = s.color)",
            "colour {} is not there",
            "color",
            "piece",
        )
        figures.added += _add_old_inventories(work)
        _merge_contents(
            work,
            "s_old s JOIN s_old_sets k ON k.subject = s.subject "
            "JOIN catalog_iteminventory v ON v.item_id = k.item_id AND v.catalogue = 'R' "
            "AND v.note = '2014 pieces' "
            "JOIN s_old_items o ON o.piece = s.piece JOIN s_rb_colors c ON c.color = s.color",
            ("v.id", "o.item_id", "c.color_id", "s.is_spare", "FALSE", "0", "FALSE"),
            "('PART')",
            figures,
        )


def _stage_old_pieces(work: Work) -> None:
    """Stage what the numbers of 2014 mean: today's number, else a former or moved one."""
    stage = work.stage
    stage.make_from("s_pieces", "SELECT DISTINCT piece FROM s_old")
    stage.make_from(
        "s_old_items",
        """
        SELECT p.piece, COALESCE(
            (SELECT r.item_id FROM s_rb_items r WHERE r.part = p.piece),
            (SELECT i.id FROM catalog_item i WHERE i.item_type = 'PART' AND i.number = p.piece),
            (SELECT MIN(a.item_id) FROM catalog_itemalias a JOIN catalog_item i
                ON i.id = a.item_id AND i.item_type = 'PART'
                WHERE a.value_key = UPPER(p.piece) AND a.kind <> 'similar')
        ) AS item_id FROM s_pieces p
        """,
    )
    stage.execute("DELETE FROM s_old_items WHERE item_id IS NULL")
    stage.index("s_old_items", "piece")
    stage.analyze("s_old_items")


def _add_old_inventories(work: Work) -> int:
    """Mark the set's own inventory as filled from 2014, or make one where it has none."""
    stage = work.stage
    stage.write(
        "UPDATE catalog_iteminventory SET note = '2014 pieces', has_inline_minifigs = TRUE "
        "WHERE catalogue = 'R' AND NOT has_components AND note = '' AND version = 1 "
        "AND item_id IN (SELECT k.item_id FROM s_old_sets k JOIN s_old s "
        "ON s.subject = k.subject)"
    )
    return stage.write(
        "INSERT INTO catalog_iteminventory (item_id, catalogue, version, has_components, "
        "has_inline_minifigs, missing_quantity, note, is_retired) "
        "SELECT DISTINCT k.item_id, 'R', 1, FALSE, TRUE, 0, '2014 pieces', FALSE "
        "FROM s_old_sets k JOIN s_old s ON s.subject = k.subject WHERE NOT EXISTS "
        "(SELECT 1 FROM catalog_iteminventory v WHERE v.item_id = k.item_id "
        "AND v.catalogue = 'R' AND v.version = 1)"
    )


def import_bricklink_contents(work: Work) -> None:
    """BrickLink's own inventory files, each named after its item."""
    files = work.inputs.get(Table.BL_CONTENTS, [])
    for file in files:
        with work.table("components") as figures:
            work.inputs[Table.BL_CONTENTS] = [file]
            _import_bricklink_file(work, file.layout.item_type, file.layout.subject, figures)
    if files:
        work.inputs[Table.BL_CONTENTS] = files


def _import_bricklink_file(work: Work, item_type: str, number: str, figures: TableFigures) -> None:
    columns = {
        "item_type": "VARCHAR(12)",
        "number": "VARCHAR(64)",
        "color_id": "INTEGER",
        "quantity": "INTEGER",
        "is_spare": "BOOLEAN",
        "is_alternate": "BOOLEAN",
        "match_id": "INTEGER",
        "is_counterpart": "BOOLEAN",
    }
    figures.rows += work.load(Table.BL_CONTENTS, "s_lines", columns, values.bl_component).rows
    item = Item.objects.filter(item_type=item_type, number=number).first()
    if item is None:
        work.park("s_lines", "1 = 1", f"{item_type} {number} is not in the catalogue", "number")
        return
    work.park(
        "s_lines",
        "NOT EXISTS (SELECT 1 FROM catalog_item i WHERE i.item_type = s.item_type "
        "AND i.number = s.number)",
        "item {} is not in the catalogue",
        "number",
        "item_type",
        "quantity",
    )
    work.park(
        "s_lines",
        "NOT EXISTS (SELECT 1 FROM catalog_color c WHERE c.id = s.color_id)",
        "colour {} is not there",
        "color_id",
        "number",
    )
    inventory, is_new = ItemInventory.objects.get_or_create(
        item=item, catalogue=Catalogue.BRICKLINK, version=1
    )
    figures.added += is_new
    _merge_contents(
        work,
        "s_lines s JOIN catalog_item i ON i.item_type = s.item_type AND i.number = s.number",
        (
            str(inventory.pk),
            "i.id",
            "s.color_id",
            "s.is_spare",
            "s.is_alternate",
            "s.match_id",
            "s.is_counterpart",
        ),
        "('PART', 'MINIFIG', 'SET', 'GEAR', 'BOOK')",
        figures,
    )
