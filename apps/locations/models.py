"""Bins and shelves, their limits, and counters of their contents."""

from django.db import models
from django.db.models import F, Q, Window
from django.db.models.functions import RowNumber

from apps.core.names import NamedOnce
from apps.core.natural import natural_key
from apps.core.ownership import IndexedByOwner
from apps.locations.rules.label_layouts import LAYOUTS
from apps.locations.rules.sizes import SIZES, SizeClass

NAME_LENGTH = 100


def papers() -> list[tuple[str, str]]:
    """Return the papers that labels can be printed on: asked, so that a new one migrates nothing."""
    return [(one.id, one.name) for one in LAYOUTS.values()]


class Limits(models.Model):
    """The limits of a place; null is unlimited. Weights are grams."""

    max_item_count = models.PositiveIntegerField(null=True, blank=True, help_text="pieces")
    max_total_weight = models.DecimalField(
        max_digits=14, decimal_places=4, null=True, blank=True, help_text="grams"
    )
    min_item_weight = models.DecimalField(
        max_digits=14, decimal_places=4, null=True, blank=True, help_text="grams of one piece"
    )
    max_item_weight = models.DecimalField(
        max_digits=14, decimal_places=4, null=True, blank=True, help_text="grams of one piece"
    )

    class Meta:
        abstract = True
        constraints = (
            models.CheckConstraint(
                condition=(Q(max_total_weight=None) | Q(max_total_weight__gte=0))
                & (Q(min_item_weight=None) | Q(min_item_weight__gte=0))
                & (Q(max_item_weight=None) | Q(max_item_weight__gte=0)),
                name="%(class)s_weights_not_negative",
            ),
            models.CheckConstraint(
                condition=Q(min_item_weight=None)
                | Q(max_item_weight=None)
                | Q(min_item_weight__lte=F("max_item_weight")),
                name="%(class)s_item_weight_range_in_order",
            ),
        )


class ContainerType(NamedOnce, Limits):  # type: ignore[django-manager-missing]
    """A kind of box or drawer with the limits that new locations of it begin with."""

    name = models.CharField(max_length=NAME_LENGTH)
    size_class = models.CharField(
        max_length=6, choices=SIZES, blank=True, default="", help_text="empty if not known"
    )
    label_size = models.CharField(
        max_length=40,
        choices=papers,
        blank=True,
        default="",
        help_text="what labels of its locations are printed on; empty: whatever was used last",
    )

    class Meta:
        verbose_name = "container type"
        ordering = ("name", "id")
        constraints = (
            *Limits.Meta.constraints,
            models.CheckConstraint(
                condition=Q(size_class__in=["", *SizeClass]),
                name="containertype_size_class_is_known",
            ),
            # The owner's index too, and the order of the list by name.
            models.UniqueConstraint(
                fields=["owner", "name"], name="containertype_name_once_per_owner"
            ),
            *NamedOnce.Meta.constraints,
        )
        indexes = (*NamedOnce.Meta.indexes,)

    def __str__(self) -> str:
        return self.name


class Location(NamedOnce, Limits):  # type: ignore[django-manager-missing]
    """A place with a name. Its limits are its own: a container type only gave the first ones.

    `item_count` (pieces) and `stored_weight` (grams) count what is in it. They change only
    through `services.rooms`, in the transaction that changes the stock.
    """

    name = models.CharField(max_length=NAME_LENGTH)
    code = models.CharField(
        max_length=NAME_LENGTH, blank=True, default="", help_text="what its label's LOC: says"
    )
    sort_key = models.TextField(editable=False, help_text="natural order: A-2 before A-10")
    description = models.TextField(blank=True, default="")
    container_type = models.ForeignKey(
        ContainerType,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="locations",
    )
    item_count = models.PositiveBigIntegerField(default=0, editable=False, help_text="pieces in it")
    stored_weight = models.DecimalField(
        max_digits=18, decimal_places=4, default=0, editable=False, help_text="grams in it"
    )
    is_full = models.BooleanField(default=False, help_text="a person says so; nothing goes in")
    label_printed_at = models.DateTimeField(
        null=True, editable=False, help_text="when a label with its name was last made"
    )
    exclude_from_recommendations = models.BooleanField(default=False)

    class Meta:
        ordering = ("sort_key", "id")
        constraints = (
            *Limits.Meta.constraints,
            models.UniqueConstraint(fields=["owner", "name"], name="location_name_once_per_owner"),
            *NamedOnce.Meta.constraints,
            models.UniqueConstraint(
                fields=["owner", "code"],
                condition=~Q(code=""),
                name="location_code_once_per_owner",
            ),
            models.CheckConstraint(
                condition=Q(item_count__gte=0), name="location_item_count_not_negative"
            ),
            models.CheckConstraint(
                condition=Q(stored_weight__gte=0), name="location_stored_weight_not_negative"
            ),
        )
        indexes = (
            *NamedOnce.Meta.indexes,
            # The list in natural order, and the nearest empty bins of recommend_destinations.
            models.Index(fields=["owner", "sort_key", "id"], name="location_list_in_order"),
            # The list in the order of making.
            models.Index(fields=["owner", "id"], name="location_list_by_making"),
            # The list by last change.
            models.Index(fields=["owner", "-updated_at", "-id"], name="location_list_by_change"),
            # The filter label_printed=false: few are left without one.
            models.Index(
                fields=["owner", "sort_key", "id"],
                condition=Q(label_printed_at=None),
                name="location_without_a_label",
            ),
        )

    def __str__(self) -> str:
        return self.name

    def save(self, *args: object, **kwargs: object) -> None:
        self.sort_key = natural_key(self.name)
        fields = kwargs.get("update_fields")
        if isinstance(fields, list | tuple | set | frozenset) and "name" in fields:
            kwargs["update_fields"] = {*fields, "sort_key"}
        super().save(*args, **kwargs)  # type: ignore[arg-type]


#: The place of a location among those that a query reads, in natural order.
PLACE = Window(RowNumber(), order_by=(F("sort_key"), F("pk")))

#: No room: set by a person, or a limit is reached.
TAKES_NO_MORE = (
    Q(is_full=True)
    | Q(item_count__gt=0, item_count__gte=F("max_item_count"))
    | Q(stored_weight__gt=0, stored_weight__gte=F("max_total_weight"))
)


OVER_A_LIMIT = Q(item_count__gt=F("max_item_count")) | Q(stored_weight__gt=F("max_total_weight"))


class PastLocation(IndexedByOwner):
    """The name of a location that was deleted, for the ledger that names it by its id."""

    id = models.BigIntegerField(primary_key=True, help_text="the id that the location had")
    name = models.CharField(max_length=NAME_LENGTH)

    class Meta:
        verbose_name = "past location"
        indexes = (
            # Erasing an account; an operator looks for a name.
            models.Index(fields=["owner", "name"], name="pastlocation_by_name"),
        )

    def __str__(self) -> str:
        return self.name
