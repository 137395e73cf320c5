"""Re-price the items of a batch by a rule, and spread the batch's cost over them."""

import datetime as dt
from decimal import Decimal
from functools import partial
from typing import Final

from apps.accounts.models import User
from apps.batches.models import Batch, BatchItem
from apps.batches.rules.cost import Share, SpreadBy, spread_cost
from apps.batches.services.acting import Acted, Plan, act_on
from apps.batches.services.selection import Chosen, NotInBatch
from apps.catalog.rules.pricing import PriceBy, Repricing
from apps.core.errors import Invalid, StateConflict
from apps.inventory.models import InventoryItem
from apps.lots.models import ActKind
from apps.lots.services.repricing import Repricings, with_new_figures
from apps.marketplace.rules.wants import Wanted
from apps.marketplace.services.wants import Asked, want_prices

NOTHING: Final = Decimal(0)
HALF_A_CENT: Final = Decimal("0.005")


class NoCost(StateConflict):
    message = "The batch has no cost to spread. Say what it cost first."


class NothingToSpreadOver(StateConflict):
    message = "None of the items has {what}, so there is nothing to spread the cost over."


def reprice_items(
    *, batch: Batch, chosen: Chosen, how: Repricing, dry_run: bool, by: User, now: dt.datetime
) -> Acted:
    """Set new prices of items, and of the stock of stowed ones.

    Raises FiguresOnTheirWay and the errors of `act_on`.

    With `dry_run`, only returns the new prices.
    """
    if how.by is PriceBy.FIXED and how.price is None:
        raise Invalid(fields={"price": ["is required"]})

    def reprice(how: Repricing) -> Acted:
        return act_on(
            batch=batch, chosen=chosen, make=partial(make, how), dry_run=dry_run, by=by, now=now
        )

    found = Repricings()

    def make(how: Repricing, batch: Batch, items: list[BatchItem]) -> Plan:
        nonlocal found
        plan, found = Plan(kind=ActKind.REPRICE, note=""), Repricings()
        stowed = [item.inventory_item_id for item in items if item.inventory_item_id]
        rows = InventoryItem.objects.filter(pk__among=stowed, price_locked=True)
        of_stock = set(rows.values_list("pk", flat=True))
        locked = {item.pk for item in items if item.inventory_item_id in of_stock}
        for item, price in found.price(items, how, owner=batch.owner, now=now, locked=locked):
            plan.edits[item.pk] = {"price": price}
        if not dry_run:
            found.refuse_old(how)
        by_id = {item.pk: item for item in items}
        for change in found.page(how):
            plan.show(by_id[change.item_id], **change.as_dict())
        plan.largest = [
            {"id": one.item_id, "name": by_id[one.item_id].shown_name, **one.as_dict()}
            for one in found.largest
        ]
        plan.note = f"{found.changed} of {len(items)} prices changed"
        plan.figures = {**found.as_dict(), "unchanged": len(items) - found.changed}
        return plan

    if not dry_run:
        return with_new_figures(reprice, how, owner=batch.owner, now=now)
    shown = reprice(how)
    shown.plan.figures["being_fetched"] = found.refresh(how, owner=batch.owner, now=now)
    return shown


def spread_batch_cost(
    *,
    batch: Batch,
    chosen: Chosen,
    spread_by: SpreadBy,
    total: Decimal | None,
    dry_run: bool,
    by: User,
    now: dt.datetime,
) -> Acted:
    """Spread a cost (the batch's own where None is given) over items as cost of one piece.

    The costs add up to the total exactly: `apps.batches.rules.cost`. Raises NoCost,
    NothingToSpreadOver, and the errors of `act_on`.
    """

    def make(batch: Batch, items: list[BatchItem]) -> Plan:
        cost = batch.cost_total if total is None else total
        if cost is None:
            raise NoCost
        plan = Plan(kind=ActKind.SPREAD_COST, note="")
        shares = {item.pk: Share(item.quantity, _weight(item, spread_by)) for item in items}
        if not any(share.quantity and share.weight for share in shares.values()):
            raise NothingToSpreadOver(what=_WHAT[spread_by])
        spread = spread_cost(cost, shares)
        without = 0
        for item in items:
            share = spread.costs[item.pk]
            without += shares[item.pk].weight == 0
            if share != item.cost:
                plan.edits[item.pk] = {"cost": share}
            plan.show(
                item,
                quantity=item.quantity,
                before=f"{item.cost:.4f}",
                after=f"{share:.4f}",
                sum=f"{share * item.quantity:.4f}",
            )
        plan.note = f"{cost:.2f} spread over {len(items)} items by {spread_by}"
        plan.figures = {
            "changed": len(plan.edits),
            "unchanged": len(items) - len(plan.edits),
            "total": f"{cost:.4f}",
            "left": f"{spread.left:.4f}",
            "without_share": without,
        }
        if without:
            noun = "item has" if without == 1 else "items have"
            plan.warnings.append(f"{without} {noun} no {_WHAT[spread_by][2:]} and get no cost.")
        if spread.left >= HALF_A_CENT:
            plan.warnings.append(
                f"{spread.left.normalize():f} cannot be spread: no item has few enough pieces."
            )
        return plan

    return act_on(batch=batch, chosen=chosen, make=make, dry_run=dry_run, by=by, now=now)


_WHAT: Final = {
    SpreadBy.PRICE: "a price",
    SpreadBy.WEIGHT: "a known weight",
    SpreadBy.PIECES: "a quantity",
}


def _weight(item: BatchItem, spread_by: SpreadBy) -> Decimal:
    if spread_by is SpreadBy.PIECES:
        return Decimal(1)
    if spread_by is SpreadBy.PRICE:
        return item.price or NOTHING
    if item.unit_weight_grams is not None:
        return item.unit_weight_grams
    return (item.lot.item.weight_grams if item.lot is not None else None) or NOTHING


def want_batch_prices(*, batch: Batch, chosen: Chosen, now: dt.datetime) -> Asked:
    """Get the prices of a batch's items, as `want_prices` does. Raises NotInBatch, NotConnected."""
    items = BatchItem.objects.filter(batch=batch)
    if chosen.item_ids is not None:
        items = items.filter(pk__in=chosen.item_ids)
    rows = list(items.values_list("pk", "lot_id", "condition", "quantity", "price"))
    if len(rows) < len(set(chosen.item_ids or ())):
        raise NotInBatch
    wanted = [Wanted(*row[1:]) for row in rows if row[1] is not None and row[3] > 0]
    return want_prices(owner=batch.owner, wanted=wanted, now=now)
