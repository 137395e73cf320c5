"""Identify the table of a catalogue file by its header, never by its column count."""

import re
from typing import Final

from apps.catalog.rules.kinds import TYPE_OF_LETTER, ItemType
from apps.catalog.rules.readers.formats import (
    COLOR_IDS_2017,
    COLOR_MAP_JSON,
    CSV_FORMATS,
    TAB_FORMATS,
    WEIGHTS,
    XML_FORMATS,
    Dialect,
    Layout,
    Table,
    UnknownFile,
)
from apps.catalog.rules.readers.sources import Source, lines_of
from apps.catalog.rules.readers.xml_rows import first_tags

_WEIGHT_LINE = re.compile(r"[^,\t]{1,64},(\?|[0-9]+(\.[0-9]+)?)")
_COLOR_2017_LINE = re.compile(r"-?[0-9]+,[^,]+,#[0-9A-Fa-f]{6},")
_CONTENTS_NAME = re.compile(r"([PSMBGCIOU])-(.+)", re.IGNORECASE)
_TYPE_OF_FILE: Final = {
    "parts": ItemType.PART,
    "sets": ItemType.SET,
    "minifigures": ItemType.MINIFIG,
    "minifigs": ItemType.MINIFIG,
    "gear": ItemType.GEAR,
    "books": ItemType.BOOK,
    "catalogs": ItemType.CATALOG,
    "instructions": ItemType.INSTRUCTION,
    "original boxes": ItemType.ORIGINAL_BOX,
    "original_boxes": ItemType.ORIGINAL_BOX,
    "originalboxes": ItemType.ORIGINAL_BOX,
    "unsorted lots": ItemType.UNSORTED_LOT,
}


def item_type_of_file(source: Source) -> str:
    """Return the item type in the file's name (`Sets.txt`, `Parts.sample.txt.gz`), or ''."""
    name = source.base_name.lower()
    return _TYPE_OF_FILE.get(name) or _TYPE_OF_FILE.get(name.split(".")[0]) or ""


def subject_of_file(source: Source) -> tuple[str, str]:
    """Return (type, number) of the item that `S-10350-1.txt` lists the contents of."""
    match = _CONTENTS_NAME.fullmatch(source.base_name)
    if match is None:
        return "", ""
    return TYPE_OF_LETTER[match.group(1).upper()], match.group(2)


def first_lines(source: Source, count: int = 6) -> list[tuple[int, str]]:
    """Return the first lines that are not blank, with their numbers. Raises UnreadableFile."""
    found = []
    for number, line in lines_of(source):
        text = line.decode("utf-8", errors="replace")
        if text.strip():
            found.append((number, text))
        if len(found) == count or number > 50:
            break
    return found


def recognise(source: Source) -> Layout:
    """Return the kind of the file. Raises UnknownFile with its first line, and UnreadableFile."""
    lines = first_lines(source)
    if not lines:
        raise UnknownFile("the file is empty")
    number, line = lines[0]
    if line.lstrip().startswith("<"):
        return _recognise_xml(source, line)
    if line.lstrip().startswith("{") and '"map"' in line:
        return Layout(COLOR_MAP_JSON, Dialect.JSON, 0, 0, ())
    layout = _by_header(source, number, line) or _without_header(lines)
    if layout is None:
        raise UnknownFile(f"not a table we know; it begins {line.strip()[:80]!r}")
    return layout


def _by_header(source: Source, number: int, line: str) -> Layout | None:
    dialect, names = (
        (Dialect.TAB, line.split("\t")) if "\t" in line else (Dialect.CSV, line.split(","))
    )
    header = [name.strip() for name in names]
    formats = TAB_FORMATS if dialect is Dialect.TAB else CSV_FORMATS
    for known in formats:
        if not set(known.needed) <= set(header):
            continue
        item_type, subject = "", ""
        if known.table is Table.BL_ITEMS:
            item_type = item_type_of_file(source)
            if "Alternate Item Number" in header:
                item_type = item_type or ItemType.PART
            if not item_type:
                raise UnknownFile(
                    "items of which type? Name the file as BrickLink does: "
                    "Parts.txt, Sets.txt, Minifigures.txt, Gear.txt, Books.txt, Catalogs.txt, "
                    "Instructions.txt, Original Boxes.txt"
                )
        elif known.table is Table.BL_CONTENTS:
            item_type, subject = subject_of_file(source)
            if not subject:
                raise UnknownFile(
                    "the contents of which item? Name the file type-number.txt, as S-10350-1.txt"
                )
        positions = tuple(header.index(name) if name in header else -1 for name in known.columns)
        return Layout(known, dialect, number, len(header), positions, item_type, subject)
    return None


def _without_header(lines: list[tuple[int, str]]) -> Layout | None:
    texts = [text.strip() for _, text in lines]
    if all(_WEIGHT_LINE.fullmatch(text) for text in texts):
        return Layout(WEIGHTS, Dialect.CSV, 0, 2, (0, 1))
    rows = [text for text in texts if not text.startswith("//")]
    if texts[0].startswith("//") and rows and _COLOR_2017_LINE.match(rows[0]):
        return Layout(COLOR_IDS_2017, Dialect.CSV, 0, 12, (0, 9))
    return None


def _recognise_xml(source: Source, line: str) -> Layout:
    tags = first_tags(source)
    for mark, known, _names in XML_FORMATS:
        if mark not in tags:
            continue
        item_type, subject = "", ""
        if known.table is Table.BL_CONTENTS:
            item_type, subject = subject_of_file(source)
            if not subject:
                raise UnknownFile(
                    "the contents of which item? Name the file type-number.xml, as S-10350-1.xml"
                )
        elif known.table is Table.BL_ITEMS:
            item_type = tags["ITEMTYPE"] or item_type_of_file(source)
            if not item_type:
                raise UnknownFile("items without ITEMTYPE: of which type are they?")
        return Layout(known, Dialect.XML, 0, 0, (), item_type, subject)
    raise UnknownFile(f"not a table we know; it begins {line.strip()[:80]!r}")
