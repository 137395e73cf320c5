"""Recognises a store that reads as it did when nothing in it differed from the stock."""

import datetime as dt
import hashlib
from typing import Any

from django.db.models import Count, Max

from apps.inventory.models import Channel, InventoryItem
from apps.inventory.services.channels import in_channel


class LastReading:
    """Compares a reading of the store with the last one in which nothing differed.

    Beside the answer it compares the state of the listed rows, and the day: once a day the
    store is compared in any case.
    """

    def __init__(self, channel: Channel, *, now: dt.datetime) -> None:
        self._state = f"{_state_of(channel)} {now.astimezone(dt.UTC).date()}"
        self._known = Channel.objects.values_list("seen", flat=True).get(pk=channel.pk)
        #: The digest of this reading, '' where it says nothing.
        self.seen = ""

    def is_known(self, answer: str) -> bool:
        """Return whether this answer was compared before, with the same stock."""
        self.seen = hashlib.sha256(f"{answer} {self._state}".encode()).hexdigest()
        return self.seen == self._known


def _state_of(channel: Channel) -> tuple[Any, ...]:
    """Return values that change with each change of the listed rows or of the received lots."""
    listed = InventoryItem.objects.owned_by(channel.owner).filter(in_channel(channel))
    found = (rows.aggregate(Count("pk"), Max("updated_at")) for rows in (listed, channel.lots))
    return tuple(value for row in found for value in row.values())
