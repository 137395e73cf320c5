"""What waits at the backups: one to be made."""

import datetime as dt
from collections.abc import Iterator
from typing import Final

from apps.backups.models import Backup
from apps.batches.models import Batch
from apps.core.waiting import Asked, Waiting, waits
from apps.exports.models import Export, Scope
from apps.inventory.services.stock_figures import stock_by_type

COPY_LASTS: Final = dt.timedelta(days=30)


@waits("backups.none")
def no_backup(asked: Asked) -> Iterator[Waiting]:
    """Yield that no copy was made for a month where there is something to lose.

    A file of the whole inventory is a copy, too.
    """
    has_batches = Batch.objects.owned_by(asked.owner).exists()
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
    is_used = has_batches or asked.once(stock_by_type)
    if is_used and (newest is None or newest < asked.now - COPY_LASTS):
        yield Waiting(
            id="backup",
            title="Make a backup",
            note="There is none yet" if newest is None else "The last one is over a month old",
            count=1,
            since=newest,
            to="/app/settings#backup",
        )
