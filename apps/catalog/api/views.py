"""The catalogue, read by everybody who is signed in."""

from typing import Any, cast

from django.db.models import QuerySet
from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from apps.accounts.models import User
from apps.accounts.selectors import store_of
from apps.accounts.services.users import preferences_of
from apps.catalog import selectors
from apps.catalog.api import filters, serializers
from apps.catalog.models import Item, Lot
from apps.catalog.models.price import Condition
from apps.catalog.rules.kinds import TYPE_NAMES, Catalogue, ItemType
from apps.catalog.rules.pricing import NO_FIGURES, is_old, rule_price
from apps.catalog.rules.sites import external_sites
from apps.catalog.selectors.contents import contents_of, items_with, quantities_in
from apps.catalog.selectors.faces import item_image
from apps.catalog.selectors.figures import price_figures, reference_of
from apps.catalog.selectors.price_history import price_history
from apps.catalog.selectors.pricing import price_setting_of, rule_of
from apps.catalog.services.prices import change_price_setting
from apps.catalog.services.starter import starter_numbers
from apps.core.api.filters import LARGEST_COUNT
from apps.core.api.rendering import success
from apps.core.api.serializers import RowSerializer
from apps.core.api.views import UNFILTERED, UNPAGED, ApiView, KnownParameters
from apps.core.clock import now

MAX_HITS = 100
# The colour and category seen in a picture narrow a search, too.
SEEN = frozenset({"color_id", "category"})
SEARCH_ALONE = frozenset({"search", "item_type", "page", "page_size"})
Rows = list[Any]
CONDITION = OpenApiParameter(
    "condition", str, enum=["N", "U"], description="of reference_price; U by default"
)


class ReadView(KnownParameters, GenericViewSet[Any]):
    """Lists rows of a shared table."""

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
        """Add the fields that are read for all rows of a page together."""
        return rows


class ItemViewSet(ReadView):
    row_serializer = serializers.ItemRow
    filterset_class = filters.ItemFilters
    ordered_by = "item_number=sort_key item_name=name"
    ordering = "item_number"

    def get_serializer_class(self) -> Any:
        return serializers.ItemDetail if self.action == "retrieve" else self.row_serializer

    @extend_schema(
        parameters=[
            OpenApiParameter(
                "search",
                {"type": "string", "pattern": r"^[^\x00]*$"},  # blank, too
                description=(
                    "Number, old number, element id or words of the name, best first; or "
                    "several numbers between commas or on lines of their own, in their order"
                ),
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
        if item_type is not None and item_type not in TYPE_NAMES:
            raise ValidationError({"item_type": [f"must be one of {', '.join(TYPE_NAMES)}"]})
        pages: Any = self.paginator
        limit = min(pages.get_page_size(request), MAX_HITS)
        pages.number_asked(request)
        # The best match narrows and sorts by itself; what cannot be read is refused all the same.
        asked = request.query_params
        narrowed = (
            self.filter_queryset(self.get_queryset()) if asked.keys() - SEARCH_ALONE else None
        )
        answer = selectors.search_items(
            text,
            person=store_of(request),
            item_type=item_type,
            limit=limit,
            within=narrowed if asked.keys() & SEEN else None,
            seen_color=_whole(request, "color_id"),
        )
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
                "color_text": hit.color_text or None,
                "asked": hit.asked or None,
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

    @extend_schema(parameters=[CONDITION])
    def retrieve(self, request: Request, pk: str) -> Response:
        """Return one item with its colours, prices and other sites."""
        item = Item.objects.select_related("replaced_by").filter(pk=pk).first()
        if item is None:
            raise Http404
        aliases = item.aliases.filter(catalogue=Catalogue.REBRICKABLE, is_current=True)
        rebrickable = aliases.order_by("rank", "pk").values_list("value", flat=True).first()
        if rebrickable is None and item.origin == Catalogue.REBRICKABLE:
            rebrickable = item.number
        lots = LotViewSet.priced(
            request,
            Lot.objects.visible_to(store_of(request)).filter(item=item).order_by("color__name"),
        )
        image = item_image(item.item_type, item.number, item.image_url, item.origin, item.face)
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
                "replaced_by_number": item.replaced_by.number if item.replaced_by else None,
                "year_released": item.year_released,
                "dimensions": item.dimensions,
                "score": None,
                "matched": None,
                "color_id": None,
                "asked": None,
                "color_text": None,
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

    @extend_schema(responses=serializers.CommonPartRow(many=True), filters=False)
    @action(detail=False, **UNPAGED)
    def common(self, request: Request) -> Response:
        """List the common parts with their colours, for a station without a connection."""
        parts = Item.objects.filter(item_type=ItemType.PART, number__in=starter_numbers())
        finish = serializers.CommonPartRow().finish
        selected = serializers.CommonPartRow.select(parts.order_by("sort_key"))
        rows = {row["id"]: {**finish(row), "color_ids": [], "lot_ids": []} for row in selected}
        lots = Lot.objects.filter(item_id__in=rows, is_known=True).order_by("pk")
        for item, color, lot in lots.values_list("item_id", "color_id", "pk"):
            rows[item]["color_ids"].append(color)
            rows[item]["lot_ids"].append(lot)
        return Response(list(rows.values()))

    @extend_schema(responses=serializers.ComponentRow(many=True), filters=False)
    @action(detail=True, **UNFILTERED)
    def contents(self, request: Request, pk: str) -> Response:
        """List the parts of an item: none for a brick, or if no catalogue has them."""
        self.there(pk)
        rows = serializers.ComponentRow.select(
            contents_of(item_id=int(pk)).order_by(
                "is_counterpart", "is_spare", "match_id", "is_alternate", "lot__item__name", "pk"
            )
        )
        return self.page_of(rows, serializers.ComponentRow)

    @extend_schema(
        responses=serializers.ContainingItemRow(many=True),
        filters=False,
        parameters=[
            OpenApiParameter("item_type", str, enum=[*TYPE_NAMES]),
            OpenApiParameter(
                "color_id",
                {"type": "integer", "minimum": 0, "maximum": LARGEST_COUNT},
                description="only where it is in this colour",
            ),
        ],
    )
    @action(detail=True, **UNFILTERED)
    def appearsIn(self, request: Request, pk: str) -> Response:
        """List the items that this one is a part of, with how many of it."""
        self.there(pk)
        kind = request.query_params.get("item_type") or None
        if kind is not None and kind not in TYPE_NAMES:
            raise ValidationError({"item_type": ["is no item type"]})
        color_id = _whole(request, "color_id")
        found = items_with(item_id=int(pk), color_id=color_id)
        if kind is not None:
            found = found.filter(item_type=kind)
        rows = serializers.ItemRow.select(found.order_by("item_type", "sort_key", "pk"))
        page = self.paginate_queryset(rows) or []
        counts = quantities_in((row["id"] for row in page), item_id=int(pk), color_id=color_id)
        finish = serializers.ContainingItemRow().finish
        return self.get_paginated_response(
            [{**finish(row), "quantity": counts.get(row["id"], 0)} for row in page]
        )

    def there(self, pk: str) -> None:
        if not Item.objects.filter(pk=pk).exists():
            raise Http404

    def page_of(self, rows: QuerySet[Any], row_serializer: type[RowSerializer]) -> Response:
        page = self.paginate_queryset(rows) or []
        return self.get_paginated_response([row_serializer().finish(row) for row in page])


def _whole(request: Request, name: str) -> int | None:
    text = request.query_params.get(name, "")
    if not text:
        return None
    is_whole = text.isascii() and text.isdecimal() and len(text) <= len(str(LARGEST_COUNT))
    if not is_whole or int(text) > LARGEST_COUNT:
        raise ValidationError({name: ["must be a whole number"]})
    return int(text)


class LotViewSet(ReadView):
    row_serializer = serializers.PricedLotRow
    filterset_class = filters.LotFilters
    ordered_by = "color_name=color__name color_id"
    ordering = "color_name"

    def get_queryset(self) -> Any:
        return Lot.objects.visible_to(store_of(self.request))

    @extend_schema(parameters=[CONDITION])
    def list(self, request: Request) -> Response:
        """List lots (items in a colour), of `item`, with the figures of their prices."""
        return super().list(request)

    @extend_schema(responses=serializers.LotPricesRow, filters=False)
    @action(detail=True, **UNPAGED)
    def prices(self, request: Request, pk: str) -> Response:
        """Return all figures of a lot with their samples, and its last 365 days."""
        if not self.get_queryset().filter(pk=pk).exists():
            raise Http404
        owner = cast("User", request.user)
        currency = preferences_of(user=owner).currency
        told = price_history(owner=owner, lot_id=int(pk), currency=currency, today=now().date())
        return Response(told)

    def complete(self, rows: Rows) -> Rows:
        return add_prices(self.request, rows)

    @staticmethod
    def priced(request: Request, lots: QuerySet[Any]) -> Rows:
        rows = [serializers.LotRow().finish(row) for row in serializers.LotRow.select(lots)]
        return add_prices(request, rows)


def add_prices(request: Request, rows: Rows) -> Rows:
    """Add to each lot its figures in the caller's currency, and its price by the rule."""
    condition = request.query_params.get("condition", Condition.USED)
    if condition not in Condition.values:
        raise ValidationError({"condition": ["must be N or U"]})
    user = cast("User", request.user)
    currency = preferences_of(user=user).currency
    rule = rule_of(price_setting_of(user=user))
    figures, market = price_figures(
        [row["id"] for row in rows],
        owner=user,
        currency=currency,
        condition=condition,
        region=rule.region,
    )
    for row in rows:
        told = figures[row["id"]]
        row.update(told)
        reference = reference_of(told, condition=condition)
        row["reference_price"], row["reference_basis"] = reference.amount, reference.basis
        suggested = rule_price(rule, market.get(row["id"], NO_FIGURES))
        row["figures_are_old"] = is_old(suggested.told_at or row["bricklinkSyncedAt"], now=now())
        row["suggested_price"], row["suggested_basis"] = suggested.amount, suggested.found_by
    return rows


class ColorViewSet(ReadView):
    row_serializer = serializers.ColorRow
    filterset_class = filters.ColorFilters
    ordered_by = "name id part_count"
    ordering = "name"


class CategoryViewSet(ReadView):
    row_serializer = serializers.CategoryRow
    filterset_class = filters.CategoryFilters
    ordered_by = "path id"
    ordering = "path"


class PriceRuleView(ApiView):
    """How the caller prices lots, and which lots are of low or high value."""

    @extend_schema(responses=serializers.PriceRuleRow)
    def get(self, request: Request) -> Response:
        """Return the rule; the defaults if nothing was changed."""
        setting = price_setting_of(user=cast("User", request.user))
        return Response(serializers.PriceRuleRow(setting).data)

    @extend_schema(request=serializers.PriceRuleRow, responses=serializers.PriceRuleRow)
    def patch(self, request: Request) -> Response:
        """Change some of it."""
        user = cast("User", request.user)
        told = serializers.PriceRuleRow(
            price_setting_of(user=user), data=request.data, partial=True
        )
        told.is_valid(raise_exception=True)
        setting = change_price_setting(user=user, changes=told.validated_data)
        return Response(serializers.PriceRuleRow(setting).data)
