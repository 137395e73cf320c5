"""Search lines of what this run touched."""

from django.db.models import Max

from apps.catalog.models import Item, ItemAlias
from apps.catalog.services.imports.work import Work
from apps.catalog.services.texts import refresh_texts


def last_alias(work: Work) -> int:
    """Return the highest alias id before this run adds any."""
    return ItemAlias.objects.aggregate(last=Max("pk"))["last"] or 0


def refresh_touched(work: Work, *, aliases_after: int, everything: bool = False) -> None:
    """Refresh the lines of items that this run changed, gave a number, or found without one."""
    with work.table("search lines") as figures:
        if everything:
            touched = list(Item.objects.order_by("pk").values_list("pk", flat=True))
        else:
            touched = [
                pk
                for (pk,) in work.stage.rows(
                    "SELECT i.id FROM catalog_item i WHERE i.updated_at = %s "
                    "OR NOT EXISTS (SELECT 1 FROM catalog_itemtext t WHERE t.item_id = i.id) "
                    "OR i.id IN (SELECT a.item_id FROM catalog_itemalias a WHERE a.id > %s) "
                    "ORDER BY i.id",
                    (work.stamp, aliases_after),
                )
            ]
        figures.rows += len(touched)
        figures.changed += refresh_texts(item_ids=touched)
        work.stage.analyze("catalog_itemtext")
