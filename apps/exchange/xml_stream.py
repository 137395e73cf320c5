"""Hardened streaming of the rows of an XML file: the children of one container element.

lxml refuses expansion bombs, depth and giant texts by itself, but accepts external entities (their
text becomes '') and holds any number of children. So the DOCTYPE is looked at before a row is read,
and what may pile up between two complete rows is counted in bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, Final, NamedTuple

from lxml import etree

from apps.exchange.refusals import FileRefused, FileTruncated, RefusalCode

CHUNK_BYTES: Final = 64 * 1024
MIB: Final = 1024 * 1024
#: Characters in one tag. A longer text cannot arrive with a single chunk that also ends a row, so
#: plain batches need not be measured.
MAX_TEXT: Final = 2 * CHUNK_BYTES

_SAFE: Final[dict[str, Any]] = {
    "resolve_entities": False,
    "no_network": True,
    "load_dtd": False,
    "huge_tree": False,
}

# A tag inside a text tag, or an attribute where BSX has none. Cheap: the steps stop at the first.
_MARKUP: Final = etree.XPath("boolean(*/*/*)")
_ATTRIBUTES: Final = etree.XPath("boolean(*/@*|*/*/@*)")
# Base values are the one tag with attributes, so files that hold them need the dearer question.
_ATTRIBUTES_BUT_BASES: Final = etree.XPath("boolean(*/@*|*/*[not(self::DifferenceBaseValues)]/@*)")
_STRANGERS: Final = etree.XPath("boolean(*[name() != $row])")

_ASCII_LIKE: Final = "ascii"
_BOMS: Final = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_CONTENT_AFTER_ROOT: Final = etree.ErrorTypes.ERR_DOCUMENT_END

_UNDECLARED: Final = frozenset(
    {etree.ErrorTypes.ERR_UNDECLARED_ENTITY, etree.ErrorTypes.WAR_UNDECLARED_ENTITY}
)

# libxml2 numbers beyond this come from the text node after the start tag (see `line_of`).
_SHORT_LINE: Final = 65535


@dataclass(frozen=True, kw_only=True, slots=True)
class XmlLimits:
    """What a file may be at most; beyond it is refused before it costs memory."""

    max_bytes: int = 64 * MIB
    max_rows: int = 250_000
    #: Bytes between two complete rows: a row with a giant text or millions of children.
    max_row_bytes: int = MIB
    #: Bytes before, after or outside the rows, such as GuiState or Order.
    max_block_bytes: int = 8 * MIB
    max_children: int = 64


class Doctype(NamedTuple):
    """The name in `<!DOCTYPE name>`."""

    name: str


class Batch(NamedTuple):
    """Complete children of the container, in order: rows, and whatever else stands there.

    `is_plain` promises rows only, whose children hold no attributes (base values apart), elements,
    comments, nor texts beyond MAX_TEXT.
    """

    elements: list[etree._Element]
    is_plain: bool


def line_of(element: etree._Element) -> int:
    """Line of the start tag, exact in files of any length."""
    line: int = element.sourceline or 0
    if line > _SHORT_LINE and element.text:
        # Beyond 65,535 libxml2 reports the line where the element's first text ends.
        line -= element.text.count("\n")
    return line


class RowStream:
    """Reads the head at once, then the rows in batches; each batch is freed when the next is asked.

    `roots` are the accepted root tags. `container` is the child of the root that holds the rows, or
    None if the root does. With `any_case`, tags may be written in capitals or not. `what` names the
    format in messages.
    """

    def __init__(
        self,
        stream: BinaryIO,
        *,
        what: str,
        roots: frozenset[str],
        container: str | None,
        row: str,
        limits: XmlLimits,
        any_case: bool = False,
        repair: bool = False,
    ) -> None:
        """Read until the container opens. Raises FileRefused."""
        self._stream = stream
        self._what = what
        self._roots = roots
        self._container_tag = container
        self._row_tag = row
        self._limits = limits
        self._any_case = any_case
        self._repair = repair

        self.bytes_read = 0
        self.rows = 0
        self.is_truncated = False
        self.truncated_at_line = 0
        self.has_trailing_garbage = False
        self.root: Any = None

        self.root_tag = ""
        self.root_attributes: dict[str, str] = {}
        self.container_tag = ""
        self.container_attributes: dict[str, str] = {}
        self.doctype: Doctype | None = None
        self._held: list[bytes] = []
        self._recent = (b"", b"")
        self._lines = 1
        self._encoding = _ASCII_LIKE
        self._read_head()

    # The head: a parser of its own, so that the main one need not report every start tag.

    def _read_head(self) -> None:
        first = self._read_first()
        _refuse_by_magic(first, self._what)
        self._encoding = _encoding_of(first)
        probe: Any = etree.XMLPullParser(events=("start",), **_SAFE)
        root: etree._Element | None = None
        chunk = first
        size = 0
        while chunk:
            self._held.append(chunk)
            size += len(chunk)
            error: etree.XMLSyntaxError | None = None
            try:
                probe.feed(chunk)
            except etree.XMLSyntaxError as caught:
                error = caught
            for _event, element in probe.read_events():
                if root is None:
                    root = element
                    self._accept_root(root)
                if self._is_container(element, root):
                    self.container_tag = str(element.tag)
                    self.container_attributes = _attributes(element)
                    return
            if error is not None:
                raise _not_xml(error)
            if size > self._limits.max_block_bytes:
                raise FileRefused(
                    RefusalCode.BLOCK_TOO_LARGE,
                    f"The first {size:,} bytes hold no {self._container_name()}.",
                )
            chunk = self._read()
        self._refuse_headless(probe, root)

    def _read_first(self) -> bytes:
        first = b""
        while len(first) < 1024:
            chunk = self._read()
            if not chunk:
                break
            first += chunk
        return first

    def _accept_root(self, root: etree._Element) -> None:
        _refuse_dangerous_dtd(root)
        self.root_tag = str(root.tag)
        if self._cased(self.root_tag) not in self._roots:
            expected = " or ".join(sorted(self._roots))
            raise FileRefused(
                RefusalCode.WRONG_ROOT,
                f"The root element is <{self.root_tag}>; {self._what} has <{expected}>.",
                root.sourceline or 0,
            )
        self.root_attributes = _attributes(root)
        dtd = root.getroottree().docinfo.internalDTD
        if dtd is not None:
            self.doctype = Doctype(str(dtd.name))

    def _is_container(self, element: etree._Element, root: etree._Element) -> bool:
        if self._container_tag is None:
            return element is root
        return self._cased(element.tag) == self._container_tag and element.getparent() is root

    def _container_name(self) -> str:
        return f"<{self._container_tag}>" if self._container_tag else "root element"

    def _refuse_headless(self, probe: Any, root: etree._Element | None) -> None:
        try:
            probe.close()
        except etree.XMLSyntaxError as error:
            if root is None:
                raise _not_xml(error) from None
            line = error.lineno or 0
            raise FileTruncated(
                f"The file stops at line {line}, before any lot.", line, 0
            ) from None
        raise FileRefused(
            RefusalCode.NO_INVENTORY,
            f"The root element holds no {self._container_name()}; expected one with the lots.",
        )

    def _cased(self, tag: object) -> str:
        text = tag if isinstance(tag, str) else ""
        return text.upper() if self._any_case else text

    # The rows

    def batches(self) -> Iterator[Batch]:
        """Yield complete children of the container, in order. Valid until the next is asked for.

        Raises FileRefused, and FileTruncated after the last complete row unless `repair`.

        Asking lxml for the ends of rows makes it look at the end of every tag: a fifth of the whole
        reading. A child that has a following one is over as well, so only the tree is looked at;
        the one event that leads into it comes from the mark put before the root.
        """
        # strip_cdata: GuiState is handed on as it stood.
        parser: Any = etree.XMLPullParser(events=("pi",), strip_cdata=False, **_SAFE)
        mark: Any = None
        container: Any = None
        last: Any = None
        before = b""
        waiting = 0
        is_remark_near = are_equals_near = False
        for chunk in self._chunks():
            error: etree.XMLSyntaxError | None = None
            try:
                parser.feed(chunk)
            except etree.XMLSyntaxError as caught:
                error = caught
            for _event, instruction in parser.read_events():
                mark = instruction if mark is None else mark
            waiting += len(chunk)
            # Comments and instructions cut texts in two; where one is near, no batch is plain.
            has_remark = self._has_remark(before[-3:] + chunk)
            has_equals = b"=" in chunk or self._encoding != _ASCII_LIKE
            self._recent = (before, chunk)
            before = chunk
            if self.root is None and mark is not None:
                self.root = next(
                    (node for node in mark.itersiblings() if isinstance(node.tag, str)), None
                )
            if container is None and self.root is not None:
                container = self._container_in(self.root)
            has_root_ended = error is not None and error.code == _CONTENT_AFTER_ROOT

            if container is not None:
                is_over = has_root_ended or self._is_over(container)
                elements = container[last is not None : None if is_over else -1]
                if elements:
                    yield self._batch(
                        container,
                        elements,
                        may_be_plain=waiting <= CHUNK_BYTES and not (has_remark or is_remark_near),
                        may_have_attributes=has_equals or are_equals_near,
                    )
                    last = elements[-1]
                    elements.clear()
                    _forget_before(container, last)
                    waiting = 0
                    is_remark_near = are_equals_near = False
            is_remark_near = is_remark_near or has_remark
            are_equals_near = are_equals_near or has_equals

            if has_root_ended:
                # BrickStore ignores this on purpose.
                self.has_trailing_garbage = True
                return
            if error is not None:
                raise _not_xml(error)
            self._refuse_if_stuck(parser, container, waiting)

        is_whole = self._close(parser)
        if container is None and self.root is not None:
            container = self._container_in(self.root)
        if container is not None:
            is_last_whole = is_whole or self._is_over(container) or self._ends_with_a_row()
            elements = container[last is not None : None if is_last_whole else -1]
            if elements:
                yield self._batch(container, elements, may_be_plain=False)
                elements.clear()
        if not is_whole and not self._repair:
            raise FileTruncated(
                f"The file stops in the middle, at line {self.truncated_at_line}; {self.rows} "
                "complete lots come before and can be read by repairing it.",
                self.truncated_at_line,
                self.rows,
            )

    def _batch(
        self,
        container: etree._Element,
        elements: list[etree._Element],
        *,
        may_be_plain: bool,
        may_have_attributes: bool = True,
    ) -> Batch:
        is_plain = (
            may_be_plain
            and not _STRANGERS(container, row=self._row_tag)
            and not _MARKUP(container)
            and not (
                may_have_attributes and _ATTRIBUTES(container) and _ATTRIBUTES_BUT_BASES(container)
            )
        )
        self.rows += (
            len(elements)
            if is_plain
            else sum(self._cased(element.tag) == self._row_tag for element in elements)
        )
        if self.rows > self._limits.max_rows:
            raise FileRefused(
                RefusalCode.TOO_MANY_LOTS,
                f"The file holds more than {self._limits.max_rows:,} lots; split it.",
            )
        return Batch(elements, is_plain)

    def _container_in(self, root: etree._Element) -> etree._Element | None:
        if self._container_tag is None:
            return root
        return next(root.iterchildren(self.container_tag), None)

    def _is_over(self, container: etree._Element) -> bool:
        return self._container_tag is not None and container.getnext() is not None

    def _has_remark(self, window: bytes) -> bool:
        if self._encoding != _ASCII_LIKE:
            return True
        # The single byte first: `<` is so frequent that looking for the pair costs more.
        return (b"!" in window and b"<!--" in window) or (b"?" in window and b"<?" in window)

    def _ends_with_a_row(self) -> bool:
        """Whether the last child of a file that was cut off is whole, when in doubt not."""
        window = b"".join(self._recent)
        window = window.upper() if self._any_case else window
        if self._has_remark(window) or b"<![" in window:
            return False
        row = self._row_tag.encode(self._encoding)
        return window.rfind(b"</" + row + b">") > window.rfind(b"<" + row)

    def _close(self, parser: Any) -> bool:
        """End the input; say whether it was whole. Raises FileRefused when it was never XML."""
        _refuse_undeclared_entity(parser)
        try:
            parser.close()
        except etree.XMLSyntaxError as error:
            line = error.lineno or self._lines
            # libxml2 waits for the ';' of a bare '&' until the end; that is not a cut.
            if line < self._lines - 1:
                raise _not_xml(error) from None
            self.is_truncated = True
            self.truncated_at_line = line
            return False
        return True

    def _refuse_if_stuck(self, parser: Any, container: etree._Element | None, waiting: int) -> None:
        if waiting <= min(self._limits.max_row_bytes, self._limits.max_block_bytes):
            return
        _refuse_undeclared_entity(parser)
        if container is None or self._is_over(container):
            if waiting > self._limits.max_block_bytes:
                raise FileRefused(
                    RefusalCode.BLOCK_TOO_LARGE,
                    f"More than {self._limits.max_block_bytes:,} bytes stand outside the lots.",
                    self._lines,
                )
        elif waiting > self._limits.max_row_bytes:
            raise FileRefused(
                RefusalCode.LOT_TOO_LARGE,
                f"Lot {self.rows + 1} is not over after {self._limits.max_row_bytes:,} bytes.",
                self._lines,
            )

    def _chunks(self) -> Iterator[bytes]:
        held, self._held = self._held, []
        prolog, held[0] = self._with_mark(held[0])
        yield prolog
        for chunk in held:
            # In pieces, so that batches stay small however the stream delivers.
            for start in range(0, len(chunk), CHUNK_BYTES):
                piece = chunk[start : start + CHUNK_BYTES]
                self._lines += piece.count(b"\n")
                yield piece
        while chunk := self._read():
            self._lines += chunk.count(b"\n")
            yield chunk

    def _with_mark(self, first: bytes) -> tuple[bytes, bytes]:
        """Cut the first bytes behind the XML declaration, and put an instruction of ours there."""
        encoding = self._encoding
        start = next((len(bom) for bom in _BOMS if first.startswith(bom)), 0)
        if first.startswith("<?xml".encode(encoding), start):
            end = "?>".encode(encoding)
            start = first.index(end, start) + len(end)
        return first[:start] + "<?rows?>".encode(encoding), first[start:]

    def _read(self) -> bytes:
        chunk = self._stream.read(CHUNK_BYTES)
        self.bytes_read += len(chunk)
        if self.bytes_read > self._limits.max_bytes:
            raise FileRefused(
                RefusalCode.FILE_TOO_LARGE,
                f"The file is larger than {self._limits.max_bytes / MIB:g} MiB.",
            )
        return chunk


def _forget_before(container: etree._Element, last: Any) -> None:
    """Free the rows read so far.

    The parser appends after the last child while the container is open, so `last` stays, emptied,
    until the next batch.
    """
    if isinstance(last.tag, str):
        last.clear(keep_tail=True)
    del container[: container.index(last)]


def _encoding_of(first: bytes) -> str:
    """Tell how ASCII is written in a file from its first bytes, as XML prescribes."""
    if first.startswith((b"\xff\xfe", b"<\x00")):
        return "utf-16-le"
    if first.startswith((b"\xfe\xff", b"\x00<")):
        return "utf-16-be"
    return _ASCII_LIKE


def _attributes(element: etree._Element) -> dict[str, str]:
    return {str(name): str(value) for name, value in element.attrib.items()}


def _not_xml(error: etree.XMLSyntaxError) -> FileRefused:
    message = str(error.msg or error)
    line = error.lineno or 0
    if "xcessive depth" in message:
        return FileRefused(
            RefusalCode.TOO_DEEP, f"Elements are nested too deeply at line {line}.", line
        )
    if "too long" in message or "huge" in message.lower():
        return FileRefused(RefusalCode.TEXT_TOO_LONG, f"A text is too long at line {line}.", line)
    return FileRefused(RefusalCode.NOT_XML, f"Not XML: {message}.", line)


def _refuse_undeclared_entity(parser: Any) -> None:
    """Say what lxml keeps still about: it stops reading at `&nbsp;` without raising."""
    for entry in parser.feed_error_log:
        if entry.type in _UNDECLARED:
            raise FileRefused(
                RefusalCode.NOT_XML, f"Not XML at line {entry.line}: {entry.message}.", entry.line
            )


def _refuse_dangerous_dtd(root: etree._Element) -> None:
    dtd = root.getroottree().docinfo.internalDTD
    if dtd is None:
        return
    declares = any(True for _ in dtd.iterentities()) or any(True for _ in dtd.iterelements())
    if declares or dtd.system_url or dtd.external_id:
        raise FileRefused(
            RefusalCode.ENTITIES,
            "The DOCTYPE declares entities or points outside the file; expected a name only, "
            "such as <!DOCTYPE BrickStoreXML>.",
            1,
        )


def _refuse_by_magic(first: bytes, what: str) -> None:
    """Name the usual mistakes instead of quoting the XML parser about them."""
    start = first.lstrip(b"\xef\xbb\xbf \t\r\n")
    if not start.strip(b"\x00"):
        raise FileRefused(RefusalCode.EMPTY, f"The file is empty; expected {what}.")
    if start.startswith(b"PK\x03\x04"):
        raise FileRefused(
            RefusalCode.ZIP, f"This is a zip archive; unpack it and choose the {what} inside."
        )
    if start.startswith(b"\x1f\x8b"):
        raise FileRefused(
            RefusalCode.GZIP, f"This is a gzip archive; unpack it and choose the {what} inside."
        )
    if start[:14].lower().startswith((b"<!doctype html", b"<html")):
        raise FileRefused(
            RefusalCode.HTML,
            f"This is a web page, not {what}; perhaps the site asked for a login when it was saved.",
            1,
        )
