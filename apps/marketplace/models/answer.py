"""What a marketplace's catalogue answered, so that it is not asked for the same item each time."""

from django.db import models

from apps.core.ownership import OwnedModel
from apps.inventory.models import Channel


class CatalogueAnswer(OwnedModel):
    """What the catalogue of a channel has of an item, by what it was asked for."""

    channel = models.ForeignKey(
        Channel,
        on_delete=models.CASCADE,
        related_name="+",
        db_index=False,  # catalogueanswer_once begins with it
    )
    key = models.CharField(max_length=100)
    answer = models.JSONField()

    class Meta:
        verbose_name = "answer of a catalogue"
        verbose_name_plural = "answers of catalogues"
        constraints = (
            models.UniqueConstraint(fields=["channel", "key"], name="catalogueanswer_once"),
        )

    def __str__(self) -> str:
        return f"{self.key} at {self.channel_id}"
