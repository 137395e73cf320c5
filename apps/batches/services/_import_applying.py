"""The lots of a previewed file become the items of a batch, which is hidden until it is whole."""

from collections.abc import Sequence
from typing import Any, Final

from more_itertools import chunked

from apps.batches.models import Batch, BatchItem
from apps.batches.services._import_joining import join_batch
from apps.batches.services.batches import open_batches
from apps.core.bulk import allocate_ids, insert_rows
from apps.core.concurrency import lock_ids_in_order
from apps.core.errors import NotFound
from apps.core.jobs.run import JobRun
from apps.exchange.any_file import WHOLE_STORES, FileKind
from apps.exchange.bsx_around import around_values
from apps.inventory.models import InventorySync, SyncChunk
from apps.inventory.rules.file_columns import FILE_COLUMNS
from apps.inventory.rules.sync_plan import CREATED, Planned
from apps.inventory.services import received
from apps.inventory.services.bsx_sync import Importer, remove_locations

# The columns of BatchItem beside those of the lot, as they are for a new item.
_NEW: Final = {
    "inventory_item_id": None,
    "is_stowed": False,
    "is_stowed_pending": False,
    "is_listed": False,
    "is_listed_pending": False,
    "is_changed_since_listing": False,
    "failure": "",
    "stowed_at": None,
    "listed_at": None,
}
_COLUMNS: Final = (
    "id",
    "owner_id",
    "batch_id",
    "created_at",
    "updated_at",
    *_NEW,
    "lot_id",
    "location_id",
    "quantity",
    *FILE_COLUMNS,
)


class BatchImporter(Importer):
    """Fills a hidden batch, then shows it, or moves its items to the batch that they join."""

    def begin(self, run: JobRun) -> None:
        how = self.sync.options["batch"]
        hidden = Batch.objects.filter(pk=self.sync.batch_id or 0, is_ready=False)
        if hidden.exists():  # of an attempt that was killed
            return
        with run.chunk(done=0):
            # Lots that could not be read are reported again.
            run.failed.clear()
            run.failed_count = 0
            if how.get("into"):
                open_batches([how["into"]])
            batch = Batch.objects.create(owner=self.sync.owner, name=how["name"], is_ready=False)
            self.sync.batch_id = batch.pk
            self.sync.save(update_fields=["batch_id"])

    def apply(self, run: JobRun, chunk: SyncChunk, planned: Sequence[Planned]) -> None:
        self._refuse(run, planned)
        lot_ids = self._lots(planned)
        made = [one for one in planned if one.kind == CREATED]
        ids = allocate_ids(BatchItem, len(made))
        same = (self.sync.owner_id, self.sync.batch_id, self.instant, self.instant, *_NEW.values())
        rows = [
            (
                pk,
                *same,
                lot_ids.get(one.position, one.lot_id),
                self.locations.get(one.location),
                one.quantity,
                *one.values,
            )
            for pk, one in zip(ids, made, strict=True)
        ]
        insert_rows(BatchItem, _COLUMNS, rows)
        self._written(chunk, ids, [])

    def receive(self, run: JobRun) -> None:
        """Store lots of which nothing is known: the batch may be an order with a part of their pieces."""
        if FileKind(self.sync.reading["kind"]) not in WHOLE_STORES:
            return
        listed = BatchItem.objects.filter(
            batch_id=self.sync.batch_id or 0, marketplace_lot_id__isnull=False
        )
        lot_ids = listed.order_by("marketplace_lot_id").values_list("marketplace_lot_id", flat=True)
        remarks = self.sync.told.get("remarks", {})
        for some in chunked(lot_ids.distinct(), received.AT_ONCE):
            with run.chunk():
                lots = received.whole_lots(listed.filter(marketplace_lot_id__in=some))
                for lot_id in lots.keys() & {int(lot_id) for lot_id in remarks}:
                    lots[lot_id]["remarks"] = remarks[str(lot_id)]
                received.receive(
                    owner=self.sync.owner,
                    lots=lots,
                    now=self.now,
                    sync_id=self.sync.pk,
                    only_new=True,
                )

    def end(self) -> dict[str, Any]:
        sync, how = self.sync, self.sync.options["batch"]
        header = {
            "file_name": sync.file_name,
            "currency": sync.currency,
            **{name: sync.header[name] for name in around_values({}) if name in sync.header},
        }
        batch = lock_ids_in_order(Batch, [sync.batch_id or 0]).get(sync.batch_id or 0)
        if batch is None:
            raise NotFound
        if how.get("into"):
            # One instant for all, whichever attempt wrote them: an undo compares with it.
            sync.chunks.filter(applied_at__isnull=False).update(applied_at=self.now)
            told = join_batch(
                batch=batch,
                into=how["into"],
                header=header,
                consolidate=how.get("consolidate", False),
                by=self.by,
                now=self.now,
            )
        else:
            Batch.objects.filter(pk=batch.pk).update(
                is_ready=True, bsx_header=header, updated_at=self.now
            )
            told = {"batch_id": batch.pk, "name": batch.name}
        InventorySync.objects.filter(pk=sync.pk).update(
            batch_id=told["batch_id"], told={**sync.told, **told}, file=""
        )
        return {**told, "lots": sync.counts["lots"] - sync.counts["unreadable"]}


def discard_import(sync: InventorySync, *, state: str, problem: str) -> None:
    """Delete the hidden batch of an import that stopped; its file can be previewed again."""
    rows = InventorySync.objects.filter(pk=sync.pk)
    rows.update(state=state, problem=problem)
    hidden = Batch.objects.filter(pk=sync.batch_id or 0, is_ready=False)
    if not hidden.exists():
        return
    BatchItem.objects.filter(batch__in=hidden).delete()
    hidden.delete()
    remove_locations(sync)
    received.forget_import(owner=sync.owner, sync_id=sync.pk)
    sync.chunks.update(applied_at=None, before=b"")
    rows.update(batch_id=None, applied_counts={}, made_location_ids=[])
