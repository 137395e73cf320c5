"""Stock: the quantity of each lot in each location."""

from typing import Any, ClassVar, Final, Self, TypedDict

from django.db import models
from django.db.models import ExpressionWrapper, F, Func, Q
from django.db.models.functions import Coalesce, Greatest
from django.db.models.lookups import GreaterThan

from apps.core.ownership import IndexedByOwner, OwnedQuerySet
from apps.locations.models import Location
from apps.lots.models import LotCondition, LotFields

#: Pieces that are not promised; queries sum them for "available".
FREE: Final = Greatest(F("quantity") - F("promised"), 0, output_field=models.IntegerField())

#: The value of a row, for lists ordered by value. Rows without a price come last.
#: No decimal and no parameter: SQLite must find the index's expression in the query again.
VALUE: Final = Coalesce(
    ExpressionWrapper(F("quantity") * F("price"), output_field=models.FloatField()),
    Func(template="-1", output_field=models.FloatField()),
)


class ItemQuerySet(OwnedQuerySet):
    def in_stock(self) -> Self:
        """Return the rows that hold pieces."""
        return self.filter(quantity__gt=0)

    def in_stock_listed(self) -> Self:
        """The same rows for lists: SQLite then walks the index of the list's order.

        A bare comparison makes it take the index by quantity and sort everything.
        """
        return self.filter(GreaterThan(F("quantity") + 0, 0))

    def with_free(self) -> Self:
        """Annotate `free`: the pieces that are not promised."""
        return self.annotate(free=FREE)

    def at(self, location: object) -> Self:
        """Return the rows in `location`."""
        return self.filter(location=location)


_FromItemQuerySet: Any = models.Manager.from_queryset(ItemQuerySet)


class LiveItems(_FromItemQuerySet):
    """The rows that are not deleted. Deleted rows are kept for the ledger only."""

    def get_queryset(self) -> Any:
        return super().get_queryset().filter(deleted_at=None)


class PromisedLot(TypedDict):
    """The lot in its condition, and the lot of the store, that a promise is of."""

    lot_id: int | None
    condition: str
    sub_condition: str
    marketplace_lot_id: int | None


class InventoryItem(IndexedByOwner, LotFields):
    """A quantity of a lot in a location. It changes only through the services' ledger.

    Several rows may share lot, condition and location (another price, stockroom or
    lot id). A row at 0 keeps its last location. `piece_grams` is what
    one piece counts for in its location's weight (null: unknown, counts 0).
    """

    location = models.ForeignKey(
        Location,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="items",
        db_index=False,  # inventoryitem_of_a_location begins with it
    )
    piece_grams = models.DecimalField(
        max_digits=14, decimal_places=4, null=True, blank=True, editable=False
    )
    # A default of the database's own: rows are written without it, by the bulk.
    promised = models.PositiveIntegerField(
        default=0,
        db_default=0,
        blank=True,
        editable=False,
        help_text="pieces that buyers were promised",
    )
    came_as = models.JSONField(
        null=True,
        blank=True,
        editable=False,
        help_text="what its file said, where a person chose what that means: rules.stacking",
    )
    price_locked = models.BooleanField(
        default=False, db_default=False, blank=True, help_text="no re-pricing changes the price"
    )
    deleted_at = models.DateTimeField(null=True, blank=True, editable=False)

    #: What buyers of its pieces were promised, set as it is locked: a change may make it another lot.
    promised_as: PromisedLot | None = None

    objects: ClassVar[Any] = LiveItems()
    with_deleted: ClassVar[Any] = ItemQuerySet.as_manager()

    class Meta:
        verbose_name = "inventory item"
        base_manager_name = "with_deleted"
        default_manager_name = "objects"
        ordering = ("-id",)
        constraints = (
            *LotFields.Meta.constraints,
            models.CheckConstraint(
                condition=Q(deleted_at=None) | Q(quantity=0),
                name="inventoryitem_deleted_holds_nothing",
            ),
        )
        indexes = (
            # Owned-by-lot, top-up, recommend_destinations, the filters lot and condition.
            models.Index(fields=["owner", "lot", "condition"], name="inventoryitem_of_a_lot"),
            # Deleting a catalogue lot (PROTECT) and what of it is stored anywhere.
            models.Index(fields=["lot"], name="inventoryitem_lot"),
            # Stock by location, the location's lot_count, the filter location.
            models.Index(fields=["location", "quantity"], name="inventoryitem_of_a_location"),
            # The location's unknown_weight_count.
            models.Index(
                fields=["location", "quantity"],
                condition=Q(piece_grams=None, deleted_at=None),
                name="inventoryitem_unweighed",
            ),
            # The BSX sync's first match.
            models.Index(
                fields=["owner", "marketplace_lot_id"],
                condition=Q(marketplace_lot_id__isnull=False),
                name="inventoryitem_of_a_listing",
            ),
            # The list by last change (the default), by quantity and by price.
            # Quantity last: a page's ids are found, and counted, in the index alone.
            models.Index(
                fields=["owner", "-updated_at", "-id", "quantity"],
                condition=Q(deleted_at=None),
                name="inventoryitem_by_change",
            ),
            # The list in the order of making.
            models.Index(
                fields=["owner", "id", "quantity"],
                condition=Q(deleted_at=None),
                name="inventoryitem_by_making",
            ),
            models.Index(
                fields=["owner", "quantity", "id"],
                condition=Q(deleted_at=None),
                name="inventoryitem_by_quantity",
            ),
            models.Index(
                fields=["owner", "price", "id", "quantity"],
                condition=Q(deleted_at=None),
                name="inventoryitem_by_price",
            ),
            # For the list by value, and for the sums of rows without a location.
            models.Index(
                F("owner"),
                VALUE.desc(),
                F("id").desc(),
                F("quantity"),
                condition=Q(deleted_at=None),
                name="inventoryitem_by_value",
            ),
            # The unknown items, summed by their numbers.
            models.Index(
                fields=["owner", "quantity"],
                condition=Q(lot=None, deleted_at=None),
                name="inventoryitem_unknown",
            ),
            models.Index(
                fields=["owner", "quantity", "price"],
                condition=Q(location=None, deleted_at=None),
                name="inventoryitem_in_no_bin",
            ),
            # The conditions of files that were not understood.
            models.Index(
                fields=["owner", "quantity"],
                condition=Q(condition=LotCondition.UNKNOWN, deleted_at=None),
                name="inventoryitem_unread",
            ),
        )

    # What the text below needs: see core.operating.
    named_by: ClassVar = ("lot__item", "lot__color")

    def __str__(self) -> str:
        return f"{self.quantity} × {self.lot or self.raw_item_number}"
