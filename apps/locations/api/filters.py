"""The filters of the list of locations."""

from decimal import Decimal
from typing import Any, Final

import django_filters as filters
from django.db.models import F, Q, QuerySet

from apps.core.api.filters import BooleanFilter, FilterSet, IdOrNoneFilter, IdsFilter
from apps.locations.models import OVER_A_LIMIT, TAKES_NO_MORE, ContainerType, Location
from apps.locations.rules.sizes import SIZES

NEARLY: Final = Decimal("0.9")
FILLS = [
    ("empty", "empty"),
    ("nearly_full", "nearly full"),
    ("full", "takes no more"),
    ("over", "over a limit"),
]


class LocationFilter(FilterSet):
    own_fields = """
        name description inventory_container_type_id=container_type_id max_item_count
        max_total_weight min_item_weight max_item_weight item_count stored_weight is_full
        exclude_from_recommendations labelPrintedAt createdAt updatedAt
    """

    search = filters.CharFilter(method="by_text", help_text="in name, code and description")
    id = IdsFilter(field_name="id")
    container_type = IdOrNoneFilter(field_name="container_type_id")
    size_class = filters.ChoiceFilter(
        choices=SIZES, method="by_size", help_text="of its container type"
    )
    fill = filters.ChoiceFilter(choices=FILLS, method="by_fill")
    label_printed = BooleanFilter(
        method="by_label", help_text="whether a label with its present name was made"
    )
    code = filters.CharFilter(
        lookup_expr="iexact", help_text="what a scanner read after LOC:, in whatever case"
    )

    class Meta:
        model = Location
        fields: tuple[str, ...] = ()

    def by_text(self, queryset: QuerySet[Any], name: str, value: str) -> Any:
        for word in value.split()[:8]:
            queryset = queryset.filter(
                Q(name__icontains=word) | Q(code__icontains=word) | Q(description__icontains=word)
            )
        return queryset

    def by_size(self, queryset: QuerySet[Any], name: str, value: str) -> Any:
        # A person has few types: their locations are found by the index of the foreign key.
        mine = ContainerType.objects.owned_by(self.request.user).filter(size_class=value)
        return queryset.filter(container_type__in=mine)

    def by_label(self, queryset: QuerySet[Any], name: str, value: bool) -> Any:
        # Not as exclude(): SQLite finds the index of those without a label by this condition.
        return queryset.filter(label_printed_at__isnull=not value)

    def by_fill(self, queryset: QuerySet[Any], name: str, value: str) -> Any:
        if value == "empty":
            return queryset.filter(item_count=0)
        if value == "full":
            return queryset.filter(TAKES_NO_MORE)
        if value == "over":
            return queryset.filter(OVER_A_LIMIT)
        return queryset.filter(
            Q(item_count__gte=F("max_item_count") * NEARLY)
            | Q(stored_weight__gte=F("max_total_weight") * NEARLY),
            item_count__gt=0,
        )
