"""Lots in BrickLink's wire format. Pure.

Bodies hold what is named here and nothing else: a field that BrickLink does not know, or
does not let one write, refuses the whole call.
"""

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal, InvalidOperation
from typing import IO, Any, Final

import ijson

from apps.core.clock import in_utc
from apps.exchange.conditions import condition_of
from apps.marketplace.providers.answers import unescape
from apps.marketplace.providers.base import NoAnswer
from apps.marketplace.providers.lots import LotChange, LotDraft, StoreLot, Tiers

# Complete, incomplete, sealed: the one place that maps our letters to BrickLink's.
COMPLETENESS: Final = {"C": "C", "I": "B", "M": "S"}
_OURS: Final = {theirs: ours for ours, theirs in COMPLETENESS.items()}
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


def read_lots(body: IO[bytes]) -> Iterator[StoreLot]:
    """Yield the lots of an answer one by one; none where there is nothing. Raises NoAnswer."""
    try:
        body.seek(0)
        kind = next((event for path, event, _ in ijson.parse(body) if path == "data"), "null")
        if kind == "start_map":
            body.seek(0)
            kind = "wrong" if any(True for _ in ijson.kvitems(body, "data")) else "null"
        if kind not in ("start_array", "null"):
            raise NoAnswer("The marketplace sent no list of lots.")
        if kind == "start_array":
            body.seek(0)
            for row in ijson.items(body, "data.item"):
                yield read_lot(row)
    except ijson.JSONError as problem:
        raise NoAnswer("The marketplace's list of lots breaks off.") from problem


def meta_of(body: IO[bytes]) -> Any:
    """Return the `meta` of an answer, None where it cannot be read."""
    body.seek(0)
    try:
        return next(ijson.items(body, "meta"), None)
    except ijson.JSONError:
        return None


def read_lot(data: Any) -> StoreLot:
    """Return one lot. Raises NoAnswer for any other value."""
    try:
        item = data["item"]
        return StoreLot(
            lot_id=int(data["inventory_id"]),
            item_type=str(item["type"]).upper(),
            number=str(item["no"]),
            name=unescape(str(item.get("name") or "")),
            color_id=int(data.get("color_id") or 0),
            color_name=unescape(str(data.get("color_name") or "")),
            quantity=int(data["quantity"]),
            condition=condition_of(str(data["new_or_used"])),
            completeness=_OURS.get(str(data.get("completeness") or ""), ""),
            price=Decimal(str(data["unit_price"])),
            comments=unescape(str(data.get("description") or "")),
            remarks=unescape(str(data.get("remarks") or "")),
            bulk=int(data.get("bulk") or 1),
            sale=int(data.get("sale_rate") or 0),
            cost=Decimal(str(data.get("my_cost") or 0)),
            retain=data.get("is_retain") is True,
            stockroom=str(data.get("stock_room_id") or "A") if data.get("is_stock_room") else "",
            tiers=_tiers(data),
            created_at=instant(data.get("date_created")),
        )
    except (KeyError, TypeError, ValueError, AttributeError, InvalidOperation) as problem:
        raise NoAnswer("The marketplace sent a lot that cannot be read.") from problem


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


def _tiers(data: Any) -> Tiers:
    one, two, three = (
        (
            int(data.get(f"tier_quantity{place}") or 0),
            Decimal(str(data.get(f"tier_price{place}") or 0)),
        )
        for place in _PLACES
    )
    return one, two, three


def instant(text: Any) -> dt.datetime | None:
    """Return a time of BrickLink's format; None for any other text."""
    if not isinstance(text, str) or not re.match(r"\d{4}-\d\d-\d\dT", text):
        return None
    try:
        told = dt.datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        return None
    return in_utc(told if told.tzinfo is not None else told.replace(tzinfo=dt.UTC))
