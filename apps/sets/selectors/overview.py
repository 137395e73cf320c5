"""All open sets with their progress and the cost of their missing parts."""

from dataclasses import dataclass, field
from typing import Any, Final

from django.db.models import Sum

from apps.accounts.models import User
from apps.accounts.selectors import currency_of
from apps.catalog.rules.pricing import NO_FIGURES, rule_price
from apps.catalog.selectors.pricing import price_setting_of, rule_of
from apps.core.worth import Worth
from apps.sets.models import OPEN_STATES, SetRequirement, UserSet
from apps.sets.selectors.parts import figures_of

Row = dict[str, Any]
#: So many are drawn; the list below has all.
MOST_SHOWN: Final = 8


@dataclass(slots=True)
class _Far:
    """How far a set is."""

    id: int
    number: str
    name: str
    required: int
    on_hand: int
    missing: Worth = field(default_factory=Worth)

    def row(self) -> Row:
        return {
            "id": self.id,
            "number": self.number,
            "name": self.name,
            "pieces_required": self.required,
            "pieces_missing": self.required - self.on_hand,
            "percent": self.on_hand * 100 // self.required,
            "cost_of_missing": self.missing.reported,
        }


def overview(*, owner: User) -> Row:
    """Return the open sets whose parts are known, the most complete first, and their sums.

    Prices are by the owner's rule, for each set's condition.
    """
    currency = currency_of(owner)
    rule = rule_of(price_setting_of(user=owner))
    open_sets = UserSet.objects.owned_by(owner).filter(state__in=OPEN_STATES)
    far = {
        pk: _Far(pk, number, name, required, on_hand)
        for pk, number, name, required, on_hand in open_sets.order_by("pk")
        .annotate(
            required=Sum("requirements__quantity_required"),
            on_hand=Sum("requirements__quantity_on_hand"),
        )
        .filter(required__gt=0)
        .values_list("pk", "item__number", "item__name", "required", "on_hand")
    }
    missing = SetRequirement.objects.filter(
        user_set__owner=owner, user_set__state__in=OPEN_STATES
    ).missing()
    figures = figures_of(missing.values("lot_id"), owner=owner, currency=currency)
    without_price: set[int] = set()
    total = Worth()
    for user_set_id, lot_id, required, on_hand, condition in missing.values_list(
        "user_set_id", "lot_id", "quantity_required", "quantity_on_hand", "user_set__condition"
    ).iterator(2_000):
        told = figures.get((lot_id, condition, rule.region), NO_FIGURES)
        price = rule_price(rule, told)
        if price.amount is None:
            without_price.add(lot_id)
        total.add(required - on_hand, price.amount, price.told_at)
        if user_set_id in far:
            far[user_set_id].missing.add(required - on_hand, price.amount)
    ordered = sorted(far.values(), key=lambda one: (-one.on_hand / one.required, one.id))
    return {
        "currency": currency,
        "open_sets": len(ordered),
        "pieces_required": sum(one.required for one in ordered),
        "pieces_on_hand": sum(one.on_hand for one in ordered),
        "cost_of_missing": total.reported,
        "lots_without_price": len(without_price),
        "figuresAt": total.since,
        "sets": [one.row() for one in ordered[:MOST_SHOWN]],
    }
