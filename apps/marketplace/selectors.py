"""What the interface is told of a connection, and which lots are worth a call first."""

import datetime as dt
from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.db.models import DecimalField, ExpressionWrapper, F, Sum

from apps.core.money import MONEY
from apps.inventory.models import InventoryItem
from apps.marketplace.models import CallDay, LotRefresh, MarketplaceConnection
from apps.marketplace.rules import KIND_NAMES, allowances, next_day

NAMES = {True: "Demo store", False: "BrickLink"}


def connection_row(*, owner: Any, now: dt.datetime) -> dict[str, Any]:
    """Return the connection as the API tells it, without its secrets, and today's calls. 2 queries."""
    found = MarketplaceConnection.objects.owned_by(owner).defer("sealed").first()
    is_demo = settings.MARKETPLACE_IS_DEMO
    return {
        "marketplace": "bricklink",
        "marketplace_name": NAMES[is_demo],
        "is_demo": is_demo,
        "state": found.state if found else "none",
        "problem": found.problem if found else "",
        "outgoing_address": found.outgoing_address if found else "",
        "connectedAt": found.connected_at if found else None,
        "testedAt": found.tested_at if found else None,
        "calls": calls_row(owner=owner, now=now),
    }


def calls_row(*, owner: Any, now: dt.datetime) -> dict[str, Any]:
    """Return today's calls by kind, and what is left. 1 query."""
    today = CallDay.objects.owned_by(owner).filter(day=now.astimezone(dt.UTC).date())
    counted = today.values(*KIND_NAMES).first() or dict.fromkeys(KIND_NAMES, 0)
    daily = settings.MARKETPLACE_DAILY_CALLS
    return {
        "used": sum(counted.values()),
        "limit": daily,
        "resetsAt": next_day(now),
        "kinds": [asdict(each) for each in allowances(counted, daily=daily)],
    }


def most_valuable_lots(
    *, owner: Any, currency: str, before: dt.datetime, unknown_before: dt.datetime, most: int
) -> list[int]:
    """Return ids of lots in stock whose figures are older than `before`, most value first. 2 queries."""
    settled = set(
        LotRefresh.objects.filter(currency=currency, refreshed_at__gte=before).values_list(
            "lot_id", flat=True
        )
    ) | set(
        LotRefresh.objects.filter(currency=currency, unknown_at__gte=unknown_before).values_list(
            "lot_id", flat=True
        )
    )
    value = ExpressionWrapper(
        F("quantity") * F("price"), output_field=DecimalField(**{**MONEY, "max_digits": 24})
    )
    by_value = (
        InventoryItem.objects.owned_by(owner)
        .filter(quantity__gt=0, lot__isnull=False)
        .values("lot_id")
        .annotate(value=Sum(value))
        .order_by("-value", "lot_id")
        .values_list("lot_id", flat=True)
    )
    found: list[int] = []
    for lot_id in by_value.iterator(2_000):
        if lot_id not in settled:
            found.append(lot_id)
            if len(found) == most:
                break
    return found
