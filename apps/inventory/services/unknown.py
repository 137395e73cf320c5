"""Name what is unknown in the stock: for all lots of a number or word, remembered for later files."""

import datetime as dt
from collections.abc import Sequence
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet

from apps.catalog.models import Color, Item
from apps.catalog.rules.kinds import NO_COLOR
from apps.catalog.selectors.naming import ColorsByText
from apps.catalog.selectors.resolving import LotIdentity
from apps.catalog.services.lots import ensure_lots
from apps.core.errors import Conflict, DomainError, ErrorCode, UnknownReference, ValueRefused
from apps.core.jobs.models import Job
from apps.core.jobs.run import Clock, JobRun
from apps.exchange.conditions import UNKNOWN_CONDITION
from apps.inventory.models import (
    ActKind,
    InventoryItem,
    NumberChoice,
    Reason,
    StockAct,
    WordChoice,
    WordField,
)
from apps.inventory.models.unknown import LONGEST
from apps.inventory.selectors.meanings import resolve_as_named
from apps.inventory.selectors.unknown import Number, rows_of
from apps.inventory.selectors.words import rows_with_words, word_key
from apps.inventory.services.acts import Part, begin_act, do_act, edit_in_act, run_act
from apps.inventory.services.edits import StockEdit
from apps.lots.models import Condition
from apps.lots.services.acts import ActResult

NAME_KIND: Final = "inventory.name_items"
WORD_KIND: Final = "inventory.name_words"


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


def name_word(
    *, row: InventoryItem, field: WordField, meaning: str | int, by: Any, now: dt.datetime
) -> Named:
    """Let a word that was not understood mean a condition or a colour, in all rows that have it.

    Later files are read the same way. More than 1,000 rows become a job. Raises Conflict for a
    row whose field is known by now, UnknownReference.
    """
    color = None
    if field is WordField.COLOR:
        color = Color.objects.filter(pk=meaning).first()
        if color is None:
            raise UnknownReference(fields={"color_id": ["is not in the catalogue"]})
    found = rows_with_words(row.owner, field)
    text = found.filter(pk=row.pk).values_list("text", flat=True).first()
    if text is None:
        raise Conflict(row_id=row.pk)
    if len(text) > LONGEST:
        raise ValueRefused(fields={"id": [f"a text of more than {LONGEST} letters"]})
    with transaction.atomic():
        act = begin_act(
            owner=row.owner,
            kind=ActKind.NAME,
            by=by,
            note=f"{text}: {color or Condition(str(meaning)).label}",
        )
        WordChoice.objects.update_or_create(
            owner=row.owner,
            field=field,
            text=word_key(text),
            defaults={"condition": "" if color else meaning, "color": color, "act": act},
        )
        same = [
            other
            for other in found.order_by().values_list("text", flat=True).distinct()
            if word_key(other) == word_key(text)
        ]
        ids = list(found.filter(text__in=same).order_by("pk").values_list("pk", flat=True))
        return do_act(
            act,
            job_kind=WORD_KIND,
            rows=len(ids),
            payload={"field": field, "meaning": meaning, "item_ids": ids},
            do=lambda act: _mean(act, field, meaning, ids, by=by, now=now),
            is_kept_empty=True,
        )


def run_naming_word(
    *,
    run: JobRun,
    act_id: int,
    field: str,
    meaning: str | int,
    item_ids: Sequence[int],
    by: Any,
    clock: Clock,
) -> None:
    """Give many rows what their word means, 500 a transaction. Raises JobCancelled."""

    def name(act: StockAct, some: Sequence[int], now: dt.datetime) -> Part:
        refused = _mean(act, WordField(field), meaning, some, by=by, now=now)
        return len(some) - len(refused), refused.items()

    run_act(run=run, act_id=act_id, rows=item_ids, message="Naming", do=name, clock=clock)


def _mean(
    act: StockAct,
    field: WordField,
    meaning: str | int,
    ids: Sequence[int],
    *,
    by: Any,
    now: dt.datetime,
) -> Refusals:
    rows = InventoryItem.with_deleted.owned_by(act.owner).filter(pk__in=ids)
    changes: dict[int, dict[str, Any]]
    if field is WordField.CONDITION:
        known = rows.filter(condition=UNKNOWN_CONDITION).values_list("pk", flat=True)
        changes = {pk: {"condition": meaning, "condition_text": ""} for pk in known}
    else:
        changes = _in_color(rows.filter(lot=None, raw_color_id=None), int(meaning), act.owner, now)
    edits = {pk: StockEdit(item_id=pk, changes=changed) for pk, changed in changes.items()}
    return edit_in_act(act=act, edits=edits, by=by, now=now, fewer=Reason.EDIT)


def _in_color(rows: Any, color_id: int, owner: Any, now: dt.datetime) -> dict[int, dict[str, Any]]:
    """Return the changes of rows that are of this colour; those of known items become known."""
    asked = {
        pk: LotIdentity(kind, number, color_id)
        for pk, kind, number in rows.values_list("pk", "raw_item_type", "raw_item_number")
    }
    answers = resolve_as_named({one for one in asked.values() if one.number}, owner=owner)
    items = {one: answer.item_id for one, answer in answers.items() if answer.item_id is not None}
    lots = ensure_lots(pairs={(item, color_id) for item in items.values()}, now=now, by=owner)
    return {
        pk: {"lot_id": lots[items[one], color_id]} if one in items else {"raw_color_id": color_id}
        for pk, one in asked.items()
    }


def _begin(
    row: InventoryItem, *, item: Item | None, note: str, by: Any
) -> tuple[StockAct, QuerySet[Any]]:
    if row.lot_id is not None:
        raise Conflict(row_id=row.pk)
    number = Number.of(row)
    if max(map(len, number)) > LONGEST:
        raise ValueRefused(fields={"id": [f"a number or name of more than {LONGEST} letters"]})
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
