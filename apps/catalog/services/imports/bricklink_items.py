"""BrickLink's items, from its catalogue downloads and the lists that replace them."""

from apps.catalog.models import Category
from apps.catalog.rules.kinds import Catalogue, ItemType
from apps.catalog.rules.matching import split_path
from apps.catalog.rules.readers import values
from apps.catalog.rules.readers.formats import Layout, Table
from apps.catalog.services.imports.report import TableFigures
from apps.catalog.services.imports.work import Work

ITEM_COLUMNS = {
    "item_type": "VARCHAR(12)",
    "number": "VARCHAR(64)",
    "number_key": "VARCHAR(64)",
    "name": "VARCHAR(500)",
    "category_id": "INTEGER",
    "category_path": "VARCHAR(400)",
    "year_released": "SMALLINT",
    "weight_grams": "NUMERIC(10, 3)",
    "dimensions": "VARCHAR(60)",
}
_B = Catalogue.BRICKLINK.value


def stage_items(work: Work) -> None:
    """Stage all item files together, and the alternate numbers in them."""
    stage = work.stage
    alternates: list[tuple[str, str, str]] = []
    stage.make("s_items", {"file": "INTEGER", "line": "INTEGER", **ITEM_COLUMNS})
    stage.make(
        "s_alternates",
        {"item_type": "VARCHAR(12)", "number": "VARCHAR(64)", "value": "VARCHAR(64)"},
    )
    types = {file.layout.item_type for file in work.inputs.get(Table.BL_ITEMS, [])}
    for item_type in sorted(types):
        files = [f for f in work.inputs[Table.BL_ITEMS] if f.layout.item_type == item_type]
        _stage_type(work, files[0].layout, alternates)
    work.staged.add("s_items")
    stage.load("s_alternates", ("item_type", "number", "value"), alternates)
    work.drop_repeated("s_items", "item_type", "number")


def _stage_type(work: Work, layout: Layout, alternates: list[tuple[str, str, str]]) -> None:
    def convert(row: list[str]) -> tuple[object, ...]:
        item = values.bl_item(row, layout.item_type)
        alternates.extend((item[0], item[1], other) for other in item[9])
        return item[:9]

    only = work.inputs[Table.BL_ITEMS]
    work.inputs[Table.BL_ITEMS] = [f for f in only if f.layout.item_type == layout.item_type]
    try:
        work.stage.load(
            "s_items",
            ("file", "line", *ITEM_COLUMNS),
            ((file, line, *row) for file, line, row in work.values(Table.BL_ITEMS, convert)),
        )
    finally:
        work.inputs[Table.BL_ITEMS] = only


def import_items(work: Work) -> None:
    """Merge the staged items: add new ones, change what differs; unknown never erases."""
    with work.table("items") as figures:
        _add_missing_categories(work)
        figures.rows += work.stage.value("SELECT COUNT(*) FROM s_items") or 0
        figures.changed += _change_items(work)
        figures.added += _add_items(work)
        work.stage.analyze("catalog_item")


def _add_missing_categories(work: Work) -> None:
    """Make the categories that items name by id and no category file has listed."""
    missing = work.stage.rows(
        "SELECT s.category_id, MIN(s.category_path) FROM s_items s "
        "WHERE s.category_id IS NOT NULL AND NOT EXISTS "
        "(SELECT 1 FROM catalog_category c WHERE c.id = s.category_id) GROUP BY s.category_id"
    )
    if not missing:
        return
    names = set(Category.objects.filter(origin=_B).values_list("name", flat=True))
    made = []
    for number, path in missing:
        name = split_path(path, names)[0][:200] if path else f"Category {number}"
        made.append(Category(pk=number, name=name, path=name, origin=_B))
    Category.objects.bulk_create(made)
    work.report.table("categories").added += len(made)


def _change_items(work: Work) -> int:
    differs = work.stage.differs
    return work.stage.write_in_chunks(
        "s_items",
        f"""
        UPDATE catalog_item AS i SET
            name = CASE WHEN s.name <> '' THEN s.name ELSE i.name END,
            name_from = CASE WHEN s.name <> '' THEN '{_B}' ELSE i.name_from END,
            category_id = COALESCE(s.category_id, i.category_id),
            category_path = CASE WHEN s.category_path <> '' THEN s.category_path
                                 ELSE i.category_path END,
            year_released = COALESCE(s.year_released, i.year_released),
            weight_grams = COALESCE(s.weight_grams, i.weight_grams),
            dimensions = CASE WHEN s.dimensions <> '' THEN s.dimensions ELSE i.dimensions END,
            origin = '{_B}', is_retired = FALSE, replaced_by_id = NULL, updated_at = %s
        FROM s_items AS s
        WHERE {{chunk}} AND i.item_type = s.item_type AND i.number = s.number AND (
            (s.name <> '' AND (i.name <> s.name OR i.name_from <> '{_B}'))
            OR (s.category_id IS NOT NULL AND i.category_id {differs} s.category_id)
            OR (s.category_path <> '' AND i.category_path <> s.category_path)
            OR (s.year_released IS NOT NULL AND i.year_released {differs} s.year_released)
            OR (s.weight_grams IS NOT NULL AND i.weight_grams {differs} s.weight_grams)
            OR (s.dimensions <> '' AND i.dimensions <> s.dimensions)
            OR i.origin <> '{_B}' OR i.is_retired OR i.replaced_by_id IS NOT NULL
        )
        """,
        (work.stamp,),
    )


def _add_items(work: Work) -> int:
    return work.stage.write_in_chunks(
        "s_items",
        f"""
        INSERT INTO catalog_item (
            item_type, number, number_key, name, category_id, category_path, year_released,
            weight_grams, dimensions, image_url, origin, name_from, is_retired,
            created_at, updated_at
        )
        SELECT s.item_type, s.number, s.number_key, s.name, s.category_id, s.category_path,
               s.year_released, s.weight_grams, s.dimensions, '', '{_B}',
               CASE WHEN s.name <> '' THEN '{_B}' ELSE 'O' END, FALSE, %s, %s
        FROM s_items s
        WHERE {{chunk}} AND NOT EXISTS (
            SELECT 1 FROM catalog_item i WHERE i.item_type = s.item_type AND i.number = s.number
        )
        ORDER BY s.seq
        """,
        (work.stamp, work.stamp),
    )


def stage_part_list(work: Work) -> None:
    """Stage the list that replaces Parts.txt (empty without one)."""
    columns = {"number": "VARCHAR(64)", "name": "VARCHAR(500)", "grams": "NUMERIC(10, 3)"}
    work.load(Table.PART_LIST, "s_part_list", columns, values.listed_part)
    work.drop_repeated("s_part_list", "number")


def import_part_list(work: Work) -> None:
    """Part numbers of a list that replaces Parts.txt: adds missing ones, never overrides."""
    with work.table("items") as figures:
        figures.rows += work.stage.value("SELECT COUNT(*) FROM s_part_list")
        figures.added += _add_parts(
            work, "s_part_list", "s.number", "s.name", "s.grams", Catalogue.REBRICKABLE
        )
        figures.changed += work.stage.write_in_chunks(
            "s_part_list",
            """
            UPDATE catalog_item AS i SET
                name = CASE WHEN i.name = '' THEN s.name ELSE i.name END,
                name_from = CASE WHEN i.name = '' AND s.name <> '' THEN 'R'
                                 ELSE i.name_from END,
                weight_grams = COALESCE(i.weight_grams, s.grams), updated_at = %s
            FROM s_part_list AS s
            WHERE {chunk} AND i.item_type = 'PART' AND i.number = s.number AND (
                (i.name = '' AND s.name <> '') OR (i.weight_grams IS NULL AND s.grams IS NOT NULL)
            )
            """,
            (work.stamp,),
        )


def import_weights(work: Work) -> None:
    """An older list of weights: used only for parts without a weight."""
    with work.table("items") as figures:
        columns = {"number": "VARCHAR(64)", "grams": "NUMERIC(10, 3)"}
        figures.rows += work.load(Table.BL_WEIGHTS, "s_weights", columns, values.part_weight).rows
        work.drop_repeated("s_weights", "number")
        figures.changed += work.stage.write_in_chunks(
            "s_weights",
            """
            UPDATE catalog_item AS i SET weight_grams = s.grams, updated_at = %s
            FROM s_weights AS s
            WHERE {chunk} AND i.item_type = 'PART' AND i.number = s.number
                AND i.weight_grams IS NULL AND s.grams IS NOT NULL
            """,
            (work.stamp,),
        )
        work.park(
            "s_weights",
            "NOT EXISTS (SELECT 1 FROM catalog_item i "
            "WHERE i.item_type = 'PART' AND i.number = s.number)",
            "part {} is not in the catalogue",
            "number",
        )


def add_parts_of_codes(work: Work) -> None:
    """Part numbers that only the element codes name: nameless, but there."""
    with work.table("items") as figures:
        work.stage.make("s_code_parts", {"number": "VARCHAR(64)"})
        work.stage.execute(
            "INSERT INTO s_code_parts (number) SELECT DISTINCT number FROM s_bl_codes "
            "WHERE line IS NOT NULL"
        )
        figures.added += _add_parts(work, "s_code_parts", "s.number", "''", "NULL", Catalogue.OWN)
        work.stage.analyze("catalog_item")


def _add_parts(
    work: Work, name: str, number: str, text: str, grams: str, name_from: Catalogue
) -> int:
    return work.stage.write_in_chunks(
        name,
        f"""
        INSERT INTO catalog_item (
            item_type, number, number_key, name, category_path, weight_grams, dimensions,
            image_url, origin, name_from, is_retired, created_at, updated_at
        )
        SELECT 'PART', {number}, UPPER({number}), {text}, '', {grams}, '', '', '{_B}',
               CASE WHEN {text} <> '' THEN '{name_from.value}' ELSE 'O' END, FALSE, %s, %s
        FROM {name} s
        WHERE {{chunk}} AND NOT EXISTS (
            SELECT 1 FROM catalog_item i WHERE i.item_type = 'PART' AND i.number = {number}
        )
        ORDER BY s.seq
        """,
        (work.stamp, work.stamp),
    )


def retire_items(work: Work) -> None:
    """Retire BrickLink's items that a whole file of their type no longer lists."""
    with work.table("items") as figures:
        if Table.BL_ITEMS in work.incomplete:
            return
        for (item_type,) in work.stage.rows("SELECT DISTINCT item_type FROM s_items"):
            figures.retired += _retire_type(work, item_type, figures)


def _retire_type(work: Work, item_type: str, figures: TableFigures) -> int:
    gone = (
        f"i.item_type = %s AND i.origin = '{_B}' AND NOT i.is_retired AND NOT EXISTS "
        "(SELECT 1 FROM s_items s WHERE s.item_type = i.item_type AND s.number = i.number)"
    )
    missing = work.stage.value(f"SELECT COUNT(*) FROM catalog_item i WHERE {gone}", (item_type,))
    known = work.stage.value(
        f"SELECT COUNT(*) FROM catalog_item WHERE item_type = %s AND origin = '{_B}' "
        "AND NOT is_retired",
        (item_type,),
    )
    if not missing or not work.may_retire(f"BrickLink {ItemType(item_type)}", missing, known):
        return 0
    return work.stage.write(
        f"UPDATE catalog_item AS i SET is_retired = TRUE, updated_at = %s WHERE {gone}",
        (work.stamp, item_type),
    )
