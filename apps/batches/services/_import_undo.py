"""Undo the import of a file into a batch: its new items go, those stowed or moved since stay."""

from collections.abc import Collection, Mapping

from apps.batches.models import Batch, BatchAct, BatchItem
from apps.batches.services.acts import undo_act
from apps.core.concurrency import lock_ids_in_order
from apps.core.errors import DomainError
from apps.core.jobs.run import JobFailed, JobRun
from apps.inventory.services.bsx_sync import Applied, UndoSync

_Locked = Mapping[int, BatchItem]


class UndoBatch(UndoSync[_Locked]):
    """Deletes the items that an import made."""

    def run(self, run: JobRun) -> None:
        act = BatchAct.objects.filter(
            pk=self.sync.told.get("act_id") or 0, owner=self.sync.owner, undone_at=None
        ).first()
        if act is not None:
            # They are items of their own again, before any of them goes.
            try:
                with run.chunk():
                    undo_act(act=act, by=self.by, now=self.now)
            except DomainError as refusal:
                raise JobFailed(reason=refusal.text) from refusal
        super().run(run)

    def lock(self, chunk: Applied) -> _Locked:
        return lock_ids_in_order(BatchItem, chunk.images)

    def restore(self, chunk: Applied, locked: _Locked, left: Collection[int]) -> None:
        used = {
            pk for pk, item in locked.items() if item.is_stowed or item.is_stowed_pending
        }  # their pieces are in the stock
        BatchItem.objects.filter(pk__in=locked.keys() - set(left) - used).delete()

    def finish(self) -> None:
        """Delete the batch that the import made, where nothing is left in it."""
        if not self.sync.options["batch"].get("into"):
            made = Batch.objects.filter(pk=self.sync.batch_id or 0, owner=self.sync.owner)
            made.exclude(pk__in=BatchItem.objects.values("batch_id")).delete()
