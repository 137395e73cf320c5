"""The lots of the demo store, and their invented prices."""

import datetime as dt
import math
from collections.abc import Iterator, Sequence
from decimal import Decimal
from random import Random
from typing import Final

from django.db.models import F, QuerySet

from apps.accounts.models import User
from apps.catalog.models import Lot, PricePoint, PriceStat
from apps.core.errors import StateConflict
from apps.core.money import money

CURRENCY: Final = "USD"
# Of used sets.
DOLLARS_A_GRAM: Final = 0.022
GAIN_A_YEAR: Final = 0.09
# Of used parts, at least: a brick is not of low value.
DOLLARS_A_GRAM_OF_PARTS: Final = 0.03
THIS_YEAR: Final = 2026
PARTS: Final = 300
FIGURES: Final = 16
SETS: Final = 6
WEEKS: Final = 12
# The parts that every seller has, in the colours that every seller has.
COMMON: Final = [
    "3001",
    "3002",
    "3003",
    "3004",
    "3005",
    "3006",
    "3007",
    "3008",
    "3009",
    "3010",
    "3020",
    "3021",
    "3022",
    "3023",
    "3024",
    "3031",
    "3032",
    "3034",
    "3035",
    "3037",
    "3038",
    "3039",
    "3040",
    "3062",
    "3068",
    "3069",
    "3070",
    "3622",
    "3623",
    "3660",
    "3665",
    "3666",
    "3700",
    "3701",
    "3705",
    "3706",
    "3710",
    "3794",
    "3795",
    "3832",
    "3460",
    "2357",
    "2412",
    "2420",
    "2431",
    "2445",
    "2456",
    "2780",
    "2877",
    "4070",
    "4162",
    "4477",
    "4032",
    "6141",
    "6558",
    "6636",
    "11211",
    "11212",
    "11477",
    "15068",
    "15573",
    "18654",
    "22885",
    "32000",
    "32054",
    "32316",
    "41539",
    "43722",
    "43723",
    "44728",
    "47905",
    "48336",
    "50950",
    "54200",
    "60478",
    "60479",
    "61409",
    "85984",
    "87079",
    "87087",
    "87580",
    "98138",
    "99206",
    "99780",
]
COLORS: Final = (1, 2, 3, 5, 6, 7, 11, 63, 80, 85, 86, 88)
# "3001 red", as hints on pages name it: number and colour.
EXAMPLE: Final = ("3001", 5)
FIRST_FOREIGN_COLOR_ID: Final = 10_000


class NoCatalogue(StateConflict):
    message = "There is no catalogue to build the demo from: run manage.py load_starter_catalog."


def _rows() -> QuerySet[Lot]:
    return Lot.objects.filter(
        is_known=True, color_id__lt=FIRST_FOREIGN_COLOR_ID, item__origin="B"
    ).select_related("item", "color")


def common_lots() -> list[Lot]:
    """Return the parts that every seller has, in the colours that every seller has."""
    return list(
        _rows()
        .filter(item__item_type="PART", item__number__in=COMMON, color_id__in=COLORS)
        .order_by("item__sort_key", "color_id")
    )


def demo_lots() -> list[Lot]:
    """Return the demo's lots. The same catalogue always gives the same lots."""
    rows = _rows()
    order = ("item__sort_key", "color_id")
    parts = rows.filter(item__item_type="PART").order_by(*order)
    common = common_lots()
    Random(7).shuffle(common)
    for place, lot in enumerate(common):
        if (lot.item.number, lot.color_id) == EXAMPLE:
            # The first ones are in stock.
            common[0], common[place] = lot, common[0]
            break
    some = common[:PARTS]
    if len(some) < PARTS:
        there = {lot.pk for lot in some}
        some += [lot for lot in parts[: 2 * PARTS] if lot.pk not in there][: PARTS - len(some)]
    if not some:
        raise NoCatalogue
    # A heap holds small sets, not castles.
    lightest = F("item__weight_grams").asc(nulls_last=True)
    others = [
        *rows.filter(item__item_type="MINIFIG").order_by(*order)[:FIGURES],
        *rows.filter(item__item_type="SET").order_by(lightest, *order)[:SETS],
    ]
    # Some of each among the parts, so that every batch has its tags.
    for index, lot in enumerate(others):
        some.insert(index * 13, lot)
    return some


def asked_price(lot: Lot, *, used: bool) -> Decimal:
    """Return the invented price of a lot in the demo. It is the same at every call."""
    chance = Random(f"{lot.item.number} {lot.color_id}")
    low, high = {"PART": (0.01, 0.40), "MINIFIG": (1.5, 9.0)}.get(lot.item.item_type, (12.0, 90.0))
    if lot.item.item_type == "PART" and lot.item.weight_grams:
        low = max(low, float(lot.item.weight_grams) * DOLLARS_A_GRAM_OF_PARTS)
        high = max(high, 2 * low)
    if lot.item.item_type == "SET" and lot.item.weight_grams:
        # As a large old set is worth more than a small new one.
        age = max(0, THIS_YEAR - (lot.item.year_released or THIS_YEAR))
        level = float(lot.item.weight_grams) * DOLLARS_A_GRAM * (1 + age * GAIN_A_YEAR)
        low, high = 0.9 * level, 1.1 * level
    # By its logarithm, since most parts are cheap and a few are dear.
    price = Decimal(f"{math.exp(chance.uniform(math.log(low), math.log(high))):.3f}")
    if price > 1:
        price = round(price, 2)
    return money(price * (1 if used else 2))


def invent_prices(
    owner: User, lots: Sequence[Lot], now: dt.datetime, *, with_history: bool
) -> None:
    """Invent the owner's price figures, and their history, of lots without figures."""
    known = set(
        PriceStat.objects.owned_by(owner)
        .filter(lot__in=[lot.pk for lot in lots], currency=CURRENCY)
        .values_list("lot_id", flat=True)
    )
    invented = [
        _invented(owner, lot, condition, region, now)
        for lot in lots
        if lot.pk not in known
        for condition in ("N", "U")
        for region in ("us", "global")
    ]
    PriceStat.objects.bulk_create(invented, batch_size=500)
    if with_history:
        PricePoint.objects.bulk_create(
            [point for stat in invented for point in _earlier(stat, now.date())], batch_size=2_000
        )


def _earlier(stat: PriceStat, today: dt.date) -> Iterator[PricePoint]:
    """Yield invented prices of the last weeks, which end at the present ones."""
    chance = Random(f"{stat.lot_id} {stat.condition} {stat.region}")
    level = 1.0
    for week in range(WEEKS):
        yield PricePoint(
            owner_id=stat.owner_id,
            lot_id=stat.lot_id,
            condition=stat.condition,
            region=stat.region,
            currency=stat.currency,
            day=today - dt.timedelta(weeks=week),
            avg_sold_price=_at(stat.avg_sold_price, level),
            avg_inventory_price=_at(stat.avg_inventory_price, (1 + level) / 2),
            low_price=_at(stat.low_price, level),
            sold_quantity=stat.sold_quantity,
            stock_quantity=stat.stock_quantity,
        )
        level = min(1.4, max(0.7, level * chance.uniform(0.93, 1.06)))


def _at(price: Decimal | None, level: float) -> Decimal | None:
    return None if price is None else money(price * Decimal(f"{level:.3f}"))


def _invented(owner: User, lot: Lot, condition: str, region: str, now: dt.datetime) -> PriceStat:
    chance = Random(f"{lot.item.number} {lot.color_id} {condition} {region}")
    asked = asked_price(lot, used=condition == "U")
    share = Decimal(f"{chance.uniform(0.8, 1.1):.2f}")
    stock, sold = chance.randrange(50, 4_000), chance.randrange(10, 3_000)
    return PriceStat(
        owner=owner,
        lot=lot,
        condition=condition,
        region=region,
        currency=CURRENCY,
        avg_sold_price=money(asked * share),
        avg_inventory_price=money(asked * Decimal("1.15")),
        low_price=money(asked * Decimal("0.6")),
        sell_through=money(Decimal(sold) / stock),
        sold_lots=sold // 8 + 1,
        sold_quantity=sold,
        stock_lots=stock // 12 + 1,
        stock_quantity=stock,
        synced_at=now,
        sold_synced_at=now,
        asked_synced_at=now,
    )
