"""BSX syncs: the file, the preview, the applied changes, and the data to undo them."""

import uuid
from typing import Final

from django.db import models
from django.db.models import Q

from apps.core.jobs.models import Job
from apps.core.ownership import OwnedModel
from apps.inventory.models.channel import Channel

SYNC_FILES: Final = "bsx_syncs"


def upload_name(sync: object, file_name: str) -> str:
    """Return the name in storage: a random one, without any part of the person's file name."""
    return f"{SYNC_FILES}/{uuid.uuid4().hex}.bsx"


class SyncState(models.TextChoices):
    """The state of a sync. While its job is running, the job reports the progress."""

    PREVIEWING = "previewing"
    PREVIEWED = "previewed"
    APPLYING = "applying"
    APPLIED = "applied"
    UNDOING = "undoing"
    UNDONE = "undone"
    CANCELLED = "cancelled"
    FAILED = "failed"


class ReadFrom(models.TextChoices):
    FILE = "file"
    STORE = "store"  # pulled from the marketplace; `file` holds what differs there


class SyncTarget(models.TextChoices):
    """What the lots of a file become."""

    STOCK = "stock"
    BATCH = "batch"


RUNNING_STATES = (SyncState.PREVIEWING, SyncState.APPLYING, SyncState.UNDOING)


class InventorySync(OwnedModel):
    """One file of lots put over the stock or into a batch, or the store itself."""

    target = models.CharField(max_length=5, choices=SyncTarget, default=SyncTarget.STOCK)
    # Its app is above this one. Dangling once the batch is deleted.
    batch_id = models.BigIntegerField(
        null=True, help_text="the batch that its lots became, or joined"
    )
    read_from = models.CharField(max_length=5, choices=ReadFrom, default=ReadFrom.FILE)
    channel = models.ForeignKey(
        Channel,
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
        db_index=False,
        help_text="whose lots were read; none of a file",
    )
    # Of a file: the Remarks of lots whose rows hold them without their bins, by lot id.
    told = models.JSONField(
        default=dict, help_text="of a store: how many lots, how many as known, which are gone"
    )
    file = models.FileField(upload_to=upload_name, max_length=200)
    file_name = models.CharField(max_length=255, help_text="as the person called it")
    file_size = models.PositiveBigIntegerField(default=0)
    options = models.JSONField(default=dict)
    reading = models.JSONField(
        default=dict, help_text="what the file is, and how its table was read"
    )
    state = models.CharField(max_length=12, choices=SyncState, default=SyncState.PREVIEWING)
    job = models.ForeignKey(
        Job, on_delete=models.SET_NULL, null=True, related_name="+", db_index=False
    )
    currency = models.CharField(max_length=3, blank=True, default="", help_text="of the file")
    header = models.JSONField(default=dict, help_text="what the file says beside its lots")
    counts = models.JSONField(default=dict)
    applied_counts = models.JSONField(default=dict)
    warnings = models.JSONField(default=list)
    new_locations = models.JSONField(default=list)
    bin_groups = models.JSONField(
        default=list, help_text="names in Remarks by pattern, and why some are no bins"
    )
    over_limits = models.JSONField(default=list, help_text="locations over their limits after it")
    made_location_ids = models.JSONField(default=list)
    stock_mark = models.CharField(
        max_length=160, blank=True, default="", help_text="the stock that the preview compared with"
    )
    problem = models.TextField(blank=True, default="", help_text="why it failed, for people")
    previewed_at = models.DateTimeField(null=True)
    applied_at = models.DateTimeField(null=True)
    undone_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = "inventory sync"
        ordering = ("-id",)
        constraints = (
            models.UniqueConstraint(
                fields=["owner"],
                condition=Q(state__in=["previewing", "applying", "undoing"], target="stock"),
                name="inventorysync_one_runs_per_owner",
            ),
        )
        indexes = (
            # The list of a user's syncs, newest first.
            models.Index(fields=["owner", "-id"], name="inventorysync_newest_first"),
        )

    def __str__(self) -> str:
        return f"{self.file_name} ({self.state})"


class SyncChunk(models.Model):
    """Up to 500 lots of a sync: the planned changes, and the rows before them.

    `plan` and `before` are deflated JSON (about a tenth of the size).
    """

    sync = models.ForeignKey(
        InventorySync,
        on_delete=models.CASCADE,
        related_name="chunks",
        db_index=False,  # syncchunk_number_once begins with it
    )
    number = models.PositiveIntegerField()
    counts = models.JSONField(default=dict, help_text="kind -> rows, for paging without reading")
    plan = models.BinaryField(default=b"")
    before = models.BinaryField(default=b"")
    applied_at = models.DateTimeField(null=True)
    undone_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = "sync chunk"
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=["sync", "number"], name="syncchunk_number_once"),
        )

    def __str__(self) -> str:
        return f"{self.sync_id}/{self.number}"
