"""Makes the large part of the starter catalogue: its `all_parts.csv.gz` and `all_sets.csv.gz`.

python -m vision.ldraw.starter --library complete.zip --tables FOLDER [--inventories FILE]

`--library` is LDraw's parts library (CC BY 2.0 and 4.0): names, numbers, the numbers that parts had
before, and the numbers that BrickLink and Rebrickable give them. `--tables` holds Rebrickable's
downloads parts, part_categories, elements, sets and themes (free for any purpose): parts that LDraw
lacks, element ids, and with them the colours of each part. `--inventories` is its inventory_parts:
colours from before there were element ids. Nothing of BrickLink's catalogue is read. The small
part of the starter catalogue, whose numbers are BrickLink's, is kept by hand.
"""

import argparse
import csv
import gzip
import io
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from apps.catalog.services.starter import FOLDER
from apps.pictures.rules.finding import known_aliases, other_letters
from apps.pictures.rules.headers import Header, read_header
from vision.ldraw.library import Library

PART_CATEGORIES: Final = 20_000
# Stickers have no numbers that sellers use; the others are no parts.
_NO_PARTS: Final = re.compile(r"^(~|_|\||=|Sticker|LSynth|Minifig Torso with Arms.*Shortcut)")
_SHEET: Final = re.compile(r"^Sticker Sheet for Set (\d+)-1$")
_LETTERED: Final = re.compile(r"^(\d+)[a-z]$")
_BL_NUMBER: Final = re.compile(r"[a-z]?\d{2,}[a-z0-9.\-]*")
# Where LDraw's category alone tells Rebrickable's: parts that only LDraw has.
_CATEGORIES: Final = (
    ("Minifig Head", 59), ("Minifig Torso", 60), ("Minifig Hips", 61), ("Minifig Leg", 61),
    ("Minifig Hat", 65), ("Minifig Hair", 65), ("Minifig Helmet", 65), ("Minifig Cap", 65),
    ("Minifig", 27), ("Tile", 19), ("Technic Axle", 46), ("Technic Beam", 51),
    ("Technic Brick", 8), ("Technic Gear", 52), ("Technic Pin", 53), ("Technic", 26),
    ("Brick", 11), ("Slope", 3), ("Plate", 14), ("Wheel", 29), ("Tyre", 29), ("Animal", 28),
    ("Baseplate", 1), ("Panel", 23), ("Dish", 21), ("Flag", 38), ("Roadsign", 38), ("Door", 16),
    ("Window", 16), ("Windscreen", 47), ("Container", 7), ("Hinge", 18), ("Turntable", 18),
    ("Wedge", 6), ("Electric", 45), ("Boat", 35), ("Train", 36), ("Vehicle", 36), ("Car", 36),
    ("Plant", 76), ("Hose", 30), ("String", 31), ("Bar", 32), ("Fence", 32), ("Cone", 20),
    ("Cylinder", 20), ("Support", 34), ("Bracket", 9), ("Duplo", 4), ("Pneumatic", 22),
)  # fmt: skip


@dataclass
class Part:
    """One part of the catalogue that is made."""

    number: str
    name: str = ""
    category: str = ""
    origin: str = "R"
    rebrickable: list[str] = field(default_factory=list)
    ldraw: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    lots: dict[int, list[str]] = field(default_factory=dict)  # colour: element ids

    def row(self) -> list[str]:
        """Return the part as a line of the file."""
        lots = ";".join(f"{color}:{' '.join(self.lots[color])}" for color in sorted(self.lots))
        named = (" ".join(ids) for ids in (self.rebrickable, self.ldraw, self.others))
        return [self.number, self.name, self.category, self.origin, *named, lots]


HEADER: Final = ("number", "name", "category", "origin", "rebrickable", "ldraw", "others", "lots")


def _rows(path: Path) -> Iterator[dict[str, str]]:
    packed = path if path.exists() else path.with_name(f"{path.name}.gz")
    opener = gzip.open if packed.suffix == ".gz" else open
    with opener(packed, "rt", encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def _fold(name: str) -> str:
    return " ".join(name.replace("\u200e", "").split())


@dataclass
class Models:
    """LDraw's parts by number, and which of them other catalogues' numbers mean."""

    headers: dict[str, Header]
    moved: dict[str, str] = field(default_factory=dict)
    former: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    by_rebrickable: dict[str, str] = field(default_factory=dict)
    bricklink: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        aliases = known_aliases()
        self.moved = {n: header.moved_to for n, header in self.headers.items() if header.moved_to}
        self.moved |= {n: to for n, to in aliases.items() if n not in self.headers}
        named = Counter(n for header in self.headers.values() for n in set(header.bricklink))
        for number, header in self.headers.items():
            if header.moved_to:
                continue
            own = [n for n in set(header.bricklink) if named[n] == 1 and _BL_NUMBER.fullmatch(n)]
            if len(own) == 1:
                self.bricklink[number] = own[0]
            for other in header.rebrickable:
                self.by_rebrickable.setdefault(other, number)
        for number in sorted(self.moved):
            if (to := self.at(number)) and to != number:
                self.former[to].append(number)

    def at(self, number: str) -> str | None:
        """Return the model of a number, wherever it moved."""
        for _ in range(10):
            if number not in self.moved:
                return number if number in self.headers else None
            number = self.moved[number]
        return None

    def of(self, part: str) -> str | None:
        """Return the model of Rebrickable's part."""
        return self.by_rebrickable.get(part) or self.at(part)


def read_models(library: Library) -> Models:
    """Return LDraw's parts, from the first lines of each."""
    return Models(
        {
            number: read_header(library.head(f"parts/{number}.dat"))
            for number in library.part_numbers()
        }
    )


def colors_of(folder: Path) -> dict[str, int]:
    """Return our colour of each of Rebrickable's."""
    return {
        other: int(row["id"])
        for row in _rows(folder / "colors.csv")
        for other in row["rebrickable"].split()
    }


def make_parts(
    models: Models, tables: Path, inventories: Path | None, core: dict[str, str]
) -> list[Part]:
    """Return the parts; `core` has the number of each of Rebrickable's parts that is there."""
    colors = colors_of(FOLDER)
    lots: dict[str, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    for row in _rows(tables / "elements.csv"):
        if (color := colors.get(row["color_id"])) is not None:
            lots[row["part_num"]][color].append(row["element_id"])
    seen: set[tuple[str, str]] = set()
    for row in _rows(inventories) if inventories else ():
        seen.add((row["part_num"], row["color_id"]))
    for number, other in sorted(seen):
        if (color := colors.get(other)) is not None:
            _ = lots[number][color]
    listed = {row["part_num"]: row for row in _rows(tables / "parts.csv")}
    lower = {number.lower() for number in listed}
    made: dict[str, Part] = {}
    used: dict[str, str] = {}  # model: the part that shows it
    # The commonest first: a number that several could have is theirs.
    for number in sorted(listed, key=lambda n: (-sum(map(len, lots[n].values())), n)):
        row, model = listed[number], models.of(number.lower())
        if not lots[number] and model is None:
            continue
        part = Part(core.get(number, number), rebrickable=[number])
        part.category = str(PART_CATEGORIES + int(row["part_cat_id"]))
        part.name = _fold(row["name"])
        if model is not None:
            part.name = _fold(models.headers[model].title.lstrip("~_=|")) or part.name
            if model not in used:
                used[model] = part.number
                part.ldraw = [n for n in (model, *models.former[model]) if n not in lower]
                called = models.bricklink.get(model, "")
                if number not in core and called and called not in lower:
                    part.number, part.origin = called, "B"
                    part.rebrickable = [number]
        if sheet := _SHEET.match(_fold(row["name"])):
            part.others = [f"{sheet[1]}stk01"]
        part.lots = {
            color: sorted(codes, key=lambda c: (len(c), c)) for color, codes in lots[number].items()
        }
        if part.number in made:
            _join(made[part.number], part)
        else:
            made[part.number] = part
    _add_models(models, made, used, lower, set(core.values()))
    _drop_repeated(made)
    return [made[number] for number in sorted(made)]


def _join(part: Part, other: Part) -> None:
    part.rebrickable += other.rebrickable
    part.ldraw += [n for n in other.ldraw if n not in part.ldraw]
    for color, codes in other.lots.items():
        part.lots.setdefault(color, []).extend(
            c for c in codes if c not in part.lots.get(color, ())
        )


def _add_models(
    models: Models, made: dict[str, Part], used: dict[str, str], lower: set[str], core: set[str]
) -> None:
    """Add the parts that only LDraw has; one that differs by the mould's letter is a number more."""
    for model, header in models.headers.items():
        if model in used or header.moved_to or _NO_PARTS.match(header.title):
            continue
        called = models.bricklink.get(model, "")
        number = called if called and called not in lower else model
        former = [n for n in (model, *models.former[model]) if n != number and n not in lower]
        if number in made or number in core:
            made.setdefault(number, Part(number, origin="B")).ldraw += former
            continue
        letters = (
            [n for n in other_letters(model) if n in made] if not _LETTERED.match(model) else []
        )
        if letters:
            most = max(letters, key=lambda n: sum(map(len, made[n].lots.values())))
            made[most].ldraw += [model, *former]
            continue
        title = _fold(header.title)
        category = next((c for start, c in _CATEGORIES if title.startswith(start)), None)
        made[number] = Part(
            number, title, str(PART_CATEGORIES + category) if category else "",
            "B" if number == called else "L", ldraw=former,
        )  # fmt: skip


def _drop_repeated(made: dict[str, Part]) -> None:
    """Drop other numbers that several parts would answer to, and those that are a part's own."""
    told = Counter(n for part in made.values() for n in (*set(part.ldraw), *set(part.others)))
    own = {number.lower() for number in made}
    for part in made.values():
        part.ldraw = [n for n in dict.fromkeys(part.ldraw) if told[n] == 1 and n not in own]
        part.others = [n for n in dict.fromkeys(part.others) if told[n] == 1 and n not in own]


def make_sets(tables: Path) -> Iterator[tuple[str, str, str, str]]:
    """Yield the sets that have parts: number, name, theme and year."""
    themes = {row["id"]: row for row in _rows(tables / "themes.csv")}

    def path(theme: str) -> str:
        row = themes[theme]
        above = f"{path(row['parent_id'])} / " if row["parent_id"] else ""
        return above + row["name"]

    for row in _rows(tables / "sets.csv"):
        if int(row["num_parts"]):
            yield row["set_num"], _fold(row["name"]), path(row["theme_id"]), row["year"]


def make_categories(tables: Path) -> list[Sequence[str]]:
    """Return Rebrickable's categories of parts, by name."""
    rows = (
        (PART_CATEGORIES + int(row["id"]), row["name"])
        for row in _rows(tables / "part_categories.csv")
    )
    return sorted(((str(number), name) for number, name in rows), key=lambda row: row[1])


def write(path: Path, header: Iterable[str], rows: Iterable[Sequence[str]]) -> None:
    """Write a table, the same bytes for the same rows."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    content = text.getvalue().encode()
    path.write_bytes(gzip.compress(content, 9, mtime=0) if path.suffix == ".gz" else content)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--tables", type=Path, required=True)
    parser.add_argument("--inventories", type=Path)
    asked = parser.parse_args()
    library = Library.open(asked.library)
    try:
        models = read_models(library)
    finally:
        library.close()
    core = {
        other: row["number"]
        for row in _rows(FOLDER / "parts.csv")
        for other in row["rebrickable"].split()
    }
    parts = make_parts(models, asked.tables, asked.inventories, core)
    write(FOLDER / "all_parts.csv.gz", HEADER, (part.row() for part in parts))
    write(FOLDER / "categories.csv", ("id", "name"), make_categories(asked.tables))
    sets = sorted(make_sets(asked.tables))
    write(FOLDER / "all_sets.csv.gz", ("number", "name", "theme", "year"), sets)
    print(f"{len(parts):,} parts, {sum(len(p.lots) for p in parts):,} lots, {len(sets):,} sets.")


if __name__ == "__main__":
    main()
