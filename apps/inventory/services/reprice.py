"""Re-price many rows of stock, as one act."""

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from decimal import Decimal
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet
from more_itertools import chunked

from apps.accounts.models import User
from apps.accounts.selectors import who_acts
from apps.catalog.models import PriceSetting
from apps.catalog.rules.pricing import PriceBy, Repricing
from apps.catalog.selectors.pricing import rule_from, rule_of
from apps.core.bulk import write_changes
from apps.core.concurrency import lock_in_order
from apps.core.errors import Invalid, UnknownReference
from apps.core.jobs.dispatch import start_job
from apps.core.jobs.models import Job
from apps.core.jobs.run import Clock, JobRun, Pause
from apps.inventory.models import InventoryItem
from apps.inventory.services.acts import Part, begin_act, do_act, keep, run_act
from apps.lots.models import ActKind, KeptAct
from apps.lots.services.acts import Act, ActResult
from apps.lots.services.images import changed_row
from apps.lots.services.repricing import Repricings, with_new_figures

REPRICE_KIND: Final = "inventory.reprice_items"
LOOKED_AT: Final = 2_000
#: How long the job waits before it looks whether new figures are there.
FETCHING: Final = dt.timedelta(minutes=1)
MOST: Final = 100_000
#: The note of an act that nobody asked for on that day.
BY_NIGHT: Final = "every night"


@dataclass(slots=True)
class StockRepricings(Repricings):
    """The plan of re-pricing stock: counts, and the new price of each row that gets another."""

    prices: dict[int, Decimal | None] = field(default_factory=dict)


def reprice_items(
    *,
    owner: User,
    item_ids: Sequence[int],
    how: Repricing,
    dry_run: bool = False,
    by: User,
    now: dt.datetime,
) -> ActResult[StockRepricings, KeptAct] | Job:
    """Set new prices of rows: up to 1,000 rows within the request, more by a job.

    The act stores the former prices, since the ledger holds only quantities. Raises Invalid,
    FiguresOnTheirWay.
    """
    if not 1 <= len(item_ids) <= MOST:
        raise Invalid(fields={"ids": [f"must be 1 to {MOST}"]})
    done: ActResult[StockRepricings, KeptAct] | Job
    if dry_run:
        plan = _Reprice(KeptAct(owner=owner), item_ids, how, now).dry_run()
        plan.refresh(how, owner=owner, now=now)
        done = ActResult(plan, is_dry_run=True)
    else:

        @transaction.atomic
        def act(how: Repricing) -> ActResult[StockRepricings, KeptAct] | Job:
            return do_act(
                begin_act(owner=owner, kind=ActKind.REPRICE, by=by),
                job_kind=REPRICE_KIND,
                rows=len(item_ids),
                payload={"item_ids": list(item_ids), "how": _plain(how)},
                do=lambda act: _Reprice(act, item_ids, how, now).do(),
            )

        done = with_new_figures(act, how, owner=owner, now=now)
    if not isinstance(done, Job) and not done.plan.row_count:
        raise UnknownReference(fields={"ids": ["are none of yours"]})
    return done


def run_repricing(
    *,
    run: JobRun,
    act_id: int,
    item_ids: Sequence[int],
    how: Mapping[str, Any],
    clock: Clock,
) -> None:
    """Re-price many rows, 500 a transaction. Raises JobCancelled.

    Raises Pause while newer figures of rows are being fetched.
    """
    asked = _read(how)
    if asked.by is PriceBy.RULE and not asked.use_old_figures:
        plan = _Reprice(KeptAct(owner=run.owner), item_ids, asked, clock()).dry_run()
        if plan.refresh(asked, owner=run.owner, now=clock()):
            raise Pause("Waiting for new market figures.", until=clock() + FETCHING)
        asked = replace(asked, use_old_figures=True)

    def reprice(act: KeptAct, some: Sequence[int], now: dt.datetime) -> Part:
        return _Reprice(act, some, asked, now).do().changed, ()

    run_act(
        run=run,
        act_id=act_id,
        rows=item_ids,
        message="Re-pricing",
        do=reprice,
        clock=clock,
        is_kept_empty=False,
    )


def reprice_by_night() -> int:
    """Start the re-pricing of the stock of everybody whose rule asks for it; return how many.

    Rows without pieces, without a catalogue lot and with a locked price stay as they are. Nobody's
    begins while an earlier one is at work.
    """
    begun = 0
    for setting in PriceSetting.objects.filter(is_nightly=True).select_related("user"):
        owner = setting.user
        rows = InventoryItem.objects.owned_by(owner).in_stock()
        rows = rows.filter(price_locked=False, lot__isnull=False)
        ids = list(rows.order_by("pk").values_list("pk", flat=True)[:MOST])
        at_work = Job.objects.owned_by(owner).unfinished().filter(kind=REPRICE_KIND)
        if not ids or at_work.exists():
            continue
        how = Repricing(by=PriceBy.RULE, rule=rule_of(setting), asks_missing=True)
        with transaction.atomic():
            act = begin_act(owner=owner, kind=ActKind.REPRICE, by=who_acts(owner), note=BY_NIGHT)
            start_job(
                owner=owner,
                kind=REPRICE_KIND,
                about={"act": [act.pk]},
                payload={"act_id": act.pk, "item_ids": ids, "how": _plain(how)},
                total=len(ids),
                follows=True,
            )
        begun += 1
    return begun


@dataclass(frozen=True, slots=True)
class _Reprice(Act[Iterable[InventoryItem], StockRepricings]):
    act: KeptAct
    item_ids: Sequence[int]
    how: Repricing
    now: dt.datetime

    def _rows(self, ids: Sequence[int]) -> QuerySet[InventoryItem]:
        return InventoryItem.objects.owned_by(self.act.owner).filter(pk__in=ids).order_by("pk")

    def lock(self) -> list[InventoryItem]:
        return lock_in_order(self._rows(self.item_ids))

    def read(self) -> Iterator[InventoryItem]:
        for some in chunked(self.item_ids, LOOKED_AT):
            yield from self._rows(some).only(
                "pk", "lot_id", "condition", "quantity", "price", "price_locked"
            )

    def plan(self, rows: Iterable[InventoryItem]) -> StockRepricings:
        plan = StockRepricings()
        for some in chunked(rows, LOOKED_AT):
            locked = {row.pk for row in some if row.price_locked}
            priced = plan.price(some, self.how, owner=self.act.owner, now=self.now, locked=locked)
            plan.prices |= {row.pk: price for row, price in priced}
        return plan

    def write(self, rows: Iterable[InventoryItem], plan: StockRepricings) -> None:
        plan.refuse_old(self.how)
        kept = [
            changed_row(row, {"price": plan.prices[row.pk]})
            for row in rows
            if row.pk in plan.prices
        ]
        write_changes(InventoryItem, ((row["id"], row["after"]) for row in kept), now=self.now)
        keep(self.act, kept)


def _plain(how: Repricing) -> dict[str, Any]:
    """Return a re-pricing as JSON takes it."""
    return {
        "by": how.by.value,
        "price": None if how.price is None else str(how.price),
        "use_old_figures": how.use_old_figures,
        "leave": sorted(how.leave),
        "asks_missing": how.asks_missing,
        "rule": {
            name: value if value is None or name == "nth" else str(value)
            for name, value in asdict(how.rule).items()
        },
    }


def _read(plain: Mapping[str, Any]) -> Repricing:
    amounts = {"percent", "rounding", "ending", "minimum", "maximum", "max_step"}
    rule = {
        name: Decimal(value) if name in amounts and value is not None else value
        for name, value in plain["rule"].items()
    }
    price = plain["price"]
    return Repricing(
        by=PriceBy(plain["by"]),
        price=None if price is None else Decimal(price),
        use_old_figures=plain.get("use_old_figures", False),
        leave=frozenset(plain.get("leave", ())),
        asks_missing=plain.get("asks_missing", False),
        rule=rule_from(rule),
    )
