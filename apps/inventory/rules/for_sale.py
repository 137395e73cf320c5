"""Decides which lots are for sale on a channel, how many of their pieces, and for how much. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from typing import Final, NamedTuple

from apps.core.money import AMOUNT_LIMIT, PLACES
from apps.exchange.bsx_lot import BsxLot

#: Prices of a channel end in a multiple of one of these.
ROUNDINGS: Final = tuple(map(Decimal, ("0.0001", "0.001", "0.01", "0.05", "0.1", "1")))
ONE: Final = Decimal(1)
HUNDRED: Final = Decimal(100)


@dataclass(frozen=True, slots=True, kw_only=True)
class SaleRule:
    """What a channel gets of the stock; as it is made, all of it at the person's prices.

    `rate` is units of the channel's currency for one of the person's.
    """

    left_out_types: frozenset[str] = frozenset()  # letters
    left_out_categories: frozenset[int] = frozenset()
    left_out_stockrooms: frozenset[str] = frozenset()
    left_out_marker: str = ""
    least_value: Decimal | None = None
    most_value: Decimal | None = None
    least_pieces: int = 1
    keep_back: int = 0
    percent: Decimal = HUNDRED
    rate: Decimal = ONE
    rounding: Decimal = PLACES

    @property
    def changes_prices(self) -> bool:
        """Whether the prices there are other ones than the person's."""
        return (self.percent, self.rate, self.rounding) != (HUNDRED, ONE, PLACES)

    @property
    def is_everything(self) -> bool:
        """Whether all of the stock is for sale there at the person's prices."""
        return self == EVERYTHING

    def why_not(self, lot: BsxLot) -> str:
        """Return why a lot is not for sale there, '' where it is."""
        if lot.item_type in self.left_out_types:
            return "Its item type is not for sale there."
        if lot.category_id in self.left_out_categories:
            return "Its category is not for sale there."
        if lot.stockroom in self.left_out_stockrooms:
            return f"Stockroom {lot.stockroom} is not for sale there."
        if self.left_out_marker and lot.marker_text.strip().casefold() == self.left_out_marker:
            return "Its marker keeps it from sale there."
        if lot.price is not None:
            value = lot.price * max(lot.quantity, 0)
            if self.least_value is not None and value < self.least_value:
                return f"Its {value:,.2f} are less than what is for sale there."
            if self.most_value is not None and value > self.most_value:
                return f"Its {value:,.2f} are more than what is for sale there."
        if lot.quantity < self.least_pieces:
            return f"Lots of fewer than {self.least_pieces} pieces are not for sale there."
        if lot.quantity <= self.keep_back:
            return f"Its last {self.keep_back} pieces are kept back."
        return ""

    def price_there(self, price: Decimal) -> Decimal:
        """Return what a person's price becomes there: never 0 where it was more."""
        if not price or not self.changes_prices:
            return price
        exact = price * self.rate * self.percent / HUNDRED
        steps = (exact / self.rounding).quantize(ONE, rounding=ROUND_HALF_UP)
        return min(max(steps, ONE) * self.rounding, AMOUNT_LIMIT - ONE).quantize(PLACES)

    def price_here(self, price: Decimal) -> Decimal:
        """Return the person's price of which one there was made, but for its rounding."""
        if not price or not self.changes_prices:
            return price
        exact = price * HUNDRED / self.percent / self.rate
        return min(max(exact.quantize(PLACES), PLACES), AMOUNT_LIMIT - ONE)

    def pieces_there(self, lot: BsxLot) -> int:
        """Return how many free pieces of a lot are for sale there."""
        return 0 if self.why_not(lot) else lot.quantity - self.keep_back

    def lot_there(self, lot: BsxLot) -> BsxLot:
        """Return a lot of the stock, with its free pieces, as the channel is to have it."""
        if self.is_everything:
            return lot
        pieces = self.pieces_there(lot)
        if not self.changes_prices:
            return replace(lot, quantity=pieces)
        return replace(
            lot,
            quantity=pieces,
            price=None if lot.price is None else self.price_there(lot.price),
            tp1=self.price_there(lot.tp1),
            tp2=self.price_there(lot.tp2),
            tp3=self.price_there(lot.tp3),
        )

    def lot_here(self, lot: BsxLot) -> BsxLot:
        """Return a lot that a channel has and the stock has not, at the person's prices."""
        if not self.changes_prices:
            return lot
        return replace(
            lot,
            price=None if lot.price is None else self.price_here(lot.price),
            tp1=self.price_here(lot.tp1),
            tp2=self.price_here(lot.tp2),
            tp3=self.price_here(lot.tp3),
        )


#: Of a channel without rules.
EVERYTHING: Final = SaleRule()


class ForSale(NamedTuple):
    """What of a stock is for sale on a channel; `examples` are lots with other prices there."""

    lots: int
    of_lots: int
    pieces: int
    repriced: int
    examples: list[tuple[str, Decimal, Decimal]]


MOST_EXAMPLES: Final = 10


def for_sale(lots: Iterable[BsxLot], rule: SaleRule) -> ForSale:
    """Return what of these lots is for sale by a rule, with the largest changes of prices."""
    count = of_lots = pieces = repriced = 0
    found: list[tuple[Decimal, str, Decimal, Decimal]] = []
    for lot in lots:
        of_lots += 1
        there = rule.pieces_there(lot)
        if there <= 0:
            continue
        count += 1
        pieces += there
        price = rule.price_there(lot.price or Decimal())
        if lot.price and price != lot.price:
            repriced += 1
            name = " ".join(part for part in (lot.item_number, lot.color_name) if part)
            found.append((abs(price / lot.price - ONE), name, lot.price, price))
            if len(found) > MOST_EXAMPLES * 50:
                found = sorted(found, key=lambda each: (-each[0], each[1]))[:MOST_EXAMPLES]
    found.sort(key=lambda each: (-each[0], each[1]))
    return ForSale(count, of_lots, pieces, repriced, [each[1:] for each in found[:MOST_EXAMPLES]])
