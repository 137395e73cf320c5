"""Files are told by their header; a broken row is refused and the rest is read."""

import gzip
import zipfile

import pytest

from apps.catalog.rules.readers import values
from apps.catalog.rules.readers.formats import Table, UnknownFile
from apps.catalog.rules.readers.layouts import recognise
from apps.catalog.rules.readers.rows import rows_of
from apps.catalog.rules.readers.sources import MAX_LINE, Source, UnreadableFile, sources_in
from apps.catalog.tests import files


def source_of(tmp_path, name, text):
    files.write_files(tmp_path, {name: text})
    return Source(name, tmp_path / name)


def read(source):
    """Return (table, rows, refusals) of a file."""
    refused = []
    layout = recognise(source)
    rows = list(rows_of(source, layout, lambda *row: refused.append(row)))
    return layout, rows, refused


class TestRecognise:
    @pytest.mark.parametrize(
        ("name", "text", "table"),
        [
            ("c.txt", files.COLORS, Table.BL_COLORS),
            ("c.txt", files.CATEGORIES, Table.BL_CATEGORIES),
            ("c.txt", files.CODES, Table.BL_CODES),
            ("Parts.txt", files.PARTS, Table.BL_ITEMS),
            ("Sets.txt.gz", files.SETS, Table.BL_ITEMS),
            ("S-6329-1.txt", files.CONTENTS, Table.BL_CONTENTS),
            ("t.txt", "Item Type ID\tItem Type Name\n\nS\tSet\n", Table.BL_ITEM_TYPES),
            ("w.csv", "1,5.8\n10,74\n104,?\n", Table.BL_WEIGHTS),
            ("a.csv", files.RB_COLORS, Table.RB_COLORS),
            ("a.csv", files.RB_COLORS_2017, Table.RB_COLORS),
            ("a.csv", files.RB_THEMES, Table.RB_THEMES),
            ("a.csv", files.RB_PART_CATEGORIES, Table.RB_PART_CATEGORIES),
            ("a.csv", files.RB_PARTS, Table.RB_PARTS),
            ("a.csv", files.RB_ELEMENTS, Table.RB_ELEMENTS),
            ("a.csv", files.RB_RELATIONS, Table.RB_RELATIONS),
            ("a.csv", files.RB_SETS, Table.RB_SETS),
            ("a.csv", files.RB_MINIFIGS, Table.RB_MINIFIGS),
            ("a.csv", files.RB_INVENTORIES, Table.RB_INVENTORIES),
            ("a.csv", files.RB_INVENTORY_PARTS, Table.RB_INVENTORY_PARTS),
            ("a.csv", files.RB_INVENTORY_MINIFIGS, Table.RB_INVENTORY_MINIFIGS),
            ("a.csv", files.RB_INVENTORY_SETS, Table.RB_INVENTORY_SETS),
            ("p.csv", "set_id,piece_id,num,color,type\n1-1,3001,1,4,1\n", Table.OLD_SET_PIECES),
            ("m.json", '{"version":1,"map":{"0":11}}', Table.COLOR_MAP_JSON),
        ],
    )
    def test_knows_the_tables(self, tmp_path, name, text, table):
        assert recognise(source_of(tmp_path, name, text)).table is table

    @pytest.mark.parametrize(
        ("name", "item_type"),
        [
            ("Parts.txt", "PART"),
            ("Parts.sample.txt.gz", "PART"),
            ("Original Boxes.txt", "ORIGINAL_BOX"),
            ("Minifigures.txt", "MINIFIG"),
            ("catalogs.txt", "CATALOG"),
        ],
    )
    def test_takes_the_type_from_the_name(self, tmp_path, name, item_type):
        text = files.SETS if "Parts" not in name else files.PARTS

        assert recognise(source_of(tmp_path, name, text)).item_type == item_type

    def test_asks_for_a_telling_name(self, tmp_path):
        with pytest.raises(UnknownFile, match="Name the file as BrickLink does"):
            recognise(source_of(tmp_path, "download.txt", files.SETS))
        with pytest.raises(UnknownFile, match=r"S-10350-1\.txt"):
            recognise(source_of(tmp_path, "inventory.txt", files.CONTENTS))

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("hello\n", "begins 'hello'"),
            ("", "empty"),
            ("<html><body/></html>", "begins with <html>"),
            ("<CATALOG></CATALOG>", "without <ITEM>"),
        ],
    )
    def test_tells_the_first_line_of_a_stranger(self, tmp_path, text, reason):
        with pytest.raises(UnknownFile, match=reason):
            recognise(source_of(tmp_path, "x.txt", text))


class TestRowsOfLines:
    def test_reads_crlf_lf_and_a_byte_order_mark(self, tmp_path):
        windows = source_of(tmp_path, "a.csv", b"\xef\xbb\xbf" + files.RB_THEMES.encode())
        unix = source_of(tmp_path, "b.csv", files.RB_THEMES.replace("\r\n", "\n"))

        assert read(windows)[1] == read(unix)[1]
        assert read(unix)[1][0] == (2, ["1", "Technic", ""])

    def test_skips_blank_lines_and_the_tab_at_the_end(self, tmp_path):
        _, rows, refused = read(source_of(tmp_path, "S-6329-1.txt", files.CONTENTS))

        assert refused == []
        assert [line for line, _ in rows] == [3, 4, 5, 6]
        assert rows[0][1][:4] == ["P", "3001", "10", "5"]

    def test_takes_quotes_literally_in_tab_files(self, tmp_path):
        text = files.ITEM_HEADER + '5\tBrick\t3001p1\tBrick with "4\t\t1\t\n'

        _, rows, _ = read(source_of(tmp_path, "Parts.txt", text))

        assert rows[0][1][2] == 'Brick with "4'

    def test_reads_doubled_quotes_and_commas(self, tmp_path):
        _, rows, _ = read(source_of(tmp_path, "a.csv", files.RB_PARTS))

        assert ["3626cpr0001", 'Head with "Grin" print', "11", "Plastic"] in [r for _, r in rows]

    def test_reads_columns_by_name_in_any_order(self, tmp_path):
        text = "name,extra,id\nBricks,?,11\n"

        _, rows, _ = read(source_of(tmp_path, "a.csv", text))

        assert rows == [(2, ["11", "Bricks"])]

    def test_refuses_a_broken_row_in_the_middle_and_reads_on(self, tmp_path):
        text = 'id,name\n1,Bricks\n2,"never closed\n3,Plates,too many\n4\n5,N\x00L\n6,Tiles\n'
        source = source_of(tmp_path, "a.csv", text.encode() + b"7,\xff\xfe\n8,Bars\n")

        _, rows, refused = read(source)

        assert [row for _, row in rows] == [["1", "Bricks"], ["6", "Tiles"], ["8", "Bars"]]
        assert [(line, reason) for line, reason, _ in refused] == [
            (3, "quotes do not match (unexpected end of data)"),
            (4, "3 columns where 2 are expected"),
            (5, "1 columns where 2 are expected"),
            (6, "a NUL character"),
            (8, "not UTF-8 text"),
        ]

    def test_gives_up_on_an_endless_line(self, tmp_path):
        source = source_of(tmp_path, "a.csv", "id,name\n1," + "x" * MAX_LINE)

        with pytest.raises(UnreadableFile, match="line 2 is longer than 64 KiB"):
            read(source)


class TestSourcesIn:
    def test_finds_files_in_folders_and_zips(self, tmp_path):
        files.write_files(tmp_path / "in" / "deep", {"a.csv": "x", ".hidden": "x"})
        files.write_zip(tmp_path / "in" / "b.zip", {"colors.csv": files.RB_COLORS})

        found = sources_in([tmp_path / "in"])

        assert [source.name for source in found] == ["in/b.zip/colors.csv", "in/deep/a.csv"]
        assert recognise(found[0]).table is Table.RB_COLORS

    def test_tells_a_path_that_is_not_there(self, tmp_path):
        with pytest.raises(UnreadableFile, match="no such file or folder"):
            sources_in([tmp_path / "nothing"])

    def test_tells_a_zip_that_is_none(self, tmp_path):
        (tmp_path / "a.zip").write_text("hello")

        with pytest.raises(UnreadableFile, match="not a zip file"):
            sources_in([tmp_path / "a.zip"])

    def test_reads_a_truncated_archive_up_to_its_end(self, tmp_path):
        whole = gzip.compress(files.RB_PARTS.encode() * 2_000)
        (tmp_path / "parts.csv.gz").write_bytes(whole[: len(whole) // 2])
        source = Source("parts.csv.gz", tmp_path / "parts.csv.gz")
        rows = rows_of(source, recognise(source), lambda *_: None)
        first = next(rows)

        with pytest.raises(UnreadableFile, match=r"parts\.csv\.gz"):
            list(rows)

        assert first[1][0] == "3001"

    def test_tells_an_encrypted_member(self, tmp_path):
        path = files.write_zip(tmp_path / "a.zip", {"colors.csv": files.RB_COLORS})
        raw = bytearray(path.read_bytes())
        with zipfile.ZipFile(path) as archive:
            central = raw.index(b"PK\x01\x02")
            assert archive.namelist() == ["colors.csv"]
        raw[6] |= 1
        raw[central + 8] |= 1
        path.write_bytes(raw)

        with pytest.raises(UnreadableFile, match="encrypted"):
            recognise(sources_in([path])[0])


XML_ITEMS = """<?xml version="1.0" encoding="UTF-8"?>
<CATALOG>
  <ITEM><ITEMTYPE>S</ITEMTYPE><ITEMID>6329-1</ITEMID><ITEMNAME>Chip &amp;#39;n&amp;#39; Dale</ITEMNAME>
    <CATEGORY>67</CATEGORY><ITEMYEAR>1998</ITEMYEAR><ITEMWEIGHT>475</ITEMWEIGHT>
    <ITEMDIMX>33.5</ITEMDIMX><ITEMDIMY>?</ITEMDIMY><ITEMDIMZ>6</ITEMDIMZ></ITEM>
  <ITEM><ITEMTYPE>S</ITEMTYPE><ITEMID>1-1</ITEMID><ITEMNAME>A</ITEMNAME><ITEMNAME>B</ITEMNAME>
    <CATEGORY>67</CATEGORY></ITEM>
  <ITEM><ITEMTYPE>S</ITEMTYPE><ITEMID>2-1</ITEMID><ITEMNAME>C</ITEMNAME><CATEGORY>67</CATEGORY></ITEM>
</CATALOG>
"""
BOMB = '<?xml version="1.0"?><!DOCTYPE c [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><CATALOG><ITEM><ITEMID>&b;</ITEMID></ITEM></CATALOG>'


class TestRowsOfXml:
    def test_reads_items_and_refuses_a_doubled_field(self, tmp_path):
        layout, rows, refused = read(source_of(tmp_path, "whatever.xml", XML_ITEMS))

        assert (layout.table, layout.item_type) == (Table.BL_ITEMS, "SET")
        item = values.bl_item(rows[0][1], layout.item_type)
        assert item[:4] == ("SET", "6329-1", "6329-1", "Chip 'n' Dale")
        assert item[8] == "33.5 x ? x 6"
        assert [row[1][1] for row in rows] == ["6329-1", "2-1"]
        assert [reason for _, reason, _ in refused] == ["a field stands twice in one item"]

    @pytest.mark.parametrize(
        ("name", "text", "table", "first"),
        [
            (
                "c.xml",
                "<CATALOG><ITEM><COLOR>41</COLOR><COLORNAME>Aqua</COLORNAME>"
                "<COLORRGB>BCE5DC</COLORRGB><COLORTYPE>Solid</COLORTYPE></ITEM></CATALOG>",
                Table.BL_COLORS,
                ["41", "Aqua", "BCE5DC", "Solid", "", "", ""],
            ),
            (
                "k.xml",
                "<CODES><ITEM><ITEMTYPE>P</ITEMTYPE><ITEMID>44</ITEMID><COLOR>Black</COLOR>"
                "<CODENAME>4221514</CODENAME></ITEM></CODES>",
                Table.BL_CODES,
                ["44", "Black", "4221514", "P"],
            ),
            (
                "g.xml",
                "<CATALOG><ITEM><CATEGORY>5</CATEGORY><CATEGORYNAME>Brick</CATEGORYNAME></ITEM></CATALOG>",
                Table.BL_CATEGORIES,
                ["5", "Brick"],
            ),
            (
                "S-1-1.xml",
                "<INVENTORY><ITEM><ITEMTYPE>P</ITEMTYPE><ITEMID>44</ITEMID><COLOR>11</COLOR>"
                "<QTY>2</QTY><EXTRA>N</EXTRA></ITEM></INVENTORY>",
                Table.BL_CONTENTS,
                ["P", "44", "2", "11", "", "N", "", "", ""],
            ),
        ],
    )
    def test_reads_the_same_rows_as_from_tab_files(self, tmp_path, name, text, table, first):
        layout, rows, _ = read(source_of(tmp_path, name, text))

        assert (layout.table, rows[0][1]) == (table, first)

    @pytest.mark.parametrize(
        "text",
        [
            BOMB,
            '<!DOCTYPE c SYSTEM "file:///etc/passwd"><CATALOG><ITEM/></CATALOG>',
            "<!-- " + "x" * 70_000 + " --><!DOCTYPE c []><CATALOG/>",
            '<?xml version="1.0" encoding="UTF-16"?><CATALOG/>'.encode("utf-16"),
            "<CATALOG><ITEM>" + "<a>x</a>" * 100 + "</ITEM></CATALOG>",
            "<CATALOG><ITEM><ITEMID>1</ITEMID></ITEM><ITEM><COLOR",
            "<CATALOG><ITEM>" + "<a>" * 100_000,
        ],
    )
    def test_refuses_hostile_and_broken_files(self, tmp_path, text):
        with pytest.raises((UnreadableFile, UnknownFile)):
            read(source_of(tmp_path, "x.xml", text))
