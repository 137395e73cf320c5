"""Name the unknown items of the stock: for all lots of a number, remembered for later files."""

import datetime as dt
from collections.abc import Sequence
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet

from apps.catalog.models import Color, Item
from apps.catalog.rules.kinds import NO_COLOR
from apps.catalog.selectors.naming import ColorsByText
from apps.catalog.services.lots import ensure_lots
from apps.core.errors import Conflict, DomainError, ErrorCode, Invalid, UnknownReference
from apps.core.jobs.models import Job
from apps.core.jobs.run import Clock, JobRun
from apps.inventory.models import ActKind, InventoryItem, NumberChoice, Reason, StockAct
from apps.inventory.models.unknown import LONGEST
from apps.inventory.selectors.unknown import Number, rows_of
from apps.inventory.services.acts import Part, begin_act, do_act, edit_in_act, run_act
from apps.inventory.services.edits import StockEdit
from apps.lots.services.acts import ActResult

NAME_KIND: Final = "inventory.name_items"


class ColorUnknown(DomainError):
    """The colour of a row is not in the catalogue either."""

    code = ErrorCode.VALIDATION_ERROR
    message = "The catalogue does not know its colour, {color}: choose one in the row's panel."


#: By row, why it was not named.
Refusals = dict[int, DomainError]
Named = ActResult[Refusals, StockAct] | Job


def name_items(*, row: InventoryItem, item_id: int, by: Any, now: dt.datetime) -> Named:
    """Let the number of an unknown row mean an item, for all rows of that number.

    Rows stay where they are, with their ledger. Rows whose colour is unknown too stay as they
    are and are returned with the reason. Later files are read the same way. More than 1,000
    rows become a job. Raises Conflict for a row that is in the catalogue by now, UnknownReference.
    """
    item = Item.objects.filter(pk=item_id).first()
    if item is None:
        raise UnknownReference(fields={"item_id": ["is not in the catalogue"]})
    with transaction.atomic():
        act, rows = _begin(row, item=item, note=item.number, by=by)
        ids = list(rows.order_by("pk").values_list("pk", flat=True))
        return do_act(
            act,
            job_kind=NAME_KIND,
            rows=len(ids),
            payload={"item_id": item.pk, "item_ids": ids},
            do=lambda act: _name(act, item, ids, by=by, now=now),
            is_kept_empty=True,
        )


def keep_as_own(*, row: InventoryItem, by: Any) -> StockAct:
    """Keep the number of an unknown row as an own item: it is not asked about again.

    Raises Conflict for a row that is known by now.
    """
    with transaction.atomic():
        act, _rows = _begin(row, item=None, note="own item", by=by)
    return act


def run_naming(
    *,
    run: JobRun,
    act_id: int,
    item_id: int,
    item_ids: Sequence[int],
    by: Any,
    clock: Clock,
) -> None:
    """Name many rows, 500 a transaction. Raises JobCancelled."""
    item = Item.objects.get(pk=item_id)

    def name(act: StockAct, some: Sequence[int], now: dt.datetime) -> Part:
        refused = _name(act, item, some, by=by, now=now)
        return len(some) - len(refused), refused.items()

    run_act(run=run, act_id=act_id, rows=item_ids, message="Naming", do=name, clock=clock)


def _begin(
    row: InventoryItem, *, item: Item | None, note: str, by: Any
) -> tuple[StockAct, QuerySet[Any]]:
    if row.lot_id is not None:
        raise Conflict(row_id=row.pk)
    number = Number.of(row)
    if max(map(len, number)) > LONGEST:
        raise Invalid(fields={"id": [f"a number or name of more than {LONGEST} letters"]})
    act = begin_act(
        owner=row.owner, kind=ActKind.NAME, by=by, note=f"{number.number or number.name}: {note}"
    )
    NumberChoice.objects.update_or_create(
        owner=row.owner, **number._asdict(), defaults={"item": item, "act": act}
    )
    return act, rows_of(owner=row.owner, number=number)


def _name(act: StockAct, item: Item, ids: Sequence[int], *, by: Any, now: dt.datetime) -> Refusals:
    rows = InventoryItem.with_deleted.owned_by(act.owner).filter(pk__in=ids, lot=None)
    colors = _Colors()
    wanted: dict[int, int] = {}
    refused: Refusals = {}
    for pk, color_id, name in rows.values_list("pk", "raw_color_id", "raw_color_name"):
        color = colors.meant(item, color_id, name)
        if color is None:
            refused[pk] = ColorUnknown(color=name or color_id)
        else:
            wanted[pk] = color
    lots = ensure_lots(pairs={(item.pk, color) for color in wanted.values()}, now=now, by=act.owner)
    edits = {
        pk: StockEdit(item_id=pk, changes={"lot_id": lots[item.pk, color]})
        for pk, color in wanted.items()
    }
    return refused | edit_in_act(act=act, edits=edits, by=by, now=now, fewer=Reason.EDIT)


class _Colors:
    """The colours of the catalogue, by the number or else the name that a file gives."""

    def __init__(self) -> None:
        self._known = set(Color.objects.values_list("pk", flat=True))
        self._names = ColorsByText()

    def meant(self, item: Item, color_id: int | None, name: str) -> int | None:
        """Return the colour, None for one that is not in the catalogue."""
        if color_id is not None and color_id in self._known:
            return color_id
        if color_id is None and not name:
            return NO_COLOR if NO_COLOR in self._known else None
        return self._names.named(name) if name else None
