"""`/api/inventoryLocations/{id}/movements` and `/lookAlikes`: the history, and similar lots."""

from typing import Annotated, Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.selectors import store_of
from apps.core.api.fields import ListOf, RowId
from apps.core.api.serializers import AnswerSerializer
from apps.core.api.views import UNFILTERED, UNPAGED, ShowsTwins
from apps.inventory.api.serializers import MovementRow
from apps.inventory.models import Movement
from apps.inventory.selectors.contents import faces_in, look_alikes, movements_of, promised_in


class LocationMovementRow(MovementRow):
    """One line of the ledger that names the location, and the row that it is about."""

    model = Movement
    columns = "item_id"

    balance = None  # type: ignore[assignment]  # of a row, not of a location
    item_number: str
    part_name: str
    color_name: str

    computed = ("item_number", "part_name", "color_name")
    also_select = (
        "item__lot_id",
        "item__lot__item__number",
        "item__lot__item__name",
        "item__lot__color__name",
        "item__raw_item_number",
        "item__raw_item_name",
        "item__raw_color_name",
    )

    def finish(self, row: dict[str, Any]) -> dict[str, Any]:
        is_known = row.pop("item__lot_id") is not None
        known = [
            row.pop(f"item__lot__{name}") for name in ("item__number", "item__name", "color__name")
        ]
        raw = [row.pop(f"item__raw_{name}") for name in ("item_number", "item_name", "color_name")]
        row["item_number"], row["part_name"], row["color_name"] = known if is_known else raw
        return row


class FacesWrite(serializers.Serializer[Any]):
    ids = ListOf(child=RowId(), min_length=1, max_length=500)


class FaceRow(AnswerSerializer):
    item_type: str
    part_name: str
    color_name: str
    color_html: str
    image_url: Annotated[str, "empty where there is no picture"]


class LocationFacesRow(AnswerSerializer):
    location_id: int
    promised: Annotated[int, "pieces in it that are promised to buyers"]
    faces: Annotated[list[FaceRow], "at most three, most pieces first"]


class LookAlikeColor(AnswerSerializer):
    color_name: str
    color_html: str
    quantity: int


class LookAlikeRow(AnswerSerializer):
    """An item in this location in several colours."""

    item_number: str
    part_name: str
    colors: Annotated[list[LookAlikeColor], "most pieces first"]


class LocationContents(ShowsTwins):
    """The contents of one location, now and before."""

    @extend_schema(responses=LocationMovementRow(many=True), filters=False)
    @action(detail=True, methods=["get"], **UNFILTERED)
    def movements(self, request: Request, pk: str) -> Response:
        """What came into the location and went out of it, newest first."""
        rows = movements_of(location=self.get_owned(pk))
        page = self.paginate_queryset(LocationMovementRow.select(rows))
        return self.get_paginated_response(LocationMovementRow(page, many=True).data)

    @extend_schema(responses=LookAlikeRow(many=True), filters=False)
    @action(detail=True, methods=["get"], url_path="lookAlikes", **UNPAGED)
    def look_alikes(self, request: Request, pk: str) -> Response:
        """Items in this location in several colours, which are easily mixed up; at most 20."""
        return Response(look_alikes(location=self.get_owned(pk)))

    @extend_schema(request=FacesWrite, responses=LocationFacesRow(many=True), filters=False)
    @action(
        detail=False,
        methods=["post"],
        applies_once=False,  # it reads; its ids are too long for an address
        **UNPAGED,
    )
    def faces(self, request: Request) -> Response:
        """Pictures of what lies in some locations; those of others, and empty ones, are left out."""
        ids = self.validated(FacesWrite, request.data)["ids"]
        faces = faces_in(owner=store_of(request), ids=ids)
        promised = promised_in(owner=store_of(request), ids=ids)
        found = [
            {"location_id": pk, "promised": promised.get(pk, 0), "faces": faces.get(pk, [])}
            for pk in sorted(faces.keys() | promised.keys())
        ]
        return Response(found)
