"""XML that is broken in places: each row is mended, or set aside, and costs no other.

Looked at only where a parser refuses the file. A row that no mending makes XML is left out and
told with its number and line.
"""

from __future__ import annotations

import html
import io
import re
from typing import Any, BinaryIO, Final, NamedTuple
from xml.parsers import expat

from apps.exchange.bsx_lot import BsxWarning, WarningCode
from apps.exchange.xml_text import legal

_CHUNK: Final = 1024 * 1024
_MOST_BYTES: Final = 64 * _CHUNK
_MOST_TOLD: Final = 100
#: What ends too soon, or has more behind its end, is told by the reader, which takes what is whole.
_CUT_OFF: Final = frozenset({3, 5, 9, 20})
#: A file in an encoding that is not looked at here, and one that is empty.
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
_ROWS: Final = re.compile(r"<(ITEM|ORDER)(?=[\s>])", re.I)
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
        if self.places:
            places = "1 place" if self.places == 1 else f"{self.places:,} places"
            message = f"{places} that XML does not allow, such as a bare & or <, were mended."
            told.append(BsxWarning(WarningCode.MENDED_AMPERSANDS, "", message))
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
    head = content[: 64 * 1024]
    # What declares entities is refused as it stands; other encodings are left to the parser.
    if len(content) > _MOST_BYTES or b"<!ENTITY" in head or b"\0" in head[:100]:
        return Mended(stream)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return Mended(stream)  # the readers say what they make of its letters
    return _mended(text, stream)


def _is_broken(stream: BinaryIO) -> bool:
    parser = expat.ParserCreate()
    try:
        while chunk := stream.read(_CHUNK):
            parser.Parse(chunk, False)
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        return error.code not in _CUT_OFF | _NOT_LOOKED_AT
    return False


def _mended(text: str, stream: BinaryIO) -> Mended:
    starts = [found.start() for found in _ROWS.finditer(text)]
    if _ROWS.search(text) is None:
        return Mended(stream)
    row = text[starts[0] + 1 : starts[0] + 6].upper()
    tag = "ORDER" if row.startswith("ORDER") else "ITEM"
    starts = [at for at in starts if text[at + 1 : at + 1 + len(tag)].upper() == tag]
    out = [legal(text[: starts[0]])]
    aside: list[SetAside] = []
    places = 0
    line = text.count("\n", 0, starts[0]) + 1
    end_tag = f"</{tag}>"
    for number, start in enumerate(starts, 1):
        end = starts[number] if number < len(starts) else len(text)
        piece = text[start:end]
        at = piece.upper().rfind(end_tag)
        is_last = number == len(starts)
        if at < 0 and is_last:  # cut off: the reader tells
            out.append(piece)
            break
        whole, rest = (
            (piece, "") if at < 0 else (piece[: at + len(end_tag)], piece[at + len(end_tag) :])
        )
        fixed, count = _fixed(whole)
        if reason := _fault_of(fixed):
            aside.append(SetAside(number, line, whole, reason))
        else:
            out.append(fixed)
            places += count
        out.append(rest if is_last or not rest.strip() else "")
        line += piece.count("\n")
    return Mended(io.BytesIO("".join(out).encode()), tuple(aside), places)


def _fixed(row: str) -> tuple[str, int]:
    """Return a row without what XML does not allow, and how many places were changed."""
    clean = legal(row)
    count = len(row) - len(clean)
    out: list[str] = []
    at = 0
    while True:
        found = min(
            (place for place in (clean.find("<", at), clean.find("&", at)) if place >= 0),
            default=-1,
        )
        if found < 0:
            out.append(clean[at:])
            return "".join(out), count
        out.append(clean[at:found])
        piece, at = _markup_at(clean, found)
        count += piece != clean[found:at]
        out.append(piece)


def _markup_at(text: str, at: int) -> tuple[str, int]:
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
    for start, end in _NOT_TAGS:
        if text.startswith(start, at):
            stop = text.find(end, at)
            return ("&lt;", at + 1) if stop < 0 else (text[at : stop + len(end)], stop + len(end))
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
