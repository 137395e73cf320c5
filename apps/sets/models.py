"""The sets that a person builds or completes, and the parts that each still needs."""

from django.db import models

from apps.catalog.models import Item, Lot
from apps.core.ownership import OwnedModel


class SetState(models.TextChoices):
    TO_BUILD = "to_build", "To build"
    IN_PROGRESS = "in_progress", "In progress"
    COMPLETE = "complete", "Complete"
    SOLD = "sold", "Sold"


# While parts are still put aside for it.
OPEN_STATES = (SetState.TO_BUILD, SetState.IN_PROGRESS)


class UserSet(OwnedModel):
    """A set of the owner's. The same set may be there more than once."""

    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="+")
    state = models.CharField(max_length=12, choices=SetState.choices, default=SetState.IN_PROGRESS)
    notes = models.TextField(blank=True, default="")

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=models.Q(state__in=SetState.values), name="userset_state_is_known"
            ),
        )
        indexes = (
            # The list by last change, and the station's look at what is open.
            models.Index(fields=["owner", "-updated_at", "-id"], name="userset_list_by_change"),
        )

    def __str__(self) -> str:
        return f"{self.item_id} ({self.state})"


class SetRequirement(models.Model):
    """How many of a lot a set needs, and how many of them are put aside for it."""

    user_set = models.ForeignKey(
        UserSet,
        on_delete=models.CASCADE,
        related_name="requirements",
        db_index=False,  # setrequirement_lot_once_per_set begins with it
    )
    # Its index is the station's: which sets need this lot.
    lot = models.ForeignKey(Lot, on_delete=models.PROTECT, related_name="+")
    quantity_required = models.PositiveIntegerField()
    quantity_on_hand = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["user_set", "lot"], name="setrequirement_lot_once_per_set"
            ),
            models.CheckConstraint(
                condition=models.Q(quantity_required__gte=1),
                name="setrequirement_requires_at_least_one",
            ),
            models.CheckConstraint(
                condition=models.Q(quantity_on_hand__lte=models.F("quantity_required")),
                name="setrequirement_has_no_more_than_required",
            ),
        )

    def __str__(self) -> str:
        return f"{self.quantity_on_hand} of {self.quantity_required} × {self.lot_id}"
