"""Rebrickable's sets and minifigs: which of ours they are, and those that only it has.

Sets share BrickLink's numbers; gear and books among them have no `-1` there.
Minifigs have no number in common with anything, so each is an item of its own: nobody
but a person can say that `fig-015861` is `twn510`.
"""

from apps.catalog.rules.kinds import REBRICKABLE_THEME_BASE
from apps.catalog.rules.readers import values
from apps.catalog.rules.readers.formats import Table
from apps.catalog.services.imports.aliases import merge_aliases, move_aliases
from apps.catalog.services.imports.report import TableFigures
from apps.catalog.services.imports.work import Work

_SUBJECT_COLUMNS = {
    "number": "VARCHAR(64)",
    "name": "VARCHAR(500)",
    "year": "SMALLINT",
    "theme_id": "INTEGER",
    "image": "VARCHAR(300)",
}
_TYPES = {"SET": "('SET', 'GEAR', 'BOOK')", "MINIFIG": "('MINIFIG')"}


def import_sets(work: Work) -> None:
    """Sets, with year, theme and picture where BrickLink has none."""
    if work.has(Table.RB_SETS):
        work.load(Table.RB_SETS, "s_rb_sets", _SUBJECT_COLUMNS, values.rb_set)
        _import_subjects(work, "s_rb_sets", "SET", Table.RB_SETS)


def import_minifigs(work: Work) -> None:
    """Minifigs under Rebrickable's numbers."""
    if work.has(Table.RB_MINIFIGS):

        def convert(row: list[str]) -> tuple[str, str, None, None, str]:
            number, name, image = values.rb_minifig(row)
            return number, name, None, None, image

        work.load(Table.RB_MINIFIGS, "s_rb_figs", _SUBJECT_COLUMNS, convert)
        _import_subjects(work, "s_rb_figs", "MINIFIG", Table.RB_MINIFIGS)


def _is_subject(item_type: str) -> str:
    return (
        "a.catalogue = 'R' AND a.kind = 'id' AND EXISTS (SELECT 1 FROM catalog_item ai "
        f"WHERE ai.id = a.item_id AND ai.item_type IN {_TYPES[item_type]})"
    )


def _import_subjects(work: Work, name: str, item_type: str, table: Table) -> None:
    stage = work.stage
    work.drop_repeated(name, "number")
    with work.table("items") as figures:
        figures.rows += stage.value(f"SELECT COUNT(*) FROM {name}")
        _stage_targets(work, name, item_type)
        work.park_new_without(
            name,
            "theme_id",
            REBRICKABLE_THEME_BASE,
            targets="s_subjects",
            key="number",
            what="theme",
        )
        figures.added += _add_own_items(work, name, item_type)
    with work.table("item aliases") as figures:
        move_aliases(work, figures, staged="s_subjects", column="number", of=_is_subject(item_type))
        merge_aliases(
            work,
            "SELECT t.item_id, t.number, 0, "
            "CASE WHEN t.number = i.number THEN 1000 ELSE 900 END, 0 "
            "FROM s_subjects t JOIN catalog_item i ON i.id = t.item_id",
            "R",
            "id",
            figures,
        )
    with work.table("items") as figures:
        figures.changed += _fill_in(work, name, item_type)
        if work.is_whole(table):
            _retire(work, name, item_type, figures)
        stage.analyze("catalog_item")


def _stage_targets(work: Work, name: str, item_type: str) -> None:
    stage = work.stage
    known = (
        "(SELECT MIN(a.item_id) FROM catalog_itemalias a WHERE a.value_key = UPPER(s.number) "
        f"AND a.value = s.number AND {_is_subject(item_type)})"
    )
    found = [
        f"(SELECT i.id FROM catalog_item i WHERE i.item_type = '{item_type}' "
        "AND i.number = s.number AND i.origin <> 'R')",
    ]
    if item_type == "SET":
        found.extend(
            "(SELECT i.id FROM catalog_item i WHERE s.number LIKE '%%-1' "
            f"AND i.item_type = '{other}' AND i.origin <> 'R' "
            "AND i.number = SUBSTR(s.number, 1, LENGTH(s.number) - 2))"
            for other in ("GEAR", "BOOK")
        )
    stage.make("s_subjects", {"number": "VARCHAR(64)", "item_id": "BIGINT"})
    stage.execute(
        f"INSERT INTO s_subjects (number, item_id) SELECT s.number, "
        f"COALESCE({', '.join([*found, known])}) FROM {name} s ORDER BY s.seq".replace("%%", "%")
    )
    stage.index("s_subjects", "number")
    stage.index("s_subjects", "item_id")
    stage.analyze("s_subjects")


def _add_own_items(work: Work, name: str, item_type: str) -> int:
    stage = work.stage
    added = stage.write_in_chunks(
        name,
        f"""
        INSERT INTO catalog_item (
            item_type, number, number_key, name, category_id, category_path, year_released,
            dimensions, image_url, origin, name_from, is_retired, created_at, updated_at
        )
        SELECT '{item_type}', s.number, UPPER(s.number), s.name, c.id, COALESCE(c.path, ''),
               s.year, '', s.image, 'R', 'R', FALSE, %s, %s
        FROM {name} s JOIN s_subjects t ON t.number = s.number
        LEFT JOIN catalog_category c ON c.id = s.theme_id + %s
        WHERE {{chunk}} AND t.item_id IS NULL AND NOT EXISTS (
            SELECT 1 FROM catalog_item i
            WHERE i.item_type = '{item_type}' AND i.number = s.number
        ) ORDER BY s.seq
        """,
        (work.stamp, work.stamp, REBRICKABLE_THEME_BASE),
    )
    stage.write(
        "UPDATE s_subjects SET item_id = (SELECT i.id FROM catalog_item i "
        f"WHERE i.item_type = '{item_type}' AND i.number = s_subjects.number) "
        "WHERE item_id IS NULL"
    )
    stage.analyze("s_subjects")
    return added


def _fill_in(work: Work, name: str, item_type: str) -> int:
    """Update names and years of Rebrickable's own items; of others, fill only unknown values."""
    stage = work.stage
    base = REBRICKABLE_THEME_BASE
    takes_theme = f"COALESCE(i.category_id, {base}) >= {base} AND c.id IS NOT NULL"
    takes_name = "i.name_from <> 'B' AND s.name <> ''"
    takes_year = "s.year IS NOT NULL AND (i.year_released IS NULL OR i.origin = 'R')"
    return stage.write_in_chunks(
        name,
        f"""
        UPDATE catalog_item AS i SET
            name = CASE WHEN {takes_name} THEN s.name ELSE i.name END,
            name_from = CASE WHEN {takes_name} THEN 'R' ELSE i.name_from END,
            year_released = CASE WHEN {takes_year} THEN s.year ELSE i.year_released END,
            category_id = CASE WHEN {takes_theme} THEN c.id ELSE i.category_id END,
            category_path = CASE WHEN {takes_theme} THEN c.path ELSE i.category_path END,
            image_url = CASE WHEN s.image <> '' THEN s.image ELSE i.image_url END,
            is_retired = CASE WHEN i.origin = 'R' THEN FALSE ELSE i.is_retired END,
            updated_at = %s
        FROM {name} AS s JOIN s_subjects t ON t.number = s.number
        LEFT JOIN catalog_category c ON c.id = s.theme_id + {base}
        WHERE {{chunk}} AND i.id = t.item_id AND (
            ({takes_name} AND (i.name <> s.name OR i.name_from <> 'R'))
            OR ({takes_year} AND i.year_released {stage.differs} s.year)
            OR ({takes_theme} AND (i.category_id {stage.differs} c.id
                                   OR i.category_path <> c.path))
            OR (s.image <> '' AND i.image_url <> s.image)
            OR (i.origin = 'R' AND i.is_retired AND i.replaced_by_id IS NULL)
        )
        """,
        (work.stamp,),
    )


def _retire(work: Work, name: str, item_type: str, figures: TableFigures) -> None:
    stage = work.stage
    gone = (
        f"{_is_subject(item_type)} AND a.is_current AND NOT EXISTS "
        f"(SELECT 1 FROM {name} s WHERE s.number = a.value)"
    )
    missing = stage.value(f"SELECT COUNT(*) FROM catalog_itemalias a WHERE {gone}")
    known = stage.value(
        f"SELECT COUNT(*) FROM catalog_itemalias a WHERE {_is_subject(item_type)} AND a.is_current"
    )
    what = "Rebrickable sets" if item_type == "SET" else "Rebrickable minifigs"
    if not missing or not work.may_retire(what, missing, known):
        return
    figures.retired += stage.write(
        "UPDATE catalog_item AS i SET is_retired = TRUE, updated_at = %s "
        "WHERE i.origin = 'R' AND NOT i.is_retired AND EXISTS "
        f"(SELECT 1 FROM catalog_itemalias a WHERE a.item_id = i.id AND {gone})",
        (work.stamp,),
    )
    work.report.table("item aliases").changed += stage.write(
        f"UPDATE catalog_itemalias AS a SET is_current = FALSE, until = %s WHERE {gone}",
        (work.now.date(),),
    )
