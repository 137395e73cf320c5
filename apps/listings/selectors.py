"""When the store of an owner was last read."""

import datetime as dt

from django.db.models import Max, Min, Q

from apps.accounts.models import User
from apps.inventory.models import ChannelLot, InventorySync, ReadFrom, SyncTarget
from apps.inventory.models import SyncState as ImportState
from apps.listings.models import StoreSync, SyncState


def last_reading(owner: User) -> dt.datetime | None:
    """Return a time shortly before the store was last read, with its orders, and taken over.

    One that was never read is known since its first lot was. None where nothing is known of it.
    Not the latest lot: one that was listed since says nothing of the others.
    """
    whole = Q(read_from=ReadFrom.STORE) | Q(reading__covers="whole")
    imports = InventorySync.objects.owned_by(owner).filter(
        whole, state=ImportState.APPLIED, target=SyncTarget.STOCK
    )
    syncs = StoreSync.objects.owned_by(owner).filter(state=SyncState.APPLIED)
    read = [rows.aggregate(at=Max("created_at"))["at"] for rows in (imports, syncs)]
    first = ChannelLot.objects.owned_by(owner).aggregate(at=Min("created_at"))["at"]
    return max((at for at in read if at is not None), default=first)
