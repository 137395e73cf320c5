"""How full the bins are."""

from typing import Any

from django.db.models import Count, F, Q

from apps.home.rules import NEARLY_FULL_PERCENT
from apps.locations.models import Location


def bins_in_use(*, owner: Any) -> dict[str, int]:
    """Return how many locations there are, and how many are over 90 % full.

    By the limit that is nearest, of pieces or of weight; a person's "full" counts too.
    """
    percent = NEARLY_FULL_PERCENT
    nearly = (
        Q(is_full=True)
        | Q(max_item_count__gt=0, item_count__gt=F("max_item_count") * percent / 100)
        | Q(max_total_weight__gt=0, stored_weight__gt=F("max_total_weight") * percent / 100)
    )
    return Location.objects.owned_by(owner).aggregate(
        locations=Count("pk"), nearly_full=Count("pk", filter=nearly)
    )
