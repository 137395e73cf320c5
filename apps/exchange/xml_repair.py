"""XML that is broken in places: repairs each row, or leaves it out; other rows are not affected.

Looked at only where a parser refuses the file, and only around its faults. A row that no repair
makes XML is left out and told with its number and line.
"""

from __future__ import annotations

import codecs
import contextlib
import html
import io
import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, BinaryIO, Final, NamedTuple
from xml.parsers import expat

from apps.exchange.bsx_lot import BsxWarning, WarningCode
from apps.exchange.decoding import NO_FOREIGN, Foreign, read_foreign
from apps.exchange.xml_text import legal

_CHUNK: Final = 1024 * 1024
#: Elements that are open at once; files of lots have five.
_DEEPEST: Final = 100_000
_MOST_BYTES: Final = 64 * _CHUNK
_MOST_TOLD: Final = 100
#: What ends too soon, or has more behind its end, is told by the reader, which takes what is whole.
_CUT_OFF: Final = frozenset({3, 5, 9, 20})
#: A file in an encoding that is not known, and one that is empty.
_NOT_LOOKED_AT: Final = frozenset({18, 19, 30})
_NAMED: Final = r"#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31}"
_BARE: Final = re.compile(rf"&(?!(?:{_NAMED});)")
_REFERENCE: Final = re.compile(rf"&(?!(?:amp|lt|gt|quot|apos);)({_NAMED});")
#: Tags of web pages are texts here.
_OF_PAGES: Final = (
    "a|b|big|br|center|code|div|em|font|h[1-6]|hr|i|img|li|ol|p|small|span|strike|strong|sub|sup|"
    "table|tbody|td|tr|tt|u|ul"
)
_REST: Final = r"(?:\s[^<>]{0,9999})?/?>"
_NO_TAG: Final = re.compile(
    rf"<(?!/?[A-Za-z_][\w.:-]{{0,60}}{_REST})|<(?=/?(?:{_OF_PAGES}){_REST})", re.I
)
_OTHER: Final = re.compile(r"<[!?]")
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
#: Beyond them the reader refuses.
_LONGEST_ROW: Final = 1024 * 1024
_MOST_ROWS: Final = 250_000
#: As much of a row that is set aside is kept, for its number.
_KEPT: Final = 2000
#: A row with more is no text that somebody wrote.
_MOST_FAULTS: Final = 100_000
#: Rows of so many letters are checked at once.
_BLOCK: Final = 256 * 1024
_LAST_LETTER: Final = 0x10FFFF
_NOT_TAGS: Final = (("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"))


class SetAside(NamedTuple):
    """A row that is no XML: its place among the rows, from 1, its line, its text and the reason."""

    number: int
    line: int
    text: str
    reason: str


class Repaired(NamedTuple):
    """The file as it can be read, and what was done to it."""

    stream: BinaryIO
    set_aside: tuple[SetAside, ...] = ()
    places: int = 0
    foreign: Foreign = NO_FOREIGN

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
            message = f"{places} that XML does not allow, such as a bare & or <, were repaired."
            told.append(BsxWarning(WarningCode.REPAIRED_XML, "", message))
        if self.foreign.letters:
            told.append(self.foreign.warning())
        return told


Repair = Callable[[bytes], bytes]


def repaired(stream: BinaryIO, *, repair: Repair) -> Repaired:
    """Return the file, repaired where a parser would refuse it, by `repair_broken`."""
    stream.seek(0)
    is_broken = _is_broken(stream)
    stream.seek(0)
    if not is_broken:
        return Repaired(stream)
    content = stream.read(_MOST_BYTES + 1)
    stream.seek(0)
    if len(content) > _MOST_BYTES:
        return Repaired(stream)
    head, _, text = repair(content).partition(b"\n")
    if not text:
        return Repaired(stream)
    aside, places, foreign = json.loads(head)
    rows = tuple(SetAside(*one) for one in aside)
    return Repaired(io.BytesIO(text), rows, places, Foreign(*foreign))


def repair_broken(content: bytes) -> bytes:
    """Return a broken file as it can be read, behind a line of JSON: rows set aside, counts.

    Only the line where it cannot be repaired. It runs in a process of its own, see `core/isolated`.
    """
    stream = io.BytesIO(content)
    whole = _whole(content, stream)
    if whole.stream is stream:
        return b"[]\n"
    head = json.dumps([whole.set_aside, whole.places, whole.foreign])
    return head.encode() + b"\n" + whole.stream.read()


def _whole(content: bytes, stream: BinaryIO) -> Repaired:
    text, foreign = _text_of(content)
    # What declares entities is refused as it stands.
    if "<!ENTITY" in text[: 64 * 1024]:
        return Repaired(stream)
    whole = _repaired(text, stream)
    return whole if whole.stream is stream else whole._replace(foreign=foreign)


def _text_of(content: bytes) -> tuple[str, Foreign]:
    """Return the text without a declaration, and the letters that are Windows-1252 unsaid."""
    text, foreign = _decoded(content)
    return _DECLARATION.sub("", text, count=1), foreign


def _decoded(content: bytes) -> tuple[str, Foreign]:
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16", errors="replace"), NO_FOREIGN
    if declared := _DECLARED.match(content):
        with contextlib.suppress(UnicodeDecodeError, LookupError):
            return content.decode(declared[1].decode()), NO_FOREIGN
    with contextlib.suppress(UnicodeDecodeError):
        return content.decode("utf-8-sig"), NO_FOREIGN
    text = content.decode("utf-8-sig", errors="surrogateescape")
    return read_foreign(text), NO_FOREIGN.and_of(text, 0)


def _is_broken(stream: BinaryIO) -> bool:
    parser = expat.ParserCreate()
    depth = 0
    try:
        while chunk := stream.read(_CHUNK):
            parser.Parse(chunk, False)
            # Expat keeps what is open in memory. So deep a file is refused when it is read.
            opened = chunk.count(b"<") - chunk.count(b"<!") - chunk.count(b"<?")
            depth += opened - 2 * chunk.count(b"</") - chunk.count(b"/>")
            if depth > _DEEPEST:
                return False
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        return error.code not in _CUT_OFF | _NOT_LOOKED_AT
    except (LookupError, ValueError):  # an encoding that only the readers may know
        return False
    return False


def _repaired(text: str, stream: BinaryIO) -> Repaired:
    out = io.BytesIO()
    aside: list[SetAside] = []
    places = number = 0
    line = 1
    for block in _blocks(text):
        first = number + 1
        number += len(block)
        if number > _MOST_ROWS:
            return Repaired(stream)
        if first == 1:
            out.write(legal(text[: block[0].start]).encode())
            line += text.count("\n", 0, block[0].start)
        whole = text[block[0].start : block[-1].after]
        if _is_joined(block, whole) and (good := _good_block(whole)) is not None:
            out.write(good[0].encode())
            places += good[1]
            line += whole.count("\n")
            continue
        for place, row in enumerate(block, first):
            is_last = row.after == len(text)
            if is_last and not row.end:  # cut off: the reader tells
                out.write(text[row.start :].encode())
                break
            end = row.end or row.after
            told = text[row.start : end]
            fixed, count, reason = _fixed(told) if row.end else ("", 0, "it has no end")
            if reason:
                aside.append(SetAside(place, line, told[:_KEPT], reason))
            else:
                out.write(fixed.encode())
                places += count
            rest = text[end : row.after]
            if is_last or not rest.strip():
                out.write(rest.encode())
            line += text.count("\n", row.start, row.after)
    if not number:
        return Repaired(stream)
    out.seek(0)
    return Repaired(out, tuple(aside), places)


def _blocks(text: str) -> Iterator[list[_Row]]:
    """Yield the rows in blocks, which a parser checks at once: most have no fault."""
    block: list[_Row] = []
    for row in _rows(text):
        block.append(row)
        if row.after - block[0].start > _BLOCK:
            yield block
            block = []
    if block:
        yield block


def _is_joined(block: Sequence[_Row], text: str) -> bool:
    """Whether all rows of a block have an end, are not too long, and nothing is between them."""
    start = block[0].start
    return all(
        row.start < row.end <= row.start + _LONGEST_ROW
        and not text[row.end - start : row.after - start].strip()
        for row in block
    )


def _good_block(text: str) -> tuple[str, int] | None:
    """Return a block that is XML, or is it once its references are repaired; the places changed.

    Tags are repaired row by row: those of a row that is XML stay.
    """
    if not _fault_of(f"<x>{text}</x>"):
        return text, 0
    if _OTHER.search(text):
        return None
    clean = legal(text)
    fixed, count = _fixed_references(clean)
    if count > _MOST_FAULTS:
        return None
    return None if _fault_of(f"<x>{fixed}</x>") else (fixed, count + len(text) - len(clean))


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
        kind, (at, stop) = mark.lastgroup or "", mark.span()
        if at < past:
            continue
        if kind == "other":
            past = others.end_of(at)
            continue
        name = mark[kind].upper()
        if kind == "end":
            end = stop if name == tag else end
        elif not tag or name == tag:
            if tag:
                yield _Row(start, end, at)
            tag, start, end = name, at, 0
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
    for sign in _OTHER.finditer(clean):
        if sign.start() >= at and (end := others.end_of(sign.start())):
            text, changed = _fixed_text(clean[at : sign.start()])
            out += (text, clean[sign.start() : end])
            count += changed
            at = end
    text, changed = _fixed_text(clean[at:])
    if count + changed > _MOST_FAULTS:
        return "", 0, "it has too many faults"
    fixed = "".join([*out, text])
    return fixed, count + changed, _fault_of(fixed)


def _fixed_text(text: str) -> tuple[str, int]:
    """Return text without signs that XML does not allow, and how many were changed."""
    text, count = _fixed_references(text)
    text, tags = _NO_TAG.subn("&lt;", text)
    return text, count + tags


def _fixed_references(text: str) -> tuple[str, int]:
    """Return text without & that XML does not allow, and how many were changed.

    Some are left where there are more than _MOST_FAULTS.
    """
    count = 0

    def meant(found: re.Match[str]) -> str:
        nonlocal count
        put = _meant(found[1])
        count += put != found[0]
        return put

    text, bare = _BARE.subn("&amp;", text, count=_MOST_FAULTS + 1)
    text = _REFERENCE.sub(meant, text)
    return text, count + bare


def _meant(name: str) -> str:
    """Return what stands for a reference that is not XML's own."""
    if name[0] == "#":
        value = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
        return f"&{name};" if value <= _LAST_LETTER and legal(chr(value)) else ""
    letter = html.unescape(f"&{name};")
    return f"&amp;{name};" if letter == f"&{name};" else html.escape(legal(letter))


def _fault_of(row: str) -> str:
    parser: Any = expat.ParserCreate()
    try:
        parser.Parse(row.encode(), True)
    except expat.ExpatError as error:
        return expat.ErrorString(error.code)
    return ""
