"""How a seller keeps his books, and the invoices that he issued."""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q

from apps.core.money import MONEY
from apps.core.ownership import IndexedByOwner
from apps.orders.models import Order


def default_accounts() -> dict[str, str]:
    """Return the accounts of bookings: numbers of the German chart SKR03, to be replaced."""
    return {
        "money": "1360",
        "sales_none": "8200",
        "sales_small": "8195",
        "sales_normal": "8400",
        "sales_margin": "8191",
        "sales_oss": "8320",
        "sales_outside": "8120",
        "sales_unknown": "8200",
        "fees": "4760",
        "purchases": "3200",
        "rounding": "4900",
        "datev_consultant": "1001",
        "datev_client": "1",
    }


class BooksSetting(models.Model):
    """How a person's books are kept. Its row is locked while a number of the series is given."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="books_setting"
    )
    modes = models.JSONField(
        default=list, blank=True, help_text="since, mode, country, uses_oss: how taxed from when"
    )
    rates = models.JSONField(
        default=list, blank=True, help_text="country, since, percent: instead of the app's"
    )
    accounts = models.JSONField(default=default_accounts, help_text="numbers in files of bookings")
    invoice_prefix = models.CharField(max_length=20, blank=True, default="")
    first_serial = models.PositiveIntegerField(default=1, help_text="of the first invoice")
    invoice_years = models.PositiveSmallIntegerField(
        default=10, help_text="buyers' names and addresses stay on invoices for so long"
    )
    updated_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"books of {self.user}"


class InvoiceKind(models.TextChoices):
    INVOICE = "invoice"
    CREDIT = "credit", "Credit note"


class Invoice(IndexedByOwner):
    """An invoice as it was issued, or the credit note that cancels one. The database keeps it so.

    `content` holds what is printed, but for the buyer, whose name and address end later.
    """

    serial = models.PositiveIntegerField(help_text="1, 2, 3: without a gap")
    number = models.CharField(max_length=40, help_text="as printed")
    kind = models.CharField(max_length=7, choices=InvoiceKind.choices)
    issued_at = models.DateTimeField()
    issued_on = models.DateField(help_text="the day in the seller's zone")
    # Without a constraint: an account's rows are erased in parts, and till then none is deleted.
    cancels = models.OneToOneField(
        "self",
        on_delete=models.DO_NOTHING,
        null=True,
        blank=True,
        related_name="cancelled_by",
        db_constraint=False,
    )
    buyer = models.TextField(blank=True, default="", help_text="blank once its time is over")
    currency = models.CharField(max_length=3)
    total = models.DecimalField(**MONEY, help_text="negative for a credit note")
    content: Any = models.JSONField()

    class Meta:
        ordering = ("-serial",)
        constraints = (
            models.UniqueConstraint(fields=["owner", "serial"], name="invoice_serial_once"),
            models.CheckConstraint(
                condition=Q(kind="credit", cancels__isnull=False)
                | Q(kind="invoice", cancels__isnull=True),
                name="invoice_cancels_by_credit",
            ),
        )

    def __str__(self) -> str:
        return self.number


class InvoicedOrder(IndexedByOwner):
    """An order that an invoice, or its credit note, is about."""

    invoice = models.ForeignKey(Invoice, on_delete=models.CASCADE, related_name="invoiced")
    order = models.ForeignKey(Order, on_delete=models.RESTRICT, related_name="invoiced")

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["owner", "invoice", "order"], name="invoicedorder_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.invoice_id} of order {self.order_id}"
