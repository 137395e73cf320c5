"""Which sets a part could go to."""

from typing import Any

from django.db.models import F

from apps.accounts.models import User
from apps.catalog.selectors.same_lots import same_lots
from apps.sets.models import OPEN_STATES, SetRequirement

Row = dict[str, Any]


def set_destinations(*, owner: User, lot_id: int) -> list[Row]:
    """Return the owner's open sets that still lack this lot, the oldest first."""
    lacking = SetRequirement.objects.filter(
        lot_id__in=same_lots([lot_id]),
        user_set__owner=owner,
        user_set__state__in=OPEN_STATES,
        quantity_on_hand__lt=F("quantity_required"),
    ).order_by("user_set_id")
    return [
        {
            "user_set_id": user_set_id,
            "number": number,
            "name": name,
            "qty_required": required,
            "qty_on_hand": on_hand,
        }
        for user_set_id, number, name, required, on_hand in lacking.values_list(
            "user_set_id",
            "user_set__item__number",
            "user_set__item__name",
            "quantity_required",
            "quantity_on_hand",
        )
    ]
