"""What waits at the backups: one to be made."""

import datetime as dt
from collections.abc import Iterator
from operator import attrgetter
from typing import Any, Final

from django.db.models import F, QuerySet, Value

from apps.backups.models import Backup
from apps.batches.selectors import batch_rows
from apps.core.waiting import Asked, Fact, Question, Waiting, facts_of, finds, waits
from apps.exports.models import Export, Scope
from apps.inventory.models import InventoryItem
from apps.inventory.services.stock_figures import stock_by_type

COPY_LASTS: Final = dt.timedelta(days=30)
FIRST_DAY: Final = dt.timedelta(days=1)


@finds("backups.copies")
def _copies(asked: Question) -> Iterator[QuerySet[Any, Any]]:
    """The newest backup of everything, and the newest file of the whole inventory."""
    files: dict[str, Any] = {
        "everything": Backup.objects.owned_by(asked.owner),
        "inventory": Export.objects.owned_by(asked.owner).filter(scope=Scope.INVENTORY),
    }
    columns = {"id": F("pk"), "name": F("file_name"), "at": F("written_at")}
    for of, rows in files.items():
        newest = rows.filter(written_at__isnull=False).order_by("-created_at")[:1]
        yield facts_of("copies", newest, **columns, text=Value(of))
    first = InventoryItem.objects.owned_by(asked.owner).order_by("pk")[:1]
    yield facts_of("first_in_stock", first, at=F("created_at"))


def newest_copy(asked: Asked) -> Fact | None:
    """Return the newest copy of a person's data: `text` says if `everything` or the `inventory`."""
    return max(asked.facts("copies"), key=attrgetter("at"), default=None)


@waits("backups.none")
def no_backup(asked: Asked) -> Iterator[Waiting]:
    """Yield that no copy was made for a month where there is more than a day's work to lose.

    A file of the whole inventory is a copy, too.
    """
    newest = newest_copy(asked)
    if newest is not None and newest.at >= asked.now - COPY_LASTS:
        return
    begun = [batch["created_at"] for batch in asked.once(batch_rows)]
    if asked.once(stock_by_type):
        begun += [one.at for one in asked.facts("first_in_stock")]
    if any(at <= asked.now - FIRST_DAY for at in begun):
        yield Waiting(
            id="backup",
            title="Make a backup",
            note="There is none yet" if newest is None else "The last one is over a month old",
            count=1,
            since=None if newest is None else newest.at,
            to="/app/settings#backup",
        )
