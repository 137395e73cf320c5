"""Filters of the lists of sets, of their parts, and of the sets that the stock can build."""

from decimal import Decimal
from typing import Any, Final

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django_filters import rest_framework as filters

from apps.catalog.models import Lot
from apps.catalog.rules.kinds import ItemType
from apps.catalog.selectors.same_lots import same_as_moved
from apps.core.api.filters import FilterSet, IdFilter, IdsFilter, WholeFilter
from apps.inventory.models import InventoryItem
from apps.sets.models import BuildableSet, SetRequirement, UserSet

PARTS: Final = [("missing", "missing"), ("on_hand", "on_hand"), ("in_stock", "in_stock")]
KINDS: Final = [("part", "part"), ("minifig", "minifig"), ("other", "other")]


class UserSetFilter(FilterSet):
    """Filters of a person's sets: their own fields and the missing parts."""

    own_fields = """
        item_id location_id source_id state condition sub_condition quantity minifigs_as price_paid
        acquired_on notes createdAt updatedAt
    """

    id = IdsFilter(field_name="id")
    search = filters.CharFilter(method="by_text", help_text="in number, name, theme and notes")
    theme = filters.CharFilter(field_name="item__category_path", lookup_expr="icontains")
    location = IdFilter(field_name="location_id")
    source = IdFilter(field_name="source_id")
    missing_max = WholeFilter(field_name="pieces_missing", lookup_expr="lte")
    percent_min = WholeFilter(method="by_percent", help_text="on hand", max_value=100)
    percent_max = WholeFilter(method="by_percent", help_text="on hand", max_value=100)

    class Meta:
        model = UserSet
        fields: tuple[str, ...] = ()

    def by_text(self, queryset: QuerySet[UserSet], name: str, value: str) -> QuerySet[UserSet]:
        for word in value.split():
            queryset = queryset.filter(
                Q(item__number__icontains=word)
                | Q(item__name__icontains=word)
                | Q(item__category_path__icontains=word)
                | Q(notes__icontains=word)
            )
        return queryset

    def by_percent(self, queryset: QuerySet[Any], name: str, value: Decimal) -> QuerySet[Any]:
        # Percents are rounded down, so all up to the next one count as this one.
        if name == "percent_min":
            return queryset.filter(share__gte=int(value) * 100)
        return queryset.filter(share__lt=(int(value) + 1) * 100)


class SetPartFilter(FilterSet):
    """Parts of one set, or of all of them."""

    own_fields = "user_set_id lot_id quantity_required quantity_on_hand"

    id = IdsFilter(field_name="id")
    user_set = IdFilter(field_name="user_set_id")
    state = filters.ChoiceFilter(
        choices=PARTS,
        method="by_state",
        help_text="missing, all on_hand, or missing and in_stock",
    )
    kind = filters.ChoiceFilter(choices=KINDS, method="by_kind")
    color_id = WholeFilter(field_name="lot__color_id")
    color = filters.CharFilter(field_name="lot__color__name", lookup_expr="icontains")
    search = filters.CharFilter(method="by_text", help_text="in number, name and colour")

    class Meta:
        model = SetRequirement
        fields: tuple[str, ...] = ()

    def by_state(self, queryset: QuerySet[Any], name: str, value: str) -> QuerySet[Any]:
        missing = Q(quantity_on_hand__lt=F("quantity_required"))
        if value == "on_hand":
            return queryset.exclude(missing)
        queryset = queryset.filter(missing)
        if value == "in_stock":
            stock = InventoryItem.objects.owned_by(self.request.user).in_stock()
            stock = stock.filter(reserved="")
            same = same_as_moved(Lot.objects.filter(pk__in=queryset.values("lot")))
            held = {same[pk] for pk in stock.filter(lot__in=same).values_list("lot_id", flat=True)}
            also = [pk for pk, key in same.items() if key in held]
            here = Exists(stock.filter(lot_id=OuterRef("lot_id")))
            queryset = queryset.filter(here | Q(lot__in=also))
        return queryset

    def by_kind(self, queryset: QuerySet[Any], name: str, value: str) -> QuerySet[Any]:
        if value == "part":
            return queryset.filter(lot__item__item_type=ItemType.PART)
        if value == "minifig":
            return queryset.filter(lot__item__item_type=ItemType.MINIFIG)
        return queryset.exclude(lot__item__item_type__in=(ItemType.PART, ItemType.MINIFIG))

    def by_text(self, queryset: QuerySet[Any], name: str, value: str) -> QuerySet[Any]:
        for word in value.split():
            queryset = queryset.filter(
                Q(lot__item__number__icontains=word)
                | Q(lot__item__name__icontains=word)
                | Q(lot__color__name__icontains=word)
            )
        return queryset


class BuildableFilter(FilterSet):
    """The sets of one search."""

    build_search = IdFilter(field_name="found_by_id")
    search = filters.CharFilter(method="by_text", help_text="in number, name and theme")
    missing_max = WholeFilter(method="by_missing", help_text="at most so many pieces missing")

    class Meta:
        model = BuildableSet
        fields: tuple[str, ...] = ()

    def by_missing(self, queryset: QuerySet[Any], name: str, value: Decimal) -> QuerySet[Any]:
        most = min(int(value), 10**9)  # the sum must fit the database's whole numbers
        return queryset.filter(pieces_required__lte=F("pieces_in_stock") + most)

    def by_text(self, queryset: QuerySet[Any], name: str, value: str) -> QuerySet[Any]:
        for word in value.split():
            queryset = queryset.filter(
                Q(item__number__icontains=word)
                | Q(item__name__icontains=word)
                | Q(item__category_path__icontains=word)
            )
        return queryset
