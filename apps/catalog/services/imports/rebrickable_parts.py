"""Rebrickable's parts: numbers for BrickLink's, and items for those that only it has."""

from apps.catalog.rules.kinds import REBRICKABLE_PART_CATEGORY_BASE
from apps.catalog.rules.readers.formats import Table
from apps.catalog.services.imports.aliases import merge_aliases, move_aliases
from apps.catalog.services.imports.part_matches import IS_RB_PART
from apps.catalog.services.imports.report import TableFigures
from apps.catalog.services.imports.work import Work


def import_parts(work: Work) -> None:
    """Aliases, items of their own, borrowed names and categories, retirement."""
    if not work.has(Table.RB_PARTS):
        _stage_known(work)
        return
    stage = work.stage
    with work.table("items") as figures:
        figures.rows += stage.value("SELECT COUNT(*) FROM s_rb_parts")
        _stage_targets(work)
        work.park_new_without(
            "s_rb_parts",
            "category_id",
            REBRICKABLE_PART_CATEGORY_BASE,
            targets="s_targets",
            key="part",
            what="category",
        )
        figures.added += _add_own_items(work)
    with work.table("item aliases") as figures:
        move_aliases(work, figures, staged="s_targets", column="part", of=IS_RB_PART)
        merge_aliases(
            work,
            "SELECT t.item_id, t.part, COALESCE(m.rank, -1), COALESCE(m.confidence, 1000), "
            "COALESCE(m.shared, 0) FROM s_targets t LEFT JOIN s_matches m ON m.part = t.part",
            "R",
            "id",
            figures,
        )
        merge_aliases(
            work,
            "SELECT i.id, o.part, 1, 0, 0 FROM s_other_matches o "
            "JOIN catalog_item i ON i.item_type = 'PART' AND i.number = o.bricklink "
            "JOIN s_rb_parts p ON p.part = o.part",
            "R",
            "alternate",
            figures,
        )
    _stage_known(work)
    with work.table("items") as figures:
        figures.changed += _borrow_names(work)
        _retire_parts(work, figures)
        stage.analyze("catalog_item")


def _stage_targets(work: Work) -> None:
    """Stage the item of each part: matched, else as known, else none yet (item_id NULL)."""
    stage = work.stage
    stage.make("s_targets", {"part": "VARCHAR(64)", "item_id": "BIGINT"})
    stage.execute(
        f"""
        INSERT INTO s_targets (part, item_id)
        SELECT p.part, COALESCE(
            (SELECT i.id FROM s_matches m JOIN catalog_item i
                ON i.item_type = 'PART' AND i.number = m.bricklink WHERE m.part = p.part),
            (SELECT MIN(a.item_id) FROM catalog_itemalias a
                WHERE a.value_key = UPPER(p.part) AND a.value = p.part AND a.is_current
                AND {IS_RB_PART}),
            (SELECT MIN(a.item_id) FROM catalog_itemalias a
                WHERE a.value_key = UPPER(p.part) AND a.value = p.part AND {IS_RB_PART})
        )
        FROM s_rb_parts p ORDER BY p.seq
        """
    )
    stage.index("s_targets", "part")
    stage.index("s_targets", "item_id")
    stage.analyze("s_targets")


def _add_own_items(work: Work) -> int:
    stage = work.stage
    taken = "EXISTS (SELECT 1 FROM catalog_item i WHERE i.item_type = 'PART' AND i.number = s.part)"
    stage.make_from(
        "s_own_numbers",
        f"SELECT s.part, CASE WHEN {taken} THEN SUBSTR('rb-' || s.part, 1, 64) ELSE s.part END "
        "AS number FROM s_targets s WHERE s.item_id IS NULL",
    )
    stage.index("s_own_numbers", "part")
    added = stage.write_in_chunks(
        "s_rb_parts",
        """
        INSERT INTO catalog_item (
            item_type, number, number_key, name, category_id, category_path, dimensions,
            image_url, origin, name_from, is_retired, created_at, updated_at
        )
        SELECT 'PART', n.number, UPPER(n.number), s.name, c.id, COALESCE(c.path, ''), '', '',
               'R', 'R', FALSE, %s, %s
        FROM s_rb_parts s JOIN s_own_numbers n ON n.part = s.part
        LEFT JOIN catalog_category c ON c.id = s.category_id + %s
        WHERE {chunk} ORDER BY s.seq
        """,
        (work.stamp, work.stamp, REBRICKABLE_PART_CATEGORY_BASE),
    )
    stage.write(
        "UPDATE s_targets SET item_id = (SELECT i.id FROM s_own_numbers n JOIN catalog_item i "
        "ON i.item_type = 'PART' AND i.number = n.number WHERE n.part = s_targets.part) "
        "WHERE item_id IS NULL"
    )
    stage.analyze("s_targets")
    return added


def _stage_known(work: Work) -> None:
    """Stage what Rebrickable's numbers and colours mean, for contents and elements."""
    stage = work.stage
    stage.make_from(
        "s_rb_items",
        # A number that ended still means its old item: what refers to it loses nothing.
        "SELECT a.value AS part, "
        "COALESCE(MIN(CASE WHEN a.is_current THEN a.item_id END), MIN(a.item_id)) AS item_id "
        f"FROM catalog_itemalias a WHERE {IS_RB_PART} GROUP BY a.value",
    )
    stage.index("s_rb_items", "part")
    stage.make_from(
        "s_rb_colors",
        "SELECT CAST(value AS INTEGER) AS color, color_id FROM catalog_coloralias "
        "WHERE catalogue = 'R' AND kind = 'id'",
    )
    stage.index("s_rb_colors", "color")


def _borrow_names(work: Work) -> int:
    """Give parts without a BrickLink name and category those of their Rebrickable part."""
    stage = work.stage
    stage.make_from(
        "s_preferred",
        "SELECT a.item_id, MIN(a.rank) AS rank FROM catalog_itemalias a "
        "JOIN s_rb_parts p ON p.part = a.value "
        f"WHERE {IS_RB_PART} AND a.is_current GROUP BY a.item_id",
    )
    stage.index("s_preferred", "item_id")
    base = REBRICKABLE_PART_CATEGORY_BASE
    return stage.write_in_chunks(
        "s_rb_parts",
        f"""
        UPDATE catalog_item AS i SET
            name = CASE WHEN i.name_from <> 'B' AND s.name <> '' THEN s.name ELSE i.name END,
            name_from = CASE WHEN i.name_from <> 'B' AND s.name <> '' THEN 'R'
                             ELSE i.name_from END,
            category_id = CASE WHEN COALESCE(i.category_id, {base}) >= {base} AND c.id IS NOT NULL
                               THEN c.id ELSE i.category_id END,
            category_path = CASE WHEN COALESCE(i.category_id, {base}) >= {base}
                                      AND c.id IS NOT NULL
                                 THEN c.path ELSE i.category_path END,
            is_retired = CASE WHEN i.origin = 'R' THEN FALSE ELSE i.is_retired END,
            updated_at = %s
        FROM s_rb_parts AS s
        JOIN catalog_itemalias a ON a.value_key = UPPER(s.part) AND a.value = s.part
            AND a.catalogue = 'R' AND a.kind = 'id' AND a.is_current
        JOIN s_preferred p ON p.item_id = a.item_id AND p.rank = a.rank
        LEFT JOIN catalog_category c ON c.id = s.category_id + {base}
        WHERE {{chunk}} AND i.id = a.item_id AND i.item_type = 'PART' AND (
            (i.name_from <> 'B' AND s.name <> '' AND (i.name <> s.name OR i.name_from <> 'R'))
            OR (COALESCE(i.category_id, {base}) >= {base} AND c.id IS NOT NULL
                AND (i.category_id {stage.differs} c.id OR i.category_path <> c.path))
            OR (i.origin = 'R' AND i.is_retired AND i.replaced_by_id IS NULL)
        )
        """,
        (work.stamp,),
    )


def _retire_parts(work: Work, figures: TableFigures) -> None:
    """Retire parts of Rebrickable's own that it dropped, and end its numbers for others."""
    if not work.is_whole(Table.RB_PARTS):
        return
    stage = work.stage
    gone = (
        f"{IS_RB_PART} AND a.is_current AND NOT EXISTS "
        "(SELECT 1 FROM s_rb_parts p WHERE p.part = a.value)"
    )
    missing = stage.value(f"SELECT COUNT(*) FROM catalog_itemalias a WHERE {gone}")
    known = stage.value(
        f"SELECT COUNT(*) FROM catalog_itemalias a WHERE {IS_RB_PART} AND a.is_current"
    )
    if not missing or not work.may_retire("Rebrickable parts", missing, known):
        return
    figures.retired += stage.write(
        "UPDATE catalog_item AS i SET is_retired = TRUE, updated_at = %s "
        "WHERE i.origin = 'R' AND i.item_type = 'PART' AND NOT i.is_retired AND EXISTS "
        f"(SELECT 1 FROM catalog_itemalias a WHERE a.item_id = i.id AND {gone})",
        (work.stamp,),
    )
    work.report.table("item aliases").changed += stage.write(
        f"UPDATE catalog_itemalias AS a SET is_current = FALSE, until = %s WHERE {gone}",
        (work.now.date(),),
    )
