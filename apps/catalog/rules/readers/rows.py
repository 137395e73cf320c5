"""The rows of a recognised file. A broken row is refused with its line; the others are read.

Neither catalogue writes line breaks inside a value, so each line stands for itself: an
unclosed quote costs one row and never swallows what follows.
"""

import csv
import json
from collections.abc import Callable, Iterator
from typing import Final

from apps.catalog.rules.readers.formats import Dialect, Layout, Table
from apps.catalog.rules.readers.sources import Source, UnreadableFile, lines_of
from apps.catalog.rules.readers.xml_rows import rows_of_xml

Refuse = Callable[[int, str, str], None]
Row = tuple[int, list[str]]
MAX_JSON: Final = 4 * 1024 * 1024


def rows_of(source: Source, layout: Layout, refuse: Refuse) -> Iterator[Row]:
    """Yield (line, values in the order of `layout.format.columns`; '' for absent columns).

    `refuse(line, reason, text)` is called for each row that cannot be read.
    Raises UnreadableFile when the file breaks off.
    """
    if layout.dialect is Dialect.XML:
        return rows_of_xml(source, layout, refuse)
    if layout.dialect is Dialect.JSON:
        return _rows_of_json(source, refuse)
    return _rows_of_lines(source, layout, refuse)


def _split_csv(line: str) -> list[str]:
    if '"' not in line:
        return line.split(",")
    return next(csv.reader([line], strict=True))


def _split_tab(line: str) -> list[str]:
    return line.split("\t")


def _rows_of_lines(source: Source, layout: Layout, refuse: Refuse) -> Iterator[Row]:
    split = _split_tab if layout.dialect is Dialect.TAB else _split_csv
    width, positions = layout.width, layout.positions
    is_straight = positions == tuple(range(width))
    # Lines that continue the colour above (2017), or are remarks.
    skipped = (",", "//", "ID,") if layout.table is Table.COLOR_IDS_2017 else ()
    for number, raw in lines_of(source):
        if number <= layout.header_line or not raw or raw.isspace():
            continue
        try:
            line = raw.decode("utf-8")
        except UnicodeDecodeError:
            refuse(number, "not UTF-8 text", raw[:200].decode("utf-8", errors="replace"))
            continue
        if skipped and line.startswith(skipped):
            continue
        try:
            values = split(line)
        except csv.Error as error:
            refuse(number, f"quotes do not match ({error})", line[:200])
            continue
        if len(values) != width:
            # BrickLink ends the rows of an inventory with a tab of no meaning.
            if len(values) == width + 1 and not values[-1].strip():
                del values[-1]
            else:
                reason = f"{len(values)} columns where {width} are expected"
                refuse(number, reason, line[:200])
                continue
        if "\x00" in line:
            refuse(number, "a NUL character", line[:200].replace("\x00", "␀"))
            continue
        if is_straight:
            yield number, values
        else:
            yield number, [values[at] if at >= 0 else "" for at in positions]


def _rows_of_json(source: Source, refuse: Refuse) -> Iterator[Row]:
    with source.open() as stream:
        text = stream.read(MAX_JSON + 1)
    if len(text) > MAX_JSON:
        raise UnreadableFile(f"{source.name}: a colour map of more than 4 MiB")
    try:
        pairs = json.loads(text)["map"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise UnreadableFile(f"{source.name}: not a colour map ({error})") from error
    if not isinstance(pairs, dict):
        raise UnreadableFile(f"{source.name}: not a colour map")
    for key, value in pairs.items():
        if isinstance(value, int):
            yield 1, [key, str(value)]
        else:
            refuse(1, f"colour {value!r} where an id is expected", str(key)[:100])
