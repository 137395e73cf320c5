"""The preview of a file whose lots become a batch, or join one."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from apps.batches.models import IN_STATE, Batch, BatchItem
from apps.batches.rules.states import ItemState
from apps.catalog.models import Lot
from apps.catalog.selectors.same_lots import same_as_moved
from apps.exchange.any_file import AnyFile, FileKind, kind_of
from apps.exchange.bsx_around import lost_in_joining
from apps.exchange.conditions import UNKNOWN_CONDITION
from apps.exchange.refusals import FileRefused, RefusalCode
from apps.inventory.rules.consolidation import EXCLUDED
from apps.inventory.rules.file_columns import FILE_COLUMNS
from apps.inventory.rules.sync_plan import Planned
from apps.inventory.services.bsx_sync import Preview

JOINED: Final = "joined"
_GROUP: Final = [FILE_COLUMNS.index(name) for name in ("condition", "sub_condition", "status")]


class BatchPreview(Preview):
    """As of the stock, but every lot becomes a new item."""

    also_counted = (JOINED,)

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        batch = self.sync.options.get("batch", {})
        self.into = Batch.objects.owned_by(self.owner).filter(pk=batch.get("into") or 0).first()
        #: The new items of that batch with which lots of the file are consolidated.
        self.alike = self._new_items() if batch.get("consolidate") else set()

    def _new_items(self) -> set[tuple[Any, ...]]:
        rows = BatchItem.objects.filter(IN_STATE[ItemState.NEW], batch=self.into)
        self.same = same_as_moved(Lot.objects.filter(pk__in=rows.values("lot")))
        return {
            (
                self.same.get(lot_id, lot_id),
                place or "",
                condition,
                sub_condition,
                status == EXCLUDED,
            )
            for lot_id, place, condition, sub_condition, status in rows.values_list(
                "lot_id", "location__name", "condition", "sub_condition", "status"
            ).iterator()
            if lot_id is not None and condition != UNKNOWN_CONDITION
        }

    def _opened(self, stream: Any) -> AnyFile:
        file = super()._opened(stream)
        if kind_of(file) is FileKind.UPDATE_XML:
            raise FileRefused(
                RefusalCode.NOT_LOTS,
                "This file changes lots of your store: import it on the inventory page.",
            )
        return file

    def _write_chunk(
        self, entries: Sequence[Any], warnings: Sequence[Any], counts: Counter[str]
    ) -> None:
        if self.alike:
            counts[JOINED] = sum(self._joins(Planned(*entry)) for entry in entries)
        super()._write_chunk(entries, warnings, counts)

    def _joins(self, one: Planned) -> bool:
        condition, sub_condition, status = (one.values[place] for place in _GROUP)
        lot = self.same.get(one.lot_id or 0, one.lot_id)
        key = (lot, one.location, condition, sub_condition, status == EXCLUDED)
        return key in self.alike

    def _warnings(self, currency: str) -> list[dict[str, Any]]:
        told = super()._warnings(currency)
        lost = [] if self.into is None else lost_in_joining(self.into.bsx_header, self.around)
        return told + [
            {
                "code": "lost_in_joining",
                "message": f"{tag} of the file is not kept: the batch has its own, of the file that "
                "was imported into it first.",
            }
            for tag in lost
        ]
