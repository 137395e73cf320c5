"""The real files, where they lie beside the project: an excerpt imported, heads recognised."""

import csv
import gzip
import io
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from django.db.models import Sum

from apps.catalog.models import Color, ColorAlias, Item, ItemAlias, ItemInventory
from apps.catalog.rules.readers.formats import Table, UnknownFile
from apps.catalog.rules.readers.layouts import recognise
from apps.catalog.rules.readers.sources import sources_in
from apps.catalog.selectors import search_items
from apps.catalog.services.imports import ImportOptions, import_catalog
from apps.core.clock import now

# Numbers whose mapping the catalogue's notes tell, beside those of the set 10350-1.
TOLD = {
    "3001", "4073", "3069", "3070", "3068", "3062", "2412b", "32064", "4032", "4085d", "970c01",
    "970c03", "970c07", "970c00", "970c11", "3794a", "3794b", "15573", "553", "5716", "75c11",
    "2625", "3742", "4623a",
}  # fmt: skip
MORE_SETS = {"10350-1", "10179-1", "6329-1", "4117463-1"}


def lines(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode().splitlines()


def write(path: Path, rows: Iterable[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress("".join(f"{row}\n" for row in rows).encode(), 1))


def keep(source: Path, target: Path, wanted: Callable[[list[str]], bool], *, tab: bool) -> None:
    """Copy the header and the rows that are wanted."""
    header, *rows = lines(source)
    split = (lambda row: row.split("\t")) if tab else (lambda row: next(csv.reader([row])))
    write(target, [header, *(row for row in rows if row and wanted(split(row)))])


@pytest.fixture(scope="module")
def excerpt(tmp_path_factory, request):
    """Real rows of some hundred parts, all colours, and the set 10350-1 with its contents."""
    from conftest import SHARED

    real = SHARED / "data" / "catalog"
    if not real.is_dir():
        pytest.skip("the shared sample catalog is not here")
    folder = tmp_path_factory.mktemp("excerpt")
    bl, rb = real / "bricklink", real / "rebrickable"
    contents = [row.split("\t") for row in lines(bl / "S-10350-1.txt.gz") if row][1:]
    numbers = {row[1] for row in contents if row[0] == "P"} | TOLD
    figs = {row[1] for row in contents if row[0] == "M"}
    codes = [row.split("\t") for row in lines(bl / "codes.txt.gz")[1:] if row]
    elements = [row.split(",") for row in lines(rb / "elements.csv.gz")[1:]]
    wanted_codes = {code for number, _, code in codes if number in numbers}
    parts = {part for code, part, *_ in elements if code in wanted_codes} | {"970c03", "970c07"}
    wanted_codes |= {code for code, part, *_ in elements if part in parts}
    numbers |= {number for number, _, code in codes if code in wanted_codes}

    for name in ("colors.txt.gz", "categories.txt.gz", "S-10350-1.txt.gz", "Parts.sample.txt.gz"):
        (folder / "bricklink").mkdir(exist_ok=True)
        (folder / "bricklink" / name).write_bytes((bl / name).read_bytes())
    keep(
        bl / "codes.txt.gz", folder / "bricklink/codes.txt.gz", lambda r: r[0] in numbers, tab=True
    )
    for name in ("Sets", "Original Boxes", "Instructions"):
        keep(
            bl / f"{name}.txt.gz",
            folder / f"bricklink/{name}.txt.gz",
            lambda r: r[2] in MORE_SETS,
            tab=True,
        )
    keep(
        bl / "Minifigures.txt.gz",
        folder / "bricklink/Minifigures.txt.gz",
        lambda r: r[2] in figs,
        tab=True,
    )
    keep(
        real / "mapping/bricklink_parts.derived.csv.gz",
        folder / "bricklink/parts.csv.gz",
        lambda r: r[0] in numbers,
        tab=False,
    )
    for name in ("colors", "themes", "part_categories"):
        write(folder / f"rebrickable/{name}.csv.gz", lines(rb / f"{name}.csv.gz"))
    keep(
        rb / "parts.csv.gz", folder / "rebrickable/parts.csv.gz", lambda r: r[0] in parts, tab=False
    )
    keep(
        rb / "elements.csv.gz",
        folder / "rebrickable/elements.csv.gz",
        lambda r: r[1] in parts,
        tab=False,
    )
    keep(
        rb / "sets.csv.gz",
        folder / "rebrickable/sets.csv.gz",
        lambda r: r[0] in MORE_SETS,
        tab=False,
    )
    return folder


@pytest.fixture
def imported(db, excerpt):
    return import_catalog(paths=[excerpt], options=ImportOptions(), clock=now)


def bricklink_of(part):
    return ItemAlias.objects.get(
        catalogue="R", kind="id", value=part, item__item_type="PART"
    ).item.number


class TestTheRealCatalogue:
    def test_is_recognised_to_the_last_file(self, shared_data):
        known, strangers = set(), []
        for source in sources_in([shared_data("catalog")]):
            try:
                known.add(recognise(source).table)
            except UnknownFile:
                strangers.append(source.base_name)

        assert known == set(Table)
        assert sorted(strangers) == [
            "CAlicense",
            "CAlicense4",
            "CAreadme",
            "LDConfig.ldr",
            "LDConfig_TLG.ldr",
        ]

    def test_is_imported_and_a_second_run_writes_nothing(self, imported, excerpt):
        assert imported.refused == 0

        again = import_catalog(paths=[excerpt], options=ImportOptions(reread=True), clock=now)

        assert (again.written, again.parked) == (0, imported.parked)

    def test_maps_parts_as_their_elements_say(self, imported):
        said = {
            "3001": "3001",
            "6141": "4073",
            "3069b": "3069",
            "3070b": "3070",
            "3068b": "3068",
            "3062b": "3062",
            "2412b": "2412b",
            "32064a": "32064",
            "4032a": "4032",
            "60897": "4085d",
            "970c01": "970c03",
            "970c27": "970c01",
            "970c28": "970c07",
            "30367c": "553",
            "3794b": "3794a",
            "15573": "15573",
            "3742c01": "3742",
            "4623": "4623a",
        }

        assert {part: bricklink_of(part) for part in said} == said
        assert bricklink_of("970c07") not in {"970c07"}

    def test_maps_colours_of_the_told_traps(self, imported):
        ids = dict(ColorAlias.objects.filter(catalogue="R").values_list("value", "color_id"))

        assert {value: ids[value] for value in ("0", "4", "71", "72", "9999")} == {
            "0": 11, "4": 5, "71": 86, "72": 85, "9999": 0,
        }  # fmt: skip
        assert Color.objects.get(name="Bright Green", origin="B").rgb == "10CB31"

    def test_counts_the_set_10350_1(self, imported):
        inventory = ItemInventory.objects.get(
            item__number="10350-1", item__item_type="SET", catalogue="B"
        )
        counted = inventory.components.filter(is_spare=False, is_counterpart=False)

        def pieces(item_type):
            of_type = counted.filter(lot__item__item_type=item_type)
            return of_type.aggregate(total=Sum("quantity"))["total"]

        assert (pieces("PART"), pieces("MINIFIG")) == (3231, 8)

    def test_is_searched_as_people_ask(self, imported):
        firsts = {
            "6141": "4073",
            "3069b": "3069",
            "10179": "10179-1",
            "twn510": "twn510",
            "truck stop cafe": "6329-1",
            "toys r us": "4117463-1",
        }

        assert {text: search_items(text).hits[0].number for text in firsts} == firsts
        assert [hit.number for hit in search_items("970c01").hits][:2] == ["970c01", "970c03"]
        assert search_items("2x4").hits == search_items("2 x 4").hits
        assert search_items("4526794").hits[0].matched == "element"

    def test_keeps_messy_rows(self, imported):
        assert Item.objects.get(number="2412u", item_type="PART").name.endswith(
            "(Undetermined Type)"
        )
        bar = Item.objects.get(number="2714a", item_type="PART")
        assert bar.name.startswith("Bar   8L")
        tire = Item.objects.get(number="132old", item_type="PART")
        assert not tire.aliases.filter(kind="alternate", catalogue="B").exists()
        truck = Item.objects.get(number="6329-1", item_type="SET")
        assert truck.name == "Truck Stop Café {Cafe}"


class TestTheRealReport:
    def test_lists_what_points_nowhere(self, db, excerpt, tmp_path):
        path = tmp_path / "report.csv"

        report = import_catalog(paths=[excerpt], options=ImportOptions(report_path=path), clock=now)

        rows = list(csv.DictReader(io.StringIO(path.read_text()))) if report.parked else []
        assert len(rows) == report.parked
        assert {row["kind"] for row in rows} <= {"parked"}
