"""What waits at the backups: one to be made."""

import datetime as dt
from collections.abc import Iterator
from typing import Final

from apps.backups.selectors import newest_copies
from apps.batches.selectors import batch_rows
from apps.core.waiting import Asked, Waiting, waits
from apps.inventory.models import InventoryItem
from apps.inventory.services.stock_figures import stock_by_type

COPY_LASTS: Final = dt.timedelta(days=30)
FIRST_DAY: Final = dt.timedelta(days=1)


@waits("backups.none")
def no_backup(asked: Asked) -> Iterator[Waiting]:
    """Yield that no copy was made for a month where there is more than a day's work to lose.

    A file of the whole inventory is a copy, too.
    """
    written = [copy["written_at"] for copy in asked.once(newest_copies).values()]
    newest = max(written, default=None)
    if newest is not None and newest >= asked.now - COPY_LASTS:
        return
    begun = [batch["created_at"] for batch in asked.once(batch_rows)]
    if asked.once(stock_by_type):
        items = InventoryItem.objects.owned_by(asked.owner).order_by("pk")
        begun += items.values_list("created_at", flat=True)[:1]
    if any(at <= asked.now - FIRST_DAY for at in begun):
        yield Waiting(
            id="backup",
            title="Make a backup",
            note="There is none yet" if newest is None else "The last one is over a month old",
            count=1,
            since=newest,
            to="/app/settings#backup",
        )
