"""XML that is broken in places: repairs each row, or leaves it out; other rows are not affected.

Looked at only where a parser refuses the file. A row that no mending makes XML is left out and
told with its number and line.
"""

from __future__ import annotations

import codecs
import contextlib
import html
import io
import re
from collections.abc import Iterator
from typing import Any, BinaryIO, Final, NamedTuple
from xml.parsers import expat

from apps.exchange.bricklink_rows import foreign_warning, in_windows_1252
from apps.exchange.bsx_lot import BsxWarning, WarningCode
from apps.exchange.xml_text import legal

_CHUNK: Final = 1024 * 1024
_MOST_BYTES: Final = 64 * _CHUNK
_MOST_TOLD: Final = 100
#: What ends too soon, or has more behind its end, is told by the reader, which takes what is whole.
_CUT_OFF: Final = frozenset({3, 5, 9, 20})
#: A file in an encoding that is not known, and one that is empty.
_NOT_LOOKED_AT: Final = frozenset({18, 19, 30})
_TAG: Final = re.compile(r"</?([A-Za-z_][\w.:-]{0,60})(?:\s[^<>]{0,9999})?/?>")
_REFERENCE: Final = re.compile(r"&(#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_OWN: Final = frozenset({"amp", "lt", "gt", "quot", "apos"})
_OF_PAGES: Final = frozenset(
    [
        "a",
        "b",
        "big",
        "br",
        "center",
        "code",
        "div",
        "em",
        "font",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "hr",
        "i",
        "img",
        "li",
        "ol",
        "p",
        "small",
        "span",
        "strike",
        "strong",
        "sub",
        "sup",
        "table",
        "tbody",
        "td",
        "tr",
        "tt",
        "u",
        "ul",
    ]
)
_MARKS: Final = re.compile(
    r"<(?:(?P<other>!--|!\[CDATA\[)|(?P<row>ITEM|ORDER)(?=[\s>])|/(?P<end>ITEM|ORDER)\s{0,9}>)",
    re.I | re.A,
)
#: Encodings that contain ASCII, of which each letter is one byte.
_DECLARED: Final = re.compile(
    rb"""\s{0,99}<\?xml\s[^>]{0,999}?encoding\s{0,9}=\s{0,9}["']"""
    rb"((?:iso-8859-|windows-|cp|koi8-)\w{1,4}|us-ascii|latin1)[\"']",
    re.I,
)
_DECLARATION: Final = re.compile(r"\A\s{0,99}<\?xml\s[^>]{0,999}\?>")
_SIGNS: Final = re.compile("[<&]")
#: Beyond them the reader refuses.
_LONGEST_ROW: Final = 1024 * 1024
_MOST_ROWS: Final = 250_000
#: As much of a row that is set aside is kept, for its number.
_KEPT: Final = 2000
_LAST_LETTER: Final = 0x10FFFF
_NOT_TAGS: Final = (("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"))


class SetAside(NamedTuple):
    """A row that is no XML: its place among the rows, from 1, its line, its text and the reason."""

    number: int
    line: int
    text: str
    reason: str


class Mended(NamedTuple):
    """The file as it can be read, and what was done to it."""

    stream: BinaryIO
    set_aside: tuple[SetAside, ...] = ()
    places: int = 0
    #: Letters that were read as Windows-1252.
    foreign: int = 0

    def warnings(self) -> list[BsxWarning]:
        """Return what was changed and left out, as warnings about the file."""
        told = [
            BsxWarning(
                WarningCode.ROWS_LEFT_OUT,
                "",
                f"Lot {one.number} at line {one.line} is left out: it is not XML ({one.reason}).",
                one.text[:80],
                one.line,
            )
            for one in self.set_aside[:_MOST_TOLD]
        ]
        if (more := len(self.set_aside) - _MOST_TOLD) > 0:
            lots = "1 more lot is" if more == 1 else f"{more:,} more lots are"
            told.append(BsxWarning(WarningCode.ROWS_LEFT_OUT, "", f"{lots} left out: not XML."))
        if self.places:
            places = "1 place" if self.places == 1 else f"{self.places:,} places"
            message = f"{places} that XML does not allow, such as a bare & or <, were mended."
            told.append(BsxWarning(WarningCode.MENDED_AMPERSANDS, "", message))
        if self.foreign:
            told.append(foreign_warning(self.foreign))
        return told


def mended(stream: BinaryIO) -> Mended:
    """Return the file, mended where a parser would refuse it."""
    stream.seek(0)
    is_broken = _is_broken(stream)
    stream.seek(0)
    if not is_broken:
        return Mended(stream)
    content = stream.read(_MOST_BYTES + 1)
    stream.seek(0)
    if len(content) > _MOST_BYTES:
        return Mended(stream)
    text, foreign = _text_of(content)
    del content
    # What declares entities is refused as it stands.
    if "<!ENTITY" in text[: 64 * 1024]:
        return Mended(stream)
    whole = _mended(text, stream)
    return whole if whole.stream is stream else whole._replace(foreign=foreign)


def _text_of(content: bytes) -> tuple[str, int]:
    """Return the text without a declaration, and how many letters are Windows-1252 unsaid."""
    text, foreign = _decoded(content)
    return _DECLARATION.sub("", text, count=1), foreign


def _decoded(content: bytes) -> tuple[str, int]:
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16", errors="replace"), 0
    if declared := _DECLARED.match(content):
        with contextlib.suppress(UnicodeDecodeError, LookupError):
            return content.decode(declared[1].decode()), 0
    return in_windows_1252(content.decode("utf-8-sig", errors="surrogateescape"))


def _is_broken(stream: BinaryIO) -> bool:
    parser = expat.ParserCreate()
    try:
        while chunk := stream.read(_CHUNK):
            parser.Parse(chunk, False)
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        return error.code not in _CUT_OFF | _NOT_LOOKED_AT
    except (LookupError, ValueError):  # an encoding that only the readers may know
        return False
    return False


def _mended(text: str, stream: BinaryIO) -> Mended:
    out = io.BytesIO()
    aside: list[SetAside] = []
    places = number = 0
    line = 1
    for number, row in enumerate(_rows(text), 1):
        if number > _MOST_ROWS:
            return Mended(stream)
        if number == 1:
            out.write(legal(text[: row.start]).encode())
            line += text.count("\n", 0, row.start)
        is_last = row.after == len(text)
        if is_last and not row.end:  # cut off: the reader tells
            out.write(text[row.start :].encode())
            break
        end = row.end or row.after
        whole = text[row.start : end]
        fixed, count, reason = _fixed(whole) if row.end else ("", 0, "it has no end")
        if reason:
            aside.append(SetAside(number, line, whole[:_KEPT], reason))
        else:
            out.write(fixed.encode())
            places += count
        rest = text[end : row.after]
        if is_last or not rest.strip():
            out.write(rest.encode())
        line += text.count("\n", row.start, row.after)
    if not number:
        return Mended(stream)
    out.seek(0)
    return Mended(out, tuple(aside), places)


class _Row(NamedTuple):
    """Where a row starts, where its last end tag ends (0: it has none), and what is after it."""

    start: int
    end: int
    after: int


def _rows(text: str) -> Iterator[_Row]:
    """Yield the rows of the kind of the first; what comments and CDATA hold is none."""
    others = _Others(text)
    tag = ""
    start = end = past = 0
    for mark in _MARKS.finditer(text):
        if mark.start() < past:
            continue
        if mark["other"]:
            past = others.end_of(mark.start())
        elif mark["end"]:
            if mark["end"].upper() == tag:
                end = mark.end()
        elif not tag or mark["row"].upper() == tag:
            if tag:
                yield _Row(start, end, mark.start())
            tag = mark["row"].upper()
            start, end = mark.start(), 0
    if tag:
        yield _Row(start, end, len(text))


class _Others:
    """What begins with < and is no tag. An end that is missing is looked for once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._missing: set[str] = set()

    def end_of(self, at: int) -> int:
        """Return where what begins at a place ends, 0 where nothing such does."""
        if self._text[at + 1 : at + 2] not in ("!", "?"):
            return 0
        for start, end in _NOT_TAGS:
            if end not in self._missing and self._text.startswith(start, at):
                stop = self._text.find(end, at + len(start))
                if stop >= 0:
                    return stop + len(end)
                self._missing.add(end)
        return 0


def _fixed(row: str) -> tuple[str, int, str]:
    """Return a row without what XML does not allow, how many places were changed, and its fault."""
    if len(row) > _LONGEST_ROW:
        return "", 0, "it is too long"
    if not _fault_of(row):
        return row, 0, ""
    clean = legal(row)
    count = len(row) - len(clean)
    others = _Others(clean)
    out: list[str] = []
    at = 0
    for sign in _SIGNS.finditer(clean):
        start = sign.start()
        if start < at:
            continue
        out.append(clean[at:start])
        piece, at = _markup_at(clean, start, others)
        count += piece != clean[start:at]
        out.append(piece)
    out.append(clean[at:])
    fixed = "".join(out)
    return fixed, count, _fault_of(fixed)


def _markup_at(text: str, at: int, others: _Others) -> tuple[str, int]:
    """Return what stands for the sign at a place, and where it ends."""
    if text[at] == "&":
        found = _REFERENCE.match(text, at)
        if found is None:
            return "&amp;", at + 1
        name = found[1]
        if name in _OWN:
            return found[0], found.end()
        if name[0] == "#":
            value = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
            is_allowed = value <= _LAST_LETTER and legal(chr(value))
            return (found[0] if is_allowed else ""), found.end()
        meant = html.unescape(found[0])
        if meant == found[0]:
            return f"&amp;{name};", found.end()
        return html.escape(legal(meant)), found.end()
    if end := others.end_of(at):
        return text[at:end], end
    tag = _TAG.match(text, at)
    if tag is None or tag[1].lower() in _OF_PAGES:
        return "&lt;", at + 1
    return tag[0], tag.end()


def _fault_of(row: str) -> str:
    parser: Any = expat.ParserCreate()
    try:
        parser.Parse(row.encode(), True)
    except expat.ExpatError as error:
        return expat.ErrorString(error.code)
    return ""
