"""Prove that quantities, ledger and counters agree; put wrong counters right."""

from dataclasses import dataclass
from typing import Any

from django.db import transaction

from apps.inventory.selectors.ledger import (
    CounterDifference,
    QuantityDifference,
    counter_differences,
    quantity_differences,
)
from apps.locations.services import rooms


@dataclass(frozen=True, slots=True)
class LedgerReport:
    """What does not agree, and how many counters were put right."""

    quantities: list[QuantityDifference]
    counters: list[CounterDifference]
    fixed: int

    @property
    def is_sound(self) -> bool:
        """Whether all agrees now."""
        return not self.quantities and len(self.counters) == self.fixed


@transaction.atomic
def check_ledger(*, owner: Any = None, fix_counters: bool = False) -> LedgerReport:
    """Compare every quantity with its movements and every counter with its rows.

    `fix_counters` sets wrong counters to what the rows say. Quantities are never set: which
    side is wrong is for a person to find. 2 queries, 1 to 2 more to fix.
    """
    quantities = list(quantity_differences(owner=owner))
    counters = list(counter_differences(owner=owner))
    if fix_counters and counters:
        # Somebody may be stowing right now: look again with the locations held.
        rooms.hold(location_ids=[wrong.location_id for wrong in counters])
        counters = list(counter_differences(owner=owner))
        rooms.set_rooms(
            loads=[(wrong.location_id, wrong.pieces, wrong.grams) for wrong in counters]
        )
    return LedgerReport(quantities, counters, len(counters) if fix_counters else 0)
