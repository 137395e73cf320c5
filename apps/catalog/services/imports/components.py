"""Lines of inventories: merged in the same way for every catalogue."""

from collections.abc import Sequence

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


def merge_contents(
    work: Work, source: str, line: Sequence[str], types: str, figures: TableFigures
) -> None:
    """Replace the lines of the inventories from `source`, for the item types it covers.

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
    """Delete the lines that the imported inventories no longer have.

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
