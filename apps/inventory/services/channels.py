"""The channels of a person's stock, and which of them a lot id is of."""

from collections.abc import Collection

from django.db import transaction

from apps.accounts.models import User
from apps.exchange.lot_ids import IDS_OF_FILES, OF_FILES
from apps.inventory.models import Channel, ChannelLot


@transaction.atomic
def channel_at(*, owner: User, marketplace: str, first_lot_id: int) -> Channel:
    """Return the owner's channel at a marketplace, made where there is none.

    A new one gets the lots of its ids that came by files before.
    """
    channel: Channel
    channel, is_new = Channel.objects.get_or_create(
        owner=owner, marketplace=marketplace, defaults={"first_lot_id": first_lot_id}
    )
    if is_new:
        lots = ChannelLot.objects.owned_by(owner)
        lots.filter(marketplace_lot_id__range=channel.lot_ids).update(channel=channel)
    return channel


def channel_of_files(owner: User) -> Channel:
    """Return the channel of the lots that files name, made where there is none."""
    return channel_at(owner=owner, marketplace=OF_FILES, first_lot_id=IDS_OF_FILES[0])


def channels_of_lots(*, owner: User, lot_ids: Collection[int]) -> dict[int, int]:
    """Return by lot id the id of its channel: that of files for one beyond all ranges."""
    found: dict[int, int] = {}
    for channel in Channel.objects.owned_by(owner):
        least, largest = channel.lot_ids
        found |= {lot_id: channel.pk for lot_id in lot_ids if least <= lot_id <= largest}
    others = [lot_id for lot_id in lot_ids if lot_id not in found]
    if others:
        found |= dict.fromkeys(others, channel_of_files(owner).pk)
    return found
