"""The proceeds of sold pieces, by the batch that they came from."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, partial
from typing import Any

from django.db.models import F, QuerySet

from apps.accounts.models import User
from apps.batches.models import BatchItem
from apps.core.prepared import Slot
from apps.inventory.selectors.origins import batch_items_of_sold, lines_that_may_be_of
from apps.orders.models import OrderLine, OrderOrigin
from apps.orders.rules.profit import cost_of_piece, fees_of, kept_share
from apps.orders.selectors.sales import refunded_shares


@dataclass(slots=True)
class SoldSums:
    """Pieces that buyers kept, the price they paid, and the costs of the sale."""

    pieces: int = 0
    sold: Decimal = Decimal(0)
    fees: Decimal = Decimal(0)
    # None: the cost of a piece is unknown.
    cost: Decimal | None = Decimal(0)
    # The prices of the batch's items for the same pieces.
    asked: Decimal = Decimal(0)

    def add(self, other: "SoldSums") -> None:
        """Count another's sales in."""
        self.pieces += other.pieces
        self.sold += other.sold
        self.fees += other.fees
        self.asked += other.asked
        self.cost = None if None in (self.cost, other.cost) else self.cost + other.cost  # type: ignore[operator]

    @property
    def profit(self) -> Decimal | None:
        return None if self.cost is None else self.sold - self.fees - self.cost


@dataclass(frozen=True, slots=True)
class Paid:
    """The cost of a batch and the number of its pieces."""

    cost: Decimal | None
    pieces: int


@dataclass(frozen=True, slots=True)
class SoldPart:
    """Pieces of a line that came from one batch, or from none that is known."""

    line_id: int
    order_id: int
    batch_id: int | None
    sums: SoldSums


def sold_by_batch(
    *,
    owner: User,
    currency: str,
    fee_percent: Decimal,
    paid: dict[int, Paid],
    only: Collection[int] | None = None,
) -> dict[int | None, SoldSums]:
    """Return the proceeds of sold pieces by batch (None for pieces of an unknown batch).

    `only` are the ids of batches whose sums are wanted: no sales of other lots are read.

    Counts only sales in the person's currency, less discounts and refunds. Returned pieces are not
    sold.
    """
    lines = kept_lines(owner=owner, currency=currency)
    if only is not None:
        lines = lines.filter(pk__in=lines_that_may_be_of(owner=owner, batch_ids=only))
    sums: dict[int | None, SoldSums] = defaultdict(SoldSums)
    for part in sold_parts(
        owner=owner, currency=currency, fee_percent=fee_percent, paid=paid, lines=lines
    ):
        sums[part.batch_id].add(part.sums)
    return dict(sums)


def kept_lines(*, owner: User | Slot, currency: str | Slot) -> QuerySet[OrderLine]:
    """Return the lines, of orders in a currency, of which buyers kept pieces."""
    lines = OrderLine.objects.owned_by(owner).filter(order__currency=currency)
    return lines.filter(picked__gt=F("returned")).order_by()


def sold_parts(
    *,
    owner: User,
    currency: str,
    fee_percent: Decimal,
    paid: dict[int, Paid],
    lines: QuerySet[OrderLine],
) -> Iterator[SoldPart]:
    """Yield what `lines` brought, in parts by the batch of their pieces."""
    mine = BatchItem.objects.owned_by(owner).order_by()
    origins = batch_items_of_sold(owner=owner, line_ids=lines.values("pk"))
    named = {origin for parts in origins.values() for origin in parts if origin}
    items = {
        pk: (batch_id, cost, price or Decimal(0))
        for pk, batch_id, cost, price in mine.filter(pk__among=named).values_list(
            "pk", "batch_id", "cost", "price"
        )
        if batch_id in paid
    }
    given_back = cache(partial(refunded_shares, owner=owner, currency=currency))
    batches = {batch_id for batch_id, _, _ in items.values()}
    dear = mine.filter(batch_id__among=batches, cost__gt=0)
    spread = set(dear.values_list("batch_id", flat=True).distinct())
    for ids, parts, price, percent_kept, by_hand in _sales(lines, origins, given_back):
        for origin, pieces in parts:
            batch_id, cost, asked = items.get(origin or 0, (None, Decimal(0), Decimal(0)))
            amount = price * pieces * percent_kept
            known = None
            if batch_id is not None:
                known = cost_of_piece(
                    spread=cost,
                    is_spread=batch_id in spread,
                    cost=paid[batch_id].cost,
                    pieces=paid[batch_id].pieces,
                )
            sums = SoldSums(
                pieces=pieces,
                sold=amount,
                fees=fees_of(amount, percent=fee_percent, by_hand=by_hand),
                cost=None if known is None else known * pieces,
                asked=asked * pieces,
            )
            yield SoldPart(*ids, batch_id, sums)


def _sales(
    lines: QuerySet[OrderLine], origins: Any, given_back: Callable[[], dict[int, Decimal]]
) -> Iterator[tuple[tuple[int, int], list[Any], Decimal, Decimal, bool]]:
    """Yield of each line: its id and its order's, origins with pieces, price, share paid, by hand."""
    columns = ("pk", "picked", "returned", "price")
    of_order = ("order_id", "order__subtotal", "order__credit", "order__refunded", "order__channel")
    for row in lines.values_list(*columns, *of_order).iterator(2_000):
        pk, picked, returned, price, order_id, subtotal, credit, refunded, channel = row
        left = picked - returned  # as sales.KEPT
        parts = []
        for origin, pieces in origins.get(pk, {}).items():
            some = min(pieces, left)
            if some:
                parts.append((origin, some))
            left -= some
        # Out of the stock before they were picked: the ledger does not name their order.
        if left:
            parts.append((None, left))
        back = given_back().get(order_id) if refunded else None
        share = kept_share(subtotal=subtotal, credit=credit, given_back=back or Decimal())
        yield (pk, order_id), parts, price, share, channel == OrderOrigin.HAND
