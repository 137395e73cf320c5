"""Which moulds the recogniser knows: families of part numbers, the commonest in real sets first."""

import csv
import gzip
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from apps.pictures.rules.finding import EXACT, Shelf, Wanted, find
from apps.pictures.rules.headers import read_header
from vision.ldraw.library import Library

# What has no shape of its own, or is made of several parts that move.
_LEFT_OUT: Final = re.compile(
    r"sticker|string|hose|cloth|cape|flag,|plastic|rubber band|electric|motor|chain|minifig torso|"
    r"^minifig (arm|hand|hips|legs)|^duplo|baseplate|~moved|flexible|ribbed|rope|train track|axle flex",
    re.IGNORECASE,
)
_PLAIN_KINDS: Final = ("P", "T")
_SAME_KINDS: Final = ("M", "A")


@dataclass(frozen=True, slots=True)
class Mould:
    """A family of numbers that are one shape to the eye, and the model it is drawn from."""

    number: str  # the commonest of the numbers
    name: str
    model: str
    numbers: list[str]
    pieces: int
    lots: int

    def as_row(self) -> dict[str, Any]:
        return asdict(self)


def _rows(folder: Path, name: str) -> Iterator[dict[str, str]]:
    with gzip.open(folder / f"{name}.csv.gz", "rt", encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def choose_moulds(
    catalog: Path, library: Library, count: int, also: Sequence[str] = ()
) -> tuple[list[Mould], float]:
    """Return the commonest moulds, and the share of all pieces in sets that they are.

    `also` names numbers that are taken however rare they are: photographs to measure with exist.

    `catalog` holds `rebrickable/` (parts, part_relationships) and
    `mapping/inventory_parts.derived.csv.gz`.
    """
    pieces: Counter[str] = Counter()
    lots: Counter[str] = Counter()
    for row in _rows(catalog / "mapping", "inventory_parts.derived"):
        pieces[row["part_num"]] += int(row["quantity"])
        lots[row["part_num"]] += 1
    names = {row["part_num"]: row["name"] for row in _rows(catalog / "rebrickable", "parts")}
    plain: dict[str, str] = {}
    same: dict[str, list[str]] = defaultdict(list)
    for row in _rows(catalog / "rebrickable", "part_relationships"):
        child, parent = row["child_part_num"], row["parent_part_num"]
        if row["rel_type"] in _PLAIN_KINDS:
            plain.setdefault(child, parent)
        elif row["rel_type"] in _SAME_KINDS:
            same[child].append(parent)

    shelf = Shelf()
    for number in library.part_numbers():
        shelf.add(number, read_header(library.head(f"parts/{number}.dat")))

    families: dict[str, list[str]] = defaultdict(list)
    for number in pieces:
        mould = plain.get(number, number)
        model = _model(mould, names.get(mould, ""), shelf)
        if model is not None:
            families[_family(model, shelf)].append(number)
    moulds = []
    for numbers in families.values():
        numbers.sort(key=lambda number: -pieces[number])
        main = next((n for n in numbers if n not in plain), numbers[0])
        model = _model(plain.get(main, main), names.get(main, ""), shelf)
        assert model is not None
        title = shelf.titles[model]
        if _LEFT_OUT.search(title.lstrip("~=_ ")) or _LEFT_OUT.search(names.get(main, "")):
            continue
        related = {plain.get(number, number) for number in numbers}
        related |= {other for number in list(related) for other in same.get(number, ())
                    if _base(other) == _base(number)}  # fmt: skip
        moulds.append(
            Mould(
                number=main, name=names.get(main, title), model=model,
                numbers=[main, *sorted(related - {main})],
                pieces=sum(pieces[number] for number in numbers),
                lots=sum(lots[number] for number in numbers),
            )
        )  # fmt: skip
    moulds.sort(key=lambda mould: (-mould.pieces, mould.number))
    wanted = [mould for mould in moulds if set(also) & set(mould.numbers)]
    chosen = [mould for mould in moulds if mould not in wanted][: count - len(wanted)] + wanted
    chosen.sort(key=lambda mould: (-mould.pieces, mould.number))
    return chosen, sum(mould.pieces for mould in chosen) / sum(pieces.values())


def _model(number: str, name: str, shelf: Shelf) -> str | None:
    found = find(Wanted(key=0, number=number, name=name), shelf)
    return found.model if found is not None and found.rule in EXACT else None


def _base(number: str) -> str:
    match = re.match(r"^(\d+)[a-z]?$", number)
    return match[1] if match else number


def _family(model: str, shelf: Shelf) -> str:
    """Return what mould letters have in common, where their titles agree."""
    base = _base(model)
    if base == model:
        return base
    first = next(
        (base + letter for letter in ("", *"abcdef") if base + letter in shelf.numbers), ""
    )
    return base if first and _alike(shelf.titles[first], shelf.titles[model]) else model


def _alike(one: str, other: str) -> bool:
    def words(text: str) -> list[str]:
        return re.findall(r"[a-z]+|\d+", text.lower())[:4]

    return words(one) == words(other)
