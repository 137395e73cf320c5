"""`/api/home`."""

from typing import Any
from zoneinfo import ZoneInfo

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.services.users import check_time_zone
from apps.core.api.views import ApiView
from apps.core.clock import now
from apps.home.api.serializers import HomeRow
from apps.home.selectors.home import home

ZONE = OpenApiParameter(
    "time_zone",
    str,
    description="whose days are meant where the profile names none, such as Europe/Berlin",
)


def zone_of(request: Request) -> ZoneInfo:
    """Return the profile's zone, else the caller's, else UTC. Raises Invalid for what is none."""
    asked = request.query_params.get("time_zone", "")
    if asked:
        check_time_zone(asked)
    user: Any = request.user
    return ZoneInfo(user.time_zone or asked or "UTC")


class HomeView(ApiView):
    @extend_schema(responses=HomeRow, parameters=[ZONE], operation_id="home_retrieve")
    def get(self, request: Request) -> Response:
        """Everything on the home page at once: figures, charts, what to do, what is unwell."""
        user: Any = request.user
        return Response(home(user=user, now=now(), zone=zone_of(request)))
