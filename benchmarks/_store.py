"""A store of any size: its catalogue, and its BSX file with all tags."""

import datetime as dt
import random
from pathlib import Path

COLORS = 60
BINS = 3_000
WORDS = ["Brick", "Plate", "Tile", "Slope", "Technic", "Panel", "Wedge", "Arch", "Round", "Bar"]
NOON = dt.datetime(2026, 11, 21, 12, 0, tzinfo=dt.UTC)


def pairs_of(lots: int) -> list[tuple[str, int]]:
    """Return (number, colour id) of each lot: seven of ten are distinct, as in a real store."""
    chance = random.Random(7)
    items = max(lots // 8, 10)
    return [
        (str(3001 + chance.randrange(items)), chance.randrange(1, COLORS + 1)) for _ in range(lots)
    ]


def fill_catalogue(lots: int) -> None:
    """Write the items, colours and lots that the file of this size names."""
    from apps.catalog.models import Color, Item, Lot

    pairs = sorted(set(pairs_of(lots)))
    Color.objects.bulk_create([Color(pk=n, name=f"Colour {n}") for n in range(COLORS + 1)])
    numbers = sorted({number for number, _ in pairs})
    Item.objects.bulk_create(
        [
            Item(item_type="PART", number=n, number_key=n, name=name_of(n), weight_grams="1.250")
            for n in numbers
        ],
        batch_size=1_000,
    )
    ids = dict(Item.objects.values_list("number", "pk"))
    Lot.objects.bulk_create(
        [Lot(item_id=ids[number], color_id=color) for number, color in pairs], batch_size=1_000
    )


def name_of(number: str) -> str:
    chance = random.Random(number)
    return f"{chance.choice(WORDS)} {int(number) % 16 + 1} x {int(number) % 8 + 1} with Studs"


def write_file(path: Path, lots: int) -> None:
    """Write a BSX file as BrickStore does; every tag occurs, the common ones on every lot."""
    chance = random.Random(11)
    with path.open("w", encoding="utf-8", newline="\n") as out:
        out.write('<?xml version="1.0" encoding="UTF-8"?>\n<BrickStoreXML>\n')
        out.write(' <Inventory Currency="EUR" BrickLinkChangelogId="1234567">\n')
        for place, (number, color) in enumerate(pairs_of(lots)):
            out.write(_item(place, number, color, chance))
        out.write(" </Inventory>\n</BrickStoreXML>\n")


def _item(place: int, number: str, color: int, chance: random.Random) -> str:
    tags = [
        ("ItemID", number),
        ("ItemTypeID", "P"),
        ("ColorID", color),
        ("ItemName", name_of(number)),
        ("ItemTypeName", "Part"),
        ("ColorName", f"Colour {color}"),
        ("CategoryID", 5),
        ("CategoryName", "Brick"),
        ("Status", "I"),
        ("Qty", chance.randrange(1, 400)),
        ("Price", f"{chance.randrange(1, 4000) / 1000:.3f}"),
        ("Condition", chance.choice("NU")),
    ]
    if chance.random() < 0.02:
        tags.append(("Bulk", 10))
    tags += [("Sale", 20), ("Cost", f"{chance.randrange(1, 900) / 1000:.3f}")]
    if chance.random() < 0.2:
        tags.append(("Comments", "Clean, &quot;as new&quot; &amp; complete"))
    tags += [("Remarks", f"B{place % BINS:04d}"), ("LotID", 200_000_000 + place)]
    if chance.random() < 0.3:
        tags += [
            ("TQ1", 10),
            ("TP1", "0.090"),
            ("TQ2", 100),
            ("TP2", "0.080"),
            ("TQ3", 500),
            ("TP3", "0.070"),
        ]
    if chance.random() < 0.05:
        tags += [("Stockroom", "A")]
    if chance.random() < 0.05:
        tags += [("TotalWeight", "12.5000"), ("MarkerText", "look"), ("MarkerColor", "#ff8000")]
    tags += [("DateAdded", "2021-12-13T00:00:00Z")]
    if chance.random() < 0.4:
        tags.append(("DateLastSold", "2026-05-20T18:41:31Z"))
    lines = "".join(f"   <{tag}>{text}</{tag}>\n" for tag, text in tags)
    return f"  <Item>\n{lines}  </Item>\n"
