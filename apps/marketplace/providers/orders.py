"""Orders of a marketplace, in our words."""

import datetime as dt
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final, NamedTuple

from apps.exchange.order_statuses import OrderStatus as OrderState
from apps.marketplace.providers.known import number_of

#: The largest amounts an order may have: more is an error of its writer.
LARGEST_ID: Final = 2**63 - 1
MOST_PIECES: Final = 1_000_000
MOST_MONEY: Final = Decimal(10_000_000)


class ListedLot(NamedTuple):
    """What the stock says of a lot of the store: the letter of its type, and its condition."""

    letter: str
    condition: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreOrderHead:
    """An order in a list: enough to see whether it changed."""

    order_id: int
    state: OrderState
    status: str  # the marketplace's own word
    changed_at: dt.datetime | None  # None: not in the list
    payment_status: str
    pieces: int
    lots: int
    is_filed: bool
    # None: not in the list
    ordered_at: dt.datetime | None = None
    subtotal: Decimal | None = None
    total: Decimal | None = None


@dataclass(frozen=True, slots=True)
class UnreadOrder:
    """An order that cannot be read; its id is 0 where that cannot be read either."""

    order_id: int
    reason: str

    @property
    def name(self) -> str:
        return f"Order {number_of(self.order_id)}" if self.order_id else "An order without a number"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreOrderLine:
    """Pieces of one lot in an order. `batch` counts later additions."""

    lot_id: int | None
    item_type: str
    number: str
    name: str
    color_id: int
    color_name: str
    condition: str
    completeness: str
    quantity: int
    price: Decimal  # of one piece, after tiers
    batch: int = 0
    comments: str = ""
    remarks: str = ""
    grams: Decimal | None = None  # of one piece


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderAddress:
    name: str = ""
    lines: str = ""
    country: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderMoney:
    currency: str
    subtotal: Decimal = Decimal()
    shipping: Decimal = Decimal()
    insurance: Decimal = Decimal()
    fees: Decimal = Decimal()
    credit: Decimal = Decimal()
    tax: Decimal = Decimal()
    vat: Decimal = Decimal()
    total: Decimal = Decimal()


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreOrder:
    """An order in full."""

    order_id: int
    state: OrderState
    status: str
    ordered_at: dt.datetime | None  # None: a file did not tell
    changed_at: dt.datetime | None
    buyer: str
    money: OrderMoney
    lines: tuple[StoreOrderLine, ...]
    buyer_email: str = ""
    remarks: str = ""
    payment_status: str = ""
    payment_method: str = ""
    paid_at: dt.datetime | None = None
    shipping_method: str = ""
    tracking_number: str = ""
    address: OrderAddress = field(default_factory=OrderAddress)
    grams: Decimal | None = None
    is_filed: bool = False
    ordered_on: dt.date | None = None  # the day, where no time is known


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderMessage:
    sent_at: dt.datetime | None
    sender: str
    subject: str
    text: str
