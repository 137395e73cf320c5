"""Name what is unknown in stock and in batches: for all lots of a number or word, and later files."""

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet

from apps.accounts.models import User
from apps.catalog.models import Color, Item
from apps.catalog.rules.kinds import NO_COLOR, ItemType
from apps.catalog.selectors.naming import ColorsByText
from apps.catalog.selectors.resolving import LotIdentity
from apps.catalog.services.lots import ensure_lots
from apps.core.concurrency import lock_in_order
from apps.core.errors import Conflict, DomainError, ErrorCode, UnknownReference, ValueRefused
from apps.core.jobs.models import Job
from apps.core.jobs.run import Clock, JobRun
from apps.inventory.models import InventoryItem, NumberChoice, Reason, WordChoice, WordField
from apps.inventory.models.unknown import LONGEST
from apps.inventory.selectors.meanings import resolve_as_named
from apps.inventory.selectors.unknown import NAMED, Number, rows_of, unknown_rows
from apps.inventory.selectors.words import rows_with_words, word_key
from apps.inventory.services.acts import (
    Part,
    Refusals,
    begin_act,
    do_act,
    edit_in_act,
    run_act,
    write_kept,
)
from apps.inventory.services.edits import StockEdit
from apps.lots.models import NO_RAW_IDENTITY, ActKind, Condition, KeptAct
from apps.lots.services.acts import ActResult
from apps.lots.services.images import changed_row

NAME_KIND: Final = "inventory.name_items"
WORD_KIND: Final = "inventory.name_words"


class ColorUnknown(DomainError):
    """The colour of a row is not in the catalogue either."""

    code = ErrorCode.VALIDATION_ERROR
    message = "The catalogue does not know its colour, {color}: choose one in the row's panel."


#: A row of stock, or an item of a batch.
LotRow = Any
Row = tuple[str, int]  # table ("" is the stock), id
Named = ActResult[Refusals, KeptAct] | Job
_Changes = dict[int, dict[str, Any]]
#: Rows that are unknown, and what those that are named get.
_Wanted = tuple[QuerySet[Any], _Changes]


def name_items(*, row: LotRow, item_id: int, by: User, now: dt.datetime) -> Named:
    """Let the number of an unknown row mean an item, for all rows of that number.

    Rows stay where they are, with their ledger. Rows whose colour is unknown too stay as they
    are and are returned with the reason. Later files are read the same way. More than 1,000
    rows become a job. Raises Conflict for a row that is in the catalogue by now, UnknownReference.
    """
    item = Item.objects.filter(pk=item_id).first()
    if item is None:
        raise UnknownReference(fields={"item_id": ["is not in the catalogue"]})
    with transaction.atomic():
        act, number = _begin(row, item=item, note=item.number, by=by)
        rows = _rows(lambda table: rows_of(owner=row.owner, number=number, table=table))
        return do_act(
            act,
            job_kind=NAME_KIND,
            rows=len(rows),
            payload={"item_id": item.pk, "rows": rows},
            do=lambda act: _name(act, item, rows, by=by, now=now),
            is_kept_empty=True,
        )


def keep_as_own(*, row: LotRow, by: User) -> KeptAct:
    """Keep the number of an unknown row as an own item: it is not asked about again.

    Raises Conflict for a row that is known by now.
    """
    with transaction.atomic():
        return _begin(row, item=None, note="own item", by=by)[0]


def run_naming(
    *,
    run: JobRun,
    act_id: int,
    item_id: int,
    rows: Sequence[Row] = (),
    item_ids: Sequence[int] = (),
    by: User,
    clock: Clock,
) -> None:
    """Name many rows, 500 a transaction. `item_ids` are of a job of 0.2.0. Raises JobCancelled."""
    item = Item.objects.get(pk=item_id)

    def name(act: KeptAct, some: Sequence[Row], now: dt.datetime) -> Part:
        refused = _name(act, item, some, by=by, now=now)
        return len(some) - len(refused), refused

    rows = rows or [("", pk) for pk in item_ids]
    run_act(run=run, act_id=act_id, rows=rows, message="Naming", do=name, clock=clock)


def name_word(
    *, row: LotRow, field: WordField, meaning: str | int, by: User, now: dt.datetime
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
    found = rows_with_words(row.owner, field, _table_of(row)).filter(pk=row.pk)
    text = found.values_list("text", flat=True).first()
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
        rows = _rows(lambda table: _with_word(row.owner, field, text, table))
        return do_act(
            act,
            job_kind=WORD_KIND,
            rows=len(rows),
            payload={"field": field, "meaning": meaning, "rows": rows},
            do=lambda act: _mean(act, field, meaning, rows, by=by, now=now),
            is_kept_empty=True,
        )


def run_naming_word(
    *,
    run: JobRun,
    act_id: int,
    field: str,
    meaning: str | int,
    rows: Sequence[Row],
    by: User,
    clock: Clock,
) -> None:
    """Give many rows what their word means, 500 a transaction. Raises JobCancelled."""

    def name(act: KeptAct, some: Sequence[Row], now: dt.datetime) -> Part:
        refused = _mean(act, WordField(field), meaning, some, by=by, now=now)
        return len(some) - len(refused), refused

    run_act(run=run, act_id=act_id, rows=rows, message="Naming", do=name, clock=clock)


def _table_of(row: LotRow) -> str:
    return "" if isinstance(row, InventoryItem) else row._meta.label


def _rows(found: Callable[[str], QuerySet[Any]]) -> list[Row]:
    return [
        (table, pk)
        for table in NAMED
        for pk in found(table).order_by("pk").values_list("pk", flat=True)
    ]


def _with_word(owner: User, field: WordField, text: str, table: str) -> QuerySet[Any]:
    """Return the rows with this word in any case."""
    found = rows_with_words(owner, field, table)
    texts = found.order_by().values_list("text", flat=True).distinct()
    return found.filter(text__in=[one for one in texts if word_key(one) == word_key(text)])


def _mean(
    act: KeptAct,
    field: WordField,
    meaning: str | int,
    rows: Sequence[Row],
    *,
    by: User,
    now: dt.datetime,
) -> Refusals:
    wanted: dict[str, _Wanted] = {}
    for table in NAMED:
        ids = [pk for of, pk in rows if of == table]
        unknown = rows_with_words(act.owner, field, table).filter(pk__in=ids)
        if field is WordField.COLOR:
            wanted[table] = unknown, _in_color(unknown, int(meaning), act.owner, now)
        else:
            known = {"condition": meaning, "condition_text": ""}
            wanted[table] = unknown, dict.fromkeys(unknown.values_list("pk", flat=True), known)
    return _change(act, wanted, by=by, now=now)


def _change(act: KeptAct, wanted: Mapping[str, _Wanted], *, by: User, now: dt.datetime) -> Refusals:
    """Change those of these rows that are still unknown. Return why some stay."""
    for table, (unknown, changes) in wanted.items():
        if not table or not changes:
            continue
        kept = []
        for row in lock_in_order(unknown.filter(pk__in=changes)):
            also = NO_RAW_IDENTITY if "lot_id" in changes[row.pk] else {}
            listed = {"is_changed_since_listing": True} if row.is_listed else {}
            kept.append(changed_row(row, also | changes[row.pk] | listed))
        write_kept(act, table, kept, now=now)
    edits = {pk: StockEdit(item_id=pk, changes=changed) for pk, changed in wanted[""][1].items()}
    return list(edit_in_act(act=act, edits=edits, by=by, now=now, fewer=Reason.EDIT).items())


def _in_color(rows: QuerySet[Any], color_id: int, owner: User, now: dt.datetime) -> _Changes:
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


def _begin(row: LotRow, *, item: Item | None, note: str, by: User) -> tuple[KeptAct, Number]:
    if not unknown_rows(row.owner, _table_of(row)).filter(pk=row.pk).exists():
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
    return act, number


def _name(act: KeptAct, item: Item, rows: Sequence[Row], *, by: User, now: dt.datetime) -> Refusals:
    colors = _Colors()
    refused: Refusals = []
    wanted: dict[str, _Wanted] = {}
    for table in NAMED:
        ids = [pk for of, pk in rows if of == table]
        unknown = unknown_rows(act.owner, table).filter(pk__in=ids)
        meant: dict[int, int] = {}
        for pk, color_id, name in unknown.values_list("pk", "raw_color_id", "raw_color_name"):
            color = colors.meant(item, color_id, name)
            if color is None:
                row = (table, pk) if table else pk
                refused.append((row, ColorUnknown(color=name or color_id or "which no file says")))
            else:
                meant[pk] = color
        pairs = {(item.pk, color) for color in meant.values()}
        lots = ensure_lots(pairs=pairs, now=now, by=act.owner)
        wanted[table] = (
            unknown,
            {pk: {"lot_id": lots[item.pk, color]} for pk, color in meant.items()},
        )
    return refused + _change(act, wanted, by=by, now=now)


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
            if item.item_type == ItemType.PART:
                return None
            return NO_COLOR if NO_COLOR in self._known else None
        return self._names.named(name) if name else None
