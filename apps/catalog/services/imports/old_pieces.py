"""The set lists of 2014: used only for sets whose contents no better source lists."""

from apps.catalog.rules.readers import values
from apps.catalog.rules.readers.formats import Table
from apps.catalog.services.imports.components import merge_contents
from apps.catalog.services.imports.work import Work


def import_old_pieces(work: Work) -> None:
    """Fill sets without contents from a list of 2014; every other source takes precedence."""
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
        merge_contents(
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
    """Stage the items of the numbers of 2014: by today's number, else by a former or moved one."""
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
