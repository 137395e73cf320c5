"""A store at either marketplace as a process: of five lots one has a single piece, which is the race.

python -m benchmarks._two_stores brickowl      serves the second marketplace, without its limits
"""

import json
import random
import sys
from pathlib import Path
from typing import Any

from benchmarks._store import pairs_of
from simulators.brickowl import server
from simulators.brickowl.catalogue import Catalogue
from simulators.store.catalogue import colours
from simulators.store.server import JOURNAL
from simulators.store.stock import FIRST_ID

UNLIMITED = 10**9
OURS = 500  # by which the second marketplace's colours differ from ours


def catalogue_of(lots: int) -> int:
    """Return the size of a catalogue that has so many lots in colours of the marketplace."""
    return 3 * lots


def write_first_store(folder: Path, seller: str, lots: int) -> None:
    """Write the journal of the first store."""
    with (folder / JOURNAL).open("w", encoding="utf-8") as out:
        out.write(json.dumps({"seller": seller}) + "\n")
        for lot in first_lots(lots):
            out.write(json.dumps({"seller": seller, "lot": lot}) + "\n")


def write_second_store(folder: Path, seller: str, lots: int) -> None:
    """Write the journal of the second store: the same lots, in its own numbers."""
    catalogue = Catalogue()
    known: set[str] = set()
    with (folder / server.JOURNAL).open("w", encoding="utf-8") as out:
        out.write(json.dumps({"seller": seller}) + "\n")
        for lot in first_lots(lots):
            number = lot["item"]["no"]
            (boid,) = catalogue.boids_of("Part", number)
            if number not in known:
                known.add(number)
                item = {"seller": seller, "items": [boid], "kind": "Part", "number": number}
                out.write(json.dumps(item) + "\n")
            out.write(json.dumps({"seller": seller, "lot": _second_lot(lot, boid)}) + "\n")


def _second_lot(lot: dict[str, Any], boid: str) -> dict[str, Any]:
    return {
        "inventory_id": lot["inventory_id"],
        "boid": boid,
        "kind": "Part",
        "number": lot["item"]["no"],
        "color_id": str(lot["color_id"] + OURS),
        "quantity": lot["quantity"],
        "is_retain": True,
        "price": "0.100",
        "condition": "usedg",
        "external_id": "",
        "for_sale": "1",
        "sale_percent": "0",
        "my_cost": "0.030",
        "lot_weight": None,
        "personal_note": lot["remarks"],
        "public_note": "",
        "bulk_qty": None,
        "tier_price": "",
    }


def first_lots(lots: int) -> list[dict[str, Any]]:
    """Return the lots with which the first store begins."""
    known = colours()
    chance = random.Random(41)
    pairs = sorted({pair for pair in pairs_of(catalogue_of(lots)) if pair[1] in known})[:lots]
    return [
        _lot(FIRST_ID + place, number, color, 1 if not place % 5 else chance.randint(2, 9))
        for place, (number, color) in enumerate(pairs)
    ]


def _lot(lot_id: int, number: str, color: int, pieces: int) -> dict[str, Any]:
    return {
        "inventory_id": lot_id,
        "item": {"no": number, "name": f"Brick {number}", "type": "PART", "category_id": 5},
        "color_id": color,
        "color_name": f"Colour {color}",
        "quantity": pieces,
        "new_or_used": "U",
        "unit_price": "0.1000",
        "bind_id": 0,
        "description": "",
        "remarks": f"B{lot_id % 90:04d}",
        "bulk": 1,
        "is_retain": False,
        "is_stock_room": False,
        "date_created": "2026-01-05T12:00:00.000Z",
        "my_cost": "0.0300",
        "sale_rate": 0,
        **{f"tier_quantity{n}": 0 for n in (1, 2, 3)},
        **{f"tier_price{n}": "0.0000" for n in (1, 2, 3)},
        "my_weight": "0.0000",
    }


def main() -> int:
    server.A_MINUTE = server.BATCHES_A_MINUTE = UNLIMITED
    made = server.make_server()
    assert made is not None
    made.serve_forever()
    return 0


if __name__ == "__main__":
    sys.exit(main())
