"""`/api/inventoryItems/reprice`: other prices for many rows."""

import datetime as dt
from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any, Final

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.selectors import caller_of, store_of
from apps.catalog.api.repricing import RepricingWrite
from apps.catalog.rules.pricing import Repricing
from apps.core.api.bulk import chosen_ids
from apps.core.api.fields import YesOrNo
from apps.core.api.serializers import AnswerSerializer
from apps.core.api.views import OwnedViewSet
from apps.core.clock import now
from apps.core.jobs.api import JobRow
from apps.core.money import Money, Total
from apps.inventory.api.filters import ItemFilter
from apps.inventory.api.forms import ManyStock, act_answer
from apps.inventory.api.serializers import InventoryItemRow
from apps.inventory.models import InventoryItem
from apps.inventory.services.reprice import StockRepricings, reprice_items
from apps.lots.models import KeptAct, LotCondition
from apps.lots.services.acts import ActResult
from apps.lots.services.repricing import PriceChange

# The name of a row for a person.
_TOLD: Final = ("item_number", "part_name", "color_name", "condition", "location_name")


class RepriceStockWrite(RepricingWrite, ManyStock):
    """The rows and the rule. Missing fields of the rule are taken from the user's settings."""

    dry_run = YesOrNo(default=False, help_text="show it, change nothing")


class PriceChangeRow(AnswerSerializer):
    """The result of a row."""

    id: int
    item_number: str
    part_name: str
    color_name: str
    condition: LotCondition
    location_name: str | None
    before: Money | None
    after: Money | None
    percent: Annotated[str | None, "so much more; null: there was no price"]
    limited_by: Annotated[str, "least, most or step, where that decided the price, or empty"]
    is_left: Annotated[bool, "keeps its price, as asked"]
    quantity: int
    found_by: Annotated[str, "which figure of the market, or empty"]
    is_marked: Annotated[bool, "the market has no figure"]
    figureAt: Annotated[dt.datetime | None, "when the market told the figure"]


class RepricedRow(AnswerSerializer):
    """What re-pricing does (dry run) or did. `act_id` takes it back. At most 200 rows are shown."""

    dry_run: bool
    act_id: int | None
    row_count: int
    changed: int
    without_data: int
    without_figures: Annotated[int, "rule: rows of which the market has told nothing yet"]
    locked: Annotated[int, "rows whose price is locked: they keep it"]
    shown_count: Annotated[int, "rows that could be shown, from `start` on"]
    old_figures: Annotated[int, "rule: rows whose figures are older than six hours"]
    figuresSince: Annotated[dt.datetime | None, "the oldest of them"]
    being_fetched: Annotated[int, "dry run: lots whose newer ones come, for a call or two each"]
    value_before: Total
    lots_without_price_before: Annotated[int, "left out of value_before"]
    value_after: Total
    lots_without_price_after: Annotated[int, "left out of value_after"]
    rows: list[PriceChangeRow]
    largest: Annotated[list[PriceChangeRow], "the ten that change most in worth"]


class RepriceItems(OwnedViewSet):
    """The call that re-prices."""

    @extend_schema(request=RepriceStockWrite, responses={200: RepricedRow, 202: JobRow})
    @action(detail=False, methods=["post"])
    def reprice(self, request: Request) -> Response:
        """Set one price, change prices by a percentage, or use the price rule.

        `dry_run` shows what would happen. More than 1,000 rows become a job (202).
        """
        data = self.validated(RepriceStockWrite, request.data)
        ids = chosen_ids(request, filters=ItemFilter, rows=self.get_queryset())
        done = reprice_items(
            owner=store_of(request),
            item_ids=ids,
            how=data["how"],
            dry_run=data["dry_run"],
            by=caller_of(request),
            now=now(),
        )
        return act_answer(done, partial(_row, data["how"]))


def _row(how: Repricing, done: ActResult[StockRepricings, KeptAct]) -> dict[str, Any]:
    """Return the wire form, the rows with their names."""
    plan = done.plan
    return {
        "dry_run": done.is_dry_run,
        "row_count": plan.row_count,
        **plan.as_dict(),
        "rows": named_changes(plan.page(how)),
        "largest": named_changes(plan.largest),
    }


def named_changes(changes: Sequence[PriceChange]) -> list[dict[str, Any]]:
    """Return the wire form of changes, with the names of their rows."""
    some = InventoryItem.objects.filter(pk__in=[row.item_id for row in changes])
    named = {
        row["id"]: row for row in InventoryItemRow(InventoryItemRow.select(some), many=True).data
    }
    return [
        {
            "id": row.item_id,
            **{name: named[row.item_id][name] for name in _TOLD},
            **row.as_dict(),
        }
        for row in changes
        if row.item_id in named
    ]
