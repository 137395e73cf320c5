"""Hardened streaming of the rows of an XML file: the children of one container element.

Memory stays at one chunk whatever the file's size, and what may pile up between two complete rows
is counted in bytes, for lxml holds any number of children.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO, Final, NamedTuple

from lxml import etree

from apps.exchange.refusals import FileRefused, FileTruncated, RefusalCode
from apps.exchange.xml_head import (
    ASCII_LIKE,
    CHUNK_BYTES,
    SAFE_PARSING,
    ByteSource,
    XmlForm,
    XmlLimits,
    feed,
    not_xml,
    read_head,
)

#: Characters in one tag. A longer text cannot arrive with a single chunk that also ends a row, so
#: plain batches need not be measured.
MAX_TEXT: Final = 2 * CHUNK_BYTES

_MARKUP: Final = etree.XPath("boolean(*/*/*)")
_ATTRIBUTES: Final = etree.XPath("boolean(*/@*|*/*/@*)")
# Base values are the one tag with attributes, so files that hold them need the dearer question.
_ATTRIBUTES_BUT_BASES: Final = etree.XPath("boolean(*/@*|*/*[not(self::DifferenceBaseValues)]/@*)")
_STRANGERS: Final = etree.XPath("boolean(*[name() != $row])")

_BOMS: Final = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")

#: The highest line that libxml2 keeps with an element itself (see `line_of`).
LAST_SHORT_LINE: Final = 65534


class Batch(NamedTuple):
    """Complete children of the container, in order: rows and any other elements.

    `is_plain` promises rows only, whose children hold no attributes (base values apart), elements,
    comments, nor texts beyond MAX_TEXT.
    """

    elements: list[Any]
    is_plain: bool


def line_of(element: Any) -> int:
    """Line of the start tag, exact in files of any length."""
    line: int = element.sourceline or 0
    if line > LAST_SHORT_LINE and element.text:
        # Beyond that libxml2 reports the line where the element's first text ends.
        line -= element.text.count("\n")
    return line


class RowStream:
    """Reads the head at once, then the rows in batches; each is freed when the next is asked for."""

    def __init__(
        self, stream: BinaryIO, form: XmlForm, limits: XmlLimits, *, repair: bool = False
    ) -> None:
        """Read until the container opens. Raises FileRefused."""
        self._form = form
        self._limits = limits
        self._repair = repair
        self._source = ByteSource(stream, limits)
        self.head = read_head(self._source, form, limits)
        #: The root element; after the last batch it holds everything but the rows.
        self.root: Any = None
        self.rows = 0
        self._others = 0
        self.truncated_at_line = 0
        self.has_trailing_garbage = False
        self._lines = 1
        self._recent = (b"", b"")

    @property
    def bytes_read(self) -> int:
        """Bytes taken from the stream so far."""
        return self._source.bytes_read

    @property
    def is_truncated(self) -> bool:
        """Whether the file stopped in the middle; known after the last batch."""
        return self.truncated_at_line > 0

    def batches(self) -> Iterator[Batch]:
        """Yield complete children of the container, in order. Valid until the next is asked for.

        Raises FileRefused, and FileTruncated after the last complete row unless `repair`.

        Asking lxml for the ends of rows makes it look at the end of every tag: a fifth of the whole
        reading. A child that has a following one is over as well, so only the tree is looked at;
        the one event that leads into it comes from the mark put before the root.
        """
        # strip_cdata: GuiState is handed on as it stood.
        parser: Any = etree.XMLPullParser(events=("pi",), strip_cdata=False, **SAFE_PARSING)
        prolog, held = self._with_mark(b"".join(self.head.held))
        parser.feed(prolog)
        self._lines += prolog.count(b"\n")
        mark: Any = None
        container: Any = None
        last: Any = None
        waiting = 0
        remark_near = equals_near = False
        for chunk in self._chunks(held):
            fault = feed(parser, chunk)
            for _event, instruction in parser.read_events():
                mark = instruction if mark is None else mark
            waiting += len(chunk)
            self._recent = (self._recent[1], chunk)
            # Comments and instructions cut texts in two; where one is near, no batch is plain.
            has_remark = self._has_remark(self._recent[0][-3:] + chunk)
            has_equals = b"=" in chunk or self.head.encoding != ASCII_LIKE
            remark_near = remark_near or has_remark
            equals_near = equals_near or has_equals
            container = self._find_container(mark) if container is None else container
            has_root_ended = fault is not None and fault.is_after_root

            if container is not None:
                is_over = has_root_ended or self._is_over(container)
                elements = container[last is not None : None if is_over else -1]
                if elements:
                    may_be_plain = waiting <= CHUNK_BYTES and not remark_near
                    yield self._batch(container, elements, may_be_plain, equals_near)
                    last = elements[-1]
                    elements.clear()
                    _forget_before(container, last)
                    waiting = 0
                    # The child that is still open began in this chunk.
                    remark_near, equals_near = has_remark, has_equals

            if has_root_ended:
                # BrickStore ignores this on purpose.
                self.has_trailing_garbage = True
                return
            if fault is not None:
                raise fault.refusal
            self._refuse_if_stuck(container, waiting)

        is_whole = self._close(parser)
        container = self._find_container(mark) if container is None else container
        if container is not None:
            is_last_whole = is_whole or self._is_over(container) or self._ends_with_a_row()
            elements = container[last is not None : None if is_last_whole else -1]
            if elements:
                may_be_plain = waiting <= CHUNK_BYTES and not remark_near
                yield self._batch(container, elements, may_be_plain, equals_near)
                elements.clear()
                del container[:]
        if not is_whole and not self._repair:
            come = "lot comes" if self.rows == 1 else "lots come"
            raise FileTruncated(
                f"The file stops in the middle, at line {self.truncated_at_line}. "
                f"{self.rows:,} whole {come} before that.",
                self.truncated_at_line,
                self.rows,
            )

    def _batch(
        self, container: Any, elements: list[Any], may_be_plain: bool, may_have_attributes: bool
    ) -> Batch:
        is_plain = (
            may_be_plain
            and not _STRANGERS(container, row=self._form.row)
            and not _MARKUP(container)
            and not (
                may_have_attributes and _ATTRIBUTES(container) and _ATTRIBUTES_BUT_BASES(container)
            )
        )
        rows = (
            len(elements)
            if is_plain
            else sum(self._form.cased(element.tag) == self._form.row for element in elements)
        )
        self.rows += rows
        self._others += len(elements) - rows
        if self._others > self._limits.max_rows:
            raise FileRefused(
                RefusalCode.BLOCK_TOO_LARGE,
                f"More than {self._limits.max_rows:,} comments and other elements stand between "
                "the lots.",
                self._lines,
            )
        if self.rows > self._limits.max_rows:
            raise FileRefused(
                RefusalCode.TOO_MANY_LOTS,
                f"The file holds more than {self._limits.max_rows:,} lots; split it.",
            )
        return Batch(elements, is_plain)

    def _find_container(self, mark: Any) -> Any:
        if self.root is None and mark is not None:
            siblings = (node for node in mark.itersiblings() if isinstance(node.tag, str))
            self.root = next(siblings, None)
        if self.root is None or self._form.container is None:
            return self.root
        return next(self.root.iterchildren(self.head.container_tag), None)

    def _is_over(self, container: Any) -> bool:
        return self._form.container is not None and container.getnext() is not None

    def _has_remark(self, window: bytes) -> bool:
        if self.head.encoding != ASCII_LIKE:
            return True
        # The single byte first: `<` is so frequent that looking for the pair costs more.
        return (b"!" in window and b"<!--" in window) or (b"?" in window and b"<?" in window)

    def _ends_with_a_row(self) -> bool:
        """Whether the last child of a file that was cut off is whole; when in doubt not."""
        window = b"".join(self._recent)
        if self._form.any_case:
            window = window.upper()
        if self._has_remark(window) or b"<![" in window:
            return False
        row = self._form.row.encode()
        return window.rfind(b"</" + row + b">") > window.rfind(b"<" + row)

    def _close(self, parser: Any) -> bool:
        """End the input; return whether it was complete. Raises FileRefused if it was never XML."""
        try:
            parser.close()
        except etree.XMLSyntaxError as error:
            line = error.lineno or self._lines
            # libxml2 waits for the ';' of a bare '&' until the end; that is not a cut.
            if line < self._lines - 1:
                raise not_xml(error) from None
            self.truncated_at_line = line
            return False
        return True

    def _refuse_if_stuck(self, container: object, waiting: int) -> None:
        limits = self._limits
        if waiting <= min(limits.max_row_bytes, limits.max_block_bytes):
            return
        if container is None or self._is_over(container):
            if waiting > limits.max_block_bytes:
                raise FileRefused(
                    RefusalCode.BLOCK_TOO_LARGE,
                    f"More than {limits.max_block_bytes:,} bytes stand outside the lots.",
                    self._lines,
                )
        elif waiting > limits.max_row_bytes:
            raise FileRefused(
                RefusalCode.LOT_TOO_LARGE,
                f"Lot {self.rows + 1} is not over after {limits.max_row_bytes:,} bytes.",
                self._lines,
            )

    def _chunks(self, held: bytes) -> Iterator[bytes]:
        self.head.held.clear()
        for start in range(0, len(held), CHUNK_BYTES):
            chunk = held[start : start + CHUNK_BYTES]
            self._lines += chunk.count(b"\n")
            yield chunk
        while chunk := self._source.read():
            self._lines += chunk.count(b"\n")
            yield chunk

    def _with_mark(self, first: bytes) -> tuple[bytes, bytes]:
        """Cut the first bytes behind the XML declaration, and put an instruction of ours there."""
        encoding = self.head.encoding
        start = next((len(bom) for bom in _BOMS if first.startswith(bom)), 0)
        declarations = tuple(f"<?xml{blank}".encode(encoding) for blank in " \t\r\n")
        if first.startswith(declarations, start):
            end = "?>".encode(encoding)
            start = first.index(end, start) + len(end)
        return first[:start] + "<?rows?>".encode(encoding), first[start:]


def _forget_before(container: Any, last: Any) -> None:
    """Free the rows read so far.

    The parser appends after the last child while the container is open, so `last` stays, emptied,
    until the next batch.
    """
    if isinstance(last.tag, str):
        last.clear(keep_tail=True)
    del container[: container.index(last)]
