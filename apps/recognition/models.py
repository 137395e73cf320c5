"""How quick the station is: the stopwatch of each sitting."""

from django.db import models

from apps.core.ownership import OwnedModel


class StationSitting(OwnedModel):
    """What one sitting at the station brought and cost; the browser counts, and tells the sums.

    Times in milliseconds; null where nothing was captured.
    """

    key = models.CharField(max_length=64, help_text="the browser's name for the sitting")
    started_at = models.DateTimeField()
    acted_at = models.DateTimeField(help_text="the last act: the pace is measured until then")
    adds = models.PositiveIntegerField(default=0)
    pieces = models.PositiveIntegerField(default=0)
    keys = models.PositiveIntegerField(default=0)
    undos = models.PositiveIntegerField(default=0)
    captures = models.PositiveIntegerField(default=0)
    not_found = models.PositiveIntegerField(default=0)
    accept_p50_ms = models.PositiveIntegerField(null=True, blank=True)
    accept_p90_ms = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["owner", "key"], name="stationsitting_once_per_key"),
            models.CheckConstraint(
                condition=models.Q(acted_at__gte=models.F("started_at")),
                name="stationsitting_ends_after_it_began",
            ),
        )
        # The list, newest first.
        indexes = (
            models.Index(fields=["owner", "-started_at", "-id"], name="stationsitting_newest"),
        )

    def __str__(self) -> str:
        return f"{self.owner_id} {self.started_at:%Y-%m-%d %H:%M}: {self.adds}"
