"""The HTTP server: checks the signature, counts the call, fails on request, answers."""

import contextlib
import datetime as dt
import json
import os
import re
import threading
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from flask import Flask, Response, g, request
from werkzeug.exceptions import HTTPException

from simulators.serving import SimulatorServer, answer, clock, new_app, port_of
from simulators.store import inventories, oauth, order_calls
from simulators.store.endpoints import ENDPOINTS, Call, Endpoint, check_fields
from simulators.store.failures import Failures, Mode, Plan
from simulators.store.orders import stamp
from simulators.store.sellers import Seller, Sellers
from simulators.store.starter_stock import starter_lots
from simulators.store.stock import Journal
from simulators.store.wire import Refusal, envelope, refused

BASE = "/api/store/v1"
CONTROL = "/_control/"
PORT_OFFSET = 102  # as bricks/settings.py has it
MAX_BODY = 8 * 1024 * 1024


JOURNAL = "demo_store.jsonl"
assert order_calls  # imported for its endpoints


class StoreServer(SimulatorServer):
    """One market with its sellers. `url` is what a client is pointed at."""

    def __init__(
        self, port: int = 0, *, daily_calls: int = 5_000, journal: Path | None = None
    ) -> None:
        self.begin(daily_calls=daily_calls, journal=journal)
        app = new_app(__name__, max_body=MAX_BODY)
        _add_endpoints(app, self)
        _add_controls(app, self)
        super().__init__(port, app)

    def begin(self, *, daily_calls: int = 5_000, journal: Path | None = None) -> None:
        """Begin with the sellers of the journal, without calls, and forget all else."""
        self.sellers = Sellers(daily_calls=daily_calls, journal=Journal(journal))
        self.clock_ahead = 0.0  # seconds by which its clock is ahead of the machine's
        self.failures = Failures()
        self.calls: Counter[str] = Counter()  # requests with a valid signature: "GET /items/…"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}{BASE}"


def make_server() -> StoreServer | None:
    """Return the store on the port at which the app looks for it; None where it uses the real one."""
    port = port_of("MARKETPLACE_URL", offset=PORT_OFFSET)
    return StoreServer(port, journal=journal_path()) if port else None


def journal_path() -> Path | None:
    """Return the path of the journal in the app's folder of variable files, if there is one."""
    folder = Path(os.environ.get("VAR_DIR") or "var")
    return folder / JOURNAL if folder.is_dir() else None


# -- the store -------------------------------------------------------------------------


def _add_endpoints(app: Flask, store: StoreServer) -> None:
    for place, found in enumerate(ENDPOINTS):
        app.add_url_rule(
            f"{BASE}{found.path}",
            endpoint=str(place),
            view_func=_view_of(found),
            methods=[found.method],
        )

    @app.before_request
    def check() -> Response | None:
        """Fail as planned, or check the signature and count the call."""
        if not request.path.startswith(f"{BASE}/"):
            return None
        g.raw, g.now = request.get_data(), clock()
        path = request.path.removeprefix(BASE)
        g.plan = store.failures.take(request.method, path)
        if g.plan is not None and (early := g.plan.before(_failed)) is not None:
            return early
        g.seller = _signed_by(store, g.now)
        if g.seller.stock.address:
            raise Refusal(401, _mismatch(g.seller))
        store.sellers.count_call(g.seller, g.now.date())
        store.calls[f"{request.method} {path}"] += 1
        return None

    app.register_error_handler(Refusal, refused)

    @app.errorhandler(HTTPException)
    def refused_by_flask(error: HTTPException) -> Response:
        if error.code == 405:
            return refused(Refusal(405, f"{request.method} is not allowed here"))
        if error.code == 413:
            return refused(Refusal(400, "The body is too large."))
        text = "The requested URI is not valid."
        return refused(Refusal(400, text, message="INVALID_URI"))


def _view_of(found: Endpoint) -> Callable[..., Response]:
    def view(**names: str) -> Response:
        if any(len(values) > 1 for _, values in request.args.lists()):
            raise Refusal(400, "A parameter is repeated")
        query, body = request.args.to_dict(), _json_of(g.raw)
        check_fields(found, query, body)
        data = found.handler(Call(g.seller, names, query, body, g.now))
        made = envelope(found.code, data=data)
        return made if g.plan is None else g.plan.after(made, _failed)

    return view


def _signed_by(store: StoreServer, now: dt.datetime) -> Seller:
    header = oauth.read_header(request.headers.get("Authorization"))
    seller = store.sellers.of_key(header.consumer_key)
    if header.token != seller.secrets.token:
        raise Refusal(401, "TOKEN_UNKNOWN")
    oauth.check(
        header,
        method=request.method,
        # As it was sent: Flask's own has its escapes undone.
        url=f"http://{request.headers.get('Host')}{request.environ['RAW_URI']}",
        consumer_secret=seller.secrets.consumer_secret,
        token_secret=seller.secrets.token_secret,
        now=now.timestamp() + store.clock_ahead,
    )
    store.sellers.use_nonce(seller, header.nonce)
    return seller


def _failed(mode: Mode) -> Response:
    """Return the answer of a call that fails as planned."""
    if mode == Mode.UNAUTHORIZED:
        text = "TOKEN_IP_MISMATCHED: consumer: 0123456789ABCDEF IP: 203.0.113.9"
        return envelope(401, description=text, status=200)
    if mode == Mode.THROTTLED:
        return envelope(429, description="API calls exceeded", status=200)
    return envelope(500, description="An unexpected error has occurred in the API.")


def _json_of(raw: bytes) -> Any:
    if not raw:
        return None
    if "json" not in (request.headers.get("Content-Type") or ""):
        raise Refusal(415, "The body must be application/json.")
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        text = "A request has been made with a malformed JSON body."
        raise Refusal(400, text, message="INVALID_REQUEST_BODY") from None


# -- controls for tests and the app's demo -----------------------------------------------


def _add_controls(app: Flask, store: StoreServer) -> None:
    """`POST sellers {name}`, `POST failures {mode, times, …}`, `POST reset`, `GET calls`,
    `POST clock {ahead}`,
    `POST store {name, closed, in_part, restocks, escapes, currency, address, sell, is_stocked}`,
    `POST orders {name, …}`."""

    def told() -> dict[str, Any]:
        return _json_of(request.get_data()) or {}

    @app.get(f"{CONTROL}calls")
    def calls() -> Response:
        return answer({"calls": dict(store.calls), "failures": store.failures.pending()})

    @app.post(f"{CONTROL}sellers")
    def sellers() -> Response:
        name = told().get("name")
        if not isinstance(name, str) or not re.fullmatch(r"[\w.@+-]{1,100}", name):
            raise Refusal(400, "name is missing or not a name")
        secrets = store.sellers.register(name).secrets
        return answer({key: getattr(secrets, key) for key in secrets.__slots__})

    @app.post(f"{CONTROL}failures")
    def failures() -> Response:
        store.failures.add(_plan(told()))
        return calls()

    @app.post(f"{CONTROL}reset")
    def reset() -> Response:
        store.failures.clear()
        return calls()

    @app.post(f"{CONTROL}clock")
    def clock() -> Response:
        store.clock_ahead = float(told().get("ahead", 0))
        return calls()

    @app.post(f"{CONTROL}store")
    def set_store() -> Response:
        return answer(_set_store(store, told()))

    @app.post(f"{CONTROL}orders")
    def orders() -> Response:
        return answer(_buy(store, told()))


def _set_store(store: StoreServer, told: dict[str, Any]) -> Any:
    """Change one store as requested, with `sell` as {lot id: pieces}. Return its lots."""
    stock = store.sellers.register(str(told.get("name"))).stock
    stock.is_closed = bool(told.get("closed", stock.is_closed))
    stock.refuses_in_part = bool(told.get("in_part", stock.refuses_in_part))
    stock.restocks = bool(told.get("restocks", stock.restocks))
    stock.escapes = int(told.get("escapes", stock.escapes))
    stock.currency = str(told.get("currency", stock.currency))
    stock.address = str(told.get("address", stock.address))
    if told.get("is_stocked") and stock.is_untouched:
        now = clock()
        bodies = starter_lots(currency=stock.currency, today=now.date())
        stock.add([inventories.created(body, now) for body in bodies])
    for lot_id, pieces in told.get("sell", {}).items():
        stock.sell(int(lot_id), int(pieces))
    return {"lots": stock.all()}


def _buy(store: StoreServer, told: dict[str, Any]) -> Any:
    """Act as buyers of one store or as the marketplace. Return the store's orders.

    `place {lot id: pieces}` with `status`, `buyer`, `remarks`, `fields`; `order_id` with
    `add` or `take_off {lot id: pieces}`, `reprice {lot id: price}`, `cancel`, or `fields`; `seed` that many buyers;
    `refuse` statuses; `hook`, the address that is notified of each change.
    """
    now = clock()
    seller = store.sellers.register(str(told.get("name")))
    orders, stock = seller.orders, seller.stock
    orders.refuses = set(told.get("refuse", orders.refuses))
    orders.hook = str(told.get("hook", orders.hook))
    touched = []
    if "place" in told:
        touched.append(
            orders.place(
                stock,
                _pieces(told["place"]),
                now=now,
                status=str(told.get("status", "PAID")),
                buyer=int(told.get("buyer", 0)),
                remarks=str(told.get("remarks", "")),
                told=told.get("fields"),
            )
        )
    elif "seed" in told:
        if not orders.all():
            touched += orders.seed(stock, int(told["seed"]), now)
    elif "order_id" in told:
        order_id = int(told["order_id"])
        if "add" in told:
            orders.add(stock, order_id, _pieces(told["add"]), now)
        if "take_off" in told:
            orders.take_off(stock, order_id, _pieces(told["take_off"]), now)
        if "reprice" in told:
            prices = {int(lot_id): Decimal(price) for lot_id, price in told["reprice"].items()}
            orders.reprice(order_id, prices)
        if told.get("cancel"):
            orders.cancel(stock, order_id, now)
        if "fields" in told:
            orders.change(order_id, now, told["fields"])
        touched.append(orders.get(order_id))
    if orders.hook and touched:
        _tell(orders.hook, [order["order_id"] for order in touched], now)
    return {"orders": orders.all(), "touched": [order["order_id"] for order in touched]}


def _pieces(told: dict[str, Any]) -> dict[int, int]:
    return {int(lot_id): int(pieces) for lot_id, pieces in told.items()}


def _tell(address: str, order_ids: list[int], now: dt.datetime) -> None:
    """Send a notification of changed orders. Failures are ignored, as by the real one."""
    told = [{"event_type": "Order", "resource_id": pk, "timestamp": stamp(now)} for pk in order_ids]
    request = Request(
        address, data=json.dumps(told).encode(), headers={"Content-Type": "application/json"}
    )

    def send() -> None:
        with contextlib.suppress(OSError), urlopen(request, timeout=5):
            pass

    threading.Thread(target=send, daemon=True).start()


def _mismatch(seller: Seller) -> str:
    return f"TOKEN_IP_MISMATCHED: consumer: {seller.secrets.consumer_key} IP: 127.0.0.1"


def _plan(told: dict[str, Any]) -> Plan:
    try:
        return Plan(
            mode=Mode(told["mode"]),
            times=int(told.get("times", 1)),
            method=str(told.get("method", "")),
            path=str(told.get("path", "")),
            seconds=float(told.get("seconds", 1.0)),
        )
    except (KeyError, TypeError, ValueError) as problem:
        raise Refusal(400, f"no plan to fail by: {problem}") from None
