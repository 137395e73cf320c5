"""The demo's sets: one nearly complete, one begun, one to check, one done, one of unknown parts."""

from dataclasses import dataclass
from typing import Final

from apps.accounts.models import User
from apps.catalog.models import Item
from apps.catalog.rules.kinds import ItemType
from apps.sets.models import SetRequirement, SetState
from apps.sets.services.parts import put_aside
from apps.sets.services.sets import add_set


@dataclass(frozen=True, kw_only=True, slots=True)
class DemoSet:
    """A set of the demo, and of how many of ten lots all pieces are on hand."""

    number: str
    state: SetState
    lots_of_ten: int
    paid: str | None = None
    notes: str = ""


DEMO_SETS: Final = (
    DemoSet(number="10350-1", state=SetState.TO_CHECK, lots_of_ten=0, paid="95.0000"),
    DemoSet(
        number="30246-1",
        state=SetState.FOR_SALE,
        lots_of_ten=10,
        paid="1.5000",
        notes="Instructions are there, the bag is not.",
    ),
    DemoSet(number="21015-1", state=SetState.TO_BUILD, lots_of_ten=2, paid="6.0000"),
    DemoSet(number="21021-1", state=SetState.IN_PROGRESS, lots_of_ten=6, paid="9.5000"),
    DemoSet(
        number="31017-1",
        state=SetState.IN_PROGRESS,
        lots_of_ten=9,
        notes="From the estate sale: only small parts are missing.",
    ),
)


def add_demo_sets(*, owner: User) -> None:
    """Add the demo's sets that are in the catalogue, with the parts on hand."""
    known = set(
        Item.objects.filter(
            item_type=ItemType.SET, number__in=[one.number for one in DEMO_SETS]
        ).values_list("number", flat=True)
    )
    for one in DEMO_SETS:
        if one.number not in known:
            continue
        added = add_set(
            owner=owner,
            number=one.number,
            state=one.state,
            price_paid=one.paid,
            notes=one.notes,
        )
        rows = SetRequirement.objects.filter(user_set=added).order_by("pk")
        for place, (lot_id, required) in enumerate(rows.values_list("lot_id", "quantity_required")):
            if place % 10 < one.lots_of_ten:
                put_aside(user_set=added, lot_id=lot_id, quantity=required)
