"""The profit of batches and sources: sales less fees and the cost of the pieces."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, TypedDict

from apps.accounts.models import User
from apps.auctions.services.listings import buyer_options_of
from apps.core.money import Total, money
from apps.home.selectors.batches import BatchSums
from apps.orders.selectors.profit import Paid, SoldSums, sold_by_batch
from apps.sources.rules import return_on

Sold = Mapping[int | None, SoldSums]


class SourceProfitLine(TypedDict):
    """What buyers kept and paid for, less what that took. Only sales in the person's currency."""

    id: Annotated[int | None, "null: of no batch that is known"]
    name: str
    pieces: Annotated[int, "sold and not returned"]
    sold: Annotated[Total, "after discounts"]
    fees: Annotated[Total, "by the person's percentage; none by hand"]
    cost: Annotated[Total | None, "of the sold pieces"]
    profit: Annotated[Total | None, "sold − fees − cost"]
    paid_back: Annotated[Total | None, "(sold − fees) ÷ what all of it cost"]


class BatchProfitLine(SourceProfitLine):
    source_name: str


def sold_of(
    *,
    user: User,
    currency: str,
    batches: Sequence[BatchSums],
    only: Collection[int] | None = None,
) -> Sold:
    """Return the sales by batch, of `only` some of them. Streams the ledger of sold pieces."""
    return sold_by_batch(
        owner=user,
        currency=currency,
        fee_percent=buyer_options_of(user).fee_percent,
        paid={batch.id: Paid(batch.cost, batch.all_pieces) for batch in batches},
        only=only,
    )


def profit_by_batch(batches: Sequence[BatchSums], sold: Sold) -> list[BatchProfitLine]:
    """Return the batches with sold pieces, the most sold first. Pieces of no batch come last."""
    rows: list[BatchProfitLine] = [
        {
            **_row(batch.id, batch.name, sold[batch.id], batch.cost),
            "source_name": batch.source_name,
        }
        for batch in batches
        if batch.id in sold
    ]
    if None in sold:
        rows.append({**_row(None, "", sold[None], None), "source_name": ""})
    return sorted(rows, key=lambda row: (row["id"] is None, -row["sold"], row["id"] or 0))


@dataclass(slots=True)
class _Source:
    name: str
    paid: Decimal
    sums: SoldSums


def profit_by_source(batches: Sequence[BatchSums], sold: Sold) -> list[SourceProfitLine]:
    """Return the sources, over their batches whose cost is known, the most sold first."""
    found: dict[int, _Source] = {}
    for batch in batches:
        if batch.source_id is None or batch.cost is None:
            continue
        source = found.setdefault(
            batch.source_id, _Source(batch.source_name, Decimal(0), SoldSums())
        )
        source.paid += batch.cost
        if of_batch := sold.get(batch.id):
            source.sums.add(of_batch)
    rows = [_row(pk, one.name, one.sums, one.paid) for pk, one in found.items()]
    return sorted((row for row in rows if row["pieces"]), key=lambda row: (-row["sold"], row["id"]))


def paid_back_by(sums: SoldSums, paid: Decimal | None) -> Decimal | None:
    """Return the proceeds less fees ÷ what was paid. None without a cost or sold pieces."""
    return return_on(spent=paid, value=sums.sold - sums.fees, pieces=sums.pieces)


def _row(pk: int | None, name: str, sums: SoldSums, paid: Decimal | None) -> SourceProfitLine:
    return {
        "id": pk,
        "name": name,
        "pieces": sums.pieces,
        "sold": money(sums.sold),
        "fees": money(sums.fees),
        "cost": None if sums.cost is None else money(sums.cost),
        "profit": None if sums.profit is None else money(sums.profit),
        "paid_back": paid_back_by(sums, paid),
    }
