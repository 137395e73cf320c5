"""What goes in comes out: to the byte for BrickStore's files, field by field for all others."""

from __future__ import annotations

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.exchange.bsx_item import ItemReader
from apps.exchange.bsx_lot import BsxLot
from apps.exchange.bsx_reader import BsxFile, BsxLimits, read_bsx
from apps.exchange.bsx_tags_out import lot_xml
from apps.exchange.bsx_values import NeedsCare
from apps.exchange.bsx_writer import write_bsx
from apps.exchange.tests.files import FIXTURES, fixture_bytes, store_of
from apps.exchange.tests.strategies import lots, plain_lots
from apps.exchange.xml_head import XmlForm
from apps.exchange.xml_stream import RowStream

READABLE = sorted(
    path.name
    for path in FIXTURES.glob("*.bsx")
    if not path.name.startswith("12_") or path.name in {"12_strangers.bsx", "12_crlf.bsx"}
)
SAMPLES = [
    "brickstock-2017-31-lots.bsx",
    "brickstock-2018-hand-edited-7-lots.bsx",
    "brickstore-2026-base-values-29-lots.bsx",
    "store-2022-eur-2524-lots.bsx",
]


def inventory_of(raw: bytes) -> bytes:
    return raw[raw.index(b" <Inventory") : raw.index(b"</Inventory>")]


def written_again(raw: bytes) -> bytes:
    return rewritten(read_bsx(io.BytesIO(raw)))


def rewritten(file: BsxFile) -> bytes:
    out = io.BytesIO()
    everything = list(file)
    header = file.header
    written = write_bsx(
        everything,
        out,
        currency=header.currency,
        changelog_id=header.changelog_id,
        gui_state=file.trailer.gui_state,
        extra_blocks=file.trailer.extra_blocks,
        root_attributes=header.root_attributes,
        inventory_attributes=header.inventory_attributes,
    )
    assert written.refused == []
    return out.getvalue()


class TestFilesOfBrickStore:
    @pytest.mark.parametrize("name", SAMPLES[2:])
    def test_come_back_to_the_byte(self, shared_data, name):
        raw = shared_data(f"bsx/{name}").read_bytes()

        assert inventory_of(written_again(raw)) == inventory_of(raw)
        assert written_again(raw) == raw

    def test_come_back_to_the_byte_with_every_tag(self):
        raw = fixture_bytes("01_full_lot.bsx")

        assert written_again(raw) == raw

    def test_come_back_to_the_byte_in_thousands(self):
        raw = store_of(3000).read(10**7)

        assert written_again(raw) == raw


class TestFilesOfOthers:
    @pytest.mark.parametrize("name", READABLE)
    def test_lose_nothing(self, name):
        file = read_bsx(io.BytesIO(fixture_bytes(name)))
        before = list(file)

        again = read_bsx(io.BytesIO(written_again(fixture_bytes(name))))

        if name == "05_bricksync.bsx":  # its prices have more decimals than BSX
            assert [lot.item_number for lot in again] == [lot.item_number for lot in before]
        else:
            assert list(again) == before
        assert again.trailer.extra_blocks == file.trailer.extra_blocks
        assert again.trailer.gui_state == file.trailer.gui_state
        assert again.header.inventory_attributes == file.header.inventory_attributes

    @pytest.mark.parametrize("name", READABLE)
    def test_settle_with_the_first_writing(self, name):
        once = written_again(fixture_bytes(name))

        assert written_again(once) == once

    @pytest.mark.parametrize("name", SAMPLES)
    def test_of_real_sellers_lose_nothing(self, shared_data, name):
        raw = shared_data(f"bsx/{name}").read_bytes()
        before = list(read_bsx(io.BytesIO(raw)))

        again = read_bsx(io.BytesIO(written_again(raw)))

        assert list(again) == before
        assert all(lot.warnings == () for lot in before)


class TestAnyLots:
    @settings(deadline=None, max_examples=60)
    @given(st.lists(lots, max_size=3))
    def test_come_back_equal_and_settle_to_the_byte(self, some):
        out = io.BytesIO()
        written = write_bsx(some, out, currency="EUR")

        file = read_bsx(io.BytesIO(out.getvalue()))

        assert written.refused == []
        assert list(file) == some
        assert written_again(out.getvalue()) == out.getvalue()

    @settings(deadline=None, max_examples=60)
    @given(st.lists(st.text(max_size=20), min_size=1, max_size=3))
    def test_with_any_text_at_all_settle_to_the_byte(self, texts):
        out = io.BytesIO()
        some = [lot_of_texts(text) for text in texts]
        write_bsx(some, out, currency=None)

        assert written_again(out.getvalue()) == out.getvalue()

    @settings(deadline=None, max_examples=60)
    @given(st.decimals(min_value=-(10**7), max_value=10**7, places=5))
    def test_with_any_amount_settle_to_the_byte(self, amount):
        out = io.BytesIO()
        lot = BsxLot(price=amount, cost=amount, tp2=amount, total_weight_grams=abs(amount))
        write_bsx([lot], out, currency="EUR")

        assert written_again(out.getvalue()) == out.getvalue()

    @settings(deadline=None, max_examples=80)
    @given(plain_lots)
    def test_are_written_alike_from_kept_lines(self, lot):
        first, again = [], []

        text = lot_xml(lot, first, bare=False)

        assert (lot_xml(lot, again, bare=False), again) == (text, first)

    @settings(deadline=None, max_examples=60)
    @given(st.lists(plain_lots, min_size=1, max_size=4))
    def test_are_read_alike_in_both_lanes(self, some):
        out = io.BytesIO()
        write_bsx(some, out, currency="EUR")

        assert_lanes_agree(out.getvalue())

    def test_are_read_alike_in_both_lanes_in_the_sample(self, shared_data):
        assert_lanes_agree(shared_data(f"bsx/{SAMPLES[3]}").read_bytes())
        assert_lanes_agree(shared_data(f"bsx/{SAMPLES[2]}").read_bytes())


def assert_lanes_agree(raw: bytes) -> None:
    form = XmlForm(
        name="a BSX file", roots=frozenset({"BrickStoreXML"}), container="Inventory", row="Item"
    )
    stream = RowStream(io.BytesIO(raw), form, BsxLimits())
    fast, careful = ItemReader(BsxLimits()), ItemReader(BsxLimits())
    index = 0
    for elements, is_plain in stream.batches():
        assert is_plain
        for element in elements:
            carefully = careful.read_carefully(element, index)
            try:
                lot = fast.read_plain(element, index)
            except NeedsCare:
                fast.read_carefully(element, index)
            else:
                assert carefully == lot
                assert carefully.warnings == lot.warnings == ()
                assert (carefully.index, carefully.line) == (lot.index, lot.line)
            index += 1
    assert index > 0


def lot_of_texts(text: str) -> BsxLot:
    return BsxLot(item_number=text, item_type_id="P", color_id=1, comments=text, remarks=text)
