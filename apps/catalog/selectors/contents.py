"""The parts of an item, and the items that contain it."""

from collections.abc import Iterable

from django.db.models import Case, IntegerField, QuerySet, Sum, Value, When

from apps.catalog.models import Component, Item, ItemInventory
from apps.catalog.rules.kinds import Catalogue

# Whose list is shown where several have one: the numbers of BrickLink are the product's.
_BY_TRUST = Case(
    When(catalogue=Catalogue.BRICKLINK, then=Value(0)),
    When(catalogue=Catalogue.REBRICKABLE, then=Value(1)),
    default=Value(2),
    output_field=IntegerField(),
)


def shown_inventory(*, item_id: int) -> int | None:
    """Return the inventory shown as an item's contents: present, best source, newest."""
    found = ItemInventory.objects.filter(item_id=item_id, has_components=True).order_by(
        "is_retired", _BY_TRUST, "-version", "pk"
    )
    return found.values_list("pk", flat=True).first()


def shown_inventories(item_ids: Iterable[int]) -> dict[int, ItemInventory]:
    """Return the inventory shown as each item's contents, as `shown_inventory`."""
    rows = ItemInventory.objects.filter(item_id__in=list(item_ids), has_components=True)
    found: dict[int, ItemInventory] = {}
    for row in rows.order_by("item_id", "is_retired", _BY_TRUST, "-version", "pk"):
        found.setdefault(row.item_id, row)
    return found


def contents_of(*, item_id: int) -> QuerySet[Component]:
    """Return the components of an item; none where no source lists them."""
    inventory = shown_inventory(item_id=item_id)
    return (
        Component.objects.filter(inventory_id=inventory) if inventory else Component.objects.none()
    )


def items_with(*, item_id: int, color_id: int | None = None) -> QuerySet[Item]:
    """Return the items that a present inventory lists this one in, in any or one colour."""
    return Item.objects.filter(pk__in=_uses(item_id, color_id).values("inventory__item_id"))


def quantities_in(
    item_ids: Iterable[int], *, item_id: int, color_id: int | None = None
) -> dict[int, int]:
    """Return how many of an item the largest inventory of each other one lists."""
    found: dict[int, int] = {}
    rows = (
        _uses(item_id, color_id)
        .filter(inventory__item_id__in=list(item_ids))
        .values_list("inventory__item_id", "inventory_id")
        .annotate(pieces=Sum("quantity"))
    )
    for owner, _, pieces in rows:
        found[owner] = max(found.get(owner, 0), pieces)
    return found


def _uses(item_id: int, color_id: int | None) -> QuerySet[Component]:
    lots = {"lot__item_id": item_id} | ({} if color_id is None else {"lot__color_id": color_id})
    return Component.objects.filter(
        **lots,
        is_alternate=False,
        is_spare=False,
        is_counterpart=False,
        inventory__is_retired=False,
    )
