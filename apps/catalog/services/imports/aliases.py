"""Other numbers of items: one way to add and change them, for all sources."""

from apps.catalog.services.imports.report import TableFigures
from apps.catalog.services.imports.work import Work


def merge_aliases(
    work: Work, select: str, catalogue: str, kind: str, figures: TableFigures
) -> None:
    """Merge the rows of `select` (item_id, value, rank, confidence, shared) as aliases.

    A rank of -1 keeps rank, confidence and elements of an existing alias.
    """
    stage = work.stage
    stage.make(
        "s_aliases",
        {
            "item_id": "BIGINT",
            "value": "VARCHAR(64)",
            "rank": "INTEGER",
            "confidence": "INTEGER",
            "shared": "INTEGER",
        },
    )
    figures.rows += stage.execute(
        "INSERT INTO s_aliases (item_id, value, rank, confidence, shared) "
        f"WITH told (item_id, value, rank, confidence, shared) AS ({select}) "
        "SELECT item_id, value, MIN(rank), MAX(confidence), MAX(shared) FROM told "
        "GROUP BY item_id, value"
    )
    stage.index("s_aliases", "item_id", "value")
    stage.analyze("s_aliases")
    figures.changed += stage.write_in_chunks(
        "s_aliases",
        f"""
        UPDATE catalog_itemalias AS a SET
            rank = CASE WHEN s.rank < 0 THEN a.rank ELSE s.rank END,
            confidence = CASE WHEN s.rank < 0 THEN a.confidence ELSE s.confidence END,
            shared_elements = CASE WHEN s.rank < 0 THEN a.shared_elements ELSE s.shared END,
            is_current = TRUE, until = NULL
        FROM s_aliases AS s
        WHERE {{chunk}} AND a.item_id = s.item_id AND a.catalogue = '{catalogue}'
            AND a.kind = '{kind}' AND a.value = s.value AND (
                NOT a.is_current OR (s.rank >= 0 AND (
                    a.rank <> s.rank OR a.confidence <> s.confidence
                    OR a.shared_elements <> s.shared
                ))
            )
        """,
    )
    figures.added += stage.write_in_chunks(
        "s_aliases",
        f"""
        INSERT INTO catalog_itemalias (
            item_id, catalogue, kind, value, value_key, rank, confidence, shared_elements,
            is_current, since
        )
        SELECT s.item_id, '{catalogue}', '{kind}', s.value, UPPER(s.value),
               CASE WHEN s.rank < 0 THEN 0 ELSE s.rank END, s.confidence, s.shared, TRUE, %s
        FROM s_aliases s
        WHERE {{chunk}} AND NOT EXISTS (
            SELECT 1 FROM catalog_itemalias a WHERE a.item_id = s.item_id
                AND a.catalogue = '{catalogue}' AND a.kind = '{kind}' AND a.value = s.value
        )
        """,
        (work.now.date(),),
    )
    stage.analyze("catalog_itemalias")


def import_alternates(work: Work) -> None:
    """BrickLink's alternate numbers, where they are not the number of another part."""
    with work.table("item aliases") as figures:
        merge_aliases(
            work,
            """
            SELECT i.id, s.value, 0, 1000, 0 FROM s_alternates s
            JOIN catalog_item i ON i.item_type = s.item_type AND i.number = s.number
            """,
            "B",
            "alternate",
            figures,
        )


def move_aliases(work: Work, figures: TableFigures, *, staged: str, column: str, of: str) -> None:
    """End aliases that belong to another item now; an item of Rebrickable's own is replaced.

    `column` of the staged table is the alias, and `of` is the SQL that chooses aliases of its kind.
    """
    stage = work.stage
    stage.make("s_moves", {"alias_id": "BIGINT", "old_id": "BIGINT", "new_id": "BIGINT"})
    stage.execute(
        f"""
        INSERT INTO s_moves (alias_id, old_id, new_id)
        SELECT a.id, a.item_id, t.item_id FROM {staged} t
        JOIN catalog_itemalias a ON a.value_key = UPPER(t.{column}) AND a.value = t.{column}
        WHERE a.is_current AND a.item_id <> t.item_id AND {of}
        """
    )
    figures.changed += stage.write_in_chunks(
        "s_moves",
        "UPDATE catalog_itemalias AS a SET is_current = FALSE, until = %s FROM s_moves AS s "
        "WHERE {chunk} AND a.id = s.alias_id",
        (work.now.date(),),
    )
    work.report.table("items").retired += stage.write_in_chunks(
        "s_moves",
        "UPDATE catalog_item AS i SET is_retired = TRUE, replaced_by_id = s.new_id, "
        "updated_at = %s FROM s_moves AS s "
        "WHERE {chunk} AND i.id = s.old_id AND i.origin = 'R'",
        (work.stamp,),
    )
