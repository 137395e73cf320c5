"""The preview of a file whose lots become a batch, or join one."""

from collections import Counter
from collections.abc import Sequence
from typing import IO, Any, Final, NamedTuple

from apps.batches.models import IN_STATE, Batch, BatchItem
from apps.batches.rules.states import ItemState
from apps.catalog.models import Lot
from apps.catalog.selectors.same_lots import same_as_moved
from apps.exchange.any_file import AnyFile, FileKind, kind_of
from apps.exchange.bsx_around import lost_in_joining
from apps.exchange.refusals import FileRefused, RefusalCode
from apps.inventory.rules.consolidation import group_key
from apps.inventory.rules.file_columns import FILE_COLUMNS
from apps.inventory.rules.sync_plan import Planned
from apps.inventory.services.bsx_sync import Preview

JOINED: Final = "joined"
_GROUP: Final = ("condition", "sub_condition", "status")


class _Alike(NamedTuple):
    """What an item and a lot of the file have in common where they are consolidated."""

    lot_id: int | None
    condition: str
    sub_condition: str
    status: str


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
        there = rows.values_list("lot_id", *_GROUP, "location__name").iterator()
        return {key for *of, place in there if (key := self._key(_Alike(*of), place or ""))}

    def _key(self, row: _Alike, place: str) -> tuple[Any, ...] | None:
        key = group_key(row, self.same)
        return None if key is None else (place, *key)

    def _opened(self, stream: IO[bytes]) -> AnyFile:
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
        of = _Alike(one.lot_id, *(one.values[FILE_COLUMNS.index(name)] for name in _GROUP))
        return self._key(of, one.location) in self.alike

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
