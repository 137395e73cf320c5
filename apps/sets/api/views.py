"""`/api/userSets`."""

from dataclasses import asdict
from typing import Any

from django.http import HttpResponse
from django.utils.functional import cached_property
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.selectors import caller_of, currency_of, store_of
from apps.catalog.rules.pricing import PriceRule
from apps.catalog.selectors.pricing import price_setting_of, rule_of
from apps.core.api.downloads import download_of
from apps.core.api.views import UNFILTERED, UNPAGED, OwnedViewSet
from apps.core.clock import now
from apps.core.errors import NotFound
from apps.sets.api.filters import UserSetFilter
from apps.sets.api.serializers import (
    AddedManyRow,
    AddManyWrite,
    CompletedRow,
    CompleteWrite,
    DestinationsQuery,
    FigurePartRow,
    LeftOutRow,
    MissingFileWrite,
    OverviewRow,
    PutAsideWrite,
    RenewedRow,
    ReplacedContents,
    SetDestinationRow,
    SetTakeRow,
    SummaryQuery,
    SummaryRow,
    TakeRow,
    TakeWrite,
    UndoCompleteWrite,
    UndoTakeWrite,
    UserSetChange,
    UserSetRow,
    UserSetWrite,
)
from apps.sets.models import SetState, SetTake, UserSet
from apps.sets.rules import numbers_in
from apps.sets.selectors.destinations import set_destinations
from apps.sets.selectors.lines import figure_parts, left_out_lines
from apps.sets.selectors.listed import with_sums
from apps.sets.selectors.overview import overview
from apps.sets.selectors.parts import summary_of
from apps.sets.services import takes
from apps.sets.services.missing import write_missing
from apps.sets.services.parts import put_aside
from apps.sets.services.sets import (
    add_many,
    add_set,
    complete_set,
    delete_set,
    edit_set,
    renew_contents,
    take_back_completion,
    take_back_renewal,
)

MOST_PICKS = 500


class UserSetViewSet(OwnedViewSet):
    """The caller's sets, with how many of their pieces are on hand."""

    row_serializer = UserSetRow
    write_serializer = UserSetWrite
    filterset_class = UserSetFilter
    ordered_by = """
        createdAt=id updatedAt number=item__sort_key name=item__name
        year=item__year_released theme=item__category_path state pieces_required
        missing=pieces_missing percent=far value=worth parts_value=worth_in_parts price_paid
        acquired_on
    """
    ordering = "-updatedAt"

    @cached_property
    def currency(self) -> str:
        """The caller's: a list reads its rows in two steps and asks for it once."""
        user: Any = self.request.user
        return currency_of(user)

    @cached_property
    def rule(self) -> PriceRule:
        """The caller's: asked for once, as the currency."""
        user: Any = self.request.user
        return rule_of(price_setting_of(user=user))

    def rows(self) -> Any:
        return with_sums(self.get_queryset(), currency=self.currency, rule=self.rule)

    def validated(self, kind: type[Any], data: object, *, partial: bool = False) -> dict[str, Any]:
        return super().validated(UserSetChange if partial else kind, data, partial=partial)

    @extend_schema(request=UserSetChange, responses=UserSetRow)
    def partial_update(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().partial_update(request, *args, **kwargs)

    def create_row(self, data: dict[str, Any]) -> UserSet:
        return add_set(owner=store_of(self.request), **data)

    def update_row(self, row: UserSet, data: dict[str, Any]) -> None:
        edit_set(user_set=row, changes=data)

    def delete_row(self, row: UserSet) -> None:
        delete_set(user_set=row)

    @extend_schema(request=AddManyWrite, responses={200: AddedManyRow})
    @action(detail=False, methods=["post"], url_path="addMany")
    def add_many(self, request: Request) -> Response:
        """Add sets by a pasted list of numbers; the answer lists those that cannot be added, with reasons."""
        data = self.validated(AddManyWrite, request.data)
        done = add_many(owner=store_of(request), numbers=numbers_in(data.pop("numbers")), **data)
        added = [each.pk for each in done.added]
        return Response([{"added": added, "refused": done.refused}])

    @extend_schema(parameters=[DestinationsQuery], responses=SetDestinationRow(many=True))
    @action(detail=False, methods=["get"], **UNPAGED)
    def destinations(self, request: Request) -> Response:
        """The open sets that still lack this lot, the oldest first."""
        lot = self.validated(DestinationsQuery, request.query_params)["lot"]
        return Response(set_destinations(owner=store_of(request), lot_id=lot))

    @extend_schema(responses=OverviewRow)
    @action(detail=False, methods=["get"], **UNPAGED)
    def overview(self, request: Request) -> Response:
        """How far the open sets are, and what their missing parts would cost."""
        return Response([overview(owner=store_of(request))])

    @extend_schema(request=PutAsideWrite, responses=UserSetRow)
    @action(detail=True, methods=["post"], url_path="putAside")
    def put_aside(self, request: Request, pk: str) -> Response:
        """Count pieces as on hand for the set; a negative quantity takes them back.

        409 where the set lacks fewer than that.
        """
        user_set = self.get_owned(pk)
        data = self.validated(PutAsideWrite, request.data)
        put_aside(user_set=user_set, **data)
        return Response(self.row(user_set.pk))

    @extend_schema(parameters=[SummaryQuery], responses=SummaryRow)
    @action(detail=True, methods=["get"], **UNPAGED)
    def summary(self, request: Request, pk: str) -> Response:
        """The set in figures: required, on hand, missing, in stock, and what that costs."""
        user_set = self.get_owned(pk)
        data = self.validated(SummaryQuery, request.query_params)
        found = summary_of(owner=store_of(request), user_set=user_set, **data)
        return Response([asdict(found) | {"pieces_missing": found.pieces_missing}])

    @extend_schema(responses=LeftOutRow(many=True))
    @action(detail=True, methods=["get"], url_path="leftOut", **UNFILTERED)
    def left_out(self, request: Request, pk: str) -> Response:
        """Return the catalogue's spares, alternates and counterparts, which are not required."""
        lines = left_out_lines(user_set=self.get_owned(pk))
        return self.get_paginated_response(self.paginate_queryset(lines))

    @extend_schema(responses=FigurePartRow(many=True))
    @action(detail=True, methods=["get"], url_path="minifigParts", **UNFILTERED)
    def minifig_parts(self, request: Request, pk: str) -> Response:
        """The parts of the minifigs that the set requires whole, where the catalogue lists them."""
        parts = figure_parts(owner=store_of(request), user_set=self.get_owned(pk))
        return self.get_paginated_response(self.paginate_queryset(parts))

    @extend_schema(request=None, responses=RenewedRow)
    @action(detail=True, methods=["post"], url_path="renewContents")
    def renew_contents(self, request: Request, pk: str) -> Response:
        """Copy the required parts from the catalogue again; 409 where it lists none."""
        user_set = self.get_owned(pk)
        renewed = renew_contents(user_set=user_set)
        lots = [
            {"lot_id": lot, "before": before, "now": after}
            for lot, (before, after) in renewed.lots.items()
        ]
        before = {"inventory_id": renewed.inventory_id, "lots": lots}
        return Response({**self.row(user_set.pk), "replaced": before})

    @extend_schema(request=ReplacedContents, responses=UserSetRow)
    @action(detail=True, methods=["post"], url_path="undoRenewContents")
    def undo_renew_contents(self, request: Request, pk: str) -> Response:
        """Undo a copy, given what it `replaced`; 409 if the set was changed since."""
        user_set = self.get_owned(pk)
        data = self.validated(ReplacedContents, request.data)
        take_back_renewal(
            user_set=user_set,
            inventory_id=data["inventory_id"],
            lots={lot["lot_id"]: (lot["before"], lot["now"]) for lot in data["lots"]},
        )
        return Response(self.row(user_set.pk))

    @extend_schema(request=CompleteWrite, responses=CompletedRow)
    @action(detail=True, methods=["post"], url_path="complete")
    def completed(self, request: Request, pk: str) -> Response:
        """Mark the set complete; 409 while parts are missing, unless the request says how to handle them."""
        user_set = self.get_owned(pk)
        data = self.validated(CompleteWrite, request.data)
        counts = complete_set(user_set=user_set, missing=data["missing"], now=now())
        raised = [{"id": pk, "quantity_on_hand": count} for pk, count in counts.items()]
        return Response({**self.row(user_set.pk), "raised": raised})

    @extend_schema(request=UndoCompleteWrite, responses=UserSetRow)
    @action(detail=True, methods=["post"], url_path="undoComplete")
    def undo_complete(self, request: Request, pk: str) -> Response:
        """Undo a completion, given what it `raised`; 409 if the set was changed since."""
        user_set = self.get_owned(pk)
        data = self.validated(UndoCompleteWrite, request.data)
        raised = {part["id"]: part["quantity_on_hand"] for part in data["raised"]}
        take_back_completion(
            user_set=user_set, state=SetState(data["state"]), raised=raised, now=now()
        )
        return Response(self.row(user_set.pk))

    @extend_schema(request=TakeWrite, responses=TakeRow)
    @action(detail=True, methods=["post"])
    def take(self, request: Request, pk: str) -> Response:
        """Take missing parts out of stock, recorded in the ledger, or (dry run) return the bins."""
        user_set = self.get_owned(pk)
        data = self.validated(TakeWrite, request.data)
        wanted = data.get("parts")
        plan = takes.take_from_stock(
            user_set=user_set,
            wanted=None if wanted is None else {part["id"]: part["quantity"] for part in wanted},
            condition=data.get("condition", ""),
            dry_run=data["dry_run"],
            by=caller_of(request),
            now=now(),
        )
        return Response([_taken(plan)])

    @extend_schema(request=UndoTakeWrite, responses=SetTakeRow)
    @action(detail=True, methods=["post"], url_path="undoTake")
    def undo_take(self, request: Request, pk: str) -> Response:
        """Return the parts of one withdrawal to their bins: all of them or none."""
        user_set = self.get_owned(pk)
        take_id = self.validated(UndoTakeWrite, request.data)["take_id"]
        take = SetTake.objects.filter(user_set=user_set, pk=take_id).first()
        if take is None:
            raise NotFound
        takes.undo_take(take=take, by=caller_of(request), now=now())
        return Response([_take_row(take)])

    @extend_schema(responses=SetTakeRow(many=True))
    @action(detail=True, methods=["get"], url_path="takes", **UNFILTERED)
    def taken(self, request: Request, pk: str) -> Response:
        """The parts taken out of stock for the set, newest first."""
        found = SetTake.objects.filter(user_set=self.get_owned(pk)).order_by("-pk").defer("lines")
        page = self.paginate_queryset(found)
        return self.get_paginated_response([_take_row(take) for take in page or []])

    @extend_schema(
        request=MissingFileWrite,
        responses={
            (200, "application/octet-stream"): OpenApiResponse(
                OpenApiTypes.BINARY, description="the file"
            )
        },
    )
    @action(detail=False, methods=["post"], url_path="missingFile")
    def missing_file(self, request: Request) -> HttpResponse:
        """Download what sets lack together, as a BrickLink wanted list or as CSV with costs."""
        data = self.validated(MissingFileWrite, request.data)
        file = write_missing(owner=store_of(request), user_set_ids=data.pop("user_sets"), **data)
        return download_of(file.content, name=file.name)


def _take_row(take: SetTake) -> dict[str, Any]:
    return {
        "id": take.pk,
        "piece_count": take.piece_count,
        "createdAt": take.created_at,
        "undoneAt": take.undone_at,
    }


def _taken(plan: takes.TakePlan) -> dict[str, Any]:
    picks = sorted(
        plan.picks,
        key=lambda pick: (pick.item.location.sort_key if pick.item.location else "", pick.item.pk),
    )
    return {
        "take_id": plan.take.pk if plan.take else None,
        "pieces": plan.pieces,
        "pick_count": len(picks),
        "still_missing": plan.still_missing,
        "picks": [
            {
                "part_id": pick.requirement.pk,
                "item_number": pick.requirement.lot.item.number,
                "item_name": pick.requirement.lot.item.name,
                "color_name": pick.requirement.lot.color.name,
                "color_html": (
                    f"#{pick.requirement.lot.color.rgb}" if pick.requirement.lot.color.rgb else ""
                ),
                "location_name": pick.item.location.name if pick.item.location else "",
                "condition": pick.item.condition,
                "quantity": pick.quantity,
            }
            for pick in picks[:MOST_PICKS]
        ],
    }
