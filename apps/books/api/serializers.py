"""Books and invoices on the wire."""

import datetime as dt
from decimal import Decimal
from typing import Annotated, Any

from rest_framework import serializers

from apps.books.models import BooksSetting, Invoice, default_accounts
from apps.books.rules.tax import Mode
from apps.core.api.fields import Amount, Day, ListOf, Matching, RowId, Text, WholeNumber, YesOrNo
from apps.core.api.serializers import AnswerSerializer, RowSerializer
from apps.core.money import Digits

MOST_ROWS = 200
MOST_ORDERS = 50
COUNTRY = "[A-Z]{2}"


class TaxModeWrite(serializers.Serializer[Any]):
    since = Day()
    mode = serializers.ChoiceField(choices=[(one.value, one.value) for one in Mode])
    country = Matching(COUNTRY, max_length=2, help_text="yours, such as DE")
    uses_oss = YesOrNo(default=False, help_text="sales into other member states by their rates")


class TaxRateWrite(serializers.Serializer[Any]):
    country = Matching(COUNTRY, max_length=2)
    since = Day()
    percent = Amount(max_digits=5, decimal_places=2, min_value=0, max_value=100)


class AccountsWrite(serializers.Serializer[Any]):
    def get_fields(self) -> dict[str, Any]:
        return {
            name: Matching("[0-9A-Za-z.-]{1,10}", max_length=10, required=False)
            for name in default_accounts()
        }


class BooksSettingWrite(serializers.Serializer[BooksSetting]):
    modes = TaxModeWrite(many=True, required=False, max_length=MOST_ROWS)  # type: ignore[call-arg]
    rates = TaxRateWrite(many=True, required=False, max_length=MOST_ROWS)  # type: ignore[call-arg]
    accounts = AccountsWrite(required=False)
    invoice_prefix = Text(max_length=20, allow_blank=True, required=False)
    first_serial = WholeNumber(min_value=1, max_value=99_999_999, required=False)
    invoice_years = WholeNumber(min_value=1, max_value=50, required=False)

    def validate_modes(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the modes as they are stored, one a day."""
        return _dated(rows, "since")

    def validate_rates(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the rates as they are stored, one for a country and day."""
        return _dated(rows, "country", "since")


def _dated(rows: list[dict[str, Any]], *key: str) -> list[dict[str, Any]]:
    found = {tuple(str(row[name]) for name in key): row for row in rows}
    if len(found) < len(rows):
        raise serializers.ValidationError(f"two have the same {' and '.join(key)}")
    texts = {"since", "percent"}
    return [
        {name: str(value) if name in texts else value for name, value in found[one].items()}
        for one in sorted(found)
    ]


class TaxModeRow(AnswerSerializer):
    since: dt.date
    mode = serializers.ChoiceField(choices=[(one.value, one.value) for one in Mode])
    country: str
    uses_oss: bool


class TaxRateRow(AnswerSerializer):
    country: str
    since: dt.date
    percent: Annotated[Decimal, Digits(5, 2)]
    is_own: Annotated[bool, "yours, instead of the app's"]


class BooksSettingRow(AnswerSerializer):
    modes = TaxModeRow(many=True)
    rates = TaxRateRow(many=True, help_text="the standard rates of the EU, and yours")
    accounts: dict[str, str]
    invoice_prefix: str
    first_serial: int
    invoice_years: Annotated[int, "buyers' names and addresses stay on invoices for so long"]


class InvoiceRow(RowSerializer):
    """An invoice, or the credit note that cancels one."""

    model = Invoice
    columns = "id serial number kind issued_on currency total buyer cancels"

    cancelled_by: Annotated[int | None, "its credit note"]


class NewInvoice(serializers.Serializer[Invoice]):
    order_ids = ListOf(child=RowId(), min_length=1, max_length=MOST_ORDERS)
