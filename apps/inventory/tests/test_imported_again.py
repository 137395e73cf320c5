"""A file that is imported again, with conditions and colours that it does not say."""

from decimal import Decimal

import pytest

from apps.catalog.tests.factories import make_color, make_item, make_lot
from apps.core.testing.jobs import run_jobs
from apps.inventory.models import InventoryItem, WordChoice
from apps.inventory.tests.bsx_files import bsx, lot
from apps.inventory.tests.factories import make_stock
from apps.inventory.tests.test_api_sync import URL, data, previewed
from apps.locations.tests.factories import make_location

pytestmark = pytest.mark.django_db
HEAD = b"Part,Color,Qty,Condition\n"


@pytest.fixture
def red():
    return make_lot(make_item("3001"), make_color(5, name="Red"))


def imported(client, content, **options):
    """Import a file; return its preview."""
    sync = previewed(client, content, **options)
    body = {"confirm_zeroed": sync["counts"]["zeroed"] or None}
    assert client.post(f"{URL}/{sync['id']}/apply", body, format="json").status_code == 202
    run_jobs()
    return sync


def stock(owner):
    found = InventoryItem.objects.owned_by(owner).order_by("pk")
    return list(found.values_list("quantity", "condition", "condition_text"))


def name_word(client, row, **meaning):
    answer = client.post(f"/api/inventoryItems/{row.pk}/nameWord", meaning)
    assert answer.status_code == 200


def edit(client, row, **fields):
    answer = client.patch(f"/api/inventoryItems/{row.pk}", fields, format="json")
    assert answer.status_code == 200, answer.json()


class TestAConditionThatTheFileDoesNotSay:
    @pytest.mark.parametrize("covers", ["part", "whole"])
    @pytest.mark.parametrize("word", ["", "gebraucht?"])
    @pytest.mark.parametrize("known", ["N", "U"])
    def test_is_the_one_of_its_row(self, ann, api, red, covers, word, known):
        make_stock(ann, red, 10, condition=known, price=None)

        content = HEAD + f"3001,Red,10,{word}\n".encode()
        sync = imported(api(ann), content, name="x.csv", covers=covers)

        assert stock(ann) == [(10, known, "")]
        assert (sync["counts"]["unchanged"], sync["counts"]["unknown"]) == (1, 0)
        assert sync["counts"]["warnings"] == 0

    @pytest.mark.parametrize("covers", ["part", "whole"])
    def test_stays_as_a_person_corrected_it(self, ann, api, red, covers):
        client = api(ann)
        content = HEAD + b"3001,Red,10,gebraucht?\n"
        imported(client, content, name="x.csv", covers=covers)
        edit(client, InventoryItem.objects.get(), condition="U")

        imported(client, content, name="x.csv", covers=covers)

        assert stock(ann) == [(10, "U", "")]

    def test_stays_in_the_bin_where_a_person_put_it(self, ann, api, red):
        client, content = api(ann), HEAD + b"3001,Red,10,\n"
        imported(client, content, name="x.csv")
        bin_ = make_location(ann)
        edit(client, InventoryItem.objects.get(), condition="U", location_id=bin_.pk, remarks="")

        imported(client, content, name="x.csv")

        assert stock(ann) == [(10, "U", "")]
        assert InventoryItem.objects.get().location == bin_

    def test_is_kept_of_a_lot_that_the_store_lists(self, ann, api, red):
        make_stock(ann, red, 10, condition="U", price=None, marketplace_lot_id=7)

        content = b"LotID,Part,Color,Qty,Condition\n7,3001,Red,9,gebraucht?\n"
        sync = imported(api(ann), content, name="x.csv")

        assert stock(ann) == [(9, "U", "")]
        assert (sync["counts"]["changed"], sync["counts"]["unknown"]) == (1, 0)

    def test_is_taken_from_a_file_that_says_it_by_now(self, ann, api, red):
        client = api(ann)
        imported(client, HEAD + b"3001,Red,10,gebraucht?\n", name="x.csv")

        imported(client, HEAD + b"3001,Red,10,U\n", name="x.csv")

        assert stock(ann) == [(10, "U", "")]

    def test_is_no_reason_to_leave_the_row_of_the_same_condition(self, ann, api, red):
        for condition, quantity in (("N", 1), ("U", 2)):
            make_stock(ann, red, quantity, condition=condition, price=None)
        rows = b"3001,Red,5,\n3001,Red,1,N\n3001,Red,2,U\n"

        imported(api(ann), HEAD + rows, name="x.csv")

        assert stock(ann) == [(1, "N", ""), (2, "U", ""), (5, "?", "")]

    @pytest.mark.parametrize("tags", [{}, {"LotID": 7}])
    def test_of_a_bsx_file_is_the_one_of_its_row(self, ann, api, red, tags):
        client = api(ann)
        content = bsx(lot(qty=10, condition="B", **tags))
        imported(client, content)
        edit(client, InventoryItem.objects.get(), condition="U")

        imported(client, content)

        assert stock(ann) == [(10, "U", "")]

    def test_of_an_xml_file_is_the_one_of_its_row(self, ann, api, red):
        client = api(ann)
        item = (
            "<ITEM><ITEMTYPE>P</ITEMTYPE><ITEMID>3001</ITEMID><COLOR>5</COLOR><QTY>10</QTY>"
            "<PRICE>0.10</PRICE><CONDITION>B</CONDITION></ITEM>"
        )
        content = f"<INVENTORY>{item}</INVENTORY>".encode()
        imported(client, content, name="x.xml")
        assert stock(ann) == [(10, "?", "B")]
        edit(client, InventoryItem.objects.get(), condition="U")

        imported(client, content, name="x.xml")

        assert stock(ann) == [(10, "U", "")]


class TestWordsInAnyCase:
    def test_that_are_conditions_are_one_word(self, ann, api, red):
        make_lot(red.item, make_color(11, name="Black"))
        client, content = api(ann), HEAD + b"3001,Red,10,Foo\n3001,Black,10,foo\n"
        imported(client, content, name="x.csv")
        [word] = data(client.get("/api/inventoryItems/unknownWords", {"field": "condition"}))
        assert (word["lots"], word["quantity"]) == (2, 20)

        name_word(client, InventoryItem.objects.first(), condition="U")
        imported(client, content, name="x.csv")

        assert stock(ann) == [(10, "U", ""), (10, "U", "")]

    def test_that_are_colours_are_one_word(self, ann, api, red):
        client, content = api(ann), HEAD + "3001,RÖT,10,U\nx9,röt,10,U\n".encode()
        imported(client, content, name="x.csv")

        name_word(client, InventoryItem.objects.first(), color_id=5)
        sync = imported(client, content, name="x.csv")

        assert stock(ann) == [(10, "U", ""), (10, "U", "")]
        assert sync["counts"]["changed"] == 0

    def test_have_one_meaning(self, ann, api):
        rows = [
            make_stock(ann, condition="?", condition_text=text, quantity=1)
            for text in ("Foo", "foo")
        ]
        client = api(ann)
        name_word(client, rows[0], condition="U")
        InventoryItem.objects.filter(pk=rows[1].pk).update(condition="?", condition_text="foo")

        name_word(client, rows[1], condition="N")

        assert WordChoice.objects.get().condition == "N"


class TestAColourThatTheFileDoesNotSay:
    @pytest.mark.parametrize("number", ["3001", "x9"])
    @pytest.mark.parametrize("covers", ["part", "whole"])
    def test_is_what_its_word_was_said_to_mean(self, ann, api, red, number, covers):
        client, content = api(ann), HEAD + f"{number},Redd,10,U\n".encode()
        imported(client, content, name="x.csv", covers=covers)
        name_word(client, InventoryItem.objects.get(), color_id=5)

        sync = imported(client, content, name="x.csv", covers=covers)

        assert stock(ann) == [(10, "U", "")]
        assert sync["counts"]["changed"] == 0

    @pytest.mark.parametrize("number", ["3001", "x9"])
    def test_is_kept_of_a_lot_that_the_store_lists(self, ann, api, red, number):
        client = api(ann)
        head = b"LotID,Part,Color,Qty,Condition\n"
        imported(client, head + f"7,{number},Red,10,U\n".encode(), name="x.csv")
        before = InventoryItem.objects.values("lot_id", "raw_color_id").get()

        sync = imported(client, head + f"7,{number},Redd,9,U\n".encode(), name="x.csv")

        assert InventoryItem.objects.values("lot_id", "raw_color_id").get() == before
        assert stock(ann) == [(9, "U", "")]
        assert sync["counts"]["changed"] + sync["counts"]["unknown"] == 1

    def test_of_an_unknown_item_is_kept_in_a_bsx_file(self, ann, api, red):
        client = api(ann)
        imported(client, bsx(lot("x9", LotID=7)))

        strange = lot("x9", qty=2, LotID=7, ColorName="Redd").replace("<ColorID>5</ColorID>", "")
        imported(client, bsx(strange))

        row = InventoryItem.objects.get()
        assert (row.raw_color_id, row.quantity) == (5, 2)


class TestALotThatAPersonNamed:
    """By hand, in its row: the row remembers the text that it came with."""

    @pytest.mark.parametrize("covers", ["part", "whole"])
    @pytest.mark.parametrize("row", ["x9,Red,10,U", "3001,Redd,10,U", "x9,Redd,10,?"])
    def test_is_the_row_that_it_became(self, ann, api, red, row, covers):
        client, content = api(ann), HEAD + row.encode()
        imported(client, content, name="x.csv", covers=covers)
        edit(client, InventoryItem.objects.get(), lot_id=red.pk, condition="N")

        sync = imported(client, content.replace(b",10,", b",9,"), name="x.csv", covers=covers)

        named = InventoryItem.objects.get()
        assert (named.lot, named.raw_item_number, named.raw_color_name) == (red, "", "")
        assert named.quantity == 9
        assert (sync["counts"]["changed"], sync["counts"]["unknown"]) == (1, 0)

    @pytest.mark.parametrize("row", ["x9,Red,10,U,A", "3001,Red,10,?,A"])
    def test_is_found_in_the_bin_that_it_was_moved_to(self, ann, api, red, row):
        client = api(ann)
        content = b"Part,Color,Qty,Condition,Remarks\n" + row.encode()
        make_location(ann, name="A")
        imported(client, content, name="x.csv")
        fields = {"lot_id": red.pk, "condition": "U", "price": "0.10"}
        edit(client, InventoryItem.objects.get(), location_id=make_location(ann).pk, **fields)

        imported(client, content, name="x.csv")

        assert stock(ann) == [(10, "U", "")]

    def test_without_a_number_is_told_by_its_name(self, ann, api, red):
        client, content = api(ann), b"Name,Color,Qty,Condition\nA lamp,Red,3,U\nA bell,Red,4,U\n"
        imported(client, content, name="x.csv")
        named = InventoryItem.objects.get(raw_item_name="A lamp")
        client.post(f"/api/inventoryItems/{named.pk}/name", {"item_id": red.item_id})

        imported(client, content, name="x.csv")

        assert list(InventoryItem.objects.order_by("pk").values_list("lot", "quantity")) == [
            (red.pk, 3),
            (None, 4),
        ]

    def test_is_found_by_a_list_of_prices(self, ann, api, red):
        client = api(ann)
        imported(client, HEAD + b"x9,Redd,10,U\n", name="x.csv")
        edit(client, InventoryItem.objects.get(), lot_id=red.pk)

        imported(client, b"Part,Color,Price\nx9,Redd,0.25\n", name="x.csv")

        assert InventoryItem.objects.values_list("lot", "price").get() == (red.pk, Decimal("0.25"))

    def test_leaves_the_row_of_its_own_text_to_it(self, ann, api, red):
        client, content = api(ann), HEAD + b"x9,Red,10,U\n"
        imported(client, content, name="x.csv")
        edit(client, InventoryItem.objects.get(), lot_id=red.pk)
        other = make_stock(
            ann,
            1,
            raw_item_number="x9",
            raw_item_type="P",
            raw_color_id=5,
            condition="U",
            price=None,
        )

        imported(client, content, name="x.csv")

        assert stock(ann) == [(10, "U", ""), (10, "U", "")]
        assert InventoryItem.objects.get(pk=other.pk).lot is None

    @pytest.mark.parametrize("came", ["x9,Red,10,U,A", "x9,Red,10,N,A", "3001,Red,10,?,A"])
    def test_is_not_another_lot_of_what_it_became(self, ann, api, red, came):
        """The file names the lot by its number in the catalogue, in another bin."""
        client = api(ann)
        head = b"Part,Color,Qty,Condition,Remarks,Price\n"
        for name in ("A", "B"):
            make_location(ann, name=name)
        imported(client, head + came.encode() + b",1.00\n", name="x.csv")
        edit(client, InventoryItem.objects.get(), lot_id=red.pk, condition="U")

        imported(client, head + b"3001,Red,5,N,B,2.00\n3001,Red,6,U,B,2.00\n", name="x.csv")

        assert stock(ann) == [(10, "U", ""), (5, "N", ""), (6, "U", "")]

    def test_keeps_its_own_lot_id(self, ann, api, red):
        client = api(ann)
        head = b"Part,Color,Qty,Condition,Price,LotID\n"
        imported(client, head + b"x9,Red,10,U,1.00,7\n", name="x.csv")
        edit(client, InventoryItem.objects.get(), lot_id=red.pk)

        imported(client, head + b"x9,Red,5,U,1.00,8\n", name="x.csv")

        ids = InventoryItem.objects.order_by("pk").values_list("marketplace_lot_id", "quantity")
        assert list(ids) == [(7, 10), (8, 5)]

    def test_is_not_priced_in_the_condition_that_it_no_longer_has(self, ann, api, red):
        client = api(ann)
        imported(client, HEAD + b"x9,Red,10,N\n", name="x.csv")
        edit(client, InventoryItem.objects.get(), lot_id=red.pk, condition="U", price="1.00")
        make_stock(ann, red, 1, condition="N", price=Decimal(9))

        imported(client, b"Part,Color,Condition,Price\n3001,Red,N,2.00\n", name="x.csv")

        rows = InventoryItem.objects.order_by("pk").values_list("condition", "price")
        assert list(rows) == [("U", Decimal(1)), ("N", Decimal(2))]

    def test_that_is_another_item_in_the_file_is_told_as_unknown(self, ann, api, red):
        client = api(ann)
        head = b"Part,Color,Qty,Condition,LotID\n"
        imported(client, head + b"x9,Red,10,U,7\n", name="x.csv")
        edit(client, InventoryItem.objects.get(), lot_id=red.pk)

        sync = imported(client, head + b"x10,Red,10,U,7\n", name="x.csv")

        assert sync["counts"]["unknown"] == 1
        assert InventoryItem.objects.get().lot == red
