"""The price guide: figures that follow from the item, its colour and the day alone. All invented."""

import csv
import datetime as dt
import math
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from random import Random

# Units of the currency for one US dollar; invented too.
RATES = {
    "USD": "1",
    "EUR": "0.92",
    "GBP": "0.79",
    "CAD": "1.36",
    "AUD": "1.52",
    "CHF": "0.88",
    "JPY": "151",
    "PLN": "3.95",
    "CZK": "23.1",
    "DKK": "6.86",
    "SEK": "10.5",
    "NOK": "10.7",
}
RANGES = {"PART": (0.01, 0.40), "MINIFIG": (1.5, 9.0)}
OTHERS = (12.0, 90.0)
SETS = Path(__file__).parents[2] / "apps" / "catalog" / "starter" / "sets.csv"
COUNTRIES = ("US", "US", "US", "DE", "NL", "UK", "CZ", "FR", "CA", "PL")
REGIONS = {
    "north_america": {"US", "CA"},
    "europe": {"DE", "NL", "UK", "CZ", "FR", "PL"},
    "eu": {"DE", "NL", "CZ", "FR", "PL"},
    "asia": set(),
    "africa": set(),
    "south_america": set(),
    "middle_east": set(),
    "oceania": set(),
}
# The real price guide does not list every sale of a lot that sells by the thousand.
MOST_DETAILS = 60
HALF_A_YEAR = 182


@dataclass(frozen=True, slots=True)
class Row:
    """One sale, or one lot for sale."""

    quantity: int
    price: Decimal
    seller: str
    buyer: str
    age_days: int


def _cents(value: Decimal) -> str:
    return f"{value:.4f}"


def _rows(key: str, *, base: float, today: dt.date, is_sold: bool) -> list[Row]:
    chance = Random(f"{key} rows")
    kind = chance.random()
    if kind < (0.08 if is_sold else 0.04):
        return []  # no sales, or no store offers it
    count = chance.randrange(80, 140) if kind > 0.9 else chance.randrange(1, 40)
    # Prices go up and down a little over the weeks, so that a chart has something to show.
    wave = 1 + 0.12 * math.sin(today.toordinal() / 11 + chance.uniform(0, 6.3))
    level = base * wave * (1.0 if is_sold else 1.15)
    rows = []
    for _ in range(count):
        price = Decimal(f"{level * chance.lognormvariate(0, 0.25):.4f}")
        rows.append(
            Row(
                quantity=chance.choice((1, 1, 2, 4, 10, 25, 100)),
                price=max(price, Decimal("0.0010")),
                seller=chance.choice(COUNTRIES),
                buyer=chance.choice(COUNTRIES),
                age_days=chance.randrange(HALF_A_YEAR),
            )
        )
    return rows


@cache
def _sets() -> dict[str, tuple[float, int]]:
    """Return weight in grams and year of the sets of the starter catalogue."""
    with SETS.open(newline="") as file:
        rows = list(csv.DictReader(file))
    return {row["number"]: (float(row["weight_grams"] or 0), int(row["year"] or 0)) for row in rows}


def _range(item: dict[str, str]) -> tuple[float, float]:
    """Return the price of a used item: of a set by weight and age, if they are known."""
    grams, year = _sets().get(item["no"], (0.0, 0)) if item["type"] == "SET" else (0.0, 0)
    if not grams or not year:
        return RANGES.get(item["type"], OTHERS)
    level = grams * 0.022 * (1 + 0.09 * max(0, 2026 - year))
    return 0.9 * level, 1.1 * level


def price_guide(
    *,
    item: dict[str, str],
    color_id: int,
    condition: str,
    is_sold: bool,
    country: str,
    region: str,
    currency: str,
    today: dt.date,
) -> dict[str, object]:
    """Return the `data` of an answer. A region that is no region is ignored, as by the real one."""
    low, high = _range(item)
    level = Random(f"{item['no']} {color_id}").uniform(math.log(low), math.log(high))
    base = math.exp(level) * (2 if condition == "N" else 1)
    key = f"{item['type']} {item['no']} {color_id} {condition} {is_sold}"
    rows = _rows(key, base=base, today=today, is_sold=is_sold)
    if country:
        rows = [row for row in rows if row.seller == country]
    elif region in REGIONS:
        rows = [row for row in rows if row.seller in REGIONS[region]]
    rate = Decimal(RATES[currency])
    prices = [row.price * rate for row in rows]
    pieces = sum(row.quantity for row in rows)
    weighted = sum(
        (price * row.quantity for price, row in zip(prices, rows, strict=True)), Decimal()
    )
    details = []
    for price, row in list(zip(prices, rows, strict=True))[:MOST_DETAILS]:
        detail: dict[str, object] = {
            "quantity": row.quantity,
            "qunatity": row.quantity,  # the real one's typo, kept
            "unit_price": _cents(price),
        }
        if is_sold:
            day = today - dt.timedelta(days=row.age_days)
            detail |= {
                "seller_country_code": row.seller,
                "buyer_country_code": row.buyer,
                "date_ordered": f"{day.isoformat()}T12:00:00.000Z",
            }
        else:
            detail["shipping_available"] = row.seller == "US"
        details.append(detail)
    nothing = Decimal()
    return {
        "item": item,
        "new_or_used": condition,
        "currency_code": currency,
        "min_price": _cents(min(prices, default=nothing)),
        "max_price": _cents(max(prices, default=nothing)),
        "avg_price": _cents(sum(prices, nothing) / len(prices) if prices else nothing),
        "qty_avg_price": _cents(weighted / pieces if pieces else nothing),
        "unit_quantity": len(rows),
        "total_quantity": pieces,
        "price_detail": details,
    }
