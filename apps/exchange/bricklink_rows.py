"""Rows of BrickLink's XML, in or out: one INVENTORY of ITEMs, with BrickLink's own quirks."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from itertools import islice
from typing import Any, BinaryIO, Final, Generic, TypeVar, cast
from xml.etree.ElementTree import Element
from zoneinfo import ZoneInfo

from apps.exchange.bsx_item_careful import text_with_markup
from apps.exchange.bsx_lot import BsxWarning, ExtraTag, LotValues, WarningCode
from apps.exchange.bsx_tags_out import Notices, money_text
from apps.exchange.bsx_values import (
    Reader,
    Reading,
    likely_date,
    read_condition,
    read_type,
)
from apps.exchange.colors import NO_COLORS, Colors, read_color
from apps.exchange.conditions import condition_text
from apps.exchange.decoding import NO_FOREIGN, read_foreign
from apps.exchange.item_types import letter_of
from apps.exchange.lot_warnings import finding_warning, lot_warning
from apps.exchange.refusals import FileRefused, RefusalCode
from apps.exchange.table_dates import date_of
from apps.exchange.table_money import Currencies, currencies_in
from apps.exchange.xml_head import XmlForm, XmlLimits
from apps.exchange.xml_stream import MAX_TEXT, RowStream, line_of
from apps.exchange.xml_text import escaped, is_legal, legal

T = TypeVar("T")

#: Beyond it BrickLink's upload pages give up.
LOTS_PER_UPLOAD: Final = 1000

_AMOUNTS: Final = frozenset({"PRICE", "MYCOST", "TP1", "TP2", "TP3"})
_MOST_WARNINGS: Final = 1000
_EASTERN: Final = ZoneInfo("America/New_York")


def without(code: WarningCode, read: Reader) -> Reader:
    """Return a reader without a finding that is usual here: BrickLink writes 1,234, and S for sealed."""

    def read_quietly(text: str) -> Reading:
        found = read(text)
        is_usual = found.finding is not None and found.finding.code is code
        return Reading(found.value) if is_usual else found

    return read_quietly


def type_values(text: str) -> LotValues:
    """Return the fields of a lot for its type: a word that is not understood is no letter."""
    letter = letter_of(text)
    return {"item_type_id": letter} if letter else {"item_type_name": text}


class Row:
    """One ITEM being read: tags in capitals, each taken once; the others are kept."""

    def __init__(self, element: Element, index: int, *, is_plain: bool = False) -> None:
        """Take the texts; `is_plain` as its `Batch` is. Raises FileRefused beyond the limits."""
        self.index = index
        self.line = line_of(element)
        self.warnings: list[BsxWarning] = []
        #: Those that its amounts name, or a tag of their own.
        self.currencies: set[str] = set()
        self._texts: dict[str, str] = {}
        self._names: dict[str, str] = {}
        for child in element:
            name = child.tag
            if isinstance(name, str):
                tag = name.upper()
                if is_plain and tag not in self._texts:
                    self._texts[tag] = child.text or ""
                else:
                    self._take(child, tag)
                if tag != name:
                    self._names[tag] = name

    def _take(self, child: Element, tag: str) -> None:
        """Keep a text whose reading has a warning."""
        text, has_markup = text_with_markup(child)
        if len(text) > MAX_TEXT:
            raise FileRefused(
                RefusalCode.TEXT_TOO_LONG,
                f"{tag} of lot {self.index + 1} has {len(text):,} characters; expected at most "
                f"{MAX_TEXT:,}.",
                self.line,
            )
        if has_markup:
            self.warn(
                WarningCode.NESTED_MARKUP,
                tag,
                text,
                "text with its < written as &lt;; the tags are kept as text",
            )
        if tag in self._texts:
            self.warn(
                WarningCode.REPEATED_TAG, tag, self._texts[tag], "one such tag; the last counts"
            )
        self._texts[tag] = text

    def __contains__(self, tag: str) -> bool:
        """Whether the tag exists and was not taken yet."""
        return tag in self._texts

    def text(self, tag: str) -> str | None:
        """Take a text as it is, None if the tag is missing."""
        return self._texts.pop(tag, None)

    def value(self, tag: str, read: Reader, missing: object) -> Any:
        """Take a value; adds a warning if its text is unusual."""
        text = self._texts.pop(tag, None)
        if text is None:
            return missing
        value, finding = read(text)
        if finding is not None:
            if tag in _AMOUNTS:
                self.currencies |= currencies_in(text)
            self.warnings.append(
                finding_warning(finding, tag, text, value, line=self.line, index=self.index)
            )
        return value

    def warn(
        self, code: WarningCode, tag: str, text: str, expected: str, *, outcome: str = ""
    ) -> None:
        """Add a warning about one tag."""
        self.warnings.append(
            lot_warning(
                code, tag, text, expected, outcome=outcome, line=self.line, index=self.index
            )
        )

    def item_type(self) -> str:
        """Take ITEMTYPE: its letter, or the text of one that is not understood."""
        text = (self.text("ITEMTYPE") or "").strip()
        letter, finding = read_type(text)
        if finding is not None:
            self.warn(finding.code, "ITEMTYPE", text, finding.expected)
        return letter or text

    def color(self, colors: Colors, values: dict[str, Any]) -> None:
        """Take COLOR, a number or a name, into `values`; a name that is not known is kept."""
        told = read_color(self._texts.pop("COLOR", ""), colors)
        values["color_id"] = told.color_id
        if told.name:
            values["color_name"] = told.name
            if told.color_id is None:
                expected = "a number or a name of the catalogue; its text is kept"
                self.warn(WarningCode.UNKNOWN_VALUE, "COLOR", told.name, expected)

    def condition(self, values: dict[str, Any], *, any_of: Container[str] = ()) -> None:
        """Take CONDITION into `values`, but for texts `any_of`; one not understood is kept."""
        text = self._texts.get("CONDITION")
        if text is not None and text.strip() in any_of:
            self.text("CONDITION")
        elif text is not None:
            values["condition"] = condition = self.value("CONDITION", read_condition, None)
            values["condition_text"] = condition_text(condition, text)

    def left_over(self) -> tuple[ExtraTag, ...]:
        """Return the tags that were not taken."""
        if not self._texts:
            return ()
        return tuple(ExtraTag(self._names.get(tag, tag), text) for tag, text in self._texts.items())


@dataclass(slots=True)
class BricklinkState:
    """The attributes of a file besides its rows."""

    currencies: Currencies = field(default_factory=Currencies)
    colors: Colors = NO_COLORS


class BricklinkFile(Generic[T]):
    """A BrickLink XML file being read. Iterate once."""

    def __init__(
        self,
        stream: BinaryIO,
        read: Callable[[Row, BricklinkState], T],
        limits: XmlLimits | None,
        colors: Colors = NO_COLORS,
        *,
        repair: bool = False,
    ) -> None:
        """Read the head. Raises FileRefused."""
        self._repaired = RepairedText(stream)
        self._rows = RowStream(
            cast(BinaryIO, self._repaired), _FORM, limits or XmlLimits(), repair=repair
        )
        self._read = read
        self._is_started = False
        self._state = BricklinkState(colors=colors)
        #: What concerns the whole file; complete after the last row.
        self.warnings: list[BsxWarning] = []

    @property
    def currency(self) -> str | None:
        """The currency that the rows name, or its sign; complete after the last row."""
        return self._state.currencies.one or None

    @property
    def is_truncated(self) -> bool:
        """Whether the file is cut off; known after the last row."""
        return self._rows.is_truncated

    def __iter__(self) -> Iterator[T]:
        """Yield the rows in order. Raises FileRefused, FileTruncated after the last whole row."""
        if self._is_started:
            raise RuntimeError("A file is read once; open it again for a second pass.")
        self._is_started = True
        index = 0
        for elements, is_plain in self._rows.batches():
            for element in elements:
                if is_plain or _FORM.cased(element.tag) == _FORM.row:
                    row = Row(element, index, is_plain=is_plain)
                    read = self._read(row, self._state)
                    if row.currencies:
                        self._state.currencies.add(row.currencies, row.line)
                    yield read
                    index += 1
                elif isinstance(element.tag, str) and len(self.warnings) < _MOST_WARNINGS:
                    message = f"INVENTORY holds a <{element.tag}>; expected <ITEM> only."
                    self.warnings.append(
                        BsxWarning(
                            WarningCode.NOT_AN_ITEM, element.tag, message, "", line_of(element)
                        )
                    )
        if self._rows.has_trailing_garbage:
            message = "What stands behind </INVENTORY> is not read. Drop a second list as a file of its own."
            self.warnings.append(BsxWarning(WarningCode.TRAILING_GARBAGE, "", message))
        if self._rows.is_truncated:
            message = f"The file stops in the middle, at line {self._rows.truncated_at_line}; what is whole was read."
            self.warnings.append(BsxWarning(WarningCode.REPAIRED, "", message))
        self.warnings += self._repaired.warnings


_FORM: Final = XmlForm(
    name="BrickLink XML",
    roots=frozenset({"INVENTORY"}),
    container=None,
    row="ITEM",
    any_case=True,
)


class RepairedText:
    """A stream whose bare ampersands are escaped, which BrickLink forgets, and which is in UTF-8.

    XML that names no encoding is UTF-8. Where bytes are not, they are read as Windows-1252, in
    which old programs write.
    """

    _BARE: Final = re.compile(rb"&(?!(?:[A-Za-z]{1,6}|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});)")
    _LONGEST_REFERENCE: Final = 10
    _OTHER_ENCODING: Final = re.compile(rb"<\?xml[^>]*\sencoding\s*=\s*[\"'](?!utf-?8[\"'])", re.I)

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._kept = b""
        self._has_begun = self._is_over = False
        self._repairs = self._is_utf8 = True
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="surrogateescape")
        self.ampersands = 0
        self._lines = 0
        self.foreign = NO_FOREIGN

    @property
    def warnings(self) -> list[BsxWarning]:
        """Return what was changed in the text; complete after the last byte."""
        told = []
        if self.ampersands:
            message = f"{self.ampersands} bare & were read as &amp;, as BrickLink writes them."
            told.append(BsxWarning(WarningCode.REPAIRED_XML, "", message))
        if self.foreign.letters:
            told.append(self.foreign.warning())
        return told

    def read(self, size: int = -1) -> bytes:
        """Return repaired bytes, b'' at the end; about `size` of them."""
        while not self._is_over:
            chunk = self._stream.read(size)
            self._is_over = not chunk
            chunk = self._kept + self._as_utf8(chunk)
            self._kept = b""
            cut = -1 if self._is_over else chunk.rfind(b"&", -self._LONGEST_REFERENCE)
            if cut >= 0:
                chunk, self._kept = chunk[:cut], chunk[cut:]
            # An ampersand is itself in CDATA, and other bytes in UTF-16; BrickLink sends neither.
            if b"<![CDATA[" in chunk or not self._is_ascii_like:
                self._repairs = False
            if self._repairs:
                chunk, count = self._BARE.subn(b"&amp;", chunk)
                self.ampersands += count
            if chunk:
                return chunk
        return b""

    def _as_utf8(self, chunk: bytes) -> bytes:
        if not self._has_begun:
            self._has_begun = True
            self._is_ascii_like = not chunk.startswith((b"\xff\xfe", b"\xfe\xff", b"<\0", b"\0<"))
            self._is_utf8 = self._is_ascii_like and not self._OTHER_ENCODING.match(
                chunk.removeprefix(codecs.BOM_UTF8).lstrip()
            )
        if not self._is_utf8:
            return chunk
        text = self._decoder.decode(chunk, final=self._is_over)
        self.foreign = self.foreign.and_of(text, self._lines)
        self._lines += text.count("\n")
        return read_foreign(text).encode()


# Texts in and out


def read_doubled(text: str) -> Reading:
    """Undo BrickLink's second escaping of angle brackets in descriptions and remarks."""
    return Reading(text.replace("&lt;", "<").replace("&gt;", ">"))


def read_eastern(text: str) -> Reading:
    """Read 'M/D/YYYY h:mm:ss AM', in US Eastern time, as UTC; or a day or time of another form."""
    text = text.strip()
    try:
        if " " in text:
            local = datetime.strptime(text, "%m/%d/%Y %I:%M:%S %p").replace(tzinfo=_EASTERN)
            return likely_date(local.astimezone(UTC))
    except (ValueError, OverflowError):
        pass
    return date_of(text, is_day_first=False)


def tag_xml(tag: str, text: str) -> str:
    """Write one tag."""
    return f"<{tag}>{escaped(text)}</{tag}>"


def text_xml(tag: str, text: str, notices: Notices, *, doubled: bool = False) -> str:
    """Write one tag of free text, without what XML cannot hold."""
    if not is_legal(text):
        clean = legal(text)
        notices.append((tag, f"{tag} lost {len(text) - len(clean)} characters XML cannot hold."))
        text = clean
    if doubled:
        text = text.replace("<", "&lt;").replace(">", "&gt;")
    return tag_xml(tag, text)


def amount_xml(
    tag: str, value: Decimal, notices: Notices, places: int = 3, *, or_nothing: bool = False
) -> str:
    """Write one amount, rounded half to even with a notice; '' for 0 with `or_nothing`."""
    text = money_text(value, places)
    if Decimal(text) != value:
        notices.append((tag, f"{tag} {value} was rounded to {text}."))
    return "" if or_nothing and not Decimal(text) else tag_xml(tag, text)


def in_batches(rows: Iterable[T], size: int = LOTS_PER_UPLOAD) -> Iterator[list[T]]:
    """Split into lists of at most `size`: one file each, for BrickLink takes no more lots."""
    iterator = iter(rows)
    while batch := list(islice(iterator, size)):
        yield batch
