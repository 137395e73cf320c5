"""The HTTP server: checks the signature, counts the call, fails on request, answers."""

import contextlib
import datetime as dt
import json
import os
import re
import socket
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit
from urllib.request import Request, urlopen

from simulators.ports import port_of
from simulators.store import endpoints, inventories, oauth, order_calls
from simulators.store.failures import Failures, Mode, Plan
from simulators.store.orders import stamp
from simulators.store.sellers import Seller, Sellers
from simulators.store.starter_stock import starter_lots
from simulators.store.stock import Journal
from simulators.store.wire import Answer, Refusal, envelope, html, refused

BASE = "/api/store/v1"
CONTROL = "/_control/"
PORT_OFFSET = 102  # as bricks/settings.py has it
MAX_BODY = 8 * 1024 * 1024


JOURNAL = "demo_store.jsonl"
assert order_calls  # imported for its endpoints


class Cut(Exception):
    """The connection ends here, without an answer."""


class StoreServer(ThreadingHTTPServer):
    """One market with its sellers. `url` is what a client is pointed at."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(
        self, port: int = 0, *, daily_calls: int = 5_000, journal: Path | None = None
    ) -> None:
        super().__init__(("127.0.0.1", port), StoreHandler)
        self.sellers = Sellers(daily_calls=daily_calls, journal=Journal(journal))
        self.clock_ahead = 0.0  # seconds by which its clock is ahead of the machine's
        self.failures = Failures()
        self.calls: Counter[str] = Counter()  # requests with a valid signature: "GET /items/…"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}{BASE}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore errors of clients that disconnect."""


def make_server() -> StoreServer | None:
    """Return the store on the port at which the app looks for it; None where it uses the real one."""
    port = port_of("MARKETPLACE_URL", offset=PORT_OFFSET)
    return StoreServer(port, journal=journal_path()) if port else None


def journal_path() -> Path | None:
    """Return the path of the journal in the app's folder of variable files, if there is one."""
    folder = Path(os.environ.get("VAR_DIR") or "var")
    return folder / JOURNAL if folder.is_dir() else None


class StoreHandler(BaseHTTPRequestHandler):
    server: StoreServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # head and body are two writes: 40 ms apart otherwise
    timeout = 60

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing: the app logs its requests."""

    def answer(self) -> None:
        try:
            made = self.control() if self.path.startswith(CONTROL) else self.store()
        except Refusal as refusal:
            made = refused(refusal)
        except Cut:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        self.send_response(made.status)
        self.send_header("Content-Type", made.content_type)
        self.send_header("Content-Length", str(made.claims or len(made.body)))
        self.end_headers()
        self.wfile.write(made.body)
        self.close_connection |= bool(made.claims)

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = answer

    # -- the store ---------------------------------------------------------------------

    def store(self) -> Answer:
        raw = self.body()
        now = dt.datetime.now(dt.UTC)  # noqa: TID251 (a process of its own: this is its edge)
        parts = urlsplit(self.path)
        if not parts.path.startswith(f"{BASE}/"):
            raise Refusal(400, "The requested URI is not valid.", message="INVALID_URI")
        path = parts.path.removeprefix(BASE)
        plan = self.server.failures.take(self.command, path)
        if plan is not None and (early := self.before(plan)) is not None:
            return early
        seller = self.signed_by(now)
        if seller.stock.address:
            raise Refusal(401, _mismatch(seller))
        self.server.sellers.count_call(seller, now.date())
        self.server.calls[f"{self.command} {path}"] += 1
        found, names = endpoints.find(self.command, path)
        query = parse_qsl(parts.query, keep_blank_values=True)
        if len(query) != len(dict(query)):
            raise Refusal(400, "A parameter is repeated")
        body = self.json_of(raw)
        endpoints.check_fields(found, dict(query), body)
        data = found.handler(endpoints.Call(seller, names, dict(query), body, now))
        if plan is not None:
            self.after(plan)
        told = envelope(found.code, data=data)
        if plan is not None and plan.mode in {Mode.HALF, Mode.HALF_UNSAID}:
            return told.half(unsaid=plan.mode == Mode.HALF_UNSAID)
        return told

    def signed_by(self, now: dt.datetime) -> Any:
        header = oauth.read_header(self.headers.get("Authorization"))
        seller = self.server.sellers.of_key(header.consumer_key)
        if header.token != seller.secrets.token:
            raise Refusal(401, "TOKEN_UNKNOWN")
        oauth.check(
            header,
            method=self.command,
            url=f"http://{self.headers.get('Host')}{self.path}",
            consumer_secret=seller.secrets.consumer_secret,
            token_secret=seller.secrets.token_secret,
            now=now.timestamp() + self.server.clock_ahead,
        )
        self.server.sellers.use_nonce(seller, header.nonce)
        return seller

    def before(self, plan: Plan) -> Answer | None:
        """Return the answer of a call that fails before it acts, if planned. Raises Refusal or Cut."""
        if plan.mode == Mode.BEFORE:
            raise Refusal(500, "An unexpected error has occurred in the API.")
        if plan.mode == Mode.CUT_BEFORE:
            raise Cut
        if plan.mode == Mode.UNAUTHORIZED:
            text = "TOKEN_IP_MISMATCHED: consumer: 0123456789ABCDEF IP: 203.0.113.9"
            return envelope(401, description=text, status=200)
        if plan.mode == Mode.THROTTLED:
            return envelope(429, description="API calls exceeded", status=200)
        return {
            Mode.THROTTLED_BARE: Answer(429, b"Too Many Requests", "text/plain"),
            Mode.HTML: html(200, "Site maintenance"),
            Mode.EMPTY: Answer(200, b""),
        }.get(plan.mode)

    def after(self, plan: Plan) -> None:
        """Fail as planned after the call has acted. Raises Refusal or Cut."""
        if plan.mode == Mode.AFTER:
            raise Refusal(500, "An unexpected error has occurred in the API.")
        if plan.mode == Mode.CUT_AFTER:
            raise Cut
        if plan.mode == Mode.SLOW:
            time.sleep(plan.seconds)

    # -- controls for tests and the app's demo -------------------------------------------

    def control(self) -> Answer:
        """`POST sellers {name}`, `POST failures {mode, times, …}`, `POST reset`, `GET calls`,
        `POST clock {ahead}`,
        `POST store {name, closed, in_part, escapes, currency, address, sell, is_stocked}`,
        `POST orders {name, …}`."""
        told = self.json_of(self.body()) or {}
        what = f"{self.command} {self.path.removeprefix(CONTROL)}"
        if what == "POST sellers":
            name = told.get("name")
            if not isinstance(name, str) or not re.fullmatch(r"[\w.@+-]{1,100}", name):
                raise Refusal(400, "name is missing or not a name")
            secrets = self.server.sellers.register(name).secrets
            return _plain({key: getattr(secrets, key) for key in secrets.__slots__})
        if what == "POST failures":
            self.server.failures.add(_plan(told))
        elif what == "POST reset":
            self.server.failures.clear()
        elif what == "POST clock":
            self.server.clock_ahead = float(told.get("ahead", 0))
        elif what == "POST store":
            return _plain(self.set_store(told))
        elif what == "POST orders":
            return _plain(self.buy(told))
        elif what != "GET calls":
            raise Refusal(404, "There is no such switch.")
        return _plain(
            {"calls": dict(self.server.calls), "failures": self.server.failures.pending()}
        )

    def set_store(self, told: dict[str, Any]) -> Any:
        """Change one store as requested, with `sell` as {lot id: pieces}. Return its lots."""
        stock = self.server.sellers.register(str(told.get("name"))).stock
        stock.is_closed = bool(told.get("closed", stock.is_closed))
        stock.refuses_in_part = bool(told.get("in_part", stock.refuses_in_part))
        stock.escapes = int(told.get("escapes", stock.escapes))
        stock.currency = str(told.get("currency", stock.currency))
        stock.address = str(told.get("address", stock.address))
        if told.get("is_stocked") and stock.is_untouched:
            now = dt.datetime.now(dt.UTC)  # noqa: TID251 (a process of its own: this is its edge)
            bodies = starter_lots(currency=stock.currency, today=now.date())
            stock.add([inventories.created(body, now) for body in bodies])
        for lot_id, pieces in told.get("sell", {}).items():
            stock.sell(int(lot_id), int(pieces))
        return {"lots": stock.all()}

    def buy(self, told: dict[str, Any]) -> Any:
        """Act as buyers of one store or as the marketplace. Return the store's orders.

        `place {lot id: pieces}` with `status`, `buyer`, `remarks`, `fields`; `order_id` with
        `add` or `take_off {lot id: pieces}`, `cancel`, or `fields`; `seed` that many buyers;
        `refuse` statuses; `hook`, the address that is notified of each change.
        """
        now = dt.datetime.now(dt.UTC)  # noqa: TID251 (a process of its own: this is its edge)
        seller = self.server.sellers.register(str(told.get("name")))
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
            if told.get("cancel"):
                orders.cancel(stock, order_id, now)
            if "fields" in told:
                orders.change(order_id, now, told["fields"])
            touched.append(orders.get(order_id))
        if orders.hook and touched:
            _tell(orders.hook, [order["order_id"] for order in touched], now)
        return {"orders": orders.all(), "touched": [order["order_id"] for order in touched]}

    def body(self) -> bytes:
        length = self.headers.get("Content-Length") or "0"
        if not length.isdecimal() or int(length) > MAX_BODY:
            raise Refusal(400, "The body is too large.")
        return self.rfile.read(int(length))

    def json_of(self, raw: bytes) -> Any:
        if not raw:
            return None
        if "json" not in (self.headers.get("Content-Type") or ""):
            raise Refusal(415, "The body must be application/json.")
        try:
            return json.loads(raw)
        except (ValueError, RecursionError):
            text = "A request has been made with a malformed JSON body."
            raise Refusal(400, text, message="INVALID_REQUEST_BODY") from None


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


def _plain(value: Any) -> Answer:
    return Answer(200, json.dumps(value).encode())
