"""The rows of a sync or of its preview, and their changes since."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.apps import apps
from django.db.models import Q, QuerySet

from apps.accounts.models import User
from apps.catalog.models import Lot
from apps.catalog.rules.kinds import TYPE_OF_LETTER
from apps.catalog.selectors.faces import item_image
from apps.core.bulk import plain
from apps.inventory.models import InventorySync, SyncChunk, SyncState, SyncTarget
from apps.inventory.rules.file_columns import FILE_COLUMNS
from apps.inventory.rules.sync_plan import (
    CREATED,
    Before,
    Blob,
    Planned,
    before_of,
    counted_as,
    plan_of,
    warnings_of,
)

CHANGED_SINCE: Final = "changed_since"
ROW_KINDS: Final = (
    "created",
    "changed",
    "zeroed",
    "unknown",
    "unreadable",
    "warnings",
    CHANGED_SINCE,
)
_SHOWN: Final = (
    "raw_item_number",
    "raw_item_name",
    "raw_item_type",
    "raw_color_id",
    "raw_color_name",
    "condition",
    "price",
    "remarks",
    "marketplace_lot_id",
)
#: The rows that imports write, of each target; batches are above this app.
_ROWS: Final = {
    SyncTarget.STOCK: "inventory.InventoryItem",
    SyncTarget.BATCH: "batches.BatchItem",
}
_INDEX: Final = {name: FILE_COLUMNS.index(name) for name in _SHOWN}


@dataclass(frozen=True, slots=True)
class RowsPage:
    """Some rows of one kind, and how many there are of it."""

    rows: list[dict[str, Any]]
    total: int


def sync_rows(*, sync: InventorySync, kind: str, offset: int, limit: int) -> RowsPage:
    """Return rows of one kind in the order of the file.

    `changed_since` compares the values that the sync wrote with the current ones.
    """
    if kind == CHANGED_SINCE:
        ids = changed_since(sync=sync)
        some = ids[offset : offset + limit]
        return RowsPage(brief_rows(sync=sync, item_ids=some), len(ids))
    chunks = list(sync.chunks.order_by("number").values_list("pk", "counts"))
    wanted: list[tuple[int, int, int]] = []
    before = 0
    for pk, counts in chunks:
        count = counts.get(kind, 0)
        first, last = max(offset - before, 0), min(offset + limit - before, count)
        if first < last:
            wanted.append((pk, first, last))
        before += count
    plans = dict(
        SyncChunk.objects.filter(pk__in=[pk for pk, _, _ in wanted]).values_list("pk", "plan")
    )
    rows: list[dict[str, Any]] = []
    for pk, first, last in wanted:
        rows += _rows_of(plans[pk], kind)[first:last]
    _name(rows)
    return RowsPage(rows, before)


def _name(rows: list[dict[str, Any]]) -> None:
    """Add the catalogue's names and pictures to rows with a lot.

    Rows stowed here have no names of a file.
    """
    lots = {row["lot_id"] for row in rows if row.get("lot_id") is not None}
    names = {
        pk: {
            "item_number": number,
            "item_name": name,
            "item_type": kind,
            "color_id": color_id,
            "color_name": color,
            "color_html": f"#{rgb}" if rgb else "",
            "image_url": item_image(kind, number, image, origin, face, color_id, rgb) or "",
        }
        for pk, number, name, kind, color_id, color, rgb, image, origin, face in Lot.objects.filter(
            pk__in=lots
        ).values_list(
            "pk",
            "item__number",
            "item__name",
            "item__item_type",
            "color_id",
            "color__name",
            "color__rgb",
            "item__image_url",
            "item__origin",
            "item__face",
        )
    }
    for row in rows:
        row.update(names.get(row.get("lot_id") or 0, {"color_html": "", "image_url": ""}))


def _rows_of(plan: Blob, kind: str) -> list[dict[str, Any]]:
    if kind == "warnings":
        return [
            {"index": index, "line": line, "code": code, "field": field, "message": message}
            for index, line, code, field, message in warnings_of(plan)
        ]
    return [_wire(planned) for planned in plan_of(plan) if _is_of(planned, kind)]


def _is_of(planned: Planned, kind: str) -> bool:
    return counted_as(planned) == kind


def _wire(planned: Planned) -> dict[str, Any]:
    value = {name: planned.values[place] for name, place in _INDEX.items()}
    return {
        "index": planned.position,
        "line": planned.line,
        "inventory_item_id": planned.item_id,
        "lot_id": planned.lot_id,
        "item_number": value["raw_item_number"],
        "item_name": value["raw_item_name"],
        "item_type": TYPE_OF_LETTER.get(value["raw_item_type"], value["raw_item_type"]),
        "color_id": value["raw_color_id"],
        "color_name": value["raw_color_name"],
        "condition": value["condition"],
        "quantity": planned.quantity,
        "price": value["price"],
        "remarks": value["remarks"],
        "marketplace_lot_id": value["marketplace_lot_id"],
        "location_name": planned.location,
        "reason": planned.reason,
        "becomes": planned.kind,
        "changes": {
            name: {"before": before, "after": after}
            for name, (before, after) in (planned.changes or {}).items()
        },
    }


def last_header(owner: User) -> dict[str, Any]:
    """Return the header of the stock's last applied import, {} if there is none."""
    applied = InventorySync.objects.owned_by(owner).filter(
        state=SyncState.APPLIED, target=SyncTarget.STOCK
    )
    return applied.order_by("-applied_at").values_list("header", flat=True).first() or {}


def applied_chunks(*, sync: InventorySync) -> QuerySet[SyncChunk]:
    """Return the chunks whose effect is in the stock."""
    return sync.chunks.filter(applied_at__isnull=False, undone_at=None)


def changed_since(*, sync: InventorySync) -> list[int]:
    """Return the rows that were changed after the sync wrote them."""
    return [
        pk
        for chunk in applied_chunks(sync=sync).order_by("number").iterator(chunk_size=1)
        for pk in sorted(changed_in(sync=sync, chunk=chunk))
    ]


def rows_of(target: SyncTarget) -> QuerySet[Any]:
    """Return the rows that an import of this target writes."""
    rows: QuerySet[Any] = apps.get_model(_ROWS[target])._default_manager.all()
    return rows


def is_archived(*, sync: InventorySync) -> bool:
    """Return whether the import's items are in a batch that is archived."""
    if sync.target != SyncTarget.BATCH:
        return False
    there = rows_of(SyncTarget.BATCH).filter(batch_id=sync.batch_id, batch__is_archived=True)
    return bool(there.exists())


def changed_in(*, sync: InventorySync, chunk: SyncChunk) -> set[int]:
    """Return the rows of one chunk that were changed afterwards.

    A sync writes all rows of a chunk with one timestamp; only rows with another are compared.
    Items of a batch that were stowed or moved since are changed, whatever they say.
    """
    before = before_of(chunk.before)
    ids = [*before.created, *(image.item_id for image in before.changed)]
    there = rows_of(SyncTarget(sync.target)).filter(pk__in=ids)
    used = set[int]()
    if sync.target == SyncTarget.BATCH:
        is_new = Q(is_stowed=False, is_stowed_pending=False, batch_id=sync.batch_id)
        used = set(there.exclude(is_new).values_list("pk", flat=True))
    touched = there.exclude(updated_at=chunk.applied_at)
    suspects = set(touched.values_list("pk", flat=True)) - used
    if not suspects:
        return used
    written = _written(chunk, before)
    rows = there.filter(pk__in=suspects).values_list(
        "pk", "quantity", "lot_id", "location__name", *FILE_COLUMNS
    )
    return used | {
        pk
        for pk, quantity, lot_id, place, *values in rows
        if not _is_as_written(written[pk], quantity, lot_id, place or "", values)
    }


def _written(chunk: SyncChunk, before: Before) -> dict[int, Planned]:
    planned = list(plan_of(chunk.plan))
    made = (one for one in planned if one.kind == CREATED)
    return dict(zip(before.created, made, strict=True)) | {
        one.item_id: one for one in planned if one.item_id is not None
    }


def _is_as_written(
    planned: Planned, quantity: int, lot_id: int | None, place: str, values: Sequence[Any]
) -> bool:
    if (quantity, place) != (planned.quantity, planned.location):
        return False
    if planned.pair is None and lot_id != planned.lot_id:
        return False
    return [plain(value) for value in values] == list(planned.values)


def brief_rows(*, sync: InventorySync, item_ids: Iterable[int]) -> list[dict[str, Any]]:
    """Return rows as a dialog lists them."""
    rows = (
        rows_of(SyncTarget(sync.target))
        .filter(pk__in=list(item_ids))
        .order_by("pk")
        .values_list(
            "pk",
            "lot__item__number",
            "raw_item_number",
            "lot__item__name",
            "raw_item_name",
            "quantity",
            "location__name",
            "updated_at",
        )
    )
    return [
        {
            "id": pk,
            "number": number or raw_number,
            "name": name or raw_name,
            "quantity": quantity,
            "location_name": place,
            "updatedAt": updated_at,
        }
        for pk, number, raw_number, name, raw_name, quantity, place, updated_at in rows
    ]
