"""The parts of a BSX file besides its lots, as JSON: stored in a column until export."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any, Final, TypedDict
from zlib import crc32

from lxml import etree

from apps.exchange.bsx_lot import BsxLot
from apps.exchange.bsx_reader import BsxFile
from apps.exchange.xml_head import SAFE_PARSING

Around = dict[str, Any]

#: The part of BrickStore's GuiState that names lots by their place in the file.
_BY_PLACE: Final = "SortFilterState"
_BRICKSTORES: Final = frozenset({"BrickStore", "BrickStock", "BrickSync"})


class WriteAround(TypedDict):
    """Arguments of `write_bsx` that `around_of` put aside."""

    changelog_id: int | None
    root_attributes: tuple[tuple[str, str], ...]
    inventory_attributes: tuple[tuple[str, str], ...]
    extra_blocks: tuple[bytes, ...]
    comments: tuple[str, ...]
    gui_state: bytes | None
    gui_state_order: str


class LotOrder:
    """Compares whether two files hold the same lots in the same order."""

    def __init__(self) -> None:
        """Start before the first lot."""
        self._count = 0
        self._sum = 0

    def add(self, lot: BsxLot) -> None:
        """Take the next lot."""
        self._count += 1
        self._sum = crc32(f"{lot.item_number} {lot.color_id}".encode("utf-8", "replace"), self._sum)

    @property
    def mark(self) -> str:
        """A text that is equal for the same lots in the same order."""
        return f"{self._count}:{self._sum}"


def around_of(file: BsxFile, order: LotOrder) -> Around:
    """Return the parts besides the lots of a file that was read to its end."""
    header, trailer = file.header, file.trailer
    around: Around = {
        "changelog_id": header.changelog_id,
        "root_attributes": [list(one) for one in header.root_attributes],
        "inventory_attributes": [list(one) for one in header.inventory_attributes],
        "extra_blocks": [_packed(block) for block in trailer.extra_blocks],
        "comments": list(trailer.comments),
    }
    if trailer.gui_state is not None:
        around["gui_state"] = _packed(trailer.gui_state)
        around["gui_state_order"] = order.mark
    return around


def around_values(around: Mapping[str, Any]) -> WriteAround:
    """Return the arguments of `write_bsx` that `around_of` stored; {} if it stored none."""
    gui_state = around.get("gui_state")
    return {
        "changelog_id": around.get("changelog_id"),
        "root_attributes": tuple((name, text) for name, text in around.get("root_attributes", ())),
        "inventory_attributes": tuple(
            (name, text) for name, text in around.get("inventory_attributes", ())
        ),
        "extra_blocks": tuple(map(base64.b64decode, around.get("extra_blocks", ()))),
        "comments": tuple(around.get("comments", ())),
        "gui_state": None if gui_state is None else base64.b64decode(gui_state),
        "gui_state_order": around.get("gui_state_order", ""),
    }


def joined(there: Mapping[str, Any], more: Mapping[str, Any]) -> Around:
    """Return the parts besides the lots of two files whose lots are merged.

    The first file counts where only one can; a view of the lots is of its own file only.
    """
    if not there:
        return dict(more)
    return {
        **there,
        "extra_blocks": [*there.get("extra_blocks", ()), *more.get("extra_blocks", ())],
        "comments": [*there.get("comments", ()), *more.get("comments", ())],
    }


def lost_in_joining(there: Mapping[str, Any], more: Mapping[str, Any]) -> list[str]:
    """Return what `joined` leaves out of the second file, by its tag."""
    if not there:
        return []
    only_one = {
        "gui_state": "GuiState",
        "root_attributes": "BrickStoreXML",
        "inventory_attributes": "Inventory",
    }
    return [
        tag for name, tag in only_one.items() if more.get(name) and more[name] != there.get(name)
    ]


def without_places(gui_state: bytes) -> bytes | None:
    """Return a GuiState without what holds only for its own lots in their order.

    The layout of columns stays. None where it is of a program whose form is not known.
    """
    parser = etree.XMLParser(**{**SAFE_PARSING, "strip_cdata": False})
    root = etree.fromstring(gui_state, parser)
    if root.get("Application", "BrickStore") not in _BRICKSTORES:
        return None
    for child in root.findall(_BY_PLACE):
        root.remove(child)
    return bytes(etree.tostring(root, encoding="UTF-8")).removeprefix(
        b"<?xml version='1.0' encoding='UTF-8'?>\n"
    )


def _packed(block: bytes) -> str:
    return base64.b64encode(block).decode()
