"""Lots in BrickLink's wire format. Pure.

Bodies hold what is named here and nothing else: a field that BrickLink does not know, or
does not let one write, refuses the whole call.
"""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import IO, Any, Final

import ijson

from apps.catalog.rules.kinds import LETTER_OF_TYPE
from apps.exchange.bsx_values import (
    read_bulk,
    read_lot_id,
    read_quantity,
    read_sale,
    read_stockroom,
)
from apps.exchange.conditions import condition_of, condition_text
from apps.marketplace.providers.answers import (
    BROKEN,
    WRONG,
    Answer,
    amount_from_0,
    flag,
    instant,
    letter,
    needed,
    readable,
    text_of,
    type_of,
    whole,
    why_wrong,
)
from apps.marketplace.providers.base import NoAnswer
from apps.marketplace.providers.lots import (
    UNKNOWN_COLOR,
    LotChange,
    LotDraft,
    StoreLot,
    Tiers,
    UnreadLot,
    color_or_unknown,
    known_identity,
)
from apps.marketplace.providers.orders import LARGEST_ID

# Complete, incomplete, sealed: the one place that maps our letters to BrickLink's.
COMPLETENESS: Final = {"C": "C", "I": "B", "M": "S"}
MOST_COLORS: Final = 100_000
COMPLETENESS_HERE: Final = {theirs: ours for ours, theirs in COMPLETENESS.items()}
_PLACES: Final = (1, 2, 3)


def create_body(draft: LotDraft) -> dict[str, Any]:
    """Return the body of a new lot."""
    body: dict[str, Any] = {
        "item": {"no": draft.number, "type": draft.item_type},
        "color_id": draft.color_id,
        "quantity": draft.quantity,
        "new_or_used": draft.condition,
        "unit_price": money(draft.price),
        "description": draft.comments,
        "remarks": draft.remarks,
        "bulk": draft.bulk,
        "is_retain": draft.retain,
        "my_cost": money(draft.cost),
        "sale_rate": draft.sale,
        **_stockroom(draft.stockroom),
    }
    body |= _tier_fields(draft.tiers)
    if draft.item_type == "SET":
        body["completeness"] = COMPLETENESS[draft.completeness]
    return body


def change_body(change: LotChange) -> dict[str, Any]:
    """Return the body of a change: its fields, and always the description."""
    body: dict[str, Any] = {"description": change.comments}
    if change.delta:
        body["quantity"] = f"{change.delta:+d}"
    if change.price is not None:
        body["unit_price"] = money(change.price)
    if change.remarks is not None:
        body["remarks"] = change.remarks
    if change.stockroom is not None:
        body |= _stockroom(change.stockroom)
    if change.cost is not None:
        body["my_cost"] = money(change.cost)
    if change.bulk is not None:
        body["bulk"] = change.bulk
    if change.sale is not None:
        body["sale_rate"] = change.sale
    if change.retain is not None:
        body["is_retain"] = change.retain
    if change.tiers is not None:
        body |= _tier_fields(change.tiers)
    return body


def money(value: Decimal) -> str:
    """Return an amount as BrickLink reads it: four places."""
    return f"{value:.4f}"


def read_lots(body: IO[bytes]) -> Iterator[StoreLot | UnreadLot]:
    """Yield the lots of an answer one by one; none where there is nothing. Raises NoAnswer."""
    try:
        events = ijson.parse(readable(body))
        kind = next((event for path, event, _ in events if path == "data"), "null")
        if kind == "start_map":
            body.seek(0)
            kind = "wrong" if any(True for _ in ijson.kvitems(body, "data")) else "null"
        if kind not in ("start_array", "null"):
            raise NoAnswer("The marketplace sent no list of lots.")
        if kind == "start_array":
            body.seek(0)
            for row in ijson.items(body, "data.item"):
                yield read_lot(row)
    except BROKEN as problem:
        raise NoAnswer("The marketplace's list of lots breaks off.") from problem


def meta_of(body: IO[bytes]) -> Any:
    """Return the `meta` of an answer, None where it cannot be read. Raises NoAnswer."""
    try:
        return next(ijson.items(readable(body), "meta"), None)
    except BROKEN:
        return None


def read_lot(data: Answer) -> StoreLot | UnreadLot:
    """Return one lot. Raises NoAnswer for one without a number, which may be any."""
    try:
        lot_id = whole(data, "inventory_id", least=1, most=LARGEST_ID, read=read_lot_id)
    except WRONG as problem:
        raise NoAnswer("The marketplace sent a lot that cannot be read.") from problem
    remarks = text_of(data.get("remarks"))
    identity = None
    try:
        item = data["item"]
        item_type, number = type_of(item["type"]), needed(item, "no")
        if (color_id := color_of(data, item_type)) == UNKNOWN_COLOR:
            raise KeyError("color_id")
        identity = known_identity(item_type, number, color_id)
        condition = condition_of(written := text_of(data["new_or_used"]))
        return StoreLot(
            lot_id=lot_id,
            item_type=item_type,
            number=number,
            name=text_of(item.get("name")),
            color_id=color_id,
            color_name=text_of(data.get("color_name")),
            quantity=whole(data, "quantity", read=read_quantity),
            condition=condition,
            condition_text=condition_text(condition, written),
            completeness=COMPLETENESS_HERE.get(text_of(data.get("completeness")), ""),
            price=amount_from_0(data, "unit_price", is_needed=True),
            comments=text_of(data.get("description")),
            remarks=remarks,
            bulk=whole(data, "bulk", read=read_bulk),
            sale=whole(data, "sale_rate", least=-99, read=read_sale),
            cost=amount_from_0(data, "my_cost"),
            retain=flag(data, "is_retain"),
            stockroom=letter(data, "stock_room_id", read_stockroom)
            if flag(data, "is_stock_room")
            else "",
            tiers=_tiers(data),
            created_at=instant(data, "date_created"),
        )
    except WRONG as problem:
        return UnreadLot(lot_id, remarks, why_wrong(problem), identity)


def color_of(row: Answer, item_type: str) -> int:
    """Return the colour of a lot or a line, UNKNOWN_COLOR where it is not told and needed."""
    is_told = text_of(row.get("color_id")).strip()
    color_id = whole(row, "color_id", most=MOST_COLORS) if is_told else None
    return color_or_unknown(color_id, LETTER_OF_TYPE.get(item_type, ""), "")


def list_params(item_types: Sequence[str], color_ids: Sequence[int]) -> dict[str, str]:
    """Return the query that asks for lots of these types and colours; nothing asks for all."""
    params = {}
    if item_types:
        params["item_type"] = ",".join(sorted(set(item_types)))
    if color_ids:
        params["color_id"] = ",".join(str(color) for color in sorted(set(color_ids)))
    return params


def _stockroom(letter: str) -> dict[str, Any]:
    # The letter only with the room: alone it is refused.
    return {"is_stock_room": True, "stock_room_id": letter} if letter else {"is_stock_room": False}


def _tier_fields(tiers: Tiers) -> dict[str, Any]:
    body: dict[str, Any] = {}
    for place, (quantity, price) in zip(_PLACES, tiers, strict=True):
        body |= {f"tier_quantity{place}": quantity, f"tier_price{place}": money(price)}
    return body


def _tiers(data: Answer) -> Tiers:
    one, two, three = (
        (whole(data, f"tier_quantity{place}"), amount_from_0(data, f"tier_price{place}"))
        for place in _PLACES
    )
    return one, two, three
