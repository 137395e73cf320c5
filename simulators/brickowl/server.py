"""The HTTP server: checks key, form and limits, fails on request, answers.

`POST /_control/sellers {"name"}` gives the key of a demo seller, always the same.
"""

import json
import os
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

from flask import Flask, Response, g, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from simulators.brickowl import inventory, orders
from simulators.brickowl.catalogue import TYPES, Catalogue, color_list
from simulators.serving import SimulatorServer, answer, clock, new_app, port_of
from simulators.store.failures import Failures, Mode, Plan
from simulators.store.sellers import Seller, Sellers
from simulators.store.stock import Journal
from simulators.store.wire import Refusal

BASE = "/v1"
PORT_OFFSET = 104  # as bricks/settings.py has it
MAX_BODY = 2 * 1024 * 1024
MOST_IN_ONE = 50
MOST_BOIDS = 100
A_MINUTE = 600
BATCHES_A_MINUTE = 200
FORM = "application/x-www-form-urlencoded"
JOURNAL = "demo_brickowl.jsonl"
BATCH = "bulk/batch"

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
    boids = catalogue.boids_of(kind, number)
    seller.stock.journal.add(seller=seller.name, items=boids, kind=kind, number=number)
    return {"boids": boids}


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
    **orders.ENDPOINTS,
}


class BrickOwlServer(SimulatorServer):
    """One market with its sellers. `url` is what a client is pointed at."""

    def __init__(self, port: int = 0, *, journal: Path | None = None) -> None:
        self.begin(journal=journal)
        self._lock = threading.Lock()
        app = new_app(__name__, max_body=MAX_BODY)
        _add_routes(app, self)
        super().__init__(port, app)

    def begin(self, *, journal: Path | None = None) -> None:
        """Begin with the sellers of the journal, without calls, and forget all else."""
        self.sellers = Sellers(journal=Journal(journal))
        self.catalogue = Catalogue()
        for change in self.sellers.journal.read():
            for boid in change.get("items", ()):  # a real one knows them after a restart, too
                self.catalogue.know(boid, change["kind"], change["number"])
        self.failures = Failures()
        self.calls: Counter[str] = Counter()  # requests with a valid key
        self._recent: dict[tuple[str, bool], deque[float]] = {}

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


def make_server() -> BrickOwlServer | None:
    """Return the server on the port at which the app looks for it; None where it uses the real one."""
    port = port_of("BRICKOWL_URL", offset=PORT_OFFSET)
    folder = Path(os.environ.get("VAR_DIR") or "var")
    journal = folder / JOURNAL if folder.is_dir() else None
    return BrickOwlServer(port, journal=journal) if port else None


def _add_routes(app: Flask, market: BrickOwlServer) -> None:
    def act(path: str) -> Response:
        return _done(lambda: _act(market, g.seller, path, request.method, g.told))

    for path, (method, _, _) in ENDPOINTS.items():
        app.add_url_rule(
            f"{BASE}/{path}",
            endpoint=path,
            view_func=act,
            methods=[method],
            defaults={"path": path},
        )

    @app.post(f"{BASE}/{BATCH}")
    def batch() -> Response:
        return _done(lambda: _batch(market, g.seller, g.told))

    @app.post("/_control/sellers")
    def sellers() -> Response:
        name = request.get_json(force=True).get("name")
        if not name:
            raise Refusal(400, "name is missing")
        return answer({"key": market.key_of(str(name))})

    @app.post("/_control/orders")
    def orders_of_buyers() -> Response:
        """Place an order of `{lot id: pieces}`. Return the orders of the seller."""
        told = request.get_json(force=True)
        seller = market.sellers.register(str(told.get("name")))
        wanted = {int(lot_id): int(pieces) for lot_id, pieces in told.get("place", {}).items()}
        if wanted:
            orders.place(seller, wanted, now=clock())
        return answer({"orders": seller.orders.all()})

    @app.post("/_control/store")
    def lots_of_seller() -> Response:
        seller = market.sellers.register(str(request.get_json(force=True).get("name")))
        return answer({"lots": seller.stock.all()})

    @app.post("/_control/failures")
    def failures() -> Response:
        """Let the next calls fail: `mode`, `times`, `path`."""
        told = request.get_json(force=True)
        times, path = int(told.get("times", 1)), str(told.get("path", ""))
        market.failures.add(Plan(Mode(told["mode"]), times=times, path=path))
        return answer({"failures": market.failures.pending()})

    @app.post("/_control/reset")
    def reset() -> Response:
        market.failures.clear()
        return answer({"failures": market.failures.pending()})

    @app.before_request
    def check() -> Response | None:
        """Fail as planned, or take the key and count the call."""
        if not request.path.startswith(f"{BASE}/"):
            return None
        g.told = _told()
        path = request.path.removeprefix(f"{BASE}/")
        g.plan = market.failures.take(request.method, path)
        if g.plan is not None and (early := g.plan.before(_failed)) is not None:
            return early
        try:
            g.seller = market.sellers.of_key(g.told.pop("key", ""))
        except Refusal:
            raise Refusal(401, "Invalid key") from None
        market.count_call(g.seller, is_batch=path == BATCH)
        market.calls[f"{request.method} {path}"] += 1
        return None

    @app.errorhandler(Refusal)
    def refused(refusal: Refusal) -> Response:
        # Assumed: the documentation shows no refusal.
        return _error(refusal.description, refusal.code)

    @app.errorhandler(HTTPException)
    def refused_by_flask(error: HTTPException) -> Response:
        if isinstance(error, MethodNotAllowed):
            return _error(f"{request.path} takes {', '.join(error.valid_methods or [])}", 405)
        return _error("Unknown endpoint" if error.code == 404 else error.name, error.code or 500)


def _done(act: Callable[[], Any]) -> Response:
    made = answer(act())
    return made if g.plan is None else g.plan.after(made, _failed)


def _act(
    market: BrickOwlServer, seller: Seller, path: str, method: str, told: dict[str, str]
) -> Any:
    if path not in ENDPOINTS:
        raise Refusal(404, "Unknown endpoint")
    expected, names, handler = ENDPOINTS[path]
    if method != expected:
        raise Refusal(405, f"{path} takes {expected}")
    for name in told:
        if name not in names:
            raise Refusal(400, f"Unknown parameter: {name}")
    return handler(seller, told, market.catalogue)


def _batch(market: BrickOwlServer, seller: Seller, told: dict[str, str]) -> Any:
    """Do up to 50 requests, each for itself. Assumed: the form of the answer."""
    try:
        rows = json.loads(told["requests"])["requests"]
    except (KeyError, TypeError, ValueError):
        raise Refusal(400, "requests must be JSON of requests") from None
    if not isinstance(rows, list) or not 1 <= len(rows) <= MOST_IN_ONE:
        raise Refusal(400, f"A batch is 1 to {MOST_IN_ONE} requests")
    return [_one_of_batch(market, seller, row) for row in rows]


def _one_of_batch(market: BrickOwlServer, seller: Seller, row: Any) -> dict[str, Any]:
    path = row.get("endpoint")
    try:
        if set(row) != {"endpoint", "request_method", "params"} or len(row["params"]) != 1:
            raise Refusal(400, "A request has endpoint, request_method and one of params")
        params = {name: str(value) for name, value in row["params"][0].items()}
        body = _act(market, seller, path, row["request_method"], params)
    except Refusal as refusal:
        return {
            "endpoint": path,
            "status_code": refusal.code,
            "body": {"error": refusal.description},
        }
    return {"endpoint": path, "status_code": 200, "body": body}


def _told() -> dict[str, str]:
    """Return the parameters of a GET or the form of a POST. Raises Refusal."""
    fields = request.args
    if request.method == "POST":
        if request.mimetype != FORM:
            raise Refusal(415, f"The body must be {FORM}")
        if fields:
            raise Refusal(400, "A POST has no query")
        fields = request.form
    if any(len(values) > 1 for _, values in fields.lists()):
        raise Refusal(400, "A parameter is repeated")
    return fields.to_dict()


def _error(text: str, status: int) -> Response:
    return answer({"error": text}, status)


def _failed(mode: Mode) -> Response:
    """Return the answer of a call that fails as planned."""
    if mode == Mode.UNAUTHORIZED:
        return _error("Invalid key", 401)
    if mode == Mode.THROTTLED:
        return _error("Rate limit exceeded", 429)
    return _error("Internal error", 500)
