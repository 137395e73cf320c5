"""Rows of BrickLink's XML downloads, streamed; entities and outside documents are refused."""

from collections.abc import Callable, Iterator
from typing import Final

from lxml import etree

from apps.catalog.rules.kinds import item_type_of
from apps.catalog.rules.readers.formats import XML_FORMATS, Layout, UnknownFile
from apps.catalog.rules.readers.sources import MAX_UNPACKED, Source, UnreadableFile

ROOTS: Final = frozenset({"CATALOG", "CODES", "INVENTORY"})
MAX_CHILDREN: Final = 64
_CHUNK: Final = 64 * 1024

Refuse = Callable[[int, str, str], None]


def _items(source: Source) -> Iterator[etree._Element]:
    """Yield each <ITEM>, then forget it. Raises UnreadableFile and UnknownFile."""
    parser = etree.XMLPullParser(
        events=("start", "end"),
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    root: etree._Element | None = None
    unpacked = 0
    with source.open() as stream:
        try:
            while chunk := stream.read(_CHUNK):
                unpacked += len(chunk)
                if unpacked > MAX_UNPACKED:
                    raise UnreadableFile(f"{source.name}: more than 2 GiB unpacked")
                parser.feed(chunk)
                for event, element in parser.read_events():
                    if root is None:
                        root = element
                        _check_root(source, root)
                    elif event == "start":
                        parent = element.getparent()
                        if parent is not None and parent is not root and len(parent) > MAX_CHILDREN:
                            raise UnreadableFile(f"{source.name}: an item with too many fields")
                    elif event == "end" and element.tag == "ITEM" and element.getparent() is root:
                        yield element
                        element.clear()
                        while element.getprevious() is not None:
                            del root[0]
            parser.close()
        except etree.XMLSyntaxError as error:
            raise UnreadableFile(f"{source.name}: {error.msg}") from error


def _check_root(source: Source, root: etree._Element) -> None:
    dtd = root.getroottree().docinfo.internalDTD
    if dtd is not None and (dtd.system_url or next(iter(dtd.iterentities()), None) is not None):
        raise UnreadableFile(f"{source.name}: entities and outside documents are not read")
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
        values = {child.tag: child.text or "" for child in item}
        if len(values) != len(item):
            refuse(item.sourceline or 0, "a field stands twice in one item", _excerpt(values))
            continue
        yield item.sourceline or 0, [values.get(tag, "") for tag in tags]


def _excerpt(values: dict[object, str]) -> str:
    return " ".join(f"{tag}={text}" for tag, text in values.items())[:200]
