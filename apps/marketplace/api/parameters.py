"""Which of a person's stores a request is about."""

from typing import Final

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from apps.core.errors import ValueRefused
from apps.marketplace.providers.known import MARKETPLACES, MarketplaceId

OF_MARKETPLACE: Final = [
    OpenApiParameter(
        "marketplace",
        str,
        enum=[each.value for each in MarketplaceId],
        description="whose store, where several are connected; without it the first",
    )
]


def marketplace_of(request: Request) -> str | None:
    """Return the marketplace that a request names. Raises Invalid for one that is none."""
    named = request.query_params.get("marketplace")
    if named is not None and named not in MARKETPLACES:
        raise ValueRefused(fields={"marketplace": ["There is no such marketplace."]})
    return named
