"""Fields changed on both sides: decided by the person's rule, or open until the person decides."""

import datetime as dt
from collections.abc import Collection, Mapping
from typing import Any, Final

from django.db import transaction

from apps.accounts.models import User
from apps.accounts.selectors import who_acts
from apps.core.concurrency import lock_in_order
from apps.core.errors import StateConflict
from apps.inventory.models import Decision, FieldConflict, InventoryItem, InventorySync, Reason
from apps.inventory.rules.merging import ConflictRule
from apps.inventory.services.acts import begin_act, edit_in_act
from apps.inventory.services.edits import StockEdit
from apps.inventory.services.received import received_of
from apps.lots.models import ActKind, KeptAct

BY_RULE: Final = {ConflictRule.MINE: Decision.MINE, ConflictRule.THEIRS: Decision.THEIRS}
_LONGEST: Final = 2_000


class QuestionSettled(StateConflict):
    """The conflict has already been decided."""

    message = "This was decided already."


def keep_conflicts(*, sync: InventorySync, left: Collection[int], now: dt.datetime) -> None:
    """Store the fields that an import found changed on both sides: decided by the rule or open.

    Closes open questions whose two sides are now equal. Runs in the caller's transaction; a retry
    changes nothing.
    """
    rule = ConflictRule(sync.options.get("conflicts") or ConflictRule.MINE)
    told = [one for one in sync.told.get("conflicts", []) if one[0] not in left]
    mine = FieldConflict.objects.owned_by(sync.owner)
    if mine.filter(sync_id=sync.pk).exists():
        return
    asked = {
        (one.marketplace_lot_id, one.field): one
        for one in lock_in_order(
            mine.filter(decision=Decision.OPEN, marketplace_lot_id__in={one[0] for one in told})
        )
    }
    new = []
    for lot_id, name, field, before, here, there in told:
        values = {
            "name": name[:400],
            "before": before[:_LONGEST],
            "here": here[:_LONGEST],
            "there": there[:_LONGEST],
            "sync_id": sync.pk,
            "channel_id": sync.channel_id,
        }
        if rule in BY_RULE:
            decided: dict[str, Any] = {
                "decision": BY_RULE[rule],
                "by_rule": True,
                "decided_at": now,
            }
        else:
            decided = {}
        known = asked.get((lot_id, field))
        if known is None:
            new.append(
                FieldConflict(
                    owner=sync.owner, marketplace_lot_id=lot_id, field=field, **values, **decided
                )
            )
        else:
            mine.filter(pk=known.pk).update(**values, **decided, updated_at=now)
    FieldConflict.objects.bulk_create(new, batch_size=500)


def close_agreed(*, owner: User, now: dt.datetime) -> int:
    """Close the questions that both sides answer alike by now; return how many."""
    asked = list(FieldConflict.objects.owned_by(owner).filter(decision=Decision.OPEN))
    if not asked:
        return 0
    lot_ids = {one.marketplace_lot_id for one in asked}
    known = _received(owner, asked)
    rows = InventoryItem.objects.owned_by(owner).filter(marketplace_lot_id__in=lot_ids)
    here: dict[int, list[InventoryItem]] = {}
    for row in rows:
        here.setdefault(row.marketplace_lot_id or 0, []).append(row)
    agreed = []
    for one in asked:
        there, mine = known.get(one.pk), here.get(one.marketplace_lot_id, [])
        if (
            there is None
            or not mine
            or any(getattr(row, one.field) == there[one.field] for row in mine)
        ):
            agreed.append(one.pk)
    return _decide(owner, agreed, Decision.AGREED, now)


def settle_conflicts(
    *, owner: User, decisions: Mapping[int, str], now: dt.datetime
) -> tuple[int, KeptAct | None]:
    """Settle questions: `theirs` brings the rows here to the store's value, `mine` lets the next
    sync send ours. Return how many, and the act by which it can be undone, if rows changed.

    Raises QuestionSettled where one of them is decided already, Refusals of rows as they are.
    """
    with transaction.atomic():
        asked = lock_in_order(FieldConflict.objects.owned_by(owner).filter(pk__in=decisions))
        if any(one.decision != Decision.OPEN for one in asked):
            raise QuestionSettled
        theirs = [one for one in asked if decisions[one.pk] == Decision.THEIRS]
        act = _take_theirs(owner, theirs, now) if theirs else None
        for decision in (Decision.MINE, Decision.THEIRS):
            some = [one.pk for one in asked if decisions[one.pk] == decision]
            _decide(owner, some, decision, now)
        return len(asked), act


def _take_theirs(owner: User, asked: list[FieldConflict], now: dt.datetime) -> KeptAct | None:
    lot_ids = {one.marketplace_lot_id for one in asked}
    known = _received(owner, asked)
    rows = InventoryItem.objects.owned_by(owner).filter(marketplace_lot_id__in=lot_ids)
    changes: dict[int, dict[str, Any]] = {}
    for pk, lot_id in rows.order_by("pk").values_list("pk", "marketplace_lot_id"):
        for one in asked:
            if one.marketplace_lot_id == lot_id and one.pk in known:
                changes.setdefault(pk, {})[one.field] = known[one.pk][one.field]
    if not changes:
        return None
    act = begin_act(owner=owner, kind=ActKind.SYNC, by=who_acts(owner))
    edits = {pk: StockEdit(item_id=pk, changes=fields) for pk, fields in changes.items()}
    refused = edit_in_act(act=act, edits=edits, by=who_acts(owner), now=now, fewer=Reason.EDIT)
    for refusal in refused.values():
        raise refusal
    return act


def _received(owner: User, asked: Collection[FieldConflict]) -> dict[int, dict[str, Any]]:
    """Return by question what its channel last received of its lot."""
    found: dict[int, dict[str, Any]] = {}
    for channel_id in sorted({one.channel_id for one in asked}, key=str):
        some = [one for one in asked if one.channel_id == channel_id]
        lot_ids = {one.marketplace_lot_id for one in some}
        lots = received_of(owner=owner, lot_ids=lot_ids, channel_id=channel_id)
        found |= {one.pk: lots[lot] for one in some if (lot := one.marketplace_lot_id) in lots}
    return found


def _decide(owner: User, ids: Collection[int], decision: Decision, now: dt.datetime) -> int:
    asked = FieldConflict.objects.owned_by(owner).filter(pk__in=ids, decision=Decision.OPEN)
    return int(asked.update(decision=decision, decided_at=now, updated_at=now))
