"""Files made to hold a process: each is read or refused in an instant."""

import contextlib
import io

import pytest

from apps.exchange.any_file import read_any
from apps.exchange.refusals import FileRefused
from apps.exchange.tests.test_any_file import Colors
from apps.exchange.xml_repair import repaired
from tests.processor import limited

SIZE = 65_000


def filled(unit: str, size: int = SIZE) -> str:
    return unit * (size // len(unit))


#: Within one lot that a bare & breaks.
IN_LOTS = ("<!--", "<?", "<![CDATA[", "&", "<", "<a ", "</ITEM ", "&a", "<ITEM>")
HEADS = "[({€$ ./<&'\"0aP"
IN_XML = (
    "<!DOCTYPE[",
    "<!DOCTYPE a[]",
    "<!--",
    "<?",
    "<![CDATA[",
    "< ",
    "<a ",
    "<!",
    "&amp",
    "]>[",
)


class TestHostileFiles:
    @pytest.mark.parametrize("unit", [*IN_XML, "<INVENTORY>", "<ITEM>", "\n<"])
    def test_of_xml_are_refused_in_an_instant(self, unit):
        content = filled(unit if unit[0] in "<\n" else f"<INVENTORY>{unit}").encode()

        with limited(1), pytest.raises(FileRefused):
            list(read_any(io.BytesIO(content), colors=Colors(), unpack=None))

    @pytest.mark.parametrize("unit", IN_LOTS)
    def test_of_xml_that_is_repaired_are_read_in_an_instant(self, unit):
        lot = f"<ITEM><ITEMID>3001</ITEMID><REMARKS>& {filled(unit, 300_000)}</REMARKS></ITEM>"
        content = f"<INVENTORY>{lot}</INVENTORY>".encode()

        with limited(3), contextlib.suppress(FileRefused):
            list(read_any(io.BytesIO(content), colors=Colors(), unpack=None))

    def test_of_xml_with_a_long_lot_lose_that_lot_in_an_instant(self):
        lots = "<ITEM><ITEMID>{}</ITEMID><REMARKS>{}</REMARKS></ITEM>"
        content = "".join(
            [
                "<INVENTORY>",
                lots.format("3001", "&" * 4_000_000),
                lots.format("3003", ""),
                "</INVENTORY>",
            ]
        )

        with limited(1):
            read = list(read_any(io.BytesIO(content.encode()), colors=Colors(), unpack=None))
        assert [lot.item_number for lot in read] == ["3003"]

    @pytest.mark.parametrize("sign", HEADS)
    def test_with_a_long_cell_are_read_in_an_instant(self, sign):
        long = sign * 30_000
        rows = (
            f"Part,Color,Qty\n3001,5,{long}\n",
            f"Part,Color,Qty,Price,Date added,{long}\n3001,{long},1,{long},{long},\n",
            f"Part,Color,Qty,Condition,Type\n{long},5,1,{long},{long}\n",
        )
        for text in rows:
            with limited(1):
                try:
                    list(read_any(io.BytesIO(text.encode()), colors=Colors(), unpack=None))
                except FileRefused:
                    continue


def test_elements_nested_without_end_are_not_kept_open_to_be_repaired():
    content = b"<INVENTORY><ITEM>" + b"<a>" * 600_000 + b" & "
    asked = []

    whole = repaired(io.BytesIO(content), repair=lambda data: asked.append(data) or b"[]\n")

    assert (asked, whole.set_aside) == ([], ())
