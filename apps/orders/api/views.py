"""`/api/orders`: orders, from arrival to shipping."""

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.decorators import action
from rest_framework.exceptions import PermissionDenied
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.selectors import caller_of, store_of
from apps.core.api.hidden import hides_buyers
from apps.core.api.serializers import serializer_of
from apps.core.api.views import UNPAGED, OwnedViewSet
from apps.core.clock import now
from apps.core.jobs.api import JobRow, accepted
from apps.core.natural import NaturalOrder
from apps.exchange.order_statuses import read_status
from apps.marketplace.models import MarketplaceConnection
from apps.marketplace.providers.known import whose
from apps.orders.api.filters import OrderFilter
from apps.orders.api.serializers import (
    CancelOrderWrite,
    CheckLinesWrite,
    CombineWrite,
    CountRow,
    LeaveOutWrite,
    OrderChange,
    OrderEventRow,
    OrderFileRow,
    OrderFileWrite,
    OrderIntentRow,
    OrderLineRow,
    OrderMessageRow,
    OrderRow,
    OrderWrite,
    PackWrite,
    RefundWrite,
    ReturnWrite,
    ShipWrite,
    SoldTwiceRow,
    UnrefundWrite,
    WaitingRow,
)
from apps.orders.models import Order, OrderEvent, OrderIntent
from apps.orders.selectors.orders import lines_of, sender_of, sums_of, waiting_of
from apps.orders.selectors.sold_twice import is_any_sold_twice, parts_in_sold_twice, sold_twice_rows
from apps.orders.services import by_hand, combining, files, forgetting, handling
from apps.orders.services.messages import messages_of
from apps.orders.services.pulling import start_pull
from apps.orders.services.sold_twice import leave_out_pieces, undo_leave_out_pieces


class OrderViewSet(OwnedViewSet):
    """The caller's orders, the newest first."""

    asks_outside = True  # in the demo, a store for who has none
    row_serializer = OrderRow
    write_serializer = OrderWrite
    filterset_class = OrderFilter
    ordered_by = "orderedAt number=number_order buyer state total"
    ordering = "-orderedAt"
    http_method_names = ["get", "post", "patch", "head"]

    def rows(self) -> Any:
        twice = is_any_sold_twice(owner=store_of(self.request))
        return super().rows().alias(number_order=NaturalOrder("number")).annotate(sold_twice=twice)

    def complete(self, rows: list[dict[str, Any]]) -> None:
        sums = sums_of([row["id"] for row in rows])
        is_any = any(row["sold_twice"] for row in rows)
        parts = parts_in_sold_twice(owner=store_of(self.request)) if is_any else {}
        for row in rows:
            store = whose(row["marketplace_order_id"] or 0)
            read = read_status(row["status"], site=store.id if store else "")
            row.update(
                sums[row["id"]],
                marketplace=store.id if store else "",
                is_status_unknown=not read.is_understood,
                sold_twice=parts.get(row["id"], ""),
            )

    def validated(self, kind: type[Any], data: object, *, partial: bool = False) -> dict[str, Any]:
        return super().validated(OrderChange if partial else kind, data, partial=partial)

    def create_row(self, data: dict[str, Any]) -> Order:
        lines = [by_hand.HandLine(**line) for line in data.pop("lines")]
        return by_hand.sell_by_hand(owner=store_of(self.request), lines=lines, now=now(), **data)

    @extend_schema(request=OrderChange, responses=OrderRow)
    def partial_update(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().partial_update(request, *args, **kwargs)

    def update_row(self, row: Order, data: dict[str, Any]) -> None:
        handling.edit_order(order=row, changes=data)

    @extend_schema(request=None, responses={202: JobRow})
    @action(detail=False, methods=["post"], **UNPAGED)
    def refresh(self, request: Request) -> Response:
        """Read what changed among the store's orders. 409 where no store is connected."""
        return accepted(start_pull(owner=store_of(request), now=now()))

    @extend_schema(request={"multipart/form-data": OrderFileWrite}, responses=OrderFileRow)
    @action(
        detail=False,
        methods=["post"],
        url_path="importFile",
        parser_classes=[MultiPartParser],
        **UNPAGED,
    )
    def import_file(self, request: Request) -> Response:
        """Read BrickLink's order download. Orders that cannot be read are reported."""
        data = self.validated(OrderFileWrite, request.data)["file"].read()
        taken = files.take_in_file(owner=store_of(request), data=data, now=now())
        return Response([asdict(taken)])

    @extend_schema(responses=WaitingRow)
    @action(detail=False, methods=["get"], **UNPAGED)
    def waiting(self, request: Request) -> Response:
        """How many orders wait for what."""
        row = waiting_of(owner=store_of(request), now=now())
        connected = MarketplaceConnection.objects.owned_by(request.user).exists()
        return Response([{**row, "is_shown": connected or row["total"] > 0}])

    @extend_schema(responses=OrderLineRow(many=True))
    @action(detail=True, methods=["get"], **UNPAGED)
    def lines(self, request: Request, pk: str) -> Response:
        """The lines, with pictures and the bins that serve them."""
        return Response(lines_of(order=self.get_owned(pk)))

    @extend_schema(responses=serializer_of(combining.ParcelOrder)(many=True))
    @action(detail=True, methods=["get"], **UNPAGED)
    def parcel(self, request: Request, pk: str) -> Response:
        """The other orders in its parcel, and those of its buyer that could share it."""
        return Response(combining.orders_beside(self.get_owned(pk)))

    @extend_schema(request=CombineWrite, responses=CountRow)
    @action(detail=True, methods=["post"], **UNPAGED)
    def combine(self, request: Request, pk: str) -> Response:
        """Send orders of its buyer in its parcel. 409 for another buyer's, or what is packed."""
        order = self.get_owned(pk)
        ids = self.validated(CombineWrite, request.data)["order_ids"]
        return Response([{"count": combining.combine(order=order, order_ids=ids, now=now())}])

    @extend_schema(request=None, responses=CountRow)
    @action(detail=True, methods=["post"], **UNPAGED)
    def separate(self, request: Request, pk: str) -> Response:
        """Send each order of its parcel in one of its own. 409 once it is packed."""
        return Response([{"count": combining.separate(order=self.get_owned(pk), now=now())}])

    @extend_schema(responses=OrderEventRow(many=True))
    @action(detail=True, methods=["get"], **UNPAGED)
    def events(self, request: Request, pk: str) -> Response:
        """What happened to it, the newest first."""
        rows = OrderEvent.objects.filter(order=self.get_owned(pk)).order_by("-pk")
        if hides_buyers(request):
            rows = rows.exclude(kind="refunded")  # its reason may name the buyer
        return Response(OrderEventRow(OrderEventRow.select(rows)[:500], many=True).data)

    @extend_schema(responses=OrderIntentRow(many=True))
    @action(detail=True, methods=["get"], url_path="marketplaceSteps", **UNPAGED)
    def marketplace_steps(self, request: Request, pk: str) -> Response:
        """The steps sent to the marketplace, and their results."""
        rows = OrderIntent.objects.filter(order=self.get_owned(pk)).order_by("pk")
        return Response(OrderIntentRow(OrderIntentRow.select(rows), many=True).data)

    @extend_schema(responses=OrderMessageRow(many=True))
    @action(detail=True, methods=["get"], **UNPAGED)
    def messages(self, request: Request, pk: str) -> Response:
        """What buyer and seller wrote to each other at the store, read there just now."""
        return Response(messages_of(order=self.get_owned(pk), now=now()))

    @extend_schema(request=None, responses=CountRow)
    @action(detail=True, methods=["post"], **UNPAGED)
    def seen(self, request: Request, pk: str) -> Response:
        """Note that its differences were looked at."""
        return Response([{"count": handling.see_differences(order=self.get_owned(pk), now=now())}])

    @extend_schema(request=None, responses=CountRow)
    @action(detail=True, methods=["post"], url_path="forgetBuyer", **UNPAGED)
    def forget_buyer(self, request: Request, pk: str) -> Response:
        """Erase its buyer's name, address and mail, in all of the buyer's orders. 409 while one is open."""
        count = forgetting.forget_buyer(order=self.get_owned(pk), now=now())
        return Response([{"count": count}])

    @extend_schema(request=CheckLinesWrite, responses=CountRow)
    @action(detail=True, methods=["post"], **UNPAGED)
    def check(self, request: Request, pk: str) -> Response:
        """Note which lines were seen while packing."""
        order = self.get_owned(pk)
        data = self.validated(CheckLinesWrite, request.data)
        count = handling.check_lines(
            order=order,
            line_ids=data["line_ids"],
            checked=data.get("checked", True),
        )
        return Response([{"count": count}])

    @extend_schema(request=PackWrite, responses=OrderRow)
    @action(detail=True, methods=["post"], **UNPAGED)
    def pack(self, request: Request, pk: str) -> Response:
        """Mark it as packed, and send that to the marketplace once. 409 while pieces wait."""
        order = self.get_owned(pk)
        data = self.validated(PackWrite, request.data)
        handling.pack_order(order=order, weighed_grams=data.get("weighed_grams"), now=now())
        return Response(self.row(int(pk)))

    @extend_schema(request=None, responses=OrderRow)
    @action(detail=True, methods=["post"], url_path="leaveOut", **UNPAGED)
    def leave_out(self, request: Request, pk: str) -> Response:
        """It goes without the pieces that no bin has. 409 while others can be picked."""
        handling.leave_out(order=self.get_owned(pk), now=now())
        return Response(self.row(int(pk)))

    @extend_schema(responses=SoldTwiceRow(many=True))
    @action(detail=True, methods=["get"], url_path="soldTwice", **UNPAGED)
    def sold_twice(self, request: Request, pk: str) -> Response:
        """What it and an order at another marketplace bought, with the text to the later buyer."""
        rows = sold_twice_rows(order=self.get_owned(pk))
        return Response(SoldTwiceRow(rows, many=True).data)

    @extend_schema(request=LeaveOutWrite, responses={200: OrderRow})
    @action(detail=True, methods=["post"], url_path="leaveOutPieces", **UNPAGED)
    def leave_out_pieces(self, request: Request, pk: str) -> Response:
        """Leave pieces that were sold twice out of it, and note their refund.

        The order that bought them before gets them. 409 once it is packed.
        """
        order, data = self.get_owned(pk), self.validated(LeaveOutWrite, request.data)
        leave_out_pieces(order=order, now=now(), **data)
        return Response(self.row(int(pk)))

    @extend_schema(request=LeaveOutWrite, responses={200: OrderRow})
    @action(detail=True, methods=["post"], url_path="undoLeaveOutPieces", **UNPAGED)
    def undo_leave_out_pieces(self, request: Request, pk: str) -> Response:
        """They are sent after all, where there are any. 409 once it is packed."""
        order, data = self.get_owned(pk), self.validated(LeaveOutWrite, request.data)
        undo_leave_out_pieces(order=order, now=now(), **data)
        return Response(self.row(int(pk)))

    @extend_schema(request=None, responses=OrderRow)
    @action(detail=True, methods=["post"], **UNPAGED)
    def unpack(self, request: Request, pk: str) -> Response:
        """It is not packed after all."""
        handling.unpack_order(order=self.get_owned(pk), now=now())
        return Response(self.row(int(pk)))

    @extend_schema(request=ShipWrite, responses=OrderRow)
    @action(detail=True, methods=["post"], **UNPAGED)
    def ship(self, request: Request, pk: str) -> Response:
        """Mark it as shipped, and send that with the tracking number to the marketplace once."""
        order = self.get_owned(pk)
        data = self.validated(ShipWrite, request.data)
        handling.ship_order(order=order, tracking_number=data.get("tracking_number", ""), now=now())
        return Response(self.row(int(pk)))

    @extend_schema(request=None, responses=OrderRow)
    @action(detail=True, methods=["post"], **UNPAGED)
    def unship(self, request: Request, pk: str) -> Response:
        """It was not sent after all. A role that sees no past buyers does it for its own alone."""
        order = self.get_owned(pk)
        # Back in hand, an order names its buyer again.
        if hides_buyers(request) and sender_of(order) != caller_of(request).pk:
            raise PermissionDenied("Your role undoes this only for what you shipped yourself.")
        handling.unship_order(order=order, now=now())
        return Response(self.row(int(pk)))

    @extend_schema(request=None, responses=OrderRow)
    @action(detail=True, methods=["post"], **UNPAGED)
    def file(self, request: Request, pk: str) -> Response:
        """Put it among those that are over."""
        handling.file_order(order=self.get_owned(pk), now=now())
        return Response(self.row(int(pk)))

    @extend_schema(request=CancelOrderWrite, responses=OrderRow)
    @action(detail=True, methods=["post"], **UNPAGED)
    def cancel(self, request: Request, pk: str) -> Response:
        """Cancel it: promised pieces are released, picked ones go back."""
        order = self.get_owned(pk)
        data = self.validated(CancelOrderWrite, request.data)
        handling.cancel_order(
            order=order,
            tell_marketplace=data.get("tell_marketplace", True),
            put_back=data.get("put_back", True),
            by=caller_of(request),
            now=now(),
        )
        return Response(self.row(int(pk)))

    @extend_schema(request=RefundWrite, responses={200: OrderRow})
    @action(detail=True, methods=["post"], **UNPAGED)
    def refund(self, request: Request, pk: str) -> Response:
        """Note that money was given back. 409 for more than the order brought."""
        order = self.get_owned(pk)
        data = self.validated(RefundWrite, request.data)
        handling.refund_order(
            order=order, amount=data["amount"], note=data.get("note", ""), now=now()
        )
        return Response(self.row(int(pk)))

    @extend_schema(request=UnrefundWrite, responses={200: OrderRow})
    @action(detail=True, methods=["post"], **UNPAGED)
    def unrefund(self, request: Request, pk: str) -> Response:
        """It was not given back after all."""
        order = self.get_owned(pk)
        amount = self.validated(UnrefundWrite, request.data)["amount"]
        handling.unrefund_order(order=order, amount=amount, now=now())
        return Response(self.row(int(pk)))

    @extend_schema(request=ReturnWrite, responses={200: OrderRow})
    @action(detail=True, methods=["post"], url_path="return", **UNPAGED)
    def take_back(self, request: Request, pk: str) -> Response:
        """Put sold pieces back into the bins they came from, or into another one; partly."""
        order = self.get_owned(pk)
        data = self.validated(ReturnWrite, request.data)
        pieces: dict[int, int] = {}
        for line in data["lines"]:
            pieces[line["line_id"]] = pieces.get(line["line_id"], 0) + line["quantity"]
        location = data.get("location_id")
        handling.take_back(
            order=order,
            pieces=pieces,
            location_id=location.pk if location else None,
            override_reason=data.get("override_reason", ""),
            refund=data.get("refund"),
            by=caller_of(request),
            now=now(),
        )
        return Response(self.row(int(pk)), status=status.HTTP_200_OK)
