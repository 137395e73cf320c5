"""A seller's secrets at BrickLink, and the range of BrickLink's lot ids."""

from dataclasses import dataclass, field
from typing import ClassVar, Final

from apps.marketplace.providers.base import Ids, Secrets
from apps.marketplace.providers.known import MarketplaceId


@dataclass(frozen=True, slots=True)
class BrickLinkSecrets(Secrets):
    """The four secrets of a seller's registration page."""

    marketplace: ClassVar = MarketplaceId.BRICKLINK

    consumer_key: str = field(repr=False, metadata={"shown": "ConsumerKey"})
    consumer_secret: str = field(repr=False, metadata={"shown": "ConsumerSecret"})
    token: str = field(repr=False, metadata={"shown": "TokenValue"})
    token_secret: str = field(repr=False, metadata={"shown": "TokenSecret"})


LOT_IDS: Final = Ids(MarketplaceId.BRICKLINK)
