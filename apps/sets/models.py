"""The sets of a person, their missing parts, and the sets that the stock can build."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from apps.catalog.models import Item, ItemInventory, Lot
from apps.core.jobs.models import Job
from apps.core.money import MONEY
from apps.core.ownership import OwnedModel, OwnedQuerySet
from apps.locations.models import Location
from apps.lots.models import Condition, SubCondition
from apps.sources.models import Source


class SetState(models.TextChoices):
    TO_CHECK = "to_check", "To check"
    TO_BUILD = "to_build", "To build"
    IN_PROGRESS = "in_progress", "In progress"
    COMPLETE = "complete"
    FOR_SALE = "for_sale", "For sale"
    SOLD = "sold"


# While parts are still put aside for it.
OPEN_STATES = (SetState.TO_CHECK, SetState.TO_BUILD, SetState.IN_PROGRESS)


class MinifigsAs(models.TextChoices):
    """How a set's minifigs are counted."""

    WHOLE = "whole", "whole minifigs"
    PARTS = "parts", "their parts"


class UserSet(OwnedModel):
    """A set of the owner's, once or several times (`quantity`), with its requirements.

    `inventory` is the catalogue's list that its requirements were copied from; null where
    the catalogue lists none.
    """

    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="+")
    inventory = models.ForeignKey(
        ItemInventory, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    minifigs_as = models.CharField(
        max_length=5, choices=MinifigsAs.choices, default=MinifigsAs.WHOLE
    )
    quantity = models.PositiveIntegerField(default=1, help_text="how many of the set")
    condition = models.CharField(max_length=1, choices=Condition.choices, default=Condition.USED)
    sub_condition = models.CharField(
        max_length=1, choices=SubCondition.choices, blank=True, default=""
    )
    state = models.CharField(max_length=12, choices=SetState.choices, default=SetState.IN_PROGRESS)
    location = models.ForeignKey(
        Location, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    source = models.ForeignKey(
        Source, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    price_paid = models.DecimalField(
        **MONEY, null=True, blank=True, help_text="for all of them, in the store's currency"
    )
    acquired_on = models.DateField(null=True, blank=True)
    notes = models.TextField(blank=True, default="")

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(state__in=SetState.values), name="userset_state_is_known"
            ),
            models.CheckConstraint(condition=Q(quantity__gte=1), name="userset_is_at_least_one"),
            models.CheckConstraint(
                condition=Q(price_paid__isnull=True) | Q(price_paid__gte=0),
                name="userset_price_not_negative",
            ),
        )
        indexes = (
            # The list by last change, and the station's query for open sets.
            models.Index(fields=["owner", "-updated_at", "-id"], name="userset_list_by_change"),
        )

    # What the text below needs: see core.operating.
    named_by: ClassVar = ("item",)

    def __str__(self) -> str:
        return f"{self.item} ({self.state})"


class RequirementQuerySet(OwnedQuerySet):
    def owned_by(self, user: object) -> "RequirementQuerySet":
        """Return the requirements of the user's sets. Joins the set."""
        return self.filter(user_set__owner=user)

    def missing(self) -> "RequirementQuerySet":
        """Return those of which pieces are still missing."""
        return self.filter(quantity_on_hand__lt=models.F("quantity_required"))


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

    objects: ClassVar[Any] = RequirementQuerySet.as_manager()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["user_set", "lot"], name="setrequirement_lot_once_per_set"
            ),
            models.CheckConstraint(
                condition=Q(quantity_required__gte=1),
                name="setrequirement_requires_at_least_one",
            ),
            models.CheckConstraint(
                condition=Q(quantity_on_hand__lte=models.F("quantity_required")),
                name="setrequirement_has_no_more_than_required",
            ),
        )

    # What the text below needs: see core.operating.
    named_by: ClassVar = ("lot__item", "lot__color")

    def __str__(self) -> str:
        return f"{self.quantity_on_hand} of {self.quantity_required} × {self.lot}"


class SetTake(OwnedModel):
    """Pieces removed from stock for a set in one request. Its movements have its id as cause.

    `lines` is a list of `{requirement, movement, quantity}`.
    """

    user_set = models.ForeignKey(UserSet, on_delete=models.CASCADE, related_name="+")
    lines = models.JSONField(default=list)
    piece_count = models.PositiveIntegerField(default=0)
    undone_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.piece_count} pieces for set {self.user_set_id}"


class BuildSearch(OwnedModel):
    """One look at which sets the stock makes, by a job; done once it has `finished_at`."""

    job = models.ForeignKey(Job, on_delete=models.RESTRICT, related_name="+")
    least_pieces = models.PositiveIntegerField(help_text="smaller sets are left out")
    least_percent = models.PositiveSmallIntegerField(help_text="of the pieces in stock")
    set_count = models.PositiveIntegerField(default=0, help_text="sets whose contents are known")
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "build searches"

    def __str__(self) -> str:
        return f"sets with {self.least_percent} % in stock"


class BuildableQuerySet(OwnedQuerySet):
    def owned_by(self, user: object) -> "BuildableQuerySet":
        """Return the sets found by the user's searches. Joins the search."""
        return self.filter(found_by__owner=user)


class BuildableSet(models.Model):
    """A set of the catalogue that the stock makes, or nearly."""

    found_by = models.ForeignKey(
        BuildSearch,
        on_delete=models.CASCADE,
        related_name="found",
        db_index=False,  # buildableset_best_first begins with it
    )
    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="+")
    pieces_required = models.PositiveIntegerField()
    pieces_in_stock = models.PositiveIntegerField()
    lots_missing = models.PositiveIntegerField()
    percent = models.DecimalField(max_digits=5, decimal_places=2)

    objects: ClassVar[Any] = BuildableQuerySet.as_manager()

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(pieces_in_stock__lte=models.F("pieces_required")),
                name="buildableset_has_no_more_than_required",
            ),
        )
        indexes = (
            # The results of a search, the best first.
            models.Index(fields=["found_by", "-percent", "id"], name="buildableset_best_first"),
        )

    # What the text below needs: see core.operating.
    named_by: ClassVar = ("item",)

    def __str__(self) -> str:
        return f"{self.item}: {self.percent} %"
