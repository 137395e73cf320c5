"""The batch items planned for locations, which count as room taken."""

from collections.abc import Collection, Iterator, Sequence
from decimal import Decimal
from typing import Any, Final

from django.apps import apps
from django.db.models import F, QuerySet, Sum
from django.db.models.functions import Coalesce

from apps.accounts.models import User
from apps.core.prepared import IDS, WHOLE, Prepared, Slot
from apps.locations.services.rooms import Load


def planned_loads(*, owner: User, besides: Collection[int] = ()) -> dict[int, Load]:
    """Return location id -> what new items of open batches are planned for it.

    `besides` are items whose plans do not count.
    """
    return {pk: load for [pk], load in planned_places(owner=owner, columns=["id"], besides=besides)}


def planned_places(
    *, owner: User, columns: Sequence[str], besides: Collection[int] = ()
) -> Iterator[tuple[list[Any], Load]]:
    """Yield the `columns` of each such location, and what is planned for it."""
    rows = _PLANNED.rows(*columns, owner=owner.pk, besides=besides)
    for *row, pieces, grams in rows:
        yield row, Load(pieces, round(grams, 4))


def _planned(*columns: str, owner: Slot, besides: Slot) -> QuerySet[Any, Any]:
    weight = Coalesce("unit_weight_grams", "lot__item__weight_grams", Decimal(0))
    # By its name: batches are above this app.
    return (
        apps.get_model("batches.BatchItem")
        ._default_manager.filter(
            is_stowed=False,
            batch__owner=owner,
            batch__is_archived=False,
            location__isnull=False,
        )
        .exclude(pk__among=besides)
        .order_by()
        .values_list(*(f"location__{name}" for name in columns))
        .annotate(pieces=Sum("quantity"), grams=Sum(weight * F("quantity")))
    )


_PLANNED: Final = Prepared(_planned, owner=WHOLE, besides=IDS)
