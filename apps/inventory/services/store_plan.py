"""What a previewed reading of the store would change here, lot by lot, and lots left out of it."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, BinaryIO, Final, NamedTuple, cast

from django.db.models import Q

from apps.accounts.models import User
from apps.core.jobs.run import JobRun
from apps.exchange.bsx_lot import AMOUNT_FIELDS, BsxLot
from apps.exchange.bsx_reader import read_bsx
from apps.inventory.models import RECEIVED_FIELDS, InventoryItem, InventorySync, SyncChunk
from apps.inventory.rules.bsx_fields import refusal_of, stored
from apps.inventory.rules.file_columns import FILE_COLUMNS
from apps.inventory.rules.merging import ConflictRule
from apps.inventory.rules.sync_plan import (
    CHANGED,
    CREATED,
    KINDS,
    OF_UNKNOWN,
    UNKNOWN,
    ZEROED,
    Planned,
    counted_as,
    pack,
    plan_of,
)
from apps.inventory.rules.sync_planning import LISTING
from apps.inventory.selectors.origins import pieces_to_list
from apps.inventory.services.changes import Taken, text_of
from apps.inventory.services.received import values_of
from apps.lots.rules import name_to_show

FIELDS: Final = tuple(name for name in RECEIVED_FIELDS if name != "quantity")


class LotPlan(NamedTuple):
    """A lot of the store and what taking it over does to our rows, none of a new one.

    `kind` is sold (fewer there), gone (not there), linked (a row gets its number), created (new
    here) or taken (changed there). `here` are the pieces of ours that are for sale.
    """

    lot_id: int
    kind: str
    name: str
    row_ids: list[int]
    here: int
    there: int
    changes: list[dict[str, str]]


def planned_lots(sync: InventorySync) -> Iterator[list[LotPlan]]:
    """Yield what would change here, a chunk of the plan at a time."""
    there = {lot.marketplace_lot_id: lot.quantity for lot in _lots_of(sync)}
    waiting = pieces_to_list(owner=sync.owner)
    seen: set[int] = set()  # the rows of a lot that is gone may be in several chunks
    for entries in _entries(sync):
        some = {lot_id: of_lot for lot_id, of_lot in entries.items() if lot_id not in seen}
        seen |= some.keys()
        rows = _rows(sync.owner, some)
        yield [
            _lot_plan(lot_id, of_lot, rows[lot_id], there.get(lot_id, 0), waiting.get(lot_id, {}))
            for lot_id, of_lot in some.items()
        ]


def taken_of(sync: InventorySync, lot_ids: Collection[int]) -> Taken:
    """Return these lots and their rows as they are once the reading was taken over."""
    received = {
        lot_id: values_of(stored(lot))
        for lot in _lots_of(sync)
        if (lot_id := lot.marketplace_lot_id or 0) in lot_ids and not refusal_of(lot)
    }
    rows = {
        one.item_id: _values_after(one)
        for entries in _entries(sync)
        for lot_id in entries.keys() & received.keys()
        for one in entries[lot_id]
        if one.item_id is not None
    }
    asked: dict[int, set[str]] = defaultdict(set)
    if sync.options.get("conflicts") == ConflictRule.ASK:
        for lot_id, _name, field, *_ in sync.told.get("conflicts", []):
            asked[lot_id].add(field)
    listed = Counter[int]()
    for _item, row_id, pieces in sync.told.get("uploaded", []):
        listed[row_id] += pieces
    return Taken(received=received, rows=rows, unsettled=asked, listed=listed)


def take_only(run: JobRun, sync: InventorySync, lot_ids: Collection[int]) -> None:
    """Leave out of a previewed reading what is not of these lots. Repeating it changes nothing."""
    counts: Counter[str] = Counter()
    left_rows: set[int] = set()
    for entries in _entries(sync):
        out = {lot_id: of_lot for lot_id, of_lot in entries.items() if lot_id not in lot_ids}
        left_rows |= {row.pk for rows in _rows(sync.owner, out).values() for row in rows}
    for chunk in sync.chunks.order_by("number"):
        kept = [one for one in plan_of(chunk.plan) if one.values[LISTING] in lot_ids]
        found = Counter(counted_as(one) for one in kept)
        found += Counter(OF_UNKNOWN[one.kind] for one in kept if counted_as(one) == UNKNOWN)
        with run.chunk():
            plan = pack(([tuple(one) for one in kept], []))
            SyncChunk.objects.filter(pk=chunk.pk).update(plan=plan, counts=dict(found))
        counts += found
    told = {
        **sync.told,
        "only": sorted(lot_ids),
        "uploaded": [one for one in sync.told.get("uploaded", []) if one[1] not in left_rows],
        "gone": [lot_id for lot_id in sync.told.get("gone", []) if lot_id in lot_ids],
        "conflicts": [one for one in sync.told.get("conflicts", []) if one[0] in lot_ids],
    }
    left = {name: counts[name] for name in (*KINDS, *OF_UNKNOWN.values())}
    with run.chunk():
        InventorySync.objects.filter(pk=sync.pk).update(told=told, counts={**sync.counts, **left})


def _lots_of(sync: InventorySync) -> Iterator[BsxLot]:
    """Yield the lots of the store that were not as they were last received."""
    if not sync.file:
        return
    with sync.file.open("rb") as stream:
        yield from read_bsx(cast("BinaryIO", stream))


def _entries(sync: InventorySync) -> Iterator[dict[int, list[Planned]]]:
    """Yield the planned changes of rows by lot, a chunk at a time."""
    for pk in list(sync.chunks.order_by("number").values_list("pk", flat=True)):
        found: dict[int, list[Planned]] = defaultdict(list)
        for one in plan_of(SyncChunk.objects.get(pk=pk).plan):
            if one.kind in (CREATED, CHANGED, ZEROED) and one.values[LISTING] is not None:
                found[one.values[LISTING]].append(one)
        yield found


def _rows(owner: User, entries: Mapping[int, Sequence[Planned]]) -> dict[int, list[InventoryItem]]:
    """Return the rows of each lot, and those that would get its number."""
    lot_of = {one.item_id: lot_id for lot_id, some in entries.items() for one in some}
    rows = InventoryItem.objects.owned_by(owner).filter(
        Q(marketplace_lot_id__in=list(entries)) | Q(pk__in=[pk for pk in lot_of if pk])
    )
    found: dict[int, list[InventoryItem]] = {lot_id: [] for lot_id in entries}
    for row in rows.select_related("lot__item", "lot__color").order_by("pk"):
        lot_id = lot_of.get(row.pk, row.marketplace_lot_id)
        if lot_id in found:
            found[lot_id].append(row)
    return found


def _lot_plan(
    lot_id: int,
    entries: Sequence[Planned],
    rows: Sequence[InventoryItem],
    there: int,
    waiting: Mapping[int, int],
) -> LotPlan:
    changes: dict[str, dict[str, str]] = {}
    for one in entries:
        for name, (before, after) in (one.changes or {}).items():
            if name in FIELDS:
                told = {"field": name, "here": text_of(before), "there": text_of(after)}
                changes.setdefault(name, told)
    values = dict(zip(FILE_COLUMNS, entries[0].values, strict=True))
    name = name_to_show(
        name=values["raw_item_name"],
        number=values["raw_item_number"],
        color=values["raw_color_name"] if values["raw_color_id"] else "",
    )
    return LotPlan(
        lot_id=lot_id,
        kind=_kind(entries),
        name=(rows[0].shown_name if rows else name)[:400],
        row_ids=[row.pk for row in rows],
        here=sum(max(row.quantity - row.promised - waiting.get(row.pk, 0), 0) for row in rows),
        there=there,
        changes=list(changes.values()),
    )


def _kind(entries: Sequence[Planned]) -> str:
    kinds = {one.kind for one in entries}
    if kinds == {ZEROED}:
        return "gone"
    if kinds == {CREATED}:
        return "created"
    if any("marketplace_lot_id" in (one.changes or {}) for one in entries):
        return "linked"
    return "sold" if any(one.sold for one in entries) else "taken"


def _values_after(planned: Planned) -> dict[str, Any]:
    """Return what the store receives of a row, and its `quantity` as a change."""
    said = dict(zip(FILE_COLUMNS, planned.values, strict=True))
    before, after = (planned.changes or {}).get("quantity", (0, 0))
    values = {
        name: Decimal(said[name])
        if name in AMOUNT_FIELDS and said[name] is not None
        else said[name]
        for name in FIELDS
    }
    return {**values, "quantity": after - before}
