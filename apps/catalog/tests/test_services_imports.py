"""Imports: what comes in, what is refused, and what a second run does (nothing)."""

from datetime import timedelta
from decimal import Decimal

import pytest

from apps.catalog.models import (
    Category,
    Color,
    ColorAlias,
    Component,
    CurrentFile,
    ElementCode,
    ImportRun,
    Item,
    ItemAlias,
    ItemInventory,
    ItemRelation,
    ItemText,
    Lot,
    RefusedRow,
    SearchWord,
)
from apps.catalog.selectors import search_items
from apps.catalog.selectors.resolving import LotIdentity, resolve_lots
from apps.catalog.services.imports import (
    ImportAlreadyRunning,
    ImportOptions,
    NothingToImport,
    import_catalog,
)
from apps.catalog.tests import files
from apps.core.clock import now
from apps.core.natural import natural_key

pytestmark = pytest.mark.django_db

TABLES = (
    Category,
    Color,
    ColorAlias,
    Component,
    ElementCode,
    Item,
    ItemAlias,
    ItemInventory,
    ItemRelation,
    ItemText,
    Lot,
    SearchWord,
)


@pytest.fixture
def folder(tmp_path):
    """Both catalogues, with the traps of the real ones."""
    files.write_files(tmp_path / "bricklink", files.BRICKLINK)
    files.write_files(tmp_path / "rebrickable", files.REBRICKABLE)
    return tmp_path


def run(*paths, **options):
    return import_catalog(paths=list(paths), options=ImportOptions(**options), clock=now)


def add(folder, name, text):
    return files.write_files(folder, {name: text})


def snapshot():
    return {model.__name__: list(model.objects.order_by("pk").values_list()) for model in TABLES}


def item(number, item_type="PART"):
    return Item.objects.get(item_type=item_type, number=number)


def rb_numbers(number, item_type="PART"):
    aliases = item(number, item_type).aliases.filter(catalogue="R", kind="id", is_current=True)
    return list(aliases.order_by("rank").values_list("value", flat=True))


def reasons(report):
    return {reason: count for _, reason, count in report.reasons()}


class TestBrickLink:
    def test_fills_items_categories_and_colours(self, folder):
        report = run(folder / "bricklink")

        brick = item("3001")
        assert (brick.name, brick.weight_grams, brick.dimensions) == (
            "Brick 2 x 4",
            Decimal("2.320"),
            "2 x 4 x 1",
        )
        assert (brick.category_id, brick.category_path, brick.origin) == (5, "Brick", "B")
        red = Color.objects.get(pk=5)
        assert (red.name, red.rgb, red.year_from) == ("Red", "B30006", 1950)
        assert Category.objects.get(pk=402).name == "Chip 'n' Dale"
        assert (report.refused, report.parked) == (0, 0)

    def test_takes_unknown_for_unknown_and_not_for_nothing(self, folder):
        run(folder / "bricklink")

        bundle = item("4117463-1", "SET")
        assert (bundle.name, bundle.year_released) == ('Toys "R" Us Bundle', None)
        assert (bundle.weight_grams, bundle.dimensions) == (None, "")
        truck = item("6329-1", "SET")
        assert (truck.category_id, truck.category_path) == (
            67,
            "Town / Classic Town / Supplemental",
        )

    def test_keeps_alternate_numbers(self, folder):
        run(folder / "bricklink")

        found = item("2569").aliases.values_list("value", "catalogue", "kind")
        assert set(found) == {("25699", "B", "alternate"), ("47094", "B", "alternate")}
        assert not item("4073").aliases.exists()

    def test_makes_the_lots_that_codes_prove_and_one_of_what_has_no_colour(self, folder):
        run(folder / "bricklink")

        colors = item("3001").lots.order_by("color_id").values_list("color_id", "is_known")
        assert list(colors) == [(5, True), (11, True)]
        code = ElementCode.objects.get(code="614124")
        assert (code.lot.item.number, code.lot.color_id) == ("4073", 3)
        lot = item("6329-1", "SET").lots.get()
        assert (lot.color_id, lot.composite_ssearch) == (
            0,
            "6329 1 truck stop cafe not applicable",
        )

    def test_makes_nameless_parts_that_only_codes_know(self, folder):
        add(folder / "bricklink", "codes.txt", files.CODES + "old99\tRed\t4777777\n")

        run(folder / "bricklink")

        assert (item("old99").name, item("old99").lots.count()) == ("", 1)

    def test_parks_a_code_of_an_unknown_colour(self, folder):
        add(folder / "bricklink", "codes.txt", files.CODES + "3001\tPuce\t4777777\n")

        report = run(folder / "bricklink")

        assert reasons(report) == {"colour … is not there": 1}
        assert not ElementCode.objects.filter(code="4777777").exists()

    def test_reads_weights_only_where_nobody_told_one(self, folder):
        add(folder / "bricklink", "weights.csv", "3001,9.99\n970c03,1.4\nunheard,1\n104,?\n")

        report = run(folder / "bricklink")

        assert item("3001").weight_grams == Decimal("2.320")
        assert item("970c03").weight_grams == Decimal("1.400")
        assert reasons(report) == {"part … is not in the catalogue": 2}

    def test_reads_the_contents_of_an_item(self, folder):
        add(folder / "bricklink", "S-6329-1.txt", files.CONTENTS)

        run(folder / "bricklink")

        inventory = item("6329-1", "SET").inventories.get()
        lines = inventory.components.order_by("pk").values_list(
            "lot__item__number",
            "quantity",
            "is_spare",
            "is_alternate",
            "match_id",
            "is_counterpart",
        )
        assert (inventory.catalogue, inventory.has_components) == ("B", True)
        assert set(lines) == {
            ("3001", 10, False, False, 0, False),
            ("4073", 4, True, False, 0, False),
            ("4073", 2, False, True, 7, False),
            ("970c01", 1, False, False, 0, True),
        }

    def test_makes_a_category_that_no_file_lists(self, folder):
        (folder / "bricklink" / "categories.txt").unlink()

        run(folder / "bricklink")

        assert Category.objects.get(pk=67).name == "Town"


class TestRebrickable:
    def test_stands_on_its_own(self, folder):
        report = run(folder / "rebrickable")

        part = item("6141")
        assert (part.origin, part.category_path) == ("R", "Bricks")
        assert item("3626cpr0001").name == 'Head with "Grin" print'
        theme = item("0011-2", "SET").category
        assert theme is not None
        assert (theme.pk, theme.path) == (30067, "Classic Town")
        assert Category.objects.get(pk=30003).path == "Technic / Competition"
        assert item("fig-000002", "MINIFIG").name == "PS Vita"
        assert report.refused == 0

    def test_knows_brickLinks_colours_from_the_start(self, folder):
        run(folder / "rebrickable")

        lots = item("3001").lots.order_by("color_id").values_list("color__name", flat=True)
        assert list(lots) == ["Red", "Black"]
        assert ColorAlias.objects.get(value="4").color_id == 5
        assert ColorAlias.objects.get(value="-1").color_id == 9999

    def test_lists_contents_with_minifigs_and_sets(self, folder):
        run(folder / "rebrickable")

        first, second = item("6329-1", "SET").inventories.order_by("version")
        lines = first.components.order_by("pk").values_list(
            "lot__item__number", "quantity", "is_spare"
        )
        assert set(lines) == {
            ("3001", 10, False),
            ("6141", 4, True),
            ("6141", 2, False),
            ("fig-000001", 2, False),
        }
        assert (first.has_components, second.has_components) == (True, False)
        assert item("0011-2", "SET").inventories.get().components.get().lot.item.number == "6329-1"

    def test_keeps_relations_and_makes_moulds_findable(self, folder):
        run(folder / "rebrickable")

        kinds = ItemRelation.objects.values_list("kind", "child__number", "parent__number")
        assert set(kinds) == {("M", "50746", "54200"), ("P", "3626cpr0001", "3001")}
        assert [hit.number for hit in search_items("50746").hits] == ["50746", "54200"]

    def test_reads_old_files_too(self, tmp_path):
        unix = {name: text.replace("\r\n", "\n") for name, text in files.REBRICKABLE.items()}
        unix["colors.csv"] = files.RB_COLORS_2017

        run(files.write_files(tmp_path / "old", unix))

        assert ColorAlias.objects.get(value="41").name == "Trans-Blue"
        assert item("3001").lots.count() == 2


class TestBoth:
    def test_matches_parts_by_elements_and_not_by_numbers(self, folder):
        run(folder / "bricklink", folder / "rebrickable")

        assert rb_numbers("4073") == ["6141"]
        assert rb_numbers("970c01") == ["970c27"]
        assert rb_numbers("970c03") == ["970c01"]
        assert rb_numbers("3001") == ["3001"]
        stranger = ItemAlias.objects.get(catalogue="R", value="970c03").item
        assert (stranger.number, stranger.origin) == ("rb-970c03", "R")

    def test_matches_sets_gear_and_fills_what_bricklink_does_not_tell(self, folder):
        run(folder / "bricklink", folder / "rebrickable")

        truck = item("6329-1", "SET")
        assert (truck.name, truck.year_released) == ("Truck Stop Café {Cafe}", 1998)
        assert truck.image_url == "https://cdn.example.org/6329-1.jpg"
        assert rb_numbers("850001", "GEAR") == ["850001-1"]
        assert not Item.objects.filter(number="850001-1").exists()
        assert item("0011-2", "SET").origin == "R"

    def test_puts_contents_on_bricklinks_items(self, folder):
        run(folder / "bricklink", folder / "rebrickable")

        inventory = item("6329-1", "SET").inventories.get(version=1)
        assert set(inventory.components.values_list("lot__item__number", flat=True)) == {
            "3001",
            "4073",
            "fig-000001",
        }

    def test_adds_elements_that_bricklink_lacks(self, folder):
        run(folder / "bricklink", folder / "rebrickable")

        assert ElementCode.objects.get(code="4999999").catalogue == "R"
        assert ElementCode.objects.get(code="614121").catalogue == "B"

    def test_lends_names_and_lets_them_follow(self, folder):
        parts = files.PARTS.replace("26\tPlate\t4073\tPlate, Round 1 x 1\t \t0.14\t1 x 1 x 0\n", "")
        add(folder / "bricklink", "Parts.txt", parts)
        run(folder / "bricklink", folder / "rebrickable")
        assert (item("4073").name, item("4073").name_from) == ("Plate Round 1 x 1", "R")

        renamed = files.RB_PARTS.replace("Plate Round 1 x 1", "Round Plate 1 x 1")
        add(folder / "rebrickable", "parts.csv", renamed)
        run(folder / "rebrickable")

        assert item("4073").name == "Round Plate 1 x 1"
        assert search_items("round plate").hits[0].number == "4073"

    def test_sorts_every_item_by_its_number(self, folder):
        run(folder / "rebrickable")
        run(folder)  # renumbers parts

        keys = Item.objects.values_list("sort_key", "number")
        assert [number for key, number in keys if key != natural_key(number)] == []

    def test_gives_the_same_in_any_order(self, folder):
        """Rebrickable first: its parts are renumbered, keep their keys, and clash with nobody."""
        run(folder / "rebrickable")
        keys = {
            alias.value: alias.item_id
            for alias in ItemAlias.objects.filter(catalogue="R", kind="id", is_current=True)
        }

        run(folder / "bricklink", folder / "rebrickable")

        assert rb_numbers("4073") == ["6141"]
        assert rb_numbers("970c01") == ["970c27"]
        assert rb_numbers("970c03") == ["970c01"]
        assert item("4073").pk == keys["6141"]
        assert item("970c01").pk == keys["970c27"]
        assert item("970c03").pk == keys["970c01"]
        assert item("970c01").name == "Hips and White Legs"
        gear = item("850001", "GEAR")
        replaced = item("850001-1", "SET")
        assert (replaced.is_retired, replaced.replaced_by) == (True, gear)

    def test_takes_maps_where_the_lists_are_missing(self, folder):
        (folder / "rebrickable" / "elements.csv").unlink()
        add(
            folder / "rebrickable",
            "map.csv",
            "rebrickable_part,bricklink_part,shared_elements,share_of_rb\n6141,4073,124,1.0\n",
        )

        run(folder / "bricklink", folder / "rebrickable")

        assert rb_numbers("4073") == ["6141"]


class TestASecondRun:
    def test_reads_nothing_that_did_not_change(self, folder):
        run(folder / "bricklink", folder / "rebrickable")
        before = snapshot()

        report = run(folder / "bricklink", folder / "rebrickable")

        assert {figures.state for figures in report.files.values()} == {"unchanged"}
        assert (report.written, snapshot()) == (0, before)

    def test_writes_nothing_even_when_it_reads_everything(self, folder):
        add(folder / "bricklink", "S-6329-1.txt", files.CONTENTS)
        run(folder / "bricklink", folder / "rebrickable")
        before = snapshot()

        report = run(folder / "bricklink", folder / "rebrickable", reread=True)

        assert report.written == 0, report.tables
        assert snapshot() == before

    def test_writes_only_the_row_that_differs(self, folder):
        run(folder / "bricklink", folder / "rebrickable")
        before = {pk: at for pk, at in Item.objects.values_list("pk", "updated_at")}
        add(folder / "bricklink", "Parts.txt", files.PARTS.replace("2.32", "2.40"))

        report = run(folder / "bricklink", folder / "rebrickable")

        changed = [
            pk for pk, at in Item.objects.values_list("pk", "updated_at") if before[pk] != at
        ]
        assert changed == [item("3001").pk]
        assert (report.written, report.tables["items"].changed) == (1, 1)
        assert report.files["rebrickable/inventory_parts.csv"].state == "unchanged"
        assert run(folder / "bricklink", folder / "rebrickable").written == 0

    def test_reads_contents_again_when_their_numbers_moved(self, folder):
        run(folder / "bricklink", folder / "rebrickable")
        moved = files.RB_PARTS + "9999,New part,11,Plastic\r\n"
        add(folder / "rebrickable", "parts.csv", moved)

        report = run(folder / "bricklink", folder / "rebrickable")

        assert report.files["rebrickable/inventory_parts.csv"].state == "read"

    def test_reads_again_what_another_import_may_have_changed(self, folder):
        run(folder / "rebrickable")
        run(folder / "bricklink")

        report = run(folder / "rebrickable")

        assert "unchanged" not in {figures.state for figures in report.files.values()}
        assert (
            ItemInventory.objects.get(item=item("6329-1", "SET"), version=1).components.count() == 4
        )

    def test_never_erases_what_an_unknown_value_replaces(self, folder):
        run(folder / "bricklink")
        unknown = files.SETS.replace("1998\t475\t33.5 x 24 x 6", "?\t?\t? x ? x ?")
        add(folder / "bricklink", "Sets.txt", unknown)

        run(folder / "bricklink")

        truck = item("6329-1", "SET")
        assert (truck.year_released, truck.weight_grams) == (1998, Decimal("475.000"))


class TestAnUpdate:
    def big(self, folder, count=30):
        rows = "".join(f"5\tBrick\tx{n}\tBrick {n} x 99\t\t1\t\n" for n in range(count))
        add(folder / "bricklink", "Parts.txt", files.PARTS.rstrip("\n") + "\n" + rows)

    def test_renames_adds_and_retires(self, folder):
        self.big(folder)
        run(folder / "bricklink")
        text = (folder / "bricklink" / "Parts.txt").read_text()
        text = text.replace("Brick 2 x 4\t", "Brick 2 x 4 New\t").replace("\tx3\t", "\ty3\t")
        add(folder / "bricklink", "Parts.txt", text)

        report = run(folder / "bricklink")

        assert item("3001").name == "Brick 2 x 4 New"
        assert (item("x3").is_retired, item("y3").is_retired) == (True, False)
        figures = report.tables["items"]
        assert (figures.added, figures.changed, figures.retired) == (1, 1, 1)
        assert item("3001").lots.get(color_id=5).composite_ssearch.split()[-1] == "red"
        assert "new" in item("3001").lots.get(color_id=5).composite_ssearch

    def test_takes_back_what_reappears(self, folder):
        self.big(folder)
        run(folder / "bricklink")
        whole = (folder / "bricklink" / "Parts.txt").read_text()
        add(folder / "bricklink", "Parts.txt", whole.replace("\tx3\t", "\ty3\t"))
        run(folder / "bricklink")
        add(folder / "bricklink", "Parts.txt", whole)

        run(folder / "bricklink")

        assert item("x3").is_retired is False

    def test_does_not_take_a_part_of_the_table_for_the_whole(self, folder):
        self.big(folder)
        run(folder / "bricklink")
        add(folder / "bricklink", "Parts.txt", files.PARTS)

        report = run(folder / "bricklink")

        assert not Item.objects.filter(is_retired=True).exists()
        assert "looks like a part of the table" in report.notes[0]

        run(folder / "bricklink", retire_all=True, reread=True)

        assert Item.objects.filter(is_retired=True).count() == 30

    def test_keeps_a_renumbered_part_findable(self, folder):
        run(folder / "bricklink")
        add(folder / "bricklink", "codes.txt", files.CODES.replace("970c03\t", "970c99\t"))

        run(folder / "bricklink")

        former = item("970c99").aliases.get()
        assert (former.value, former.kind, former.catalogue) == ("970c03", "former", "B")
        assert item("970c03").lots.exists()
        assert [hit.number for hit in search_items("970c03").hits][:2] == ["970c03", "970c99"]

    def moved(self, folder, old, new, alternate=""):
        """Import a catalogue that has `old`, then one that has `new` in its place."""
        self.big(folder)
        whole = (folder / "bricklink" / "Parts.txt").read_text()
        row = "5\tBrick\t{0}\tA print\t{1}\t1\t\n"
        add(folder / "bricklink", "Parts.txt", whole + row.format(old, ""))
        run(folder / "bricklink")
        add(folder / "bricklink", "Parts.txt", whole + row.format(new, alternate))
        run(folder / "bricklink")

    @pytest.mark.parametrize(
        ("old", "new", "alternate"),
        [("3001pb1", "3001pb001", ""), ("3001px7", "3001pb002", "3001px7")],
    )
    def test_follows_a_print_to_its_new_number(self, folder, old, new, alternate):
        self.moved(folder, old, new, alternate)

        assert item(old).is_retired is True
        assert item(old).replaced_by == item(new)
        assert [hit.number for hit in search_items(old).hits] == [new]
        asked = LotIdentity("P", old)
        assert resolve_lots([asked])[asked].item_id == item(new).pk

    def test_follows_no_number_that_several_answer_to(self, folder):
        self.moved(folder, "3001px7", "3001pb002", "3001px7")
        whole = (folder / "bricklink" / "Parts.txt").read_text()
        also = "5\tBrick\t3001pb003\tA print\t3001px8\t1\t\n5\tBrick\t3001pb004\tA\t3001px8\t1\t\n"
        add(
            folder / "bricklink",
            "Parts.txt",
            whole + "5\tBrick\t3001px8\tA print\t\t1\t\n",
        )
        run(folder / "bricklink")
        add(folder / "bricklink", "Parts.txt", whole + also)
        run(folder / "bricklink")

        assert (item("3001px8").is_retired, item("3001px8").replaced_by) == (True, None)

    def test_follows_a_number_that_moves_twice(self, folder):
        self.moved(folder, "3001px7", "3001pb02", "3001px7")
        text = (folder / "bricklink" / "Parts.txt").read_text()
        text = text.replace("3001pb02", "3001pb002")
        add(folder / "bricklink", "Parts.txt", text)
        run(folder / "bricklink")

        assert item("3001px7").replaced_by == item("3001pb002")

    def test_lets_a_number_that_reappears_be_its_own_again(self, folder):
        self.moved(folder, "3001pb1", "3001pb001")
        text = (folder / "bricklink" / "Parts.txt").read_text()
        row = "5\tBrick\t3001pb1\tAnother print\t\t1\t\n"
        add(folder / "bricklink", "Parts.txt", text + row)
        run(folder / "bricklink")

        assert (item("3001pb1").is_retired, item("3001pb1").replaced_by) == (False, None)
        assert search_items("3001pb1").hits[0].number == "3001pb1"

    def test_ends_numbers_that_rebrickable_dropped(self, folder):
        extra = "".join(f"q{n},Part {n},11,Plastic\r\n" for n in range(30))
        add(folder / "rebrickable", "parts.csv", files.RB_PARTS + extra)
        run(folder / "bricklink", folder / "rebrickable")
        gone = (files.RB_PARTS + extra).replace("q7,Part 7,11,Plastic\r\n", "")
        add(folder / "rebrickable", "parts.csv", gone)

        run(folder / "bricklink", folder / "rebrickable")

        ended = ItemAlias.objects.get(catalogue="R", kind="id", value="q7")
        assert (ended.is_current, ended.until) == (False, now().date())
        assert item("q7").is_retired is True

    def test_replaces_the_lines_of_an_inventory(self, folder):
        run(folder / "rebrickable")
        text = files.RB_INVENTORY_PARTS.replace("1,3001,4,10", "1,3001,4,11").replace(
            "1,6141,4,4,True,\r\n", ""
        )
        add(folder / "rebrickable", "inventory_parts.csv", text)

        report = run(folder / "rebrickable")

        lines = item("6329-1", "SET").inventories.get(version=1).components
        assert set(lines.values_list("lot__item__number", "quantity")) == {
            ("3001", 11),
            ("6141", 2),
            ("fig-000001", 2),
        }
        figures = report.tables["components"]
        assert (figures.added, figures.changed, figures.removed) == (0, 1, 1)


class TestRefusals:
    def test_refuses_a_broken_row_in_the_middle_and_imports_the_rest(self, folder, tmp_path):
        text = files.RB_PARTS.replace(
            "970c27,", 'bad,"never closed,11,Plastic\r\n,No number,11,Plastic\r\n970c27,'
        )
        add(folder / "rebrickable", "parts.csv", text + "3001,Again,11,Plastic\r\nz,Z,x1,P\r\n")
        path = tmp_path / "report.csv"

        report = run(folder / "rebrickable", report_path=path)

        assert item("970c27").name == "Hips and White Legs"
        assert item("3001").name == "Brick 2 x 4"
        lines = path.read_text().splitlines()
        assert lines[0] == "file,line,kind,reason,text"
        assert sorted(line.split(",")[1] for line in lines[1:]) == ["12", "13", "4", "5"]
        assert "rebrickable/parts.csv,5,refused,no item number" in lines[2]
        assert "stands already in line 2" in path.read_text()
        assert (report.refused, report.parked) == (4, 0)
        assert RefusedRow.objects.filter(is_parked=False).count() == 4

    def test_parks_rows_that_point_to_nothing(self, folder):
        more = {
            "elements.csv": files.RB_ELEMENTS + "4888888,gone,4,\r\n4888889,3001,777,\r\n",
            "part_relationships.csv": files.RB_RELATIONS + "P,gone,3001\r\n",
            "inventories.csv": files.RB_INVENTORIES + "9,1,fig-999999\r\n",
            "inventory_parts.csv": files.RB_INVENTORY_PARTS + "99,3001,4,1,f,\r\n1,gone,4,1,f,\r\n",
            "inventory_minifigs.csv": files.RB_INVENTORY_MINIFIGS + "99,fig-000001,1\r\n",
            "themes.csv": files.RB_THEMES + "500,Lost,499\r\n",
        }
        files.write_files(folder / "rebrickable", more)

        report = run(folder / "rebrickable")

        assert reasons(report) == {
            "part … is not in parts": 1,
            "colour … is not in colors": 1,
            "child part … is not in parts": 1,
            "set or fig … is not there": 1,
            "inventory … is not there": 1,
            "theme … is not there; kept at the top": 1,
        } | {"part … is not in parts": 1}
        assert report.parked == 8
        assert item("3001").lots.count() == 2
        assert Category.objects.get(pk=30500).parent is None

    def test_parks_new_rows_of_an_unknown_category(self, folder):
        run(folder / "rebrickable")
        more = {
            "parts.csv": files.RB_PARTS.replace(
                "50746,Slope 30 1 x 1,11", "50746,Slope 30 1 x 1 x 2/3,98"
            )
            + "90001,Lost Brick,99,Plastic\r\n",
            "sets.csv": files.RB_SETS + "99999-1,Lost Set,2020,98,5,\r\n",
        }
        files.write_files(folder / "rebrickable", more)

        report = run(folder / "rebrickable")

        assert not Item.objects.filter(number__in=["90001", "99999-1"]).exists()
        assert reasons(report) == {
            "category … is not there": 1,
            "theme … is not there": 1,
            "category … is not there, so 50746 keeps its own": 1,
        }
        assert report.parked == 3
        slope = item("50746")
        assert (slope.name, slope.category_path) == ("Slope 30 1 x 1 x 2/3", "Bricks")
        assert not slope.is_retired

    def test_tells_which_file_wins_and_which_nobody_knows(self, folder):
        add(folder / "rebrickable", "old_colors.csv", files.RB_COLORS_2017)
        add(folder / "rebrickable", "notes.txt", "Dear diary\n")

        report = run(folder / "rebrickable")

        assert report.files["rebrickable/old_colors.csv"].state == "superseded"
        assert report.files["rebrickable/notes.txt"].state == "unknown"
        assert "Dear diary" in report.files["rebrickable/notes.txt"].note

    def test_imports_a_damaged_file_up_to_the_damage_and_retires_nothing(self, folder):
        extra = "".join(f"q{n},Part {n},11,Plastic\r\n" for n in range(3_000))
        run(folder / "rebrickable")
        path = folder / "rebrickable" / "parts.csv"
        path.unlink()
        files.write_files(folder / "rebrickable", {"parts.csv.gz": files.RB_PARTS + extra})
        packed = path.with_suffix(".csv.gz")
        packed.write_bytes(packed.read_bytes()[:-2_000])

        report = run(folder / "rebrickable")

        assert [figures.name for figures in report.damaged] == ["rebrickable/parts.csv.gz"]
        assert not Item.objects.filter(is_retired=True).exists()
        assert not CurrentFile.objects.filter(name="rebrickable/parts.csv.gz").exists()

    def test_refuses_to_import_nothing(self, tmp_path):
        files.write_files(tmp_path / "in", {"a.txt": "Dear diary\n"})

        for path in (tmp_path / "in", tmp_path / "nothing"):
            with pytest.raises(NothingToImport):
                run(path)

        assert not ImportRun.objects.exists()


class TestTheRun:
    def test_is_recorded(self, folder):
        report = run(folder / "bricklink", folder / "rebrickable")

        recorded = ImportRun.objects.get()
        assert (recorded.is_running, recorded.revision, recorded.refused) == (False, 1, 0)
        assert recorded.tables["items"]["added"] == report.tables["items"].added
        assert {file["state"] for file in recorded.files} == {"read"}

    def test_is_refused_while_another_is_at_work(self, folder):
        ImportRun.objects.create(started_at=now(), heartbeat_at=now(), importer_version=1)

        with pytest.raises(ImportAlreadyRunning):
            run(folder / "bricklink")

        assert not Item.objects.exists()

    def test_takes_over_from_one_that_died_and_mends_its_lines(self, folder):
        run(folder / "bricklink")
        Item.objects.filter(number="3001").update(name="Broken off")
        long_ago = now() - timedelta(minutes=10)
        ImportRun.objects.create(started_at=now(), heartbeat_at=long_ago, importer_version=1)

        run(folder / "bricklink")

        assert item("3001").name == "Brick 2 x 4"
        assert search_items("3001").hits[0].name == "Brick 2 x 4"
        assert ImportRun.objects.filter(is_running=True).count() == 0

    def test_ends_when_it_fails(self, folder, monkeypatch):
        def fail(work):
            raise RuntimeError("no more disk")

        monkeypatch.setattr("apps.catalog.services.imports.contents.import_contents", fail)

        with pytest.raises(RuntimeError):
            run(folder / "rebrickable")

        broken = ImportRun.objects.get()
        assert (broken.is_running, broken.finished_at) == (False, None)
        assert broken.message == "RuntimeError: no more disk"
        monkeypatch.undo()

        run(folder / "rebrickable")

        assert Component.objects.count() > 0

    def test_changes_nothing_when_it_is_dry(self, folder):
        run(folder / "bricklink")
        before = snapshot()

        report = run(folder / "rebrickable", dry_run=True)

        assert report.written > 0
        assert snapshot() == before
        assert ImportRun.objects.filter(is_dry_run=True, is_running=False).count() == 1
        assert CurrentFile.objects.count() == len(files.BRICKLINK)


class TestOldSetLists:
    HEADER = "set_id,piece_id,num,color,type\n"

    def test_fill_only_what_nothing_better_tells(self, folder):
        rows = "0011-2,3001,5,4,1\n0011-2,6141,1,4,2\n6329-1,3001,99,4,1\nother-1,3001,1,4,1\n"
        add(folder / "rebrickable", "set_pieces.csv", self.HEADER + rows)
        add(folder / "rebrickable", "inventory_sets.csv", "inventory_id,set_num,quantity\r\n")

        report = run(folder / "bricklink", folder / "rebrickable")

        old = item("0011-2", "SET").inventories.get()
        assert (old.note, old.has_inline_minifigs) == ("2014 pieces", True)
        assert set(old.components.values_list("lot__item__number", "quantity", "is_spare")) == {
            ("3001", 5, False),
            ("4073", 1, True),
        }
        assert Component.objects.filter(quantity=99).count() == 0
        assert reasons(report) == {"set … is not there": 1}

    def test_are_written_once(self, folder):
        add(folder / "rebrickable", "set_pieces.csv", self.HEADER + "0011-2,3001,5,4,1\n")
        add(folder / "rebrickable", "inventory_sets.csv", "inventory_id,set_num,quantity\r\n")
        run(folder / "bricklink", folder / "rebrickable")
        before = snapshot()

        report = run(folder / "bricklink", folder / "rebrickable", reread=True)

        assert report.written == 0
        assert snapshot() == before

    def test_give_way_to_real_contents(self, folder):
        add(folder / "rebrickable", "set_pieces.csv", self.HEADER + "0011-2,3001,5,4,1\n")
        add(folder / "rebrickable", "inventory_sets.csv", "inventory_id,set_num,quantity\r\n")
        run(folder / "rebrickable")
        add(
            folder / "rebrickable",
            "inventory_parts.csv",
            files.RB_INVENTORY_PARTS + "3,6141,4,7,f,\r\n",
        )

        run(folder / "rebrickable")

        real = item("0011-2", "SET").inventories.get()
        assert (real.note, real.has_inline_minifigs) == ("", False)
        assert list(real.components.values_list("lot__item__number", "quantity")) == [("6141", 7)]


class TestDerivedContents:
    def test_tell_where_they_come_from_and_that_figs_are_inline(self, folder):
        add(
            folder / "rebrickable",
            "sources.csv",
            "inventory_id,set_num,source,rows,quantity_no_spares,rebrickable_num_parts,"
            "unresolved_quantity,has_minifigs_in_rebrickable\n1,6329-1,2014,3,12,20,2,1\n",
        )

        run(folder / "rebrickable")

        inventory = item("6329-1", "SET").inventories.get(version=1)
        assert (inventory.note, inventory.missing_quantity, inventory.has_inline_minifigs) == (
            "2014",
            2,
            True,
        )


class TestLDraw:
    HEADER = "ldraw_num,description,category,ldraw_org,bricklink,rebrickable,brickset,brickowl,sets,keywords,license\n"

    def test_links_numbers_and_follows_moves(self, folder):
        rows = (
            "30039,Tile,Tile,Part,3001,,,,,,\n3626p01,Head,Head,Part,,3626cpr0001,,,,,\n"
            "973old,~Moved to 6141,Moved,Part,,,,,,,\nnone,Nothing,Part,Part,,,,,,,\n"
            "lost,~Moved to nowhere,Moved,Part,,,,,,,\n"
        )
        add(folder / "rebrickable", "ldraw_parts_index.csv", self.HEADER + rows)

        report = run(folder / "bricklink", folder / "rebrickable")

        aliases = ItemAlias.objects.filter(catalogue="L").values_list("value", "item__number")
        assert set(aliases) == {("30039", "3001"), ("3626p01", "3626cpr0001"), ("973old", "4073")}
        assert reasons(report) == {"names parts that the catalogue does not have": 1}
