"""How quick the station is, and what its recogniser got wrong."""

from django.db import models

from apps.catalog.models.choices import ITEM_TYPES
from apps.core.ownership import OwnedModel, acting_field


class StationSitting(OwnedModel):
    """The sums of one sitting at the station, counted by the browser.

    Times in milliseconds; null where nothing was captured.
    """

    key = models.CharField(max_length=64, help_text="the browser's name for the sitting")
    by = acting_field()
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
            models.UniqueConstraint(
                fields=["owner", "by", "key"], name="stationsitting_once_per_person"
            ),
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


class WrongMatch(OwnedModel):
    """A recogniser's answer that a person reported as wrong.

    `listing_id` is the recogniser's name for its answer; the right item is blank where the
    person has not said it.
    """

    provider = models.CharField(max_length=40)
    listing_id = models.CharField(max_length=100, blank=True, default="")
    seen_type = models.CharField(max_length=16, choices=ITEM_TYPES)
    seen_number = models.CharField(max_length=64)
    score = models.FloatField(help_text="the recogniser's confidence, 0 to 1")
    right_type = models.CharField(max_length=16, choices=ITEM_TYPES, blank=True, default="")
    right_number = models.CharField(max_length=64, blank=True, default="")

    class Meta:
        verbose_name_plural = "wrong matches"
        constraints = (
            models.CheckConstraint(
                condition=models.Q(score__gte=0, score__lte=1), name="wrongmatch_score_is_a_share"
            ),
        )
        # The list, newest first.
        indexes = (models.Index(fields=["owner", "-id"], name="wrongmatch_newest"),)

    def __str__(self) -> str:
        return f"{self.seen_number} at {self.score:.2f}, not {self.right_number or 'that'}"


class Capture(OwnedModel):
    """A picture and the item that its owner confirmed; used to recognise his next pictures.

    The crop is kept so that another model's vector can be made of it. Nothing leaves this server.
    """

    item = models.ForeignKey(
        "catalog.Item",
        on_delete=models.CASCADE,
        related_name="+",
        help_text="what it is, as the person said",
    )
    # A plain id: catalogues change, and a backup is restored beside another one.
    color_id = models.PositiveBigIntegerField(
        null=True, blank=True, help_text="the colour that the person chose; null: none was chosen"
    )
    seen_number = models.CharField(
        max_length=64, blank=True, default="", help_text="what came first; blank: nothing did"
    )
    was_right = models.BooleanField(default=False, help_text="what came first is what it is")
    model = models.CharField(max_length=64, help_text="the version of the model that saw it")
    vector = models.CharField(max_length=1000, help_text="16-bit numbers, in base64")
    crop = models.CharField(max_length=20_000, help_text="a JPEG of the part alone, in base64")

    class Meta:
        # The list and the newest to compare with.
        indexes = (models.Index(fields=["owner", "-id"], name="capture_newest"),)

    def __str__(self) -> str:
        return f"{self.item_id}, seen as {self.seen_number or 'nothing'}"
