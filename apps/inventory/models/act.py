"""Acts: changes to several rows at once, stored so that they can be undone."""

from django.conf import settings
from django.db import models

from apps.core.ownership import OwnedModel


class ActKind(models.TextChoices):
    """The kind of an act."""

    MOVE = "move", "moved"
    SPLIT = "split", "split"
    CONSOLIDATE = "consolidate", "consolidated"
    COUNT = "count", "counted"
    REPRICE = "reprice", "re-priced"
    EDIT = "edit", "edited"
    SYNC = "sync", "synced with the store"
    NAME = "name", "named"
    CURRENCY = "currency", "kept in another currency"


class StockAct(OwnedModel):
    """One act on rows of stock. Its movements carry its id as their cause."""

    kind = models.CharField(max_length=12, choices=ActKind)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
        db_index=False,  # rows are never filtered by person
    )
    note = models.TextField(blank=True, default="", help_text="what it was, for people")
    row_count = models.PositiveIntegerField(default=0, help_text="rows that it changed or made")
    undone_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = "stock act"
        ordering = ("-id",)
        indexes = (
            # The list of a user's acts, newest first.
            models.Index(fields=["owner", "-id"], name="stockact_newest_first"),
        )

    def __str__(self) -> str:
        return f"{self.kind} ({self.row_count} rows)"


class ActChunk(models.Model):
    """A chunk of the rows of an act, with their values before and after it.

    `rows` is a list of `{id, before, after}`; `before` is null for a row that the act made. They
    are rows of stock, or of the `table` (app.Model) whose amounts an act changed besides.
    """

    act = models.ForeignKey(
        StockAct,
        on_delete=models.CASCADE,
        related_name="chunks",
        db_index=False,  # actchunk_number_once begins with it
    )
    number = models.PositiveIntegerField()
    table = models.CharField(max_length=60, blank=True, default="", db_default="")
    rows = models.JSONField(default=list)
    undone_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = "act chunk"
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=["act", "number"], name="actchunk_number_once"),
        )

    def __str__(self) -> str:
        return f"{self.act_id}/{self.number}"
