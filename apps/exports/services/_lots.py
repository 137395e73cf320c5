"""The lots of an export: which rows, what cannot be written, and the remarks they go out with."""

from collections.abc import Callable, Container, Iterator
from dataclasses import replace
from typing import Any, Final

from django.db.models import Q, QuerySet

from apps.batches.models import IN_STATE, BatchItem
from apps.batches.rules import ItemState, name_to_show
from apps.catalog.rules.kinds import LETTER_OF_TYPE
from apps.core.jobs.run import JobFailed
from apps.exchange.bsx_lot import BsxLot
from apps.exports.models import Export, ExportKind, Scope
from apps.exports.rules import (
    FIRST_FOREIGN_COLOR_ID,
    OWN_CATALOGUE,
    filled_remarks,
    why_not_written,
)
from apps.inventory.models import InventoryItem
from apps.inventory.selectors import bsx_lots_of

PAGE: Final = 2_000
NO_LOT_ID: Final = "It has no BrickLink lot id, so BrickLink cannot know which lot changes."


def rows_of(export: Export) -> QuerySet[Any]:
    """Return the rows that the export's scope and options name, unordered. Raises JobFailed."""
    options = export.options
    if export.scope == Scope.INVENTORY:
        rows = InventoryItem.objects.owned_by(export.owner)
    elif export.batch is None:
        raise JobFailed(reason="The batch was deleted.")
    else:
        rows = BatchItem.objects.filter(batch=export.batch)
        if options.get("state"):
            rows = rows.filter(IN_STATE[ItemState(options["state"])])
    if options.get("item_ids"):
        rows = rows.filter(pk__in=options["item_ids"])
    if not options.get("include_zero_quantity", True):
        rows = rows.filter(quantity__gt=0)
    if not options.get("include_incomplete", True):
        rows = rows.filter(lot__isnull=False)
    return rows


def unwritable(rows: QuerySet[Any], *, kind: str) -> dict[int, dict[str, Any]]:
    """Return id -> {id, reason, name} of the rows that no file of this kind can hold. 1 query."""
    if kind == ExportKind.CSV:
        return {}
    # A row that names its item as its file did is written as the file had it.
    cannot = Q(raw_item_number="") & (
        Q(lot=None)
        | Q(lot__item__number="")
        | Q(lot__item__origin=OWN_CATALOGUE)
        | Q(lot__color_id__gte=FIRST_FOREIGN_COLOR_ID)
    )
    needs_lot_id = kind == ExportKind.MASS_UPDATE
    if needs_lot_id:
        cannot |= Q(marketplace_lot_id=None)
    found = {}
    suspects = rows.filter(cannot).order_by("pk")
    for row in suspects.values_list("pk", "marketplace_lot_id", *_IDENTITY):
        pk, lot_id, catalogue_lot_id, item_type, number, name, origin, color_id, color, *raw = row
        raw_type, raw_number, raw_name, raw_color = raw
        known = catalogue_lot_id is not None and not raw_number
        reason = why_not_written(
            item_number=number if known else raw_number,
            item_name=name if known else raw_name,
            item_type=LETTER_OF_TYPE.get(item_type, "") if known else raw_type,
            origin=origin or "" if known else "",
            catalogue_color_id=color_id if known else None,
        )
        if reason is None and needs_lot_id and lot_id is None:
            reason = NO_LOT_ID
        if reason:
            found[pk] = {
                "id": pk,
                "reason": reason,
                "name": name_to_show(
                    name=name if known else raw_name or name or "",
                    number=number if known else raw_number,
                    color=(color if color_id else "") if known else raw_color,
                ),
            }
    return found


_IDENTITY: Final = (
    "lot_id",
    "lot__item__item_type",
    "lot__item__number",
    "lot__item__name",
    "lot__item__origin",
    "lot__color_id",
    "lot__color__name",
    "raw_item_type",
    "raw_item_number",
    "raw_item_name",
    "raw_color_name",
)


class LotSource:
    """Gives the lots of a file one by one, tells progress, and remembers whose they are."""

    def __init__(
        self,
        rows: QuerySet[Any],
        *,
        without: Container[int],
        template: str = "",
        tell: Callable[[int], None] | None = None,
    ) -> None:
        """Take rows, `without` those ids; `tell` is called with each 2,000 that were seen."""
        self._rows = rows
        self._without = without
        self._template = template
        self._tell = tell
        self._ids: list[int] = []
        self.seen = 0

    def lots(self) -> Iterator[BsxLot]:
        """Yield what can be written. 1 query per 2,000, and 1; 2 with a template of the remarks."""
        if not self._template:
            return self._lots()
        return (lot for lot, _place in self.lots_and_places())

    def lots_and_places(self) -> Iterator[tuple[BsxLot, str]]:
        """Yield each lot with the name of its location, '' without. 1 query per 2,000, and 2."""
        places = dict(self._rows.values_list("pk", "location__name"))
        for lot in self._lots():
            place = places.get(self._ids[-1]) or ""
            yield (_remarked(lot, self._template, place) if self._template else lot), place

    def row_id(self, index: int) -> int | None:
        """Return the row of the lot that was given as the `index`-th, None for the whole file."""
        return self._ids[index] if index >= 0 else None

    def _lots(self) -> Iterator[BsxLot]:
        for row_id, lot in bsx_lots_of(self._rows):
            if self._tell is not None and self.seen % PAGE == 0:
                self._tell(self.seen)
            self.seen += 1
            if row_id not in self._without:
                self._ids.append(row_id)
                yield lot


def _remarked(lot: BsxLot, template: str, place: str) -> BsxLot:
    values = {
        "location": place,
        "remarks": lot.remarks,
        "comments": lot.comments,
        "number": lot.item_number,
        "color": lot.color_name,
    }
    return replace(lot, remarks=filled_remarks(template, values))
