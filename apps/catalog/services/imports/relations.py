"""Relations between parts, and the other numbers that they and LDraw give."""

from apps.catalog.rules.readers import values
from apps.catalog.rules.readers.formats import Table
from apps.catalog.services.imports.aliases import merge_aliases
from apps.catalog.services.imports.work import Work


def import_relations(work: Work) -> None:
    """Rebrickable's relations; moulds and alternates become findable by each other's number."""
    if not work.has(Table.RB_RELATIONS):
        return
    stage = work.stage
    with work.table("item relations") as figures:
        columns = {"kind": "VARCHAR(1)", "child": "VARCHAR(64)", "parent": "VARCHAR(64)"}
        figures.rows += work.load(
            Table.RB_RELATIONS, "s_relations", columns, values.rb_relation
        ).rows
        work.drop_repeated("s_relations", "kind", "child", "parent")
        for column in ("child", "parent"):
            work.park(
                "s_relations",
                f"NOT EXISTS (SELECT 1 FROM s_rb_items r WHERE r.part = s.{column})",
                f"{column} part {{}} is not in parts",
                column,
                "kind",
                "child",
                "parent",
            )
        stage.make("s_related", {"kind": "VARCHAR(1)", "child_id": "BIGINT", "parent_id": "BIGINT"})
        stage.execute(
            "INSERT INTO s_related (kind, child_id, parent_id) "
            "SELECT DISTINCT s.kind, c.item_id, p.item_id FROM s_relations s "
            "JOIN s_rb_items c ON c.part = s.child JOIN s_rb_items p ON p.part = s.parent "
            "WHERE c.item_id <> p.item_id"
        )
        stage.index("s_related", "child_id", "kind", "parent_id")
        stage.analyze("s_related")
        if work.is_whole(Table.RB_RELATIONS):
            gone = (
                "NOT EXISTS (SELECT 1 FROM s_related s WHERE s.kind = catalog_itemrelation.kind "
                "AND s.child_id = catalog_itemrelation.child_id "
                "AND s.parent_id = catalog_itemrelation.parent_id)"
            )
            missing = stage.value(f"SELECT COUNT(*) FROM catalog_itemrelation WHERE {gone}")
            known = stage.value("SELECT COUNT(*) FROM catalog_itemrelation")
            if missing and work.may_retire("relations", missing, known):
                figures.removed += stage.write(f"DELETE FROM catalog_itemrelation WHERE {gone}")
        figures.added += stage.write_in_chunks(
            "s_related",
            """
            INSERT INTO catalog_itemrelation (kind, child_id, parent_id)
            SELECT s.kind, s.child_id, s.parent_id FROM s_related s
            WHERE {chunk} AND NOT EXISTS (
                SELECT 1 FROM catalog_itemrelation r WHERE r.child_id = s.child_id
                    AND r.kind = s.kind AND r.parent_id = s.parent_id
            )
            """,
        )
    with work.table("item aliases") as figures:
        similar = (
            "SELECT {0}.item_id, s.{1}, 9, 0, 0 FROM s_relations s "
            "JOIN s_rb_items c ON c.part = s.child JOIN s_rb_items p ON p.part = s.parent "
            "WHERE s.kind IN ('M', 'A') AND c.item_id <> p.item_id"
        )
        merge_aliases(
            work,
            f"{similar.format('p', 'child')} UNION ALL {similar.format('c', 'parent')}",
            "R",
            "similar",
            figures,
        )


def import_ldraw(work: Work) -> None:
    """LDraw's numbers, if its index names one of ours or the new number of a moved part."""
    if not work.has(Table.LDRAW_PARTS):
        return
    stage = work.stage
    by_number = "(SELECT i.id FROM catalog_item i WHERE i.item_type = 'PART' AND i.number = {})"
    by_part = "(SELECT r.item_id FROM s_rb_items r WHERE r.part = {})"
    with work.table("item aliases") as figures:
        stage.make_from(
            "s_ldraw_items",
            "SELECT s.seq, s.number, COALESCE("
            f"{by_number.format('s.bricklink')}, {by_part.format('s.rebrickable')}, "
            f"CASE WHEN s.moved_to <> '' THEN COALESCE({by_part.format('s.moved_to')}, "
            f"{by_number.format('s.moved_to')}) END) AS item_id "
            "FROM s_ldraw s WHERE s.bricklink <> '' OR s.rebrickable <> '' OR s.moved_to <> ''",
        )
        merge_aliases(
            work,
            "SELECT l.item_id, l.number, 0, 700, 0 FROM s_ldraw_items l "
            "JOIN catalog_item i ON i.id = l.item_id WHERE l.number <> i.number",
            "L",
            "id",
            figures,
        )
        stage.index("s_ldraw_items", "seq")
        work.park(
            "s_ldraw",
            "(s.bricklink <> '' OR s.rebrickable <> '' OR s.moved_to <> '') AND NOT EXISTS "
            "(SELECT 1 FROM s_ldraw_items l WHERE l.seq = s.seq AND l.item_id IS NOT NULL)",
            "names parts that the catalogue does not have",
            "number",
            "bricklink",
            "rebrickable",
            "moved_to",
        )
