"""Numbers that the catalogue does not know: why, what they may be, and what a person says."""

from io import StringIO

import pytest
from django.core.management import call_command

from apps.catalog.models import ElementCode, ItemAlias
from apps.catalog.selectors.resolving import LotIdentity
from apps.catalog.tests.factories import make_color, make_item, make_lot
from apps.core.testing.jobs import run_jobs
from apps.core.testing.queries import count_queries
from apps.core.waiting import Asked
from apps.inventory.models import InventoryItem, NumberChoice, WordChoice, WordField
from apps.inventory.rules.consolidation import groups_of
from apps.inventory.rules.unknown import Why, why_unknown
from apps.inventory.selectors import lots_for_export
from apps.inventory.selectors.meanings import resolve_as_named
from apps.inventory.services import acts, unknown
from apps.inventory.services.acts import undo_act
from apps.inventory.services.moves import MoveLine, move_items
from apps.inventory.services.promises import Want, promise
from apps.inventory.services.waiting import unknown_words_of_files
from apps.inventory.tests.bsx_files import bsx, lot, sync_file
from apps.inventory.tests.factories import NOON, make_stock
from apps.locations.tests.factories import make_location
from apps.lots.models import KeptAct

pytestmark = pytest.mark.django_db
LIST = "/api/inventoryItems/unknown"


def make_unknown(owner, number, name="", color=5, **fields):
    """A row as an import leaves it whose number the catalogue does not know."""
    return make_stock(
        owner,
        raw_item_number=number,
        raw_item_name=name,
        raw_color_id=color,
        **{
            "raw_item_type": "P",
            "raw_color_name": "Red" if color == 5 else "",
            **fields,
        },
    )


@pytest.fixture(autouse=True)
def red():
    return make_color(5)


class TestTheList:
    def test_has_one_row_a_number_by_money(self, ann, bo, api):
        make_unknown(ann, "x139", quantity=1)
        make_unknown(ann, "3001old", quantity=3)
        make_unknown(ann, "3001old", quantity=4, color=7)
        make_unknown(bo, "bo1")

        rows = api(ann).get(LIST).json()["data"]

        assert [(row["item_number"], row["lots"], row["quantity"]) for row in rows] == [
            ("3001old", 2, 7),
            ("x139", 1, 1),
        ]
        assert rows[0]["value"] == "0.7000"

    @pytest.mark.parametrize(
        ("ordering", "first"), [("item_number", "a1"), ("-lots", "z9"), ("quantity", "a1")]
    )
    def test_is_ordered_as_asked(self, ann, api, ordering, first):
        make_unknown(ann, "a1", quantity=1)
        make_unknown(ann, "z9", quantity=9)
        make_unknown(ann, "z9", quantity=9, color=7)

        rows = api(ann).get(LIST, {"ordering": ordering}).json()["data"]

        assert rows[0]["item_number"] == first

    def test_costs_the_same_for_many_numbers(self, ann, api):
        client = api(ann)
        make_unknown(ann, "3001old", "Brick")
        make_unknown(ann, "30px1", "Tile")
        make_item("3001")
        few, _ = count_queries(lambda: client.get(LIST))
        for number in range(20):
            make_unknown(ann, f"30{number}px1", "Tile")

        assert count_queries(lambda: client.get(LIST))[0] == few

    def test_refuses_an_unknown_ordering(self, ann, api):
        assert api(ann).get(LIST, {"ordering": "color"}).status_code == 400


class TestCandidates:
    def told(self, ann, api):
        [row] = api(ann).get(LIST).json()["data"]
        return row["why"], [(one["item_number"], one["likeness"]) for one in row["candidates"]]

    def test_are_known_by_now(self, ann, api):
        make_unknown(ann, "3001")
        make_item("3001")

        assert self.told(ann, api) == ("known_by_now", [("3001", "number")])

    @pytest.mark.parametrize("color", [999, None], ids=["not known", "not said"])
    def test_wait_for_their_colour(self, ann, api, color):
        make_unknown(ann, "3001", color=color)
        make_item("3001")

        assert self.told(ann, api) == ("color", [("3001", "number")])

    def test_have_another_letter_of_the_mould(self, ann, api):
        make_unknown(ann, "3001old")
        make_item("3001")

        assert self.told(ann, api) == ("variant", [("3001", "mould")])

    def test_are_the_plain_part_of_a_print(self, ann, api):
        make_unknown(ann, "3069px3")
        make_item("3069b")

        assert self.told(ann, api) == ("print", [("3069b", "plain")])

    def test_of_the_same_name_come_first(self, ann, api):
        make_unknown(ann, "3069px3", "Tile 1 x 2 with Buttons")
        make_item("3069b", "Tile 1 x 2")
        make_item("3069bp01", "Tile 1 x 2 with Buttons")

        assert self.told(ann, api)[1] == [("3069bp01", "name"), ("3069b", "plain")]

    def test_are_figures_whose_number_has_four_digits_now(self, ann, api):
        make_unknown(ann, "njo638", "Bolobo", raw_item_type="M")
        make_item("fig-010980", "Bolobo", item_type="MINIFIG")
        make_item("njo0638", "Bolobo, Legacy", item_type="MINIFIG")

        assert self.told(ann, api) == (
            "known_by_now",
            [("njo0638", "number"), ("fig-010980", "name")],
        )

    def test_of_one_name_are_bricklinks_first(self, ann, api):
        make_unknown(ann, "old77", "Scoop", raw_item_type="M")
        make_item("fig-010950", "Scoop", item_type="MINIFIG", origin="R")
        make_item("njo0673", "Scoop", item_type="MINIFIG")

        assert [number for number, _ in self.told(ann, api)[1]] == ["njo0673", "fig-010950"]

    def test_have_it_for_another_number(self, ann, api):
        make_unknown(ann, "old77")
        item = make_item("4589")
        ItemAlias.objects.create(
            item=item, catalogue="B", kind="similar", value="old77", value_key="OLD77"
        )

        assert self.told(ann, api) == ("renumbered", [("4589", "former")])

    def test_are_found_by_element(self, ann, api):
        make_unknown(ann, "300121")
        lot = make_lot(make_item("3001"))
        ElementCode.objects.create(code="300121", lot=lot)

        assert self.told(ann, api) == ("renumbered", [("3001", "element")])

    def test_are_where_ldraw_moved_it(self, ann, api):
        make_unknown(ann, "003566c")
        make_item("004159e")

        assert self.told(ann, api) == ("renumbered", [("004159e", "ldraw")])

    @pytest.mark.parametrize(
        ("number", "why"), [("98765", Why.TOO_OLD), ("bracket-ww", Why.OWN), ("", Why.OWN)]
    )
    def test_may_be_none(self, number, why):
        assert why_unknown(number, likenesses=[], knows_color=True) == why


class TestNaming:
    def test_names_all_lots_of_the_number(self, ann, api):
        row = make_unknown(ann, "3001old")
        make_unknown(ann, "3001old", color=7)
        make_color(7)
        other = make_unknown(ann, "3002old")
        item = make_item("3001")

        answer = api(ann).post(f"/api/inventoryItems/{row.pk}/name", {"item_id": item.pk})

        assert answer.json()["data"][0]["item_count"] == 2
        named = InventoryItem.objects.filter(lot__item=item).order_by("pk")
        assert [row.lot.color_id for row in named] == [5, 7]
        assert InventoryItem.objects.get(lot=None).pk == other.pk

    def test_is_remembered_for_later_files(self, ann, bo):
        row, item = make_unknown(ann, "3001old"), make_item("3001")
        lot = make_lot(item)
        unknown.name_items(row=row, item_id=item.pk, by=ann, now=NOON)
        asked = LotIdentity("P", "3001old", 5)

        assert resolve_as_named([asked], owner=ann)[asked].lot_id == lot.pk
        assert resolve_as_named([asked], owner=bo)[asked].reason == "unknown_item"

    def test_of_a_lot_without_a_number_is_its_name_alone(self, ann):
        row, item = make_unknown(ann, "x", "A lamp"), make_item("3001")
        InventoryItem.objects.update(raw_item_number="")
        row.refresh_from_db()
        unknown.name_items(row=row, item_id=item.pk, by=ann, now=NOON)

        asked = LotIdentity("P", "", 5)
        assert resolve_as_named([asked], owner=ann)[asked].reason == "unknown_item"

    def test_leaves_no_word_of_the_type_to_exports(self, ann):
        sync_file(ann, bsx(lot(qty=3, ItemID="3OO1", ItemTypeID="", ItemTypeName="Sticker")))
        row = InventoryItem.objects.get()
        (before,) = lots_for_export(ann)

        unknown.name_items(row=row, item_id=make_item("3001").pk, by=ann, now=NOON)

        (after,) = lots_for_export(ann)
        assert (before.item_type_id, before.item_type_name) == ("", "Sticker")
        assert (after.item_number, after.item_type_id, after.item_type_name) == (
            "3001",
            "P",
            "Part",
        )

    def test_is_undone_with_what_was_remembered(self, ann):
        row, item = make_unknown(ann, "3001old"), make_item("3001")
        act = unknown.name_items(row=row, item_id=item.pk, by=ann, now=NOON).act

        undo_act(act=act, by=ann, now=NOON)

        row.refresh_from_db()
        assert (row.lot_id, row.raw_item_number, row.raw_color_id) == (None, "3001old", 5)
        assert not NumberChoice.objects.exists()

    def test_leaves_lots_whose_colour_is_unknown(self, ann):
        row = make_unknown(ann, "3001old", color=999)

        done = unknown.name_items(row=row, item_id=make_item().pk, by=ann, now=NOON)

        assert [why.text for _pk, why in done.plan] == [
            "The catalogue does not know its colour, 999: choose one in the row's panel."
        ]

    def test_of_many_lots_is_a_job_that_can_be_undone(self, ann, monkeypatch):
        monkeypatch.setattr(acts, "AT_ONCE", 1)
        row, item = make_unknown(ann, "3001old"), make_item("3001")
        make_unknown(ann, "3001old", quantity=2)

        unknown.name_items(row=row, item_id=item.pk, by=ann, now=NOON)
        run_jobs()

        assert InventoryItem.objects.filter(lot__item=item).count() == 2
        undo_act(act=KeptAct.objects.get(), by=ann, now=NOON)
        run_jobs()
        assert InventoryItem.objects.filter(lot=None).count() == 2

    def test_refuses_what_is_known_and_what_is_no_item(self, ann, api):
        known = make_stock(ann)
        row, client = make_unknown(ann, "x"), api(ann)

        for pk, item, status in ((known.pk, make_item().pk, 409), (row.pk, 10**9, 400)):
            answer = client.post(f"/api/inventoryItems/{pk}/name", {"item_id": item})
            assert answer.status_code == status


class TestOwnItems:
    def test_are_not_asked_about_again(self, ann, api):
        row, client = make_unknown(ann, "bracket-ww"), api(ann)

        act = client.post(f"/api/inventoryItems/{row.pk}/keepAsOwn").json()["data"][0]["act_id"]

        assert client.get(LIST).json()["data"] == []
        assert len(client.get(LIST, {"own": "true"}).json()["data"]) == 1
        client.post(f"/api/inventoryActs/{act}/undo")
        assert len(client.get(LIST).json()["data"]) == 1

    def test_without_a_number_are_told_apart_by_name(self, ann, api):
        row = make_unknown(ann, "x", "A lamp of mine")
        make_unknown(ann, "x", "A bell of mine")
        InventoryItem.objects.update(raw_item_number="")
        client = api(ann)

        client.post(f"/api/inventoryItems/{row.pk}/keepAsOwn")

        assert [one["part_name"] for one in client.get(LIST).json()["data"]] == ["A bell of mine"]


def test_an_operator_sees_which_file_would_name_how_many(ann, bo):
    make_unknown(ann, "98765")
    make_unknown(bo, "98765")
    make_unknown(ann, "98766", color=999)
    make_item("98766")
    out = StringIO()

    call_command("unknown_items", stdout=out)

    assert [line.split() for line in out.getvalue().splitlines()[1:]] == [
        ["Parts.txt", "1", "2", "2"],
        ["colors.txt", "1", "1", "1"],
    ]


def make_worded(owner, text="gebraucht?", **fields):
    """A row whose file has a condition that nobody understands."""
    return make_stock(owner, condition="?", condition_text=text, **fields)


class TestWords:
    def told(self, client, field):
        rows = client.get(f"{LIST}Words", {"field": field}).json()["data"]
        return [(row["text"], row["lots"], row["quantity"]) for row in rows]

    def test_have_one_row_a_text(self, ann, bo, api):
        make_worded(ann, quantity=1)
        make_worded(ann, quantity=2)
        make_worded(ann, "")
        make_worded(bo, "B")
        make_unknown(ann, "3001", color=None, raw_color_name="Redd")
        make_unknown(ann, "3002", color=999)

        assert self.told(api(ann), "condition") == [("gebraucht?", 2, 3), ("", 1, 5)]
        assert self.told(api(ann), "color") == [("Redd", 1, 5)]

    def test_that_are_conditions_are_named_for_all(self, ann, api):
        row, other = make_worded(ann), make_worded(ann)
        kept = make_worded(ann, "B")

        answer = api(ann).post(f"/api/inventoryItems/{row.pk}/nameWord", {"condition": "U"})

        assert answer.json()["data"][0]["item_count"] == 2
        assert set(InventoryItem.objects.filter(condition="U")) == {row, other}
        assert self.told(api(ann), "condition") == [("B", 1, kept.quantity)]

    def test_that_are_colours_make_their_lots_known(self, ann, api):
        item = make_item("3001")
        row = make_unknown(ann, "3001", color=None, raw_color_name="Redd")
        other = make_unknown(ann, "x9", color=None, raw_color_name="Redd")

        api(ann).post(f"/api/inventoryItems/{row.pk}/nameWord", {"color_id": 5})

        row.refresh_from_db()
        other.refresh_from_db()
        assert (row.lot.item, row.lot.color_id) == (item, 5)
        assert (other.lot, other.raw_color_id, other.raw_color_name) == (None, 5, "Redd")
        assert self.told(api(ann), "color") == []

    def test_are_undone_with_what_was_remembered(self, ann):
        row = make_worded(ann)
        named = unknown.name_word(row=row, field=WordField.CONDITION, meaning="U", by=ann, now=NOON)

        undo_act(act=named.act, by=ann, now=NOON)

        row.refresh_from_db()
        assert (row.condition, row.condition_text) == ("?", "gebraucht?")
        assert not WordChoice.objects.exists()

    @pytest.mark.parametrize(
        "body", [{}, {"condition": "?"}, {"color_id": 777}, {"condition": "N", "color_id": 5}]
    )
    def test_refuse_what_is_no_meaning(self, ann, api, body):
        row = make_worded(ann, raw_item_number="x", raw_color_name="Redd")

        answer = api(ann).post(f"/api/inventoryItems/{row.pk}/nameWord", body, format="json")

        assert answer.status_code == 400

    def test_of_another_person_are_not_found(self, ann, bo, api):
        row = make_worded(bo)

        answer = api(ann).post(f"/api/inventoryItems/{row.pk}/nameWord", {"condition": "U"})

        assert answer.status_code == 404

    def test_that_are_known_by_now_are_a_conflict(self, ann, api):
        row = make_stock(ann)

        answer = api(ann).post(f"/api/inventoryItems/{row.pk}/nameWord", {"condition": "U"})

        assert answer.status_code == 409

    def test_of_many_rows_are_named_by_a_job(self, ann, api, monkeypatch):
        monkeypatch.setattr(acts, "AT_ONCE", 1)
        row, other = make_worded(ann), make_worded(ann)

        answer = api(ann).post(f"/api/inventoryItems/{row.pk}/nameWord", {"condition": "U"})
        run_jobs()

        assert answer.status_code == 202
        assert set(InventoryItem.objects.filter(condition="U")) == {row, other}

    def test_wait_on_home(self, ann):
        make_worded(ann)
        make_unknown(ann, "3001", color=None, raw_color_name="Redd")

        [line] = unknown_words_of_files(Asked(owner=ann, now=NOON, currency="EUR"))
        assert (line.title, line.count) == ("Say what 2 words of your files mean", 2)


class TestConditionsThatWereNotUnderstood:
    def test_merge_with_nothing(self, ann):
        lot, bin_ = make_lot(), make_location(ann)
        rows = [
            make_stock(ann, lot, condition=condition, condition_text=text, quantity=1)
            for condition, text in (("?", "B"), ("?", "B"), ("?", "C"), ("U", ""), ("N", ""))
        ]

        lines = [MoveLine(item_id=row.pk, to_location_id=bin_.pk, quantity=1) for row in rows]
        move_items(owner=ann, lines=lines, by=ann, now=NOON)

        assert InventoryItem.objects.filter(location=bin_, quantity=1).count() == 5
        assert groups_of(rows[:3], {}) == []

    def test_serve_no_order_of_another_lot_of_the_store(self, ann):
        lot = make_lot()
        make_worded(ann, lot=lot)
        want = Want(line_id=1, quantity=1, lot_id=lot.pk, condition="?")

        assert promise(owner=ann, wants=[want], now=NOON) == {}

    def test_are_no_line_with_others_in_the_stock_by_lot(self, ann, api):
        lot = make_lot()
        for text in ("B", "C"):
            make_worded(ann, text, lot=lot)
        make_stock(ann, lot)

        rows = api(ann).get("/api/inventoryItems/lots").json()["data"]
        assert sorted(row["condition"] for row in rows) == ["?", "?", "U"]

    def test_are_shown_with_their_text_and_found(self, ann, api):
        make_worded(ann)
        make_stock(ann)

        [row] = api(ann).get("/api/inventoryItems", {"condition": "?"}).json()["data"]
        assert (row["condition"], row["condition_text"]) == ("?", "gebraucht?")
