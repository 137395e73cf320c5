"""Which BrickLink part each Rebrickable part is, decided before anything is written."""

from apps.catalog.rules.matching import PartMatch, match_parts
from apps.catalog.rules.readers import values
from apps.catalog.rules.readers.formats import Table
from apps.catalog.services.imports.work import Work

IS_RB_PART = (
    "a.catalogue = 'R' AND a.kind = 'id' AND EXISTS "
    "(SELECT 1 FROM catalog_item ai WHERE ai.id = a.item_id AND ai.item_type = 'PART')"
)


def stage_matches(work: Work) -> None:
    """Decide the BrickLink number of every Rebrickable part of this run (before items merge)."""
    work.load(
        Table.RB_PARTS,
        "s_rb_parts",
        {"part": "VARCHAR(64)", "name": "VARCHAR(500)", "category_id": "INTEGER"},
        values.rb_part,
    )
    work.drop_repeated("s_rb_parts", "part")
    stage = work.stage
    stage.make(
        "s_matches",
        {
            "part": "VARCHAR(64)",
            "bricklink": "VARCHAR(64)",
            "shared": "INTEGER",
            "confidence": "INTEGER",
            "rank": "INTEGER",
        },
    )
    stage.make("s_other_matches", {"part": "VARCHAR(64)", "bricklink": "VARCHAR(64)"})
    matches = _matches(work)
    stage.load(
        "s_matches",
        ("part", "bricklink", "shared", "confidence", "rank"),
        [(m.rebrickable, m.bricklink, m.shared, m.confidence, m.rank) for m in matches],
    )
    stage.load(
        "s_other_matches",
        ("part", "bricklink"),
        [(m.rebrickable, other) for m in matches for other in m.others],
    )
    stage.index("s_matches", "part")
    stage.index("s_matches", "bricklink")


def _matches(work: Work) -> list[PartMatch]:
    stage = work.stage
    votes = _votes(work)
    voted = {part for part, _, _ in votes}
    kept = {
        part
        for (part,) in stage.rows(
            f"SELECT a.value FROM catalog_itemalias a WHERE {IS_RB_PART} AND a.is_current"
        )
    }
    # What elements said in earlier runs still speaks against an equal number.
    contradicted = {
        number
        for (number,) in stage.rows(
            "SELECT i.number FROM catalog_itemalias a JOIN catalog_item i ON i.id = a.item_id "
            "WHERE a.catalogue = 'R' AND a.kind = 'id' AND a.shared_elements > 0 "
            "AND i.item_type = 'PART' AND a.value <> i.number"
        )
    }
    bricklink = _bricklink_numbers(work)
    matched = match_parts(
        votes,
        links=_links(work),
        rebrickable=[
            part
            for (part,) in stage.rows("SELECT part FROM s_rb_parts")
            if part in voted or part not in kept
        ],
        bricklink=bricklink - (contradicted - {target for _, target, _ in votes}),
    )
    return [match for match in matched.values() if match.bricklink in bricklink]


def _votes(work: Work) -> list[tuple[str, str, int]]:
    if "s_rb_elements" in work.staged and work.stage.value("SELECT 1 FROM s_bl_codes LIMIT 1"):
        return [
            (part, number, shared)
            for part, number, shared in work.stage.rows(
                "SELECT e.part, k.number, COUNT(DISTINCT e.code) FROM s_rb_elements e "
                "JOIN s_bl_codes k ON k.code = e.code GROUP BY e.part, k.number"
            )
        ]
    if work.has(Table.BL_CODES):
        # No elements in this run: those that an earlier one kept, where BrickLink had no code.
        own = work.stage.rows(
            "SELECT a.value, k.number, COUNT(DISTINCT e.code) FROM catalog_elementcode e "
            "JOIN catalog_lot l ON l.id = e.lot_id "
            "JOIN catalog_itemalias a ON a.item_id = l.item_id "
            "JOIN s_bl_codes k ON k.code = e.code "
            f"WHERE e.catalogue = 'R' AND a.is_current AND a.rank = 0 AND {IS_RB_PART} "
            "GROUP BY a.value, k.number"
        )
        if own:
            return [(part, number, shared) for part, number, shared in own]
    return [
        (part, number, shared)
        for _file, _line, (part, number, shared) in work.values(Table.PART_MAP, values.part_vote)
    ]


def _bricklink_numbers(work: Work) -> set[str]:
    """Return every number that is a BrickLink part now or will be one after this run."""
    found = work.stage.rows(
        "SELECT number FROM catalog_item WHERE item_type = 'PART' AND origin = 'B' "
        "UNION SELECT number FROM s_items WHERE item_type = 'PART' "
        "UNION SELECT number FROM s_bl_codes UNION SELECT number FROM s_part_list"
    )
    return {number for (number,) in found}


def _links(work: Work) -> dict[str, str]:
    """Return the numbers in LDraw's keywords: Rebrickable number -> BrickLink number."""
    links: dict[str, str] = {}
    work.load(
        Table.LDRAW_PARTS,
        "s_ldraw",
        {
            "number": "VARCHAR(64)",
            "moved_to": "VARCHAR(64)",
            "bricklink": "VARCHAR(64)",
            "rebrickable": "VARCHAR(64)",
        },
        lambda row: _first_links(values.ldraw_part(row)),
    )
    for rebrickable, bricklink in work.stage.rows(
        "SELECT rebrickable, bricklink FROM s_ldraw WHERE rebrickable <> '' AND bricklink <> '' "
        "ORDER BY seq"
    ):
        links.setdefault(rebrickable, bricklink)
    return links


def _first_links(row: tuple[str, str, list[str], list[str]]) -> tuple[str, str, str, str]:
    number, moved_to, bricklink, rebrickable = row
    return number, moved_to, next(iter(bricklink), ""), next(iter(rebrickable), "")


def renumber_parts(work: Work) -> None:
    """Give parts that Rebrickable brought first their BrickLink number, before items merge.

    Two steps, because numbers change places (970c01 becomes 970c03): all that must leave
    their number step aside, then each takes its own where nobody has it.
    """
    stage = work.stage
    own = "i.item_type = 'PART' AND i.origin = 'R'"
    with work.table("items") as figures:
        stage.make("s_leaving", {"item_id": "BIGINT", "bricklink": "VARCHAR(64)"})
        stage.execute(
            f"""
            INSERT INTO s_leaving (item_id, bricklink)
            SELECT i.id, CASE WHEN m.rank = 0 THEN m.bricklink ELSE '' END
            FROM catalog_item i
            JOIN catalog_itemalias a ON a.item_id = i.id AND a.catalogue = 'R'
                AND a.kind = 'id' AND a.is_current
            JOIN s_matches m ON m.part = a.value
            WHERE {own} AND m.bricklink <> i.number
            """
        )
        stage.execute(
            f"""
            INSERT INTO s_leaving (item_id, bricklink)
            SELECT i.id, '' FROM catalog_item i WHERE {own} AND EXISTS (
                SELECT 1 FROM s_matches m WHERE m.bricklink = i.number AND m.part <> i.number
                    AND m.shared > 0
            ) AND NOT EXISTS (
                SELECT 1 FROM s_matches m WHERE m.bricklink = i.number AND m.part = i.number
            ) AND NOT EXISTS (SELECT 1 FROM s_leaving l WHERE l.item_id = i.id)
            """
        )
        stage.index("s_leaving", "item_id")
        stage.analyze("s_leaving")
        stage.write_in_chunks(
            "s_leaving",
            "UPDATE catalog_item AS i SET number = SUBSTR('rb-' || i.number, 1, 64), "
            "number_key = SUBSTR('RB-' || i.number_key, 1, 64), updated_at = %s "
            "FROM s_leaving AS s WHERE {chunk} AND i.id = s.item_id",
            (work.stamp,),
        )
        figures.changed += stage.write_in_chunks(
            "s_leaving",
            "UPDATE catalog_item AS i SET number = s.bricklink, "
            "number_key = UPPER(s.bricklink), origin = 'B', updated_at = %s "
            "FROM s_leaving AS s WHERE {chunk} AND i.id = s.item_id AND s.bricklink <> '' "
            "AND NOT EXISTS (SELECT 1 FROM catalog_item o "
            "WHERE o.item_type = 'PART' AND o.number = s.bricklink)",
            (work.stamp,),
        )
