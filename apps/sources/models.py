"""Where batches come from: an auction site, a market, a friend."""

from django.db import models

from apps.core.names import NamedOnce


class Source(NamedOnce):
    """Somewhere the owner buys."""

    name = models.CharField(max_length=200)
    notes = models.TextField(blank=True, default="")

    class Meta:
        ordering = ("name", "id")
        constraints = (
            # The owner's index too, and the order of the list by name.
            models.UniqueConstraint(fields=["owner", "name"], name="source_name_once_per_owner"),
            *NamedOnce.Meta.constraints,
        )
        indexes = (
            *NamedOnce.Meta.indexes,
            # The list in the order of making.
            models.Index(fields=["owner", "id"], name="source_list_by_making"),
            # The list by last change.
            models.Index(fields=["owner", "-updated_at", "-id"], name="source_list_by_change"),
        )

    def __str__(self) -> str:
        return self.name
