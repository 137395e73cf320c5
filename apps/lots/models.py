"""The fields of a lot, and the acts on rows of lots: the same in stock and in a batch."""

from decimal import Decimal

from django.conf import settings
from django.db import models
from django.db.models import Q

from apps.catalog.models import Lot
from apps.core.money import MONEY
from apps.core.ownership import OwnedModel, program_field
from apps.exchange.conditions import UNKNOWN_CONDITION
from apps.lots.rules import name_to_show


class Condition(models.TextChoices):
    """New or used."""

    NEW = "N", "new"
    USED = "U", "used"


class LotCondition(models.TextChoices):
    """A condition as a file may leave it: new, used, or not understood. People set the first two."""

    NEW = Condition.NEW.value, Condition.NEW.label
    USED = Condition.USED.value, Condition.USED.label
    UNKNOWN = UNKNOWN_CONDITION, "not understood"


class SubCondition(models.TextChoices):
    """How whole a set is."""

    NONE = "", "none"
    COMPLETE = "C", "complete"
    INCOMPLETE = "I", "incomplete"
    SEALED = "M", "sealed"


class Stockroom(models.TextChoices):
    """The stockroom a lot is kept in, out of sale."""

    NONE = "", "none"
    A = "A"
    B = "B"
    C = "C"


class Status(models.TextChoices):
    """BrickStore's mark: included, excluded from every upload, or extra."""

    INCLUDE = "I", "include"
    EXCLUDE = "X", "exclude"
    EXTRA = "E", "extra"


NOTHING = Decimal(0)


class LotFields(models.Model):
    """The fields of a BSX lot, in the words of the file.

    `lot` is null if item or colour is not in the catalogue (an *incomplete* lot);
    `raw_*` is the identity as a file gave it, kept so that the file can be written back.
    """

    lot = models.ForeignKey(
        Lot, on_delete=models.PROTECT, null=True, blank=True, related_name="+", db_index=False
    )
    raw_item_type = models.TextField(blank=True, default="", help_text="the letter of the file")
    raw_item_number = models.TextField(blank=True, default="")
    raw_item_name = models.TextField(blank=True, default="")
    raw_color_id = models.IntegerField(null=True, blank=True)
    raw_color_name = models.TextField(blank=True, default="")
    raw_category_id = models.IntegerField(null=True, blank=True)
    raw_category_name = models.TextField(blank=True, default="")

    condition = models.CharField(max_length=1, choices=LotCondition, default=LotCondition.USED)
    condition_text = models.TextField(
        blank=True, default="", db_default="", help_text="of a condition that was not understood"
    )
    sub_condition = models.CharField(max_length=1, choices=SubCondition, blank=True, default="")
    quantity = models.PositiveIntegerField(default=0)
    price = models.DecimalField(
        **MONEY, null=True, blank=True, help_text="of one piece; empty: no price"
    )
    cost = models.DecimalField(**MONEY, default=NOTHING, help_text="what one piece cost")
    bulk = models.PositiveIntegerField(default=1, help_text="sold in multiples of")
    sale = models.SmallIntegerField(default=0, help_text="percent off")
    comments = models.TextField(blank=True, default="", help_text="what buyers read")
    remarks = models.TextField(blank=True, default="", help_text="private; names the location")
    reserved = models.TextField(blank=True, default="", help_text="kept for this buyer")
    marketplace_lot_id = models.BigIntegerField(null=True, blank=True)
    tq1 = models.IntegerField(default=0)
    tp1 = models.DecimalField(**MONEY, default=NOTHING)
    tq2 = models.IntegerField(default=0)
    tp2 = models.DecimalField(**MONEY, default=NOTHING)
    tq3 = models.IntegerField(default=0)
    tp3 = models.DecimalField(**MONEY, default=NOTHING)
    retain = models.BooleanField(default=False, help_text="keep the lot when sold out")
    stockroom = models.CharField(max_length=1, choices=Stockroom, blank=True, default="")
    status = models.CharField(max_length=1, choices=Status, default=Status.INCLUDE)
    unit_weight_grams = models.DecimalField(
        max_digits=14,
        decimal_places=4,
        null=True,
        blank=True,
        help_text="grams of one piece; empty: the catalogue's weight",
    )
    marker_text = models.TextField(blank=True, default="")
    marker_color = models.CharField(max_length=7, blank=True, default="", help_text="#rrggbb")
    date_added = models.DateTimeField(null=True, blank=True)
    date_last_sold = models.DateTimeField(null=True, blank=True)
    extra = models.JSONField(
        blank=True, default=dict, help_text="what the file had beside these: exchange.bsx_carried"
    )

    class Meta:
        abstract = True
        constraints = (
            models.CheckConstraint(
                condition=Q(quantity__gte=0), name="%(class)s_quantity_not_negative"
            ),
            models.CheckConstraint(condition=Q(price__gte=0), name="%(class)s_price_not_negative"),
            models.CheckConstraint(
                condition=Q(condition__in=["N", "U", "?"]), name="%(class)s_condition_is_one"
            ),
            models.CheckConstraint(
                condition=Q(bulk__gte=1) & Q(sale__gte=-99) & Q(sale__lte=100),
                name="%(class)s_bulk_and_sale_in_range",
            ),
        )

    @property
    def is_incomplete(self) -> bool:
        """Whether this lot is missing from the catalogue."""
        return self.lot_id is None

    @property
    def shown_name(self) -> str:
        """How a person recognises it. The lot, its item and colour are selected with it."""
        if self.lot is None:
            return name_to_show(
                name=self.raw_item_name, number=self.raw_item_number, color=self.raw_color_name
            )
        color = self.lot.color.name if self.lot.color_id else ""
        return name_to_show(name=self.lot.item.name, number=self.lot.item.number, color=color)


# The file's values of one lot do not apply to another one.
NO_RAW_IDENTITY: dict[str, object] = {
    field.attname: field.get_default()
    for field in LotFields._meta.local_fields
    if field.name.startswith("raw_")
}
# The columns of LotFields but the quantity, which only the ledger changes.
LOT_COLUMNS: tuple[str, ...] = tuple(
    field.attname for field in LotFields._meta.local_fields if field.name != "quantity"
)


class ActKind(models.TextChoices):
    """The kind of an act."""

    MOVE = "move", "moved"
    SPLIT = "split", "split"
    CONSOLIDATE = "consolidate", "consolidated"
    COUNT = "count", "counted"
    REPRICE = "reprice", "re-priced"
    EDIT = "edit", "edited"
    SYNC = "sync", "synced with the store"
    NAME = "name", "named"
    CURRENCY = "currency", "kept in another currency"
    SPREAD_COST = "spreadCost", "cost spread"
    RECOMMEND = "recommend", "locations planned"
    COPY = "copy", "copied to another batch"
    MERGE = "merge", "merged into another batch"
    STOW = "stow", "stowed"
    REMOVE = "remove", "removed"
    MARK_LISTED = "markListed", "marked as listed or no longer"


class KeptAct(OwnedModel):
    """One act on many rows, kept so that it can be undone: on items of a batch, else on stock.

    The movements of an act on stock carry its id as their cause.
    """

    batch = models.ForeignKey(
        "batches.Batch",  # by its name: its app is above this one
        on_delete=models.CASCADE,
        null=True,
        related_name="+",
        db_index=False,  # keptact_of_batch begins with it
    )
    kind = models.CharField(max_length=12, choices=ActKind)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
        db_index=False,  # rows are never filtered by person
    )
    program = program_field()
    note = models.TextField(blank=True, default="", help_text="what it was, for people")
    row_count = models.PositiveIntegerField(default=0, help_text="rows that it changed or made")
    undone_at = models.DateTimeField(null=True)
    former_id = models.BigIntegerField(
        null=True, editable=False, help_text="its id in 0.2.0, where acts of batches had their own"
    )

    class Meta:
        verbose_name = "act"
        ordering = ("-id",)
        indexes = (
            # the list of a user's acts on stock, newest first
            models.Index(fields=["owner", "-id"], condition=Q(batch=None), name="keptact_of_stock"),
            # the acts of a batch, newest first
            models.Index(fields=["batch", "-created_at"], name="keptact_of_batch"),
        )

    def __str__(self) -> str:
        return f"{self.kind} ({self.row_count} rows)"


class ActChunk(models.Model):
    """A chunk of the rows of an act, with their values before and after it.

    `rows` is a list of `{id, before, after}` (`services/images.py`) of the `table` (app.Model),
    or of rows of stock.
    """

    act = models.ForeignKey(
        KeptAct,
        on_delete=models.CASCADE,
        related_name="chunks",
        db_index=False,  # actchunk_number_once begins with it
    )
    number = models.PositiveIntegerField()
    table = models.CharField(max_length=60, blank=True, default="", db_default="")
    rows = models.JSONField(default=list)
    undone_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = "act chunk"
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=["act", "number"], name="actchunk_number_once"),
        )

    def __str__(self) -> str:
        return f"{self.act_id}/{self.number}"
