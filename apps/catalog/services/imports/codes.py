"""Element codes, and the lots that they prove: which parts exist in which colours."""

from apps.catalog.models import Color
from apps.catalog.rules.readers import values
from apps.catalog.rules.readers.formats import Table
from apps.catalog.rules.search_words import words_of
from apps.catalog.services.imports.aliases import merge_aliases
from apps.catalog.services.imports.report import TableFigures
from apps.catalog.services.imports.work import Work

# A lot's search text: the item's words, then the colour's (rules.search_words.lot_words).
LOT_TEXT = "RTRIM(SUBSTR(t.words || ' ' || w.words, 1, 700))"


def stage_codes(work: Work) -> None:
    """Stage both catalogues' element lists; without BrickLink's file its codes as we have them."""
    columns = {
        "number": "VARCHAR(64)",
        "color": "VARCHAR(100)",
        "code": "VARCHAR(12)",
        "color_id": "INTEGER",
    }
    work.load(Table.BL_CODES, "s_bl_codes", columns, lambda row: (*values.bl_code(row), None))
    stage = work.stage
    if work.has(Table.BL_CODES):
        stage.execute(
            "UPDATE s_bl_codes SET color_id = (SELECT MIN(c.id) FROM catalog_color c "
            "WHERE c.name = s_bl_codes.color AND c.origin = 'B')"
        )
        work.park("s_bl_codes", "s.color_id IS NULL", "colour {} is not there", "color", "code")
    else:
        stage.execute(
            "INSERT INTO s_bl_codes (number, color, code, color_id) "
            "SELECT i.number, '', e.code, l.color_id FROM catalog_elementcode e "
            "JOIN catalog_lot l ON l.id = e.lot_id JOIN catalog_item i ON i.id = l.item_id "
            "WHERE e.catalogue = 'B'"
        )
    stage.index("s_bl_codes", "code")
    stage.analyze("s_bl_codes")
    if work.has(Table.RB_ELEMENTS):
        work.load(
            Table.RB_ELEMENTS,
            "s_rb_elements",
            {"code": "VARCHAR(12)", "part": "VARCHAR(64)", "color": "INTEGER"},
            values.rb_element,
        )
        work.drop_repeated("s_rb_elements", "code", "part", "color")


def make_lots(work: Work, pairs: str, figures: TableFigures) -> None:
    """Make the lots of `pairs` (a SELECT of item_id, color_id) that are missing, as known ones.

    Lots that were made on demand are marked as known.
    """
    stage = work.stage
    stage.make("s_pairs", {"item_id": "BIGINT", "color_id": "INTEGER"})
    stage.execute(
        f"INSERT INTO s_pairs (item_id, color_id) SELECT DISTINCT item_id, color_id FROM ({pairs}) p"
    )
    stage.analyze("s_pairs")
    figures.added += stage.write_in_chunks(
        "s_pairs",
        f"""
        INSERT INTO catalog_lot (
            item_id, color_id, is_known, composite_ssearch, created_at, updated_at
        )
        SELECT s.item_id, s.color_id, TRUE, {LOT_TEXT}, %s, %s
        FROM s_pairs s
        JOIN catalog_itemtext t ON t.item_id = s.item_id
        JOIN s_color_words w ON w.color_id = s.color_id
        WHERE {{chunk}} AND NOT EXISTS (
            SELECT 1 FROM catalog_lot l
            WHERE l.item_id = s.item_id AND l.color_id = s.color_id
        )
        """,
        (work.stamp, work.stamp),
    )
    figures.changed += stage.write_in_chunks(
        "s_pairs",
        """
        UPDATE catalog_lot AS l SET is_known = TRUE, updated_at = %s FROM s_pairs AS s
        WHERE {chunk} AND l.item_id = s.item_id AND l.color_id = s.color_id AND NOT l.is_known
        """,
        (work.stamp,),
    )
    stage.analyze("catalog_lot")


def stage_color_words(work: Work) -> None:
    """Stage the folded name of each colour, for the search text of lots."""
    work.stage.make("s_color_words", {"color_id": "INTEGER", "words": "VARCHAR(200)"})
    work.stage.load(
        "s_color_words",
        ("color_id", "words"),
        [(pk, " ".join(words_of(name))) for pk, name in Color.objects.values_list("pk", "name")],
    )
    work.stage.index("s_color_words", "color_id")


def rename_lots(work: Work) -> None:
    """Bring the search text of lots up to date after a colour was renamed."""
    with work.table("lots") as figures:
        stage = work.stage
        stale = stage.rows(
            "SELECT w.color_id FROM s_color_words w WHERE EXISTS ("
            "SELECT 1 FROM catalog_lot l JOIN catalog_itemtext t ON t.item_id = l.item_id "
            f"WHERE l.color_id = w.color_id AND l.composite_ssearch <> {LOT_TEXT})"
        )
        for (color_id,) in stale:
            figures.changed += stage.write(
                f"""
                UPDATE catalog_lot AS l SET composite_ssearch = {LOT_TEXT}, updated_at = %s
                FROM catalog_itemtext t, s_color_words w
                WHERE l.color_id = %s AND w.color_id = l.color_id AND t.item_id = l.item_id
                    AND l.composite_ssearch <> {LOT_TEXT}
                """,
                (work.stamp, color_id),
            )


def import_colorless_lots(work: Work) -> None:
    """The one lot of everything that has no colour: sets, minifigs, boxes, books, …"""
    with work.table("lots") as figures:
        make_lots(
            work,
            "SELECT i.id AS item_id, 0 AS color_id FROM catalog_item i "
            "WHERE i.item_type <> 'PART' AND NOT EXISTS (SELECT 1 FROM catalog_lot l "
            "WHERE l.item_id = i.id AND l.color_id = 0)",
            figures,
        )


def import_bricklink_codes(work: Work) -> None:
    """BrickLink's codes: lots, codes, and former numbers of codes that changed hands."""
    if not work.has(Table.BL_CODES):
        return
    stage = work.stage
    with work.table("lots") as figures:
        make_lots(work, f"SELECT i.id AS item_id, s.color_id {_OF_BRICKLINK}", figures)
    with work.table("element codes") as figures:
        stage.make("s_codes", {"code": "VARCHAR(12)", "lot_id": "BIGINT"})
        figures.rows += stage.execute(
            "INSERT INTO s_codes (code, lot_id) SELECT DISTINCT s.code, l.id "
            f"{_OF_BRICKLINK.replace('WHERE', _JOIN_LOT + ' WHERE')}"
        )
        stage.index("s_codes", "code", "lot_id")
        stage.analyze("s_codes")
        _keep_former_numbers(work)
        _merge_codes(work, "B", figures, is_whole=work.is_whole(Table.BL_CODES))


_OF_BRICKLINK = (
    "FROM s_bl_codes s JOIN catalog_item i ON i.item_type = 'PART' AND i.number = s.number "
    "WHERE s.line IS NOT NULL"
)
_JOIN_LOT = "JOIN catalog_lot l ON l.item_id = i.id AND l.color_id = s.color_id"


def _keep_former_numbers(work: Work) -> None:
    """A number whose codes all belong to another number now was renumbered: keep it as alias."""
    if not work.is_whole(Table.BL_CODES):
        return
    with work.table("item aliases") as figures:
        work.stage.make("s_moved", {"old_id": "BIGINT", "new_id": "BIGINT", "shared": "INTEGER"})
        work.stage.execute(
            """
            INSERT INTO s_moved (old_id, new_id, shared)
            SELECT o.item_id, n.item_id, COUNT(*)
            FROM catalog_elementcode e
            JOIN catalog_lot o ON o.id = e.lot_id
            JOIN s_codes s ON s.code = e.code
            JOIN catalog_lot n ON n.id = s.lot_id
            WHERE e.catalogue = 'B' AND n.item_id <> o.item_id
                AND NOT EXISTS (
                    SELECT 1 FROM s_codes k JOIN catalog_lot kl ON kl.id = k.lot_id
                    WHERE kl.item_id = o.item_id
                )
            GROUP BY o.item_id, n.item_id
            """
        )
        merge_aliases(
            work,
            """
            SELECT m.new_id, i.number, 0, 1000, m.shared FROM s_moved m
            JOIN catalog_item i ON i.id = m.old_id
            WHERE m.shared = (SELECT MAX(x.shared) FROM s_moved x WHERE x.old_id = m.old_id)
            """,
            "B",
            "former",
            figures,
        )


def _merge_codes(work: Work, catalogue: str, figures: TableFigures, *, is_whole: bool) -> None:
    stage = work.stage
    if is_whole:
        gone = (
            f"catalogue = '{catalogue}' AND NOT EXISTS (SELECT 1 FROM s_codes s "
            "WHERE s.code = catalog_elementcode.code AND s.lot_id = catalog_elementcode.lot_id)"
        )
        missing = stage.value(f"SELECT COUNT(*) FROM catalog_elementcode WHERE {gone}")
        known = stage.value(
            f"SELECT COUNT(*) FROM catalog_elementcode WHERE catalogue = '{catalogue}'"
        )
        if missing and work.may_retire("element codes", missing, known):
            figures.removed += stage.write(f"DELETE FROM catalog_elementcode WHERE {gone}")
    figures.changed += stage.write_in_chunks(
        "s_codes",
        f"""
        UPDATE catalog_elementcode AS e SET catalogue = '{catalogue}' FROM s_codes AS s
        WHERE {{chunk}} AND e.code = s.code AND e.lot_id = s.lot_id
            AND e.catalogue <> '{catalogue}'
        """,
    )
    figures.added += stage.write_in_chunks(
        "s_codes",
        f"""
        INSERT INTO catalog_elementcode (code, lot_id, catalogue)
        SELECT s.code, s.lot_id, '{catalogue}' FROM s_codes s
        WHERE {{chunk}} AND NOT EXISTS (
            SELECT 1 FROM catalog_elementcode e WHERE e.code = s.code AND e.lot_id = s.lot_id
        )
        """,
    )
    stage.analyze("catalog_elementcode")


def import_rebrickable_elements(work: Work) -> None:
    """Rebrickable's elements, where BrickLink has no code: its list is the sellers' one."""
    if "s_rb_elements" not in work.staged:
        return
    stage = work.stage
    work.park(
        "s_rb_elements",
        "NOT EXISTS (SELECT 1 FROM s_rb_items r WHERE r.part = s.part)",
        "part {} is not in parts",
        "part",
        "code",
    )
    work.park(
        "s_rb_elements",
        "NOT EXISTS (SELECT 1 FROM s_rb_colors r WHERE r.color = s.color)",
        "colour {} is not in colors",
        "color",
        "code",
    )
    own = (
        "FROM s_rb_elements s JOIN s_rb_items r ON r.part = s.part "
        "JOIN s_rb_colors c ON c.color = s.color "
        "WHERE NOT EXISTS (SELECT 1 FROM s_bl_codes b WHERE b.code = s.code)"
    )
    with work.table("lots") as figures:
        make_lots(work, f"SELECT r.item_id, c.color_id {own}", figures)
    with work.table("element codes") as figures:
        stage.make("s_codes", {"code": "VARCHAR(12)", "lot_id": "BIGINT"})
        figures.rows += stage.execute(
            "INSERT INTO s_codes (code, lot_id) SELECT DISTINCT s.code, l.id "
            + own.replace(
                "WHERE",
                "JOIN catalog_lot l ON l.item_id = r.item_id AND l.color_id = c.color_id WHERE",
                1,
            )
        )
        stage.index("s_codes", "code", "lot_id")
        stage.analyze("s_codes")
        _merge_codes(work, "R", figures, is_whole=work.is_whole(Table.RB_ELEMENTS))
