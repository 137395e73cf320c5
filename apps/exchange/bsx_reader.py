"""BSX in: one pass over a stream, lot by lot, whatever program and year wrote the file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import BinaryIO, Final

from lxml import etree

from apps.exchange.bsx_item import ItemReader
from apps.exchange.bsx_lot import BsxLot, BsxWarning, WarningCode
from apps.exchange.bsx_values import NeedsCare
from apps.exchange.colors import NO_COLORS, Colors
from apps.exchange.lot_warnings import OddValues
from apps.exchange.xml_head import XmlForm, XmlLimits
from apps.exchange.xml_stream import RowStream, line_of

ROOTS: Final = frozenset({"BrickStoreXML", "BrickStockXML"})
#: What absent means by definition of the format: all files before 2021.
DEFAULT_CURRENCY: Final = "USD"

#: After so many odd lots in a row, one of so many is tried the fast way.
_MANY_ODD: Final = 64
_MOST_COMMENTS: Final = 1000
_MOST_NOT_ITEMS: Final = 1000

_FORM: Final = XmlForm(name="a BSX file", roots=ROOTS, container="Inventory", row="Item")

BsxLimits = XmlLimits


class Generator(StrEnum):
    """The program that wrote a file, guessed from its form."""

    BRICKSTORE_1 = "brickstore_1"
    BRICKSTOCK = "brickstock"
    BRICKSYNC = "bricksync"
    BRICKSTORE_2021_1 = "brickstore_2021_1"
    BRICKSTORE_2021_3 = "brickstore_2021_3"
    BRICKSTORE_2023_3 = "brickstore_2023_3"
    OTHER = "other"


@dataclass(frozen=True, kw_only=True, slots=True)
class BsxHeader:
    """The part before the first lot."""

    root: str
    #: The name in the DOCTYPE, or None without one.
    doctype: str | None
    #: Code of the currency of all amounts; None if the file names none that can be one.
    currency: str | None
    #: The highest change of BrickLink's catalogue that the writer knew.
    changelog_id: int | None
    root_attributes: tuple[tuple[str, str], ...]
    #: Attributes of Inventory apart from the two above.
    inventory_attributes: tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class BsxTrailer:
    """What else the file holds; known after the last lot."""

    #: The GuiState element; worth writing back only with the same lots in the same order.
    gui_state: bytes | None
    #: Other children of the root, such as BrickSync's Order.
    extra_blocks: tuple[bytes, ...]
    #: Children of Inventory that are no Item, and further Inventories. They are not written back:
    #: BrickStore refuses files that hold them.
    not_items: tuple[bytes, ...]
    #: Comments among the lots; some programs list the omitted lots there.
    comments: tuple[str, ...]
    is_truncated: bool


class BsxFile:
    """A BSX file being read. Iterate once; `warnings` holds what concerns the whole file."""

    def __init__(
        self, stream: BinaryIO, *, limits: BsxLimits, repair: bool, colors: Colors
    ) -> None:
        """Read the head. Raises FileRefused."""
        self._rows = RowStream(stream, _FORM, limits, repair=repair)
        self._items = ItemReader(limits, colors)
        self._odd = OddValues(limits.max_odd_values)
        self._trailer: BsxTrailer | None = None
        self._is_started = False
        self._not_items: list[bytes] = []
        self._comments: list[str] = []
        self.warnings: list[BsxWarning] = []
        #: Lots that were left out because they are no XML.
        self.left_out = 0
        self.lot_count = 0
        self.header = self._read_header()
        self._items.memory.currency = self.header.currency or DEFAULT_CURRENCY

    @property
    def bytes_read(self) -> int:
        """Bytes taken from the stream so far, for showing progress."""
        return self._rows.bytes_read

    @property
    def trailer(self) -> BsxTrailer:
        """The parts after the lots. Raises RuntimeError before the last lot was read."""
        if self._trailer is None:
            raise RuntimeError("The trailer is known only after the last lot.")
        return self._trailer

    @property
    def generator(self) -> Generator:
        """Who wrote the file; surer after the last lot than before the first."""
        header = self.header
        if self._items.memory.has_bricksync_tags or self._has_order():
            return Generator.BRICKSYNC
        if header.root == "BrickStockXML":
            return Generator.BRICKSTOCK if header.doctype else Generator.OTHER
        if header.doctype is not None and header.doctype not in ROOTS:
            return Generator.OTHER
        if header.doctype is not None:
            return Generator.BRICKSTORE_2021_1 if header.currency else Generator.BRICKSTORE_1
        if header.currency is None:
            return Generator.OTHER
        return Generator.BRICKSTORE_2023_3 if header.changelog_id else Generator.BRICKSTORE_2021_3

    def __iter__(self) -> Iterator[BsxLot]:
        """Yield the lots in order. Raises FileRefused, FileTruncated after the last whole lot."""
        if self._is_started:
            raise RuntimeError("A BSX file is read once; open it again for a second pass.")
        self._is_started = True
        read_plain = self._items.read_plain
        read_carefully = self._items.read_carefully
        index = 0
        odd_in_a_row = 0
        for elements, is_plain in self._rows.batches():
            for element in elements:
                if not is_plain and element.tag != "Item":
                    self._keep_stranger(element)
                    continue
                try:
                    if not is_plain or (odd_in_a_row > _MANY_ODD and index % _MANY_ODD):
                        lot = read_carefully(element, index)
                    else:
                        lot = read_plain(element, index)
                        odd_in_a_row = 0
                except NeedsCare:
                    odd_in_a_row += 1
                    lot = read_carefully(element, index)
                if lot.warnings:
                    self._odd.add(lot)
                index += 1
                self.lot_count = index
                yield lot
        self._read_trailer()

    def _read_header(self) -> BsxHeader:
        head = self._rows.head
        attributes = dict(head.container_attributes)
        currency_text = attributes.pop("Currency", "").strip()
        currency = currency_text.upper() if re.fullmatch("[A-Za-z]{3}", currency_text) else None
        if not currency_text:
            self._warn(
                WarningCode.MISSING_CURRENCY,
                "Currency",
                f"The file names no currency; by the format's definition its amounts are "
                f"{DEFAULT_CURRENCY}.",
            )
        elif currency is None:
            self._warn(
                WarningCode.UNKNOWN_CURRENCY,
                "Currency",
                f"The currency is “{currency_text[:80]}”; expected a code of three letters such as "
                "EUR.",
                currency_text[:80],
            )
        changelog_text = attributes.pop("BrickLinkChangelogId", "").strip()
        changelog_id = int(changelog_text) if re.fullmatch("[0-9]{1,18}", changelog_text) else None
        if changelog_text and changelog_id is None:
            self._warn(
                WarningCode.UNREADABLE_CHANGELOG_ID,
                "BrickLinkChangelogId",
                f"BrickLinkChangelogId is “{changelog_text[:80]}”; expected a whole number.",
                changelog_text[:80],
            )
        doctype = head.doctype
        if doctype is not None and doctype not in ROOTS:
            self._warn(
                WarningCode.FOREIGN_DOCTYPE,
                "",
                f"The DOCTYPE names “{doctype[:80]}”; expected BrickStoreXML. BrickStore would "
                "refuse this file.",
                doctype[:80],
            )
        return BsxHeader(
            root=head.root_tag,
            doctype=doctype,
            currency=currency,
            changelog_id=changelog_id,
            root_attributes=tuple(head.root_attributes.items()),
            inventory_attributes=tuple(attributes.items()),
        )

    def _keep_stranger(self, element: etree._Element) -> None:
        if not isinstance(element.tag, str):
            if element.tag is etree.Comment and len(self._comments) < _MOST_COMMENTS:
                self._comments.append(element.text or "")
            return
        line = line_of(element)
        if len(self._not_items) >= _MOST_NOT_ITEMS:
            return
        self._not_items.append(_as_bytes(element))
        self._warn(
            WarningCode.NOT_AN_ITEM,
            str(element.tag),
            f"Inventory holds a <{element.tag}>; expected <Item> only. It is left out.",
            line=line,
        )

    def _read_trailer(self) -> None:
        rows = self._rows
        gui_state: bytes | None = None
        blocks: list[bytes] = []
        inventories = 0
        for element in rows.root if rows.root is not None and not rows.is_truncated else ():
            if not isinstance(element.tag, str):
                self._keep_stranger(element)
            elif element.tag == "Inventory":
                inventories += 1
                if inventories > 1:
                    self._not_items.append(_as_bytes(element))
                    self._warn(
                        WarningCode.SECOND_INVENTORY,
                        "Inventory",
                        f"A second Inventory with {len(element)} lots follows; only the first is "
                        "read.",
                        line=line_of(element),
                    )
            elif element.tag == "GuiState" and gui_state is None:
                gui_state = _as_bytes(element)
            else:
                blocks.append(_as_bytes(element))
        if rows.has_trailing_garbage:
            self._warn(
                WarningCode.TRAILING_GARBAGE, "", "Text follows the end of the file; it is ignored."
            )
        if rows.is_truncated:
            self._warn(
                WarningCode.REPAIRED,
                "",
                f"The file stops in the middle, at line {rows.truncated_at_line}; the "
                f"{self.lot_count} complete lots before were read.",
                line=rows.truncated_at_line,
            )
        comments = [*self._comments, *self._items.memory.comments][:_MOST_COMMENTS]
        self._trailer = BsxTrailer(
            gui_state=gui_state,
            extra_blocks=tuple(blocks),
            not_items=tuple(self._not_items),
            comments=tuple(comments),
            is_truncated=rows.is_truncated,
        )

    def _has_order(self) -> bool:
        trailer = self._trailer
        return trailer is not None and any(
            block.startswith(b"<Order") for block in trailer.extra_blocks
        )

    def _warn(
        self, code: WarningCode, field: str, message: str, read: str = "", line: int = 0
    ) -> None:
        self.warnings.append(BsxWarning(code, field, message, read, line))


def read_bsx(
    stream: BinaryIO,
    *,
    limits: BsxLimits | None = None,
    repair: bool = False,
    colors: Colors = NO_COLORS,
) -> BsxFile:
    """Open a BSX file: its head is read at once, its lots while they are iterated.

    Holds one piece of the file at a time. With `repair`, a file that stops in the middle gives its
    complete lots instead of raising FileTruncated after them. Raises FileRefused.
    """
    return BsxFile(stream, limits=limits or BsxLimits(), repair=repair, colors=colors)


def _as_bytes(element: etree._Element) -> bytes:
    return bytes(etree.tostring(element, encoding="UTF-8", with_tail=False))
