"""Move many rows to one location as one act that can be undone."""

import datetime as dt
from collections.abc import Sequence
from typing import Any, Final

from django.db import transaction

from apps.accounts.models import User
from apps.core.errors import DomainError, Invalid
from apps.core.jobs.models import Job
from apps.core.jobs.run import Clock, JobRun
from apps.inventory.services.acts import Part, begin_act, do_act, run_act
from apps.inventory.services.moves import MoveLine, MoveResult, move_items
from apps.lots.models import ActKind, KeptAct
from apps.lots.services.acts import ActResult

MOVE_KIND: Final = "inventory.move_items"
MOST: Final = 100_000


def move_many(
    *,
    owner: User,
    lines: Sequence[MoveLine],
    by: User,
    now: dt.datetime,
    override_reason: str = "",
    atomic: bool = True,
) -> ActResult[MoveResult, KeptAct] | Job:
    """Move as one act: at once up to 1,000 rows, by a job beyond.

    `atomic` raises the first refusal (LocationFull, LocationGone, NotEnoughInStock,
    ItemGone) with nothing moved. The job moves the rows that fit and reports the others.
    Statements constant per 500 rows.
    """
    if not 1 <= len(lines) <= MOST:
        raise Invalid(fields={"items": [f"must be 1 to {MOST}"]})
    with transaction.atomic():
        return do_act(
            begin_act(owner=owner, kind=ActKind.MOVE, by=by, note=override_reason),
            job_kind=MOVE_KIND,
            rows=len(lines),
            payload={
                "lines": [[one.item_id, one.to_location_id, one.quantity] for one in lines],
                "override_reason": override_reason,
            },
            do=lambda act: move_items(
                owner=owner,
                lines=lines,
                by=by,
                now=now,
                override_reason=override_reason,
                all_or_nothing=atomic,
                act=act,
            ),
            is_kept_empty=True,
        )


def run_move(
    *,
    run: JobRun,
    act_id: int,
    lines: Sequence[Sequence[Any]],
    override_reason: str,
    by: User,
    clock: Clock,
) -> None:
    """Move many rows, 500 a transaction. Raises JobCancelled."""

    def move(act: KeptAct, some: Sequence[Sequence[Any]], now: dt.datetime) -> Part:
        moves = [
            MoveLine(item_id=item_id, to_location_id=to, quantity=quantity)
            for item_id, to, quantity in some
        ]
        result = _move(act, moves, by, now, override_reason)
        refused = ((one.line.item_id, one.refusal) for one in result.refused)
        return len(result.moved), refused

    run_act(run=run, act_id=act_id, rows=lines, message="Moving", do=move, clock=clock)


def _move(
    act: KeptAct, lines: Sequence[MoveLine], by: User, now: dt.datetime, override_reason: str
) -> MoveResult:
    try:
        with transaction.atomic():
            return move_items(
                owner=act.owner,
                lines=lines,
                by=by,
                now=now,
                override_reason=override_reason,
                all_or_nothing=False,
                act=act,
            )
    except DomainError as refusal:
        # What holds for all of them, such as a bin that others fill at this moment.
        result = MoveResult()
        result.refuse(lines, refusal)
        return result
