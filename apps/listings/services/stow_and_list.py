"""List the items stowed in the same act."""

import datetime as dt
from collections.abc import Sequence
from typing import Any

from more_itertools import chunked

from apps.batches.models import Batch
from apps.batches.services.selection import Chosen
from apps.core.jobs.models import Job
from apps.listings.services._batch_items import IN_A_STATEMENT
from apps.listings.services.listing import start_listing
from apps.marketplace.services.connections import ensure_connection


class StowedItems:
    """The lister of `batches.services.lister`."""

    def prepare(self, *, owner: Any, now: dt.datetime) -> None:
        """In the demo, connect the demo store. Raises NotConnected."""
        ensure_connection(owner=owner, now=now)

    def start(
        self, *, batch: Batch, item_ids: Sequence[int], stockroom: str | None, now: dt.datetime
    ) -> list[Job]:
        """Queue the listing of these items, as many jobs as their number needs."""
        return [
            start_listing(
                batch=batch,
                chosen=Chosen(item_ids=tuple(ids)),
                stockroom=stockroom,
                now=now,
                follows=True,
            ).job
            for ids in chunked(item_ids, IN_A_STATEMENT)
        ]
