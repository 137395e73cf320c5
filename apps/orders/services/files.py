"""Imports orders from a file, each in its own transaction, or refuses one with the reason."""

import datetime as dt
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Final, TypedDict

from apps.accounts.models import User
from apps.accounts.selectors import currency_of
from apps.catalog.rules.kinds import LETTER_OF_TYPE, TYPE_OF_LETTER
from apps.core.errors import FileUnreadable
from apps.exchange.refusals import FileRefused
from apps.inventory.models import InventoryItem
from apps.inventory.services.channels import numbers_of
from apps.marketplace.providers.orders import ListedLot
from apps.marketplace.services.connections import orders_of_file
from apps.orders.models import Order, OrderOrigin
from apps.orders.services.arrival import receive_order

#: A day that has begun in no zone is of no sale.
ZONES: Final = dt.timedelta(days=1)
TO_COME: Final = "Line {line}: its day, {day}, is yet to come: expected the day of the sale."


class RefusedOrderRow(TypedDict):
    number: str
    line: Annotated[int, "of the file"]
    reason: str


@dataclass(slots=True)
class FileTaken:
    """What became of the orders of a file: ids of those that came, changed, or said nothing new."""

    order_ids: list[int] = field(default_factory=list)
    new: int = 0
    changed: int = 0
    same: Annotated[int, "known already, or told by the store"] = 0
    lacking: Annotated[int, "pieces that nothing in stock serves"] = 0
    refused: list[RefusedOrderRow] = field(default_factory=list)
    warnings: Annotated[list[str], "what was odd about the file as a whole"] = field(
        default_factory=list
    )


class _Listed:
    """The lots of an owner's store by their LotID, read when one is looked up first."""

    def __init__(self, owner: User) -> None:
        self._owner = owner

    @cached_property
    def _lots(self) -> dict[int, ListedLot]:
        # Of several rows of a lot, one whose condition is known comes last and counts.
        rows = (
            InventoryItem.objects.owned_by(self._owner)
            .filter(marketplace_lot_id__isnull=False)
            .order_by("condition")
            .values_list("marketplace_lot_id", "lot__item__item_type", "raw_item_type", "condition")
        )
        return {
            lot_id: ListedLot(LETTER_OF_TYPE[kind] if kind else raw, condition)
            for lot_id, kind, raw, condition in rows.iterator()
            if kind or raw in TYPE_OF_LETTER
        }

    def find(self, lot_id: int) -> ListedLot | None:
        return self._lots.get(self._numbers.get(lot_id, lot_id))

    @cached_property
    def _numbers(self) -> dict[int, int]:
        return numbers_of(owner=self._owner)


def take_in_file(*, owner: User, data: bytes, now: dt.datetime) -> FileTaken:
    """Read the orders of BrickLink's XML or CSV; values from the store itself are kept.

    The same file twice changes nothing. Raises FileUnreadable for a file that is none,
    FilesBusy.
    """
    try:
        found = orders_of_file(
            data,
            owner=owner,
            currency=currency_of(owner),
            listed=_Listed(owner).find,
        )
    except FileRefused as refused:
        raise FileUnreadable(fields={"file": [str(refused)]}) from refused
    numbers = [one.order.order_id for one in found.orders if one.order]
    told_by_store = set(
        Order.objects.owned_by(owner)
        .filter(marketplace_order_id__in=numbers, channel=OrderOrigin.STORE)
        .values_list("marketplace_order_id", flat=True)
    )
    taken = FileTaken(warnings=found.warnings)
    for one in found.orders:
        if one.order is None:
            taken.refused.append({"number": one.number, "line": one.line, "reason": one.problem})
        elif (day := one.order.ordered_at) and day > now + ZONES:
            reason = TO_COME.format(line=one.line, day=day.date())
            taken.refused.append({"number": one.number, "line": one.line, "reason": reason})
        elif one.order.order_id in told_by_store:
            taken.same += 1
        else:
            arrived = receive_order(owner=owner, told=one.order, now=now, channel=OrderOrigin.FILE)
            taken.order_ids.append(arrived.order.pk)
            taken.new += arrived.is_new
            taken.changed += bool(arrived.differences)
            taken.same += not arrived.is_new and not arrived.differences
            taken.lacking += sum(arrived.lacking.values())
    return taken
