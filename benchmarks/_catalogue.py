"""A whole catalogue to import: the real files beside the project, else one of the same size."""

import csv
import gzip
import os
import random
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("SHARED_DATA", ROOT.parent / "shared")) / "data" / "catalog"
FOLDERS = ("rebrickable", "bricklink", "mapping", "ldraw")
UPDATE = "rebrickable-update"

KINDS = ["Brick", "Plate", "Tile", "Slope", "Technic Pin", "Panel", "Wedge", "Arch", "Hinge", "Bar"]
TRAITS = ["Round", "Special", "Curved", "Inverted", "with Clip", "with Bar Handle", "Hollow Stud"]
PRINTS = ["Cat", "Flame", "Stripe", "Octopus", "Star", "Arrow", "Gauge", "Flower", "Letter", "Eye"]


def catalogue(folder: Path) -> tuple[list[Path], list[Path], str]:
    """Return the folders of the first import, of the update, and what they hold."""
    if SHARED.is_dir():
        return [SHARED / name for name in FOLDERS], [SHARED / UPDATE], "real"
    first, update = folder / "catalogue", folder / "update"
    _write(first, parts=60_000, sets=20_000, lines=380_000)
    _write(update, parts=60_500, sets=20_200, lines=0)
    return [first], [update], "made up"


def _write(folder: Path, *, parts: int, sets: int, lines: int) -> None:
    """Write Rebrickable's tables; the same numbers give the same rows every time."""
    folder.mkdir()
    chance = random.Random(3)
    names = [_name(chance) for _ in range(parts)]
    colors = range(60)
    _table(
        folder, "colors", "id,name,rgb,is_trans", ((n, f"Hue {n}", "05131D", "f") for n in colors)
    )
    _table(folder, "part_categories", "id,name", ((n, f"Family {n}") for n in range(1, 60)))
    _table(folder, "themes", "id,name,parent_id", ((n, f"Theme {n}", "") for n in range(1, 200)))
    _table(
        folder,
        "parts",
        "part_num,name,part_cat_id,part_material",
        ((_part(n), name, n % 59 + 1, "Plastic") for n, name in enumerate(names)),
    )
    _table(
        folder,
        "sets",
        "set_num,name,year,theme_id,num_parts,img_url",
        ((f"{n + 1000}-1", _name(chance), 1970 + n % 55, n % 199 + 1, 20, "") for n in range(sets)),
    )
    _table(
        folder,
        "inventories",
        "id,version,set_num",
        ((n + 1, 1, f"{n + 1000}-1") for n in range(sets)),
    )
    if not lines:
        return
    _table(
        folder,
        "elements",
        "element_id,part_num,color_id,design_id",
        ((4_000_000 + n, _part(n % parts), n % 60, "") for n in range(parts * 2)),
    )
    _table(
        folder,
        "inventory_parts",
        "inventory_id,part_num,color_id,quantity,is_spare,img_url",
        (
            (n % sets + 1, _part(chance.randrange(parts)), chance.randrange(60), n % 4 + 1, "f", "")
            for n in range(lines)
        ),
    )


def _part(number: int) -> str:
    return f"{3001 + number // 3}{('', 'b', 'pr0001')[number % 3]}"


def _name(chance: random.Random) -> str:
    size = f"{chance.randint(1, 16)} x {chance.randint(1, 16)}"
    words = [chance.choice(KINDS), size, chance.choice(TRAITS)]
    if chance.random() < 0.6:
        words.append(f"with {chance.choice(PRINTS)} and {chance.choice(PRINTS)} Print")
    return " ".join(words)


def _table(folder: Path, name: str, header: str, rows: Iterable[Sequence[object]]) -> None:
    with gzip.open(folder / f"{name}.csv.gz", "wt", newline="", compresslevel=1) as file:
        writer = csv.writer(file)
        writer.writerow(header.split(","))
        writer.writerows(rows)
