"""Items that a catalogue gave another number: the old ones are replaced by the new ones."""

from apps.catalog.rules.kinds import ItemType
from apps.catalog.services.imports.aliases import merge_aliases
from apps.catalog.services.imports.work import Work

#: Types whose numbers BrickLink pads with zeros when it needs room: cty001 became cty0001.
_PADDED = f"('{ItemType.PART.value}', '{ItemType.MINIFIG.value}')"
_LEAD = "SUBSTR({0}.number, 1, LENGTH({0}.number) - LENGTH(LTRIM({0}.number, '0123456789')))"
_NEW = "NOT n.is_retired AND n.replaced_by_id IS NULL AND n.item_type = o.item_type"


def follow_moves(work: Work) -> None:
    """Replace retired items whose number is another one's former, alternate or shorter number.

    Where several items answer to the number, nobody can say which it became.
    """
    stage = work.stage
    stage.make("s_successors", {"old_id": "BIGINT", "new_id": "BIGINT"})
    stage.execute(
        f"""
        INSERT INTO s_successors (old_id, new_id)
        SELECT found.old_id, MIN(found.new_id) FROM (
            SELECT o.id AS old_id, n.id AS new_id FROM catalog_item o
            JOIN catalog_itemalias a ON a.value_key = o.number_key AND a.value = o.number
                AND a.catalogue = 'B' AND a.kind IN ('former', 'alternate') AND a.is_current
            JOIN catalog_item n ON n.id = a.item_id AND {_NEW}
            WHERE o.is_retired AND o.origin = 'B' AND o.replaced_by_id IS NULL
            UNION
            SELECT o.id, n.id FROM catalog_item o
            JOIN catalog_item n ON n.sort_key = o.sort_key AND {_NEW}
                AND {_LEAD.format("n")} = {_LEAD.format("o")}
            WHERE o.is_retired AND o.origin = 'B' AND o.replaced_by_id IS NULL
                AND o.item_type IN {_PADDED} AND o.sort_key <> ''
        ) found GROUP BY found.old_id HAVING COUNT(DISTINCT found.new_id) = 1
        """
    )
    stage.index("s_successors", "old_id")
    stage.index("s_successors", "new_id")
    with work.table("items") as figures:
        figures.changed += stage.write_in_chunks(
            "s_successors",
            "UPDATE catalog_item AS i SET replaced_by_id = s.new_id, updated_at = %s "
            "FROM s_successors AS s WHERE {chunk} AND i.id = s.old_id",
            (work.stamp,),
        )
        # What an item replaced before has moved once more.
        figures.changed += stage.write(
            "UPDATE catalog_item AS i SET replaced_by_id = n.replaced_by_id, updated_at = %s "
            "FROM catalog_item AS n WHERE n.id = i.replaced_by_id AND n.replaced_by_id IS NOT NULL",
            (work.stamp,),
        )
    with work.table("item aliases") as figures:
        merge_aliases(
            work,
            "SELECT s.new_id, i.number, 0, 1000, 0 FROM s_successors s "
            "JOIN catalog_item i ON i.id = s.old_id",
            "B",
            "former",
            figures,
        )
