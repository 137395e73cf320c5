"""The channels of a person's stock, and which of them a lot id is of."""

from collections.abc import Collection

from django.db import transaction
from django.db.models import F, Q

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
        lots.filter(remote_lot_id__range=channel.lot_ids).update(channel=channel)
    return channel


def channel_of_files(owner: User) -> Channel:
    """Return the channel of the lots that files name, made where there is none."""
    return channel_at(owner=owner, marketplace=OF_FILES, first_lot_id=IDS_OF_FILES[0])


def channels_of_lots(*, owner: User, lot_ids: Collection[int]) -> dict[int, int]:
    """Return by lot id the id of its channel: that of files for one that it has.

    So for one beyond all ranges, too.
    """
    found: dict[int, int] = {}
    elsewhere: list[int] = []
    for channel in Channel.objects.owned_by(owner):
        least, largest = channel.lot_ids
        there = [lot_id for lot_id in lot_ids if least <= lot_id <= largest]
        found |= dict.fromkeys(there, channel.pk)
        elsewhere += there if channel.marketplace != OF_FILES else ()
    others = [lot_id for lot_id in lot_ids if lot_id not in found]
    if others:
        found |= dict.fromkeys(others, channel_of_files(owner).pk)
    if elsewhere:
        lots = ChannelLot.objects.owned_by(owner).filter(channel__marketplace=OF_FILES)
        lots = lots.filter(marketplace_lot_id__in=elsewhere)
        found |= dict(lots.values_list("marketplace_lot_id", "channel_id"))
    return found


def in_channel(channel: Channel) -> Q:
    """Return the condition on rows of stock that a channel has their lot.

    A lot of its ids of which nothing was received anywhere is in it: a file named it.
    """
    lots = ChannelLot.objects.owned_by(channel.owner)
    elsewhere = lots.exclude(channel=channel).values("marketplace_lot_id")
    by_id = Q(marketplace_lot_id__range=channel.lot_ids) & ~Q(marketplace_lot_id__in=elsewhere)
    here = lots.filter(channel=channel, remote_lot_id__range=channel.lot_ids)
    return by_id | Q(marketplace_lot_id__in=here.values("marketplace_lot_id"))


def numbers_of(
    *, owner: User, remote_ids: Collection[int] | None = None, channel: Channel | None = None
) -> dict[int, int]:
    """Return by the id at its marketplace the number here of each lot whose number is another one.

    Of these ids, or of all; of one channel, or of all.
    """
    lots = ChannelLot.objects.owned_by(owner).exclude(remote_lot_id=F("marketplace_lot_id"))
    if channel is not None:
        lots = lots.filter(channel=channel)
    if remote_ids is not None:
        lots = lots.filter(remote_lot_id__in=remote_ids)
    return dict(lots.values_list("remote_lot_id", "marketplace_lot_id"))


def remote_ids_in_files(owner: User) -> dict[int, int]:
    """Return by number here the id in files of each lot that has another one there."""
    lots = ChannelLot.objects.owned_by(owner).filter(channel__marketplace=OF_FILES)
    lots = lots.exclude(remote_lot_id=F("marketplace_lot_id"))
    return dict(lots.values_list("marketplace_lot_id", "remote_lot_id"))


def channel_beside_others(owner: User) -> Channel | None:
    """Return the channel of files where it has lots and another one, too. Else a file is of all."""
    lots = ChannelLot.objects.owned_by(owner).order_by()
    found = set(lots.values_list("channel_id", flat=True).distinct())
    if len(found) < 2:
        return None
    return Channel.objects.filter(pk__in=found, marketplace=OF_FILES).first()
