"""What sources cost and returned, over the batches that came from them.

Batches are the app above: they are reached by `batches`, the reverse of their foreign key, and by
their `items`; nothing of theirs is imported.
"""

from decimal import Decimal
from typing import Any, Final

from django.db.models import (
    BigIntegerField,
    Count,
    DecimalField,
    Exists,
    Expression,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
)
from django.db.models.functions import Coalesce

from apps.sources.models import Source

_WORTH: Final = F("batches__items__quantity") * F("batches__items__price")
_COSTED: Final = Q(batches__cost_total__isnull=False)
_WEIGHED: Final = _COSTED & Q(batches__gross_weight_grams__gt=0)


def with_figures(sources: QuerySet[Source]) -> QuerySet[Source]:
    """Annotate what came from each source; batches still being imported do not count.

    `batch_count`, `lot_count`, `piece_count`; `spent` and `value` in money; `costed_value` is
    the value of those batches whose cost is known, `weighed_cost` and `weighed_grams` the sums
    of those with cost and weight. A subquery each per row shown: a source's batches by their
    index, their items from the index batchitem_figures.
    """
    decimals: dict[str, Any] = {
        "spent": _sum("batches__cost_total"),
        # What the list is sorted by: databases differ on where nothing at all belongs.
        "spent_or_0": Coalesce(_sum("batches__cost_total"), Decimal(0)),
        "value": Coalesce(_sum(_WORTH), Decimal(0)),
        "costed_value": _sum(_WORTH, _COSTED),
        "weighed_cost": _sum("batches__cost_total", _WEIGHED),
        "weighed_grams": _sum("batches__gross_weight_grams", _WEIGHED),
    }
    numbers: dict[str, Any] = {
        "batch_count": _of_each(Count("batches"), Q()),
        "lot_count": _of_each(Count("batches__items"), Q()),
        "piece_count": _of_each(Sum("batches__items__quantity"), Q()),
    }
    return sources.annotate(
        **decimals,
        **{name: Coalesce(_whole(counted), 0) for name, counted in numbers.items()},
    )


def used(sources: QuerySet[Source], *, is_used: bool) -> QuerySet[Source]:
    """Return those that batches come from, or those that none does."""
    # One probe of an index a source: a join of all batches took seconds for 100,000 sources. The
    # owner too, or PostgreSQL may read everybody's batches.
    batches: Any = Source._meta.get_field("batches").related_model
    theirs = batches.objects.filter(source=OuterRef("pk"), owner=OuterRef("owner"))
    return sources.filter(Exists(theirs) if is_used else ~Exists(theirs))


def _sum(of: str | Expression | Any, only: Q | None = None) -> Subquery:
    found = _of_each(Sum(of, output_field=_MONEY), only or Q())
    return Subquery(found, output_field=_MONEY)


_MONEY: Final = DecimalField(max_digits=24, decimal_places=4)


def _whole(found: QuerySet[Any]) -> Subquery:
    return Subquery(found, output_field=BigIntegerField())


def _of_each(figure: Any, only: Q) -> QuerySet[Any]:
    """Return a figure over the batches of the source of the outer row."""
    return (
        Source.objects.filter(Q(batches__is_ready=True) & only, pk=OuterRef("pk"))
        .order_by()
        .values("pk")
        .annotate(figure=figure)
        .values("figure")
    )
