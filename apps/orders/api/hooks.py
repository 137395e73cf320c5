"""`/api/orderHook`, and the address that a marketplace calls."""

import datetime as dt
from typing import Annotated, Any, Final

from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.selectors import store_of
from apps.core.api.parsing import DepthLimitedJSONParser
from apps.core.api.serializers import AnswerSerializer
from apps.core.api.views import ApiView
from apps.core.clock import now
from apps.core.errors import Invalid
from apps.core.throttling import WindowThrottle, client_address
from apps.orders.services import hooks

MOST_EVENTS: Final = 1_000
LARGEST_ID: Final = 2**63 - 1


class HookRow(AnswerSerializer):
    """The caller's address for hints of a marketplace; null before there is one."""

    address: str | None
    heardAt: Annotated[dt.datetime | None, "the last hint"]


class OrderHookView(ApiView):
    """The caller's address for the marketplace's notices of changed orders."""

    asks_outside = True  # sends the address to the demo store
    applies_once = False  # an address sent to the store cannot be rolled back

    @extend_schema(responses=HookRow, operation_id="orderHook_retrieve")
    def get(self, request: Request) -> Response:
        """Return the address, which contains its secret."""
        hook = hooks.hook_of(owner=store_of(request))
        address = hooks.address_of(hook) if hook else None
        return Response({"address": address, "heardAt": hook.heard_at if hook else None})

    @extend_schema(request=None, responses=HookRow)
    def post(self, request: Request) -> Response:
        """Create an address, replacing an earlier one, and send it to the demo store."""
        hook = hooks.make_hook(owner=store_of(request))
        return Response({"address": hooks.address_of(hook), "heardAt": None})

    @extend_schema(responses={200: HookRow})
    def delete(self, request: Request) -> Response:
        """Listen to no hints any more."""
        hooks.forget_hook(owner=store_of(request))
        return Response({"address": None, "heardAt": None})


class HookThrottle(WindowThrottle):
    """The notices of a minute for one address, from any sender; guesses count for their sender."""

    scope = "hook"

    def key_of(self, request: Request) -> str:
        secret = request.parser_context["kwargs"]["secret"]
        if hooks.is_address(secret=secret):
            return f"hook:{secret}"
        return f"guess:{client_address(request)}"


class EventsParser(DepthLimitedJSONParser):
    """Marketplaces send lists; one of them was seen to send an event alone."""

    limit = 256 * 1024
    takes = (dict, list)


class HeardView(ApiView):
    """Called by marketplaces, unsigned: the secret is in the address."""

    permission_classes = [AllowAny]
    authentication_classes = []
    throttle_classes = [HookThrottle]
    parser_classes = [EventsParser]

    @extend_schema(exclude=True)
    def post(self, request: Request, secret: str) -> Response:
        """Receive a list of events, or one. 404 for an unknown address."""
        heard = hooks.receive_notice(secret=secret, order_ids=_order_ids(request.data), now=now())
        return Response({"heard": heard})


def _order_ids(told: Any) -> list[int]:
    """Return the orders that events name; events of other kinds are passed over."""
    events = told if isinstance(told, list) else [told]
    if len(events) > MOST_EVENTS or not all(isinstance(event, dict) for event in events):
        raise Invalid(fields={"body": [f"must be a list of up to {MOST_EVENTS} events"]})
    found = []
    for event in events:
        if event.get("event_type") != "Order":
            continue
        number = str(event.get("resource_id"))
        if not (number.isascii() and number.isdecimal() and 0 < int(number[:20]) <= LARGEST_ID):
            raise Invalid(fields={"resource_id": ["must be the number of an order"]})
        found.append(int(number))
    return found
