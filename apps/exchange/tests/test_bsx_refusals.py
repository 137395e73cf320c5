"""Hostile and broken files: refused with the reason, before they cost time or memory."""

from __future__ import annotations

import contextlib
import gc
import io
import itertools
import weakref

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.exchange.bsx_lot import WarningCode
from apps.exchange.bsx_reader import BsxLimits, read_bsx
from apps.exchange.refusals import FileRefused, FileTruncated, RefusalCode
from apps.exchange.tests.files import (
    FIXTURES,
    HEAD,
    TAIL,
    PouredFile,
    bsx,
    fixture_bytes,
    item,
    open_fixture,
    store_of,
)

WHOLE = [
    path.read_bytes() for path in sorted(FIXTURES.glob("*.bsx")) if path.stat().st_size < 12_000
]
SPLINTERS = [
    b"",
    b"<",
    b">",
    b"&",
    b"&nbsp;",
    b"</Item>",
    b"<Item>",
    b"<!--",
    b"-->",
    b"<![CDATA[",
    b"]]>",
    b"<?x?>",
    b"\x00",
    b"\xff",
    b"<Inventory>",
    b"</Inventory>",
    b"</BrickStoreXML>",
    b'"',
]


def refusal_of(stream, **options) -> FileRefused:
    with pytest.raises(FileRefused) as refused:
        list(read_bsx(stream, **options))
    return refused.value


class TestHostileFiles:
    @pytest.mark.parametrize(
        "name",
        [
            "12_entities.bsx",
            "12_external_entity.bsx",
            "12_parameter_entity.bsx",
            "12_external_dtd.bsx",
            "12_internal_subset.bsx",
        ],
    )
    def test_are_refused_before_the_first_lot_for_what_the_doctype_declares(self, name):
        with pytest.raises(FileRefused) as refused:
            open_fixture(name)

        assert refused.value.code is RefusalCode.ENTITIES
        assert "expected a name only" in refused.value.message

    def test_are_refused_before_their_entities_become_nodes(self):
        raw = fixture_bytes("12_entities.bsx").replace(b"&b;&b;", b"<Inventory>&b;</Inventory>")

        for _ in range(5):
            assert refusal_of(io.BytesIO(raw)).code is RefusalCode.ENTITIES
        # Nodes that died while held would be reported now, and any such report is an error.
        gc.collect()

    def test_may_not_nest_deeply(self):
        refused = refusal_of(io.BytesIO(HEAD + b"<Item>" + b"<a>" * 200_000))

        assert refused.code is RefusalCode.TOO_DEEP

    def test_may_not_be_larger_than_the_limit(self):
        stream = PouredFile(itertools.chain([HEAD], itertools.repeat(item("") * 500)))

        refused = refusal_of(stream, limits=BsxLimits(max_bytes=2 * 1024 * 1024))

        assert refused.code is RefusalCode.FILE_TOO_LARGE
        assert refused.message == "The file is larger than 2 MiB."
        assert stream.poured <= 2 * 1024 * 1024 + 65_536
        assert BsxLimits().max_bytes == 64 * 1024 * 1024

    def test_of_100_mb_in_one_place_are_refused_early(self):
        stream = PouredFile(itertools.chain([HEAD, b"<Item><Comments>"], _blanks(100)))

        refused = refusal_of(stream)

        assert refused.code is RefusalCode.LOT_TOO_LARGE
        assert stream.poured < 2 * 1024 * 1024

    @pytest.mark.parametrize(
        ("start", "code"),
        [
            (HEAD + b'<Item a="', RefusalCode.LOT_TOO_LARGE),
            (HEAD + b"<!--", RefusalCode.LOT_TOO_LARGE),
            (HEAD + TAIL[:14] + b"<GuiState>", RefusalCode.BLOCK_TOO_LARGE),
            (b"<BrickStoreXML><GuiState>", RefusalCode.BLOCK_TOO_LARGE),
            (b"<!--", RefusalCode.BLOCK_TOO_LARGE),
        ],
    )
    def test_of_one_endless_thing_are_refused_without_holding_it(self, start, code):
        stream = PouredFile(itertools.chain([start], _blanks(60)))

        refused = refusal_of(stream)

        assert refused.code is code
        assert stream.poured < 3 * 1024 * 1024

    def test_may_not_have_a_lot_of_countless_tags(self):
        stream = PouredFile(itertools.chain([HEAD, b"<Item>"], itertools.repeat(b"<Qty>1</Qty>")))

        refused = refusal_of(stream)

        assert refused.code is RefusalCode.LOT_TOO_LARGE
        assert stream.poured < 2 * 1024 * 1024

    def test_may_have_64_tags_in_a_lot_and_no_more(self):
        accepted = bsx(item("<Mood>fine</Mood>" * 60))
        (lot,) = read_bsx(accepted)

        refused = refusal_of(bsx(item(""), item("<Mood>fine</Mood>" * 61)))

        assert len(lot.extra) == 60
        assert refused.code is RefusalCode.LOT_TOO_LARGE
        assert refused.message == "Lot 2 has 65 tags; expected at most 64."
        assert refused.line == 11

    @pytest.mark.parametrize("tag", ["Comments", "Mood", "Qty"])
    def test_may_have_131072_characters_in_a_tag_and_no_more(self, tag):
        filler = item("") * 300

        fits = list(read_bsx(bsx(filler, item(f"<{tag}>{'x' * 131_072}</{tag}>"), filler)))
        refused = refusal_of(bsx(filler, item(f"<{tag}>{'x' * 131_073}</{tag}>"), filler))

        assert len(fits) == 601
        assert refused.code is RefusalCode.TEXT_TOO_LONG

    def test_may_not_have_more_lots_than_the_limit(self):
        limits = BsxLimits(max_rows=1000)

        assert len(list(read_bsx(store_of(1000), limits=limits))) == 1000
        refused = refusal_of(store_of(1001), limits=limits)

        assert refused.code is RefusalCode.TOO_MANY_LOTS
        assert refused.message == "The file holds more than 1,000 lots; split it."

    @pytest.mark.parametrize("other", [b"<!-- a -->", b"<?a b?>", b"<Other/>"])
    def test_may_not_have_more_between_them_than_the_limit(self, other):
        limits = BsxLimits(max_rows=1000)

        assert len(list(read_bsx(bsx(other * 1000, item("")), limits=limits))) == 1
        refused = refusal_of(bsx(other * 1001, item("")), limits=limits)

        assert refused.code is RefusalCode.BLOCK_TOO_LARGE
        assert refused.message.startswith("More than 1,000 comments and other elements stand")


class TestOtherFiles:
    @pytest.mark.parametrize(
        ("raw", "code", "said"),
        [
            (b"", RefusalCode.EMPTY, "empty"),
            (b" \n", RefusalCode.EMPTY, "empty"),
            (b"\x00" * 5000, RefusalCode.EMPTY, "empty"),
            (b"PK\x03\x04rest of a zip", RefusalCode.ZIP, "zip archive"),
            (b"\x1f\x8b\x08\x00", RefusalCode.GZIP, "gzip archive"),
            (b"<html><body>", RefusalCode.HTML, "web page"),
            (b'\xef\xbb\xbf\n<!DOCTYPE HTML PUBLIC "x">', RefusalCode.HTML, "web page"),
            (b"ItemID;Qty\n3001;4\n", RefusalCode.NOT_XML, "Not XML"),
            (b"\x89PNG\r\n\x1a\n" + b"\x00" * 100, RefusalCode.NOT_XML, "Not XML"),
            (b"<a:b/>", RefusalCode.WRONG_ROOT, "<a:b>"),
            (b"<brickstorexml/>", RefusalCode.WRONG_ROOT, "<brickstorexml>"),
            (b"<BrickStoreXML/>", RefusalCode.NO_INVENTORY, "<Inventory>"),
            (
                b"<BrickStoreXML><a><Inventory/></a></BrickStoreXML>",
                RefusalCode.NO_INVENTORY,
                "<Inventory>",
            ),
            (b'<?xml version="1.0" encoding="moon"?><a/>', RefusalCode.NOT_XML, "moon"),
        ],
    )
    def test_are_named_for_what_they_are(self, raw, code, said):
        refused = refusal_of(io.BytesIO(raw))

        assert refused.code is code
        assert said in refused.message

    @pytest.mark.parametrize(
        ("name", "code", "line"),
        [
            ("12_web_page.bsx", RefusalCode.HTML, 1),
            ("12_wrong_root.bsx", RefusalCode.WRONG_ROOT, 2),
            ("12_no_inventory.bsx", RefusalCode.NO_INVENTORY, 0),
            ("12_bare_ampersand.bsx", RefusalCode.NOT_XML, 31),
            ("12_undeclared_entity.bsx", RefusalCode.NOT_XML, 8),
            ("12_control_character.bsx", RefusalCode.NOT_XML, 31),
        ],
    )
    def test_are_refused_at_their_line(self, name, code, line):
        refused = refusal_of(io.BytesIO(fixture_bytes(name)))

        assert refused.code is code
        assert refused.line == line

    def test_say_which_entity_they_forgot_to_declare(self):
        refused = refusal_of(io.BytesIO(fixture_bytes("12_undeclared_entity.bsx")))

        assert "'nbsp'" in refused.message

    @pytest.mark.parametrize("size", [1, 3, 10, 1000])
    def test_are_refused_for_it_however_the_stream_delivers(self, size):
        class Drip(io.BytesIO):
            def read(self, _size=-1):
                return super().read(size)

        raw = fixture_bytes("12_undeclared_entity.bsx").replace(b"&nbsp;", b"&nbsp;<a/>")

        refused = refusal_of(Drip(raw), repair=True)

        assert (refused.code, refused.line) == (RefusalCode.NOT_XML, 8)

    def test_are_refused_for_a_bare_ampersand_without_any_semicolon_after_it(self):
        raw = bsx(item("<Remarks>black & white</Remarks>"), item("") * 3).getvalue()

        refused = refusal_of(io.BytesIO(raw), repair=True)

        assert refused.code is RefusalCode.NOT_XML
        assert refused.message == "Not XML: a bare & at line 9, column 19; expected &amp;."

    def test_are_not_repaired_when_they_are_broken_in_the_middle(self):
        raw = HEAD + item("") + b"  <Item><Qty>1</Item>\n" + item("") * 400 + TAIL

        refused = refusal_of(io.BytesIO(raw), repair=True)

        assert refused.code is RefusalCode.NOT_XML
        assert refused.line == 11


class TestDamagedFiles:
    """Bytes lost, doubled and changed: refused or read, and nothing else ever happens."""

    @settings(deadline=None, max_examples=120)
    @given(st.data())
    def test_are_refused_or_read(self, data):
        raw = bytearray(data.draw(st.sampled_from(WHOLE)))
        for _ in range(data.draw(st.integers(1, 3))):
            place = data.draw(st.integers(0, len(raw)))
            length = data.draw(st.integers(0, 40))
            raw[place : place + length] = data.draw(st.sampled_from(SPLINTERS))
        step = data.draw(st.sampled_from([1, 64, 65_536]))

        class Drip(io.BytesIO):
            def read(self, _size=-1):
                return super().read(step)

        with contextlib.suppress(FileRefused):
            file = read_bsx(Drip(bytes(raw)), repair=True)
            count = len(list(file))
            assert file.lot_count == count
            assert file.trailer.is_truncated in {True, False}


class TestGarbageAfterTheEnd:
    def test_is_ignored_and_mentioned(self):
        file = open_fixture("12_trailing_garbage.bsx")

        assert len(list(file)) == 1
        assert [warning.code for warning in file.warnings] == [WarningCode.TRAILING_GARBAGE]

    def test_may_be_blank_without_a_word(self):
        file = read_bsx(io.BytesIO(bsx(item("")).getvalue() + b"\n\n <!-- bye -->\n"))

        assert len(list(file)) == 1
        assert file.warnings == []


class TestTruncatedFiles:
    def test_give_their_whole_lots_and_then_say_how_many(self):
        file = open_fixture("12_truncated.bsx")
        lots = iter(file)

        assert [next(lots).item_number, next(lots).item_number] == ["3001", "3002"]
        with pytest.raises(FileTruncated) as truncated:
            next(lots)
        assert truncated.value.complete_lots == 2
        assert (truncated.value.code, truncated.value.line) == (RefusalCode.TRUNCATED, 36)

    def test_are_repaired_on_request(self):
        file = read_bsx(io.BytesIO(fixture_bytes("12_truncated.bsx")), repair=True)

        assert [lot.item_number for lot in file] == ["3001", "3002"]
        assert file.trailer.is_truncated
        assert [warning.code for warning in file.warnings] == [WarningCode.REPAIRED]
        assert "the 2 complete lots before were read" in file.warnings[0].message

    def test_give_exactly_the_whole_lots_wherever_the_cut_is(self):
        raw = fixture_bytes("01_full_lot.bsx")
        whole = list(read_bsx(io.BytesIO(raw)))
        head = raw.index(b"<Item>")
        end = raw.index(b"</BrickStoreXML>") + len(b"</BrickStoreXML>")

        for cut in range(head, end):
            expected = whole[: raw[:cut].count(b"</Item>")]
            with pytest.raises(FileTruncated) as truncated:
                list(read_bsx(io.BytesIO(raw[:cut])))
            repaired = list(read_bsx(io.BytesIO(raw[:cut]), repair=True))
            assert (truncated.value.complete_lots, repaired) == (len(expected), expected), cut

    def test_are_whole_lots_only_in_long_files(self):
        raw = store_of(2000).read(10**7)
        cut = raw[: len(raw) * 2 // 3]

        file = read_bsx(io.BytesIO(cut), repair=True)

        assert len(list(file)) == file.lot_count == cut.count(b"</Item>")

    def test_without_any_lot_cannot_be_repaired(self):
        for repair in (False, True):
            with pytest.raises(FileTruncated) as truncated:
                list(read_bsx(io.BytesIO(b"<BrickStoreXML>\n <GuiSt"), repair=repair))
            assert truncated.value.complete_lots == 0


class TestLargeFiles:
    def test_are_read_and_held_a_chunk_at_a_time(self):
        stream = store_of(6000)
        lots = iter(read_bsx(stream))

        first = weakref.ref(next(lots))
        poured_for_the_first = stream.poured
        held = [weakref.ref(lot) for lot in lots]

        assert len(held) == 5999
        assert stream.poured > 5 * poured_for_the_first
        assert [lot() for lot in (first, *held[:5000])] == [None] * 5001


def _blanks(mebibytes):
    return itertools.repeat(b" " * 65_536, mebibytes * 16)
