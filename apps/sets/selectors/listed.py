"""The list of sets with their required pieces, pieces on hand, and values."""

from typing import Any

from django.db.models import (
    BigIntegerField,
    Count,
    DateTimeField,
    ExpressionWrapper,
    F,
    IntegerField,
    Min,
    OuterRef,
    QuerySet,
    Subquery,
    Sum,
)
from django.db.models.functions import Coalesce, NullIf

from apps.catalog.models import PriceStat
from apps.catalog.rules.kinds import NO_COLOR, ItemType
from apps.catalog.rules.pricing import PriceRule
from apps.catalog.selectors.pricing import rule_price_column, rule_time_column
from apps.sets.models import SetRequirement

SUM = BigIntegerField[Any, Any]()


def with_sums(sets: QuerySet[Any], *, currency: str, rule: PriceRule) -> QuerySet[Any]:
    """Return the sets with their pieces and minifigs, and both of their values.

    `value` is the value of the sets as sets, `parts_value` that of their required parts: by the
    price rule for the condition, in ten-thousandths (`amount_of`), null if no price is known.
    `parts_value` leaves out the `lots_without_price`. `value_at` and `parts_value_at` are the times
    of their oldest figures. For filters and ordering there are `share`
    (of 10,000 parts, null without contents), `far`, `worth` and `worth_in_parts` (0 instead of
    null).
    """
    return sets.annotate(
        pieces_required=_sum("quantity_required"),
        pieces_on_hand=_sum("quantity_on_hand"),
        pieces_missing=_sum(F("quantity_required") - F("quantity_on_hand")),
        minifigs_required=_sum("quantity_required", lot__item__item_type=ItemType.MINIFIG),
        minifigs_on_hand=_sum("quantity_on_hand", lot__item__item_type=ItemType.MINIFIG),
        value=ExpressionWrapper(
            _of_set(rule_price_column(rule), currency, rule) * F("quantity"), output_field=SUM
        ),
        parts_value=_of_parts(Sum(F("quantity_required") * _each(rule)), currency, rule),
        value_at=_of_set(rule_time_column(rule), currency, rule),
        parts_value_at=_of_parts(
            Min(rule_time_column(rule, "lot__prices__")), currency, rule, DateTimeField()
        ),
        lots_without_price=_count() - Coalesce(_of_parts(Count(_each(rule)), currency, rule), 0),
    ).alias(
        share=ExpressionWrapper(
            F("pieces_on_hand") * 10_000 / NullIf(F("pieces_required"), 0),
            output_field=IntegerField(),
        ),
        far=Coalesce(F("share"), 0),
        worth=Coalesce(F("value"), 0, output_field=SUM),
        worth_in_parts=Coalesce(F("parts_value"), 0, output_field=SUM),
    )


def _sum(of: object, **only: Any) -> Any:
    rows = SetRequirement.objects.filter(user_set=OuterRef("pk"), **only).order_by()
    total = rows.values("user_set").annotate(n=Sum(of)).values("n")
    return Coalesce(Subquery(total, output_field=IntegerField()), 0)


def _count() -> Any:
    rows = SetRequirement.objects.filter(user_set=OuterRef("pk")).order_by()
    total = rows.values("user_set").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(total, output_field=IntegerField()), 0)


def _each(rule: PriceRule) -> Any:
    return rule_price_column(rule, "lot__prices__")


def _of_set(figure: object, currency: str, rule: PriceRule) -> Any:
    rows = PriceStat.objects.filter(
        owner=OuterRef("owner"),
        lot__item=OuterRef("item"),
        lot__color=NO_COLOR,
        condition=OuterRef("condition"),
        region=rule.region,
        currency=currency,
    )
    return Subquery(rows.values(asked=figure)[:1])


def _of_parts(figure: object, currency: str, rule: PriceRule, field: object = SUM) -> Any:
    rows = SetRequirement.objects.filter(
        user_set=OuterRef("pk"),
        lot__prices__owner=OuterRef("owner"),
        lot__prices__condition=OuterRef("condition"),
        lot__prices__region=rule.region,
        lot__prices__currency=currency,
    ).order_by()
    total = rows.values("user_set").annotate(n=figure).values("n")
    return Subquery(total, output_field=field)
