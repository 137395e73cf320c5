"""Open any file of a seller or collector: its kind comes from its contents, never its name."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Any, BinaryIO, Final, cast

from apps.exchange.bricklink_rows import BricklinkFile, type_values
from apps.exchange.bricklink_update import LotChange, read_mass_update
from apps.exchange.bricklink_upload import read_mass_upload
from apps.exchange.bricklink_wanted import WantedItem, read_wanted_list
from apps.exchange.bsx_lot import (
    TIER_FIELDS,
    UNCOLORED_TYPES,
    BsxLot,
    BsxWarning,
    LotValues,
    WarningCode,
)
from apps.exchange.bsx_reader import (
    ROOTS,
    BsxFile,
    BsxHeader,
    BsxTrailer,
    Generator,
    read_bsx,
)
from apps.exchange.colors import Colors
from apps.exchange.conditions import UNKNOWN_CONDITION
from apps.exchange.ldraw import is_ldraw
from apps.exchange.lot_warnings import OddValues
from apps.exchange.refusals import FileRefused, RefusalCode
from apps.exchange.table_columns import MONEY_FIELDS
from apps.exchange.table_form import TableForm, find_form
from apps.exchange.table_kinds import refuse_orders_alone
from apps.exchange.table_lots import TableLots
from apps.exchange.xml_head import XmlLimits
from apps.exchange.xml_repair import Repair, repair_broken, repaired
from apps.exchange.zips import is_backup, is_numbers, is_studio, is_workbook


class FileKind(StrEnum):
    """The kind of a file, by its contents."""

    BSX = "bsx"
    STORE_XML = "store_xml"
    UPLOAD_XML = "upload_xml"
    UPDATE_XML = "update_xml"
    WANTED_XML = "wanted_xml"
    TABLE = "table"
    WORKBOOK = "workbook"
    MODEL = "model"


#: Kinds that list all lots of a store: a lot that is not in the file is gone.
WHOLE_STORES: Final = frozenset({FileKind.BSX, FileKind.STORE_XML})
#: Kinds whose numbers may be any site's.
TABLES: Final = frozenset({FileKind.TABLE, FileKind.WORKBOOK, FileKind.MODEL})
#: Kinds that are unpacked into a table, in a process with limits.
PACKED: Final = frozenset({FileKind.WORKBOOK, FileKind.MODEL})

XML: Final = frozenset(FileKind) - TABLES
_BSX_ROOTS: Final = frozenset(root.upper().encode() for root in ROOTS)
_HEAD_BYTES: Final = 64 * 1024
_TAG: Final = re.compile(rb"<\s{0,9}([A-Za-z_][\w.:-]{0,99})")
#: What begins so is no tag, up to its end.
_NO_TAGS: Final = ((b"<?", b"?>"), (b"<!--", b"-->"), (b"<![CDATA[", b"]]>"))
_XML_BEHIND: Final = re.compile(rb"<(INVENTORY|ORDERS|BrickSto(?:re|ck)XML)[\s>]", re.I)
_ZIPS: Final = (b"PK\x03\x04", b"PK\x05\x06")
_SOMETHING_ELSE: Final = (
    (b"\x89PNG", "a picture", "Drop it in Stow Inventory, which recognises parts."),
    (b"\xff\xd8\xff", "a picture", "Drop it in Stow Inventory, which recognises parts."),
    (b"GIF8", "a picture", "Drop it in Stow Inventory, which recognises parts."),
    (b"%PDF", "a PDF", "Ask its program for CSV, XLSX or BSX."),
    (
        b"\xd0\xcf\x11\xe0",
        "a spreadsheet of old Excel (XLS), or one with a password",
        "Save it as XLSX without a password, or as CSV.",
    ),
    (b"Rar!", "a RAR archive", "Unpack it and drop what is inside."),
    (b"7z\xbc\xaf", "a 7z archive", "Unpack it and drop what is inside."),
    (b"SQLite format", "a database", "Ask its program for CSV, XLSX or BSX."),
    (b"\x1f\x8b", "a gzip archive", "Unpack it and drop what is inside."),
)
_ORDERS: Final = frozenset({b"ORDERS", b"ORDER"})
#: Known roots without lots: what they are, and what to do with them.
_OTHER_ROOTS: Final = {
    b"ORDERS": "BrickLink's orders. Orders come in on the Orders page, not as stock.",
    b"ORDER": "BrickLink's order. Orders come in on the Orders page, not as stock.",
    b"CATALOG": "BrickLink's catalogue. The operator loads it with manage.py import_catalog.",
    b"CODES": "BrickLink's codes. The operator loads them with manage.py import_catalog.",
    b"COLORS": "BrickLink's colours. The operator loads them with manage.py import_catalog.",
    b"LXFML": "a model of LEGO Digital Designer. Export its parts list as CSV or BrickLink XML.",
    b"PRICEGUIDE": "a price guide. Drop a table of item, colour, condition and price instead.",
    b"WORKBOOK": "a spreadsheet that was saved as XML. Save it as XLSX or CSV.",
    b"OFFICE:DOCUMENT": "a spreadsheet that was saved as XML. Save it as ODS, XLSX or CSV.",
    b"GRID": "BrikTrak's list. Ask its program for BrickLink XML or CSV.",
    b"TABLE": "a table of a web page. Open it in a spreadsheet, and save it as XLSX or CSV.",
    b"PLIST": "a list of settings of macOS; it holds no lots.",
    b"SVG": "a drawing; it holds no lots.",
    b"RSS": "a feed; it holds no lots.",
}


class OtherFile:
    """Lots of a file other than BSX, with the attributes of a BSX file. Iterate once."""

    generator = Generator.OTHER

    def __init__(
        self,
        kind: FileKind,
        stream: BinaryIO,
        lots: Iterable[BsxLot],
        source: BricklinkFile[Any] | TableLots,
        *,
        limits: XmlLimits,
        table: TableForm | None = None,
        says: frozenset[str] | None = None,
        notes: Iterable[str] = (),
        found: Iterable[BsxWarning] = (),
        left_out: int = 0,
    ) -> None:
        """Take what reads the lots."""
        self.kind = kind
        #: Lots that were left out because they are no XML.
        self.left_out = left_out
        #: How the table is written, None of XML.
        self.table = table
        #: The fields that its columns hold, None of XML, whose lots differ.
        self.says = says
        self._stream = stream
        self._lots = lots
        self._source = source
        self._limits = limits
        told = [BsxWarning(WarningCode.OF_ITS_KIND, "", note) for note in notes]
        self._notes = [*told, *found]
        self.lot_count = 0

    @property
    def warnings(self) -> list[BsxWarning]:
        """What concerns the whole file; complete after the last lot."""
        return [*self._notes, *self._source.warnings]

    @property
    def has_quantities(self) -> bool:
        """Whether its lots have quantities; those of a price list have none."""
        return self.says is None or "quantity" in self.says

    @property
    def has_amounts(self) -> bool:
        """Whether its lots have amounts of money."""
        if self.says is None:
            return self.kind is not FileKind.WANTED_XML
        return bool(self.says & MONEY_FIELDS)

    @property
    def assumes_colors(self) -> bool:
        """Whether nothing names whose numbers its colours are; known after the last lot."""
        return isinstance(self._source, TableLots) and self._source.assumes_colors

    @property
    def sample(self) -> list[list[str]]:
        """The first rows of the table, unchanged; [] for XML."""
        return self._source.sample if isinstance(self._source, TableLots) else []

    @property
    def header(self) -> BsxHeader:
        """The header that a BSX file would have; the currency is known after the last lot."""
        return BsxHeader(
            root="",
            doctype=None,
            currency=self._source.currency or None,
            changelog_id=None,
            root_attributes=(),
            inventory_attributes=(),
        )

    @property
    def trailer(self) -> BsxTrailer:
        """Nothing but lots; whether the file is cut off is known after the last one."""
        return BsxTrailer(
            gui_state=None,
            extra_blocks=(),
            not_items=(),
            comments=(),
            is_truncated=self._source.is_truncated,
        )

    @property
    def bytes_read(self) -> int:
        """The position of the stream."""
        return self._stream.tell()

    def __iter__(self) -> Iterator[BsxLot]:
        """Yield the lots. Raises FileRefused."""
        odd = OddValues(self._limits.max_odd_values)
        for lot in self._lots:
            if lot.warnings:
                odd.add(lot)
            self.lot_count += 1
            yield lot


AnyFile = BsxFile | OtherFile


def kind_of(file: AnyFile) -> FileKind:
    """Return the kind of the file."""
    return FileKind.BSX if isinstance(file, BsxFile) else file.kind


def recognised(stream: BinaryIO) -> FileKind:
    """Return the kind of a file by its first bytes. Raises FileRefused, naming any other kind."""
    stream.seek(0)
    first = stream.read(_HEAD_BYTES)
    stream.seek(0)
    start = first.removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n")
    if not start.strip(b"\0"):
        raise FileRefused(RefusalCode.EMPTY, "The file is empty.")
    if start.startswith(_ZIPS):
        return _kind_of_zip(stream)
    for magic, what, then in _SOMETHING_ELSE:
        if start.startswith(magic):
            raise FileRefused(RefusalCode.NOT_LOTS, f"This is {what}. {then}")
    if start[:1] in (b"{", b"["):
        raise FileRefused(
            RefusalCode.NOT_LOTS,
            "This is JSON. Ask its program for CSV, XLSX, BSX or BrickLink XML.",
        )
    ascii_only = start.replace(b"\0", b"") if first[:2] in (b"\xff\xfe", b"\xfe\xff") else start
    if ascii_only.lstrip(b"\xff\xfe").startswith(b"<"):
        return _kind_of_xml(ascii_only)
    if is_ldraw(start):
        return FileKind.MODEL
    if found := _XML_BEHIND.search(ascii_only):
        raise FileRefused(
            RefusalCode.NOT_XML,
            f"This is XML with other text before it. Delete what stands before "
            f"<{found[1].decode()}>, or save the file again instead of copying it from the browser.",
            1,
        )
    return FileKind.TABLE


def read_any(
    stream: BinaryIO,
    *,
    colors: Colors,
    unpack: Callable[[BinaryIO], tuple[bytes, list[str]]],
    said: Mapping[str, Any] | None = None,
    repair: bool = False,
    limits: XmlLimits | None = None,
    repair_xml: Repair | None = repair_broken,
) -> AnyFile:
    """Open a file of any kind: its head is read at once, its lots while they are iterated.

    `unpack` turns a workbook into CSV and names the sheets that are not in it, `said` is what a person corrected about a table.
    `repair_xml` is `repair_broken`, perhaps in a process of its own; without it XML is read as it stands.
    Raises FileRefused.
    """
    kind, limits = recognised(stream), limits or XmlLimits()
    found: list[BsxWarning] = []
    left_out = 0
    if kind in XML and repair_xml:
        whole = repaired(stream, repair=repair_xml)
        stream, found, left_out = whole.stream, whole.warnings(), len(whole.set_aside)
    match kind:
        case FileKind.BSX:
            bsx = read_bsx(stream, repair=repair, limits=limits, colors=colors)
            bsx.warnings += found
            bsx.left_out = left_out
            return bsx
        case FileKind.STORE_XML | FileKind.UPLOAD_XML:
            upload = read_mass_upload(stream, limits=limits, colors=colors, repair=repair)
            return OtherFile(
                kind, stream, upload, upload, limits=limits, found=found, left_out=left_out
            )
        case FileKind.UPDATE_XML:
            changes = read_mass_update(stream, limits=limits)
            return OtherFile(
                kind,
                stream,
                map(_lot_of_change, changes),
                changes,
                limits=limits,
                found=found,
                left_out=left_out,
            )
        case FileKind.WANTED_XML:
            wanted = read_wanted_list(stream, limits=limits, colors=colors)
            note = (
                "This is a wanted list: what it asks for is taken as pieces that you have, of unknown "
                "condition where any will do, one where it names no number. Highest prices and what was filled are left out. Cancel the "
                "import if you have no such pieces."
            )
            return OtherFile(
                kind,
                stream,
                map(_lot_of_wanted, wanted),
                wanted,
                limits=limits,
                notes=[note],
                found=found,
                left_out=left_out,
            )
    text, notes = stream, []
    if kind in PACKED:
        content, sheets = unpack(stream)
        if not content:
            raise FileRefused(RefusalCode.EMPTY, "The file is empty.")
        text = io.BytesIO(content)
        if kind is FileKind.MODEL:
            notes = [
                "This is a model: its parts are taken as pieces that you have, in LDraw's colours."
            ]
        if sheets:
            names = ", ".join(f"“{name[:40]}”" for name in sheets[:10])
            one = len(sheets) == 1
            notes = [
                f"{names} {'holds' if one else 'hold'} other columns than the lots, or "
                f"{'is' if one else 'are'} hidden, and {'is' if one else 'are'} left out: save "
                f"{'it as a file of its own' if one else 'them as files of their own'}."
            ]
    form = find_form(text, colors=colors, said=said)
    refuse_orders_alone(form.heads)
    lots = TableLots(text, form, colors, limits)
    return OtherFile(kind, text, lots, lots, limits=limits, table=form, says=lots.says, notes=notes)


def _kind_of_zip(stream: BinaryIO) -> FileKind:
    if is_workbook(stream):
        stream.seek(0)
        return FileKind.WORKBOOK
    if is_backup(stream):
        raise FileRefused(
            RefusalCode.BACKUP,
            "This is a backup of Brickstow. Restore it in Settings, Backup, into an account that "
            "is empty.",
        )
    if is_numbers(stream):
        raise FileRefused(
            RefusalCode.NOT_LOTS,
            "This is a spreadsheet of Apple Numbers. Export it as Excel or CSV.",
        )
    if is_studio(stream):
        stream.seek(0)
        return FileKind.MODEL
    raise FileRefused(
        RefusalCode.ZIP, "This is a zip archive; unpack it and choose the file inside."
    )


def _kind_of_xml(start: bytes) -> FileKind:
    found = [tag.upper() for tag in _tags_of(start)]
    name = found[0] if found else b""
    if name in (b"HTML",) or start[:14].lower().startswith(b"<!doctype html"):
        raise FileRefused(
            RefusalCode.HTML,
            "This is a web page; perhaps the site asked for a login when it was saved. Download "
            "the file again while you are logged in.",
            1,
        )
    if name != b"INVENTORY":
        if name in _OTHER_ROOTS:
            code = RefusalCode.ORDERS if name in _ORDERS else RefusalCode.WRONG_ROOT
            if name in _ORDERS and b"SELLER" in found and b"BUYER" not in found:
                raise FileRefused(
                    code,
                    "This is BrickLink's list of orders that you placed. Download it with its "
                    "items as a tab-delimited file or CSV, and import that.",
                )
            raise FileRefused(code, f"This is {_OTHER_ROOTS[name]}")
        if name and name not in _BSX_ROOTS:
            raise FileRefused(
                RefusalCode.WRONG_ROOT,
                f"This is XML with the root <{next(_tags_of(start)).decode()[:80]}>, which holds no "
                "lots that are known here. Ask its program for BSX, BrickLink XML, CSV or XLSX.",
            )
        # The BSX reader reports the errors of all others.
        return FileKind.BSX
    tags = set(found)
    if b"ITEMID" not in tags:
        return FileKind.UPDATE_XML if b"LOTID" in tags else FileKind.UPLOAD_XML
    if not tags & {b"QTY", b"PRICE", b"LOTID"}:
        return FileKind.WANTED_XML
    if tags & {b"MINQTY", b"MAXPRICE", b"QTYFILLED", b"WANTEDLISTID"} and b"PRICE" not in tags:
        return FileKind.WANTED_XML
    return FileKind.STORE_XML if b"LOTID" in tags else FileKind.UPLOAD_XML


def _tags_of(text: bytes) -> Iterator[bytes]:
    """Yield the names of start tags; what comments and the like hold is none."""
    at = text.find(b"<")
    while at >= 0:
        end = at
        for sign, last in _NO_TAGS:
            if text.startswith(sign, at):
                end = text.find(last, at)
                break
        else:
            if text.startswith(b"<!", at):
                end = text.find(b">", at)
                if end >= 0 and text.find(b"[", at, end) >= 0:
                    declared = text.find(b"]", at)
                    end = text.find(b">", declared) if declared >= 0 else -1
            elif tag := _TAG.match(text, at):
                yield tag[1]
        at = text.find(b"<", end + 1) if end >= 0 else -1


def _lot_of_change(change: LotChange) -> BsxLot:
    """Return only what changes; the rest of the lot stays as it is."""
    named: dict[str, Any] = {
        name: value
        for name in (
            "quantity", "price", "cost", "condition", "condition_text", "bulk", "sale", "comments", "remarks",
            "retain", "sub_condition", "stockroom",
        )
        if (value := getattr(change, name)) is not None
    }  # fmt: skip
    if change.is_deleted:
        named["quantity"] = 0
    elif change.quantity_change is not None and "quantity" not in named:
        named |= {"quantity": change.quantity_change, "is_change": True}
    if change.tiers is not None:
        named |= dict(zip(TIER_FIELDS, change.tiers, strict=True))
    if change.extra:
        named["extra"] = change.extra
    if change.warnings:
        named["warnings"] = change.warnings
    named |= {"index": change.index, "line": change.line}
    return BsxLot.filled(
        cast(LotValues, {"marketplace_lot_id": change.marketplace_lot_id, **named})
    )


def _lot_of_wanted(wanted: WantedItem) -> BsxLot:
    warnings = wanted.warnings
    is_any = wanted.color_id is None and not wanted.color_name
    if is_any and wanted.item_type not in UNCOLORED_TYPES:
        message = (
            "COLOR is missing, so any will do; expected the colour of the pieces that you have."
        )
        unsaid = BsxWarning(WarningCode.MISSING, "COLOR", message, "", wanted.line, wanted.index)
        warnings = (*warnings, unsaid)
    return BsxLot.filled(
        {
            "item_number": wanted.item_number,
            **type_values(wanted.item_type),
            "color_id": wanted.color_id,
            "color_name": wanted.color_name,
            "quantity": max(wanted.min_quantity, 1),
            "condition": wanted.condition or UNKNOWN_CONDITION,
            "condition_text": wanted.condition_text,
            "remarks": wanted.remarks,
            "extra": wanted.extra,
            "index": wanted.index,
            "line": wanted.line,
            "warnings": warnings,
        }
    )
