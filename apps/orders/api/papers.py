"""`/api/orders/papers`: packing slips, pick lists, address labels and tray cards."""

from typing import Any

from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request

from apps.accounts.models import User
from apps.accounts.selectors import store_of
from apps.core.api.hidden import hides_buyers
from apps.core.api.printing import pdf_answer
from apps.core.api.views import ApiView
from apps.core.clock import zone_of
from apps.orders.api.serializers import PapersWrite
from apps.orders.models import IN_HAND
from apps.orders.rules.papers import tongue_of
from apps.orders.services import papers


class OrderPapers(ApiView):
    """Prints papers. Doing it twice does no harm, and a file is no answer to keep."""

    applies_once = False

    @extend_schema(
        request=PapersWrite,
        responses={(200, "application/pdf"): OpenApiTypes.BINARY},
        operation_id="orders_papers_create",
    )
    def post(self, request: Request) -> HttpResponseBase:
        """Print papers of orders as PDF, a packing slip in its buyer's language."""
        data = self.validated(PapersWrite, request.data)
        return pdf_answer(_made(store_of(request), request, data), name=f"{data['kind']}.pdf")


def _made(user: User, request: Request, data: dict[str, Any]) -> bytes:
    kind, walk_id = data["kind"], data.get("walk_id")
    layout = data.get("layout")
    if kind == "tray_cards":
        return papers.tray_cards(layout=layout or "a4_plain")
    if walk_id is not None:
        orders = papers.orders_of_walk(owner=user, walk_id=walk_id)
    else:
        orders = papers.orders_for(owner=user, order_ids=data["order_ids"])
    if hides_buyers(request) and any(order.state not in IN_HAND for order in orders):
        raise PermissionDenied("Your role prints papers of orders in hand: paid, picked, packed.")
    if kind == "address_label":
        return papers.address_labels(orders=orders, layout=layout or "roll_62")
    accepted = request.headers.get("Accept-Language", "")
    tongue = tongue_of(accepted, in_ounces=user.units == "oz")
    if kind == "pick_list":
        trays = papers.trays_of(walk_id=walk_id) if walk_id is not None else None
        return papers.pick_list(orders=orders, trays=trays, owner=user, tongue=tongue)
    seller = papers.Seller(user.name, user.seller_address, user.vat_id)
    return papers.packing_slips(orders=orders, seller=seller, tongue=tongue, zone=zone_of(user))
