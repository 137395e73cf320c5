"""The progress of a stocktake: rows of the location with their counts."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, FilteredRelation, Q, QuerySet, Sum
from django.db.models.functions import Abs, Coalesce

from apps.inventory.models import InventoryItem, Stocktake, StocktakeCount


def counted_rows(*, stocktake: Stocktake) -> QuerySet[InventoryItem]:
    """Return the rows to count: those with pieces, and those that were counted all the same.

    Annotated with `counted` and `seen` (null: not counted yet).
    """
    mine = FilteredRelation("stocktake_counts", condition=Q(stocktake_counts__stocktake=stocktake))
    rows: QuerySet[InventoryItem] = (
        InventoryItem.objects.owned_by(stocktake.owner)
        .at(stocktake.location_id)
        .annotate(mine=mine)
        .filter(Q(quantity__gt=0) | Q(mine__isnull=False))
        .annotate(counted=F("mine__counted"), seen=F("mine__seen"))
    )
    return rows


def found_lots(*, stocktake: Stocktake) -> QuerySet[StocktakeCount]:
    """Return the counts of lots that were found without a row."""
    return StocktakeCount.objects.filter(stocktake=stocktake, item=None).order_by("pk")


@dataclass(frozen=True, slots=True)
class Tally:
    """The progress of a stocktake: rows to count, rows counted, and pieces that differ."""

    rows: int
    counted: int
    fewer_rows: int
    more_rows: int
    fewer_pieces: int
    more_pieces: int
    uncounted_pieces: int
    found_lots: int
    found_pieces: int


def tally_of(*, stocktake: Stocktake) -> Tally:
    """Return the sums that are shown before a stocktake is applied."""
    difference = F("counted") - F("seen")
    fewer, more = Q(counted__lt=F("seen")), Q(counted__gt=F("seen"))
    sums: dict[str, Any] = counted_rows(stocktake=stocktake).aggregate(
        rows=Count("pk"),
        counted_rows=Count("mine__pk"),
        fewer_rows=Count("pk", filter=fewer),
        more_rows=Count("pk", filter=more),
        fewer_pieces=Coalesce(Sum(Abs(difference), filter=fewer), 0),
        more_pieces=Coalesce(Sum(difference, filter=more), 0),
        uncounted_pieces=Coalesce(Sum("quantity", filter=Q(mine__isnull=True)), 0),
    )
    found = found_lots(stocktake=stocktake).aggregate(
        lots=Count("pk"), pieces=Coalesce(Sum("counted"), 0)
    )
    return Tally(
        rows=sums["rows"],
        counted=sums["counted_rows"],
        fewer_rows=sums["fewer_rows"],
        more_rows=sums["more_rows"],
        fewer_pieces=sums["fewer_pieces"],
        more_pieces=sums["more_pieces"],
        uncounted_pieces=sums["uncounted_pieces"],
        found_lots=found["lots"],
        found_pieces=found["pieces"],
    )
