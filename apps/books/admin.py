"""Operators can read invoices; the database keeps them as they were issued."""

from django.contrib import admin

from apps.books.models import Invoice
from apps.core.operating import ReadOnlyAdmin


@admin.register(Invoice)
class InvoiceAdmin(ReadOnlyAdmin):
    list_display = ("number", "owner", "kind", "issued_on", "total", "currency")
    list_filter = ("kind",)
    list_select_related = ("owner",)
    search_fields = ("number", "owner__email_address")
