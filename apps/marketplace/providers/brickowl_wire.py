"""BrickOwl's wire format, apart from sending: forms, lots, ids and failures. Pure.

BrickOwl numbers items (BOID, with the colour behind a dash), colours and lots itself, and tells
which of its items and colours are which of BrickLink's, whose numbers our catalogue has.
"""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import IO, Any, ClassVar, Final

import ijson

from apps.exchange.bsx_values import read_bulk, read_id, read_quantity, read_sale
from apps.exchange.colors import BRICKOWL, NO_COLORS, read_color
from apps.exchange.conditions import condition_of, condition_text
from apps.locations.rules.remarks import mark_of
from apps.marketplace.providers.answers import (
    BROKEN,
    HEAD,
    WRONG,
    amount_from_0,
    flag,
    needed,
    readable,
    text_of,
    throttled,
    type_of,
    unescape,
    unreadable,
    whole,
    why_wrong,
)
from apps.marketplace.providers.base import (
    Ids,
    NoAnswer,
    NotThere,
    Refused,
    Secrets,
    SecretsRefused,
)
from apps.marketplace.providers.known import MarketplaceId
from apps.marketplace.providers.lots import (
    NO_TIERS,
    UNKNOWN_COLOR,
    LotChange,
    LotDraft,
    StoreLot,
    Tiers,
    UnreadLot,
    known_identity,
)

TYPES: Final[Mapping[str, str]] = {
    "PART": "Part",
    "SET": "Set",
    "MINIFIG": "Minifigure",
    "GEAR": "Gear",
    "INSTRUCTION": "Instructions",
    "ORIGINAL_BOX": "Packaging",
}
#: Our type of each of BrickOwl's words: two are of lots that are not created from here.
TYPES_HERE: Final[Mapping[str, str]] = {
    **{theirs: ours for ours, theirs in TYPES.items()},
    "Sticker": "PART",
    "Minibuild": "UNSORTED_LOT",
}
WITH_COLOR: Final = {"PART", "GEAR"}
#: What BrickOwl calls BrickLink's numbers of an item.
NUMBER_KIND: Final = "bl_item_no"
LEAST_PRICE: Final = Decimal("0.001")
ITEMS_AT_ONCE: Final = 100  # in one bulk_lookup
REQUESTS_AT_ONCE: Final = 50  # in one batch
_SET_CONDITIONS: Final = {
    ("N", "C"): "newc",
    ("U", "C"): "usedc",
    ("N", "I"): "newi",
    ("U", "I"): "usedi",
    ("N", "M"): "news",
}
COMPLETENESS_HERE: Final = {"newc": "C", "usedc": "C", "newi": "I", "usedi": "I", "news": "M"}
#: BrickOwl grades used items; stock has no grade, and this is the middle one.
_USED: Final = "usedg"


@dataclass(frozen=True, slots=True)
class BrickOwlSecrets(Secrets):
    """The key of a seller's account."""

    marketplace: ClassVar = MarketplaceId.BRICKOWL

    key: str = field(repr=False, metadata={"shown": "API key"})


LOT_IDS: Final = Ids(MarketplaceId.BRICKOWL)
ORDER_IDS: Final = Ids(MarketplaceId.BRICKOWL, "order")

#: Our lot ids -> item number and colour of the stock behind them.
Known = Mapping[int, tuple[str, int]]
UNKNOWN: Final = ("", UNKNOWN_COLOR)


def check_answer(*, status: int, body: bytes, retry_after: str | None) -> None:
    """Return where an answer is one, whole or its first bytes. Raises MarketplaceError."""
    if status == 429:
        raise throttled(_reason(body), retry_after)
    if status in (401, 403):
        raise SecretsRefused(f"The marketplace does not take this key: {_reason(body)}")
    if status >= 500 or status in (301, 302, 303, 307, 308):
        raise NoAnswer(f"The marketplace had an internal error (status {status}).")
    if status == 404:
        raise NotThere(f"The marketplace has no such item or lot: {_reason(body)}", code=status)
    if status >= 400:
        raise Refused(f"The marketplace refused: {_reason(body)}", code=status)


def read_answer(*, status: int, body: bytes, retry_after: str | None = None) -> Any:
    """Return the data of an answer. Raises MarketplaceError."""
    check_answer(status=status, body=body, retry_after=retry_after)
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        raise unreadable(body[:HEAD], status) from None
    if isinstance(data, dict) and data.get("error"):
        raise Refused(f"The marketplace refused: {_reason(body)}", code=400)
    return data


def read_batch(data: object, count: int) -> list[Refused | None]:
    """Return the refusal of each request of a batch. Raises NoAnswer for any other value.

    The format of this answer is not documented: an unknown value leaves the request unsettled.
    """
    if not isinstance(data, list) or len(data) != count:
        raise NoAnswer("The marketplace's answer to many requests cannot be read.")
    found: list[Refused | None] = []
    for row in data:
        body = row.get("body") if isinstance(row, dict) else None
        status = row.get("status_code") if isinstance(row, dict) else None
        if not isinstance(body, dict) or not isinstance(status, int) or status >= 500:
            raise NoAnswer("The marketplace's answer to many requests cannot be read.")
        is_done = status < 400 and body.get("status") == "success"
        why = str(body.get("error") or "no reason given")
        found.append(None if is_done else Refused(f"The marketplace refused: {why}", code=status))
    return found


def read_lot_id(data: object) -> int:
    """Return our id of the created lot. Raises NoAnswer for any other value."""
    told = data.get("lot_id") if isinstance(data, dict) else None
    if not re.fullmatch(r"\d{1,12}", str(told)):
        raise NoAnswer("The marketplace created a lot without giving its number.")
    return LOT_IDS.ours(int(str(told)))


def read_boids(data: object) -> list[str]:
    """Return the items that a number stands for, without their colours."""
    told = data.get("boids") if isinstance(data, dict) else None
    if not isinstance(told, list):
        raise NoAnswer("The marketplace sent no list of items.")
    return bases_of(told)


def bases_of(boids: Iterable[Any]) -> list[str]:
    """Return the items of BOIDs, which have a colour behind the dash; none for an empty one."""
    return sorted({base for boid in boids if (base := _base_of(boid))})


def _base_of(boid: object) -> str:
    return text_of(boid).strip().partition("-")[0]


@dataclass(frozen=True, slots=True)
class OwlItem:
    """An item of BrickOwl's catalogue: several of our numbers may share one."""

    numbers: tuple[str, ...]
    name: str


def read_items(data: object) -> dict[str, OwlItem]:
    """Return the items of a bulk_lookup by BOID. Raises NoAnswer for any other value."""
    told = data.get("items") if isinstance(data, dict) else None
    rows = list(told.values()) if isinstance(told, dict) else told
    if not isinstance(rows, list):
        raise NoAnswer("The marketplace sent no list of items.")
    found = {}
    for row in rows:
        if isinstance(row, dict) and isinstance(row.get("ids"), list):
            ids = [each for each in row["ids"] if isinstance(each, dict)]
            numbers = dict.fromkeys(
                number
                for kind in (NUMBER_KIND, "set_number")
                for each in ids
                if each.get("type") == kind and (number := text_of(each.get("id")).strip())
            )
            found[_base_of(row.get("boid"))] = OwlItem(tuple(numbers), text_of(row.get("name")))
    found.pop("", None)
    return found


@dataclass(frozen=True, slots=True)
class OwlColors:
    """BrickOwl's colours and ours, each by the other's id, and their names."""

    ours: Mapping[int, tuple[int, ...]]
    theirs: Mapping[int, tuple[int, ...]]
    names: Mapping[int, str]


def read_colors(data: object) -> OwlColors:
    """Return the colours of a color_list. Raises NoAnswer for any other value."""
    rows = list(data.values()) if isinstance(data, dict) else data
    if not isinstance(rows, list):
        raise NoAnswer("The marketplace sent no list of colours.")
    ours: dict[int, tuple[int, ...]] = {}
    theirs: dict[int, tuple[int, ...]] = {}
    names = {}
    for row in rows:
        if not isinstance(row, dict):
            continue
        their_id = read_id(str(row.get("id"))).value
        if their_id is None:
            continue
        told = row.get("bl_ids")
        found = (read_id(str(each)).value for each in (told if isinstance(told, list) else ()))
        ids = tuple(our_id for our_id in found if our_id is not None)
        names[their_id], ours[their_id] = text_of(row.get("name")), ids
        for our_id in ids:
            theirs[our_id] = (*theirs.get(our_id, ()), their_id)
    return OwlColors(ours, theirs, names)


def list_rows(body: IO[bytes]) -> Iterator[dict[str, Any]]:
    """Yield the rows of an inventory one by one. Raises Refused, NoAnswer."""
    try:
        events = ijson.parse(readable(body))
        first = next((event for path, event, _ in events if not path), "")
        body.seek(0)
        if first == "start_map":
            # A refusal, or nothing: neither is a list of lots.
            read_answer(status=200, body=body.read(64 * 1024))
        if first != "start_array":
            raise NoAnswer("The marketplace sent no list of lots.")
        for row in ijson.items(body, "item"):
            if not isinstance(row, dict):
                raise NoAnswer("The marketplace sent a lot that cannot be read.")
            yield row
    except BROKEN as problem:
        raise NoAnswer("The marketplace's list of lots breaks off.") from problem


@dataclass(frozen=True, slots=True)
class Named:
    """The item of a lot in our numbers. `is_sure` is False where its number is several of ours."""

    item_type: str
    number: str
    name: str
    color_id: int
    color_name: str
    is_sure: bool


def read_item(
    row: Mapping[str, Any], items: Mapping[str, OwlItem], colors: OwlColors, known: tuple[str, int]
) -> Named:
    """Return which item a lot or a line of an order is of. Raises KeyError for none.

    Where BrickOwl's item or colour is several of ours, it is the one of the stock (`known`),
    else the first.
    """
    boid, _, their_color = needed(row, "boid").partition("-")
    if not boid:
        raise KeyError("boid")
    item = items.get(boid) or OwlItem((), "")
    known_number, known_color = known
    kind = text_of(row.get("type"))
    told = (their_color or text_of(row.get("color_id"))).strip()
    if not told.strip("0"):
        told = ""
    color_id, color_name = _color(told, colors, known_color) if told else (0, "")
    if not told and kind in {TYPES[one] for one in WITH_COLOR} and known_color:
        color_id = UNKNOWN_COLOR
    return Named(
        item_type=TYPES_HERE.get(kind) or type_of(kind),
        number=_fitting(known_number, item.numbers, boid),
        name=item.name,
        color_id=color_id,
        color_name=color_name,
        is_sure=len(item.numbers) == 1,
    )


def read_lot(
    row: Mapping[str, Any], items: Mapping[str, OwlItem], colors: OwlColors, known: Known
) -> StoreLot | UnreadLot:
    """Return one lot. Raises NoAnswer for one without a number, which may be any."""
    lot_id = read_lot_id(row)
    remarks = _with_mark(text_of(row.get("personal_note")), row.get("external_lot_ids"))
    identity = None
    try:
        item = read_item(row, items, colors, known.get(lot_id, UNKNOWN))
        number = item.number if item.is_sure else ""
        identity = known_identity(item.item_type, number, item.color_id)
        written = text_of(row.get("full_con") or row["con"])
        condition = condition_of(written)
        return StoreLot(
            lot_id=lot_id,
            item_type=item.item_type,
            number=item.number,
            name=item.name,
            color_id=item.color_id,
            color_name=item.color_name,
            quantity=whole(row, "qty", read=read_quantity),
            condition=condition,
            condition_text=condition_text(condition, written),
            completeness=COMPLETENESS_HERE.get(written, ""),
            # `price` is the price after the sale's discount.
            price=amount_from_0(row, "base_price", "price", is_needed=True),
            comments=text_of(row.get("public_note")),
            remarks=remarks,
            bulk=whole(row, "bulk_qty", read=read_bulk),
            sale=whole(row, "sale_percent", least=-99, read=read_sale),
            cost=amount_from_0(row, "my_cost"),
            stockroom="" if flag(row, "for_sale", default=True) else "A",
            tiers=_tiers(row.get("tier_price")),
        )
    except WRONG as problem:
        return UnreadLot(lot_id, remarks, why_wrong(problem), identity)


def _color(text: str, colors: OwlColors, known: int) -> tuple[int, str]:
    """Return our colour of BrickOwl's, UNKNOWN_COLOR where it is none of ours, and its name."""
    number = read_id(text).value
    name = colors.names.get(number) or read_color(text, NO_COLORS, site=BRICKOWL).name
    return _fitting(known, colors.ours.get(number, ()), UNKNOWN_COLOR), name


def create_form(draft: LotDraft, *, boid: str, color_id: int | None) -> dict[str, str]:
    """Return the form of a new lot. It takes no texts: its mark goes in as the outside id.

    Raises Refused for what BrickOwl cannot hold.
    """
    form = {
        "boid": boid,
        "quantity": str(draft.quantity),
        "price": money(draft.price),
        "condition": their_condition(draft),
        "external_id": mark_of(draft.remarks),
    }
    if color_id is not None:
        form["color_id"] = str(color_id)
    return {name: value for name, value in form.items() if value}


def describe_form(draft: LotDraft) -> dict[str, str]:
    """Return the change sent to a new lot after its creation. It is safe to repeat."""
    return change_form(
        LotChange(
            comments=draft.comments,
            remarks=draft.remarks,
            stockroom=draft.stockroom,
            cost=draft.cost,
            bulk=draft.bulk,
            sale=draft.sale,
            tiers=draft.tiers if draft.tiers != NO_TIERS else None,
        )
    )


def change_form(change: LotChange) -> dict[str, str]:
    """Return the form of a change. BrickOwl has no *retain*, and no cost or bulk to take away."""
    form = {"public_note": change.comments}
    if change.delta:
        form["relative_quantity"] = str(change.delta)
    if change.price is not None:
        form["price"] = money(change.price)
    if change.remarks is not None:
        form["personal_note"] = change.remarks
    if change.stockroom is not None:
        form["for_sale"] = "0" if change.stockroom else "1"
    if change.cost:
        form["my_cost"] = f"{change.cost:.3f}"
    if change.bulk is not None and change.bulk > 1:
        form["bulk_qty"] = str(change.bulk)
    if change.sale is not None:
        form["sale_percent"] = str(change.sale)
    if change.tiers is not None:
        told = [f"{quantity}:{money(price)}" for quantity, price in change.tiers if quantity]
        form["tier_price"] = ",".join(told) or "remove"
    return form


def their_condition(draft: LotDraft) -> str:
    """Return BrickOwl's condition of a draft. Raises Refused where there is none."""
    if draft.item_type != "SET":
        return "new" if draft.condition == "N" else _USED
    found = _SET_CONDITIONS.get((draft.condition, draft.completeness))
    if found is None:
        raise Refused("BrickOwl has no used set that is sealed.", code=422)
    return found


def money(value: Decimal) -> str:
    """Return a price as BrickOwl reads it, with three places. Raises Refused for less."""
    if value < LEAST_PRICE:
        raise Refused("BrickOwl takes no price below 0.001.", code=422)
    return f"{value:.3f}"


def _with_mark(note: str, outside_ids: object) -> str:
    """Return the remarks: until a new lot got its note, its mark is in the outside id alone."""
    told = outside_ids.get("other") if isinstance(outside_ids, dict) else None
    mark = mark_of(str(told or ""))
    return note if mark_of(note) else f"{note} {mark}".strip()


def _fitting(known: object, told: Collection[Any], else_: object) -> Any:
    return known if known in told else next(iter(told), else_)


def _tiers(told: Any) -> Tiers:
    rows = told.split(",") if isinstance(told, str) else told or []
    pairs = [row.split(":") if isinstance(row, str) else row for row in rows if row]
    tiers = [{"quantity": quantity, "price": price} for quantity, price in pairs[:3]]
    found = [(whole(tier, "quantity"), amount_from_0(tier, "price")) for tier in tiers]
    one, two, three = (*found, *NO_TIERS)[:3]
    return one, two, three


def _reason(body: bytes) -> str:
    """Return the marketplace's reason, without what could be a key."""
    try:
        told = json.loads(body)
    except (ValueError, RecursionError):
        return "no reason given"
    found = told.get("error") if isinstance(told, dict) else None
    if isinstance(found, dict):
        found = found.get("status") or found.get("message")
    return unescape(str(found))[:200] if found else "no reason given"
