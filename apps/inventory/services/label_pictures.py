"""The pictures of a bin's contents on its label."""

from collections.abc import Sequence

from apps.catalog.rules.images import digest_of
from apps.inventory.models import InventoryItem
from apps.pictures.services.coloring import printed_pictures


def pictures_of_bins(location_ids: Sequence[int]) -> dict[int, bytes]:
    """Return for each bin a picture (PNG) of the lot with the most pieces in it."""
    rows = (
        InventoryItem.objects.filter(location_id__in=location_ids, quantity__gt=0)
        .exclude(lot__item__face="")
        .filter(lot__isnull=False)
        .order_by("location_id", "-quantity", "pk")
        .values_list("location_id", "lot__item__face", "lot__color_id")
    )
    shown: dict[int, tuple[str, int]] = {}
    for location_id, face, color_id in rows.iterator():
        shown.setdefault(location_id, (digest_of(face), color_id))
    pictures = printed_pictures(set(shown.values()))
    return {location: pictures[pair] for location, pair in shown.items() if pair in pictures}
