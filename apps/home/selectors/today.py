"""The work of the day."""

import datetime as dt
from typing import Annotated, Any, Final, NamedTuple, TypedDict
from zoneinfo import ZoneInfo

from django.db.models import Count, Exists, QuerySet, Subquery, Sum

from apps.accounts.models import Preferences, User
from apps.batches.models import BatchItem
from apps.core.prepared import INSTANT, WHOLE, Prepared, Slot
from apps.locations.models import Location
from apps.orders.models import Order
from apps.recognition.models import StationSitting


class Today(TypedDict):
    """What was done since midnight in the person's time zone."""

    sorted: Annotated[int, "pieces, at the station"]
    put_away: Annotated[int, "pieces"]
    shipped: Annotated[int, "orders"]


class Day(NamedTuple):
    """What is read at once about the person and the day."""

    done: Today
    has_locations: bool
    currency: str


def _read(owner: Slot, midnight: Slot) -> QuerySet[Any, Any]:
    figures: dict[tuple[Any, str], Any] = {
        (StationSitting, "started_at"): Sum("pieces"),
        (BatchItem, "stowed_at"): Sum("quantity"),
        (Order, "shipped_at"): Count("pk"),
    }
    sums = [
        Subquery(
            model.objects.filter(owner=owner, **{f"{at}__gte": midnight})
            .order_by()
            .values("owner")
            .annotate(sum=figure)
            .values("sum")
        )
        for (model, at), figure in figures.items()
    ]
    kept = Preferences.objects.filter(user=owner).values("currency")[:1]
    return User.objects.filter(pk=owner).values_list(
        *sums, Exists(Location.objects.owned_by(owner)), Subquery(kept)
    )


_READ: Final = Prepared(_read, owner=WHOLE, midnight=INSTANT)


def today(*, owner: User, now: dt.datetime, zone: ZoneInfo) -> Day:
    """Return the work of the day, whether the owner has locations, and the owner's currency."""
    midnight = now.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0)
    [(pieces, put_away, orders, has_locations, kept)] = _READ.rows(
        owner=owner.pk, midnight=midnight
    )
    done: Today = {"sorted": pieces or 0, "put_away": put_away or 0, "shipped": orders or 0}
    return Day(done, has_locations, kept or Preferences().currency)
