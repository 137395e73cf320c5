"""`/api/batches/partOut`: a set taken to pieces, shown first, then a batch."""

import datetime as dt
from typing import Annotated, Any, Final, cast

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.models import User
from apps.accounts.selectors import store_of
from apps.batches.models.batch import NAME_LENGTH
from apps.batches.services.part_outs import (
    AT_ONCE,
    PartedOut,
    PartOutOptions,
    Pricing,
    part_out,
    want_part_out_prices,
)
from apps.catalog.api.repricing import REGION_TEXT, RegionField
from apps.core.api.fields import Text, WholeNumber, YesOrNo
from apps.core.api.schema import ASKS_OUTSIDE
from apps.core.api.serializers import AnswerSerializer, RelatedFields
from apps.core.api.views import OwnedViewSet
from apps.core.clock import now
from apps.core.money import Money, Total
from apps.lots.models import Condition
from apps.marketplace.api.wanting import WantedPricesRow, wanted_row

SUM: Final[dict[str, Any]] = {"max_digits": 24, "decimal_places": 4}
ID: Final[dict[str, Any]] = {"min_value": 1, "max_value": 2**63 - 1}
OPTIONS: Final = tuple(PartOutOptions.__slots__)


class PartOutWrite(RelatedFields):
    """A set of the catalogue (`number`) or of the caller (`user_set_id`), and the options."""

    number = Text(max_length=50, required=False)
    user_set_id = WholeNumber(**ID, required=False)
    batch_id = WholeNumber(**ID, allow_null=True, required=False, help_text="else a new batch")
    name = Text(max_length=NAME_LENGTH, allow_blank=True, default="", help_text="of the new batch")
    quantity = WholeNumber(min_value=1, max_value=AT_ONCE, default=1, help_text="sets")
    condition = serializers.ChoiceField(choices=Condition.choices, default=Condition.USED)
    minifigs_in_parts = YesOrNo(default=False, help_text="where the catalogue lists their parts")
    sets_in_parts = YesOrNo(default=True, help_text="sets inside the set")
    extras = YesOrNo(default=False, help_text="its spare parts too")
    box = YesOrNo(default=False)
    instructions = YesOrNo(default=False)
    only_on_hand = YesOrNo(
        default=False, help_text="of a set of the caller's: what is on hand, nothing missing"
    )
    pricing = serializers.ChoiceField(
        choices=[(each.value, each.value) for each in Pricing], default=Pricing.RULE
    )
    region = RegionField(allow_null=True, required=False)
    dry_run = YesOrNo(default=False)

    exactly_one = ("number", "user_set_id")


class PartOutFigures(AnswerSerializer):
    pieces: int
    lots: int
    parts_of_one: Annotated[int, "without minifigs, extras, counterparts"]
    minifigs_of_one: int
    minifig_parts_of_one: Annotated[int, "as far as they are listed"]
    minifigs_without_parts: Annotated[int, "stay whole: nobody lists them"]
    extra_rows: int
    extra_pieces: int
    alternate_rows: int
    counterpart_rows: int


class PartOutValue(AnswerSerializer):
    """The worth of the pieces by the caller's price rule."""

    condition: Condition
    region: Annotated[str, REGION_TEXT]
    value: Annotated[Total | None, "null: no lot has a price"]
    lots_without_price: int
    figuresAt: Annotated[dt.datetime | None, "when the market told the oldest price"]


class PartOutItem(AnswerSerializer):
    lot_id: int
    item_number: str
    item_name: str
    color_name: str
    color_html: str
    quantity: int
    price: Annotated[Money | None, "null: no price"]


class PartOutRow(AnswerSerializer):
    """The lots of the part-out. A dry run shows the 200 most valuable ones."""

    batch_id: int | None
    batch_name: str | None
    number: str
    name: str
    currency: str
    value: Annotated[Total, "of the items at their prices"]
    lots_without_price: Annotated[int, "items that are not in the value"]
    figures: PartOutFigures
    values: list[PartOutValue]
    items: list[PartOutItem]
    not_there: Annotated[list[str], "of box, instructions: unknown to the catalogue"]


class PartOuts(OwnedViewSet):
    """Parting sets out."""

    @extend_schema(request=PartOutWrite, responses={200: PartOutRow, 201: PartOutRow})
    @action(detail=False, methods=["post"], url_path="partOut")
    def part_out(self, request: Request) -> Response:
        """Put the pieces of a set into a batch, or (dry run) return their worth."""
        data = self.validated(PartOutWrite, request.data)
        done = part_out(
            owner=store_of(request),
            **_asked(data),
            batch_id=data.get("batch_id"),
            name=data["name"],
            dry_run=data["dry_run"],
            now=now(),
        )
        made = status.HTTP_200_OK if done.batch is None else status.HTTP_201_CREATED
        return Response([_row(done)], status=made)

    @extend_schema(
        request=PartOutWrite, responses={202: WantedPricesRow}, extensions={ASKS_OUTSIDE: True}
    )
    @action(detail=False, methods=["post"], url_path="partOut/prices")
    def part_out_prices(self, request: Request) -> Response:
        """Get the prices of the pieces of a set; stored ones cost no call."""
        data = self.validated(PartOutWrite, request.data)
        owner = cast("User", request.user)
        asked = want_part_out_prices(
            owner=owner, **_asked(data), batch_id=data.get("batch_id"), now=now()
        )
        return Response(wanted_row(asked, owner), status=status.HTTP_202_ACCEPTED)


def _asked(data: Any) -> dict[str, Any]:
    """Return the set and the options."""
    options = {name: data[name] for name in OPTIONS if name in data}
    options["pricing"] = Pricing(options["pricing"])
    return {
        "number": data.get("number", ""),
        "user_set_id": data.get("user_set_id"),
        "options": PartOutOptions(**options),
    }


def _row(done: PartedOut) -> dict[str, Any]:
    return {
        "batch_id": None if done.batch is None else done.batch.pk,
        "batch_name": None if done.batch is None else done.batch.name,
        "number": done.item.number,
        "name": done.item.name,
        "currency": done.currency,
        "value": done.worth.value,
        "lots_without_price": done.worth.lots_without_price,
        "figures": done.figures,
        "values": done.values,
        "items": [
            {
                "lot_id": lot.pk,
                "item_number": lot.item.number,
                "item_name": lot.item.name,
                "color_name": lot.color.name,
                "color_html": f"#{lot.color.rgb}" if lot.color.rgb else "",
                "quantity": done.pieces[lot.pk],
                "price": done.prices[lot.pk],
            }
            for lot in done.lots.values()
        ],
        "not_there": done.not_there,
    }
