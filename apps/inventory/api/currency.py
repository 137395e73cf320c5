"""`/api/inventoryItems/changeCurrency`: keep the account in another currency."""

from decimal import Decimal
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.selectors import caller_of, store_of
from apps.core.api.fields import YesOrNo
from apps.core.api.serializers import AnswerSerializer
from apps.core.api.views import OwnedViewSet
from apps.core.clock import now
from apps.core.currencies import CURRENCIES
from apps.core.jobs.api import JobRow
from apps.core.money import Total
from apps.inventory.api.forms import RateField, act_answer
from apps.inventory.api.repricing import PriceChangeRow, named_changes
from apps.inventory.services.currency import CurrencyChange, change_currency
from apps.lots.models import KeptAct
from apps.lots.services.acts import ActResult


class CurrencyWrite(serializers.Serializer[Any]):
    """The new currency, and how to change the amounts."""

    currency = serializers.ChoiceField(choices=CURRENCIES)
    rate = RateField(
        help_text="what every amount is multiplied by; blank keeps the numbers as they are"
    )
    dry_run = YesOrNo(default=False, help_text="show it, change nothing")


class CurrencyChangedRow(AnswerSerializer):
    """What another currency does (dry run) or did. `act_id` takes it back.

    The counts are of rows that have an amount; `on_sale` of lots that the store shows with a price.
    """

    dry_run: bool
    act_id: int | None
    currency_before: str
    currency: str
    lots: int
    batch_items: int
    batches: int
    sets: int
    on_sale: int
    value_before: Total
    value_after: Total
    examples: list[PriceChangeRow]


class ChangesCurrency(OwnedViewSet):
    """The call that changes the currency."""

    @extend_schema(request=CurrencyWrite, responses={200: CurrencyChangedRow, 202: JobRow})
    @action(detail=False, methods=["post"])
    def changeCurrency(self, request: Request) -> Response:
        """Keep all amounts of the account in another currency, as they are or multiplied.

        Of stock and batches: price, cost and tier prices; what batches cost and sets were bought
        for. `dry_run` shows what would happen. More than 1,000 rows become a job (202).
        """
        data = self.validated(CurrencyWrite, request.data)
        rate = Decimal(data["rate"]) if data["rate"] else None
        done = change_currency(
            owner=store_of(request),
            currency=data["currency"],
            rate=rate,
            dry_run=data["dry_run"],
            by=caller_of(request),
            now=now(),
        )
        return act_answer(done, _row)


def _row(done: ActResult[CurrencyChange, KeptAct]) -> dict[str, Any]:
    plan = done.plan
    return {
        "dry_run": done.is_dry_run,
        "currency_before": plan.before,
        "currency": plan.after,
        "lots": plan.rows["inventory.InventoryItem"],
        "batch_items": plan.rows["batches.BatchItem"],
        "batches": plan.rows["batches.Batch"],
        "sets": plan.rows["sets.UserSet"],
        "on_sale": plan.on_sale,
        "value_before": plan.value_before,
        "value_after": plan.value_after,
        "examples": named_changes(plan.examples),
    }
