"""Lots of a file into rows of a batch, chunk by chunk."""

import datetime as dt
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from itertools import islice
from typing import Any, Final

from apps.batches.models import Batch, BatchItem
from apps.catalog.selectors import LotIdentity
from apps.catalog.selectors.naming import CatalogueNames
from apps.catalog.services import lots as catalogue_lots
from apps.core.bulk import insert_rows, instant_text
from apps.core.jobs.run import JobRun
from apps.core.names import NamesThere, name_key
from apps.exchange.any_file import TABLES, WHOLE_STORES, AnyFile, kind_of
from apps.exchange.bsx_around import LotOrder
from apps.exchange.bsx_base import base_of
from apps.exchange.bsx_lot import BsxLot, BsxWarning, WarningCode
from apps.exchange.bsx_reader import DEFAULT_CURRENCY, BsxFile
from apps.inventory.rules.bins import TAG, bins_of
from apps.inventory.rules.bsx_fields import (
    named,
    plain_values,
    refusal_of,
    stored,
    warnings_of,
)
from apps.inventory.rules.dividing import division, part_values
from apps.inventory.rules.file_columns import FILE_COLUMNS
from apps.inventory.selectors.meanings import (
    identity_of,
    numbered_as_here,
    numbers_here,
    resolve_as_named,
)
from apps.inventory.services.received import receive, values_of
from apps.locations.models import Location
from apps.locations.rules.several import SeveralLocations
from apps.locations.services.locations import locations_named
from apps.locations.services.remarks_reading import Place, RemarksReader
from apps.lots.rules import name_to_show

CHUNK: Final = 500
MAX_WARNINGS_KEPT: Final = 200
NO_PLACE: Final = Place("", None)


class RemarksMean(StrEnum):
    """How Remarks are used. Sellers often store the location's name in them."""

    NOTHING = "nothing"
    EXISTING_LOCATIONS = "existing_locations"
    LOCATIONS = "locations"  # those that are missing are made


@dataclass(frozen=True, kw_only=True, slots=True)
class RemarksOptions:
    """How Remarks are read. With `splits`, a lot whose Remarks list its pieces by location is
    divided into one item for each location, if the pieces add up to its quantity.
    """

    mean: RemarksMean = RemarksMean.EXISTING_LOCATIONS
    several: SeveralLocations = SeveralLocations.IGNORE
    splits: bool = False


# The columns of BatchItem beside those of the lot, as they are for a new item.
_NEW: Final = {
    "inventory_item_id": None,
    "is_stowed": False,
    "is_stowed_pending": False,
    "is_listed": False,
    "is_listed_pending": False,
    "is_changed_since_listing": False,
    "failure": "",
    "stowed_at": None,
    "listed_at": None,
}
_COLUMNS: Final = (
    "owner_id",
    "batch_id",
    "created_at",
    "updated_at",
    *_NEW,
    "lot_id",
    "location_id",
    "quantity",
    *FILE_COLUMNS,
)


class Filler:
    """Writes the lots of one file into one batch, chunk by chunk."""

    def __init__(
        self,
        *,
        run: JobRun,
        batch: Batch,
        remarks: RemarksOptions,
        rate: Decimal | None,
        now: dt.datetime,
    ) -> None:
        self._run = run
        self._batch = batch
        self._options = remarks
        self._rate = rate
        self._now = now
        self._names = CatalogueNames()
        self.order = LotOrder()
        # Those that this import made before it was killed do not count: the lots after the
        # kill are read as those before it were.
        there = names_there(batch.owner) - set(run.state.get("new_locations", []))
        self._remarks = PlaceReader(remarks, NamesThere(there))
        self._is_of_store = False
        #: Whether the file's numbers may be another site's than BrickLink's.
        self._is_of_any_site = False

    def fill(self, source: AnyFile) -> None:
        self._is_of_store = kind_of(source) in WHOLE_STORES
        self._is_of_any_site = kind_of(source) in TABLES
        for chunk in chunks(self._noted(source), skip=self._run.state.get("read", 0)):
            with self._run.chunk(done=source.lot_count, message=f"{source.lot_count} lots read"):
                self._write(chunk)
                self._run.state["read"] = source.lot_count

    def _noted(self, source: AnyFile) -> Iterator[BsxLot]:
        for lot in source:
            self.order.add(lot)
            yield lot

    def _write(self, chunk: Sequence[BsxLot]) -> None:
        state = self._run.state
        kept: list[BsxLot] = []
        for lot in chunk:
            if refusal_of(lot, rate=self._rate):
                self._run.fail_item(refused_row(lot, self._rate))
            else:
                kept.append(named(lot, self._names))
        kept, lot_ids = _resolved(
            kept, self._run.owner, self._now, of_any_site=self._is_of_any_site
        )
        items = [item for lot in kept for item in self._items(lot)]
        locations = self._locations(dict.fromkeys(name for _, name, _, _ in items if name))
        stamp = instant_text(self._now)
        same = (self._batch.owner_id, self._batch.pk, stamp, stamp, *_NEW.values())
        rows = []
        for lot, name, quantity, values in items:
            lot_id = lot_ids.get(identity_of(lot))
            rows.append((*same, lot_id, locations.get(name), quantity, *values))
            state["unknown"] = state.get("unknown", 0) + (lot_id is None)
            state["pieces"] = state.get("pieces", 0) + quantity
        for lot in kept:
            _keep_warnings(state, lot)
        insert_rows(BatchItem, _COLUMNS, rows)
        # Only lots without received values: the batch may be an order with a part of their pieces.
        listed = {
            lot.marketplace_lot_id: values_of(stored(base_of(lot), rate=self._rate))
            for lot in kept
            if lot.marketplace_lot_id is not None and self._is_of_store
        }
        if listed:
            receive(owner=self._batch.owner, lots=listed, now=self._now, only_new=True)
        state["lots"] = state.get("lots", 0) + len(rows)

    def _items(self, lot: BsxLot) -> list[tuple[BsxLot, str, int, tuple[Any, ...]]]:
        """Return the lot with its location, quantity and values; where it is split, its parts."""
        lot, bins, _why_not = bins_of(lot)
        if bins:
            is_off = self._options.mean is RemarksMean.NOTHING
            return [
                (part, "" if is_off else place, part.quantity, plain_values(part, rate=self._rate))
                for part, place in bins
            ]
        values = plain_values(lot, rate=self._rate)
        place = self._remarks.read(lot)
        parts = division(lot, place.several) if place.several and self._options.splits else ()
        if not parts:
            return [(lot, place.name, lot.quantity, values)]
        return [(lot, name, quantity, part_values(values, name)) for name, quantity in parts]

    def _locations(self, names: Iterable[str]) -> Mapping[str, int]:
        names = list(names)
        if not names:
            return {}
        owner = self._run.owner
        there = locations_named(owner=owner, names=names, create=False, now=self._now)
        if self._options.mean is RemarksMean.LOCATIONS and len(there) < len(names):
            made = list({name_key(name): name for name in names if name not in there}.values())
            self._run.state.setdefault("new_locations", []).extend(made)
            there = locations_named(owner=owner, names=names, create=True, now=self._now)
        return there

    def result(self, source: AnyFile, currency: str) -> dict[str, Any]:
        state = self._run.state
        told = state.get("warnings", [])
        of_file = [warning_row(warning) for warning in source.warnings]
        return {
            "batch_id": self._batch.pk,
            "name": self._batch.name,
            "currency": currency,
            "lots": state.get("lots", 0),
            "pieces": state.get("pieces", 0),
            "unknown": state.get("unknown", 0),
            "new_locations": state.get("new_locations", []),
            "warnings": (of_file + told)[:MAX_WARNINGS_KEPT],
            "warning_count": state.get("warning_count", 0) + len(of_file),
        }


def chunks(source: Iterable[BsxLot], *, skip: int = 0) -> Iterator[list[BsxLot]]:
    lots = islice(source, skip, None)
    while chunk := list(islice(lots, CHUNK)):
        yield chunk


def is_unknown(reason: str) -> bool:
    return reason not in ("", "no_lot")


def _resolved(
    lots: Sequence[BsxLot], owner: Any, now: dt.datetime, *, of_any_site: bool
) -> tuple[list[BsxLot], dict[LotIdentity, int]]:
    """Return the lots, those `of_any_site` with the catalogue's numbers, and the lot of each known
    identity.

    A new pair of item and colour is made.
    """
    found = resolve_as_named((identity_of(lot) for lot in lots), owner=owner)
    pairs = {
        identity: (answer.item_id, answer.color_id)
        for identity, answer in found.items()
        if answer.reason == "no_lot" and answer.item_id is not None and answer.color_id is not None
    }
    made: dict[tuple[int, int], int] = {}
    if pairs:
        made = catalogue_lots.ensure_lots(pairs=pairs.values(), now=now, by=owner)
    ids = {identity: made[pair] for identity, pair in pairs.items() if pair in made}
    ids |= {one: answer.lot_id for one, answer in found.items() if answer.lot_id is not None}
    here = numbers_here(found) if of_any_site else {}
    if not here:
        return list(lots), ids
    numbered = [numbered_as_here(lot, here.get(identity_of(lot))) for lot in lots]
    told = zip(lots, numbered, strict=True)
    return numbered, {
        identity_of(new): ids[identity_of(lot)] for lot, new in told if identity_of(lot) in ids
    }


def names_there(owner: Any) -> set[str]:
    """Return the names of the owner's locations."""
    return set(Location.objects.owned_by(owner).values_list("name", flat=True))


class PlaceReader:
    """Reads the planned location of a lot: its file's column of bins, else its Remarks, or none."""

    def __init__(self, options: RemarksOptions, there: Container[str]) -> None:
        self._is_off = options.mean is RemarksMean.NOTHING
        creates = options.mean is RemarksMean.LOCATIONS
        self._reader = RemarksReader(there=there, creates=creates, several=options.several)

    def read(self, lot: BsxLot) -> Place:
        if self._is_off:
            return NO_PLACE
        return Place(lot.place, None) if lot.place else self._reader.read(lot.remarks)


def refused_row(lot: BsxLot, rate: Decimal | None) -> dict[str, Any]:
    """Return a lot that is not imported, by its place in the file (from 1)."""
    return {
        "id": lot.index + 1,
        "reason": refusal_of(lot, rate=rate),
        "name": name_to_show(name=lot.item_name, number=lot.item_number, color=lot.color_name),
        "line": lot.line,
    }


def _keep_warnings(state: dict[str, Any], lot: BsxLot) -> None:
    found = all_warnings_of(lot)
    if not found:
        return
    kept = state.setdefault("warnings", [])
    state["warning_count"] = state.get("warning_count", 0) + len(found)
    kept += [warning_row(one) for one in found[: MAX_WARNINGS_KEPT - len(kept)]]


def all_warnings_of(lot: BsxLot) -> list[BsxWarning]:
    """Return the warnings about a lot that is imported, a BrickstowBins tag that is not kept too."""
    why_not = bins_of(lot)[2]
    if not why_not:
        return list(warnings_of(lot))
    ignored = BsxWarning(WarningCode.BINS_NOT_KEPT, TAG, why_not, line=lot.line, index=lot.index)
    return [*warnings_of(lot), ignored]


def warning_row(warning: BsxWarning) -> dict[str, Any]:
    """Return a warning for a job's result or a summary. `item` is the lot's position, from 1."""
    place = warning.index + 1 if warning.index >= 0 else None
    return {"item": place, "field": warning.field, "message": warning.message}


def currency_of(source: AnyFile, store: str) -> str:
    """Return the currency of a file: of a BSX file without one dollars, else the store's."""
    return source.header.currency or (DEFAULT_CURRENCY if isinstance(source, BsxFile) else store)
