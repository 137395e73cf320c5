"""BSX out: the form of BrickStore 2021.3 and later, byte for byte, one lot at a time.

BrickStore's order of tags, one tag per line, one blank per level and `<Item>` without attributes
are needed by readers that scan strings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import BinaryIO, Final

from apps.exchange.bsx_around import LotOrder, without_places
from apps.exchange.bsx_lot import BsxLot
from apps.exchange.bsx_tags_out import (
    LotRefused,
    Notices,
    WriteNotice,
    is_element,
    lot_xml,
)
from apps.exchange.xml_text import escaped_attribute, legal

_LOTS_PER_WRITE: Final = 400
_MOST_NOTICES: Final = 10_000


@dataclass(slots=True)
class BsxWritten:
    """What came of it. Lots that BSX cannot hold are in `refused`, and left out."""

    count: int = 0
    notices: list[WriteNotice] = field(default_factory=list)
    #: All of them; `notices` keeps the first 10,000.
    notice_count: int = 0
    refused: list[WriteNotice] = field(default_factory=list)

    def add_notices(self, index: int, found: Notices) -> None:
        """Store the notices of one lot."""
        self.notice_count += len(found)
        room = _MOST_NOTICES - len(self.notices)
        self.notices.extend(WriteNotice(index, tag, message) for tag, message in found[:room])


def write_bsx(
    lots: Iterable[BsxLot],
    out: BinaryIO,
    *,
    currency: str | None,
    changelog_id: int | None = None,
    compatible: bool = False,
    gui_state: bytes | None = None,
    gui_state_order: str = "",
    comments: Iterable[str] = (),
    extra_blocks: Iterable[bytes] = (),
    root_attributes: Iterable[tuple[str, str]] = (),
    inventory_attributes: Iterable[tuple[str, str]] = (),
    keeps_words: bool = False,
) -> BsxWritten:
    """Write lots from a stream and report the values that could not stay exact.

    `compatible` is the form for BrickSync and BrickStock: a DOCTYPE, and no attributes at all, so
    no currency either. Amounts have three decimals, four where three lose something, rounded half
    to even with a notice. Of `gui_state` what names lots by their place is written only where
    their `LotOrder` is `gui_state_order`, if that is given. `keeps_words` is for a file
    that this app alone reads: a condition that was not understood is written as its text. Raises
    ValueError if a block is no XML element.
    """
    written = BsxWritten()
    blocks = [block for block in (gui_state, *extra_blocks) if block is not None]
    for block in blocks:
        if not is_element(block):
            raise ValueError(f"Not one XML element: {block[:80]!r}")
    attributes: list[tuple[str, str]] = []
    if compatible:
        if currency not in {None, "USD"}:
            message = f"The amounts are {currency}, but this form cannot say so: it means USD."
            written.add_notices(-1, [("Currency", message)])
    else:
        if currency is not None:
            attributes.append(("Currency", currency))
        if changelog_id is not None:
            attributes.append(("BrickLinkChangelogId", str(changelog_id)))
        attributes.extend(inventory_attributes)

    doctype = "<!DOCTYPE BrickStoreXML>\n" if compatible else ""
    root = _start_tag("BrickStoreXML", () if compatible else root_attributes)
    out.write(f'<?xml version="1.0" encoding="UTF-8"?>\n{doctype}<{root}>\n'.encode())
    inventory = _start_tag("Inventory", attributes)
    order = LotOrder() if gui_state is not None and gui_state_order else None
    found = _noted(lots, order) if order else lots
    _write_lots(found, out, inventory, written, bare=compatible, keeps_words=keeps_words)
    if gui_state is not None and order is not None and order.mark != gui_state_order:
        blocks[:1] = _other_gui_state(gui_state, written)
    for block in blocks:
        out.write(b" " + block.strip() + b"\n")
    for comment in comments:
        out.write(f" <!--{_comment_text(comment)}-->\n".encode())
    out.write(b"</BrickStoreXML>\n")
    return written


def _noted(lots: Iterable[BsxLot], order: LotOrder) -> Iterator[BsxLot]:
    for lot in lots:
        order.add(lot)
        yield lot


def _other_gui_state(gui_state: bytes, written: BsxWritten) -> list[bytes]:
    """Return what stays of a GuiState whose lots are not these, and note what does not."""
    kept = without_places(gui_state)
    lost = "The program's view was" if kept is None else "The sorting and filter of the view were"
    message = f"{lost} left out: these are not the lots of the imported file in its order."
    if kept != gui_state:
        written.add_notices(-1, [("GuiState", message)])
    return [] if kept is None else [kept]


def _comment_text(text: str) -> str:
    """Return a comment that XML can hold: without two hyphens in a row, nor one at the end."""
    text = legal(text).replace("--", "- -").replace("--", "- -")
    return f"{text} " if text.endswith("-") else text


def _start_tag(tag: str, attributes: Iterable[tuple[str, str]]) -> str:
    texts = (f' {name}="{escaped_attribute(legal(value))}"' for name, value in attributes)
    return tag + "".join(texts)


def _write_lots(
    lots: Iterable[BsxLot],
    out: BinaryIO,
    inventory: str,
    written: BsxWritten,
    *,
    bare: bool,
    keeps_words: bool,
) -> None:
    opening = f" <{inventory}>\n"
    texts: list[str] = []
    for index, lot in enumerate(lots):
        notices: Notices = []
        try:
            text = lot_xml(lot, notices, bare=bare, keeps_words=keeps_words)
        except LotRefused as refusal:
            written.refused.append(WriteNotice(index, refusal.field, refusal.message))
            continue
        if notices:
            written.add_notices(index, notices)
        texts.append(text)
        if len(texts) >= _LOTS_PER_WRITE:
            out.write((opening + "".join(texts)).encode())
            written.count += len(texts)
            texts.clear()
            opening = ""
    written.count += len(texts)
    if not written.count:
        out.write(f" <{inventory}/>\n".encode())
        return
    out.write((opening + "".join(texts) + " </Inventory>\n").encode())
