"""Acts: a person's changes of many items of a batch, stored so that they can be undone."""

from django.db import models

from apps.batches.models.batch import Batch
from apps.core.ownership import OwnedModel


class ActKind(models.TextChoices):
    """The kind of an act."""

    REPRICE = "reprice", "re-priced"
    SPREAD_COST = "spreadCost", "cost spread"
    RECOMMEND = "recommend", "locations planned"
    CONSOLIDATE = "consolidate", "consolidated"
    SPLIT = "split", "split by location"
    MOVE = "move", "moved to another batch"
    COPY = "copy", "copied to another batch"
    MERGE = "merge", "merged into another batch"
    STOW = "stow", "stowed"
    REMOVE = "remove", "removed"
    EDIT = "edit", "edited"
    MARK_LISTED = "markListed", "marked as listed or no longer"


class BatchAct(OwnedModel):
    """One act on the items of a batch, with the rows before and after it.

    `rows` is a list of `{id, before, after}` of batch items, `batches` the same of batches;
    `before` is null for a row that the act made, `after` for one that it deleted. A row whose
    pieces came into the stock or left it has the `movement` that carried them.
    """

    batch = models.ForeignKey(
        Batch,
        on_delete=models.CASCADE,
        related_name="+",
        db_index=False,  # batchact_newest_first begins with it
    )
    kind = models.CharField(max_length=12, choices=ActKind)
    note = models.TextField(blank=True, default="", help_text="what it was, for people")
    item_count = models.PositiveIntegerField(default=0, help_text="rows that it changed")
    rows = models.JSONField(default=list)
    batches = models.JSONField(default=list)
    by = models.ForeignKey(
        "accounts.User",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,  # rows are never filtered by person
    )
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = "batch act"
        indexes = (
            # the acts of a batch, newest first
            models.Index(fields=["batch", "-created_at"], name="batchact_newest_first"),
        )

    def __str__(self) -> str:
        return f"{self.kind} in batch {self.batch_id} ({self.item_count} items)"
