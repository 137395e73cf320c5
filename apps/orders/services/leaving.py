"""Books the pieces that an order took along, or gave up, without anybody picking them."""

import datetime as dt
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from apps.accounts.models import User
from apps.accounts.selectors import who_acts
from apps.core.bulk import add_to_rows
from apps.inventory.models import CauseKind, Promise, Reason
from apps.inventory.services.edits import StockEdit, edit_rows
from apps.inventory.services.promises import keep
from apps.inventory.services.returns import hold_rows_of_returns
from apps.inventory.services.stow import TakeLine, take_out
from apps.orders.models import OrderLine

NEVER_LEFT: Final = "Never left its bin"


def take_unpicked(*, owner: User, lines: Sequence[OrderLine], now: dt.datetime) -> int:
    """Sell what the lines of a shipped order were promised, as picking does; return how many."""
    known = {line.pk: line for line in lines}
    found = {
        one.pk: one
        for one in Promise.objects.filter(owner=owner, line_id__in=known).order_by("item_id", "pk")
    }
    if not found:
        return 0
    counted = [
        TakeLine(item_id=one.item_id, quantity=one.quantity, cause_id=one.line_id, for_buyer=True)
        for one in found.values()
        if not one.is_out
    ]
    if counted:
        take_out(
            owner=owner,
            lines=counted,
            by=who_acts(owner),
            now=now,
            cause_kind=CauseKind.ORDER,
            reason=Reason.SALE,
            all_or_nothing=True,
        )
    keep(kept={pk: one.quantity for pk, one in found.items()}, rows=found, now=now)
    taken: dict[int, int] = defaultdict(int)
    for one in found.values():
        taken[one.line_id] += one.quantity
    add_to_rows(OrderLine, ("picked",), sorted(taken.items()))
    for line_id, pieces in taken.items():
        known[line_id].picked += pieces
    return sum(taken.values())


def count_again(*, owner: User, pieces: Mapping[tuple[int, int], int], now: dt.datetime) -> None:
    """Count pieces that lie in their bins and were booked as sold, by line and row of stock.

    A sold-out row that was deleted since is shown again, and no limit of a bin keeps them out.
    """
    if not pieces:
        return
    hold_rows_of_returns(owner=owner, item_ids={item_id for _, item_id in pieces}, now=now)
    edits = {
        (line_id, item_id): StockEdit(
            item_id=item_id, delta=some, cause_id=line_id, note=NEVER_LEFT, is_passing=True
        )
        for (line_id, item_id), some in pieces.items()
    }
    refused = edit_rows(
        owner=owner,
        edits=edits,
        by=who_acts(owner),
        now=now,
        cause_kind=CauseKind.ORDER,
        more=Reason.RETURN,
    )
    for refusal in refused.values():
        raise refusal
