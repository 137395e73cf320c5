"""Syncs of stock and store: planned first and applied after review, or in one go."""

from django.db import models
from django.db.models import Q

from apps.core.ownership import IndexedByOwner
from apps.inventory.models import Channel


class SyncState(models.TextChoices):
    PLANNING = "planning"
    PLANNED = "planned"
    APPLYING = "applying"
    APPLIED = "applied"
    FAILED = "failed"
    CANCELLED = "cancelled"


class SyncWay(models.TextChoices):
    """Compared and shown first, or in one go: read, taken, sent."""

    COMPARE = "compare"
    CYCLE = "cycle"


class SyncKind(models.TextChoices):
    """How a lot differs. The first five change our stock, the others the store."""

    SOLD = "sold"  # fewer at the market: our stock goes down
    GONE = "gone"  # not in the store any more: our listed pieces go to 0
    TAKEN = "taken"  # changed there: our rows get it
    LINKED = "linked"  # on both sides, not yet tied together
    CREATED = "created"  # only there: a row is made here
    LOWERED = "lowered"  # fewer here: it is lowered there
    RAISED = "raised"  # pieces came here since the market received it: it is raised there
    PUT_UP = "put_up"  # for sale elsewhere and not there: it is put up there
    REMOVED = "removed"  # none here: it is taken off the market
    CHANGED = "changed"  # price or texts changed here: the market gets ours


class SyncRowState(models.TextChoices):
    PLANNED = "planned"
    SENDING = "sending"
    APPLIED = "applied"
    SKIPPED = "skipped"
    FAILED = "failed"


class StoreSync(IndexedByOwner):
    """One sync, of the whole stock or, with `batch_id`, of the lots that one batch listed."""

    # A plain id: a sync outlives its batch.
    batch_id = models.BigIntegerField(null=True, blank=True)
    state = models.CharField(max_length=9, choices=SyncState, default=SyncState.PLANNING)
    way = models.CharField(max_length=7, choices=SyncWay, default=SyncWay.COMPARE)
    is_scheduled = models.BooleanField(default=False)
    is_quiet = models.BooleanField(
        default=False, help_text="nothing new came of it: the next one takes its place"
    )
    import_id = models.BigIntegerField(
        null=True, blank=True, help_text="the import by which the store's changes came"
    )
    counts = models.JSONField(default=dict)
    reason = models.TextField(blank=True, default="")
    job_id = models.UUIDField(null=True, blank=True)
    applied_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = "store sync"
        constraints = (
            # Two concurrent syncs would each undo or repeat the changes of the other.
            models.UniqueConstraint(
                fields=["owner"],
                condition=Q(state__in=["planning", "applying"]),
                name="storesync_one_at_a_time",
            ),
            models.CheckConstraint(
                condition=Q(state="applied", applied_at__isnull=False)
                | (~Q(state="applied") & Q(applied_at__isnull=True)),
                name="storesync_applied_has_its_instant",
            ),
        )
        indexes = (
            # the list of a user's syncs, newest first
            models.Index(fields=["owner", "-created_at"], name="storesync_newest_first"),
        )

    def __str__(self) -> str:
        return f"sync {self.pk} of {self.owner_id}: {self.state}"


class StoreSyncRow(models.Model):
    """One lot that differs, the planned change and its result."""

    sync = models.ForeignKey(
        StoreSync,
        on_delete=models.CASCADE,
        related_name="rows",
        db_index=False,  # storesyncrow_of_a_kind begins with it
    )
    channel = models.ForeignKey(
        Channel,
        on_delete=models.CASCADE,
        null=True,
        related_name="+",
        db_index=False,  # rows are found by sync
        help_text="where it differs; none of a sync from before channels",
    )
    kind = models.CharField(max_length=10, choices=SyncKind)
    state = models.CharField(max_length=7, choices=SyncRowState, default=SyncRowState.PLANNED)
    name = models.CharField(max_length=400, blank=True, default="")
    marketplace_lot_id = models.BigIntegerField()
    inventory_item_ids = models.JSONField(default=list, help_text="our rows of this lot")
    quantity_here = models.PositiveIntegerField(default=0, help_text="of what is listed")
    quantity_there = models.PositiveIntegerField(default=0)
    changes = models.JSONField(default=list, help_text="[{field, here, there}]")
    mark = models.CharField(max_length=9, blank=True, default="")
    sent = models.JSONField(default=dict, help_text="what the call changes: values and delta")
    reason = models.TextField(blank=True, default="")

    class Meta:
        verbose_name = "row of a store sync"
        verbose_name_plural = "rows of store syncs"
        constraints = (
            models.CheckConstraint(
                condition=~Q(state__in=["skipped", "failed"]) | ~Q(reason=""),
                name="storesyncrow_left_has_a_reason",
            ),
        )
        indexes = (
            # the rows of a sync by kind, in the order of reading
            models.Index(fields=["sync", "kind", "id"], name="storesyncrow_of_a_kind"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.marketplace_lot_id}"
