"""What re-pricing makes of rows of lots, in stock and in batches."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final, TypeVar

from apps.accounts.models import User
from apps.catalog.rules.pricing import PriceBy, Repricing
from apps.catalog.selectors.pricing import new_prices
from apps.core.money import money_text
from apps.core.worth import Worth
from apps.lots.models import LotFields

MOST_SHOWN: Final = 200
Row = TypeVar("Row", bound=LotFields)


@dataclass(frozen=True, slots=True)
class PriceChange:
    """The new price of one row; `is_marked`: the market has no figure for it."""

    item_id: int
    before: Decimal | None
    after: Decimal | None
    found_by: str
    is_marked: bool

    def told(self) -> dict[str, Any]:
        """Return it under its wire names."""
        return {
            "before": money_text(self.before),
            "after": money_text(self.after),
            "found_by": self.found_by,
            "is_marked": self.is_marked,
        }


@dataclass(slots=True)
class Repricings:
    """The result of re-pricing or of its preview: counts, the rows' worth, the first rows."""

    row_count: int = 0
    changed: int = 0
    without_data: int = 0
    # By the price rule: rows without figures of the market, whatever the rule does then.
    without_figures: int = 0
    before: Worth = field(default_factory=Worth)
    after: Worth = field(default_factory=Worth)
    rows: list[PriceChange] = field(default_factory=list)

    def price(
        self, rows: Sequence[Row], how: Repricing, *, owner: User
    ) -> Iterator[tuple[Row, Decimal | None]]:
        """Count the results of rows; yield those whose price changes, with the new one."""
        for row, new in zip(rows, new_prices(rows, how, user=owner), strict=True):
            before = row.price
            self.row_count += 1
            self.before.add(row.quantity, before)
            self.after.add(row.quantity, new.price)
            self.without_data += new.is_marked
            self.without_figures += how.by is PriceBy.RULE and new.found_by == ""
            if (new.price != before or new.is_marked) and len(self.rows) < MOST_SHOWN:
                change = PriceChange(row.pk, before, new.price, new.found_by, new.is_marked)
                self.rows.append(change)
            if new.price != before:
                self.changed += 1
                yield row, new.price

    def told(self) -> dict[str, Any]:
        """Return counts and worths under their wire names."""
        return {
            "changed": self.changed,
            "without_data": self.without_data,
            "without_figures": self.without_figures,
            "value_before": money_text(self.before.value),
            "lots_without_price_before": self.before.lots_without_price,
            "value_after": money_text(self.after.value),
            "lots_without_price_after": self.after.lots_without_price,
        }
