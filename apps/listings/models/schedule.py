"""How often a person's stock and store are synced, and which side's values win."""

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import Q

from apps.core.ownership import OwnedModel
from apps.inventory.rules.merging import ConflictRule

#: Minutes; 0 is never.
EVERY: Final = (0, 10, 30, 60)


class StoreSchedule(OwnedModel):
    """A person's schedule. A person without one has no scheduled syncs."""

    owner = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+"
    )
    minutes = models.PositiveSmallIntegerField(default=0)
    conflicts = models.CharField(
        max_length=6,
        choices=[(rule.value, rule.value) for rule in ConflictRule],
        default=ConflictRule.MINE.value,
    )
    started_at = models.DateTimeField(null=True, blank=True, help_text="the last by schedule")
    problem = models.TextField(
        blank=True, default="", help_text="why it waits for the person; '' while it runs"
    )

    class Meta:
        verbose_name = "schedule of a store's sync"
        verbose_name_plural = "schedules of stores' syncs"
        constraints = (
            models.CheckConstraint(
                condition=Q(minutes__in=EVERY), name="storeschedule_known_minutes"
            ),
        )

    def __str__(self) -> str:
        return f"every {self.minutes} minutes"
