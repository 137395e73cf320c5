"""What every marketplace offers, and the four ways in which a call can end.

A call answers, or raises one of: `Refused` (do not repeat it), `Throttled` (wait),
`NoAnswer` (the outcome is unknown: read before anything is sent again).
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any, ClassVar, Protocol, Self

from apps.exchange.lot_ids import IDS_OF_ONE
from apps.marketplace.providers.known import MARKETPLACES, MarketplaceId
from apps.marketplace.providers.lots import LotChange, LotDraft, StoreLot, UnreadLot
from apps.marketplace.providers.orders import (
    OrderMessage,
    OrderState,
    StoreOrder,
    StoreOrderHead,
    UnreadOrder,
)


class CallKind(StrEnum):
    """The purpose of a call: each kind may use the day's calls up to its own mark."""

    STOCK = "stock"  # changes what is for sale: create, delete, quantity
    NOTE = "note"  # changes texts
    PRICE = "price"  # changes prices
    LOOKUP = "lookup"  # price guide, catalogue, reading the store
    GUIDE = "guide"  # the price guide for many lots at once


Spend = Callable[[CallKind], None]  # counts a call before it is sent; raises to forbid it


@dataclass(frozen=True, slots=True)
class Secrets:
    """A seller's secrets, never printed. The fields differ by marketplace, which shows each by a name."""

    marketplace: ClassVar[MarketplaceId]


class MarketplaceError(Exception):
    """A call that did not end well. The text is for people."""


class Refused(MarketplaceError):
    """The marketplace understood and said no: the same call will be refused again."""

    def __init__(self, text: str, *, code: int) -> None:
        super().__init__(text)
        self.code = code


class AnsweredAsBefore(Exception):
    """The answer equals one that was read before, so nothing of it is read again."""


class NotThere(Refused):
    """The item, colour or lot does not exist at the marketplace."""


class NotOffered(Refused):
    """The marketplace, or our client of it, has no such call: nothing was sent."""

    def __init__(self, text: str) -> None:
        super().__init__(text, code=501)


class SecretsRefused(Refused):
    """The marketplace refuses the secrets. `address` is ours as it sees it, if known."""

    def __init__(self, text: str, *, address: str = "") -> None:
        super().__init__(text, code=401)
        self.address = address


class Throttled(MarketplaceError):
    """Too many calls; `wait_seconds` if the marketplace said how long.

    `is_daily`: it is the limit of the day, for all tools that call on the account.
    """

    def __init__(
        self, text: str, *, wait_seconds: int | None = None, is_daily: bool = False
    ) -> None:
        super().__init__(text)
        self.wait_seconds = wait_seconds
        self.is_daily = is_daily


class NoAnswer(MarketplaceError):
    """Nothing that could be read came back. With `is_unsent` the call surely never arrived."""

    def __init__(self, text: str, *, is_unsent: bool = False, is_timeout: bool = False) -> None:
        super().__init__(text)
        self.is_unsent = is_unsent
        self.is_timeout = is_timeout


class Unreadable(NoAnswer):
    """A complete answer that cannot be read: another call would return the same."""


@dataclass(frozen=True, slots=True)
class Ids:
    """Our ids of what a marketplace numbers, lots or orders, and its own."""

    marketplace: MarketplaceId
    noun: str = "lot"

    def ours(self, theirs: int) -> int:
        """Return our id. Raises Unreadable for an id beyond the range."""
        if not 1 <= theirs <= IDS_OF_ONE:
            raise Unreadable(f"The marketplace sent a {self.noun} whose number cannot be read.")
        return self._first - 1 + theirs

    def theirs(self, our_id: int) -> int:
        """Return the marketplace's own id of our id. Raises Refused for another's."""
        self.check(our_id)
        return our_id - self._first + 1

    def check(self, our_id: int) -> None:
        """Raise Refused for what another marketplace numbers."""
        least, largest = MARKETPLACES[self.marketplace].ids
        if not least <= our_id <= largest:
            words = f"This {self.noun} belongs to the store at another marketplace."
            raise Refused(words, code=409)

    @property
    def _first(self) -> int:
        return MARKETPLACES[self.marketplace].first_id


@dataclass(frozen=True, slots=True)
class GuideQuery:
    """Which figures: an item in a colour and condition.

    `region` is global, eu, us or the two letters of a country.
    """

    item_type: str
    number: str
    color_id: int
    condition: str  # N or U
    region: str
    currency: str
    is_sold: bool  # sold in the last six months, else offered now


@dataclass(frozen=True, slots=True)
class Sale:
    """One sale of the guide's detail, or one lot that is offered, which tells no country."""

    quantity: int
    price: Decimal
    seller_country: str


@dataclass(frozen=True, slots=True)
class Guide:
    """The answer to a PriceQuery, per piece. None is no data.

    `average` is weighted by pieces, `mean` counts each sale or lot once.
    """

    average: Decimal | None
    lowest: Decimal | None
    lots: int
    pieces: int
    sales: tuple[Sale, ...] = ()
    mean: Decimal | None = None

    @property
    def is_complete(self) -> bool:
        """Whether the detail holds every piece that the totals count."""
        return sum(sale.quantity for sale in self.sales) == self.pieces

    @property
    def prices(self) -> list[Decimal]:
        """The price of each sale or lot, the lowest first; none where some are missing."""
        return sorted(sale.price for sale in self.sales) if self.is_complete else []


NO_DATA = Guide(average=None, lowest=None, lots=0, pieces=0)


@dataclass(frozen=True, slots=True)
class CatalogueItem:
    """An item of a marketplace's catalogue. None is unknown."""

    item_type: str
    number: str
    name: str
    weight_grams: Decimal | None
    year_released: int | None


class Marketplace(Protocol):
    """A store's account at a marketplace. Use it in a `with`: it holds connections."""

    marketplace: ClassVar[MarketplaceId]

    def __enter__(self) -> Self: ...

    def __exit__(self, *problem: object) -> None: ...

    def check(self) -> None:
        """Make the cheapest call that proves the secrets. Raises MarketplaceError."""
        ...

    def price_guide(self, query: GuideQuery) -> Guide:
        """Return the figures that `query` asks for. Raises MarketplaceError."""
        ...

    def item(self, item_type: str, number: str) -> CatalogueItem:
        """Return an item of the catalogue. Raises NotThere and other MarketplaceErrors."""
        ...

    def lots(
        self, *, item_types: Sequence[str] = (), color_ids: Sequence[int] = ()
    ) -> list[StoreLot | UnreadLot]:
        """Return the store's lots, of these types and colours only. Raises MarketplaceError."""
        ...

    def each_lot(
        self,
        *,
        item_types: Sequence[str] = (),
        color_ids: Sequence[int] = (),
        is_known: Callable[[str], bool] | None = None,
    ) -> Iterator[StoreLot | UnreadLot]:
        """Yield the same lots one by one, in bounded memory. Raises MarketplaceError.

        `is_known` is called with a digest of the answer, before its first lot is read. Where it
        returns True, AnsweredAsBefore is raised.
        """
        ...

    def currency(self) -> str:
        """Return the code of the account's currency, '' if unknown. Raises MarketplaceError."""
        ...

    def lot(self, lot_id: int) -> StoreLot | UnreadLot:
        """Return one lot. Raises NotThere and other MarketplaceErrors."""
        ...

    def why_not(self, draft: LotDraft) -> str:
        """Return why the marketplace has no such item or colour, '' where it has or tells nothing.

        Raises MarketplaceError where that cannot be asked.
        """
        ...

    def create_lot(self, draft: LotDraft) -> StoreLot | UnreadLot:
        """Put one lot up and return it with its id. Raises MarketplaceError."""
        ...

    def create_lots(self, drafts: Sequence[LotDraft]) -> None:
        """Create several lots; the answer has no ids. Raises MarketplaceError."""
        ...

    def change_lot(self, lot_id: int, change: LotChange) -> None:
        """Change a lot. Raises MarketplaceError."""
        ...

    def delete_lot(self, lot_id: int) -> None:
        """Take a lot out of the store; one that is gone already is no error."""
        ...

    def orders(self, *, filed: bool = False) -> list[StoreOrderHead | UnreadOrder]:
        """Return what the store was asked to sell, filed away or not. Raises MarketplaceError."""
        ...

    def order(self, order_id: int) -> StoreOrder:
        """Return one order with its lines. Raises NotThere, Unreadable, other MarketplaceErrors."""
        ...

    def order_messages(self, order_id: int) -> list[OrderMessage]:
        """Return what buyer and seller wrote to each other. Raises MarketplaceError."""
        ...

    def set_order_state(self, order_id: int, state: OrderState) -> None:
        """Send the state of an order; safe to repeat. Raises MarketplaceError."""
        ...

    def set_tracking(self, order_id: int, number: str) -> None:
        """Send the tracking number of the parcel. Raises MarketplaceError."""
        ...

    def file_order(self, order_id: int) -> None:
        """Put an order among those that are over. Raises MarketplaceError."""
        ...


def sales_in(country: str, guide: Guide) -> Guide | None:
    """Return the figures of one country out of the world's sales; None where some are missing."""
    if not guide.is_complete:
        return None
    there = [sale for sale in guide.sales if sale.seller_country == country]
    pieces = sum(sale.quantity for sale in there)
    paid = sum((sale.price * sale.quantity for sale in there), Decimal())
    return Guide(
        average=paid / pieces if pieces else None,
        mean=sum((sale.price for sale in there), Decimal()) / len(there) if there else None,
        lowest=min((sale.price for sale in there), default=None),
        lots=len(there),
        pieces=pieces,
        sales=tuple(there),
    )


class Answers:
    """A catalogue's answers about its items, by what it was asked for."""

    def __init__(self) -> None:
        self._found: dict[str, Any] = {}

    def of(self, keys: Collection[str]) -> dict[str, Any]:
        """Return what is known of these."""
        return {key: self._found[key] for key in keys if key in self._found}

    def note(self, found: Mapping[str, Any]) -> None:
        """Keep answers for as long as the client lives."""
        self._found |= found

    def keep(self, found: Mapping[str, Any]) -> None:
        """Keep answers for the next clients, too, where that is done."""
        self.note(found)
