"""The composition of the stock's value, for charts."""

import datetime as dt
from collections import defaultdict
from decimal import Decimal
from typing import Any, Final

from django.db.models import TextField
from django.db.models.functions import Coalesce

from apps.accounts.models import User
from apps.catalog.rules.kinds import TYPE_OF_LETTER
from apps.core.money import money
from apps.core.worth import WORTH, row_worth
from apps.inventory.models import InventoryItem
from apps.inventory.rules.worth import AGE_BANDS, age_band, curve
from apps.locations.models import Location

MOST_LOCATIONS: Final = 12
Sums = list[Any]  # rows, pieces, value, rows without a price


def stock_charts(*, owner: User, now: dt.datetime) -> dict[str, Any]:
    """Return rows, pieces and value by type, location and age, and the value as a curve.

    Streams the rows once, most valuable first, and keeps only the value of each. `by_location`
    lists the twelve locations of most value (no location counts as one) and the sum of the rest,
    without an id.
    """
    rows = (
        InventoryItem.objects.owned_by(owner)
        .in_stock_listed()
        .annotate(
            worth=Coalesce(row_worth(), Decimal(0), output_field=WORTH),
            since=Coalesce("date_added", "created_at"),
            kind=Coalesce("lot__item__item_type", "raw_item_type", output_field=TextField()),
        )
        .order_by("-worth", "pk")
        .values_list("quantity", "worth", "price", "since", "kind", "location_id")
    )
    types: defaultdict[str, Sums] = defaultdict(_nothing)
    places: defaultdict[int | None, Sums] = defaultdict(_nothing)
    ages = [_nothing() for _ in AGE_BANDS]
    worths: list[Decimal] = []
    for pieces, worth, price, since, kind, location_id in rows.iterator(2_000):
        worths.append(worth)
        for sums in (
            types[TYPE_OF_LETTER.get(kind, kind)],
            places[location_id],
            ages[age_band((now - since).days)],
        ):
            sums[0] += 1
            sums[1] += pieces
            sums[2] += worth
            sums[3] += price is None
    return {
        "by_type": [{"item_type": kind, **_told(sums)} for kind, sums in _dearest(types)],
        "by_location": _by_location(_dearest(places)),
        "by_age": [
            {"age": name, **_told(sums)} for (_, name), sums in zip(AGE_BANDS, ages, strict=True)
        ],
        "curve": [{"rows": place, "value": money(value)} for place, value in curve(worths)],
    }


def _by_location(found: list[tuple[int | None, Sums]]) -> list[dict[str, Any]]:
    shown, others = found[:MOST_LOCATIONS], found[MOST_LOCATIONS:]
    names = dict(
        Location.objects.filter(pk__in=[pk or 0 for pk, _ in shown]).values_list("pk", "name")
    )
    lines = [
        {"location_id": pk, "location_name": names.get(pk or 0), "locations": 1, **_told(sums)}
        for pk, sums in shown
    ]
    if others:
        rest = [sum(part) for part in zip(*(sums for _, sums in others), strict=True)]
        lines.append(
            {"location_id": None, "location_name": None, "locations": len(others), **_told(rest)}
        )
    return lines


def _nothing() -> Sums:
    return [0, 0, Decimal(0), 0]


def _dearest(found: dict[Any, Sums]) -> list[tuple[Any, Sums]]:
    return sorted(found.items(), key=lambda one: (-one[1][2], -one[1][1], str(one[0])))


def _told(sums: Sums) -> dict[str, Any]:
    return {
        "rows": sums[0],
        "pieces": sums[1],
        "value": money(sums[2]),
        "lots_without_price": sums[3],
    }
