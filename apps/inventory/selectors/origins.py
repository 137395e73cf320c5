"""Which batches a row's pieces came from.

Batches are the app above: their items are reached by `batch_items`, the reverse of their foreign
key, and their batches by `batch`; nothing of theirs is imported.
"""

from typing import Any

from django.db.models import Count, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from apps.inventory.models import InventoryItem


def with_source_batch(items: QuerySet[Any]) -> QuerySet[Any]:
    """Annotate the batch whose item was stowed into each row last, and how many there are.

    `batch_id` and `batch_name` (None where no batch put anything there), `batch_count`. Pieces
    that were carried here from another row are not followed. Three looks into the index of batch
    items by their stock row, per row shown.
    """
    stowed = _batch_items().objects.filter(inventory_item=OuterRef("pk"), is_stowed=True)
    last = stowed.order_by("-stowed_at", "-pk")
    # Grouped by what all of them share, so that it is one number.
    counted = stowed.order_by().values("inventory_item").annotate(n=Count("batch", distinct=True))
    return items.annotate(
        batch_id=Subquery(last.values("batch")[:1]),
        batch_name=Subquery(last.values("batch__name")[:1]),
        batch_count=Coalesce(Subquery(counted.values("n"), output_field=IntegerField()), 0),
    )


def from_batches(items: QuerySet[Any], *, owner: Any, **which: Any) -> QuerySet[Any]:
    """Return the rows that something of the owner's batches was stowed into.

    `which` narrows the batches by their own columns. The batches first, then their items: each is
    found by an index.
    """
    batches = _batch_items()._meta.get_field("batch").related_model
    mine = batches.objects.owned_by(owner).filter(**which).order_by()
    # The owner once more, lest PostgreSQL read everybody's items for many batches.
    stowed = _batch_items().objects.owned_by(owner).filter(is_stowed=True, batch__in=mine)
    return items.filter(pk__in=stowed.order_by().values("inventory_item"))


def _batch_items() -> Any:
    return InventoryItem._meta.get_field("batch_items").related_model
