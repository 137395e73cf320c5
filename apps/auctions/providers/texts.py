"""Reads the site's texts: descriptions without HTML, weights, shipping, local times."""

import datetime as dt
import re
from dataclasses import dataclass
from decimal import Decimal
from html.parser import HTMLParser
from typing import Final
from zoneinfo import ZoneInfo

from apps.core.clock import in_utc
from apps.exchange.bsx_values import read_plain_amount

# The site's wall clock; it writes no zone.
SITE_ZONE: Final = ZoneInfo("America/Los_Angeles")
GRAMS_PER_POUND: Final = Decimal("453.59237")
GRAMS_PER_OUNCE: Final = Decimal("28.349523125")
MAX_TEXT: Final = 20_000
# Heavier than any parcel: a year or a price was read as a weight.
MAX_GRAMS: Final = Decimal(500_000)

_NUMBER = r"(\d{1,4}(?:[.,]\d{1,3})?)"
_POUNDS = re.compile(
    rf"(?<![\d.,$]){_NUMBER}\s*\+?\s*(?:lbs?\b|pounds?\b|#)\.?"
    rf"(?:\s*(?:and|&)?\s*{_NUMBER}\s*(?:oz\b|ounces?\b))?",
    re.IGNORECASE,
)
_KILOGRAMS = re.compile(rf"(?<![\d.,$]){_NUMBER}\s*(?:kgs?\b|kilos?\b|kilograms?\b)", re.IGNORECASE)
_OUNCES = re.compile(rf"(?<![\d.,$]){_NUMBER}\s*(?:oz\b|ounces?\b)", re.IGNORECASE)
_SHIPPING = re.compile(
    r"Shipping:\s*<span id=['\"]shipping-span['\"]>\D?([\d.,]+)\s*\(([^)]*)\)\s*</span>"
)
_HANDLING = re.compile(r"Handling:\s*\D?([\d.,]+)")
_SKIPPED: Final = frozenset({"script", "style", "head", "title"})
_BREAKS: Final = frozenset({"br", "p", "div", "li", "tr", "h1", "h2", "h3", "h4"})


class _Plain(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.skipping = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag in _SKIPPED:
            self.skipping += 1
        elif tag in _BREAKS:
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in _SKIPPED and self.skipping:
            self.skipping -= 1

    def handle_data(self, data: str) -> None:
        if not self.skipping:
            self.parts.append(data)


def plain_text(html: str, *, limit: int = MAX_TEXT) -> str:
    """Return the words of an HTML text, its paragraphs as lines, without any markup."""
    reader = _Plain()
    reader.feed(html[: limit * 4])
    reader.close()
    printable = "".join(
        char for char in "".join(reader.parts) if char == "\n" or char.isprintable() or char == " "
    )
    lines = (" ".join(line.split()) for line in printable.split("\n"))
    return "\n".join(line for line in lines if line)[:limit]


def weight_in(text: str) -> Decimal | None:
    """Return the weight in grams found in a text such as '12.5 lbs', '10 lb 4 oz' or '5 kg'."""
    if found := _POUNDS.search(text):
        parts = [(found[1], GRAMS_PER_POUND), (found[2] or "", GRAMS_PER_OUNCE)]
    elif found := _KILOGRAMS.search(text):
        parts = [(found[1], Decimal(1000))]
    elif found := _OUNCES.search(text):
        parts = [(found[1], GRAMS_PER_OUNCE)]
    else:
        return None
    grams = Decimal()
    for text, unit in parts:
        if (number := _amount(text)) is None:
            return None
        grams += number * unit
    return grams.quantize(Decimal("0.01")) if 0 < grams <= MAX_GRAMS else None


@dataclass(frozen=True, slots=True)
class Shipping:
    """The site's costs of shipping a listing."""

    method: str
    cost: Decimal
    handling: Decimal | None


def read_shipping(html: str) -> Shipping | None:
    """Return the costs in the site's answer, None where they cannot be read.

    The site shows 0 until the costs are calculated, so 0 is unknown and never free.
    """
    found = _SHIPPING.search(html)
    cost = _amount(found[1]) if found else None
    if found is None or not cost:
        return None
    handling = _HANDLING.search(html)
    method = " ".join(found[2].replace("_", " ").split()).capitalize()
    return Shipping(method=method, cost=cost, handling=_amount(handling[1]) if handling else None)


def site_instant(text: str) -> dt.datetime | None:
    """Return the instant of the site's wall time '2026-11-21T14:30:00.12', None if unreadable.

    Of an hour that the clock shows twice the first is meant: too early loses nothing.
    Raises OverflowError for a time that is outside the years 1 to 9999 in UTC.
    """
    try:
        local = dt.datetime.fromisoformat(text)
    except ValueError:
        return None
    found = in_utc(local if local.tzinfo is not None else local.replace(tzinfo=SITE_ZONE))
    if found is None:
        raise OverflowError(text)
    return found


def _amount(text: str) -> Decimal | None:
    """Return '1,204.50' as 1204.50, None for a text that is no amount, or may be two."""
    found = read_plain_amount(text.rstrip(".,"))
    return found.value if found.is_understood else None
