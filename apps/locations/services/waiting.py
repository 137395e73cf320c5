"""What waits at the bins: those that take no more, and those without a label."""

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Any, Final

from django.db.models import Count, F, QuerySet

from apps.core.waiting import (
    Asked,
    Fact,
    Question,
    Waiting,
    counted,
    facts_of,
    finds,
    sums_of,
    waits,
)
from apps.locations.models import PLACE, TAKES_NO_MORE, Location

NAMED: Final = 3


@finds("locations.bins")
def _bins(asked: Question) -> Iterator[QuerySet[Any, Any]]:
    mine = Location.objects.owned_by(asked.owner)
    bare = mine.filter(label_printed_at__isnull=True)
    for line, bins in (("full_bins", mine.filter(TAKES_NO_MORE)), ("unlabelled_bins", bare)):
        yield sums_of(line, bins, count=Count("pk"))
        first = bins.order_by("sort_key", "pk")[:NAMED]
        yield facts_of(f"{line}_first", first, id=F("pk"), name=F("name"), lots=PLACE)


@waits("locations.bins")
def bins_to_see_to(asked: Asked) -> Iterator[Waiting]:
    """Yield the bins that take no more, and those of which no label was printed."""
    for full in asked.facts("full_bins"):
        verb = "takes" if full.count == 1 else "take"
        yield Waiting(
            id="full-bins",
            title=f"Make room in {counted(full.count, 'full bin')}",
            note=f"{_names(asked.facts('full_bins_first'), full.count)} {verb} no more pieces",
            count=full.count,
            to="/app/inventory-locations?fill=full",
        )
    for bare in asked.facts("unlabelled_bins"):
        yield Waiting(
            id="no-label",
            title=f"Print {counted(bare.count, 'label')}",
            note=f"For {_names(asked.facts('unlabelled_bins_first'), bare.count)}",
            count=bare.count,
            to=f"/app/inventory-locations?label_printed=false&labels={bare.count}",
        )


def _names(first: Sequence[Fact], total: int) -> str:
    """Return such as `A-1, A-2, A-3 and 4 more`."""
    names = [one.name for one in sorted(first, key=attrgetter("lots"))]
    if total > NAMED:
        return f"{', '.join(names)} and {total - NAMED:,} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
