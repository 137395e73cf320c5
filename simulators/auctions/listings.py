"""The listings for sale: the same for all clients, in an endless series of end times."""

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final
from zoneinfo import ZoneInfo

SITE_ZONE: Final = ZoneInfo("America/Los_Angeles")
EPOCH: Final = dt.datetime(2026, 1, 5, 18, 0, tzinfo=dt.UTC)
RUN: Final = dt.timedelta(days=7)
COUNT: Final = 60
STEP: Final = RUN / COUNT
FIRST_ID: Final = 300_000_000
BUILDING_TOYS: Final = 2230
INCREMENT: Final = Decimal("1.00")
ARCHIVED: Final = dt.timedelta(days=90)

SELLERS: Final = (
    (12, "Goodwill of the River Valley", "Portland", "OR"),
    (27, "Goodwill of the Lakes", "Milwaukee", "WI"),
    (41, "Goodwill of the Plains", "Omaha", "NE"),
    (58, "Goodwill of the Bay", "Tampa", "FL"),
)
# Those that name no weight stand apart: they end one after the other, in this order.
TITLES: Final = (
    ("12 lbs of LEGO Bricks & Pieces, Bulk Lot", 12, Decimal("24.99"), 9, "brick-2x4-red"),
    ("Vintage LEGO Space 1980s Parts", 0, Decimal("19.99"), 17, "figure"),
    ("LEGO City 5.5 lb Mixed Lot w/ Minifigures", 5.5, Decimal("14.99"), 14, "figure"),
    ("LEGO Star Wars Bulk 8 lbs 4 oz Unsorted", 8.25, Decimal("29.99"), 21, "set-box"),
    ("Box of LEGO Baseplates and Plates", 0, Decimal("12.99"), 4, "plate-1x2-brown"),
    ("20+ lbs LEGO / Mega Mix - Sold As Is", 20, Decimal("34.99"), 6, "brick-2x4-blue"),
    ("LEGO Technic Gears, Beams & Pins 3 kg", 6.6, Decimal("17.99"), 8, "plate-2x4-dark-gray"),
    ("LEGO Minifigures, Lot of 40", 0.5, Decimal("39.99"), 26, "figure"),
    ("LEGO Friends Lot (4.2 pounds)", 4.2, Decimal("9.99"), 5, "brick-1x1-orange"),
    ("LEGO Set 10030 Imperial Star Destroyer, Incomplete", 0, Decimal("99.99"), 31, "set-box"),
)


@dataclass(frozen=True, slots=True)
class Listing:
    """One run of one of the sixty listings."""

    number: int
    ends: dt.datetime

    @property
    def kind(self) -> tuple[str, float, Decimal, int, str]:
        return TITLES[self.number % len(TITLES)]

    @property
    def item_id(self) -> int:
        return FIRST_ID + round((self.ends - EPOCH) / STEP)

    @property
    def title(self) -> str:
        return self.kind[0]

    @property
    def has_buy_now(self) -> bool:
        return self.number % 4 == 1

    @property
    def seller(self) -> tuple[int, str, str, str]:
        return SELLERS[self.number % len(SELLERS)]

    def bids(self, now: dt.datetime) -> int:
        """Return the bids so far: few at first, most near the end."""
        elapsed = 1 - max(dt.timedelta(0), min(RUN, self.ends - now)) / RUN
        return int((self.kind[3] + self.number % 5) * elapsed**2)

    def price(self, now: dt.datetime) -> Decimal:
        return self.kind[2] + self.bids(now) * INCREMENT

    def picture(self) -> str:
        return f"/static/icons/samples/{self.kind[4]}.jpg"

    def row(self, now: dt.datetime) -> dict[str, Any]:
        """Return it as the search shows it."""
        seller_id, *_ = self.seller
        return {
            "itemId": self.item_id,
            "title": self.title,
            "description": None,
            "categoryId": BUILDING_TOYS,
            "categoryName": "Building Toys",
            "catFullName": "Toys/Dolls/Games > Building Toys",
            "currentPrice": float(self.price(now)),
            "startingPrice": float(self.kind[2]),
            "minimumBid": float(self.kind[2]),
            "numBids": self.bids(now),
            "buyNowPrice": float(self.buy_now()),
            "discountedBuyNowPrice": 0,
            "startTime": wall_time(self.ends - RUN),
            "endTime": wall_time(self.ends),
            "remainingTime": remaining(self.ends - now),
            "imageURL": self.picture().replace("/", "\\"),
            "shippingPrice": 0,
            "sellerId": seller_id,
            "itemQuantity": 1,
            "listingType": 2 if self.has_buy_now else 0,
            "isFavorite": False,
            "relistId": None,
            "isStock": False,
            "discount": 0,
            "views": 0,
            "itemCount": 0,
        }

    def detail(self, now: dt.datetime) -> dict[str, Any]:
        """Return it as its page shows it."""
        seller_id, company, city, state = self.seller
        bids = self.bids(now)
        is_over = self.ends <= now
        pounds = round(self.kind[1])
        row = self.row(now)
        for name in ("numBids", "imageURL", "catFullName", "itemCount", "views"):
            del row[name]
        return row | {
            "numberOfBids": bids,
            "minimumBid": float(self.price(now) + INCREMENT),
            "bidIncrement": float(INCREMENT),
            "handlingPrice": 3,
            "allowShippingCalculation": True,
            "weight": pounds,
            "displayWeight": pounds,
            "noCombineShipping": False,
            "pickupOnly": False,
            "storePickupOnly": False,
            "pickupCity": city,
            "pickupState": state,
            "pickupZip": "97201",
            "sellerId": seller_id,
            "sellerCompanyName": company,
            "sellerShipperName": company,
            "description": (
                f"<p>{self.title}</p><p>Pieces are <b>not</b> checked or washed.<br>"
                "See the pictures for what you will receive.</p>"
            ),
            "serverTime": int(now.timestamp() * 1000),
            "imageServer": "",
            "imageUrlString": self.picture().replace("/", "\\") + ";",
            "categoryParentList": "9|Toys/Dolls/Games|2230|Building Toys",
            "bidHistory": {
                "auctionClosed": is_over,
                "bidSummary": [
                    {"bidderName": f"b****{n % 7}", "bidAmount": float(self.price(now) - n)}
                    for n in range(min(bids, 5))
                ],
                "bidComplete": [],
            },
            "isItemEndTimeExpire": is_over,
            "remainingTime": "Auction Ended" if is_over else remaining(self.ends - now),
        }

    def buy_now(self) -> Decimal:
        return self.kind[2] * 3 if self.has_buy_now else Decimal(0)

    def shipping_html(self, zip_code: str) -> str:
        """Return the site's answer about shipping: HTML, with its odd currency sign."""
        far = int(zip_code[0])
        cost = Decimal("7.40") + Decimal(str(self.kind[1])) * Decimal("0.85") + far
        total = cost + 3
        return (
            "<div><p>Estimated Shipping</p><p>Shipping: <span id='shipping-span'>"
            f"\u00a4{cost:.2f} (GROUND_HOME_DELIVERY)</span></p><p>Handling: \u00a43.00</p>"
            f"<p>Total Shipping and Handling: \u00a4{total:.2f}</p></div>"
        )


def open_listings(now: dt.datetime) -> list[Listing]:
    """Return the sixty that are open, those that end first first."""
    passed = int((now - EPOCH) / STEP)
    return [
        Listing(number=turn % COUNT, ends=EPOCH + turn * STEP)
        for turn in range(passed + 1, passed + 1 + COUNT)
    ]


def listing_of(item_id: int, now: dt.datetime) -> Listing | None:
    """Return an open or lately ended listing by its number."""
    turn = item_id - FIRST_ID
    if not (now - ARCHIVED - EPOCH) / STEP < turn <= (now + RUN - EPOCH) / STEP or turn < 1:
        return None
    ends = EPOCH + turn * STEP
    return Listing(number=turn % COUNT, ends=ends)


def wall_time(instant: dt.datetime) -> str:
    """Return the site's clock without a zone, with as few digits of the second as it takes."""
    text = instant.astimezone(SITE_ZONE).replace(tzinfo=None).isoformat(timespec="milliseconds")
    return text.rstrip("0").rstrip(".")


def remaining(left: dt.timedelta) -> str:
    """Return '2d 3h 4m 5s ' without the parts that are nothing, with the site's blank."""
    seconds = max(0, int(left.total_seconds()))
    days, rest = divmod(seconds, 86_400)
    hours, rest = divmod(rest, 3_600)
    minutes, seconds = divmod(rest, 60)
    parts = ((days, "d"), (hours, "h"), (minutes, "m"), (seconds, "s"))
    return "".join(f"{count}{unit} " for count, unit in parts if count)
