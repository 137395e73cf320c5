"""`/api/marketplace/saleRule`: what is for sale on a channel, and at which prices."""

from decimal import Decimal
from typing import Annotated, Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.selectors import store_of
from apps.catalog.rules.kinds import LETTER_OF_TYPE
from apps.core.api.fields import Amount, ListOf, Text, WholeNumber
from apps.core.api.serializers import AnswerSerializer, RelatedFields
from apps.core.api.views import ApiView
from apps.core.clock import now
from apps.core.currencies import CURRENCIES
from apps.core.money import MONEY, Money
from apps.inventory.rules.for_sale import ROUNDINGS, ForSale
from apps.lots.models import Stockroom
from apps.marketplace.api.parameters import OF_MARKETPLACE, marketplace_of
from apps.marketplace.providers.known import MarketplaceId
from apps.marketplace.selectors import sale_rule_preview, sale_rule_row
from apps.marketplace.services.sale_rules import change_sale_rule, refuse_rule

MOST_CATEGORIES = 500


class PricedExample(AnswerSerializer):
    """A lot whose price there is another one."""

    name: str
    price: Money
    price_there: Money


class ForSaleRow(AnswerSerializer):
    """What of the stock is for sale on a channel."""

    lots: int
    of_lots: int
    pieces: int
    repriced: Annotated[int, "lots whose price there is another one than the person's"]
    examples: Annotated[list[PricedExample], "the largest differences"]


class SaleRuleWrite(RelatedFields):
    """A rule of a channel, whole."""

    left_out_types = ListOf(
        child=serializers.ChoiceField(choices=sorted(LETTER_OF_TYPE)), required=False
    )
    left_out_categories = ListOf(
        child=WholeNumber(min_value=0, max_value=2**31 - 1),
        required=False,
        max_length=MOST_CATEGORIES,
    )
    left_out_stockrooms = ListOf(
        child=serializers.ChoiceField(choices=[each for each in Stockroom.values if each]),
        required=False,
    )
    left_out_marker = Text(
        required=False, allow_blank=True, max_length=100, help_text="lots with this marker"
    )
    least_value = Amount(**MONEY, min_value=0, required=False, allow_null=True)
    most_value = Amount(**MONEY, min_value=0, required=False, allow_null=True)
    least_pieces = WholeNumber(min_value=1, max_value=10_000, required=False)
    keep_back = WholeNumber(min_value=0, max_value=10_000, required=False)
    percent = Amount(
        max_digits=6,
        decimal_places=2,
        min_value=Decimal("0.01"),
        max_value=Decimal(1000),
        required=False,
        help_text="of the person's price",
    )
    currency = serializers.ChoiceField(choices=["", *CURRENCIES], required=False)
    rate = Amount(max_digits=14, decimal_places=6, min_value=Decimal("0.000001"), required=False)
    rounding = serializers.ChoiceField(
        choices=[str(each) for each in ROUNDINGS], required=False, help_text="to a multiple of it"
    )

    def validate(self, data: dict[str, Any]) -> dict[str, Any]:
        return {**_AS_MADE, **super().validate(data)}


_AS_MADE: dict[str, Any] = {
    "left_out_types": [],
    "left_out_categories": [],
    "left_out_stockrooms": [],
    "left_out_marker": "",
    "least_value": None,
    "most_value": None,
    "least_pieces": 1,
    "keep_back": 0,
    "percent": Decimal(100),
    "currency": "",
    "rate": Decimal(1),
    "rounding": Decimal("0.0001"),
}


class SaleRuleRow(AnswerSerializer):
    """The rule of a channel, and in numbers what is for sale there."""

    marketplace = serializers.ChoiceField(choices=[each.value for each in MarketplaceId])
    marketplace_name: str
    own_currency: Annotated[str, "of the person's prices"]
    left_out_types: list[str]
    left_out_categories: list[int]
    left_out_stockrooms: list[str]
    left_out_marker: str
    least_value: Money | None
    most_value: Money | None
    least_pieces: int
    keep_back: int
    percent: str
    currency: str
    rate: str
    rounding: str
    for_sale = ForSaleRow()
    single_lots: Annotated[int, "lots whose last piece is for sale on several channels"]
    close_orders: Annotated[
        int, "orders so soon after one at another channel that no sync was between"
    ]
    orders: Annotated[int, "all orders of the same time"]
    minutes: Annotated[int, "between two syncs"]


class SaleRulePreview(AnswerSerializer):
    """What a rule would change."""

    for_sale = ForSaleRow()
    joining: Annotated[int, "lots that would be for sale there from then on"]
    leaving: Annotated[int, "lots that would leave"]
    repriced: Annotated[int, "lots that stay and would get another price there"]
    single_lots: int


def _told(found: ForSale) -> dict[str, Any]:
    examples = [
        {"name": name, "price": price, "price_there": there}
        for name, price, there in found.examples
    ]
    return {**found._asdict(), "examples": examples}


def _row(request: Request) -> Response:
    row = sale_rule_row(owner=store_of(request), marketplace=marketplace_of(request))
    numbers = {name: f"{row[name].normalize():f}" for name in ("percent", "rate", "rounding")}
    told = {**row, **numbers, "for_sale": _told(row["for_sale"])}
    return Response(SaleRuleRow(told).data)


class SaleRuleView(ApiView):
    """What is for sale on a channel, and at which prices."""

    @extend_schema(
        parameters=OF_MARKETPLACE, responses=SaleRuleRow, operation_id="saleRule_retrieve"
    )
    def get(self, request: Request) -> Response:
        """Return the rule of a connected store, and what is for sale there. 404 without a store."""
        return _row(request)

    @extend_schema(
        parameters=OF_MARKETPLACE,
        request=SaleRuleWrite,
        responses=SaleRuleRow,
        operation_id="saleRule_update",
    )
    def put(self, request: Request) -> Response:
        """Store a rule in place of the earlier one. The next sync sends what it changes.

        What is left out of it is as without a rule. 409 without a store.
        """
        values = self.validated(SaleRuleWrite, request.data)
        marketplace = marketplace_of(request)
        change_sale_rule(owner=store_of(request), marketplace=marketplace, values=values, now=now())
        return _row(request)


class SaleRulePreviewView(ApiView):
    """What a rule would change, before it is stored."""

    @extend_schema(
        parameters=OF_MARKETPLACE, request=SaleRuleWrite, responses={200: SaleRulePreview}
    )
    def post(self, request: Request) -> Response:
        """Return it in numbers; nothing is stored. 404 without a store."""
        values = self.validated(SaleRuleWrite, request.data)
        refuse_rule(values)
        found = sale_rule_preview(
            owner=store_of(request), marketplace=marketplace_of(request), values=values
        )
        return Response(SaleRulePreview({**found, "for_sale": _told(found["for_sale"])}).data)
