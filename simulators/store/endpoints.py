"""The endpoints, one function each. To add one, add a function with `@endpoint`.

An unknown query parameter or field is refused, as by the real API.
"""

import datetime as dt
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from simulators.store import catalogue
from simulators.store.guide import RATES, price_guide
from simulators.store.sellers import Seller
from simulators.store.wire import Refusal


@dataclass(frozen=True, slots=True)
class Call:
    """A request with a valid signature: the seller, and the values of the address and the body."""

    seller: Seller
    path: Mapping[str, str]
    query: Mapping[str, str]
    body: Any
    now: dt.datetime


Handler = Callable[[Call], Any]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A method and a path, the parameters and fields it accepts, and its status code."""

    method: str
    path: str  # as Flask writes it: /items/<type>/<path:no>
    query: frozenset[str]
    fields: frozenset[str]  # of the body, nested ones as item.no
    code: int
    handler: Handler


ENDPOINTS: list[Endpoint] = []


def endpoint(
    method: str,
    path: str,
    *,
    query: tuple[str, ...] = (),
    fields: tuple[str, ...] = (),
    code: int = 200,
) -> Callable[[Handler], Handler]:
    """Register a function for `method` and a path such as `/items/<type>/<path:no>`."""

    def register(handler: Handler) -> Handler:
        ENDPOINTS.append(Endpoint(method, path, frozenset(query), frozenset(fields), code, handler))
        return handler

    return register


def check_fields(endpoint_: Endpoint, query: Mapping[str, str], body: Any) -> None:
    """Raises Refusal for an unknown field."""
    for name in query:
        if name not in endpoint_.query:
            raise Refusal(400, f"Unknown parameter: [{name}]")
    for row in body if isinstance(body, list) else [body]:
        for name in _names(row):
            if name not in endpoint_.fields:
                raise Refusal(400, f"Unparseable value or field: [{name}.]")


def _names(node: Any, prefix: str = "") -> list[str]:
    if not isinstance(node, dict):
        return []
    return [
        inner
        for name, value in node.items()
        for inner in (
            _names(value, f"{prefix}{name}.") if isinstance(value, dict) else [f"{prefix}{name}"]
        )
    ]


def _number(text: str | None, name: str) -> int:
    if text is None or not re.fullmatch(r"\d{1,9}", text):
        raise Refusal(400, f"{name} is missing or not a number")
    return int(text)


def _one_of(call: Call, name: str, allowed: tuple[str, ...], default: str) -> str:
    value = call.query.get(name, default)
    if value not in allowed:
        raise Refusal(400, f"{name} must be one of {', '.join(allowed)}")
    return value


@endpoint("GET", "/colors")
def list_colours(call: Call) -> Any:
    return list(catalogue.colours().values())


@endpoint("GET", "/colors/<id>")
def one_colour(call: Call) -> Any:
    found = catalogue.colours().get(_number(call.path["id"], "color_id"))
    if found is None:
        raise Refusal(404, "The resource you requested does not exist.")
    return found


@endpoint("GET", "/items/<type>/<path:no>")
def one_item(call: Call) -> Any:
    return catalogue.described(catalogue.item(call.path["type"], call.path["no"]))


@endpoint(
    "GET",
    "/items/<type>/<path:no>/price",
    query=(
        "color_id",
        "guide_type",
        "new_or_used",
        "country_code",
        "region",
        "currency_code",
        "vat",
    ),
)
def item_price(call: Call) -> Any:
    item = catalogue.item(call.path["type"], call.path["no"])
    color_id = 0
    if item["type"] == "PART" or "color_id" in call.query:
        color_id = _number(call.query.get("color_id"), "color_id")
        if color_id not in catalogue.colours():
            raise Refusal(404, "The resource you requested does not exist.")
    guide = _one_of(call, "guide_type", ("stock", "sold"), "stock")
    condition = _one_of(call, "new_or_used", ("N", "U"), "N")
    _one_of(call, "vat", ("N", "Y", "O"), "N")
    currency = _one_of(call, "currency_code", tuple(RATES), call.seller.stock.currency)
    country = call.query.get("country_code", "")
    if country and not re.fullmatch(r"[A-Z]{2}", country):
        raise Refusal(400, "country_code must be two letters")
    return price_guide(
        item=item,
        color_id=color_id,
        condition=condition,
        is_sold=guide == "sold",
        country=country,
        region=call.query.get("region", ""),
        currency=currency,
        today=call.now.date(),
    )
