"""BrickLink's own inventory files, each named after its item."""

from apps.catalog.models import Item, ItemInventory
from apps.catalog.rules.kinds import Catalogue
from apps.catalog.rules.readers import values
from apps.catalog.rules.readers.formats import Table
from apps.catalog.services.imports.components import merge_contents
from apps.catalog.services.imports.report import TableFigures
from apps.catalog.services.imports.work import Work


def import_bricklink_contents(work: Work) -> None:
    """Import each file as version 1 of its item's contents."""
    files = work.inputs.get(Table.BL_CONTENTS, [])
    for file in files:
        with work.table("components") as figures:
            work.inputs[Table.BL_CONTENTS] = [file]
            _import_bricklink_file(work, file.layout.item_type, file.layout.subject, figures)
    if files:
        work.inputs[Table.BL_CONTENTS] = files


def _import_bricklink_file(work: Work, item_type: str, number: str, figures: TableFigures) -> None:
    columns = {
        "item_type": "VARCHAR(12)",
        "number": "VARCHAR(64)",
        "color_id": "INTEGER",
        "quantity": "INTEGER",
        "is_spare": "BOOLEAN",
        "is_alternate": "BOOLEAN",
        "match_id": "INTEGER",
        "is_counterpart": "BOOLEAN",
    }
    figures.rows += work.load(Table.BL_CONTENTS, "s_lines", columns, values.bl_component).rows
    item = Item.objects.filter(item_type=item_type, number=number).first()
    if item is None:
        work.park("s_lines", "1 = 1", f"{item_type} {number} is not in the catalogue", "number")
        return
    work.park(
        "s_lines",
        "NOT EXISTS (SELECT 1 FROM catalog_item i WHERE i.item_type = s.item_type "
        "AND i.number = s.number)",
        "item {} is not in the catalogue",
        "number",
        "item_type",
        "quantity",
    )
    work.park(
        "s_lines",
        "NOT EXISTS (SELECT 1 FROM catalog_color c WHERE c.id = s.color_id)",
        "colour {} is not there",
        "color_id",
        "number",
    )
    inventory, is_new = ItemInventory.objects.get_or_create(
        item=item, catalogue=Catalogue.BRICKLINK, version=1
    )
    figures.added += is_new
    merge_contents(
        work,
        "s_lines s JOIN catalog_item i ON i.item_type = s.item_type AND i.number = s.number",
        (
            str(inventory.pk),
            "i.id",
            "s.color_id",
            "s.is_spare",
            "s.is_alternate",
            "s.match_id",
            "s.is_counterpart",
        ),
        "('PART', 'MINIFIG', 'SET', 'GEAR', 'BOOK')",
        figures,
    )
