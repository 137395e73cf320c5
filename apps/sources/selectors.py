"""The costs and returns of sources, summed over their batches.

Batches are an app above, which this one must not import: they are reached by `batches`, the
reverse of their foreign key, and by their `items`.
"""

from decimal import Decimal
from typing import Any, Final

from django.db.models import (
    BigIntegerField,
    Count,
    Exists,
    Field,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
)
from django.db.models.functions import Coalesce

from apps.core.worth import WORTH, lots_without_price, total_worth
from apps.sources.models import Source

_COSTED: Final = Q(cost_total__isnull=False)
_WEIGHED: Final = _COSTED & Q(gross_weight_grams__gt=0)
_COUNTED: Final = Q(foreign_count__isnull=False)
_MONEY: Final = WORTH
_NUMBER: Final = BigIntegerField()


def with_figures(sources: QuerySet[Source]) -> QuerySet[Source]:
    """Annotate what came from each source; batches still being imported do not count.

    `batch_count`, `lot_count`, `piece_count`; `spent` and `value` in money, `lots_without_price`
    that the value leaves out; `costed_value` is
    the value of those batches whose cost is known, `weighed_cost` and `weighed_grams` the sums
    of those with cost and weight; `foreign_count` and `counted_pieces` the foreign and the kept
    pieces of those whose foreign ones were counted. A subquery each per row shown: a source's batches by their
    index, and each batch's items from the index batchitem_figures. (Joined to their batches
    instead, PostgreSQL read everybody's items for each source.)
    """
    decimals: dict[str, Any] = {
        "spent": _sum("cost_total"),
        # What the list is sorted by: databases differ on where nothing at all belongs.
        "spent_or_0": Coalesce(_sum("cost_total"), Decimal(0)),
        "value": Coalesce(_sum(_of_items(total_worth(), _MONEY)), Decimal(0)),
        "costed_value": _sum(_of_items(total_worth(), _MONEY), _COSTED),
        "weighed_cost": _sum("cost_total", _WEIGHED),
        "weighed_grams": _sum("gross_weight_grams", _WEIGHED),
    }
    numbers: dict[str, Any] = {
        "batch_count": Count("pk"),
        "lot_count": Sum(_of_items(Count("pk"), _NUMBER)),
        "piece_count": Sum(_of_items(Sum("quantity"), _NUMBER)),
        "lots_without_price": Sum(_of_items(lots_without_price(), _NUMBER)),
    }
    counts: dict[str, Any] = {
        "foreign_count": _of_batches(Sum("foreign_count"), _NUMBER, _COUNTED),
        "counted_pieces": _of_batches(Sum(_of_items(Sum("quantity"), _NUMBER)), _NUMBER, _COUNTED),
    }
    return sources.annotate(
        **decimals,
        **counts,
        **{name: Coalesce(_of_batches(number, _NUMBER), 0) for name, number in numbers.items()},
    )


def used(sources: QuerySet[Source], *, is_used: bool) -> QuerySet[Source]:
    """Return those that batches come from, or those that none does."""
    # One probe of an index a source: a join of all batches took seconds for 100,000 sources. The
    # owner too, or PostgreSQL may read everybody's batches.
    theirs = _batches().objects.filter(source=OuterRef("pk"), owner=OuterRef("owner"))
    return sources.filter(Exists(theirs) if is_used else ~Exists(theirs))


def _batches() -> Any:
    return Source._meta.get_field("batches").related_model


def _sum(of: str | Subquery, only: Q | None = None) -> Subquery:
    return _of_batches(Sum(of, output_field=_MONEY), _MONEY, only)


def _of_batches(figure: object, kind: Field[Any, Any], only: Q | None = None) -> Subquery:
    """Return a figure over the batches of the source of the outer row."""
    theirs = _batches().objects.filter(only or Q(), source=OuterRef("pk"), is_ready=True)
    figures = theirs.order_by().values("source").annotate(figure=figure).values("figure")
    return Subquery(figures, output_field=kind)


def _of_items(figure: object, kind: Field[Any, Any]) -> Subquery:
    """Return a figure over the items of the batch of the outer row."""
    items = _batches()._meta.get_field("items_with_deleted").related_model
    theirs = items.objects.filter(batch=OuterRef("pk"))
    figures = theirs.order_by().values("batch").annotate(figure=figure).values("figure")
    return Subquery(figures, output_field=kind)
