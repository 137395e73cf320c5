"""`sums` of a list of lots: what the rows come to that the same filters show."""

from typing import Annotated, Any, Final

from django.db.models import BigIntegerField, Case, Count, F, Q, Sum, Value, When
from django.db.models.functions import Coalesce
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.core.api.serializers import AnswerSerializer
from apps.core.api.views import OwnedViewSet
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


class SumsLots(OwnedViewSet):
    """The sums of a list whose rows have a lot, a quantity and a price."""

    @extend_schema(responses=LotSumsRow, filters=True)
    @action(detail=False, methods=["get"], ordering_fields={}, pagination_class=None)
    def sums(self, request: Request) -> Response:
        """The sums of the rows that the list shows with the same filters."""
        rows: Any = self.filter_queryset(self.get_queryset())
        found = rows.order_by().aggregate(
            rows=Count("pk"),
            lots=Count(LOT, distinct=True),
            pieces=Coalesce(Sum("quantity"), 0),
            value=total_worth(),
            lots_without_price=Count(
                LOT, distinct=True, filter=Q(price__isnull=True, quantity__gt=0)
            ),
        )
        return Response(LotSumsRow(found).data)
