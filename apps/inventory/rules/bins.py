"""Combines the rows of a lot in several bins into one lot of a file, and divides it again. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import orjson

from apps.exchange.bsx_base import tag_text
from apps.exchange.bsx_carried import carried_of, carried_values
from apps.exchange.bsx_lot import BsxLot, ExtraTag, total_weight_grams
from apps.exchange.bsx_values import TAGS
from apps.locations.rules.bin_names import names_after_word
from apps.locations.rules.several import several_in

#: Our tag in a BSX file: the pieces of the lot in each bin. BrickStore ignores it.
TAG: Final = "BrickstowBins"
_BEHIND_A_NAME: Final = frozenset(" ,;:|/&+(=")
_OF_THE_LOT: Final = frozenset(
    {
        "ItemID",
        "ItemTypeID",
        "ColorID",
        "ItemName",
        "ItemTypeName",
        "ColorName",
        "CategoryID",
        "CategoryName",
        "Condition",
        "SubCondition",
        "LotID",
        "TotalWeight",
    }
)
_OF_A_PART: Final = tuple(tag for tag in TAGS if tag not in _OF_THE_LOT)

RemarksOf = Callable[[BsxLot, str], str]


class Part(NamedTuple):
    """Pieces of a lot in one bin; '' is no bin."""

    lot: BsxLot
    place: str


def carrying(remarks: str, place: str) -> str:
    """Return Remarks that name the bin: in front, unless they name it already."""
    if not place or names(remarks, place):
        return remarks
    return f"{place} {remarks}" if remarks.strip() else place


def names(remarks: str, place: str) -> bool:
    """Whether Remarks name the bin: alone, before other text, among several, or as "in box 3"."""
    text, name = " ".join(remarks.split()).casefold(), place.casefold()
    if text.startswith(name) and (len(text) == len(name) or text[len(name)] in _BEHIND_A_NAME):
        return True
    if names_after_word(text, name):
        return True
    several = several_in(text, there={name})
    return several is not None and name in several.names


def is_same_lot(one: BsxLot, other: BsxLot) -> bool:
    """Whether two lots with one LotID can be one: nothing else may be listed as a lot."""
    return _identity(one) == _identity(other)


def _identity(lot: BsxLot) -> tuple[Any, ...]:
    item = (lot.item_type, lot.item_number) if lot.item_number else lot.item_name
    return (item, lot.color_id, lot.condition, lot.sub_condition)


def one_lot(parts: Sequence[Part], remarks_of: RemarksOf) -> BsxLot:
    """Return the parts of a lot as one lot of the marketplace, with the sum of their pieces.

    All other fields come from the first part that holds pieces. The Remarks list the pieces in
    each bin.
    """
    first = _speaker(parts).lot
    quantity = sum(part.lot.quantity for part in parts)
    return replace(
        first,
        quantity=quantity,
        remarks=_remarks(parts, remarks_of),
        total_weight_grams=total_weight_grams(first.unit_weight_grams, quantity),
    )


def with_bins(lot: BsxLot, parts: Sequence[Part]) -> BsxLot:
    """Return the lot with a tag that lists its pieces in each bin, for our own import."""
    first = _speaker(parts).lot
    carried = carried_of(first)
    told = []
    for part in parts:
        entry: dict[str, Any] = {"bin": part.place, "Qty": str(part.lot.quantity)}
        for tag in _OF_A_PART:
            text = tag_text(tag, part.lot)
            if tag != "Qty" and text != tag_text(tag, lot):
                entry[tag] = text
        if (own := carried_of(part.lot)) != carried:
            entry["carried"] = own
        told.append(entry)
    body = orjson.dumps({"remarks": lot.remarks, "bins": told}).decode()
    return replace(lot, extra=(*lot.extra, ExtraTag(TAG, body)))


def bins_of(lot: BsxLot) -> tuple[BsxLot, list[Part], str]:
    """Return the lot without our tag, its parts by that tag, and why there are none.

    The tag holds while quantity and Remarks are as they were written with it.
    """
    if not lot.extra or (body := lot.extra_text(TAG)) is None:
        return lot, [], ""
    lot = replace(lot, extra=tuple(extra for extra in lot.extra if extra.tag != TAG))
    try:
        told = orjson.loads(body)
        parts = [_part(lot, entry) for entry in told["bins"]]
        is_as_written = told["remarks"] == lot.remarks
    except (ValueError, KeyError, TypeError, AttributeError):
        return lot, [], f"{TAG} cannot be read; the lot is taken as one, by its Remarks."
    adds_up = sum(part.lot.quantity for part in parts) == lot.quantity
    if not is_as_written or not adds_up or any(part.lot.quantity < 0 for part in parts):
        why = f"The lot was changed since {TAG} was written; it is taken as one, by its Remarks."
        return lot, [], why
    return lot, parts, ""


def _part(lot: BsxLot, entry: dict[str, Any]) -> Part:
    values: dict[str, Any] = {"warnings": ()}
    if "carried" in entry:
        values |= {"base": (), "extra": (), "attributes": (), "states_condition": True}
        values |= carried_values(
            entry["carried"], quantity=int(entry["Qty"]), condition=lot.condition
        )
    for tag, text in entry.items():
        if tag in TAGS and tag not in _OF_THE_LOT:
            name, read = TAGS[tag]
            values[name], _finding = read(text)
    values.setdefault(
        "total_weight_grams", total_weight_grams(lot.unit_weight_grams, values["quantity"])
    )
    return Part(replace(lot, **values), str(entry["bin"]))


def _speaker(parts: Sequence[Part]) -> Part:
    return next((part for part in parts if part.lot.quantity > 0), parts[0])


def _remarks(parts: Sequence[Part], remarks_of: RemarksOf) -> str:
    holding = [part for part in parts if part.lot.quantity > 0] or list(parts[:1])
    told: dict[str, int] = {}
    for part in holding:
        text = remarks_of(part.lot, part.place)
        told[text] = told.get(text, 0) + part.lot.quantity
    places = {part.place for part in holding}
    if len(told) > 1 and set(told) <= places and "" not in told:
        return ";".join(f"{name}:{quantity}" for name, quantity in told.items())
    return "; ".join(text for text in told if text)
