"""A batch item: a lot of a batch on its way from new to stowed to listed."""

from typing import Any, ClassVar, Final

from django.db import models, transaction
from django.db.models import Q

from apps.batches.models.batch import Batch
from apps.batches.rules.states import ItemState
from apps.core.ownership import IndexedByOwner, OwnedQuerySet
from apps.lots.models import KeptAct, LotCondition, LotFields

FAILURE_LENGTH = 500

# The same three conditions serve the filter, the figures and the status.
IS_NEW = Q(is_stowed=False)
IS_STOWED = Q(is_stowed=True, is_listed=False)
IS_LISTED = Q(is_listed=True)
IN_STATE = {
    ItemState.NEW: IS_NEW,
    ItemState.STOWED: IS_STOWED,
    ItemState.LISTED: IS_LISTED,
}


class BatchItemQuerySet(OwnedQuerySet):
    def in_state(self, state: ItemState) -> "BatchItemQuerySet":
        """Return the rows that are new, stowed (and not yet listed) or listed."""
        return self.filter(IN_STATE[state])

    def visible(self) -> "BatchItemQuerySet":
        """Return the rows of batches that are not still being imported. Joins the batch."""
        return self.filter(batch__is_ready=True)

    def delete(self) -> tuple[int, dict[str, int]]:
        """Delete the rows and their photos together, however many they are.

        Django's own way reads them all and deletes a hundred at a time, for the photos' sake.
        """
        photos = self.model._meta.get_field("photo").related_model
        with transaction.atomic(using=self.db):
            photos._base_manager.filter(item__in=self).delete()
            count = self._raw_delete(self.db)
        return count, {self.model._meta.label: count}

    delete.alters_data = True  # type: ignore[attr-defined]
    delete.queryset_only = True  # type: ignore[attr-defined]


_FromItems: Any = models.Manager.from_queryset(BatchItemQuerySet)


class LiveItems(_FromItems):
    """The items that are not deleted. Deleted ones are kept for the undo only."""

    def get_queryset(self) -> Any:
        return super().get_queryset().filter(deleted_in=None)


class BatchItem(IndexedByOwner, LotFields):
    """A lot of a batch.

    `location` is where it is planned to go, and where it was put once it is stowed;
    `inventory_item` is the stock row that holds its pieces then.
    """

    batch = models.ForeignKey(
        Batch,
        on_delete=models.CASCADE,
        related_name="items",
        related_query_name="items_with_deleted",
        db_index=False,  # batchitem_of_batch begins with it
    )
    location = models.ForeignKey(
        "locations.Location",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
    )
    inventory_item = models.ForeignKey(
        "inventory.InventoryItem",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="batch_items",
        related_query_name="batch_items_with_deleted",
    )
    is_stowed = models.BooleanField(default=False)
    is_stowed_pending = models.BooleanField(default=False)
    is_listed = models.BooleanField(default=False)
    is_listed_pending = models.BooleanField(default=False)
    # Edited after it was marked as listed: the marketplace shows older values.
    is_changed_since_listing = models.BooleanField(default=False)
    # Why it is not stowed or listed although that was tried; empty once it is.
    failure = models.CharField(max_length=FAILURE_LENGTH, blank=True, default="", db_default="")
    stowed_at = models.DateTimeField(null=True, blank=True)
    listed_at = models.DateTimeField(null=True, blank=True)
    # The act that deleted it, whose undo brings it back.
    deleted_in = models.ForeignKey(
        KeptAct,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        editable=False,
        related_name="+",
        db_index=False,  # batchitem_deleted begins with it
    )

    objects: ClassVar[Any] = LiveItems()
    with_deleted: ClassVar[Any] = BatchItemQuerySet.as_manager()

    class Meta:
        verbose_name = "batch item"
        constraints = (
            *LotFields.Meta.constraints,
            models.CheckConstraint(
                condition=Q(is_stowed=True, stowed_at__isnull=False)
                | Q(is_stowed=False, stowed_at__isnull=True),
                name="batchitem_stowed_has_its_instant",
            ),
            models.CheckConstraint(
                condition=Q(is_listed=True, listed_at__isnull=False)
                | Q(is_listed=False, listed_at__isnull=True),
                name="batchitem_listed_has_its_instant",
            ),
            models.CheckConstraint(
                condition=Q(is_listed=False) | Q(is_stowed=True),
                name="batchitem_listed_is_stowed",
            ),
            models.CheckConstraint(
                condition=Q(is_stowed_pending=False) | Q(is_stowed=False),
                name="batchitem_pending_is_not_yet_stowed",
            ),
        )
        indexes = (
            # the items of a batch in the order of their coming; the export reads it too
            models.Index(fields=["batch", "id"], name="batchitem_of_batch"),
            # a batch's figures and status, and the filter by state, from the index alone
            models.Index(
                fields=["batch", "is_listed", "is_stowed", "quantity", "price"],
                condition=Q(deleted_in=None),
                name="batchitem_figures",
            ),
            # all items of a user in the order of their coming, and newest first
            models.Index(fields=["owner", "id"], name="batchitem_of_owner"),
            models.Index(fields=["owner", "created_at"], name="batchitem_list_by_making"),
            # stowed and listed items by day: home's sums, from the index alone
            models.Index(
                fields=["owner", "stowed_at", "quantity"],
                condition=Q(stowed_at__isnull=False, deleted_in=None),
                name="batchitem_by_stowing",
            ),
            models.Index(
                fields=["owner", "listed_at", "quantity"],
                condition=Q(listed_at__isnull=False, deleted_in=None),
                name="batchitem_by_listing",
            ),
            # the unknown items, as the stock has them
            models.Index(
                fields=["owner", "is_stowed", "quantity"],
                condition=Q(lot=None, deleted_in=None),
                name="batchitem_unknown",
            ),
            models.Index(
                fields=["owner", "is_stowed"],
                condition=Q(condition=LotCondition.UNKNOWN, deleted_in=None),
                name="batchitem_unread",
            ),
            # the items that an act deleted, for its undo
            models.Index(
                fields=["deleted_in"],
                condition=Q(deleted_in__isnull=False),
                name="batchitem_deleted",
            ),
            # topping up: the owner's new row of a lot; deleting a catalogue lot (PROTECT)
            models.Index(fields=["lot", "batch"], name="batchitem_of_a_lot"),
        )

    # What the text below needs: see core.operating.
    named_by: ClassVar = ("lot__item", "lot__color")

    def __str__(self) -> str:
        return f"{self.quantity} × {self.lot or self.raw_item_number}"


#: The columns of an item besides its id, as bulk inserts name them.
ITEM_COLUMNS: Final = tuple(
    field.attname for field in BatchItem._meta.concrete_fields if not field.primary_key
)
