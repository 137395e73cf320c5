"""Take parts for a set out of stock, through the ledger, and put them back."""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction

from apps.accounts.models import User
from apps.catalog.selectors.same_lots import same_lots
from apps.core.bulk import update_rows
from apps.core.concurrency import claim, lock_in_order
from apps.core.errors import Invalid, NotFound, StateConflict
from apps.inventory.models import CauseKind, InventoryItem, Reason
from apps.inventory.services.promises import free_of
from apps.inventory.services.returns import put_back
from apps.inventory.services.stow import TakeLine, take_out
from apps.lots.services.acts import Act
from apps.sets.models import SetRequirement, SetTake, UserSet


class NotInStock(StateConflict):
    """The stock holds fewer pieces than were asked for. Nothing was taken."""

    message = "There are {have} of {name} in stock, not {wanted}."


class NothingInStock(StateConflict):
    message = "Nothing that {number} lacks is in stock."


class NotLacking(StateConflict):
    message = "{number} lacks {lacking} of {name}, not {wanted}."


class PutBackAlready(StateConflict):
    message = "These pieces were put back already."


class CountedSince(StateConflict):
    """Fewer are on hand than were taken; nothing was put back."""

    message = "Fewer pieces are on hand than were taken: some were counted off since."


@dataclass(frozen=True, slots=True)
class Pick:
    """So many pieces out of one row of stock."""

    requirement: SetRequirement
    item: InventoryItem
    quantity: int


@dataclass(slots=True)
class TakePlan:
    """Which rows of stock the pieces come from, and how many pieces stay missing."""

    picks: list[Pick] = field(default_factory=list)
    still_missing: int = 0
    take: SetTake | None = None

    @property
    def pieces(self) -> int:
        return sum(pick.quantity for pick in self.picks)


@transaction.atomic
def take_from_stock(
    *,
    user_set: UserSet,
    wanted: Mapping[int, int] | None,
    condition: str = "",
    dry_run: bool = False,
    by: User,
    now: dt.datetime,
) -> TakePlan:
    """Remove the missing pieces of a set from stock and count them as on hand.

    `wanted` maps requirement ids to pieces; None takes all missing pieces that are in stock. Rows
    with the fewest pieces are emptied first. Pieces promised to a buyer are not taken. Raises
    NotInStock, NotLacking, NothingInStock, NotFound; then nothing is taken.
    """
    act = _Take(user_set, wanted, condition, by, now)
    return act.dry_run() if dry_run else act.do()


@dataclass(frozen=True, slots=True)
class _Take(Act[dict[int, SetRequirement], TakePlan]):
    user_set: UserSet
    wanted: Mapping[int, int] | None
    condition: str
    by: Any
    now: dt.datetime

    def lock(self) -> dict[int, SetRequirement]:
        mine = SetRequirement.objects.filter(user_set=self.user_set).missing()
        rows = lock_in_order(mine.select_related("lot__item", "lot__color"))
        return {row.pk: row for row in rows}

    def plan(self, rows: dict[int, SetRequirement]) -> TakePlan:
        amounts = _amounts(self.user_set, rows, self.wanted)
        lots = {rows[pk].lot_id for pk in amounts}
        stock = _stock(self.user_set.owner_id, lots, self.condition)
        plan = TakePlan()
        taken: Counter[int] = Counter()
        for pk, amount in amounts.items():
            row = rows[pk]
            left = amount
            for item in stock.get(row.lot_id, ()):
                pieces = min(left, free_of(item) - taken[item.pk])
                if pieces:
                    plan.picks.append(Pick(row, item, pieces))
                    taken[item.pk] += pieces
                    left -= pieces
            if left and self.wanted is not None:
                raise NotInStock(have=amount - left, name=_name(row), wanted=amount)
            plan.still_missing += left
        return plan

    def write(self, rows: dict[int, SetRequirement], plan: TakePlan) -> None:
        if not plan.picks:
            raise NothingInStock(number=self.user_set.item.number)
        _take(self.user_set, plan, self.by, self.now)


def _amounts(
    user_set: UserSet, lacking: Mapping[int, SetRequirement], wanted: Mapping[int, int] | None
) -> dict[int, int]:
    if wanted is None:
        return {pk: row.quantity_required - row.quantity_on_hand for pk, row in lacking.items()}
    if any(pieces < 1 for pieces in wanted.values()):
        raise Invalid(fields={"parts": ["quantities must be at least 1"]})
    strangers = wanted.keys() - lacking.keys()
    if strangers:
        known = SetRequirement.objects.filter(user_set=user_set, pk__in=strangers)
        rows = list(known.select_related("lot__item", "lot__color"))
        if len(rows) != len(strangers):
            raise NotFound
        raise NotLacking(
            number=user_set.item.number, lacking=0, name=_name(rows[0]), wanted=wanted[rows[0].pk]
        )
    for pk, pieces in wanted.items():
        row = lacking[pk]
        room = row.quantity_required - row.quantity_on_hand
        if pieces > room:
            raise NotLacking(
                number=user_set.item.number, lacking=room, name=_name(row), wanted=pieces
            )
    return dict(wanted)


def _stock(owner_id: int, lot_ids: set[int], condition: str) -> dict[int, list[InventoryItem]]:
    """Return the rows that hold these lots, the smallest first."""
    rows: dict[int, list[InventoryItem]] = defaultdict(list)
    same = same_lots(lot_ids)
    stock = InventoryItem.objects.filter(owner_id=owner_id, lot_id__in=same, reserved="")
    if condition:
        stock = stock.filter(condition=condition)
    for item in stock.in_stock().select_related("location").order_by("quantity", "pk"):
        rows[same[item.lot_id or 0]].append(item)
    return {lot_id: rows[same[lot_id]] for lot_id in lot_ids}


def _take(user_set: UserSet, plan: TakePlan, by: User, now: dt.datetime) -> None:
    take = SetTake.objects.create(owner=user_set.owner, user_set=user_set, piece_count=plan.pieces)
    done = take_out(
        owner=user_set.owner,
        lines=[
            TakeLine(item_id=pick.item.pk, quantity=pick.quantity, cause_id=take.pk)
            for pick in plan.picks
        ],
        by=by,
        now=now,
        cause_kind=CauseKind.SET,
        reason=Reason.SET,
        note=user_set.item.number,
        all_or_nothing=True,
    )
    take.lines = [
        {
            "requirement": pick.requirement.pk,
            "movement": taken.movement_id,
            "quantity": pick.quantity,
        }
        for pick, taken in zip(plan.picks, done.taken, strict=True)
    ]
    take.save(update_fields=["lines", "updated_at"])
    on_hand: dict[int, int] = {}
    for pick in plan.picks:
        before = on_hand.get(pick.requirement.pk, pick.requirement.quantity_on_hand)
        on_hand[pick.requirement.pk] = before + pick.quantity
    update_rows(SetRequirement, ("quantity_on_hand",), list(on_hand.items()))
    plan.take = take


@transaction.atomic
def undo_take(*, take: SetTake, by: User, now: dt.datetime, override_reason: str = "") -> SetTake:
    """Put the pieces of a take back where they came from; they are not on hand any more.

    All or nothing: raises PutBackAlready, CountedSince, ItemGone, LocationFull.
    """
    rows = SetTake.objects.filter(pk=take.pk)
    if not claim(rows, where={"undone_at": None}, set={"undone_at": now, "updated_at": now}):
        raise PutBackAlready
    pieces: dict[int, int] = defaultdict(int)
    for line in take.lines:
        pieces[line["requirement"]] += line["quantity"]
    locked = lock_in_order(SetRequirement.objects.filter(pk__in=pieces))
    on_hand = {row.pk: row.quantity_on_hand - pieces[row.pk] for row in locked}
    if len(on_hand) != len(pieces) or min(on_hand.values(), default=0) < 0:
        raise CountedSince
    update_rows(SetRequirement, ("quantity_on_hand",), list(on_hand.items()))
    put_back(
        owner=take.owner,
        movement_ids=[line["movement"] for line in take.lines],
        by=by,
        now=now,
        override_reason=override_reason,
    )
    take.undone_at = now
    return take


def _name(row: SetRequirement) -> str:
    lot = row.lot
    color = f"{lot.color.name} " if lot.color_id else ""
    return f"{color}{lot.item.name} ({lot.item.number})"
