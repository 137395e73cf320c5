"""Stores what happened to orders, and emits it for webhooks."""

from collections.abc import Iterable
from typing import Any

from apps.orders.models import OrderEvent
from apps.webhooks.rules import ORDER_CHANGED, ORDER_RECEIVED
from apps.webhooks.services.events import emit


def keep_events(events: Iterable[OrderEvent]) -> None:
    """Store events, and emit `order.received` or `order.changed` for each order."""
    kept = OrderEvent.objects.bulk_create(events)
    of_order: dict[int, list[OrderEvent]] = {}
    for one in kept:
        of_order.setdefault(one.order_id, []).append(one)
    told: dict[tuple[int, str], dict[str, Any]] = {}
    for pk, some in of_order.items():
        is_new = any(one.kind == "arrived" for one in some)
        data = {"order_id": pk, "changes": [{"kind": one.kind, "text": one.text} for one in some]}
        event = ORDER_RECEIVED if is_new else ORDER_CHANGED
        told.setdefault((some[0].owner_id, event), {})[f"order {pk}"] = data
    for (owner_id, event), about in told.items():
        emit(owner_id=owner_id, event=event, told=about)
