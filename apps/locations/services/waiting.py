"""What waits at the bins: those that take no more, and those without a label."""

from collections.abc import Iterator
from typing import Final

from django.db.models import Count, QuerySet, Window

from apps.core.waiting import Asked, Waiting, counted, waits
from apps.locations.models import TAKES_NO_MORE, Location

NAMED: Final = 3


@waits("locations.full")
def full_bins(asked: Asked) -> Iterator[Waiting]:
    """Yield the bins that take no more."""
    count, names = _counted_names(Location.objects.owned_by(asked.owner).filter(TAKES_NO_MORE))
    if count:
        yield Waiting(
            id="full-bins",
            title=f"Make room in {counted(count, 'full bin')}",
            note=f"{names} {'takes' if count == 1 else 'take'} no more pieces",
            count=count,
            to="/app/inventory-locations?fill=full",
        )


@waits("locations.no_label")
def bins_without_label(asked: Asked) -> Iterator[Waiting]:
    """Yield the bins of which no label was printed."""
    bare = Location.objects.owned_by(asked.owner).filter(label_printed_at__isnull=True)
    count, names = _counted_names(bare)
    if count:
        yield Waiting(
            id="no-label",
            title=f"Print {counted(count, 'label')}",
            note=f"For {names}",
            count=count,
            to=f"/app/inventory-locations?label_printed=false&labels={count}",
        )


def _counted_names(bins: QuerySet[Location]) -> tuple[int, str]:
    """Return how many there are, and such as `A-1, A-2, A-3 and 4 more`."""
    some = list(
        bins.order_by("sort_key", "pk")
        .annotate(total=Window(Count("pk")))
        .values_list("name", "total")[:NAMED]
    )
    if not some:
        return 0, ""
    names, total = [name for name, _ in some], some[0][1]
    if total > NAMED:
        return total, f"{', '.join(names)} and {total - NAMED:,} more"
    return total, " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
