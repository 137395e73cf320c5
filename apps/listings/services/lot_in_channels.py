"""What each of a person's stores has of a lot of the stock, and whether it is in step."""

import datetime as dt
from collections.abc import Collection
from typing import Annotated, Final, Literal, TypedDict

from apps.accounts.models import User
from apps.core.money import Money
from apps.inventory.models import ChannelLot, InventoryItem, WithheldLot
from apps.inventory.services.changes import channels_that_differ, unsettled_fields
from apps.listings.models import StoreSync, StoreSyncRow, SyncRowState
from apps.listings.services._sending_changes import AGREES
from apps.listings.services.store_cycle import why_left_out
from apps.listings.services.store_sync import LEFT_OUT
from apps.marketplace.models import ConnectionState
from apps.marketplace.providers.known import MARKETPLACES, number_of
from apps.marketplace.selectors import connections_of

NOT_LISTED: Final = "It is not listed yet."
WITHHELD: Final = "You left it out of a plan."
NO_LOT: Final = "The store has no lot of it."
ASKED: Final = "It was changed here and there: decide on Store, Changed on both sides."


State = Literal["in_step", "to_send", "held", "not_there"]


class LotInChannel(TypedDict):
    """A lot of the stock at one of the person's stores."""

    channel_id: int
    marketplace_name: str
    mark: str
    state: Annotated[State, "held: it differs, and the next sync does not send it by itself"]
    reason: Annotated[str, "why it is held back or not there; empty otherwise"]
    quantity: Annotated[int | None, "there, as last received; null: not there"]
    price: Annotated[Money | None, "there; null: none"]
    stockroom: Annotated[str, "empty: buyers see it"]
    address: Annotated[str, "of the lot at the marketplace; empty where none is known"]
    receivedAt: dt.datetime | None


def lot_in_channels(item: InventoryItem) -> list[LotInChannel]:
    """Return a line for each connected store, with as many queries for several as for one."""
    owner, number = item.owner, item.marketplace_lot_id
    lots: dict[int, ChannelLot] = {}
    withheld: dict[int, str] = {}
    if number is not None:
        rows = ChannelLot.objects.owned_by(owner).filter(marketplace_lot_id=number)
        lots = {lot.channel_id: lot for lot in rows}
        left = WithheldLot.objects.owned_by(owner).filter(marketplace_lot_id=number)
        for channel_id, reason in left.values_list("channel", "reason"):
            withheld[channel_id] = WITHHELD if reason == LEFT_OUT else reason
    held = _why_held(owner, number or 0, lots.values())
    lines = []
    for connection in connections_of(owner):
        info, why = MARKETPLACES[connection.marketplace], why_left_out(connection)
        missing = withheld.get(connection.channel_id, why or NO_LOT)
        line: LotInChannel = {
            "channel_id": connection.channel_id,
            "marketplace_name": info.name,
            "mark": info.mark,
            "state": "not_there",
            "reason": NOT_LISTED if number is None else missing,
            "quantity": None,
            "price": None,
            "stockroom": "",
            "address": "",
            "receivedAt": None,
        }
        if lot := lots.get(connection.channel_id):
            differs, reason = held[lot.channel_id]
            if differs and connection.state == ConnectionState.REFUSED:
                reason = connection.problem
            elif differs:
                reason = why or reason
            line["state"] = "held" if reason else "to_send" if differs else "in_step"
            line["reason"], line["receivedAt"] = reason, lot.received_at
            line["quantity"], line["price"] = lot.quantity, lot.price
            line["stockroom"] = lot.stockroom
            if lot.quantity > 0 and not info.is_demo:
                line["address"] = info.lot_address.format(number_of(lot.remote_lot_id))
        lines.append(line)
    return lines


def _why_held(
    owner: User, number: int, lots: Collection[ChannelLot]
) -> dict[int, tuple[bool, str]]:
    """Return by channel whether a lot differs there, and why the last sync did not send it."""
    if not lots:
        return {}
    asked = unsettled_fields(owner=owner, lot_ids=[number]).get(number, set())
    differing = channels_that_differ(owner=owner, lot_id=number, lots=lots, asked=asked)
    last = StoreSync.objects.owned_by(owner).order_by("-created_at")[:1]
    left = StoreSyncRow.objects.filter(
        sync__in=last.values("pk"),
        marketplace_lot_id=number,
        state__in=[SyncRowState.SKIPPED, SyncRowState.FAILED],
    ).exclude(reason__in=[AGREES, LEFT_OUT])
    unsent: dict[int | None, str] = dict(left.order_by("-pk").values_list("channel", "reason"))
    agrees = (False, ASKED if asked else "")
    return {
        lot.channel_id: (True, unsent.get(lot.channel_id, ""))
        if lot.channel_id in differing
        else agrees
        for lot in lots
    }
