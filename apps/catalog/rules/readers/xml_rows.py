"""Rows of BrickLink's XML downloads, streamed.

They have no DOCTYPE, so any file with one is refused before the parser sees a byte of it:
entities and outside documents need one.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, BinaryIO, Final

from lxml import etree

from apps.catalog.rules.kinds import item_type_of
from apps.catalog.rules.readers.formats import XML_FORMATS, Layout, UnknownFile
from apps.catalog.rules.readers.sources import MAX_UNPACKED, Source, UnreadableFile

ROOTS: Final = frozenset({"CATALOG", "CODES", "INVENTORY"})
MAX_CHILDREN: Final = 64
_CHUNK: Final = 64 * 1024
_DOCTYPE: Final = re.compile(rb"<!\s*(DOCTYPE|ENTITY)", re.IGNORECASE)
_FIRST_TAG: Final = re.compile(rb"<[A-Za-z_]")

Refuse = Callable[[int, str, str], None]


def _head(source: Source, stream: BinaryIO) -> bytes:
    """Return the first bytes, with the root's beginning among them. Raises UnreadableFile."""
    head = b""
    while len(head) < _CHUNK and (chunk := stream.read(_CHUNK - len(head))):
        head += chunk
    if b"\x00" in head:
        raise UnreadableFile(f"{source.name}: not UTF-8 text")
    first = _FIRST_TAG.search(head)
    declared = _DOCTYPE.search(head)
    if declared is not None and (first is None or declared.start() < first.start()):
        raise UnreadableFile(f"{source.name}: a DOCTYPE; entities are not read")
    if first is None:
        raise UnreadableFile(f"{source.name}: no element in the first 64 KiB")
    return head


def _items(source: Source) -> Iterator[Any]:
    """Yield each <ITEM>, then forget it. Raises UnreadableFile and UnknownFile."""
    parser: Any = etree.XMLPullParser(
        events=("start", "end"),
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    root: Any = None
    unpacked = 0
    with source.open() as stream:
        try:
            chunk = _head(source, stream)
            while chunk:
                unpacked += len(chunk)
                if unpacked > MAX_UNPACKED:
                    raise UnreadableFile(f"{source.name}: more than 2 GiB unpacked")
                parser.feed(chunk)
                for event, element in parser.read_events():
                    if root is None:
                        root = element
                        _check_root(root)
                    elif event == "start":
                        parent = element.getparent()
                        if parent is not None and parent is not root and len(parent) > MAX_CHILDREN:
                            raise UnreadableFile(f"{source.name}: an item with too many fields")
                    elif element.tag == "ITEM" and element.getparent() is root:
                        yield element
                        element.clear()
                        while element.getprevious() is not None:
                            del root[0]
                chunk = stream.read(_CHUNK)
            parser.close()
        except etree.XMLSyntaxError as error:
            raise UnreadableFile(f"{source.name}: {error.msg}") from error


def _check_root(root: Any) -> None:
    if root.tag not in ROOTS:
        raise UnknownFile(f"an XML file that begins with <{root.tag}>; expected <CATALOG>")


def first_tags(source: Source) -> dict[str, str]:
    """Return the tags of the first item; ITEMTYPE's value is the item type it means."""
    for item in _items(source):
        tags = {str(child.tag): (child.text or "") for child in item}
        tags["ITEMTYPE"] = item_type_of(tags.get("ITEMTYPE", "")) or ""
        return tags
    raise UnknownFile("an XML file without <ITEM>")


def rows_of_xml(source: Source, layout: Layout, refuse: Refuse) -> Iterator[tuple[int, list[str]]]:
    """Yield (line, values in the format's order) of each item. Raises UnreadableFile."""
    tags = next(names for _, known, names in XML_FORMATS if known == layout.format)
    for item in _items(source):
        values = {str(child.tag): child.text or "" for child in item}
        line = int(item.sourceline or 0)
        if len(values) != len(item):
            refuse(line, "a field stands twice in one item", _excerpt(values))
            continue
        yield line, [values.get(tag, "") for tag in tags]


def _excerpt(values: Mapping[str, str]) -> str:
    return " ".join(f"{tag}={text}" for tag, text in values.items())[:200]
