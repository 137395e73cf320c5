"""The lots of an export: which rows, what cannot be written, and the remarks they go out with."""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce

from apps.accounts.models import User
from apps.batches.models import IN_STATE, BatchItem
from apps.batches.rules import ItemState
from apps.core.jobs.run import JobFailed
from apps.exchange.bricklink_rows import in_batches
from apps.exchange.bsx_base import based_on
from apps.exchange.bsx_lot import BsxLot
from apps.exchange.conditions import UNKNOWN_CONDITION, why_no_condition
from apps.exchange.csv_lots import MOST_EXTRA
from apps.exports.models import Export, ExportKind, Scope
from apps.exports.rules import (
    FIRST_FOREIGN_COLOR_ID,
    OWN_CATALOGUE,
    filled_remarks,
    why_not_written,
    why_unknown,
)
from apps.inventory.models import RECEIVED_FIELDS, InventoryItem
from apps.inventory.rules.bins import Part, carrying, is_same_lot, one_lot, with_bins
from apps.inventory.selectors import LOT_ID, NEVER_WRITTEN, lots_with_places
from apps.inventory.services.changes import lots_that_may_differ
from apps.inventory.services.received import received_of
from apps.lots.rules import name_to_show

PAGE: Final = 2_000
MOST_SHOWN: Final = 5
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
    if _leaves_out_listed(export):
        rows = rows.exclude(_is_in_store(rows))
    return rows


def lot_id_of(rows: QuerySet[Any]) -> Any:
    """Return the expression of the BrickLink lot of a row.

    A stowed item is in the lot of its stock row, which an import of the store may have told.
    """
    own = F("marketplace_lot_id")
    if rows.model is BatchItem:
        return Coalesce(own, F("inventory_item__marketplace_lot_id"))
    return own


def _is_in_store(rows: QuerySet[Any]) -> Q:
    """Return the condition of rows that BrickLink has, as far as is known."""
    found = Q(marketplace_lot_id__isnull=False)
    if rows.model is BatchItem:
        found |= Q(inventory_item__marketplace_lot_id__isnull=False) | Q(is_listed=True)
    return found


def listed_count(export: Export) -> int:
    """Return how many lots a mass upload leaves out, because BrickLink has them."""
    if not _leaves_out_listed(export):
        return 0
    options = {**export.options, "include_listed": True}
    asked = Export(
        owner=export.owner,
        kind=export.kind,
        scope=export.scope,
        batch=export.batch,
        options=options,
    )
    rows = rows_of(asked).order_by()
    # Rows that were marked as listed by hand have no id: each is a lot.
    lots = rows.filter(_is_in_store(rows)).values(one=Coalesce(lot_id_of(rows), -F("pk")))
    return int(lots.distinct().count())


def _leaves_out_listed(export: Export) -> bool:
    """A second upload of the same lots would double them in the store."""
    return export.kind == ExportKind.MASS_UPLOAD and not export.options.get("include_listed")


#: Files that ask BrickLink for items by their numbers.
_BY_NUMBER: Final = frozenset({ExportKind.MASS_UPLOAD, ExportKind.WANTED_LIST})


def unwritable(
    rows: QuerySet[Any], *, kind: str, include_unknown: bool = False
) -> dict[int, dict[str, Any]]:
    """Return id -> {id, reason, name} of the rows that no file of this kind can hold.

    Lots that are not in the catalogue are among them for files that BrickLink looks up,
    unless `include_unknown`.
    """
    if kind == ExportKind.CSV:
        return {}
    by_number = kind in _BY_NUMBER
    cannot = NEVER_WRITTEN
    if by_number:
        # Also a row that names its item as its file did.
        cannot |= (
            Q(raw_item_number="") & Q(lot=None)
            | Q(lot__item__number="")
            | Q(lot__item__origin=OWN_CATALOGUE)
            | Q(lot__color_id__gte=FIRST_FOREIGN_COLOR_ID)
        )
        if not include_unknown:
            cannot |= Q(lot=None)
    needs_lot_id = kind == ExportKind.MASS_UPDATE
    if needs_lot_id:
        cannot |= Q(in_store=None)
    found = {}
    suspects = rows.annotate(in_store=lot_id_of(rows)).filter(cannot).order_by("pk")
    for row in suspects.values_list("pk", "in_store", *_IDENTITY):
        pk, lot_id, catalogue_lot_id, number, name, origin, color_id, color, *raw = row
        raw_number, raw_name, raw_color, condition, condition_text, *texts = raw
        text = "".join(texts)
        known = catalogue_lot_id is not None and (by_number or not raw_number)
        reason = why_not_written(
            item_number=number if known else raw_number,
            item_name=name if known else raw_name,
            origin=origin or "" if known else "",
            catalogue_color_id=color_id if known else None,
            by_number=by_number,
            text=text,
        )
        if reason is None and by_number and catalogue_lot_id is None and not include_unknown:
            reason = why_unknown(item_number=raw_number, item_name=raw_name)
        if condition == UNKNOWN_CONDITION:
            reason = why_no_condition(condition_text)
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
    "lot__item__number",
    "lot__item__name",
    "lot__item__origin",
    "lot__color_id",
    "lot__color__name",
    "raw_item_number",
    "raw_item_name",
    "raw_color_name",
    "condition",
    "condition_text",
    "remarks",
    "comments",
)


def with_received(lots: Iterable[tuple[BsxLot, str]], *, owner: User) -> Iterator[BsxLot]:
    """Yield lots of the stock; their base values are those that the marketplace last received.

    Each comes with its Remarks as they are in stock: the bin that a file adds to them may be a
    change. Lots of which nothing was received keep the base values of their file.
    """
    changed = lots_that_may_differ(owner=owner)
    for some in in_batches(lots, PAGE):
        asked = [
            lot_id
            for lot, remarks in some
            if (lot_id := lot.marketplace_lot_id)
            and (lot.base or lot_id in changed or lot.remarks != remarks)
        ]
        known = received_of(owner=owner, lot_ids=asked) if asked else {}
        for lot, _remarks in some:
            received = known.get(lot.marketplace_lot_id or 0)
            if received is None:
                yield lot
                continue
            yield based_on(lot, {name: received[name] for name in RECEIVED_FIELDS})


def _plain_remarks(lot: BsxLot, _place: str) -> str:
    return lot.remarks


class LotSource:
    """Yields the lots of a file, reports progress, and stores the rows of each lot.

    Rows of one BrickLink lot are one lot of the file: its pieces are in several bins.
    """

    def __init__(
        self,
        rows: QuerySet[Any],
        *,
        kind: str,
        without: Container[int],
        template: str = "",
        carries_location: bool = True,
        tell: Callable[[int], None] | None = None,
        based_on: Any = None,
        their_ids: Mapping[int, int],
    ) -> None:
        """Read `rows` except the ids of `without`; `tell` is called after each 2,000 rows.

        `based_on` is whose store the lots' base values come from. `their_ids` are by number here
        the ids that lots have in the file, where these are others.
        """
        self._their_ids = their_ids
        self._rows = rows
        self._is_bsx = kind == ExportKind.BSX
        self._lot_id = lot_id_of(rows) if kind == ExportKind.MASS_UPDATE else LOT_ID
        self._without = without
        self._template = template
        # A wanted list holds lots that are not in stock yet.
        self._carries = carries_location and kind != ExportKind.WANTED_LIST
        self._tell = tell
        self._based_on = based_on
        self._ids: list[int] = []
        #: The ids of the rows behind each lot that is in the file.
        self.shown: list[list[int]] = []
        #: Rows that no marketplace file can hold beside others.
        self.refused: list[dict[str, Any]] = []
        self.seen = 0

    def lots(self) -> Iterator[BsxLot]:
        """Yield what can be written."""
        if self._based_on is not None:
            lots = with_received(self._lots(), owner=self._based_on)
        else:
            lots = (lot for lot, _remarks in self._lots())
        return map(self._in_files, lots) if self._their_ids else lots

    def _in_files(self, lot: BsxLot) -> BsxLot:
        """Return a lot with the id that it has in files."""
        lot_id = lot.marketplace_lot_id or 0
        return replace(lot, marketplace_lot_id=self._their_ids.get(lot_id, lot.marketplace_lot_id))

    def _lots(self) -> Iterator[tuple[BsxLot, str]]:
        is_bsx, carries = self._is_bsx, self._carries and not self._template
        for parts in self._parts():
            if len(parts) > 1:
                whole = one_lot(parts, self._remarks_of)
                plain = one_lot(parts, _plain_remarks).remarks if is_bsx else ""
                yield with_bins(whole, parts) if is_bsx else whole, plain
                continue
            lot, place = parts[0]
            remarks = lot.remarks
            if self._template:
                yield replace(lot, remarks=self._remarks_of(lot, place)), remarks
                continue
            if not place or remarks == place:
                yield lot, remarks
                continue
            text = carrying(remarks, place) if carries else remarks
            if text != remarks:
                lot = replace(lot, remarks=text)
            # What only Remarks that are the bin's name would bring back, our tag does.
            yield with_bins(lot, parts) if is_bsx and text != place else lot, remarks

    def lots_and_places(self) -> Iterator[tuple[BsxLot, str]]:
        """Yield the lot of each row with the name of its location, '' without."""
        for row_id, lot, place in self._seen():
            self._note([row_id])
            lot = self._in_files(lot) if self._their_ids else lot
            yield (replace(lot, remarks=self._filled(lot, place)) if self._template else lot), place

    def extra_tags(self) -> list[str]:
        """Return the tags of other programs that the lots carry, in the order in which they come."""
        carried = self._rows.exclude(extra={}).order_by("pk").values_list("extra", flat=True)
        tags: dict[str, None] = {}
        for values in carried.iterator(chunk_size=PAGE):
            tags |= {tag: None for tag, _text, xml in values.get("extra", ()) if xml is None}
        return list(tags)[:MOST_EXTRA]

    def row_id(self, index: int) -> int | None:
        """Return the row of the lot that was given as the `index`-th, None for the whole file."""
        return self._ids[index] if index >= 0 else None

    def _seen(self) -> Iterator[tuple[int, BsxLot, str]]:
        for row_id, lot, place in lots_with_places(self._rows, lot_id=self._lot_id):
            if self._tell is not None and self.seen % PAGE == 0:
                self._tell(self.seen)
            self.seen += 1
            if row_id not in self._without:
                yield row_id, lot, place

    def _parts(self) -> Iterator[list[Part]]:
        """Yield the rows of each lot together: those of one lot id follow each other."""
        waiting: list[Part] = []
        ids: list[int] = []
        lot_id: int | None = None
        for row_id, lot, place in self._seen():
            if waiting and lot_id and lot.marketplace_lot_id == lot_id:
                if is_same_lot(waiting[0].lot, lot):
                    waiting.append(Part(lot, place))
                    ids.append(row_id)
                    continue
                if not self._is_bsx:
                    self._refuse(row_id, lot)
                    continue
            if waiting:
                self._note(ids)
                yield waiting
            waiting, ids, lot_id = [Part(lot, place)], [row_id], lot.marketplace_lot_id
        if waiting:
            self._note(ids)
            yield waiting

    def _note(self, ids: list[int]) -> None:
        self._ids.append(ids[0])
        if len(self.shown) < MOST_SHOWN:
            self.shown.append(ids)

    def _refuse(self, row_id: int, lot: BsxLot) -> None:
        name = name_to_show(name=lot.item_name, number=lot.item_number, color=lot.color_name)
        reason = f"Its lot id {lot.marketplace_lot_id} is that of another lot, too."
        self.refused.append({"id": row_id, "reason": reason, "name": name})

    def _remarks_of(self, lot: BsxLot, place: str) -> str:
        if self._template:
            return self._filled(lot, place)
        return carrying(lot.remarks, place) if self._carries else lot.remarks

    def _filled(self, lot: BsxLot, place: str) -> str:
        values = {
            "location": place,
            "remarks": lot.remarks,
            "comments": lot.comments,
            "number": lot.item_number,
            "color": lot.color_name,
        }
        return filled_remarks(self._template, values)
