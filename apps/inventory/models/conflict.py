"""A field of a lot that was changed here and in the store, with the decision if there is one."""

from django.db import models
from django.db.models import Q

from apps.core.ownership import OwnedModel
from apps.inventory.models.channel import Channel


class Decision(models.TextChoices):
    """The side whose value is kept. An open conflict waits for a person."""

    OPEN = "open"
    MINE = "mine"
    THEIRS = "theirs"
    AGREED = "agreed"  # both sides agree by now


class FieldConflict(OwnedModel):
    """Both sides changed a field since the marketplace last received it, each to something else."""

    sync_id = models.BigIntegerField(help_text="the import that found it")
    channel = models.ForeignKey(
        Channel, on_delete=models.SET_NULL, null=True, related_name="+", db_index=False
    )
    marketplace_lot_id = models.BigIntegerField()
    name = models.CharField(max_length=400, blank=True, default="")
    field = models.CharField(max_length=20)
    before = models.TextField(blank=True, default="")
    here = models.TextField(blank=True, default="")
    there = models.TextField(blank=True, default="")
    decision = models.CharField(max_length=6, choices=Decision, default=Decision.OPEN)
    by_rule = models.BooleanField(default=False)
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = "field changed on both sides"
        verbose_name_plural = "fields changed on both sides"
        constraints = (
            models.UniqueConstraint(
                fields=["owner", "marketplace_lot_id", "field"],
                condition=Q(decision="open"),
                name="fieldconflict_one_question",
            ),
            models.CheckConstraint(
                condition=Q(decision="open", decided_at__isnull=True)
                | (~Q(decision="open") & Q(decided_at__isnull=False)),
                name="fieldconflict_decided_has_its_instant",
            ),
        )
        indexes = (
            # decisions, newest first
            models.Index(fields=["owner", "-id"], name="fieldconflict_newest_first"),
        )

    def __str__(self) -> str:
        return f"{self.field} of {self.marketplace_lot_id}: {self.decision}"
