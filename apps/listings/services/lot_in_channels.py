"""What each of a person's stores has of a lot of the stock, and whether it is in step."""

import datetime as dt
from typing import Annotated, Final, Literal, TypedDict

from django.conf import settings

from apps.core.money import Money
from apps.inventory.models import ChannelLot, InventoryItem
from apps.inventory.selectors.origins import pieces_to_list
from apps.inventory.services.changes import differences_of, unsettled_fields
from apps.listings.models import StoreSync, StoreSyncRow, SyncRowState
from apps.listings.services._sending_changes import AGREES
from apps.listings.services.store_cycle import why_left_out
from apps.listings.services.store_sync import LEFT_OUT
from apps.marketplace.models import ConnectionState, MarketplaceConnection
from apps.marketplace.providers.known import MARKETPLACES, number_of
from apps.marketplace.selectors import connections_of

NOT_LISTED: Final = "It is not listed yet."
WITHHELD: Final = "You left it out of a plan."
NO_LOT: Final = "The store has no lot of it."
ASKED: Final = "It was changed here and there: decide on Store, Changed on both sides."


class LotInChannel(TypedDict):
    """A lot of the stock at one of the person's stores."""

    channel_id: int
    marketplace_name: str
    mark: str
    state: Annotated[
        Literal["in_step", "to_send", "held", "not_there"],
        "held: it differs, and the next sync does not send it by itself",
    ]
    reason: Annotated[str, "why it is held back or not there; empty otherwise"]
    quantity: Annotated[int | None, "there, as last received; null: not there"]
    price: Annotated[Money | None, "there; null: none"]
    stockroom: Annotated[str, "empty: buyers see it"]
    address: Annotated[str, "of the lot at the marketplace; empty where none is known"]
    receivedAt: dt.datetime | None


def lot_in_channels(item: InventoryItem) -> list[LotInChannel]:
    """Return a line for each connected store."""
    return [_line(item, connection) for connection in connections_of(item.owner)]


def _line(item: InventoryItem, connection: MarketplaceConnection) -> LotInChannel:
    info = MARKETPLACES[connection.marketplace]
    channel, number = connection.channel, item.marketplace_lot_id
    lot: ChannelLot | None = None
    if number is not None:
        lot = channel.lots.filter(marketplace_lot_id=number).first()
    line: LotInChannel = {
        "channel_id": channel.pk,
        "marketplace_name": info.name,
        "mark": info.mark,
        "state": "not_there",
        "reason": NOT_LISTED if number is None else NO_LOT,
        "quantity": None,
        "price": None,
        "stockroom": "",
        "address": "",
        "receivedAt": None,
    }
    if lot is None and number is not None:
        left = channel.withheld.filter(marketplace_lot_id=number).first()
        if left is not None:
            line["reason"] = WITHHELD if left.reason == LEFT_OUT else left.reason
        elif not channel.lots.exists():
            line["reason"] = why_left_out(connection)
    if lot is None:
        return line
    has_page = lot.quantity > 0 and not getattr(settings, info.demo_setting)
    line |= {
        "quantity": lot.quantity,
        "price": lot.price,
        "stockroom": lot.stockroom,
        "address": info.lot_address.format(number_of(lot.remote_lot_id)) if has_page else "",
        "receivedAt": lot.received_at,
    }
    line["state"], line["reason"] = _state(lot, connection)
    return line


def _state(
    lot: ChannelLot, connection: MarketplaceConnection
) -> tuple[Literal["in_step", "to_send", "held"], str]:
    """Return whether a channel has a lot as the stock does, and why it is not sent to it."""
    owner, lot_id = connection.owner, lot.marketplace_lot_id
    waiting = pieces_to_list(owner=owner, lot_id=lot_id)
    differing = differences_of(
        owner=owner, lot_ids=[lot_id], waiting=waiting, channel_id=lot.channel_id
    )
    if next(differing, None) is None:
        asked = unsettled_fields(owner=owner, lot_ids=[lot_id])
        return ("held", ASKED) if asked else ("in_step", "")
    why = why_left_out(connection) or _why_not_sent(lot)
    if connection.state == ConnectionState.REFUSED:
        why = connection.problem
    return ("held", why) if why else ("to_send", "")


def _why_not_sent(lot: ChannelLot) -> str:
    """Return why the last sync left a lot; '' where it did not plan to send it."""
    last = StoreSync.objects.owned_by(lot.owner).order_by("-created_at").first()
    rows = StoreSyncRow.objects.filter(
        sync=last,
        channel=lot.channel_id,
        marketplace_lot_id=lot.marketplace_lot_id,
        state__in=[SyncRowState.SKIPPED, SyncRowState.FAILED],
    )
    reasons = rows.exclude(reason__in=[AGREES, LEFT_OUT]).values_list("reason", flat=True)
    return reasons.first() or ""
