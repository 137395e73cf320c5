"""A batch: one purchase or one evening of sorting, with its cost."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from apps.core.money import MONEY
from apps.core.ownership import IndexedByOwner, OwnedModel, OwnedQuerySet, program_field

NAME_LENGTH = 200


class BatchQuerySet(OwnedQuerySet):
    def ready(self) -> "BatchQuerySet":
        """Return the batches that people may see: not those still being imported."""
        return self.filter(is_ready=True)


class Batch(IndexedByOwner):
    """Items that came in together. An archived batch is read-only until it is restored."""

    name = models.CharField(max_length=NAME_LENGTH)
    description = models.TextField(blank=True, default="")
    source = models.ForeignKey(
        "sources.Source",
        on_delete=models.RESTRICT,  # re-assign its batches before deleting a source
        null=True,
        blank=True,
        related_name="batches",
    )
    cost_total = models.DecimalField(
        **MONEY, null=True, blank=True, help_text="what it cost, with shipping and handling"
    )
    gross_weight_grams = models.DecimalField(
        max_digits=12, decimal_places=3, null=True, blank=True, help_text="grams, as it came"
    )
    foreign_count = models.PositiveIntegerField(
        null=True, blank=True, help_text="pieces thrown out as not LEGO; null: nobody counted"
    )
    is_archived = models.BooleanField(default=False)
    archived_at = models.DateTimeField(null=True, blank=True)
    # The auction that it was won in: one batch a listing, so that a second press makes none.
    won_listing = models.OneToOneField(
        "auctions.AuctionListing",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="batch",
    )
    image_url = models.CharField(max_length=500, blank=True, default="", help_text="as it came")
    # A batch is hidden while an import fills it; the import's last update makes it ready.
    is_ready = models.BooleanField(default=True)
    # The parts of an imported file other than its lots; an export writes them back.
    bsx_header = models.JSONField(default=dict, blank=True)

    objects: ClassVar[Any] = BatchQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "batches"
        constraints = (
            models.CheckConstraint(condition=~Q(name=""), name="batch_has_a_name"),
            models.CheckConstraint(
                condition=Q(cost_total__isnull=True) | Q(cost_total__gte=0),
                name="batch_cost_not_negative",
            ),
            models.CheckConstraint(
                condition=Q(gross_weight_grams__isnull=True) | Q(gross_weight_grams__gte=0),
                name="batch_weight_not_negative",
            ),
            models.CheckConstraint(
                condition=Q(is_archived=False, archived_at__isnull=True)
                | Q(is_archived=True, archived_at__isnull=False),
                name="batch_archived_has_its_instant",
            ),
        )
        indexes = (
            # the list of batches in each of its orders; archived ones are few and filtered
            models.Index(fields=["owner", "created_at"], name="batch_list_by_making"),
            models.Index(fields=["owner", "updated_at"], name="batch_list_by_change"),
            models.Index(fields=["owner", "cost_total"], name="batch_list_by_cost"),
            # the list of the present batches only, which is the default
            models.Index(fields=["owner", "is_archived", "created_at"], name="batch_list_present"),
        )

    def __str__(self) -> str:
        return self.name


class OperationKind(models.TextChoices):
    """The kind of an operation on a batch's items."""

    SYNC = "sync"
    STOW = "stow"
    REMOVE = "remove"
    LIST = "list"
    MARK_LISTED = "markListed"
    # Those of `lots.ActKind` that are none of the above.
    EDIT = "edit"
    REPRICE = "reprice"
    SPREAD_COST = "spreadCost"
    RECOMMEND = "recommend"
    CONSOLIDATE = "consolidate"
    SPLIT = "split"
    MOVE = "move"
    COPY = "copy"
    MERGE = "merge"


class Outcome(models.TextChoices):
    """`error` when anything of it failed; the rest may have been done."""

    SUCCESS = "success"
    ERROR = "error"


class BatchOperation(OwnedModel):
    """One operation on a batch and how it ended. Append-only."""

    batch = models.ForeignKey(
        Batch,
        on_delete=models.CASCADE,
        related_name="+",
        db_index=False,  # operation_log_of_batch begins with it
    )
    kind = models.CharField(max_length=12, choices=OperationKind)
    outcome = models.CharField(max_length=7, choices=Outcome)
    item_count = models.PositiveIntegerField(default=0, help_text="rows that were done")
    failed_count = models.PositiveIntegerField(default=0, help_text="rows that were refused")
    # The first 1,000 as {id, reason, name}; `failed_count` counts all.
    failed = models.JSONField(default=list, blank=True)
    # The same of those that were done, as {id, name}; `item_count` counts all.
    items = models.JSONField(default=list, blank=True)
    message = models.TextField(blank=True, default="")
    by = models.ForeignKey(
        "accounts.User", on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    program = program_field()

    class Meta:
        verbose_name = "batch operation"
        constraints = (
            models.CheckConstraint(
                condition=Q(kind__in=OperationKind.values), name="operation_kind_is_known"
            ),
            models.CheckConstraint(
                condition=Q(outcome=Outcome.ERROR) | Q(outcome=Outcome.SUCCESS, failed_count=0),
                name="operation_success_failed_nothing",
            ),
        )
        indexes = (
            # the log of a batch, newest first
            models.Index(fields=["batch", "-created_at"], name="operation_log_of_batch"),
        )

    def __str__(self) -> str:
        return f"{self.kind} of batch {self.batch_id}: {self.outcome}"
