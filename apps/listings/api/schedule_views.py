"""`/api/marketplace/schedule` and `conflicts`: how stock and store are kept in step."""

from typing import Any, Final, cast

from django.db.models import Exists, OuterRef, Q
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.models import User
from apps.core.api.views import ApiView, OwnedViewSet
from apps.core.clock import now
from apps.core.errors import UnknownReference
from apps.inventory.models import Decision, FieldConflict
from apps.inventory.services.changes import changed_lots
from apps.inventory.services.conflicts import settle_conflicts
from apps.listings.api.serializers import (
    ConflictRow,
    ScheduleRow,
    ScheduleWrite,
    SettledRow,
    SettleWrite,
    StoreSyncRowOut,
)
from apps.listings.models import StoreSync, StoreSyncRow, SyncState, SyncWay
from apps.listings.services import store_sync

AT_ONCE: Final = 1_000


class ScheduleView(ApiView):
    """The caller's schedule."""

    @extend_schema(responses=ScheduleRow, operation_id="marketplaceSchedule_retrieve")
    def get(self, request: Request) -> Response:
        """Return how often the store is synced, the last result, and the differences now."""
        return Response(_schedule(cast("User", request.user)))

    @extend_schema(request=ScheduleWrite, responses=ScheduleRow)
    def patch(self, request: Request) -> Response:
        """Sync every 10, 30 or 60 minutes, or (0) only by hand; say whose value counts.

        A stopped schedule resumes when its minutes are saved.
        """
        told = self.validated(ScheduleWrite, request.data)
        owner = cast("User", request.user)
        store_sync.save_schedule(
            owner=owner,
            minutes=told.get("minutes"),
            conflicts=told.get("conflicts"),
        )
        return Response(_schedule(owner))


def _schedule(owner: User) -> dict[str, Any]:
    schedule = store_sync.schedule_of(owner)
    changed = changed_lots(owner=owner)
    # A comparison that found no difference has nothing to apply: stock and store are in step.
    is_equal = Q(state=SyncState.PLANNED) & ~Exists(
        StoreSyncRow.objects.filter(sync=OuterRef("pk"))
    )
    whole = Q(way=SyncWay.CYCLE) | Q(is_equal | Q(state=SyncState.APPLIED), batch_id=None)
    syncs = StoreSync.objects.owned_by(owner).filter(whole).order_by("-created_at")
    last = StoreSyncRowOut.select(syncs).first()
    if last is not None:
        last = {**last, "batch_name": None, "suspicion": "", "removals": 0}
        last["removals"] = last["counts"].get("to_confirm", 0)
    questions = FieldConflict.objects.owned_by(owner).filter(decision=Decision.OPEN)
    return {
        "minutes": schedule.minutes,
        "conflicts": schedule.conflicts,
        "problem": schedule.problem,
        "changed_lots": changed.lots,
        "changed_value": f"{changed.value:.4f}",
        "questions": questions.count(),
        "last": last and StoreSyncRowOut(last).data,
    }


class ConflictViewSet(OwnedViewSet):
    """Fields changed on both sides: open questions and decisions, newest first."""

    row_serializer = ConflictRow
    filterset_fields = ("decision",)
    ordered_by = "id"
    ordering = "-id"
    http_method_names = ["get", "head"]


class SettleView(ApiView):
    """Questions are settled."""

    @extend_schema(request=SettleWrite, responses=SettledRow)
    def post(self, request: Request) -> Response:
        """Settle questions: theirs changes the rows here, mine goes out with the next sync.

        409 where one of them is settled already.
        """
        data = self.validated(SettleWrite, request.data)
        mine = FieldConflict.objects.owned_by(request.user)
        if "ids" in data:
            asked = mine.filter(pk__in=data["ids"])
            if missing := set(data["ids"]) - set(asked.values_list("pk", flat=True)):
                raise UnknownReference(fields={"ids": [f"there is no question {min(missing)}"]})
        else:
            asked = mine.filter(decision=Decision.OPEN).order_by("pk")[:AT_ONCE]
        decisions = dict.fromkeys(asked.values_list("pk", flat=True), data["decision"])
        settled, act = settle_conflicts(
            owner=cast("User", request.user), decisions=decisions, now=now()
        )
        return Response({"settled": settled, "act_id": act and act.pk})
