"""`/api/books` and `/api/invoices`."""

from typing import Any, Final

import django_filters as filters
from django.http import Http404
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.decorators import action
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.selectors import store_of
from apps.books.api import serializers as wire
from apps.books.models import Invoice
from apps.books.selectors import BooksRow, Period, books, setting_of, table_of
from apps.books.services.files import NAMES, books_file
from apps.books.services.invoice_paper import invoices_pdf
from apps.books.services.invoices import cancel_invoice, issue_invoice, issue_invoices
from apps.books.services.settings import change_setting
from apps.core.api.downloads import download_of
from apps.core.api.fields import Day
from apps.core.api.filters import TIME_ZONE, ZONE_HELP, FilterSet, IdsFilter, zone_asked
from apps.core.api.printing import pdf_answer
from apps.core.api.serializers import serializer_of
from apps.core.api.views import UNPAGED, ApiView, OwnedViewSet
from apps.core.clock import now, zone_of
from apps.core.errors import Invalid
from apps.orders.rules.papers import tongue_of
from apps.orders.services.papers import Seller

_DAY: Final = {"type": "string", "format": "date"}
PERIOD: Final = [
    OpenApiParameter("first", dict(_DAY), description="the first day", required=True),
    OpenApiParameter("last", dict(_DAY), description="the last day, included", required=True),
    OpenApiParameter("time_zone", dict(TIME_ZONE), description=ZONE_HELP),
]


def period_asked(request: Request) -> Period:
    """Return the period that a query names, whichever day it names first. Raises Invalid."""
    days = []
    for name in ("first", "last"):
        field: Any = Day()
        try:
            days.append(field.run_validation(request.query_params.get(name, "")))
        except ValidationError as refused:
            raise Invalid(fields={name: refused.detail}) from refused
    return Period(min(days), max(days), zone_asked(request))


class BooksView(ApiView):
    @extend_schema(
        responses=serializer_of(BooksRow), parameters=PERIOD, operation_id="books_retrieve"
    )
    def get(self, request: Request) -> Response:
        """The books of a period: sums by rule of VAT, and what is missing in them."""
        return Response(books(user=store_of(request), period=period_asked(request)))


class BooksFileView(ApiView):
    @extend_schema(
        responses={(200, "text/csv"): OpenApiTypes.BINARY},
        parameters=PERIOD,
        operation_id="books_file_retrieve",
    )
    def get(self, request: Request, name: str) -> HttpResponseBase:
        """Download a list of a period as CSV, or its bookings for DATEV or Xero."""
        if name not in NAMES:
            raise Http404
        period = period_asked(request)
        content = books_file(user=store_of(request), name=name, period=period, now=now())
        start = "EXTF_Buchungsstapel" if name == "datev" else f"books-{name}"
        return download_of(
            content,
            name=f"{start}-{period.first}-{period.last}.csv",
            content_type="text/csv" if name == "datev" else "text/csv; charset=utf-8",
        )


class BooksSettingsView(ApiView):
    @extend_schema(responses=wire.BooksSettingRow)
    def get(self, request: Request) -> Response:
        """How the store is taxed from which day on, the rates by country, and its invoices."""
        return Response(self._row(request))

    @extend_schema(request=wire.BooksSettingWrite, responses=wire.BooksSettingRow)
    def patch(self, request: Request) -> Response:
        """Change some of it; a list replaces the one that is stored."""
        changes = self.validated(wire.BooksSettingWrite, request.data)
        change_setting(user=store_of(request), changes=changes)
        return Response(self._row(request))

    def _row(self, request: Request) -> dict[str, Any]:
        setting = setting_of(store_of(request))
        row = {**vars(setting), "rates": table_of(setting).rates()}
        return dict(wire.BooksSettingRow(row).data)


class InvoiceFilter(FilterSet):
    own_fields = "issued_on"

    id = IdsFilter(field_name="id")
    order = filters.NumberFilter(field_name="invoiced__order", help_text="about this order")

    class Meta:
        model = Invoice
        fields: tuple[str, ...] = ()


class InvoiceViewSet(OwnedViewSet):
    """The store's invoices and credit notes. They are never changed."""

    row_serializer = wire.InvoiceRow
    filterset_class = InvoiceFilter
    ordered_by = "serial"
    ordering = "-serial"
    http_method_names = ["get", "head", "post"]

    @extend_schema(request=wire.NewInvoice, responses={201: wire.InvoiceRow})
    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Issue one invoice of orders of one buyer; the one that just these have comes again."""
        invoice = issue_invoice(**self._asked(request))
        return Response(self.row(invoice.pk), status=status.HTTP_201_CREATED)

    @extend_schema(
        request=wire.NewInvoice, responses={(200, "application/pdf"): OpenApiTypes.BINARY}
    )
    @action(detail=False, methods=["post"], **UNPAGED)
    def each(self, request: Request) -> HttpResponseBase:
        """Issue an invoice of each order, and print them; where one is refused, none is issued.

        Again it prints the same ones.
        """
        return pdf_answer(invoices_pdf(issue_invoices(**self._asked(request))), name="invoices.pdf")

    def _asked(self, request: Request) -> dict[str, Any]:
        user = store_of(request)
        return {
            "owner": user,
            "order_ids": self.validated(wire.NewInvoice, request.data)["order_ids"],
            "seller": Seller(user.name, user.seller_address, user.vat_id),
            "tongue": tongue_of(request.headers.get("Accept-Language", "")),
            "zone": zone_of(user),
            "now": now(),
        }

    @extend_schema(request=None, responses={201: wire.InvoiceRow})
    @action(detail=True, methods=["post"])
    def cancel(self, request: Request, pk: str) -> Response:
        """Issue the credit note that cancels an invoice."""
        invoice = self.get_owned(pk)
        credit = cancel_invoice(invoice=invoice, zone=zone_of(store_of(request)), now=now())
        return Response(self.row(credit.pk), status=status.HTTP_201_CREATED)

    @extend_schema(responses={(200, "application/pdf"): OpenApiTypes.BINARY})
    @action(detail=True, methods=["get"])
    def file(self, request: Request, pk: str) -> HttpResponseBase:
        """Print an invoice as PDF, in its buyer's language: each time the same."""
        invoice = self.get_owned(pk)
        return pdf_answer(invoices_pdf([invoice]), name=f"invoice-{invoice.serial}.pdf")
