"""Lots for a demo store that somebody wants to read before anything was listed in it."""

import csv
import datetime as dt
from decimal import Decimal
from random import Random
from typing import Any

from simulators.store.catalogue import STARTER
from simulators.store.guide import price_guide

LOTS = 120
_BINS = 40
_LEAST = Decimal("0.02")


def starter_lots(*, currency: str, today: dt.date) -> list[dict[str, Any]]:
    """Return the bodies of new lots, the same ones each time: parts of the starter catalogue.

    Prices are near the demo's price guide; remarks name bins, A-01 and so on.
    """
    chance = Random(17)
    with (STARTER / "parts.csv").open(encoding="utf-8", newline="") as file:
        parts = [row for row in csv.DictReader(file) if row["colors"]]
    some = sorted(chance.sample(parts, min(LOTS, len(parts))), key=lambda row: row["number"])
    return [
        _lot(row, chance, f"A-{place * _BINS // len(some) + 1:02}", currency, today)
        for place, row in enumerate(some)
    ]


def _lot(
    part: dict[str, str], chance: Random, remarks: str, currency: str, today: dt.date
) -> dict[str, Any]:
    item = {"no": part["number"], "type": "PART"}
    color_id = int(chance.choice(part["colors"].split()))
    condition = "U" if chance.random() < 0.8 else "N"
    guide = price_guide(
        item=item,
        color_id=color_id,
        condition=condition,
        is_sold=True,
        country="",
        region="",
        currency=currency,
        today=today,
    )
    near = Decimal(str(guide["qty_avg_price"])) * Decimal(chance.randrange(80, 140)) / 100
    return {
        "item": item,
        "color_id": color_id,
        "quantity": chance.randrange(2, 90),
        "new_or_used": condition,
        "unit_price": str(max(near, _LEAST).quantize(Decimal("0.01"))),
        "remarks": remarks,
    }
