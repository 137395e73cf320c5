"""The catalogue, read by everybody who is signed in."""

from typing import Any, cast

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from apps.accounts.models import User
from apps.accounts.services.users import preferences_of
from apps.catalog import selectors
from apps.catalog.api import filters, serializers
from apps.catalog.models import Category, Color, Item, Lot
from apps.catalog.models.price import Condition
from apps.catalog.rules.images import item_image
from apps.catalog.rules.kinds import Catalogue
from apps.catalog.rules.sites import external_sites
from apps.catalog.selectors.figures import price_figures, reference_of
from apps.core.api.rendering import success
from apps.core.api.serializers import RowSerializer

MAX_HITS = 100
Rows = list[Any]


class ReadView(GenericViewSet[Any]):
    """Lists rows of a shared table."""

    row_serializer: type[RowSerializer]
    lookup_value_regex = r"\d{1,18}"

    def get_serializer_class(self) -> Any:
        return self.row_serializer

    def list(self, request: Request) -> Response:
        queryset = self.row_serializer.select(self.filter_queryset(self.get_queryset()))
        rows = self.paginate_queryset(queryset)
        return self.get_paginated_response(
            self.complete([self.row_serializer().finish(row) for row in rows or []])
        )

    def complete(self, rows: Rows) -> Rows:
        """Add to the rows of a page what needs one more query for all of them."""
        return rows


class ItemViewSet(ReadView):
    queryset = Item.objects.all()
    row_serializer = serializers.ItemRow
    filterset_class = filters.ItemFilters
    ordering_fields = {"item_number": "number_key", "item_name": "name"}
    ordering = "item_number"

    def get_serializer_class(self) -> Any:
        return serializers.ItemDetail if self.action == "retrieve" else self.row_serializer

    @extend_schema(
        parameters=[
            OpenApiParameter(
                "search",
                str,
                description="Number, old number, element id or words of the name; best first",
            )
        ]
    )
    def list(self, request: Request) -> Response:
        """List items by number, or what matches `search`, best first (at most 100)."""
        text = request.query_params.get("search", "")
        if not text.strip():
            return super().list(request)
        return self._search(request, text)

    def _search(self, request: Request, text: str) -> Response:
        item_type = request.query_params.get("item_type") or None
        if item_type is not None and item_type not in serializers.ITEM_TYPES:
            raise ValidationError(
                {"item_type": [f"must be one of {', '.join(serializers.ITEM_TYPES)}"]}
            )
        limit = min(self.paginator.get_page_size(request), MAX_HITS)  # type: ignore[union-attr]
        answer = selectors.search_items(text, item_type=item_type, limit=limit)
        rows = [
            {
                "id": hit.id,
                "item_id": hit.id,
                "item_number": hit.number,
                "item_name": hit.name,
                "item_type": hit.item_type,
                "category": hit.category or "",
                "weight": hit.weight_grams,
                "image_url": hit.image_url or None,
                "is_retired": hit.is_retired,
                "score": hit.score,
                "matched": hit.matched,
                "color_id": hit.color_id,
            }
            for hit in answer.hits
        ]
        return Response(
            success(
                rows,
                pagination={
                    "page": 1,
                    "page_size": limit,
                    "total_items": len(rows),
                    "total_pages": 1,
                },
                did_you_mean=list(answer.did_you_mean),
            )
        )

    def retrieve(self, request: Request, pk: str) -> Response:
        """Return one item with its colours, prices and other sites."""
        item = Item.objects.filter(pk=pk).first()
        if item is None:
            raise Http404
        aliases = item.aliases.filter(catalogue=Catalogue.REBRICKABLE, is_current=True)
        rebrickable = aliases.order_by("rank", "pk").values_list("value", flat=True).first()
        if rebrickable is None and item.origin == Catalogue.REBRICKABLE:
            rebrickable = item.number
        lots = LotViewSet.priced(request, Lot.objects.filter(item=item).order_by("color__name"))
        image = item_image(item.item_type, item.number, item.image_url, item.origin)
        return Response(
            {
                "id": item.pk,
                "item_id": item.pk,
                "number": item.number,
                "name": item.name,
                "type": item.item_type,
                "item_number": item.number,
                "item_name": item.name,
                "item_type": item.item_type,
                "category": item.category_path,
                "weight": item.weight_grams,
                "image_url": image,
                "img_url": image,
                "is_retired": item.is_retired,
                "year_released": item.year_released,
                "dimensions": item.dimensions,
                "score": None,
                "matched": None,
                "color_id": None,
                "is_minifigure_item": item.item_type == "MINIFIG",
                "external_sites": external_sites(
                    item.item_type,
                    item.number,
                    is_bricklink=item.origin == Catalogue.BRICKLINK,
                    rebrickable_number=rebrickable,
                ),
                "lots": lots,
            }
        )


class LotViewSet(ReadView):
    queryset = Lot.objects.all()
    row_serializer = serializers.PricedLotRow
    filterset_class = filters.LotFilters
    ordering_fields = {"color_name": "color__name", "color_id": "color_id"}
    ordering = "color_name"

    @extend_schema(
        parameters=[
            OpenApiParameter(
                "condition", str, enum=["N", "U"], description="Of reference_price; U by default"
            )
        ]
    )
    def list(self, request: Request) -> Response:
        """List lots (items in a colour), of `item`, with the figures of their prices."""
        return super().list(request)

    def complete(self, rows: Rows) -> Rows:
        return add_prices(self.request, rows)

    @staticmethod
    def priced(request: Request, lots: Any) -> Rows:
        rows = [serializers.LotRow().finish(row) for row in serializers.LotRow.select(lots)]
        return add_prices(request, rows)


def add_prices(request: Request, rows: Rows) -> Rows:
    """Add to each lot its figures in the caller's currency. 2 queries."""
    condition = request.query_params.get("condition", Condition.USED)
    if condition not in Condition.values:
        raise ValidationError({"condition": ["must be N or U"]})
    currency = preferences_of(user=cast("User", request.user)).currency
    figures = price_figures([row["id"] for row in rows], currency=currency)
    for row in rows:
        row.update(figures[row["id"]])
        row["reference_price"] = reference_of(figures[row["id"]], condition=condition).amount
    return rows


class ColorViewSet(ReadView):
    queryset = Color.objects.all()
    row_serializer = serializers.ColorRow
    filterset_class = filters.ColorFilters
    ordering_fields = {"name": "name", "id": "id", "part_count": "part_count"}
    ordering = "name"


class CategoryViewSet(ReadView):
    queryset = Category.objects.all()
    row_serializer = serializers.CategoryRow
    filterset_class = filters.CategoryFilters
    ordering_fields = {"path": "path", "id": "id"}
    ordering = "path"
