"""`/api/config`: what the page needs to know before anybody signs in."""

from django.conf import settings
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from apps.core.api.serializers import AnswerSerializer
from apps.core.api.views import ApiView
from apps.core.currencies import CURRENCIES


class ConfigRow(AnswerSerializer):
    product_name: str
    demo_mode: bool
    currencies: list[str]


class ConfigView(ApiView):
    """Public configuration."""

    permission_classes = [AllowAny]
    authentication_classes = []

    @extend_schema(responses=ConfigRow)
    def get(self, request: Request) -> Response:
        return Response(
            {
                "product_name": settings.PRODUCT_NAME,
                "demo_mode": settings.DEMO_MODE,
                "currencies": list(CURRENCIES),
            }
        )
