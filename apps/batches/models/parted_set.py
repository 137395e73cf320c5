"""The sets that a batch's items came from."""

from django.db import models

from apps.batches.models.batch import Batch
from apps.core.ownership import OwnedModel


class PartedOutSet(OwnedModel):
    """A set that was parted out into a batch, once for each batch; `quantity` counts copies."""

    batch = models.ForeignKey(
        Batch,
        on_delete=models.CASCADE,
        related_name="+",
        db_index=False,  # the constraint below begins with it
    )
    item = models.ForeignKey("catalog.Item", on_delete=models.CASCADE, related_name="+")
    quantity = models.PositiveIntegerField(help_text="copies")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["batch", "item"], name="partedoutset_once_per_batch"),
            models.CheckConstraint(
                condition=models.Q(quantity__gte=1), name="partedoutset_has_a_copy"
            ),
        )

    def __str__(self) -> str:
        return f"{self.quantity} of set {self.item_id} in batch {self.batch_id}"
