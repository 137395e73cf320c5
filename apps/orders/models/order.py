"""Orders of buyers, with their lines, states and events."""

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Upper

from apps.catalog.models import Lot
from apps.core.money import MONEY
from apps.core.ownership import IndexedByOwner, OwnedModel, acting_field, program_field
from apps.lots.models import LotCondition, SubCondition


class OrderState(models.TextChoices):
    """The state of an order: the marketplace's states and our own."""

    NEW = "new"
    PAID = "paid", "To pick"
    PICKED = "picked", "To pack"
    PACKED = "packed", "To ship"
    SHIPPED = "shipped"
    DONE = "done"
    CANCELLED = "cancelled"
    PROBLEM = "problem"


#: While pieces may still be promised to it.
OPEN_STATES = (OrderState.NEW, OrderState.PAID, OrderState.PICKED, OrderState.PACKED)

#: On its way through the store: its buyer is named on the parcel.
IN_HAND = (OrderState.PAID, OrderState.PICKED, OrderState.PACKED)

#: While it keeps what it was promised: one with a problem is promised nothing more.
HOLDING_STATES = (*OPEN_STATES, OrderState.PROBLEM)

#: Still needs the seller. A problem is over once it is filed.
IS_OPEN = Q(state__in=OPEN_STATES) | Q(state=OrderState.PROBLEM, is_filed=False)

#: Nothing of it is sent.
GONE_STATES = (OrderState.CANCELLED, OrderState.PROBLEM)

#: Its pieces are on their way or there.
SENT_STATES = (OrderState.SHIPPED, OrderState.DONE)


class OrderOrigin(models.TextChoices):
    """How an order came in."""

    STORE = "store"
    FILE = "file"
    HAND = "hand", "By hand"


class ShortReason(models.TextChoices):
    NOT_FOUND = "not_found", "Not found"
    DAMAGED = "damaged"
    TOO_FEW = "too_few", "Too few"


class Order(OwnedModel):
    """An order. `status` is the marketplace's own word; `number` is what people call it by."""

    channel = models.CharField(max_length=5, choices=OrderOrigin.choices)
    number = models.CharField(max_length=60)
    marketplace_order_id = models.BigIntegerField(null=True, blank=True)
    state = models.CharField(max_length=9, choices=OrderState.choices, default=OrderState.NEW)
    status = models.CharField(max_length=40, blank=True, default="")
    payment_status = models.CharField(max_length=40, blank=True, default="")
    payment_method = models.TextField(blank=True, default="")
    paid_at = models.DateTimeField(null=True, blank=True)
    ordered_at = models.DateTimeField()
    is_dated = models.BooleanField(
        default=True, help_text="false: no date is known; it came in at `orderedAt`"
    )
    ordered_on = models.DateField(
        null=True, blank=True, help_text="the day, the same in every zone, if no time is known"
    )
    changed_at = models.DateTimeField(help_text="at the marketplace")
    buyer = models.TextField(blank=True, default="")
    buyer_email = models.TextField(blank=True, default="")
    remarks = models.TextField(blank=True, default="", help_text="the buyer's")
    address_name = models.TextField(blank=True, default="")
    address = models.TextField(blank=True, default="")
    country = models.CharField(max_length=60, blank=True, default="")
    shipping_method = models.TextField(blank=True, default="")
    tracking_number = models.CharField(max_length=100, blank=True, default="")
    currency = models.CharField(max_length=3)
    subtotal = models.DecimalField(**MONEY, default=0)
    shipping = models.DecimalField(**MONEY, default=0)
    insurance = models.DecimalField(**MONEY, default=0)
    fees = models.DecimalField(**MONEY, default=0)
    credit = models.DecimalField(**MONEY, default=0)
    tax = models.DecimalField(**MONEY, default=0)
    vat = models.DecimalField(**MONEY, default=0)
    total = models.DecimalField(**MONEY, default=0)
    refunded = models.DecimalField(**MONEY, default=0, help_text="given back, in all")
    grams = models.DecimalField(
        max_digits=14, decimal_places=2, null=True, blank=True, help_text="as reported"
    )
    weighed_grams = models.DecimalField(max_digits=14, decimal_places=2, null=True, blank=True)
    pieces_told = models.PositiveIntegerField(default=0, help_text="by the marketplace")
    is_filed = models.BooleanField(default=False)
    packed_at = models.DateTimeField(null=True, blank=True)
    shipped_at = models.DateTimeField(null=True, blank=True)
    note = models.TextField(blank=True, default="", help_text="ours")
    parcel = models.ForeignKey(
        "self",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="combined",
        help_text="the order of the same buyer in whose parcel it is sent",
    )
    buyer_erased_at = models.DateTimeField(
        null=True, blank=True, help_text="from then on the buyer's data is not stored again"
    )

    class Meta:
        verbose_name = "order"
        ordering = ("-ordered_at", "-id")
        constraints = (
            models.UniqueConstraint(
                fields=["owner", "marketplace_order_id"],
                condition=Q(marketplace_order_id__isnull=False),
                name="order_once",
            ),
        )
        indexes = (
            # For the list by date, and the counts of each state.
            models.Index(F("owner"), F("ordered_at").desc(), F("id").desc(), name="order_by_date"),
            models.Index(fields=["owner", "state"], name="order_by_state"),
        )

    def __str__(self) -> str:
        return f"Order {self.number}"


class OrderLine(IndexedByOwner):
    """Pieces of one lot in an order. `key` identifies the line when the order is read again.

    At the marketplace it takes `taken` pieces from the lot: none once its order is cancelled there.
    Of `quantity`, `picked` pieces have left their locations and `short` ones will not be sent; the
    rest is still to pick. `returned` pieces came back later.
    """

    order = models.ForeignKey(Order, on_delete=models.CASCADE, related_name="lines")
    key = models.CharField(max_length=60)
    marketplace_lot_id = models.BigIntegerField(null=True, blank=True)
    lot = models.ForeignKey(Lot, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    item_type = models.CharField(max_length=20)
    item_number = models.CharField(max_length=60)
    item_name = models.TextField(blank=True, default="")
    color_id = models.IntegerField(default=0)
    color_name = models.TextField(blank=True, default="")
    condition = models.CharField(max_length=1, choices=LotCondition.choices)
    sub_condition = models.CharField(
        max_length=1, choices=SubCondition.choices, blank=True, default=""
    )
    quantity = models.PositiveIntegerField()
    price = models.DecimalField(**MONEY, help_text="of one piece, after tiers")
    is_out = models.BooleanField(
        default=False, help_text="the stock did not count its pieces when the order arrived"
    )
    remarks = models.TextField(blank=True, default="")
    comments = models.TextField(blank=True, default="")
    piece_grams = models.DecimalField(max_digits=14, decimal_places=4, null=True, blank=True)
    taken = models.PositiveIntegerField(
        default=0, help_text="pieces that it takes from the lot at the marketplace"
    )
    picked = models.PositiveIntegerField(default=0)
    short = models.PositiveIntegerField(default=0)
    returned = models.PositiveIntegerField(default=0)
    short_reason = models.CharField(
        max_length=9, choices=ShortReason.choices, blank=True, default=""
    )
    is_checked = models.BooleanField(default=False, help_text="seen while it was packed")

    class Meta:
        verbose_name = "line of an order"
        verbose_name_plural = "lines of orders"
        ordering = ("id",)
        constraints = (models.UniqueConstraint(fields=["order", "key"], name="orderline_once"),)
        indexes = (
            models.Index(F("owner"), Upper("item_number"), name="orderline_by_item"),
            # Few of all lines: what is still to be picked of a lot.
            models.Index(
                fields=["owner", "lot"],
                condition=Q(quantity__gt=F("picked") + F("short")),
                name="orderline_to_pick",
            ),
        )

    def __str__(self) -> str:
        return f"{self.quantity} × {self.item_number}"

    @property
    def to_pick(self) -> int:
        """Return how many pieces still have to leave the bins."""
        return max(self.quantity - self.picked - self.short, 0)


class OrderEvent(OwnedModel):
    """An event of an order. Differences are shown to the owner until they are marked as seen."""

    order = models.ForeignKey(Order, on_delete=models.CASCADE, related_name="events")
    at = models.DateTimeField()
    by = acting_field()
    program = program_field()
    kind = models.CharField(max_length=20)
    text = models.TextField()
    is_difference = models.BooleanField(default=False)
    seen_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = "event of an order"
        verbose_name_plural = "events of orders"
        ordering = ("-id",)

    def __str__(self) -> str:
        return self.text[:80]
