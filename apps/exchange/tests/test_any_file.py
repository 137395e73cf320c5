"""Files of every kind: recognised by what they hold, tables read as they were written."""

from __future__ import annotations

import datetime as dt
import io
import zipfile
from dataclasses import replace
from decimal import Decimal

import pytest

from apps.exchange.any_file import FileKind, kind_of, read_any, recognised
from apps.exchange.bsx_lot import BsxLot, ExtraTag
from apps.exchange.bsx_values import amount_text, read_amount
from apps.exchange.csv_lots import write_lots_csv
from apps.exchange.refusals import FileRefused, RefusalCode
from apps.exchange.workbooks import as_csv, split_csv
from apps.exchange.xml_head import XmlLimits
from tests.processor import limited

SHEET = (
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
    "{}</sheetData></worksheet>"
)
BOOK = (
    '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>'
    '<sheet name="Parts" sheetId="1" r:id="rId1"/></sheets></workbook>'
)
LINKS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="rId1" Target="worksheets/sheet1.xml" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet"/>'
    "</Relationships>"
)

TOP = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="rId1" Target="xl/workbook.xml" Type="http://schemas.openxmlformats.org/'
    'officeDocument/2006/relationships/officeDocument"/></Relationships>'
)


def empty_cells(rows, columns):
    """A workbook of empty cells."""
    row = "<row>" + "<c/>" * columns + "</row>"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", BOOK)
        archive.writestr("xl/worksheets/sheet1.xml", SHEET.format(row * rows))
    return out.getvalue()


def xlsx(*rows, padding=0):
    """A small workbook; numbers are numbers, texts are texts, a tuple is a formula."""
    body = ""
    for cells in rows:
        body += "<row>"
        for cell in cells:
            if isinstance(cell, tuple):
                body += f"<c><f>{cell[0]}</f><v>{cell[1]}</v></c>"
            elif isinstance(cell, str):
                body += f'<c t="inlineStr"><is><t>{cell}</t></is></c>'
            else:
                body += f"<c><v>{cell}</v></c>"
        body += "</row>"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("_rels/.rels", TOP)
        archive.writestr("xl/workbook.xml", BOOK)
        archive.writestr("xl/_rels/workbook.xml.rels", LINKS)
        archive.writestr("xl/worksheets/sheet1.xml", SHEET.format(body) + " " * padding)
    return out.getvalue()


def ods(*rows, more=()):
    """A workbook of one sheet of texts, and of `more` sheets of one each."""
    sheets = "".join(
        f'<table:table table:name="Sheet {number}">{_ods_rows(each)}</table:table>'
        for number, each in enumerate([rows, *more], 1)
    )
    names = "urn:oasis:names:tc:opendocument:xmlns"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
        archive.writestr(
            "content.xml",
            f'<office:document-content xmlns:office="{names}:office:1.0" '
            f'xmlns:table="{names}:table:1.0" xmlns:text="{names}:text:1.0"><office:body>'
            f"<office:spreadsheet>{sheets}</office:spreadsheet></office:body>"
            "</office:document-content>",
        )
    return out.getvalue()


def _ods_rows(rows):
    return "".join(
        "<table:table-row>"
        + "".join(
            f'<table:table-cell office:value-type="string"><text:p>{cell}</text:p></table:table-cell>'
            for cell in cells
        )
        + "</table:table-row>"
        for cells in rows
    )


class Colors:
    names = {"red": 5, "black": 11, "dark bluish gray": 85, "trans-clear": 12, "rot": 5}

    def named(self, name):
        return self.names.get(name.casefold())

    def of_rebrickable(self, value):
        return {"4": 5, "0": 11}.get(value)

    def of_lego(self, value):
        return {"21": 5, "26": 11}.get(value)


def opened(content, **options):
    content = content if isinstance(content, bytes) else content.encode()
    return read_any(
        io.BytesIO(content),
        colors=Colors(),
        unpack=lambda stream: split_csv(as_csv(stream.read())),
        **options,
    )


def lots(content, **options):
    return list(opened(content, **options))


def brief(content, **options):
    return [
        (lot.item_type, lot.item_number, lot.color_id, lot.quantity, lot.price, lot.condition)
        for lot in lots(content, **options)
    ]


BRICK = "<ITEMTYPE>P</ITEMTYPE><ITEMID>3001</ITEMID>"


def xml(body, head='<?xml version="1.0"?>'):
    return f"{head}\n<INVENTORY><ITEM>{body}</ITEM></INVENTORY>"


class TestKinds:
    @pytest.mark.parametrize(
        ("content", "kind"),
        [
            ("<BrickStoreXML><Inventory></Inventory></BrickStoreXML>", FileKind.BSX),
            (xml("<LOTID>1</LOTID><ITEMID>3001</ITEMID><PRICE>1</PRICE>"), FileKind.STORE_XML),
            (xml("<ITEMID>3001</ITEMID><PRICE>1</PRICE>"), FileKind.UPLOAD_XML),
            (xml("<LOTID>1</LOTID><REMARKS>A-1</REMARKS>"), FileKind.UPDATE_XML),
            (xml("<ITEMID>3001</ITEMID><MINQTY>2</MINQTY>"), FileKind.WANTED_XML),
            (xml("<ITEMTYPE>P</ITEMTYPE><ITEMID>3001</ITEMID>"), FileKind.WANTED_XML),
            ("\ufeffPart,Color,Quantity\n3001,4,2\n", FileKind.TABLE),
        ],
    )
    def test_are_told_by_content(self, content, kind):
        assert kind_of(opened(content)) == kind

    @pytest.mark.parametrize(
        ("content", "says"),
        [
            (b"", "empty"),
            (b"\x89PNG\r\n\x1a\n", "picture"),
            (b"%PDF-1.7", "PDF"),
            (b'{"lots": []}', "JSON"),
            (b"<!DOCTYPE html><html></html>", "web page"),
            (b"<ORDERS><ORDER></ORDER></ORDERS>", "Orders page"),
            (b"<CATALOG><ITEM></ITEM></CATALOG>", "import_catalog"),
            (b'<Workbook xmlns="urn:x"></Workbook>', "Save it as XLSX"),
            (b"This XML file has no style.\n<INVENTORY><ITEM/></INVENTORY>", "text before it"),
            (b"<table><tr><td>Part</td></tr></table>", "table of a web page"),
            (b"<Parts><Part/></Parts>", "root <Parts>.* Ask its program for BSX"),
            (b"\0\1\2\3\4\5\6\7" * 9, "neither text nor a spreadsheet"),
            (b"just some words\nand some more\n", "no table"),
        ],
    )
    def test_that_hold_no_lots_say_what_they_are(self, content, says):
        with pytest.raises(FileRefused, match=says):
            opened(content)

    def test_of_several_models_in_a_zip_none_is_chosen(self):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            for name in ("a.ldr", "b.ldr"):
                archive.writestr(name, "0 House\n")

        with pytest.raises(FileRefused, match="unpack it"):
            opened(out.getvalue())

    @pytest.mark.parametrize(
        ("name", "says"), [("backup.json", "Settings, Backup"), ("a.txt", "unpack it")]
    )
    def test_tell_a_backup_from_another_zip(self, name, says):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            archive.writestr(name, "{}")
        with pytest.raises(FileRefused, match=says):
            recognised(out)


class TestTables:
    @pytest.mark.parametrize(
        "content",
        [
            "Part,Color,Qty,Price,Condition\n3001,Red,10,0.15,New\n",
            "Item No;Farbe;Menge;Preis;Zustand\n3001;Red;10;0,15 €;neu\n",
            "Part\tColor\tQty\tPrice\tCond.\n3001\tRed\t10\t$0.15\tN\n",
            "My parts, of May\n\nPart|Color|Qty|Price|Condition\n3001|Red|10|.15|new\n",
            "Part,Color,Qty,Price,Condition\nnumber,name,pieces,EUR,N/U\n3001,Red,10,0.15,N\n",
            "\ufeff'Part','Color','Qty','Price','Condition'\n'3001','Red','10','0.15','N'\n",
            "Part;Color;Qty;Price;Condition\n3001;Red;10,0;0,15;N\n".replace("10,0", "10"),
            'Part,Color,Qty,Price,Condition\n"=""3001""",Red,10 pcs,0.15,N\n',
            "Part,Color,Qty,Price,Condition\n3001.0,5.0,10.0,0.15,N\n",
        ],
    )
    def test_are_read_however_they_are_written(self, content):
        assert brief(content) == [("P", "3001", 5, 10, Decimal("0.15"), "N")]

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-le"])
    def test_in_every_encoding(self, encoding):
        content = "Teilenummer;Farbe;Stück;Bemerkung\n3001;Red;2;für später\n".encode(encoding)
        (lot,) = lots(content)
        assert (lot.item_number, lot.quantity, lot.remarks) == ("3001", 2, "für später")

    def test_without_heads_are_read_by_what_they_hold(self):
        rows = "3001,Red,10\n3023,Black,4\n3024,Dark Bluish Gray,200\n"
        assert brief(rows)[2] == ("P", "3024", 85, 200, None, "?")

    @pytest.mark.parametrize("bins", [("A-1", "A-2"), ("R1-F03", "R1-F04"), ("Box 7", "Box 12")])
    def test_without_heads_have_bins_where_cells_look_like_them(self, bins):
        content = "".join(
            f"{number}\tRed\t10\t{place}\n"
            for number, place in zip((3001, 3023), bins, strict=True)
        )
        assert tuple(lot.remarks for lot in lots(content)) == bins

    def test_of_rebrickable_have_its_colours(self):
        assert brief("Part,Color,Quantity,Is Spare\n3001,4,2,False\n")[0][2] == 5
        file = opened("Part,Color,Quantity\n3001,4,2\n")
        assert [lot.color_id for lot in file] == [5]
        assert any("a list of Rebrickable's" in one.message for one in file.warnings)
        (first,) = brief("Set Number,Quantity,Includes Spares,Inventory Ver\n75192-1,1,False,1\n")
        assert first[:4] == ("S", "75192-1", 0, 1)

    def test_thousands_decimal_commas_and_dates_as_numbers(self):
        content = "Part;Qty;Price;Date Added\n3001;1.234;1.234,50;44927\n3002;2;0,5;31.12.2022\n"
        one, two = lots(content)
        assert (one.quantity, one.price, two.price) == (1234, Decimal("1234.50"), Decimal("0.5"))
        assert one.date_added.isoformat() == "2023-01-01T00:00:00+00:00"
        assert two.date_added.isoformat() == "2022-12-31T00:00:00+00:00"

    @pytest.mark.parametrize(
        ("cells", "prices", "unclear"),
        [
            ("0,15 1.234 2,50", "0.15 1234 2.50", []),
            ("0.15 1.234 2.50", "0.15 1.234 2.50", []),
            ("0.125 1.234", "0.125 1.234", []),  # no thousand begins with 0
            ("1.234.567 1.234", "1234567 1234", []),
            ("1.234 5.678", "1.234 5.678", ["1.234"]),
            ("1,234 5,678", "1.234 5.678", ["1,234"]),
            ("12 1.234,50 1.234", "12 1234.50 1234", []),
        ],
    )
    def test_a_column_decides_as_a_whole_what_1_234_is(self, cells, prices, unclear):
        content = "Part;Price\n" + "".join(f"3001;{cell}\n" for cell in cells.split())
        file = opened(content)
        assert [lot.price for lot in file] == [Decimal(price) for price in prices.split()]
        assert [text for _at, text in file.table.unclear] == unclear

    def test_a_column_with_points_is_not_read_as_its_neighbour_with_commas(self):
        (one, two) = lots("Part;Price;Cost\n3001;0,15;0.05\n3002;1.234,50;1.234\n")
        assert (one.cost, two.price) == (Decimal("0.05"), Decimal("1234.50"))
        assert two.cost == Decimal("1.234")

    def test_what_first_rows_leave_open_a_later_one_decides(self):
        content = "Part;Price\n" + "3001;1.234\n" * 400 + "3002;0,50\n"
        assert {lot.price for lot in lots(content)} == {Decimal(1234), Decimal("0.50")}

    def test_nobody_has_a_part_of_a_piece(self):
        assert [lot.quantity for lot in lots("Part;Qty\n3001;1.234\n3002;1.000\n")] == [1234, 1000]

    def test_what_a_person_says_of_an_unclear_column_counts(self):
        content = "Part;Price;Cost\n3001;1.234;1.234\n"
        file = opened(content, said={"decimals": ["", ",", ""]})
        (lot,) = file
        assert (lot.price, lot.cost) == (Decimal(1234), Decimal("1.234"))
        assert file.table.as_dict()["unclear"] == [{"column": 2, "text": "1.234"}]

    def test_a_head_that_is_a_date_is_a_head(self):
        file = opened("Part,Qty,44927,31.12.2022\n3001,2,7,8\n")
        (lot,) = file
        assert (lot.quantity, lot.extra_text("Column_3_44927")) == (2, "7")

    def test_a_formula_is_text_and_is_told(self):
        (lot,) = lots('Part,Qty,Price,Notes\n3001,2,=2*0.15,"=HYPERLINK(""x"")"\n')
        assert lot.remarks == '=HYPERLINK("x")'
        assert lot.price is None or lot.price == 0
        assert "=2*0.15" in lot.warnings[0].message

    def test_unknown_columns_stay_with_the_lot(self):
        (lot,) = lots("Part,Qty,My own column\n3001,1,hello\n")
        assert lot.extra_text("My_own_column") == "hello"

    def test_ragged_rows_are_read_and_told(self):
        file = opened("Part,Color,Qty\n3001,Red,1,surplus\n3002,Black\n\n,,\nTotal,,,\n,,7\n")
        found = list(file)
        assert [(lot.item_number, lot.quantity) for lot in found[:2]] == [("3001", 1), ("3002", 0)]
        assert "behind the last column" in found[0].warnings[0].message
        assert any("name no item" in warning.message for warning in file.warnings)

    @pytest.mark.parametrize(
        "above", ["My store,,,\n", "Item,,Stock,\n", "Artikel,,Bestand,\n,,Stk.,\n"]
    )
    def test_a_second_line_of_heads_is_no_lot(self, above):
        file = opened(f"{above}Part,Color,Qty,Price\n3001,Red,4,0.10\n3002,Black,2,0.20\n")
        found = [(lot.item_number, lot.quantity) for lot in file]
        assert found == [("3001", 4), ("3002", 2)]

    def test_a_colour_that_nobody_knows_is_no_other(self):
        (lot,) = lots("Part,Color,Qty\n3001,Rainbow,1\n")
        assert (lot.color_id, lot.color_name) == (None, "Rainbow")

    def test_what_a_person_corrects_counts(self):
        content = "Part,Number,Qty\nBrick,3001,4\n"
        assert lots(content)[0].item_number == "Brick"
        said = {"columns": ["item_name", "item_number", "quantity"], "condition": "U"}
        assert brief(content, said=said) == [("P", "3001", None, 4, None, "U")]

    def test_of_rebrickable_number_sets_and_no_lots(self):
        (lot,) = lots("inventory_id,part_num,color_id,quantity,is_spare\n1,3001,4,2,f\n")
        assert (lot.marketplace_lot_id, lot.quantity, lot.color_id) == (None, 2, 5)

    def test_the_parts_of_a_set_are_no_pieces_of_it(self):
        (lot,) = lots("set_num,name,year,num_parts\n75192-1,Falcon,2017,7541\n")
        assert "quantity" not in lot.__dict__

    def test_the_price_of_all_pieces_is_no_quantity(self):
        (lot,) = lots("Part,Color,Price,Total\n3001,Red,0.50,2.00\n")
        assert "quantity" not in lot.__dict__

    def test_prices_of_two_conditions_are_none_of_a_lot(self):
        (lot,) = lots("Part,Color,New Price,Used Price\n3001,Red,0.2,0.1\n")
        assert lot.price is None

    def test_a_status_in_words_counts(self):
        found = lots(
            "Status,Part,Color,Qty\nInclude,3001,Red,1\nExclude,3001,Red,2\nExtra,1,Red,3\n"
        )
        assert [(lot.status, lot.warnings) for lot in found] == [("I", ()), ("X", ()), ("E", ())]

    @pytest.mark.parametrize(
        ("content", "currency"),
        [
            ("Part,Price\n3001,1.50 €\n3001,EUR 2\n", "EUR"),
            ("Part,Price,Currency\n3001,1.5,SEK\n3002,2,SEK\n", "SEK"),
            ("Part,Price,Währung\n3001,$1.5,CAD\n", "CAD"),
            ("Part,Price\n3001,1.50 kr\n", "kr"),
            ("Part,Price\n3001,US $0.15\n", "USD"),
            ("Part,Price\n3001,CA $0.15\n3002,$2\n", "CAD"),
            ("Part,Price\n" + "3001,1.5\n" * 400 + "3002,€2.5\n", "EUR"),
        ],
    )
    def test_say_their_currency_in_cells_and_columns(self, content, currency):
        file = opened(content)
        assert not any(lot.warnings for lot in file)
        assert file.header.currency == currency

    @pytest.mark.parametrize(
        "content",
        [
            "Part,Price\n3001,€1.50\n3001,$1.50\n",
            "Part,Price,Currency\n3001,1.5,EUR\n3001,1.5,USD\n",
            "Part,Price,Currency\n3001,€1.5,SEK\n",
        ],
    )
    def test_of_two_currencies_are_refused(self, content):
        with pytest.raises(FileRefused) as refused:
            lots(content)
        assert refused.value.code is RefusalCode.MIXED_CURRENCIES

    def test_a_second_table_with_other_columns_is_refused(self):
        with pytest.raises(FileRefused, match="Line 4 begins a second table"):
            lots("Part,Color,Qty\n3001,Red,2\n\nPart,Qty,Color\n3002,3,Black\n")

    @pytest.mark.parametrize("number", ["3.00E+03", "01.10.2023", "2001-10-01", "3-Oct", "03.Jan"])
    def test_a_number_that_a_spreadsheet_changed_is_told(self, number):
        (lot,) = lots(f"Part,Qty\n{number},2\n")
        assert "a spreadsheet may have changed it" in lot.warnings[0].message

    @pytest.mark.parametrize("price", ["bad", "n/a", "free"])
    def test_a_word_is_no_price(self, price):
        (lot,) = lots(f"Part,Qty,Price\n3001,2,{price}\n")
        assert (lot.price, len(lot.warnings)) == (None, 1)

    def test_a_column_without_a_head_stays_with_the_lot(self):
        (lot,) = lots("Part,,Qty,\n3001,A-1,2,\n")
        assert [tag.text for tag in lot.extra] == ["A-1"]

    @pytest.mark.parametrize("word", ["Total", "Summe", "TOTAL:"])
    def test_a_sum_below_is_no_lot(self, word):
        file = opened(f"Part,Qty,Price\n3001,2,0.1\n{word},2,0.1\n")
        assert [lot.item_number for lot in file] == ["3001"]
        assert any("line 3" in warning.message for warning in file.warnings)

    def test_a_stockroom_of_yes_and_no_is_bricklinks(self):
        found = lots("Part,Qty,Stockroom\n3001,2,Y\n3002,2,No\n3003,2,B\n")
        assert [(lot.stockroom, lot.warnings) for lot in found] == [("A", ()), ("", ()), ("B", ())]

    def test_of_orders_say_so(self):
        file = opened("Order ID,Item Number,Qty,Price\n7,3001,2,0.1\n")
        assert len(list(file)) == 1
        assert any("lists orders" in warning.message for warning in file.warnings)

    def test_a_table_without_an_item_asks_for_its_column(self):
        file = opened("Foo,Bar,Qty\nx,y,1\nz,w,2\n")
        assert list(file) == []
        assert "Say which one holds" in file.warnings[0].message

    def test_more_rows_than_are_read_are_refused(self):
        content = "Part,Qty\n" + "3001,1\n" * 30
        with pytest.raises(FileRefused) as refused:
            lots(content, limits=XmlLimits(max_rows=20))
        assert refused.value.code is RefusalCode.TOO_MANY_LOTS

    @pytest.mark.parametrize(
        "odd",
        [
            "Part,Qty,Price\n" + "3001,many,dear\n" * 11,
            "<INVENTORY>"
            + "<ITEM><ITEMID>1</ITEMID><QTY>many</QTY><PRICE>dear</PRICE></ITEM>" * 11,
            "<BrickStoreXML><Inventory>"
            + "<Item><ItemID>1</ItemID><Qty>many</Qty><Price>dear</Price></Item>" * 11
            + "</Inventory></BrickStoreXML>",
        ],
    )
    def test_more_values_that_mean_nothing_than_are_told_are_refused(self, odd):
        with pytest.raises(FileRefused, match=r"More than 20 values .* “many”") as refused:
            lots(odd, limits=XmlLimits(max_odd_values=20))
        assert refused.value.code is RefusalCode.NOT_LOTS

    def test_a_quote_that_never_closes_is_refused(self):
        content = "Part,Qty,Notes\n3001,1,ok\n" + '3002,1,"' + "x" * 200_000
        with pytest.raises(FileRefused, match="quote"):
            lots(content, said={"delimiter": ",", "quote": '"'})

    @pytest.mark.parametrize(
        ("text", "decimal", "plain"),
        [
            ("1,234.50", ".", "1234.50"),
            ("1.234,50", ".", "1234.50"),
            ("1'234.50 CHF", ".", "1234.50"),
            ("0,15", ".", "0.15"),
            ("1,234", ".", "1234"),
            ("1,234", ",", "1.234"),
            ("1.234", ",", "1234"),
            ("€ 0,05", ",", "0.05"),
            ("0,075", ".", "0.075"),
            ("0.075", ",", "0.075"),
            ("1234,567", ".", "1234.567"),
            ("1,234,567", ".", "1234567"),
            ("1.234.567", ",", "1234567"),
            ("1 234 567,50 kr.", ",", "1234567.50"),
            ("1,23,456.78", ".", "123456.78"),
            ("-€ 5", ".", "-5"),
            ("€ - 5", ".", "-5"),
            ("US $0.15 USD", ".", "0.15"),
        ],
    )
    def test_amounts(self, text, decimal, plain):
        assert amount_text(text, decimal=decimal) == plain

    @pytest.mark.parametrize(
        "text",
        ["5 USD 3", "2 FOR 5", "5€30", "1'5", "1 23", "1 2345", "1234 567", "12 34 567", "1.2,3"],
    )
    def test_digits_that_are_no_groups_of_three_are_no_number(self, text):
        (lot,) = lots(f"Part;Qty;Price\n3001;1;{text}\n3002;1;1.50\n")[:1]

        assert lot.price is None
        assert any(text in one.message for one in lot.warnings)
        assert read_amount(text).value == 0
        assert not read_amount(text).is_understood

    @pytest.mark.parametrize("text", ["1 2", "1'5", "1 23", "12 34 567", "1 2 pcs"])
    def test_pieces_that_are_no_groups_of_three_are_none(self, text):
        (lot,) = lots(f"Part;Qty;Price\n3001;{text};1.50\n")

        assert lot.quantity == 0
        assert any(text in one.message for one in lot.warnings)

    @pytest.mark.parametrize(
        ("text", "pieces"), [("1 234", 1234), ("1'234'567 pcs.", 1_234_567), ("x 3", 3), ("+ 4", 4)]
    )
    def test_pieces_have_gaps_between_groups_of_three(self, text, pieces):
        (lot,) = lots(f"Part;Qty;Price\n3001;{text};1.50\n")

        assert lot.quantity == pieces

    def test_a_comma_after_nought_is_a_decimal_in_any_column(self):
        content = "Part;Qty;Price\n3001;1;1.50\n3002;1;2.50\n3003;1;0,075\n3004;1;0,5\n"

        assert [str(lot.price) for lot in lots(content)] == ["1.50", "2.50", "0.075", "0.5"]

    @pytest.mark.parametrize(
        ("head", "text"), [("Price", "0,123,456"), ("Price", "1,234,5"), ("Qty", "0,075")]
    )
    def test_thousands_are_groups_of_three_digits(self, head, text):
        (lot,) = lots(f"Part;{head};Cost\n3001;{text};1.5\n")

        assert any(text in one.message for one in lot.warnings)


class TestHeads:
    """What programs and people of several countries write above their columns."""

    @pytest.mark.parametrize(
        "head",
        [
            "Réf.;Couleur;Qté;Prix unitaire;État;Casier",
            "N° pièce;Coloris;Quantité;Prix (€);Etat;Emplacement",
            "Numéro de pièce;Couleur;Nombre de pièces;P.U.;Condition;Tiroir",
            "Art.-Nr.;Farbe;Stk.;VK-Preis;Zustand;Fach",
            "Teile-Nr.;Farbe;Anzahl;Preis pro Stück;Zustand;Lagerort",
            "Número de pieza;Color;Cant.;Precio;Estado;Caja",
            "Onderdeelnr;Kleur;Aantal;Prijs;Staat;Lade",
            "Codice pezzo;Colore;Quantità;Prezzo;Condizione;Cassetto",
            "Numer części;Kolor;Ilość;Cena;Stan;Szuflada",
            "Peça;Cor;Quantidade;Preço;Condição;Gaveta",
            "Artikelnummer;Färg;Antal;Pris;Skick;Hylla",
            "Item #;Colour;Qty. owned;Price each;Cond.;Bin location",
            "Artikel-Nr.;Farbe;Stück;Preis/Stk. €;Zustand;Lagerplatz",
            "Part;Colour;Pieces;Price per piece (EUR);Condition;Drawer",
            "Référence;Couleur;Qté;Prix / pièce;État;Tiroir",
            "Delnr.;Farve;Antal;Pris;Tilstand;Kasse",
            "Part;Väri;Määrä;Hinta;Kunto;Laatikko",
            "Onderdeel;Kleur;Aantal;Prijs per stuk;Staat;Bak",
        ],
    )
    def test_in_any_language(self, head):
        (lot,) = lots(f"{head}\n3001;Red;10;0,15;N;A-01\n")
        assert (lot.item_number, lot.color_id, lot.quantity) == ("3001", 5, 10)
        assert (lot.price, lot.condition, lot.remarks) == (Decimal("0.15"), "N", "A-01")

    def test_that_nobody_knows_leave_the_number_to_the_cells(self):
        (lot, _other) = lots("Xyz;Quux;Qty;Price\n3001;Red;10;0.15\n3023;Black;4;0.2\n")
        assert (lot.item_number, lot.color_id, lot.quantity) == ("3001", 5, 10)

    def test_in_polish_and_mac_letters_tell_the_encoding(self):
        polish = opened("Numer;Kolor;Ilość;Cena\n3001;Red;3;0,15\n".encode("cp1250"))
        mac = opened("Réf.;Couleur;Qté;Prix\n3001;Red;3;0,15\n".encode("mac_roman"))
        assert [lot.quantity for file in (polish, mac) for lot in file] == [3, 3]

    def test_tell_the_encoding_and_bins_do_not(self):
        text = "Nr.;Farbe;Menge;Lagerort\n3001;Red;3;Fach Ö\n3002;Red;1;Fach Ü\n"
        assert [lot.remarks for lot in opened(text.encode("cp1252"))] == ["Fach Ö", "Fach Ü"]

    def test_number_the_item_by_the_plainest_one(self):
        (lot,) = lots("Nr.;Part;Part number;Color;Qty\n1;Brick;3001;Red;2\n")
        assert (lot.item_number, lot.item_name) == ("3001", "Brick")

    def test_of_a_list_of_sets_count_sets_and_not_their_parts(self):
        content = (
            "Number,Theme,Set name,Minifigs,Pieces,RRP (EUR),Quantity owned\n"
            "75192-1,Star Wars,Falcon,8,7541,849.99,2\n"
        )
        (lot,) = lots(content)
        assert (lot.item_type, lot.item_number, lot.quantity) == ("S", "75192-1", 2)
        assert (lot.price, lot.extra_text("Pieces")) == (None, "7541")

    def test_of_set_numbers_are_sets_whether_their_variant_stands_there_or_not(self):
        found = lots("Set Number;Qty\n75192-1;1\n10247;2\n")
        assert [(lot.item_type, lot.color_id) for lot in found] == [("S", 0), ("S", 0)]

    def test_of_brickset_have_a_sets_number_in_two_columns(self):
        content = (
            "SetID,Number,Variant,Theme,Name,Minifigs,Pieces,QtyOwned\n"
            "27631,75192,1,Star Wars,Falcon,8,7541,2\n1,10255-1,2,Creator,Square,0,4002,1\n"
        )
        found = lots(content)
        assert [(lot.item_type, lot.item_number) for lot in found] == [
            ("S", "75192-1"),
            ("S", "10255-1"),
        ]
        assert [lot.extra_text("Variant") for lot in found] == [None, "2"]

    def test_of_minifigs_are_minifigs_and_have_no_colour(self):
        found = lots("Minifig,Condition,Qty\nsw0001a,Used,1\nsh795,New,2\n")
        assert [(lot.item_type, lot.color_id) for lot in found] == [("M", 0), ("M", 0)]

    def test_that_tell_the_minifig_of_each_part_are_of_parts(self):
        found = lots("Part Number,Color,Quantity,Minifig\n3001,Red,4,sw0001\n3002,Red,1,\n")
        assert [lot.item_type for lot in found] == ["P", "P"]

    def test_that_tell_a_variant_of_coloured_parts_are_of_no_sets(self):
        (lot,) = lots("Part,Color,Qty,Set,Variant\n3001,Red,4,10255,1\n")
        assert (lot.item_type, lot.item_number, lot.extra_text("Variant")) == ("P", "3001", "1")

    def test_tell_the_variant_before_the_number_too(self):
        (lot,) = lots("Variant,Number,Theme,Name,QtyOwned\n1,75192,Star Wars,Falcon,2\n")
        assert (lot.item_type, lot.item_number) == ("S", "75192-1")

    def test_of_parts_that_lego_gave_no_number_are_of_no_minifigs(self):
        assert [lot.item_type for lot in lots("Number,Qty\nbb0044,1\nupn0123,2\n")] == ["P", "P"]

    def test_without_a_colour_numbers_of_minifigs_are_theirs(self):
        found = lots("Number,Color,Qty\nsw0001a,,1\nbb0044,Red,1\n3001,Red,2\n")
        assert [lot.item_type for lot in found] == ["M", "P", "P"]

    def test_that_nobody_knows_may_hold_conditions_in_any_language(self):
        (one, two) = lots("Delnr.;Farve;Antal;Stand\n3001;Red;4;brugt\n3023;Black;2;ny\n")
        assert (one.condition, two.condition) == ("U", "N")

    def test_a_variant_of_a_part_stays_with_it(self):
        (lot,) = lots("Part,Variant,Color,Qty\n3001,1,Red,2\n")
        assert (lot.item_number, lot.extra_text("Variant")) == ("3001", "1")

    @pytest.mark.parametrize("head", ["LDraw Color", "Rebrickable Color ID", "RB colour"])
    def test_of_rebrickables_and_ldraws_colours(self, head):
        (lot,) = lots(f"Part,{head},Qty\n3001,4,2\n")
        assert lot.color_id == 5

    @pytest.mark.parametrize("head", ["LEGO Color", "Lego Colour ID"])
    def test_of_legos_own_colours(self, head):
        known, unknown = lots(f"Part,{head},Qty\n3001,21,2\n3001,999,2\n")
        assert (known.color_id, unknown.color_id, unknown.color_name) == (5, None, "LEGO 999")

    def test_of_two_sites_colours_prefer_bricklinks(self):
        (lot,) = lots("BLItemNo,BLColorId,LDrawColorId,Qty\n3001,11,4,2\n")
        assert (lot.color_id, lot.extra_text("LDrawColorId")) == (11, "4")

    def test_of_colours_follow_the_names_beside_the_numbers(self):
        found = lots("Part,Color ID,Color Name,Qty\n3001,4,Red,2\n3002,0,Black,1\n")
        assert [(lot.color_id, lot.warnings) for lot in found] == [(5, ()), (11, ())]
        found = lots("Part,Color ID,Color Name,Qty\n3001,21,Red,2\n3002,26,Black,1\n")
        assert [lot.color_id for lot in found] == [5, 11]

    def test_of_a_row_alone_are_none(self):
        assert brief("Part,3001,Red,4\nPart,3002,Black,7\n")[0][:4] == ("P", "3001", 5, 4)

    def test_of_brickowl_are_no_lots_of_bricklink(self):
        (lot,) = lots("Lot ID,BOID,Item No,Color,Quantity\n123,7713,3001,Red,2\n")
        assert (lot.marketplace_lot_id, lot.extra_text("Lot_ID")) == (None, "123")

    def test_of_element_ids_alone_name_items(self):
        (lot,) = lots("Element ID,Qty\n300121,4\n")
        assert (lot.item_number, lot.color_id, lot.quantity) == ("300121", None, 4)


class TestCells:
    """What people write into cells."""

    @pytest.mark.parametrize("text", ["x12", "12x", "12 Stk.", "12 ×"])
    def test_a_number_of_pieces(self, text):
        assert lots(f"Part,Qty\n3001,{text}\n")[0].quantity == 12

    @pytest.mark.parametrize(
        ("word", "letter"),
        [("N - New", "N"), ("New (Sealed)", "N"), ("Neu/OVP", "N"), ("neuf", "N"), ("nowy", "N"),
         ("gebr.", "U"), ("Gebraucht - gut", "U"), ("usedg", "U"), ("begagnad", "U")],
    )  # fmt: skip
    def test_a_condition_in_words(self, word, letter):
        (lot,) = lots(f"Part;Qty;Condition\n3001;2;{word}\n")
        assert (lot.condition, lot.warnings) == (letter, ())

    @pytest.mark.parametrize("text", ["nuevo usado", "used new", "gebraucht neu", "new - good"])
    def test_two_conditions_are_none(self, text):
        (lot,) = lots(f"Part;Qty;Condition\n3001;2;{text}\n")
        assert (lot.condition, lot.condition_text) == ("?", text)

    @pytest.mark.parametrize(
        ("text", "letter"),
        [("used, like new", "U"), ("gebraucht wie neu", "U"), ("usato come nuovo", "U"),
         ("good as new", "U"), ("new, never used", "N"), ("new in a box", "N")],
    )  # fmt: skip
    def test_a_condition_that_names_the_other_is_one(self, text, letter):
        (lot,) = lots(f"Part;Qty;Condition\n3001;2;{text}\n")
        assert lot.condition == letter

    @pytest.mark.parametrize("text", ["Red (5)", "5 - Red", "Red [5]"])
    def test_a_colour_with_its_number(self, text):
        assert lots(f"Part,Color,Qty\n3001,{text},2\n")[0].color_id == 5

    def test_a_colour_that_contradicts_its_number_is_told(self):
        content = "Part,Color ID,Color Name,Qty\n3001,5,Red,2\n3002,5,Black,1\n"
        (one, other) = lots(content)
        assert (one.warnings, other.color_id) == ((), 5)
        assert "the number counts" in other.warnings[0].message

    def test_no_colour_is_told(self):
        file = opened("Part,Qty\n3001,2\n")
        assert len(list(file)) == 1
        assert any("No column says the colour" in one.message for one in file.warnings)
        (lot, _other) = lots("Part,Color,Qty\n3001,,2\n3002,Red,1\n")
        assert "Color is empty" in lot.warnings[0].message

    def test_colours_as_numbers_tell_whose_they_are(self):
        file = opened("Part,Color,Qty\n3001,5,2\n")
        assert len(list(file)) == 1
        assert any("read as BrickLink's" in one.message for one in file.warnings)
        said = opened("Part,Color,Qty\n3001,4,2\n", said={"colors": "rebrickable"})
        assert [lot.color_id for lot in said] == [5]
        assert not any("read as BrickLink's" in one.message for one in said.warnings)

    def test_no_number_of_pieces_is_told(self):
        (lot, _other) = lots("Part,Color,Qty\n3001,Red,\n3002,Red,1\n")
        assert "Qty is empty" in lot.warnings[0].message

    @pytest.mark.parametrize(
        ("content", "days"),
        [
            ("Part;Date added\n3001;03/05/2022\n3002;25/05/2022\n", ["05-03", "05-25"]),
            ("Part,Date added\n3001,03/05/2022\n3002,05/25/2022\n", ["03-05", "05-25"]),
            ("Part,Date added\n3001,3/5/22\n", ["03-05"]),
            ("Part;Date added\n3001;3/5/22\n", ["05-03"]),
            ("Part,Date added\n3001,03.05.22 14:30\n", ["05-03"]),
            ("Part,Date added\n" + "3001,1/2/2022\n" * 400 + "3002,13/2/2022\n", ["02-01"]),
        ],
    )
    def test_a_column_decides_whether_the_day_comes_first(self, content, days):
        found = [f"{lot.date_added:%m-%d}" for lot in lots(content)]
        assert found[: len(days)] == days

    def test_a_date_that_may_be_both_is_told(self):
        file = opened("Part,Date added\n3001,3/5/2022\n")
        assert len(list(file)) == 1
        assert any("with the month first" in one.message for one in file.warnings)
        sure = opened("Part,Date added\n3001,3/25/2022\n")
        assert not any("month first" in one.message for one in sure.warnings)

    def test_a_date_is_unclear_where_others_contradict_each_other(self):
        days = ["13/12/2022", "12/13/2022", "03/05/2022"]
        file = opened("Part,Date added\n" + "".join(f"3001,{day}\n" for day in days))

        assert [f"{lot.date_added:%m-%d}" for lot in file] == ["12-13", "12-13", "03-05"]
        assert any("03/05/2022 are read with the month" in one.message for one in file.warnings)

    def test_a_date_with_an_unreadable_time_is_told(self):
        (lot,) = lots("Part,Date added\n3001,25/05/2022 noonish\n")

        assert lot.date_added is None
        assert "noonish" in lot.warnings[0].message

    def test_one_damaged_letter_is_told_and_spoils_no_other(self):
        content = "Teil;Menge;Notiz\n3001;2;für größere Öfen süß\n".encode() + b"3002;3;f\xfcr\n"
        file = opened(content)
        assert [lot.remarks for lot in file] == ["für größere Öfen süß", "für"]
        assert any("the first in line 3" in one.message for one in file.warnings)

    def test_half_in_utf_8_and_half_in_windows_1252_are_read_line_by_line(self):
        head, rows = "Teil;Menge;Notiz\n", [f"{3001 + at};2;Fach Ö{at} süß\n" for at in range(40)]
        file = opened(
            head.encode() + "".join(rows[:20]).encode() + "".join(rows[20:]).encode("cp1252")
        )

        assert [lot.remarks for lot in file] == [f"Fach Ö{at} süß" for at in range(40)]
        (told,) = [one for one in file.warnings if "Windows-1252" in one.message]
        assert told.line == 22

    def test_in_one_byte_a_letter_are_read_without_a_word(self):
        file = opened("Teil;Menge;Notiz\n3001;2;Größe\n3002;1;Öse\n".encode("cp1252"))

        assert [lot.remarks for lot in file] == ["Größe", "Öse"]
        assert "damaged_text" not in [one.code for one in file.warnings]

    def test_a_share_is_the_percent_of_a_sale(self):
        found = lots("Part;Qty;Sale\n3001;2;0,25\n3002;2;0.1\n3003;2;10 %\n")
        assert [lot.sale for lot in found] == [25, 10, 10]

    @pytest.mark.parametrize(
        ("word", "is_kept"), [("WAHR", True), ("VRAI", True), ("FALSCH", False)]
    )
    def test_yes_and_no_of_spreadsheets(self, word, is_kept):
        (lot,) = lots(f"Part;Qty;Retain\n3001;2;{word}\n")
        assert (lot.retain, lot.warnings) == (is_kept, ())

    def test_neither_yes_nor_no_is_told_as_no(self):
        (lot,) = lots("Part;Qty;Retain\n3001;2;Maybe\n")
        assert not lot.retain
        assert [one.message for one in lot.warnings] == [
            "Retain is “Maybe”; expected yes or no: it counts as no."
        ]

    def test_prices_pasted_from_a_page_of_bricklink(self):
        (lot, _other) = lots("3001\tRed\t\u00a012\tNew\tUS $0.15\n3023\tBlack\t4\tUsed\tUS $1.05\n")
        assert (lot.quantity, lot.price) == (12, Decimal("0.15"))

    def test_a_quantity_before_the_number_is_one(self):
        (lot, _other) = lots("10,3001,Red\n4,3023,Black\n")
        assert (lot.item_number, lot.quantity) == ("3001", 10)

    def test_the_end_of_a_file_of_dos_is_no_lot(self):
        assert len(lots(b"Part,Color,Qty\r\n3001,Red,4\r\n\x1a")) == 1


class TestOurOwn:
    """A table that this app wrote comes back as it was."""

    def back(self, *lots_out):
        out = io.BytesIO()
        tags = list(dict.fromkeys(tag.tag for lot in lots_out for tag in lot.extra))
        told = ((lot, "") for lot in lots_out)
        write_lots_csv(told, out, currency="EUR", extra_tags=tags)
        file = opened(out.getvalue())
        found = [replace(lot, index=-1, line=0) for lot in file]
        return found, file.header.currency

    def test_with_all_fields(self):
        lot = BsxLot(
            item_number="0011-2", item_type_id="S", item_type_name="Set", item_name="Town, \"x\"",
            color_id=0, color_name="(Not Applicable)", category_id=67, category_name="Town",
            quantity=3, price=Decimal("0.1234"), condition="U", sub_condition="I", bulk=2, sale=10,
            cost=Decimal("0.05"), comments="  two\nlines ", remarks="=A-01", reserved="bob",
            marketplace_lot_id=5, tq1=1, tp1=Decimal("0.1"), retain=True, stockroom="B", status="X",
            marker_text="m", marker_color="#ff0000", extra=(ExtraTag("Shelf", "top"),),
            date_added=dt.datetime(2022, 5, 20, 18, 41, 31, tzinfo=dt.UTC),
        )  # fmt: skip
        assert self.back(lot) == ([lot], "EUR")

    def test_with_a_word_of_the_type_that_counts_more_than_its_letter(self):
        lot = BsxLot(
            item_number="sw1", item_type_id="P", item_type_name="Minifigure", color_id=0, quantity=1
        )
        (found,), _currency = self.back(lot)
        assert (found.item_type, found.extra) == ("M", ())


class TestWorkbooks:
    def test_have_the_digits_that_their_program_shows(self):
        book = xlsx(["Part", "Color", "Qty", "Price"], [3001, "Red", 1, 0.1 + 0.2])
        (lot,) = lots(book)
        assert (lot.price, lot.warnings) == (Decimal("0.3"), ())

    def test_have_a_point_that_is_no_thousand_beside_texts_with_commas(self):
        rows = [[3001, "Red", 1, "0,15"], [3002, "Red", 1, "0,25"], [3003, "Red", 1, 1.125]]
        found = lots(xlsx(["Part", "Color", "Qty", "Price"], *rows))
        assert [lot.price for lot in found] == [Decimal("0.15"), Decimal("0.25"), Decimal("1.125")]

    def test_are_read_where_the_lots_are_and_not_where_most_cells_are(self):
        colours = [[str(number), "a", "b", "c", "d", "e"] for number in range(50)]
        file = opened(ods(["Part", "Color", "Qty"], ["3001", "Red", "4"], more=[colours]))
        assert [lot.item_number for lot in file] == ["3001"]

    def test_with_a_title_above_the_head_of_each_sheet_are_one_table(self):
        head = ["Part", "Color", "Qty"]
        more = [[["Box 2"], head, ["3002", "Black", "5"]]]
        found = lots(ods(["Box 1"], head, ["3001", "Red", "4"], more=more))
        assert [(lot.item_number, lot.quantity) for lot in found] == [("3001", 4), ("3002", 5)]

    def test_without_cells_are_empty(self):
        with pytest.raises(FileRefused, match="The file is empty"):
            opened(ods())

    def test_of_too_many_columns_are_refused_and_not_cut(self):
        with pytest.raises(FileRefused, match="more than 200 columns"):
            opened(xlsx(["Part", "Qty", *("x" for _ in range(200))], [3001, 2]))

    @pytest.mark.parametrize(("name", "says"), [("Index/Document.iwa", "Apple Numbers")])
    def test_of_other_programs_say_what_they_are(self, name, says):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            archive.writestr(name, "x")
        with pytest.raises(FileRefused, match=says):
            recognised(out)

    def test_are_tables(self):
        book = xlsx(["Part", "Color", "Qty", "Price"], [3001, "Red", 10.0, ("1+1", 0.15)])
        file = opened(book)
        assert kind_of(file) == FileKind.WORKBOOK
        (lot,) = file
        assert (lot.item_number, lot.color_id, lot.quantity) == ("3001", 5, 10)
        assert lot.price == Decimal("0.15")

    def test_of_open_office_too(self):
        assert brief(ods(["Part", "Color", "Qty"], ["3062b", "Black", "4"]))[0][:4] == (
            "P",
            "3062b",
            11,
            4,
        )

    def test_with_sheets_of_the_same_head_are_one_table(self):
        head = ["Part", "Color", "Qty"]
        book = ods(head, ["3001", "Red", "4"], more=[[head, ["3002", "Black", "5"]]])
        file = opened(book)
        assert [(lot.item_number, lot.quantity) for lot in file] == [("3001", 4), ("3002", 5)]
        assert not [warning for warning in file.warnings if "sheets" in warning.message]

    def test_tell_the_sheets_that_are_left_out(self):
        head = ["Part", "Color", "Qty"]
        notes = [["Bought at the market"], ["on Sunday"]]
        file = opened(ods(head, ["3001", "Red", "4"], ["3002", "Red", "1"], more=[notes]))
        assert len(list(file)) == 2
        assert any("“Sheet 2” holds" in warning.message for warning in file.warnings)

    def test_that_unpack_to_too_much_are_refused_before_they_do(self):
        bomb = xlsx(["Part"], padding=300 * 1024 * 1024)
        assert len(bomb) < 1024 * 1024
        with pytest.raises(ValueError, match="larger than 256 MB"):
            as_csv(bomb)

    def test_with_too_many_cells_are_refused_before_they_are_read(self):
        book = empty_cells(300_000, 100)
        with limited(2), pytest.raises(ValueError, match="more than 3,000,000 cells, empty ones"):
            as_csv(book)


class TestXml:
    def test_an_update_says_only_what_changes(self):
        (lot,) = lots(xml("<LOTID>7</LOTID><QTY>-2</QTY><REMARKS>A-1</REMARKS>"))
        assert (lot.marketplace_lot_id, lot.quantity, lot.is_change) == (7, -2, True)
        assert "price" not in lot.__dict__

    def test_a_wanted_list_says_what_it_is(self):
        file = opened(xml("<ITEMTYPE>P</ITEMTYPE><ITEMID>3001</ITEMID><MINQTY>2</MINQTY>"))
        assert [lot.quantity for lot in file] == [2]
        assert "wanted list" in file.warnings[0].message

    @pytest.mark.parametrize("pieces", ["<PRICE>1</PRICE><QTY>2</QTY>", "<MINQTY>2</MINQTY>"])
    def test_a_word_that_is_no_type_is_no_letter(self, pieces):
        (lot,) = lots(xml(f"<ITEMID>3001</ITEMID><ITEMTYPE>Gioco</ITEMTYPE>{pieces}"))
        assert (lot.item_type, lot.item_type_id, lot.item_type_name) == ("", "", "Gioco")

    def test_a_wish_of_any_colour_is_told(self):
        (lot,) = lots(xml("<ITEMTYPE>P</ITEMTYPE><ITEMID>3001</ITEMID><MINQTY>2</MINQTY>"))
        assert "any will do" in lot.warnings[0].message

    @pytest.mark.parametrize(
        "head", ["", '<?xml version="1.0"?>', '<?xml version="1.0" encoding="UTF-8"?>']
    )
    def test_in_windows_1252_that_does_not_say_so_is_read_and_told(self, head):
        body = f"{BRICK}<QTY>1</QTY><REMARKS>Früh – 5 € &amp; \u00df</REMARKS>"
        text = xml(body, head)
        file = opened(text.encode("cp1252"))
        assert [lot.remarks for lot in file] == ["Früh – 5 € & \u00df"]
        (warning,) = file.warnings
        assert "4 letters are not UTF-8" in warning.message
        assert "read as Windows-1252" in warning.message

    @pytest.mark.parametrize("encoding", ["windows-1252", "UTF-8", "UTF-16"])
    def test_in_the_encoding_that_it_names_is_read_without_a_word(self, encoding):
        head = f'<?xml version="1.0" encoding="{encoding}"?>'
        text = xml(f"{BRICK}<QTY>1</QTY><REMARKS>Früh é</REMARKS>", head)
        file = opened(text.encode(encoding))
        assert [lot.remarks for lot in file] == ["Früh é"]
        assert file.warnings == []

    def test_of_brickstore_that_is_not_utf_8_is_read_as_windows_1252(self):
        content = "<BrickStoreXML>\n<Inventory><Item><ItemID>é</ItemID></Item></Inventory></BrickStoreXML>"
        file = read_any(io.BytesIO(content.encode("cp1252")), colors=Colors(), unpack=None)

        assert [lot.item_number for lot in file] == ["é"]
        assert "the first in line 2" in file.warnings[-1].message

    def test_what_stands_behind_the_list_is_told(self):
        one = "<INVENTORY><ITEM><ITEMTYPE>P</ITEMTYPE><ITEMID>1</ITEMID><QTY>1</QTY></ITEM></INVENTORY>"
        file = opened(f"{one}\n{one}")
        assert len(list(file)) == 1
        assert any("behind </INVENTORY>" in warning.message for warning in file.warnings)


INVENTORY_HEADS = (
    "Lot ID\tColor\tCategory\tCondition\tSub-Condition\tDescription\tRemarks\tPrice\tQuantity\tBulk\t"
    "Sale\tURL\tItem No\tTier Qty 1\tTier Price 1\tTier Qty 2\tTier Price 2\tTier Qty 3\tTier Price 3\t"
    "Reserved For\tStockroom\tRetain\tSuper Lot ID\tSuper Lot Qty\tWeight\tExtended Description\t"
    "Date Added\tDate Last Sold\tCurrency"
)


class TestListsOfOtherSites:
    """Named for what they are; those without lots say what to download instead."""

    def test_a_pick_a_brick_list_holds_element_ids(self):
        file = opened(b"elementId,quantity\n300321,18\n4211389,9\n")

        assert [(lot.item_number, lot.quantity) for lot in file] == [("300321", 18), ("4211389", 9)]
        assert "Pick a Brick list" in " ".join(warning.message for warning in file.warnings)

    def test_a_download_of_a_store_has_its_lot_ids_and_last_sales(self):
        cells = dict.fromkeys(INVENTORY_HEADS.split("\t"), "")
        cells |= {"Lot ID": "315", "Color": "Red", "Condition": "New", "Price": "$0.10"}
        cells |= {"Quantity": "12", "Item No": "3001", "Remarks": "A-1", "Currency": "USD"}
        cells |= {"Date Added": "01/24/2022", "Date Last Sold": "05/26/2022"}
        file = opened(f"{INVENTORY_HEADS}\n{chr(9).join(cells.values())}\n".encode())

        (lot,) = file
        assert (lot.marketplace_lot_id, lot.item_number, lot.quantity) == (315, "3001", 12)
        assert lot.date_last_sold.date().isoformat() == "2022-05-26"
        assert "download of a store" in " ".join(warning.message for warning in file.warnings)

    @pytest.mark.parametrize(
        "heads",
        [
            "Order ID,Order Date,Buyer,Order Total,Shipping",
            "Order ID,Seller,Order Total,Lots,Items",
        ],
    )
    def test_orders_without_items_say_what_to_download(self, heads):
        with pytest.raises(FileRefused, match="with their items"):
            opened(f"{heads}\n1,1/2/2026,bo,3.00,1.00\n".encode())

    def test_orders_that_were_placed_are_pieces_that_were_bought(self):
        heads = "Order ID,Order Date,Seller,Item Number,Color ID,Condition,Qty,Each"
        file = opened(f"{heads}\n1,1/2/2026,shop,3001,5,N,2,0.10\n".encode())

        assert [(lot.item_number, lot.quantity) for lot in file] == [("3001", 2)]
        assert "orders that you placed" in " ".join(one.message for one in file.warnings)

    def test_orders_that_were_placed_in_xml_say_what_to_download(self):
        order = b"<ORDERS><ORDER><ORDERID>1</ORDERID><SELLER>x</SELLER></ORDER></ORDERS>"
        with pytest.raises(FileRefused, match="orders that you placed"):
            opened(order)
