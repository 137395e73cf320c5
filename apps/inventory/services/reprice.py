"""Re-price many rows of stock: preview, apply and undo as one act."""

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any, Final

from django.db import transaction

from apps.accounts.models import User
from apps.catalog.rules.pricing import Basis, PriceBy, PriceRule, Repricing, WithoutData
from apps.core.bulk import write_changes
from apps.core.concurrency import lock_in_order
from apps.core.errors import Invalid, UnknownReference
from apps.core.jobs.dispatch import start_job
from apps.core.jobs.models import Job
from apps.core.jobs.run import JobRun
from apps.inventory.models import ActKind, InventoryItem, StockAct
from apps.inventory.services.acts import begin_act, hold_open, keep
from apps.lots.services.images import changed_row
from apps.lots.services.repricing import Repricings

REPRICE_KIND: Final = "inventory.reprice_items"
AT_ONCE: Final = 1_000
CHUNK: Final = 500
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
    for some in _parts(item_ids, LOOKED_AT):
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
        if len(item_ids) > AT_ONCE:
            return start_job(
                owner=owner,
                kind=REPRICE_KIND,
                about={"act": [act.pk]},
                payload={"act_id": act.pk, "item_ids": list(item_ids), "how": _plain(how)},
                total=len(item_ids),
            )
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
    act = StockAct.objects.get(pk=act_id)
    asked = _read(how)

    def reprice(some: Sequence[int]) -> int:
        hold_open(act)
        return _reprice(act, some, asked, now).changed

    changed = run.in_chunks(item_ids, size=CHUNK, message="Re-pricing", act=reprice)
    result = {"act_id": act.pk, "item_count": changed, "failed_count": 0}
    with run.finish(result=result):
        pass


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


def _parts(ids: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    return (ids[start : start + size] for start in range(0, len(ids), size))


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
