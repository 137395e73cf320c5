"""Files for the tests: the committed fixtures, and those too large to commit, made on the way."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

from apps.exchange.bsx_lot import BsxLot
from apps.exchange.bsx_reader import BsxFile, read_bsx

FIXTURES = Path(__file__).parent / "fixtures"

HEAD = b'<?xml version="1.0" encoding="UTF-8"?>\n<BrickStoreXML>\n <Inventory Currency="EUR">\n'
TAIL = b" </Inventory>\n</BrickStoreXML>\n"


def fixture_bytes(name: str) -> bytes:
    """Return a committed fixture."""
    return (FIXTURES / name).read_bytes()


def open_fixture(name: str) -> BsxFile:
    """Start reading a committed fixture."""
    return read_bsx(io.BytesIO(fixture_bytes(name)))


def lots_of(name: str) -> list[BsxLot]:
    """Read a committed fixture."""
    return list(open_fixture(name))


def item(tags: str) -> bytes:
    """Return one item with the tags given and what every lot should have."""
    return (
        "  <Item>\n   <ItemID>3001</ItemID>\n   <ItemTypeID>P</ItemTypeID>\n"
        f"   <ColorID>5</ColorID>\n   <Qty>1</Qty>\n   {tags}\n  </Item>\n"
    ).encode()


def bsx(*items: bytes, after: bytes = b"") -> io.BytesIO:
    """Return a file of items."""
    return io.BytesIO(HEAD + b"".join(items) + after + TAIL)


def lot_with(tags: str) -> BsxLot:
    """Read one lot with the tags given."""
    (lot,) = read_bsx(bsx(item(tags)))
    return lot


class PouredFile(io.RawIOBase):
    """A stream that makes its bytes as they are read, so that a large file costs no memory."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._rest = b""
        self.poured = 0

    def read(self, size: int = -1) -> bytes:
        while len(self._rest) < size:
            piece = next(self._pieces, b"")
            if not piece:
                break
            self._rest += piece
        chunk, self._rest = self._rest[:size], self._rest[size:]
        self.poured += len(chunk)
        return chunk


def store_of(count: int) -> PouredFile:
    """Return a store of so many lots, each different, with the tags that real stores have."""

    def pieces() -> Iterator[bytes]:
        yield HEAD
        for number in range(count):
            yield (
                f"  <Item>\n   <ItemID>{3000 + number % 5000}</ItemID>\n"
                "   <ItemTypeID>P</ItemTypeID>\n"
                f"   <ColorID>{number % 200}</ColorID>\n"
                f"   <ItemName>Brick, Modified {number % 16} x {number % 7} with Studs</ItemName>\n"
                "   <ItemTypeName>Part</ItemTypeName>\n   <ColorName>Red</ColorName>\n"
                f"   <CategoryID>{number % 900}</CategoryID>\n"
                "   <CategoryName>Brick, Modified</CategoryName>\n   <Status>I</Status>\n"
                f"   <Qty>{number % 400}</Qty>\n   <Price>{number % 90}.{number % 1000:03}</Price>\n"
                f"   <Condition>{'NU'[number % 2]}</Condition>\n"
                f"   <Remarks>C{number % 300:03}-{number % 40}</Remarks>\n"
                f"   <LotID>{265000000 + number}</LotID>\n"
                f"   <DateAdded>2022-05-{number % 28 + 1:02}T18:41:31Z</DateAdded>\n  </Item>\n"
            ).encode()
        yield TAIL

    return PouredFile(pieces())
