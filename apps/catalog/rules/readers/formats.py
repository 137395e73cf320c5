"""The tables of catalogue files: the columns of each, and how each catalogue writes it.

Rebrickable writes CSV; BrickLink writes tab-delimited text without any quoting, or XML.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Table(StrEnum):
    """The tables we read, named as reports show them."""

    BL_COLORS = "BrickLink colors"
    BL_CATEGORIES = "BrickLink categories"
    BL_ITEM_TYPES = "BrickLink item types"
    BL_ITEMS = "BrickLink items"
    BL_CODES = "BrickLink codes"
    BL_CONTENTS = "BrickLink inventory"
    BL_WEIGHTS = "part weights"
    RB_COLORS = "Rebrickable colors"
    RB_THEMES = "Rebrickable themes"
    RB_PART_CATEGORIES = "Rebrickable part_categories"
    RB_PARTS = "Rebrickable parts"
    RB_RELATIONS = "Rebrickable part_relationships"
    RB_ELEMENTS = "Rebrickable elements"
    RB_SETS = "Rebrickable sets"
    RB_MINIFIGS = "Rebrickable minifigs"
    RB_INVENTORIES = "Rebrickable inventories"
    RB_INVENTORY_PARTS = "Rebrickable inventory_parts"
    RB_INVENTORY_MINIFIGS = "Rebrickable inventory_minifigs"
    RB_INVENTORY_SETS = "Rebrickable inventory_sets"
    OLD_SET_PIECES = "set_pieces of 2014"
    PART_LIST = "BrickLink part list (derived)"
    PART_MAP = "part map by elements"
    COLOR_MAP = "colour map by elements"
    COLOR_MAP_JSON = "colour map (JSON)"
    COLOR_IDS_2017 = "colour ids of 2017"
    CONTENTS_SOURCES = "sources of inventory_parts"
    LDRAW_PARTS = "LDraw part index"


class Dialect(StrEnum):
    """How the rows are written."""

    CSV = "csv"
    TAB = "tab"
    XML = "xml"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class Format:
    """A table's columns: all of `needed` make it out, `more` may be absent."""

    table: Table
    needed: tuple[str, ...]
    more: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The order in which rows are handed over, whatever the order in the file."""
        return self.needed + self.more


@dataclass(frozen=True, slots=True)
class Layout:
    """A recognised file: its table and how to read it."""

    format: Format
    dialect: Dialect
    header_line: int
    width: int
    positions: tuple[int, ...]
    item_type: str = ""
    subject: str = ""

    @property
    def table(self) -> Table:
        """The table that the file holds."""
        return self.format.table

    @property
    def slot(self) -> str:
        """What an other file with the same slot replaces."""
        return " ".join(part for part in (self.table, self.item_type, self.subject) if part)


class UnknownFile(Exception):
    """A file that is none of ours, with its first line."""


_ITEM = ("Category ID", "Number", "Name")
_ITEM_MORE = (
    "Category Name",
    "Year Released",
    "Weight (in Grams)",
    "Dimensions",
    "Alternate Item Number",
    "Item Type",
)

TAB_FORMATS: Final = (
    Format(
        Table.BL_COLORS,
        ("Color ID", "Color Name"),
        ("RGB", "Type", "Parts", "Year From", "Year To"),
    ),
    Format(Table.BL_CODES, ("Item No", "Color", "Code"), ("Item Type",)),
    Format(
        Table.BL_CONTENTS,
        ("Type", "Item No", "Qty", "Color ID"),
        ("Item Name", "Extra?", "Alternate?", "Match ID", "Counterpart?"),
    ),
    Format(Table.BL_ITEMS, _ITEM, _ITEM_MORE),
    Format(Table.BL_ITEM_TYPES, ("Item Type ID", "Item Type Name")),
    Format(Table.BL_CATEGORIES, ("Category ID", "Category Name")),
)

CSV_FORMATS: Final = (
    Format(
        Table.RB_INVENTORY_PARTS,
        ("inventory_id", "part_num", "color_id", "quantity", "is_spare"),
        ("img_url",),
    ),
    Format(Table.RB_INVENTORY_MINIFIGS, ("inventory_id", "fig_num", "quantity")),
    Format(Table.RB_INVENTORY_SETS, ("inventory_id", "set_num", "quantity")),
    Format(
        Table.CONTENTS_SOURCES,
        ("inventory_id", "set_num", "source", "unresolved_quantity", "has_minifigs_in_rebrickable"),
    ),
    Format(Table.RB_INVENTORIES, ("id", "version", "set_num")),
    Format(Table.RB_RELATIONS, ("rel_type", "child_part_num", "parent_part_num")),
    Format(Table.RB_ELEMENTS, ("element_id", "part_num", "color_id"), ("design_id",)),
    Format(Table.RB_SETS, ("set_num", "name", "year", "theme_id"), ("num_parts", "img_url")),
    Format(Table.RB_MINIFIGS, ("fig_num", "name"), ("num_parts", "img_url")),
    Format(Table.RB_PARTS, ("part_num", "name", "part_cat_id"), ("part_material",)),
    Format(
        Table.RB_COLORS, ("id", "name", "rgb", "is_trans"), ("num_parts", "num_sets", "y1", "y2")
    ),
    Format(Table.RB_THEMES, ("id", "name", "parent_id")),
    Format(Table.OLD_SET_PIECES, ("set_id", "piece_id", "num", "color", "type")),
    Format(Table.PART_LIST, ("bricklink_no", "name", "weight_g"), ("name_source",)),
    Format(Table.PART_MAP, ("rebrickable_part", "bricklink_part", "shared_elements")),
    Format(Table.COLOR_MAP, ("rebrickable_id", "bricklink_id", "votes"), ("rebrickable_name",)),
    Format(Table.LDRAW_PARTS, ("ldraw_num", "description", "bricklink", "rebrickable")),
    Format(Table.RB_PART_CATEGORIES, ("id", "name")),
)

# BrickLink's XML names the same columns by tags; a tag that only this table has makes it out.
XML_FORMATS: Final = (
    (
        "COLORNAME",
        Format(Table.BL_COLORS, ("Color ID", "Color Name"), ("RGB", "Type", "Parts", "Year From", "Year To")),
        ("COLOR", "COLORNAME", "COLORRGB", "COLORTYPE", "COLORCNTPARTS", "COLORYEARFROM", "COLORYEARTO"),
    ),
    (
        "CODENAME",
        Format(Table.BL_CODES, ("Item No", "Color", "Code"), ("Item Type",)),
        ("ITEMID", "COLOR", "CODENAME", "ITEMTYPE"),
    ),
    (
        "ITEMNAME",
        Format(Table.BL_ITEMS, _ITEM, (*_ITEM_MORE, "Height", "Depth")),
        (
            "CATEGORY", "ITEMID", "ITEMNAME", "CATEGORYNAME", "ITEMYEAR", "ITEMWEIGHT",
            "ITEMDIMX", "ITEMIDALT", "ITEMTYPE", "ITEMDIMY", "ITEMDIMZ",
        ),
    ),
    (
        "QTY",
        Format(
            Table.BL_CONTENTS,
            ("Type", "Item No", "Qty", "Color ID"),
            ("Item Name", "Extra?", "Alternate?", "Match ID", "Counterpart?"),
        ),
        ("ITEMTYPE", "ITEMID", "QTY", "COLOR", "ITEMNAME", "EXTRA", "ALTERNATE", "MATCHID", "COUNTERPART"),
    ),
    (
        "ITEMTYPENAME",
        Format(Table.BL_ITEM_TYPES, ("Item Type ID", "Item Type Name")),
        ("ITEMTYPE", "ITEMTYPENAME"),
    ),
    (
        "CATEGORYNAME",
        Format(Table.BL_CATEGORIES, ("Category ID", "Category Name")),
        ("CATEGORY", "CATEGORYNAME"),
    ),
)  # fmt: skip

WEIGHTS: Final = Format(Table.BL_WEIGHTS, ("number", "grams"))
COLOR_IDS_2017: Final = Format(Table.COLOR_IDS_2017, ("ID", "BrickLink Color(s)"))
COLOR_MAP_JSON: Final = Format(Table.COLOR_MAP_JSON, ("rebrickable_id", "bricklink_id"))
