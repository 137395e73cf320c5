"""The HTTP server: checks key, form and limits, fails on request, answers.

`POST /_control/sellers {"name"}` gives the key of a demo seller, always the same.
"""

import contextlib
import json
import os
import socket
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from simulators.brickowl import inventory
from simulators.brickowl.catalogue import TYPES, Catalogue, color_list
from simulators.ports import port_of
from simulators.store.failures import Failures, Mode, Plan
from simulators.store.sellers import Seller, Sellers
from simulators.store.stock import Journal
from simulators.store.wire import Answer, Refusal, html

BASE = "/v1"
PORT_OFFSET = 104  # as bricks/settings.py has it
MAX_BODY = 2 * 1024 * 1024
MOST_IN_ONE = 50
MOST_BOIDS = 100
A_MINUTE = 600
BATCHES_A_MINUTE = 200
FORM = "application/x-www-form-urlencoded"
JOURNAL = "demo_brickowl.jsonl"

Handler = Callable[[Seller, dict[str, str], Catalogue], Any]


def user_details(seller: Seller, query: dict[str, str], catalogue: Catalogue) -> Any:
    return {"username": seller.name}


def id_lookup(seller: Seller, query: dict[str, str], catalogue: Catalogue) -> Any:
    """Return the items with an id."""
    kind, number = query.get("type"), query.get("id")
    if not number or kind not in TYPES:
        raise Refusal(400, "id or type is missing or unknown")
    if query.get("id_type") not in {None, "item_no", "design_id", "bl_item_no", "set_number"}:
        raise Refusal(400, "Invalid id_type")
    return {"boids": catalogue.boids_of(kind, number)}


def bulk_lookup(seller: Seller, query: dict[str, str], catalogue: Catalogue) -> Any:
    """Return up to 100 items."""
    boids = [boid for boid in query.get("boids", "").split(",") if boid]
    if not 1 <= len(boids) <= MOST_BOIDS:
        raise Refusal(400, f"boids must be 1 to {MOST_BOIDS}")
    for lot in seller.stock.all():  # after a restart, the ids looked up before are in the lots
        catalogue.know(lot["boid"], lot["kind"], lot["number"])
    return {"items": {boid: catalogue.described(boid) for boid in boids}}


def colors(seller: Seller, query: dict[str, str], catalogue: Catalogue) -> Any:
    return color_list()


ENDPOINTS: dict[str, tuple[str, set[str], Handler]] = {
    "user/details": ("GET", set(), user_details),
    "catalog/id_lookup": ("GET", {"id", "type", "id_type"}, id_lookup),
    "catalog/bulk_lookup": ("GET", {"boids"}, bulk_lookup),
    "catalog/color_list": ("GET", set(), colors),
    "inventory/list": ("GET", inventory.LIST, inventory.list_lots),
    "inventory/create": ("POST", inventory.CREATE, inventory.create_lot),
    "inventory/update": (
        "POST",
        inventory.IDENTIFIERS | inventory.UPDATE,
        inventory.update_lot,
    ),
    "inventory/delete": ("POST", inventory.IDENTIFIERS, inventory.delete_lot),
}


class Cut(Exception):
    """The connection ends here, without an answer."""


class BrickOwlServer(ThreadingHTTPServer):
    """One market with its sellers. `url` is what a client is pointed at."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, port: int = 0, *, journal: Path | None = None) -> None:
        super().__init__(("127.0.0.1", port), OwlHandler)
        self.sellers = Sellers(journal=Journal(journal))
        self.catalogue = Catalogue()
        self.failures = Failures()
        self.calls: Counter[str] = Counter()  # requests with a valid key
        self._recent: dict[tuple[str, bool], deque[float]] = {}
        self._lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}{BASE}"

    def key_of(self, name: str) -> str:
        """Return the key of the seller `name`, made on the first call."""
        return self.sellers.register(name).secrets.consumer_key

    def count_call(self, seller: Seller, *, is_batch: bool) -> None:
        """Count a call of the last minute. Raises Refusal beyond the limit of its kind."""
        limit = BATCHES_A_MINUTE if is_batch else A_MINUTE
        now = time.monotonic()
        with self._lock:
            recent = self._recent.setdefault((seller.name, is_batch), deque())
            while recent and recent[0] < now - 60:
                recent.popleft()
            if len(recent) >= limit:
                raise Refusal(429, "Rate limit exceeded")
            recent.append(now)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore errors of clients that disconnect."""


def make_server() -> BrickOwlServer | None:
    """Return the server on the port at which the app looks for it; None where it uses the real one."""
    port = port_of("BRICKOWL_URL", offset=PORT_OFFSET)
    folder = Path(os.environ.get("VAR_DIR") or "var")
    journal = folder / JOURNAL if folder.is_dir() else None
    return BrickOwlServer(port, journal=journal) if port else None


class OwlHandler(BaseHTTPRequestHandler):
    server: BrickOwlServer
    protocol_version = "HTTP/1.1"
    timeout = 60

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing: the app logs its requests."""

    def answer(self) -> None:
        try:
            made = self.control() if self.path.startswith("/_control/") else self.owl()
        except Refusal as refusal:
            # Assumed: the documentation shows no refusal.
            made = _json({"error": refusal.description}, refusal.code)
        except Cut:
            self.close_connection = True
            with contextlib.suppress(OSError):
                self.connection.shutdown(socket.SHUT_RDWR)
            return
        self.send_response(made.status)
        self.send_header("Content-Type", made.content_type)
        self.send_header("Content-Length", str(made.claims or len(made.body)))
        self.end_headers()
        self.wfile.write(made.body)
        self.close_connection |= bool(made.claims)

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = answer

    def owl(self) -> Answer:
        parts = urlsplit(self.path)
        path = parts.path.removeprefix(f"{BASE}/")
        told = self.told(parts.query)
        plan = self.server.failures.take(self.command, path)
        if plan is not None and (early := self.before(plan)) is not None:
            return early
        seller = self.seller(told.pop("key", ""))
        is_batch = path == "bulk/batch"
        self.server.count_call(seller, is_batch=is_batch)
        self.server.calls[f"{self.command} {path}"] += 1
        if is_batch:
            made = _json(self.batch(seller, told))
        else:
            made = _json(self.act(seller, path, self.command, told))
        if plan is None:
            return made
        return self.after(plan, made)

    def act(self, seller: Seller, path: str, method: str, told: dict[str, str]) -> Any:
        if path not in ENDPOINTS:
            raise Refusal(404, "Unknown endpoint")
        expected, names, handler = ENDPOINTS[path]
        if method != expected:
            raise Refusal(405, f"{path} takes {expected}")
        for name in told:
            if name not in names:
                raise Refusal(400, f"Unknown parameter: {name}")
        return handler(seller, told, self.server.catalogue)

    def batch(self, seller: Seller, told: dict[str, str]) -> Any:
        """Do up to 50 requests, each for itself. Assumed: the form of the answer."""
        try:
            rows = json.loads(told["requests"])["requests"]
        except (KeyError, TypeError, ValueError):
            raise Refusal(400, "requests must be JSON of requests") from None
        if not isinstance(rows, list) or not 1 <= len(rows) <= MOST_IN_ONE:
            raise Refusal(400, f"A batch is 1 to {MOST_IN_ONE} requests")
        return [self.one_of_batch(seller, row) for row in rows]

    def one_of_batch(self, seller: Seller, row: Any) -> dict[str, Any]:
        path = row.get("endpoint")
        try:
            if set(row) != {"endpoint", "request_method", "params"} or len(row["params"]) != 1:
                raise Refusal(400, "A request has endpoint, request_method and one of params")
            params = {name: str(value) for name, value in row["params"][0].items()}
            body = self.act(seller, path, row["request_method"], params)
        except Refusal as refusal:
            return {
                "endpoint": path,
                "status_code": refusal.code,
                "body": {"error": refusal.description},
            }
        return {"endpoint": path, "status_code": 200, "body": body}

    def seller(self, key: str) -> Seller:
        try:
            return self.server.sellers.of_key(key)
        except Refusal:
            raise Refusal(401, "Invalid key") from None

    def told(self, query: str) -> dict[str, str]:
        """Return the parameters of a GET or the form of a POST. Raises Refusal."""
        length = self.headers.get("Content-Length") or "0"
        if not length.isdecimal() or int(length) > MAX_BODY:
            raise Refusal(400, "The body is too large")
        raw = self.rfile.read(int(length))
        if self.command == "POST":
            if (self.headers.get("Content-Type") or "").split(";")[0] != FORM:
                raise Refusal(415, f"The body must be {FORM}")
            if query:
                raise Refusal(400, "A POST has no query")
            query = raw.decode()
        pairs = parse_qsl(query, keep_blank_values=True)
        if len(pairs) != len(dict(pairs)):
            raise Refusal(400, "A parameter is repeated")
        return dict(pairs)

    def before(self, plan: Plan) -> Answer | None:
        """Return the answer of a call that fails before it acts, if planned. Raises Refusal or Cut."""
        if plan.mode == Mode.BEFORE:
            raise Refusal(500, "Internal error")
        if plan.mode == Mode.CUT_BEFORE:
            raise Cut
        if plan.mode == Mode.UNAUTHORIZED:
            raise Refusal(401, "Invalid key")
        return {
            Mode.THROTTLED: _json({"error": "Rate limit exceeded"}, 429),
            Mode.THROTTLED_BARE: Answer(429, b"Too Many Requests", "text/plain"),
            Mode.HTML: html(200, "Site maintenance"),
            Mode.EMPTY: Answer(200, b""),
        }.get(plan.mode)

    def after(self, plan: Plan, made: Answer) -> Answer:
        """Return the answer as planned after the call has acted. Raises Refusal or Cut."""
        if plan.mode == Mode.AFTER:
            raise Refusal(500, "Internal error")
        if plan.mode == Mode.CUT_AFTER:
            raise Cut
        if plan.mode == Mode.SLOW:
            time.sleep(plan.seconds)
        if plan.mode in {Mode.HALF, Mode.HALF_UNSAID}:
            return made.half(unsaid=plan.mode == Mode.HALF_UNSAID)
        return made

    def control(self) -> Answer:
        length = int(self.headers.get("Content-Length") or 0)
        told = json.loads(self.rfile.read(min(length, MAX_BODY)) or b"{}")
        if self.command != "POST" or self.path != "/_control/sellers" or not told.get("name"):
            raise Refusal(404, "There is no such switch.")
        return _json({"key": self.server.key_of(str(told["name"]))})


def _json(value: Any, status: int = 200) -> Answer:
    return Answer(status, json.dumps(value).encode())
