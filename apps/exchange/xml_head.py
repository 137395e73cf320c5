"""The beginning of an XML file: is it ours, and is it harmless? Looked at before any row is read.

lxml refuses expansion bombs, depth and giant texts by itself, but accepts external entities: their
text becomes ''. So the DOCTYPE is judged here, by a parser of its own that sees nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, BinaryIO, Final, NamedTuple
from xml.etree.ElementTree import Element

from lxml import etree

from apps.exchange.refusals import FileRefused, FileTruncated, RefusalCode

CHUNK_BYTES: Final = 64 * 1024
MIB: Final = 1024 * 1024

SAFE_PARSING: Final[dict[str, Any]] = {
    "resolve_entities": False,
    "no_network": True,
    "load_dtd": False,
    "huge_tree": False,
}

_LONGEST_PROLOG: Final = 64 * 1024

_UNDECLARED: Final = frozenset(
    {etree.ErrorTypes.ERR_UNDECLARED_ENTITY, etree.ErrorTypes.WAR_UNDECLARED_ENTITY}
)

#: Encodings that contain ASCII.
ASCII_LIKE: Final = "ascii"


@dataclass(frozen=True, kw_only=True, slots=True)
class XmlLimits:
    """The limits of a file; a larger one is refused before it costs memory."""

    max_bytes: int = 64 * MIB
    max_rows: int = 250_000
    #: Values that could not be read; each costs about three times what one that could does.
    max_odd_values: int = 250_000
    #: Bytes between two complete rows: a row with a giant text or millions of children.
    max_row_bytes: int = MIB
    #: Bytes before, after or outside the rows, such as GuiState or Order.
    max_block_bytes: int = 2 * MIB
    max_children: int = 64


@dataclass(frozen=True, kw_only=True, slots=True)
class XmlForm:
    """How a format's files are built: `container` in the root holds the rows, or the root does."""

    #: The format in messages, such as "a BSX file".
    name: str
    roots: frozenset[str]
    container: str | None
    row: str
    #: Whether capitals do not matter in tags; the names above are in capitals then.
    any_case: bool = False

    def cased(self, tag: object) -> str:
        """Return the tag as it is compared; '' for comments and instructions."""
        text = tag if isinstance(tag, str) else ""
        return text.upper() if self.any_case else text

    @property
    def container_name(self) -> str:
        """What holds the rows, for messages."""
        return f"<{self.container}>" if self.container else "root element"


class ByteSource:
    """A stream read in chunks, up to a limit."""

    def __init__(self, stream: BinaryIO, limits: XmlLimits) -> None:
        """Read nothing yet."""
        self._stream = stream
        self._limits = limits
        self.bytes_read = 0

    def read(self) -> bytes:
        """Return the next chunk, b'' at the end. Raises FileRefused beyond the limit."""
        chunk = self._stream.read(CHUNK_BYTES)
        self.bytes_read += len(chunk)
        if self.bytes_read > self._limits.max_bytes:
            raise FileRefused(
                RefusalCode.FILE_TOO_LARGE,
                f"The file is larger than {self._limits.max_bytes / MIB:g} MiB.",
            )
        return chunk


@dataclass(kw_only=True, slots=True)
class XmlHead:
    """The part before the first row."""

    root_tag: str = ""
    root_attributes: dict[str, str]
    container_tag: str = ""
    container_attributes: dict[str, str]
    #: The name in `<!DOCTYPE name>`, None without one.
    doctype: str | None = None
    encoding: str = ASCII_LIKE
    #: The bytes read so far, for the parser of the rows.
    held: list[bytes]


def read_head(source: ByteSource, form: XmlForm, limits: XmlLimits) -> XmlHead:
    """Read until the container opens. Raises FileRefused."""
    chunk = _first_bytes(source)
    _refuse_by_magic(chunk, form.name)
    head = XmlHead(
        root_attributes={}, container_attributes={}, held=[], encoding=_encoding_of(chunk)
    )
    probe = _Probe(form, head)
    size = 0
    while chunk:
        head.held.append(chunk)
        start = 0
        while probe.root is None and start < len(chunk):
            # The parser detects the encoding from the first four bytes.
            step = 1 if size or start else 4
            if probe.finds_container(chunk[start : start + step]):
                return head
            start += step
            if size + start > _LONGEST_PROLOG:
                raise FileRefused(
                    RefusalCode.BLOCK_TOO_LARGE,
                    f"The first {_LONGEST_PROLOG:,} bytes hold no element.",
                )
        if start < len(chunk) and probe.finds_container(chunk[start:]):
            return head
        size += len(chunk)
        if size > limits.max_block_bytes:
            raise FileRefused(
                RefusalCode.BLOCK_TOO_LARGE,
                f"The first {size:,} bytes hold no {form.container_name}.",
            )
        chunk = source.read()
    raise probe.end()


class _Probe:
    """Parses up to the start of the container.

    The bytes before the root must be given one by one, so that the DOCTYPE is judged before
    anything can make use of it: what entities expand to is parsed into nodes that libxml2 frees
    while lxml's events still hold them.
    """

    def __init__(self, form: XmlForm, head: XmlHead) -> None:
        self._form = form
        self._head = head
        self._parser: Any = etree.XMLPullParser(events=("start",), **SAFE_PARSING)
        self.root: Any = None

    def finds_container(self, piece: bytes) -> bool:
        """Parse more bytes. Raises FileRefused."""
        fault = feed(self._parser, piece)
        for _event, element in self._parser.read_events():
            if self.root is None:
                self.root = element
                _accept_root(element, self._form, self._head)
            if _is_container(element, self.root, self._form):
                self._head.container_tag = str(element.tag)
                self._head.container_attributes = _attributes(element)
                return True
        if fault is not None:
            raise fault.refusal
        return False

    def end(self) -> FileRefused:
        """Return the reason to refuse a file without a container."""
        try:
            self._parser.close()
        except etree.XMLSyntaxError as error:
            if self.root is None:
                return not_xml(error)
            line = error.lineno or 0
            return FileTruncated(f"The file stops at line {line}, before any lot.", line, 0)
        return FileRefused(
            RefusalCode.NO_INVENTORY,
            f"The root element holds no {self._form.container_name}; expected one with the lots.",
        )


class Fault(NamedTuple):
    """Where the parser stopped for good."""

    refusal: FileRefused
    is_after_root: bool


def feed(parser: Any, chunk: bytes) -> Fault | None:
    """Give the parser more bytes; after a fault it must get no more.

    lxml keeps still about `&nbsp;` and starts a new document with the next bytes, whose nodes die
    under the hands of those who hold them. So its log is asked after each feeding.
    """
    try:
        parser.feed(chunk)
    except etree.XMLSyntaxError as error:
        code = getattr(error, "code", None)
        return Fault(not_xml(error), code == etree.ErrorTypes.ERR_DOCUMENT_END)
    for entry in parser.feed_error_log:
        if entry.type in _UNDECLARED:
            message = f"Not XML at line {entry.line}: {entry.message}."
            return Fault(FileRefused(RefusalCode.NOT_XML, message, entry.line), False)
    return None


def not_xml(error: etree.XMLSyntaxError) -> FileRefused:
    """Word the parser's complaint."""
    message = str(error.msg or error)
    line = error.lineno or 0
    if "xcessive depth" in message:
        return FileRefused(
            RefusalCode.TOO_DEEP, f"Elements are nested too deeply at line {line}.", line
        )
    if "too long" in message or "huge" in message.lower():
        return FileRefused(RefusalCode.TEXT_TOO_LONG, f"A text is too long at line {line}.", line)
    if "EntityRef" in message:
        place = f"line {line}, column {error.offset or 0}"
        return FileRefused(
            RefusalCode.NOT_XML, f"Not XML: a bare & at {place}; expected &amp;.", line
        )
    if getattr(error, "code", None) == etree.ErrorTypes.ERR_INVALID_ENCODING:
        return FileRefused(
            RefusalCode.NOT_XML,
            f"Line {line} holds bytes that are not of the file's encoding; expected UTF-8, or the "
            'encoding named in the first line, such as <?xml version="1.0" '
            'encoding="windows-1252"?>. Save the file as UTF-8.',
            line,
        )
    return FileRefused(RefusalCode.NOT_XML, f"Not XML: {message}.", line)


def _first_bytes(source: ByteSource) -> bytes:
    first = b""
    while len(first) < 1024:
        chunk = source.read()
        if not chunk:
            break
        first += chunk
    return first


def _refuse_by_magic(first: bytes, name: str) -> None:
    """Name the usual mistakes instead of quoting the XML parser about them."""
    start = first.lstrip(b"\xef\xbb\xbf \t\r\n")
    if not start.strip(b"\x00"):
        raise FileRefused(RefusalCode.EMPTY, f"The file is empty; expected {name}.")
    if start.startswith(b"PK\x03\x04"):
        raise FileRefused(
            RefusalCode.ZIP, f"This is a zip archive; unpack it and choose {name} inside."
        )
    if start.startswith(b"\x1f\x8b"):
        raise FileRefused(
            RefusalCode.GZIP, f"This is a gzip archive; unpack it and choose {name} inside."
        )
    if start[:14].lower().startswith((b"<!doctype html", b"<html")):
        raise FileRefused(
            RefusalCode.HTML,
            f"This is a web page, not {name}; perhaps the site asked for a login when it was saved.",
            1,
        )


def _encoding_of(first: bytes) -> str:
    """Detect the encoding of ASCII in a file from its first bytes, as XML prescribes."""
    if first.startswith((b"\xff\xfe", b"<\x00")):
        return "utf-16-le"
    if first.startswith((b"\xfe\xff", b"\x00<")):
        return "utf-16-be"
    return ASCII_LIKE


def _accept_root(root: Any, form: XmlForm, head: XmlHead) -> None:
    dtd: Any = root.getroottree().docinfo.internalDTD
    if dtd is not None:
        _refuse_dangerous(dtd)
        head.doctype = str(dtd.name)
    head.root_tag = str(root.tag)
    if form.cased(root.tag) not in form.roots:
        expected = "> or <".join(sorted(form.roots))
        raise FileRefused(
            RefusalCode.WRONG_ROOT,
            f"The root element is <{head.root_tag[:80]}>; {form.name} has <{expected}>.",
            root.sourceline or 0,
        )
    head.root_attributes = _attributes(root)


def _refuse_dangerous(dtd: Any) -> None:
    declares = any(True for _ in dtd.iterentities()) or any(True for _ in dtd.iterelements())
    if declares or dtd.system_url or dtd.external_id:
        raise FileRefused(
            RefusalCode.ENTITIES,
            "The DOCTYPE declares entities or points outside the file; expected a name only, "
            "such as <!DOCTYPE BrickStoreXML>.",
            1,
        )


def _is_container(element: Any, root: Any, form: XmlForm) -> bool:
    if form.container is None:
        return element is root
    return form.cased(element.tag) == form.container and element.getparent() is root


def _attributes(element: Element) -> dict[str, str]:
    return {str(name): str(value) for name, value in element.attrib.items()}
