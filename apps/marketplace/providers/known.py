"""The marketplaces where a store can be connected, and what differs beyond their calls."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

#: More lots than any marketplace has numbered, and few enough for a browser's whole numbers.
IDS_OF_ONE: Final = 10**12


class MarketplaceId(StrEnum):
    """The marketplaces that there is a client for."""

    BRICKLINK = "bricklink"
    BRICKOWL = "brickowl"


@dataclass(frozen=True, slots=True)
class MarketplaceInfo:
    """A marketplace. Its lots have a range of ids of their own: one id means one lot of one store."""

    id: MarketplaceId
    name: str
    demo_name: str
    first_lot_id: int
    has_prices: bool  # and a catalogue in which unknown numbers are looked up
    url_setting: str
    demo_setting: str

    @property
    def lot_ids(self) -> tuple[int, int]:
        """The least and the largest id of its lots here."""
        return self.first_lot_id, self.first_lot_id + IDS_OF_ONE - 1


MARKETPLACES: Final[Mapping[str, MarketplaceInfo]] = {
    info.id: info
    for info in (
        MarketplaceInfo(
            id=MarketplaceId.BRICKLINK,
            name="BrickLink",
            demo_name="Demo store",
            first_lot_id=1,
            has_prices=True,
            url_setting="MARKETPLACE_URL",
            demo_setting="MARKETPLACE_IS_DEMO",
        ),
        MarketplaceInfo(
            id=MarketplaceId.BRICKOWL,
            name="BrickOwl",
            demo_name="BrickOwl (demo)",
            first_lot_id=IDS_OF_ONE + 1,
            has_prices=False,
            url_setting="BRICKOWL_URL",
            demo_setting="BRICKOWL_IS_DEMO",
        ),
    )
}
WITH_PRICES: Final = [info.id for info in MARKETPLACES.values() if info.has_prices]
