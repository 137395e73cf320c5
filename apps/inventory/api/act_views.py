"""`/api/inventoryActs`: acts on several rows at once, and undoing them."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.exceptions import MethodNotAllowed
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.selectors import caller_of
from apps.core.api.hidden import own_only
from apps.core.api.serializers import RowSerializer
from apps.core.api.views import OwnedViewSet
from apps.core.clock import now
from apps.core.jobs.api import JobRow, accepted
from apps.core.jobs.models import Job
from apps.inventory.services.acts import undo_act
from apps.lots.models import KeptAct


class ActRow(RowSerializer):
    """One act. `undoneAt` is set once it was undone."""

    model = KeptAct
    columns = "id kind by_name=by.name program note row_count createdAt updatedAt undoneAt"


class ActViewSet(OwnedViewSet):
    """The caller's acts on several rows of stock, newest first."""

    queryset = KeptAct.objects.filter(batch=None)
    row_serializer = ActRow
    write_serializer = ActRow
    filterset_fields = ("kind",)
    ordered_by = "createdAt=id"
    ordering = "-createdAt"
    http_method_names = ["get", "post", "head"]

    def get_queryset(self) -> Any:
        return own_only(super().get_queryset(), self.request)

    @extend_schema(exclude=True)
    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        raise MethodNotAllowed("POST")

    @extend_schema(request=None, responses={200: ActRow, 202: JobRow})
    @action(detail=True, methods=["post"])
    def undo(self, request: Request, pk: str) -> Response:
        """Take an act back by reverse movements; 409 where a row was changed since.

        More than 1,000 rows start a job (202), which skips rows changed since.
        """
        done = undo_act(act=self.get_owned(pk), by=caller_of(request), now=now())
        if isinstance(done, Job):
            return accepted(done)
        return Response(self.row(done.pk))
