"""Prove that quantities, ledger, promises, counters and kept sums agree; put wrong ones right."""

import datetime as dt
from dataclasses import dataclass

from django.db import transaction

from apps.accounts.models import User
from apps.core.bulk import insert_rows, instant_text
from apps.inventory.models import Movement, Reason
from apps.inventory.selectors.ledger import (
    CounterDifference,
    PromiseDifference,
    QuantityDifference,
    counter_differences,
    promise_differences,
    quantity_differences,
)
from apps.inventory.services.stock_figures import (
    FigureDifference,
    figure_differences,
    reckon_all,
)
from apps.locations.services import rooms


@dataclass(frozen=True, slots=True)
class LedgerReport:
    """The differences found, and the number of counters corrected."""

    quantities: list[QuantityDifference]
    promises: list[PromiseDifference]
    counters: list[CounterDifference]
    figures: list[FigureDifference]
    fixed: int

    @property
    def is_sound(self) -> bool:
        """Whether all agrees now."""
        if self.quantities or self.promises:
            return False
        return len(self.counters) + len(self.figures) == self.fixed


@transaction.atomic
def check_ledger(*, owner: User | None = None, fix_counters: bool = False) -> LedgerReport:
    """Compare every quantity with its movements and promises, and every counter with its rows.

    `fix_counters` sets wrong counters and cached sums to the sums of the rows. Quantities and
    promised pieces are never set: a person has to find out which side is wrong.
    """
    quantities = list(quantity_differences(owner=owner))
    promises = list(promise_differences(owner=owner))
    counters = list(counter_differences(owner=owner))
    if fix_counters and counters:
        # A concurrent stow can cause a difference: check again with the locations locked.
        rooms.hold(location_ids=[wrong.location_id for wrong in counters])
        counters = list(counter_differences(owner=owner))
        rooms.set_rooms(
            loads=[(wrong.location_id, wrong.pieces, wrong.grams) for wrong in counters]
        )
    figures = []
    for each in [owner] if owner is not None else User.objects.order_by("pk").iterator():
        wrong_sums = figure_differences(owner=each)
        figures += wrong_sums
        if wrong_sums and fix_counters:
            reckon_all(owner=each)
    fixed = len(counters) + len(figures) if fix_counters else 0
    return LedgerReport(quantities, promises, counters, figures, fixed)


@transaction.atomic
def book_differences(*, owner: User, note: str, now: dt.datetime) -> list[QuantityDifference]:
    """Book a correction for each quantity that its movements do not explain; return those.

    For rows just restored, of which some movements could not be.
    """
    wrong = list(quantity_differences(owner=owner))
    fields = ("item_id", "delta", "reason", "program", "cause_kind", "note", "created_at")
    rows = (
        (
            one.item_id,
            one.quantity - one.booked,
            Reason.EDIT.value,
            "",
            "",
            note,
            instant_text(now),
        )
        for one in wrong
    )
    insert_rows(Movement, fields, rows)
    return wrong
