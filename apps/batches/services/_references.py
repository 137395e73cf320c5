"""Looks up the rows for the ids and numbers in requests, for many rows at once."""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from django.db.models import QuerySet, Value

from apps.accounts.models import User
from apps.batches.models import Batch
from apps.catalog.models import Color, Lot
from apps.catalog.rules.kinds import LETTER_OF_TYPE, NO_COLOR, ItemType
from apps.catalog.selectors import LotIdentity, resolve_lots
from apps.catalog.services import lots as catalogue_lots
from apps.core.concurrency import lock_in_order
from apps.core.errors import NO_SUCH_ROW, Invalid, UnknownReference
from apps.core.prepared import IDS, WHOLE, Prepared, Slot, united
from apps.locations.models import Location
from apps.lots.models import NO_RAW_IDENTITY

Changes = Mapping[str, Any]
Problems = dict[str, list[str]]

IDENTITY: Final = frozenset({"lot_id", "item_type", "item_number", "item_name", "color_id"})
# BrickLink sells these two in colours; the others have colour 0.
COLORED_TYPES: Final = frozenset({ItemType.PART.value, ItemType.GEAR.value})


class References:
    """The objects that a set of rows refers to, loaded in a constant number of queries."""

    def __init__(
        self, *, owner: User, rows: Sequence[Changes], now: dt.datetime, locked: bool = False
    ) -> None:
        """Look everything up; the batches `locked`, if nothing that is locked before is to be."""
        self._now, self._owner = now, owner
        batches = Batch.objects.owned_by(owner).ready().filter(pk__in=_ids(rows, "batch_id"))
        self.batches: dict[int, Batch] = {
            batch.pk: batch for batch in (lock_in_order(batches) if locked else batches)
        }
        named = _names_of(owner, rows)
        self._locations, self._lots, self._colors = (named[name] for name in _NAMED)
        wanted = {identity for row in rows if (identity := _identity(row)) is not None}
        self._found = resolve_lots(wanted, person=owner) if wanted else {}
        self._made = self._make_missing()

    def _make_missing(self) -> dict[tuple[int, int], int]:
        pairs = [
            (answer.item_id, answer.color_id)
            for answer in self._found.values()
            if answer.reason == "no_lot"
            and answer.item_id is not None
            and answer.color_id is not None
        ]
        if not pairs:
            return {}
        return catalogue_lots.ensure_lots(pairs=pairs, now=self._now, by=self._owner)

    def problems_of(self, row: Changes) -> Problems:
        """Return the problems of the ids and the identity of `row` by field."""
        problems: Problems = {}
        if "batch_id" in row and row["batch_id"] not in self.batches:
            problems["batch_id"] = [NO_SUCH_ROW]
        if row.get("location_id") is not None and row["location_id"] not in self._locations:
            problems["user_inventory_item_location_id"] = [NO_SUCH_ROW]
        if row.get("lot_id") is not None and row["lot_id"] not in self._lots:
            problems["lot_id"] = [NO_SUCH_ROW]
        if row.get("color_id") is not None and row["color_id"] not in self._colors:
            problems["color_id"] = [NO_SUCH_ROW]
        if _identity(row) is not None:
            problems |= _identity_problems(row)
        return problems

    def identity_of(self, row: Changes) -> dict[str, Any]:
        """Return the columns that identify the lot of `row`, none if it names no lot.

        An item missing from the catalogue keeps its given names: it can be stowed and exported,
        and is resolved once the catalogue has it.
        """
        if row.get("lot_id") is not None:
            return {"lot_id": row["lot_id"], **NO_RAW_IDENTITY}
        identity = _identity(row)
        if identity is None:
            return {}
        answer = self._found[identity]
        if answer.item_id is not None and answer.color_id is not None:
            lot_id = answer.lot_id or self._made[answer.item_id, answer.color_id]
            return {"lot_id": lot_id, **NO_RAW_IDENTITY}
        color_id = identity.color_id
        return {
            "lot_id": None,
            **NO_RAW_IDENTITY,
            "raw_item_type": LETTER_OF_TYPE[identity.item_type],
            "raw_item_number": identity.number,
            "raw_item_name": row.get("item_name", ""),
            "raw_color_id": color_id,
            "raw_color_name": self._colors.get(color_id, "") if color_id else "",
        }


def refusal_of(problems: Problems) -> Invalid:
    """Return the refusal of a row: UnknownReference if all problems are missing objects."""
    unknown = all(told == [NO_SUCH_ROW] for told in problems.values())
    return (UnknownReference if unknown else Invalid)(fields=problems)


def merged_identity(row: Changes, *, lot: Lot | None, raw: Mapping[str, Any]) -> Changes:
    """Complete a change of number, type or colour with the item's current values."""
    changed = IDENTITY & row.keys()
    if not changed or row.get("lot_id") is not None:
        return row
    if lot is not None:
        now = {
            "item_type": lot.item.item_type,
            "item_number": lot.item.number,
            "color_id": lot.color_id,
        }
    else:
        now = {
            "item_type": raw["item_type"],
            "item_number": raw["item_number"],
            "item_name": raw["item_name"],
            "color_id": raw["color_id"],
        }
    return {**now, **row}


def _identity(row: Changes) -> LotIdentity | None:
    if row.get("lot_id") is not None or not (IDENTITY & row.keys()):
        return None
    kind = row.get("item_type") or ""
    color_id = row.get("color_id") if kind in COLORED_TYPES else None
    return LotIdentity(kind, (row.get("item_number") or "").strip(), color_id or NO_COLOR)


def _identity_problems(row: Changes) -> Problems:
    problems: Problems = {}
    kind = row.get("item_type")
    if kind is None:
        problems["item_type"] = ["is required beside item_number"]
    if kind == ItemType.PART and row.get("color_id") is None:
        problems["color_id"] = ["is required for a part"]
    number, name = (row.get("item_number") or "").strip(), (row.get("item_name") or "").strip()
    if not number and not (kind == ItemType.UNSORTED_LOT and name):
        problems["item_number"] = ["is required"]
    return problems


def _ids(rows: Iterable[Changes], name: str) -> set[int]:
    return {row[name] for row in rows if row.get(name) is not None}


def _locations(owner: Slot, ids: Slot) -> QuerySet[Any, Any]:
    found = Location.objects.owned_by(owner).filter(pk__among=ids)
    return found.order_by().values_list(Value("location_id"), "pk", "name")


def _lots(owner: Slot, ids: Slot) -> QuerySet[Any, Any]:
    found = Lot.objects.visible_to(owner).filter(pk__among=ids)
    return found.order_by().values_list(Value("lot_id"), "pk", Value(""))


def _colors(ids: Slot, **_: Slot) -> QuerySet[Any, Any]:
    found = Color.objects.filter(pk__among=ids)
    return found.order_by().values_list(Value("color_id"), "pk", "name")


_NAMED: Final = {
    "location_id": Prepared(_locations, owner=WHOLE, ids=IDS),
    "lot_id": Prepared(_lots, owner=WHOLE, ids=IDS),
    "color_id": Prepared(_colors, owner=WHOLE, ids=IDS),
}


def _names_of(owner: User, rows: Sequence[Changes]) -> dict[str, dict[int, str]]:
    """Return id -> name of what the rows point to, by field, read at once; a lot has none."""
    found: dict[str, dict[int, str]] = {field: {} for field in _NAMED}
    asked = {field: ids for field in _NAMED if (ids := _ids(rows, field))}
    parts = [_NAMED[field].bound(owner=owner.pk, ids=ids) for field, ids in asked.items()]
    for field, pk, name in united(parts):
        found[field][pk] = name
    return found
