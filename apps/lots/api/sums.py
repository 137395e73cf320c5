"""`sums` and `groups` of a list of lots: what the rows come to that the same filters show."""

from typing import Annotated, Any, Final

from django.db.models import BigIntegerField, Case, Count, F, Max, Q, Sum, TextField, Value, When
from django.db.models.functions import Coalesce, NullIf
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.core.api.serializers import AnswerSerializer
from apps.core.api.views import OwnedViewSet
from apps.core.errors import Invalid
from apps.core.money import Total
from apps.core.worth import total_worth
from apps.lots.models import LotCondition

#: A lot in a condition, as a number; a row that is in no lot is one by itself.
LOT: Final = Case(
    When(lot__isnull=True, then=-F("pk")),
    *(
        When(Q(condition=condition), then=F("lot_id") * len(LotCondition.values) + Value(place))
        for place, condition in enumerate(LotCondition.values)
    ),
    output_field=BigIntegerField(),
)


class LotSumsRow(AnswerSerializer):
    rows: int
    lots: Annotated[int, "a lot and condition in several places counts once"]
    pieces: int
    value: Total
    lots_without_price: Annotated[int, "lots that are not in the value"]


class LotGroupRow(LotSumsRow):
    id: Annotated[int | None, "of the bin or colour; null: rows without one"]
    name: str
    html: Annotated[str, "of the colour"]


COLOR_NAME: Final = NullIf(
    Coalesce("lot__color__name", "raw_color_name", output_field=TextField()),
    Value("", output_field=TextField()),
)

#: What rows are grouped by -> the group's id, name, colour and order.
GROUPS: Final[dict[str, tuple[Any, Any, Any, Any]]] = {
    "location": (F("location_id"), F("location__name"), Value(""), F("location__sort_key")),
    "color": (
        Coalesce("lot__color_id", "raw_color_id"),
        COLOR_NAME,
        F("lot__color__rgb"),
        COLOR_NAME,
    ),
}

SUMS: Final = {
    "rows": Count("pk"),
    "lots": Count(LOT, distinct=True),
    "pieces": Coalesce(Sum("quantity"), 0),
    "value": total_worth(),
    "lots_without_price": Count(LOT, distinct=True, filter=Q(price__isnull=True, quantity__gt=0)),
}


class SumsLots(OwnedViewSet):
    """The sums of a list whose rows have a lot, a quantity and a price."""

    @extend_schema(responses=LotSumsRow, filters=True)
    @action(detail=False, methods=["get"], ordering_fields={}, pagination_class=None)
    def sums(self, request: Request) -> Response:
        """The sums of the rows that the list shows with the same filters."""
        rows: Any = self.filter_queryset(self.get_queryset())
        return Response(LotSumsRow(rows.order_by().aggregate(**SUMS)).data)

    @extend_schema(
        responses=LotGroupRow(many=True),
        filters=True,
        parameters=[OpenApiParameter("by", enum=list(GROUPS), required=True)],
    )
    @action(detail=False, methods=["get"], ordering_fields={})
    def groups(self, request: Request) -> Response:
        """The same by bin or by colour."""
        by = request.query_params.get("by", "")
        if by not in GROUPS:
            raise Invalid(fields={"by": [f"give one of: {', '.join(GROUPS)}"]})
        key, name, rgb, order = GROUPS[by]
        rows: Any = self.filter_queryset(self.get_queryset())
        groups = (
            rows.order_by()
            .values(key=key)
            .annotate(name=Max(name), rgb=Max(rgb), order=Max(order), **SUMS)
            .order_by(F("order").asc(nulls_last=True), "key")
        )
        return self.get_paginated_response(
            [
                {
                    **LotSumsRow(group).data,
                    "id": group["key"],
                    "name": group["name"] or "",
                    "html": f"#{group['rgb']}" if group["rgb"] else "",
                }
                for group in self.paginate_queryset(groups) or []
            ]
        )
