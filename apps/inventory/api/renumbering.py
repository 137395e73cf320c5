"""`/api/inventoryItems/renumbered`, `/renumber`: items that the catalogue gave another number."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.selectors import caller_of, store_of
from apps.core.api.serializers import serializer_of
from apps.core.api.views import UNFILTERED, OwnedViewSet
from apps.core.clock import now
from apps.core.jobs.api import JobRow
from apps.inventory.api.forms import NamedRow, named_answer
from apps.inventory.selectors.renumbered import Renumbered, renumbered_items
from apps.inventory.services.renumber import renumber_items

RenumberedRow: Any = serializer_of(Renumbered)


class RenumbersItems(OwnedViewSet):
    """The lots whose numbers the catalogue has changed."""

    @extend_schema(responses=RenumberedRow(many=True), filters=False)
    @action(detail=False, methods=["get"], pagination_class=None, **UNFILTERED)
    def renumbered(self, request: Request) -> Response:
        """List the replaced items of the caller's lots: in stock, batches, sets and open orders."""
        return Response(RenumberedRow(renumbered_items(owner=store_of(request)), many=True).data)

    @extend_schema(request=None, responses={200: NamedRow, 202: JobRow})
    @action(detail=False, methods=["post"])
    def renumber(self, request: Request) -> Response:
        """Give all these lots their new numbers, as one act that can be undone.

        409 where there are none. More than 1,000 rows become a job (202).
        """
        owner, by = store_of(request), caller_of(request)
        return named_answer(renumber_items(owner=owner, by=by, now=now()))
