"""Keep the account in another currency, its amounts as they are or multiplied: one act."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

from django.apps import apps
from django.db import models, transaction
from django.db.models import F, Max, Q, Sum, Value
from django.db.models.functions import Coalesce, Round

from apps.accounts.models import Preferences, User
from apps.accounts.selectors import currency_of
from apps.accounts.services.currency import AMOUNTS
from apps.accounts.services.users import preferences_of
from apps.catalog.rules.pricing import MOST, NO_FIGURES, PriceBy, PriceRule, Repricing, repriced
from apps.core.concurrency import lock_in_order
from apps.core.errors import Invalid, StateConflict, ValueRefused
from apps.core.jobs.models import Job
from apps.core.jobs.run import Clock, JobCancelled, JobRun
from apps.core.money import PLACES, money
from apps.core.worth import WORTH, total_worth
from apps.inventory.models import InventoryItem
from apps.inventory.services._sync_state import CURRENCY_KIND, refuse_while_running
from apps.inventory.services.acts import (
    begin_act,
    do_act,
    end_act,
    hold_open,
    undo_cancelled,
    write_kept,
)
from apps.lots.models import ActKind, KeptAct
from apps.lots.services.acts import CHUNK, ActResult
from apps.lots.services.images import changed_row
from apps.lots.services.repricing import PriceChange

EXAMPLES: Final = 3
PREFERENCES: Final = "accounts.Preferences"
BATCH_ITEMS: Final = "batches.BatchItem"
#: Beginnings of the kinds of jobs that write prices or send them to the store.
WRITE_PRICES: Final = ("inventory.", "batches.", "listings.", "backups.restore")


class PricesInUse(StateConflict):
    """A job reads or writes prices; `data` holds it."""

    message = "A sync, an import or another job works with your prices. Wait for it or cancel it."


@dataclass(slots=True)
class CurrencyChange:
    """The plan of another currency: rows by table, the stock's value, some of its prices."""

    before: str
    after: str
    rows: dict[str, int]
    value_before: Decimal
    value_after: Decimal
    on_sale: int = 0
    examples: list[PriceChange] = field(default_factory=list)


def change_currency(
    *,
    owner: User,
    currency: str,
    rate: Decimal | None,
    dry_run: bool = False,
    by: User,
    now: dt.datetime,
) -> ActResult[CurrencyChange, KeptAct] | Job:
    """Keep the account in `currency` and multiply all its own amounts by `rate`, unless it is None.

    Up to 1,000 rows within the request, more by a job. What the marketplace last received stays as
    it is, so that multiplied lots are changed since then. Raises Invalid, PricesInUse, SyncRunning.
    """
    if dry_run:
        return ActResult(_plan(owner, currency, rate), is_dry_run=True)
    preferences_of(user=owner)
    with transaction.atomic():
        lock_in_order(Preferences.objects.filter(user=owner))
        _refuse_while_in_use(owner)
        plan = _plan(owner, currency, rate)
        times = "" if rate is None else f", amounts × {rate:f}"
        note = f"{plan.before} to {currency}{times}"

        def change(act: KeptAct) -> CurrencyChange:
            _relabel(act, currency, now)
            if rate is not None:
                for table in AMOUNTS:
                    rows = _rows(owner, table)
                    _multiply(act, table, list(rows.values_list("pk", flat=True)), rate, now)
            return plan

        return do_act(
            begin_act(owner=owner, kind=ActKind.CURRENCY, by=by, note=note),
            job_kind=CURRENCY_KIND,
            rows=0 if rate is None else sum(plan.rows.values()),
            payload={"currency": currency, "rate": str(rate)},
            do=change,
        )


def _plan(owner: User, currency: str, rate: Decimal | None) -> CurrencyChange:
    before = currency_of(owner)
    if currency == before:
        raise ValueRefused(fields={"currency": [f"is {before} already"]})
    _check_rate(owner, rate)
    stock = InventoryItem.objects.owned_by(owner).order_by()
    priced = stock.filter(quantity__gt=0, price__gt=0)
    plan = CurrencyChange(
        before=before,
        after=currency,
        rows={table: _rows(owner, table).count() for table in AMOUNTS},
        on_sale=priced.filter(marketplace_lot_id__isnull=False).count(),
        value_before=money(stock.aggregate(all=total_worth())["all"]),
        value_after=money(stock.aggregate(all=_worth_times(rate))["all"]),
    )
    for row in priced.order_by("-price", "pk")[:EXAMPLES]:
        price = _times(row.price, rate)
        plan.examples.append(PriceChange(row.pk, row.price, price, "", is_marked=False))
    return plan


def run_change(*, run: JobRun, act_id: int, currency: str, rate: str, clock: Clock) -> None:
    """Multiply the amounts, 500 rows a transaction; a cancelled job undoes its changes.

    Rows added during it are in the new currency. Raises JobCancelled.
    """
    act = KeptAct.objects.get(pk=act_id)
    if "last" not in run.state:
        with run.chunk(message="Changing the currency"):
            hold_open(act)
            _relabel(act, currency, clock())
            run.state["last"] = {
                table: _rows(act.owner, table).aggregate(last=Max("pk"))["last"] or 0
                for table in AMOUNTS
            }
    try:
        for table in AMOUNTS:
            _multiply_table(run, act, table, Decimal(rate), clock)
    except JobCancelled:
        undo_cancelled(act=act, now=clock())
        raise
    end_act(run, act, run.done, currency=currency)


def _multiply_table(run: JobRun, act: KeptAct, table: str, rate: Decimal, clock: Clock) -> None:
    last = run.state["last"][table]
    while ids := list(
        _rows(act.owner, table)
        .filter(pk__gt=run.state.get(table, 0), pk__lte=last)
        .values_list("pk", flat=True)[:CHUNK]
    ):
        with run.chunk(done=run.done + len(ids), message="Multiplying your amounts"):
            hold_open(act)
            _multiply(act, table, ids, rate, clock())
            run.state[table] = ids[-1]


def _relabel(act: KeptAct, currency: str, now: dt.datetime) -> None:
    rows = lock_in_order(Preferences.objects.filter(user=act.owner))
    kept = [changed_row(row, {"currency": currency}) for row in rows]
    write_kept(act, PREFERENCES, kept, now=now)


def _multiply(
    act: KeptAct, table: str, ids: Sequence[int], rate: Decimal, now: dt.datetime
) -> None:
    """Multiply the amounts of these rows in the caller's transaction."""
    rows = lock_in_order(_rows(act.owner, table).filter(pk__in=ids))
    changes = [(row, _changed(row, table, rate)) for row in rows]
    kept = [changed_row(row, changed) for row, changed in changes if changed]
    write_kept(act, table, kept, now=now)


def _changed(row: Any, table: str, rate: Decimal) -> dict[str, Any]:
    """Return the fields of a row that multiplying changes, with their new values."""
    amounts = {name: getattr(row, name) for name in AMOUNTS[table]}
    changed: dict[str, Any] = {
        name: after for name, amount in amounts.items() if (after := _times(amount, rate)) != amount
    }
    # Of these, buyers do not see the cost.
    if table == BATCH_ITEMS and row.is_listed and changed.keys() - {"cost"}:
        changed["is_changed_since_listing"] = True
    return changed


def _times(amount: Decimal | None, rate: Decimal | None) -> Decimal | None:
    """Return an amount multiplied, as re-pricing by percent does: one above 0 stays above 0."""
    if rate is None:
        return amount
    rule = PriceRule(percent=(rate - 1) * 100, rounding=Decimal(0), minimum=PLACES)
    return repriced(Repricing(by=PriceBy.PERCENT, rule=rule), amount, NO_FIGURES).price


def _worth_times(rate: Decimal | None) -> Any:
    if rate is None:
        return total_worth()
    price = Round(F("price") * Value(rate), precision=4, output_field=WORTH)
    return Coalesce(Sum(F("quantity") * price, output_field=WORTH), Decimal(0), output_field=WORTH)


def _rows(owner: User, table: str) -> models.QuerySet[Any]:
    """Return the owner's rows of a table that have an amount to multiply, by id."""
    some = Q()
    for name in AMOUNTS[table]:
        some |= Q(**{f"{name}__gt": 0})
    return apps.get_model(table)._base_manager.filter(some, owner=owner).order_by("pk")


def _check_rate(owner: User, rate: Decimal | None) -> None:
    """Raise Invalid if an amount times the rate does not fit its column."""
    if rate is None:
        return
    for table, names in AMOUNTS.items():
        largest: Mapping[str, Any] = _rows(owner, table).aggregate(**{n: Max(n) for n in names})
        for amount in largest.values():
            if amount is not None and amount * rate > MOST:
                raise Invalid(
                    fields={"rate": [f"is too large: an amount of {amount:f} × {rate:f}"]}
                )


def _refuse_while_in_use(owner: User) -> None:
    refuse_while_running(owner)
    writes = Q()
    for beginning in WRITE_PRICES:
        writes |= Q(kind__startswith=beginning)
    job = Job.objects.owned_by(owner).unfinished().filter(writes).first()
    if job is not None:
        raise PricesInUse(data=[{"job_id": str(job.pk)}])
