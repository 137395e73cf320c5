"""The list of sets: of each how many pieces it requires and has, and what it is worth."""

from typing import Any

from django.db.models import (
    DecimalField,
    ExpressionWrapper,
    F,
    IntegerField,
    OuterRef,
    QuerySet,
    Subquery,
    Sum,
)
from django.db.models.functions import Coalesce, NullIf

from apps.catalog.models import PriceStat
from apps.catalog.models.price import Region
from apps.catalog.rules.kinds import NO_COLOR, ItemType
from apps.sets.models import SetRequirement

SUM = DecimalField[Any, Any](max_digits=24, decimal_places=4)


def with_sums(sets: QuerySet[Any], *, currency: str) -> QuerySet[Any]:
    """Return the sets with their pieces and minifigs, and both of their values.

    `value` is what so many of the set cost, `parts_value` what its required parts do: at the
    worldwide reference prices of its condition in `currency`, null where none is known. To
    filter and sort by there are `share` (of 10,000 parts, null without contents), `far`, `worth`
    and `worth_in_parts` (0 where they are null). No query of its own.
    """
    return sets.annotate(
        pieces_required=_sum("quantity_required"),
        pieces_on_hand=_sum("quantity_on_hand"),
        pieces_missing=_sum(F("quantity_required") - F("quantity_on_hand")),
        minifigs_required=_sum("quantity_required", lot__item__item_type=ItemType.MINIFIG),
        minifigs_on_hand=_sum("quantity_on_hand", lot__item__item_type=ItemType.MINIFIG),
        value=ExpressionWrapper(_price_of_set(currency) * F("quantity"), output_field=SUM),
        parts_value=_price_of_parts(currency),
    ).alias(
        share=ExpressionWrapper(
            F("pieces_on_hand") * 10_000 / NullIf(F("pieces_required"), 0),
            output_field=IntegerField(),
        ),
        far=Coalesce(F("share"), 0),
        worth=Coalesce(F("value"), 0, output_field=SUM),
        worth_in_parts=Coalesce(F("parts_value"), 0, output_field=SUM),
    )


def _sum(of: Any, **only: Any) -> Any:
    rows = SetRequirement.objects.filter(user_set=OuterRef("pk"), **only).order_by()
    total = rows.values("user_set").annotate(n=Sum(of)).values("n")
    return Coalesce(Subquery(total, output_field=IntegerField()), 0)


def _reference(to: str = "") -> Any:
    # A figure of 0 is no price that anybody paid.
    sold, asked = f"{to}avg_sold_price", f"{to}avg_inventory_price"
    return Coalesce(NullIf(sold, 0, output_field=SUM), NullIf(asked, 0, output_field=SUM))


def _price_of_set(currency: str) -> Any:
    rows = PriceStat.objects.filter(
        lot__item=OuterRef("item"),
        lot__color=NO_COLOR,
        condition=OuterRef("condition"),
        region=Region.GLOBAL,
        currency=currency,
    )
    return Subquery(rows.annotate(each=_reference()).values("each")[:1], output_field=SUM)


def _price_of_parts(currency: str) -> Any:
    rows = SetRequirement.objects.filter(
        user_set=OuterRef("pk"),
        lot__prices__condition=OuterRef("condition"),
        lot__prices__region=Region.GLOBAL,
        lot__prices__currency=currency,
    ).order_by()
    each = ExpressionWrapper(F("quantity_required") * _reference("lot__prices__"), output_field=SUM)
    total = rows.values("user_set").annotate(n=Sum(each)).values("n")
    return Subquery(total, output_field=SUM)
