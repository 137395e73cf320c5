"""Re-price many rows of stock: preview, apply and undo as one act."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any, Final

from django.db import transaction
from more_itertools import chunked

from apps.accounts.models import User
from apps.catalog.rules.pricing import Basis, PriceBy, PriceRule, Repricing, WithoutData
from apps.core.bulk import write_changes
from apps.core.concurrency import lock_in_order
from apps.core.errors import Invalid, UnknownReference
from apps.core.jobs.models import Job
from apps.core.jobs.run import JobRun
from apps.inventory.models import ActKind, InventoryItem, StockAct
from apps.inventory.services.acts import Part, begin_act, job_of, keep, run_act
from apps.lots.services.images import changed_row
from apps.lots.services.repricing import Repricings

REPRICE_KIND: Final = "inventory.reprice_items"
LOOKED_AT: Final = 2_000
MOST: Final = 100_000


@dataclass(slots=True)
class StockRepricings(Repricings):
    """The plan or result of re-pricing stock, and the act of the result."""

    act: StockAct | None = None


def preview_repricing(*, owner: User, item_ids: Sequence[int], how: Repricing) -> StockRepricings:
    """Return the plan of re-pricing these rows. Changes nothing. Raises Invalid."""
    _check(item_ids)
    found = StockRepricings()
    for some in chunked(item_ids, LOOKED_AT):
        rows = InventoryItem.objects.owned_by(owner).filter(pk__in=some).order_by("pk")
        seen = list(rows.only("pk", "lot_id", "condition", "quantity", "price"))
        for _ in found.price(seen, how, owner=owner):
            pass
    return _any(found)


def reprice_items(
    *, owner: User, item_ids: Sequence[int], how: Repricing, by: User, now: dt.datetime
) -> StockRepricings | Job:
    """Set new prices of rows: up to 1,000 rows within the request, more by a job.

    The act stores the former prices, since the ledger holds only quantities. Raises Invalid.
    """
    _check(item_ids)
    with transaction.atomic():
        act = begin_act(owner=owner, kind=ActKind.REPRICE, by=by)
        job = job_of(
            act,
            kind=REPRICE_KIND,
            rows=len(item_ids),
            payload={"item_ids": list(item_ids), "how": _plain(how)},
        )
        if job is not None:
            return job
        done = _any(_reprice(act, item_ids, how, now))
        if not done.changed:
            act.delete()
            done.act = None
    return done


def run_repricing(
    *,
    run: JobRun,
    act_id: int,
    item_ids: Sequence[int],
    how: Mapping[str, Any],
    now: dt.datetime,
) -> None:
    """Re-price many rows, 500 a transaction. Raises JobCancelled."""
    asked = _read(how)

    def reprice(act: StockAct, some: Sequence[int]) -> Part:
        return _reprice(act, some, asked, now).changed, ()

    run_act(run=run, act_id=act_id, rows=item_ids, message="Re-pricing", do=reprice)


def _reprice(
    act: StockAct, item_ids: Sequence[int], how: Repricing, now: dt.datetime
) -> StockRepricings:
    """Re-price in the caller's transaction."""
    mine = InventoryItem.objects.owned_by(act.owner).filter(pk__in=item_ids)
    rows = lock_in_order(mine)
    done = StockRepricings(act=act)
    kept = [
        changed_row(row, {"price": price}) for row, price in done.price(rows, how, owner=act.owner)
    ]
    write_changes(InventoryItem, ((row["id"], row["after"]) for row in kept), now=now)
    keep(act, kept)
    return done


def _check(item_ids: Sequence[int]) -> None:
    if not 1 <= len(item_ids) <= MOST:
        raise Invalid(fields={"ids": [f"must be 1 to {MOST}"]})


def _any(found: StockRepricings) -> StockRepricings:
    if not found.row_count:
        raise UnknownReference(fields={"ids": ["are none of yours"]})
    return found


def _plain(how: Repricing) -> dict[str, Any]:
    """Return a re-pricing as JSON takes it."""
    return {
        "by": how.by.value,
        "price": None if how.price is None else str(how.price),
        "rule": {name: str(value) for name, value in asdict(how.rule).items()},
    }


def _read(plain: Mapping[str, Any]) -> Repricing:
    rule = plain["rule"]
    price = plain["price"]
    return Repricing(
        by=PriceBy(plain["by"]),
        price=None if price is None else Decimal(price),
        rule=PriceRule(
            basis=Basis(rule["basis"]),
            region=rule["region"],
            percent=Decimal(rule["percent"]),
            rounding=Decimal(rule["rounding"]),
            minimum=Decimal(rule["minimum"]),
            without_data=WithoutData(rule["without_data"]),
        ),
    )
