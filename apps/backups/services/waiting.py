"""What waits at the backups: one to be made."""

import datetime as dt
from collections.abc import Iterator
from typing import Final

from apps.backups.models import Backup
from apps.batches.models import Batch
from apps.core.waiting import Asked, Waiting, waits
from apps.exports.models import Export, Scope
from apps.inventory.models import InventoryItem

COPY_LASTS: Final = dt.timedelta(days=30)
FIRST_DAY: Final = dt.timedelta(days=1)


@waits("backups.none")
def no_backup(asked: Asked) -> Iterator[Waiting]:
    """Yield that no copy was made for a month where there is more than a day's work to lose.

    A file of the whole inventory is a copy, too.
    """
    written = [
        found
        for files in (
            Backup.objects.owned_by(asked.owner),
            Export.objects.owned_by(asked.owner).filter(scope=Scope.INVENTORY),
        )
        if (
            found := files.filter(written_at__isnull=False)
            .order_by("-created_at")
            .values_list("written_at", flat=True)
            .first()
        )
    ]
    newest = max(written, default=None)
    if newest is not None and newest >= asked.now - COPY_LASTS:
        return
    first_rows = (
        rows.order_by("pk").values_list("created_at", flat=True).first()
        for rows in (
            Batch.objects.owned_by(asked.owner),
            InventoryItem.objects.owned_by(asked.owner),
        )
    )
    if any(at is not None and at <= asked.now - FIRST_DAY for at in first_rows):
        yield Waiting(
            id="backup",
            title="Make a backup",
            note="There is none yet" if newest is None else "The last one is over a month old",
            count=1,
            since=newest,
            to="/app/settings#backup",
        )
