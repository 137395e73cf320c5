"""The marketplaces where a store can be connected, and what differs beyond their calls."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from django.conf import settings

from apps.exchange.lot_ids import IDS_OF_ONE, OF_FILES


class MarketplaceId(StrEnum):
    """The marketplaces that there is a client for."""

    BRICKLINK = OF_FILES
    BRICKOWL = "brickowl"


@dataclass(frozen=True, slots=True)
class MarketplaceInfo:
    """A marketplace.

    Its lots have a range of ids of their own, and so have its orders: one id means one lot or one
    order of one store.
    """

    id: MarketplaceId
    real_name: str
    demo_name: str
    mark: str  # one or two letters, beside what is of it
    first_id: int
    has_prices: bool  # and a catalogue in which unknown numbers are looked up
    #: It may be disconnected while it is not known what became of a call to it.
    leaves_open_calls: bool
    #: It notifies of changed orders. Its demo store does so too, and may begin with lots.
    has_hints: bool
    url_setting: str
    demo_setting: str
    #: Where the seller sees a lot, `{}` being its number; '' where no address is known.
    lot_address: str

    @property
    def is_demo(self) -> bool:
        """Whether this server works with the simulator of it."""
        return bool(getattr(settings, self.demo_setting))

    @property
    def name(self) -> str:
        """The name on pages: of the demo store where this server works with that."""
        return self.demo_name if self.is_demo else self.real_name

    @property
    def ids(self) -> tuple[int, int]:
        """The least and the largest id of its lots and orders here."""
        return self.first_id, self.first_id + IDS_OF_ONE - 1


MARKETPLACES: Final[Mapping[str, MarketplaceInfo]] = {
    info.id: info
    for info in (
        MarketplaceInfo(
            id=MarketplaceId.BRICKLINK,
            real_name="BrickLink",
            demo_name="Demo store",
            mark="BL",
            first_id=1,
            has_prices=True,
            leaves_open_calls=True,
            has_hints=True,
            url_setting="MARKETPLACE_URL",
            demo_setting="MARKETPLACE_IS_DEMO",
            lot_address="https://www.bricklink.com/inventory_detail.asp?invID={}",
        ),
        MarketplaceInfo(
            id=MarketplaceId.BRICKOWL,
            real_name="BrickOwl",
            demo_name="BrickOwl (demo)",
            mark="BO",
            first_id=IDS_OF_ONE + 1,
            has_prices=False,
            leaves_open_calls=False,
            has_hints=False,
            url_setting="BRICKOWL_URL",
            demo_setting="BRICKOWL_IS_DEMO",
            lot_address="",
        ),
    )
}
#: The marketplace of a person who has named none.
DEFAULT: Final = MarketplaceId.BRICKLINK
WITH_PRICES: Final = [info.id for info in MARKETPLACES.values() if info.has_prices]


def whose(our_id: int) -> MarketplaceInfo | None:
    """Return the marketplace of a lot or an order; None for an id beyond all ranges."""
    for info in MARKETPLACES.values():
        least, largest = info.ids
        if least <= our_id <= largest:
            return info
    return None


def number_of(our_id: int) -> int:
    """Return the marketplace's own number of a lot or an order."""
    info = whose(our_id)
    return our_id if info is None else our_id - info.first_id + 1
