"""`/api/userSetParts`: the required parts of a set, lot by lot."""

from typing import Any

from django.db.models import F
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.selectors import store_of
from apps.core.api.views import OwnedViewSet
from apps.sets.api.filters import SetPartFilter
from apps.sets.api.serializers import OnHandWrite, SetPartRow
from apps.sets.selectors.parts import places_of
from apps.sets.services.parts import count_on_hand

MOST_PLACES = 5


class SetPartViewSet(OwnedViewSet):
    """The lots that the caller's sets require."""

    row_serializer = SetPartRow
    write_serializer = OnHandWrite
    filterset_class = SetPartFilter
    ordered_by = """
        number=lot__item__sort_key name=lot__item__name color=lot__color__name
        required=quantity_required on_hand=quantity_on_hand missing=lacking
        kind=lot__item__item_type
    """
    ordering = "color"
    http_method_names = ["get", "patch", "head"]

    def rows(self) -> Any:
        return self.get_queryset().annotate(lacking=F("quantity_required") - F("quantity_on_hand"))

    def complete(self, rows: list[dict[str, Any]]) -> None:
        places = places_of(store_of(self.request), {row["lot_id"] for row in rows})
        for row in rows:
            there = places.get(row["lot_id"], [])
            row["in_stock"] = sum(place["quantity"] for place in there)
            row["places"] = there[:MOST_PLACES]

    @extend_schema(request=OnHandWrite, responses=SetPartRow)
    def partial_update(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Set how many are on hand; 409 where that changed since the caller looked."""
        row = self.get_owned(kwargs["pk"])
        data = self.validated(OnHandWrite, request.data)
        count_on_hand(requirement=row, quantity=data["quantity_on_hand"], seen=data.get("seen"))
        return Response(self.row(row.pk))
