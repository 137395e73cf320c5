"""Plans the change for each lot of a file, given its row of the stock."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import orjson

from apps.exchange.bsx_carried import without_type
from apps.exchange.conditions import UNKNOWN_CONDITION
from apps.inventory.rules.bsx_fields import ZERO
from apps.inventory.rules.file_columns import FILE_COLUMNS
from apps.inventory.rules.matching import FileKey
from apps.inventory.rules.stacking import Came, condition_key, raw_identity
from apps.inventory.rules.sync_plan import (
    CHANGED,
    CREATED,
    OF_CONDITION,
    UNCHANGED,
    UNREADABLE,
    Planned,
)

PRICE: Final = FILE_COLUMNS.index("price")
REMARKS: Final = FILE_COLUMNS.index("remarks")
CONDITION: Final = FILE_COLUMNS.index("condition")
CONDITION_TEXT: Final = FILE_COLUMNS.index("condition_text")
SUB_CONDITION: Final = FILE_COLUMNS.index("sub_condition")
LISTING: Final = FILE_COLUMNS.index("marketplace_lot_id")
EXTRA: Final = FILE_COLUMNS.index("extra")
OWN_WEIGHT: Final = FILE_COLUMNS.index("unit_weight_grams")
RAW_NAME: Final = FILE_COLUMNS.index("raw_item_name")
RAW_NUMBER: Final = FILE_COLUMNS.index("raw_item_number")
RAW_COLOR: Final = FILE_COLUMNS.index("raw_color_id")
RAW_COLOR_NAME: Final = FILE_COLUMNS.index("raw_color_name")
#: What warnings call these columns.
CONDITION_TAGS: Final = frozenset({"CONDITION"})
COLOR_TAGS: Final = frozenset({"COLOR", "COLORID", "COLORNAME"})
#: Type, number and name of the item, number and name of the colour.
RAW: Final = slice(0, 5)
# Names come from the catalogue. A file's own names are kept for export and are not a change.
NAMES: Final = frozenset(
    {"raw_item_name", "raw_color_name", "raw_category_id", "raw_category_name"}
)
IDENTITY: Final = frozenset({"raw_item_type", "raw_item_number", "raw_color_id"})


class Read(NamedTuple):
    """A lot of the file before it is matched, in types that `marshal` supports."""

    position: int
    line: int
    refusal: str
    lot_id: int | None
    pair: tuple[int, int] | None
    reason: str
    location: str
    quantity: int
    values: tuple[Any, ...]
    grams: str | None
    warnings: list[tuple[str, str, str]]
    #: The columns (and `quantity`) that a partial file contains; None means all.
    given: tuple[str, ...] | None = None
    #: Whether `quantity` is pieces more or fewer.
    is_change: bool = False
    #: Type, number and colour as the file has them, where its number is another site's.
    raw: tuple[str, str, int | None] | None = None


class StockRow(NamedTuple):
    """A row of the stock in the form of the file."""

    quantity: int
    lot_id: int | None
    location: str
    values: list[Any]
    #: Pieces that buyers were promised, or that wait to be listed: the store does not count them,
    #: so its file does not.
    not_there: int = 0
    #: Its values in its file, where a person has chosen others since.
    came: Came | None = None


def _raw(row: Read) -> tuple[Any, ...]:
    return row.raw or raw_identity(*row.values[RAW])


def file_key(row: Read) -> FileKey:
    """Return the values by which the lot is matched."""
    values = row.values
    raw = _raw(row)
    if row.lot_id is not None:
        identity: tuple[Any, ...] = (row.lot_id,)
    else:
        identity = ("new", *row.pair) if row.pair else raw
    return FileKey(
        values[LISTING],
        identity,
        raw,
        condition_key(values[CONDITION], values[CONDITION_TEXT]),
        values[SUB_CONDITION],
        row.location,
        values[PRICE],
    )


def price_in_a_file(price: str | None) -> str | None:
    """Return a price as a BSX file stores it: a price of 0 is no price there."""
    return None if price == ZERO else price


def completed(row: Read, stock: StockRow | None, *, is_matched: bool = True) -> Read:
    """Return the lot with the values missing from its file taken from the stock, or refused.

    Lots of a batch are not matched with the stock, so the refusal does not name it.
    """
    row = row if stock is None or row.refusal else _as_known(row, stock)
    given = row.given
    if given is None or row.refusal:
        return row
    if stock is None:
        values = row.values
        if not (values[RAW_NUMBER] or values[RAW_NAME]):
            lack, sought = "It names no item", f"has LotID {values[LISTING]}"
        elif row.is_change or "quantity" not in given:
            lack = "The file does not say how many there are"
            sought = "is this item in this colour and condition"
        else:
            return row
        also = f", and no lot of your stock {sought}" if is_matched else ""
        return row._replace(refusal=f"{lack}{also}.")
    here = stock.quantity - stock.not_there
    quantity = row.quantity if "quantity" in given else here
    if row.is_change:
        quantity += here
        if quantity < 0:
            return row._replace(refusal=f"{-row.quantity} pieces fewer than the {here} of the lot.")
    told = zip(FILE_COLUMNS, row.values, stock.values, strict=True)
    values = tuple(said if name in given else had for name, said, had in told)
    row = row._replace(values=values, quantity=quantity, is_change=False)
    if "raw_item_number" in given or "raw_item_name" in given:
        return row
    return row._replace(lot_id=stock.lot_id, pair=None, reason="")


def _as_known(row: Read, stock: StockRow) -> Read:
    """Return the lot with its item, condition and colour as the row has them, where the file's
    were not understood: the row's may be what a person chose.
    """
    kept: list[int] = []
    reason = row.reason
    if row.values[CONDITION] == UNKNOWN_CONDITION != stock.values[CONDITION]:
        kept += [CONDITION, CONDITION_TEXT]
    is_strange = row.values[RAW_COLOR] is None and row.values[RAW_COLOR_NAME]
    if row.lot_id is None and not row.pair and stock.came and stock.came.identity == _raw(row):
        kept += range(RAW.stop)
        reason = OF_CONDITION if row.values[CONDITION] == UNKNOWN_CONDITION else ""
    elif is_strange and stock.values[RAW_COLOR] is not None:
        kept += [RAW_COLOR, RAW_COLOR_NAME]
    if not kept:
        return row
    if CONDITION in kept and reason == OF_CONDITION:
        reason = ""
    values = list(row.values)
    for at in kept:
        values[at] = stock.values[at]
    return row._replace(values=tuple(values), reason=reason)


def planned_for(row: Read, pk: int, stock: StockRow | None, *, is_matched: bool = True) -> Planned:
    """Return the planned change for a lot whose row is `pk`, or for a lot without a row."""
    row = completed(row, stock, is_matched=is_matched)
    item_id = None if stock is None else pk
    lot_id, location, values = row.lot_id, row.location, row.values
    if stock is not None:
        # Remarks that name no location keep the row's location. A lot that the catalogue does
        # not know keeps the lot that a person chose for the row.
        location = location or stock.location
        lot_id = lot_id if lot_id is not None or row.pair else stock.lot_id
        if values[PRICE] is None and stock.values[PRICE] == ZERO:
            # A file stores a price of 0 as no price, so it does not remove the stored 0.
            values = (*values[:PRICE], ZERO, *values[PRICE + 1 :])
    planned = Planned(
        CREATED,
        row.position,
        row.line,
        lot_id,
        row.pair,
        row.reason,
        location,
        row.quantity + (stock.not_there if stock is not None else 0),
        values,
        row.grams,
        item_id,
    )
    if row.refusal:
        return planned._replace(kind=UNREADABLE, reason=row.refusal)
    if stock is None:
        return planned
    changes = changes_of(planned, stock)
    return planned._replace(kind=CHANGED if changes else UNCHANGED, changes=changes or None)


def warnings_left(row: Read, planned: Planned) -> list[tuple[str, str, str]]:
    """Return the warnings of a lot, but for a condition or a colour that its row says."""
    told = {
        tag
        for column, tags in ((CONDITION, CONDITION_TAGS), (RAW_COLOR_NAME, COLOR_TAGS))
        if row.values[column] != planned.values[column]
        for tag in tags
    }
    return [one for one in row.warnings if one[1].upper() not in told]


def changes_of(planned: Planned, stock: StockRow) -> dict[str, Sequence[Any]]:
    """Return field -> (before, after) of the changes that are shown to a person."""
    changes: dict[str, Sequence[Any]] = {}
    if planned.quantity != stock.quantity:
        changes["quantity"] = (stock.quantity, planned.quantity)
    if planned.location != stock.location:
        changes["location"] = (stock.location, planned.location)
    if planned.pair or planned.lot_id != stock.lot_id:
        changes["lot"] = (stock.lot_id, planned.lot_id)
    if stock.values == list(planned.values):
        return changes
    ignored = NAMES if planned.lot_id is None else NAMES | IDENTITY
    if planned.values[CONDITION] != UNKNOWN_CONDITION:
        ignored |= {"condition_text"}
    for name, before, after in zip(FILE_COLUMNS, stock.values, planned.values, strict=True):
        if before == after or name in ignored:
            continue
        if name == "extra" and _beyond_names(before) == _beyond_names(after):
            continue
        changes[name] = (before, after)
    return changes


def is_as_planned(
    planned: Planned, *, quantity: int, lot_id: int | None, location: str, values: Sequence[Any]
) -> bool:
    """Whether the planned fields of the row are unchanged since the plan."""
    before = {name: change[0] for name, change in (planned.changes or {}).items()}
    if quantity != before.get("quantity", planned.quantity):
        return False
    if location != before.get("location", planned.location):
        return False
    if lot_id != before.get("lot", planned.lot_id):
        return False
    ignored = NAMES if planned.lot_id is None else NAMES | IDENTITY
    return all(
        now == before.get(name, after)
        for name, now, after in zip(FILE_COLUMNS, values, planned.values, strict=True)
        if name not in ignored and name not in ("extra", "condition_text")
    )


def _beyond_names(extra: str) -> dict[str, Any]:
    return without_type(orjson.loads(extra))


def context_of(planned: Planned) -> str:
    """Return which lot this is, for a person who has the file open."""
    values = dict(zip(FILE_COLUMNS, planned.values, strict=True))
    said = (values["raw_item_number"], values["raw_item_name"], values["raw_color_name"])
    name = " ".join(text for text in said if text) or "(no number)"
    listing = values["marketplace_lot_id"]
    also = f", LotID {listing}" if listing is not None else ""
    return f"lot {planned.position + 1}, line {planned.line}: {name}{also}"
