"""The work of the day."""

import datetime as dt
from typing import Annotated, Any, TypedDict
from zoneinfo import ZoneInfo

from django.db.models import Count, Exists, Subquery, Sum

from apps.accounts.models import User
from apps.batches.models import BatchItem
from apps.locations.models import Location
from apps.orders.models import Order
from apps.recognition.models import StationSitting


class Today(TypedDict):
    """What was done since midnight in the person's time zone."""

    sorted: Annotated[int, "pieces, at the station"]
    put_away: Annotated[int, "pieces"]
    shipped: Annotated[int, "orders"]


def today(*, owner: User, now: dt.datetime, zone: ZoneInfo) -> tuple[Today, bool]:
    """Return the work of the day, and whether the owner has locations: asked for at once."""
    midnight = now.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0)
    done: dict[str, tuple[Any, str, Any]] = {
        "sorted": (StationSitting, "started_at", Sum("pieces")),
        "put_away": (BatchItem, "stowed_at", Sum("quantity")),
        "shipped": (Order, "shipped_at", Count("pk")),
    }
    sums: dict[str, Any] = {
        f"{name}_today": Subquery(
            model.objects.filter(owner=owner, **{f"{at}__gte": midnight})
            .order_by()
            .values("owner")
            .annotate(sum=figure)
            .values("sum")
        )
        for name, (model, at, figure) in done.items()
    }
    people: Any = User.objects.filter(pk=owner.pk)
    row = people.values("pk", **sums, has_locations=Exists(Location.objects.owned_by(owner))).get()
    done_today: Today = {
        "sorted": row["sorted_today"] or 0,
        "put_away": row["put_away_today"] or 0,
        "shipped": row["shipped_today"] or 0,
    }
    return done_today, row["has_locations"]
