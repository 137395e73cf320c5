"""What waits for the person: refused rows, waiting parts, old prices, auctions, sets."""

import datetime as dt
import hashlib
from typing import Any, Final

from django.core.cache import cache
from django.db.models import Count, Exists, F, Max, Min, OuterRef, Q, Subquery, Sum
from django.db.models.functions import Coalesce

from apps.auctions.models import AuctionListing
from apps.auctions.rules.status import Outcome as AuctionOutcome
from apps.auctions.rules.status import Watch
from apps.batches.models import BatchItem, BatchOperation
from apps.core.jobs.models import Job, JobState
from apps.core.money import money
from apps.inventory.models import Decision, FieldConflict, InventoryItem, ReceivedLot
from apps.inventory.services.changes import changed_lots
from apps.listings.models import StoreSync, SyncWay
from apps.listings.services.store_cycle import KIND as SYNC_KIND
from apps.marketplace.models import LotRefresh
from apps.orders.selectors.orders import open_counts
from apps.sets.models import OPEN_STATES, SetRequirement

Row = dict[str, Any]
MOST_SHOWN: Final = 5
FAILED_FOR: Final = dt.timedelta(days=14)
PLANNED_FOR: Final = dt.timedelta(days=3)
PRICES_LAST: Final = dt.timedelta(days=90)
KEPT_SECONDS: Final = 86_400
DEAREST_LOTS: Final = 500
AUCTIONS_END_WITHIN: Final = dt.timedelta(days=1)


def open_orders(*, owner: Any, now: dt.datetime) -> Row | None:
    """Return how many orders wait to be picked, packed and shipped."""
    counts = open_counts(owner=owner, now=now)
    names = ("to_pick", "to_pack", "to_ship", "overdue", "pieces_to_pick")
    found = {name: counts[name] for name in names}
    return found if any(found.values()) else None


def refused_operations(*, owner: Any, now: dt.datetime) -> list[Row]:
    """Return the latest operations of which rows were refused and none has gone well since."""
    made_good = BatchOperation.objects.filter(
        batch=OuterRef("batch"),
        kind=OuterRef("kind"),
        created_at__gt=OuterRef("created_at"),
    )
    rows = (
        BatchOperation.objects.owned_by(owner)
        .filter(created_at__gte=now - FAILED_FOR, failed_count__gt=0, batch__is_archived=False)
        .filter(~Exists(made_good))
        .order_by("-created_at", "-pk")
        .values("batch_id", "kind", "failed_count", "batch__name", "created_at")
    )
    return [
        {
            "batch_id": row["batch_id"],
            "batch_name": row["batch__name"],
            "kind": row["kind"],
            "failed_count": row["failed_count"],
            "createdAt": row["created_at"],
        }
        for row in rows[:MOST_SHOWN]
    ]


def failed_jobs(*, owner: Any, now: dt.datetime) -> list[Row]:
    """Return the exports, syncs and other jobs that failed lately and were not retried."""
    rows = (
        Job.objects.owned_by(owner)
        .filter(created_at__gte=now - FAILED_FOR, state=JobState.FAILED)
        # Its last result stands by itself.
        .exclude(kind=SYNC_KIND)
        .order_by("-created_at")
        .values("id", "kind", "message", "created_at")
    )
    return [
        {
            "id": row["id"],
            "kind": row["kind"],
            "message": row["message"],
            "createdAt": row["created_at"],
        }
        for row in rows[:MOST_SHOWN]
    ]


def planned_too_long(*, owner: Any, now: dt.datetime) -> Row | None:
    """Return how much has a place and has waited for days to be stowed."""
    waiting = BatchItem.objects.filter(
        batch__owner=owner,
        batch__is_ready=True,
        batch__is_archived=False,
        is_listed=False,
        is_stowed=False,
        location__isnull=False,
        created_at__lt=now - PLANNED_FOR,
    ).aggregate(
        lots=Count("pk"),
        pieces=Sum("quantity"),
        batches=Count("batch", distinct=True),
        batch_id=Min("batch_id"),
        since=Min("created_at"),
    )
    if not waiting["lots"]:
        return None
    return {**waiting, "pieces": waiting["pieces"] or 0}


def unsent_changes(*, owner: Any) -> Row | None:
    """Return how many lots differ from what the marketplace last received."""
    newest = ReceivedLot.objects.owned_by(owner).aggregate(at=Max("updated_at"))["at"]
    if newest is None:
        return None
    rows = InventoryItem.objects.owned_by(owner).aggregate(at=Max("updated_at"), rows=Count("pk"))
    questions = FieldConflict.objects.owned_by(owner).filter(decision=Decision.OPEN).count()
    mark = f"{newest}|{rows['at']}|{rows['rows']}|{questions}"
    key = f"unsent-{owner.pk}-{hashlib.sha1(mark.encode(), usedforsecurity=False).hexdigest()}"
    kept = cache.get(key)
    if kept is None:
        kept = changed_lots(owner=owner)
        cache.set(key, kept, KEPT_SECONDS)
    if not kept.lots and not questions:
        return None
    return {"lots": kept.lots, "value": money(kept.value), "questions": questions}


def last_sync(*, owner: Any) -> Row | None:
    """Return what came of the last sync in one go, None where there was none."""
    cycles = StoreSync.objects.owned_by(owner).filter(way=SyncWay.CYCLE).order_by("-created_at")
    row = cycles.values("id", "state", "reason", "counts", "created_at").first()
    if row is None:
        return None
    return {
        "id": row["id"],
        "state": row["state"],
        "reason": row["reason"],
        "sent": row["counts"].get("sent", 0) + row["counts"].get("removed", 0),
        "taken": sum(row["counts"].get(name, 0) for name in ("created", "changed", "zeroed")),
        "at": row["created_at"],
    }


def old_prices(*, owner: Any, currency: str, now: dt.datetime) -> Row | None:
    """Return how many of the dearest rows in stock have market figures older than 90 days.

    Only the dearest: with them, an old price costs most.
    """
    dearest = (
        InventoryItem.objects.owned_by(owner)
        .in_stock_listed()
        .filter(price__gt=0)
        .order_by("-price", "-pk")
        .values_list("lot_id", flat=True)
    )
    lots = {lot for lot in dearest[:DEAREST_LOTS] if lot is not None}
    # No lot is 0: an empty store asks as much as a full one.
    old = LotRefresh.objects.filter(
        lot_id__in=lots or {0}, currency=currency, refreshed_at__lt=now - PRICES_LAST
    ).aggregate(lots=Count("pk"), since=Min("refreshed_at"))
    return {**old, "looked_at": len(lots)} if old["lots"] else None


def auctions_ending(*, owner: Any, now: dt.datetime) -> list[Row]:
    """Return what the person watches or bids for that ends within a day, the soonest first."""
    rows = (
        AuctionListing.objects.owned_by(owner)
        .filter(end_time__gt=now, end_time__lte=now + AUCTIONS_END_WITHIN)
        .filter(Q(watch=Watch.WATCHING) | Q(my_bid__isnull=False))
        .filter(outcome=AuctionOutcome.NONE)
        .order_by("end_time", "pk")
        .values(
            "id", "title", "end_time", "current_price", "landed_cost", "landed_per_kg", "my_bid"
        )
    )
    return [dict(row) for row in rows[:MOST_SHOWN]]


def sets_completed_by(*, owner: Any, batch_id: int | None) -> list[Row]:
    """Return the open sets whose last missing pieces are all in the batch."""
    in_batch = (
        BatchItem.objects.filter(batch_id=batch_id or 0, lot=OuterRef("lot"))
        .order_by()
        .values("lot")
        .annotate(pieces=Sum("quantity"))
        .values("pieces")
    )
    lacking = F("quantity_required") - F("quantity_on_hand")
    rows = (
        SetRequirement.objects.filter(
            user_set__owner=owner,
            user_set__state__in=OPEN_STATES,
            quantity_on_hand__lt=F("quantity_required"),
        )
        .annotate(in_batch=Coalesce(Subquery(in_batch), 0))
        .order_by()
        .values("user_set_id", "user_set__item__number", "user_set__item__name")
        .annotate(
            missing=Count("pk"),
            here=Count("pk", filter=Q(in_batch__gte=lacking)),
            pieces=Sum(lacking),
        )
        .filter(missing=F("here"))
    )
    return [
        {
            "id": row["user_set_id"],
            "number": row["user_set__item__number"],
            "name": row["user_set__item__name"],
            "pieces": row["pieces"],
        }
        for row in rows.order_by("user_set_id")[:MOST_SHOWN]
    ]
