"""The ledger: one row for every change of a quantity. Rows are never changed."""

from typing import Any, NoReturn

from django.conf import settings
from django.db import models
from django.db.models import Q

from apps.accounts.models import User
from apps.core.ownership import program_field
from apps.inventory.models.item import InventoryItem
from apps.locations.models import Location


class Reason(models.TextChoices):
    """Why a quantity changed."""

    STOW = "stow", "stowed from a batch"
    REMOVE = "remove", "taken out, back into its batch"
    MOVE = "move", "moved between locations"
    EDIT = "edit", "counted or corrected by a person"
    IMPORT = "import", "set by a BSX sync"
    UNDO = "undo", "an earlier movement undone"
    SALE = "sale", "sold"
    CONSOLIDATE = "consolidate", "consolidated with another row"
    SPLIT = "split", "split into two rows"
    COUNT = "count", "counted in a stocktake"
    SET = "set", "taken for a set"
    RETURN = "return", "came back from a buyer"


class CauseKind(models.TextChoices):
    """The model that a movement's `cause_id` refers to."""

    BATCH_ITEM = "batch_item"
    SYNC = "sync"
    PERSON = "person", "a person's edit"
    MOVE = "move"
    ORDER = "order"
    ACT = "act", "an act on several rows"
    SET = "set", "pieces taken for a set"


class LedgerIsAppendOnly(TypeError):
    """Movements cannot be changed or deleted. Book the reverse movement instead."""


class MovementQuerySet(models.QuerySet["Movement"]):
    def owned_by(self, user: User) -> "MovementQuerySet":
        """Return the movements of the user's rows. Joins the item."""
        return self.filter(item__owner=user)

    def update(self, **_: Any) -> NoReturn:
        raise LedgerIsAppendOnly("movements are never changed")

    def delete(self) -> NoReturn:
        raise LedgerIsAppendOnly("movements are never deleted")


class Movement(models.Model):
    """`delta` pieces in or out of one row; the sum of them is the row's quantity.

    Moving between locations books two: out of `from_location`, into `to_location`.
    The locations are plain ids: deleting a bin leaves the ledger as it was.
    """

    item = models.ForeignKey(
        InventoryItem,
        on_delete=models.CASCADE,  # only when a whole account is erased
        related_name="movements",
        db_index=False,  # movement_of_an_item begins with it
    )
    delta = models.IntegerField()
    reason = models.CharField(max_length=12, choices=Reason)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
        db_index=False,  # rows are never filtered by person
    )
    program = program_field(has_database_default=True)
    cause_kind = models.CharField(max_length=12, choices=CauseKind, blank=True, default="")
    cause_id = models.BigIntegerField(null=True)
    from_location = models.ForeignKey(
        Location,
        on_delete=models.DO_NOTHING,
        null=True,
        related_name="+",
        db_constraint=False,
        db_index=False,
    )
    to_location = models.ForeignKey(
        Location,
        on_delete=models.DO_NOTHING,
        null=True,
        related_name="+",
        db_constraint=False,
        db_index=False,
    )
    note = models.TextField(blank=True, default="", help_text="a person's reason")
    reverses = models.ForeignKey(
        "self",
        on_delete=models.DO_NOTHING,
        null=True,
        related_name="reversed_by",
        db_constraint=False,
        db_index=False,
    )
    created_at = models.DateTimeField()

    objects = MovementQuerySet.as_manager()

    class Meta:
        ordering = ("-id",)
        constraints = (
            models.CheckConstraint(condition=~Q(delta=0), name="movement_delta_not_zero"),
            # An undone act cannot be undone again.
            models.UniqueConstraint(
                fields=["reverses"],
                condition=Q(reverses__isnull=False),
                name="movement_is_reversed_once",
            ),
        )
        indexes = (
            # The history of a row, and its sum for check_ledger.
            models.Index(fields=["item", "id"], name="movement_of_an_item"),
            # The undo of a sync, what a batch item did.
            models.Index(fields=["cause_kind", "cause_id", "item"], name="movement_of_a_cause"),
            # The history of a location.
            models.Index(
                fields=["to_location", "id"],
                condition=Q(to_location__isnull=False),
                name="movement_into_a_location",
            ),
            models.Index(
                fields=["from_location", "id"],
                condition=Q(from_location__isnull=False),
                name="movement_out_of_a_location",
            ),
        )

    def __str__(self) -> str:
        return f"{self.delta:+d} of {self.item_id} ({self.reason})"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.pk is not None:
            raise LedgerIsAppendOnly("movements are never changed")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise LedgerIsAppendOnly("movements are never deleted")
