"""BrickLink's wire format, apart from sending: envelopes, texts and amounts. Pure.

`meta.code` decides, never the HTTP status: a refused token has been seen with status 200,
and a gateway's 429 without any envelope.
"""

import json
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from apps.exchange.bsx_values import read_count, read_plain_amount
from apps.marketplace.providers.answers import (
    HEAD,
    WrongValue,
    text_of,
    throttled,
    type_of,
    unescape,
    unreadable,
    whole,
)
from apps.marketplace.providers.base import (
    CatalogueItem,
    Guide,
    NoAnswer,
    NotThere,
    Refused,
    Sale,
    SecretsRefused,
)

_ADDRESS = re.compile(r"IP:\s*([0-9a-fA-F.:]+)")
_OK = {200, 201, 204}
MOST_YEARS = 10_000
#: Great Britain, which is GB everywhere else.
BRITAIN = "UK"


def read_answer(*, status: int, body: bytes, headers: Mapping[str, str]) -> Any:
    """Return `data` of an answer, None where there is none. Raises MarketplaceError."""
    meta, data = _opened(body)
    check_meta(meta, status=status, head=body[:HEAD], headers=headers)
    return data or None


def check_meta(meta: object, *, status: int, head: bytes, headers: Mapping[str, str]) -> None:
    """Check an answer's status; `head` is the beginning of its body. Raises MarketplaceError."""
    if not isinstance(meta, dict):
        if status == 429:
            raise throttled("", headers.get("Retry-After"))
        raise unreadable(head, status)
    code = _whole(meta.get("code"))
    if code in _OK:
        return
    told = unescape(str(meta.get("description") or meta.get("message") or "no reason given"))
    if code == 401:
        raise _secrets_refused(told)
    if code == 429:
        # Without a time to wait it is the limit of the day.
        raise throttled(told, headers.get("Retry-After"), is_daily=True)
    if code is None or code >= 500:
        raise NoAnswer(f"The marketplace had an internal error: {told}")
    if code == 404:
        raise NotThere(f"The marketplace has no such item or lot: {told}", code=code)
    raise Refused(f"The marketplace refused: {told}", code=code)


def _opened(body: bytes) -> tuple[dict[str, Any] | None, Any]:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return None, None
    meta = found.get("meta") if isinstance(found, dict) else None
    return (meta, found.get("data")) if isinstance(meta, dict) else (None, None)


def _whole(value: object) -> int | None:
    text = str(value)
    return int(text) if re.fullmatch(r"\d{1,4}", text) else None


def _secrets_refused(told: str) -> SecretsRefused:
    if "TOKEN_IP_MISMATCHED" in told:
        found = _ADDRESS.search(told)
        address = found.group(1) if found else ""
        where = f"from {address}" if address else "from this server's address"
        return SecretsRefused(
            f"The token is registered for another address: this app calls {where}.",
            address=address,
        )
    if "timestamp" in told.lower():
        return SecretsRefused("The clock of this server is wrong: the call counted as expired.")
    if "SIGNATURE_INVALID" in told:
        return SecretsRefused(
            "ConsumerSecret or TokenSecret does not fit: mistyped or in another's place."
        )
    if "CONSUMER_KEY" in told:
        return SecretsRefused(
            "The marketplace does not know this ConsumerKey: mistyped or in another's place."
        )
    if told.startswith("TOKEN_"):
        return SecretsRefused(
            "The marketplace does not know this TokenValue: mistyped, revoked or in another's place."
        )
    return SecretsRefused(f"The marketplace refused these secrets: {told}")


def amount(value: object) -> Decimal | None:
    """Return a price; None for 0 ("no data") and for any other value."""
    found: Decimal | None = read_plain_amount(str(value)).value
    return found if found and found > 0 else None


def read_item(data: Any) -> CatalogueItem:
    """Return an item of the catalogue. Raises NoAnswer for any other value."""
    number = text_of(data.get("no")).strip() if isinstance(data, dict) else ""
    if not number or not data.get("type"):
        raise NoAnswer("The marketplace sent no item.")
    year = read_count(str(data.get("year_released"))).value
    return CatalogueItem(
        item_type=type_of(data["type"]),
        number=number,
        name=text_of(data.get("name")),
        weight_grams=amount(data.get("weight")),
        year_released=year if 0 < year < MOST_YEARS else None,
    )


def read_guide(data: object) -> Guide:
    """Return the figures of a price guide. Raises NoAnswer for any other value."""
    if not isinstance(data, dict):
        raise NoAnswer("The marketplace sent no price guide.")
    details = data.get("price_detail")
    try:
        lots, pieces = whole(data, "unit_quantity"), whole(data, "total_quantity")
    except WrongValue as problem:
        raise NoAnswer(f"The marketplace's price guide cannot be read: {problem}.") from problem
    return Guide(
        average=amount(data.get("qty_avg_price")),
        mean=amount(data.get("avg_price")),
        lowest=amount(data.get("min_price")),
        lots=lots,
        pieces=pieces,
        sales=tuple(
            sale
            for row in (details if isinstance(details, list) else [])
            if isinstance(row, dict) and (sale := _sale(row)) is not None
        ),
    )


def _sale(row: dict[str, Any]) -> Sale | None:
    price = amount(row.get("unit_price"))
    quantity = read_count(str(row.get("quantity", row.get("qunatity")))).value
    if price is None or quantity <= 0:
        return None
    country = text_of(row.get("seller_country_code"))
    return Sale(quantity, price, "GB" if country == BRITAIN else country)
