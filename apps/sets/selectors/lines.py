"""The catalogue's lines of a set beside its required parts: spares, alternates, counterparts."""

from typing import Any

from django.db.models import Q

from apps.accounts.models import User
from apps.catalog.models import Component
from apps.catalog.rules.kinds import ItemType
from apps.catalog.selectors.contents import shown_inventories
from apps.sets.models import SetRequirement, UserSet
from apps.sets.rules import Line, LineKind
from apps.sets.selectors.parts import stock_of

Row = dict[str, Any]
_ORDER = {LineKind.SPARE: 0, LineKind.ALTERNATE: 1, LineKind.COUNTERPART: 2}


def left_out_lines(*, user_set: UserSet) -> list[Row]:
    """Return the spares, alternates and counterparts of the set's list."""
    lines = (
        Component.objects.filter(inventory_id=user_set.inventory_id)
        .filter(Q(is_spare=True) | Q(is_alternate=True) | Q(is_counterpart=True))
        .select_related("lot__item", "lot__color")
        .order_by("lot__color__name", "lot__item__sort_key", "pk")
    )
    rows = []
    for each in lines:
        lot = each.lot
        line = Line(
            lot.pk,
            lot.item_id,
            lot.item.item_type,
            each.quantity,
            each.is_spare,
            each.is_alternate,
            each.match_id,
            each.is_counterpart,
        )
        rows.append(
            {
                "id": each.pk,
                "kind": line.kind.value,
                "match_id": each.match_id,
                "lot_id": lot.pk,
                "item_type": lot.item.item_type,
                "item_number": lot.item.number,
                "item_name": lot.item.name,
                "color_name": lot.color.name,
                "color_html": f"#{lot.color.rgb}" if lot.color.rgb else "",
                "quantity": each.quantity * user_set.quantity,
            }
        )
    return sorted(rows, key=lambda row: _ORDER[LineKind(row["kind"])])


def figure_parts(*, owner: User, user_set: UserSet) -> list[Row]:
    """Return the parts of the minifigs that the set requires whole."""
    figures = dict(
        SetRequirement.objects.filter(
            user_set=user_set, lot__item__item_type=ItemType.MINIFIG
        ).values_list("lot__item_id", "lot_id")
    )
    listed = shown_inventories(figures)
    of = {inventory.pk: figures[item_id] for item_id, inventory in listed.items()}
    parts = list(
        Component.objects.filter(
            inventory_id__in=of, is_spare=False, is_alternate=False, is_counterpart=False
        )
        .select_related("lot__item", "lot__color")
        .order_by("inventory_id", "lot__item__sort_key", "pk")
    )
    stock = stock_of(owner, {part.lot_id for part in parts})
    return [
        {
            "id": part.pk,
            "minifig_lot_id": of[part.inventory_id],
            "lot_id": part.lot_id,
            "item_number": part.lot.item.number,
            "item_name": part.lot.item.name,
            "color_name": part.lot.color.name,
            "color_html": f"#{part.lot.color.rgb}" if part.lot.color.rgb else "",
            "quantity": part.quantity,
            "in_stock": stock.get(part.lot_id, 0),
        }
        for part in parts
    ]
