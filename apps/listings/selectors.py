"""When the store of an owner was last read."""

import datetime as dt

from django.db.models import Max, Min, Q

from apps.accounts.models import User
from apps.inventory.models import Channel, ChannelLot, InventorySync, ReadFrom, SyncTarget
from apps.inventory.models import SyncState as ImportState
from apps.listings.models import StoreSync, SyncState


def last_reading(owner: User, *, marketplace: str) -> dt.datetime | None:
    """Return a time shortly before a store was last read, with its orders, and taken over.

    A sync notes when it read each channel (`Channel.read_at`); ones of before did not. A channel
    that was never read is known since its first lot was. None where nothing is known of it.
    Not the latest lot: one that was listed since says nothing of the others.
    """
    whole = Q(read_from=ReadFrom.STORE) | Q(reading__covers="whole")
    imports = InventorySync.objects.owned_by(owner).filter(
        whole, state=ImportState.APPLIED, target=SyncTarget.STOCK
    )
    lots = ChannelLot.objects.owned_by(owner)
    channels = {channel.marketplace: channel for channel in Channel.objects.owned_by(owner)}
    channel = channels.get(marketplace)
    if channel is not None and any(each.read_at for each in channels.values()):
        if len(channels) > 1:
            imports, lots = imports.filter(channel=channel), lots.filter(channel=channel)
        read = [channel.read_at, imports.aggregate(at=Max("created_at"))["at"]]
    else:
        syncs = StoreSync.objects.owned_by(owner).filter(state=SyncState.APPLIED)
        read = [rows.aggregate(at=Max("created_at"))["at"] for rows in (imports, syncs)]
    first = lots.aggregate(at=Min("created_at"))["at"]
    return max((at for at in read if at is not None), default=first)
