"""The site over HTTP: refuses the requests that the real one would, and misbehaves as tests ask.

`POST /_play {"play": "slow", "times": 1}` sets how the next answers behave: slow (after
2 s), forbidden (403), throttled (429), broken (500), html, empty, unreadable (shipping without
a price), gone (404 with an empty body), out_of_order (200 with a null), markup (HTML in titles).
"""

import datetime as dt
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

from simulators.auctions.listings import BUILDING_TOYS, listing_of, open_listings
from simulators.ports import LOOPBACK, port_of

PAGE_SIZE: Final = 40
SLOW_SECONDS: Final = 2.0
MAX_BODY: Final = 64 * 1024
PLAYS: Final = {
    "slow",
    "forbidden",
    "throttled",
    "broken",
    "html",
    "empty",
    "unreadable",
    "gone",
    "out_of_order",
    "markup",
}
# The real one answers 200 without rows when a type is another.
TEXTS: Final = (
    "searchText",
    "selectedCategoryIds",
    "lowPrice",
    "highPrice",
    "searchClosedAuctions",
    "closedAuctionEndingDate",
    "sortColumn",
    "sortDescending",
    "page",
    "pageSize",
    "useBuyerPrefs",
)
FORBIDDEN_AGENTS: Final = ("python-requests", "python-urllib", "curl", "wget")


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int]) -> None:
        super().__init__(address, Handler)
        self.lock = threading.Lock()
        self.playing: list[str] = []
        self.asked: list[str] = []

    def next_play(self, path: str) -> str:
        with self.lock:
            self.asked.append(path)
            return self.playing.pop(0) if self.playing else ""


class Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # head and body are two writes: 40 ms apart otherwise
    server_version = "AuctionSimulator"
    sys_version = ""

    def log_message(self, *_: Any) -> None:
        """Keep the terminal for the app."""

    def do_GET(self) -> None:
        name, _, number = self.path.rpartition("/")
        if name == "/api/ItemDetail/GetItemDetailModelByItemId" and number.isdecimal():
            self.play(lambda play: self.detail(int(number), play))
        else:
            self.send("", 404)

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > MAX_BODY:
            self.close_connection = True
            return self.send("", 413)
        try:
            body = json.loads(self.rfile.read(int(length)) or b"null")
        except ValueError:
            return self.problem("The body is no JSON.")
        if self.path == "/_play":
            if not isinstance(body, dict) or body.get("play") not in PLAYS:
                return self.problem(f"play one of {sorted(PLAYS)}")
            self.server.playing = [body["play"]] * int(body.get("times", 1))
            return self.send({})
        if not isinstance(body, dict):
            return self.problem("The body is no object.")
        if self.path == "/api/Search/ItemListing":
            return self.play(lambda play: self.search(body, play))
        if self.path == "/api/ItemDetail/CalculateShipping":
            return self.play(lambda play: self.shipping(body, play))
        return self.send("", 404)

    def play(self, answer: Any) -> None:
        play = self.server.next_play(self.path)
        agent = self.headers.get("User-Agent", "").lower()
        if not agent or agent.startswith(FORBIDDEN_AGENTS) or play == "forbidden":
            return self.send("<html>Access denied</html>", 403, kind="text/html")
        if play == "throttled":
            return self.send("", 429)
        if play == "broken":
            return self.problem("An error occurred.", 500)
        if play == "html":
            return self.send("<html><body>Maintenance</body></html>", kind="text/html")
        if play == "slow":
            time.sleep(SLOW_SECONDS)
        try:
            return answer(play)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True  # the client has disconnected

    def search(self, body: dict[str, Any], play: str) -> None:
        if any(not isinstance(body.get(name), str) for name in TEXTS):
            return self.send(self.page([], 0))
        if '"' in body["searchText"]:
            return self.send("<html>Request blocked</html>", 403, kind="text/html")
        if not body["lowPrice"].isdecimal() or not body["highPrice"].isdecimal():
            return self.problem("The value of lowPrice is not valid.")
        if play == "out_of_order":
            return self.send(self.page([], 0) | {"categoryListModel": None})
        now = right_now()
        words = body["searchText"].lower().split()
        wanted = [
            one for one in open_listings(now) if all(word in one.title.lower() for word in words)
        ]
        rows = [] if play == "empty" else [one.row(now) for one in wanted]
        if body["selectedCategoryIds"] != str(BUILDING_TOYS):
            # A category that is not known is ignored.
            rows = [row | {"categoryId": 5} for row in rows]
        if play == "markup":
            rows = [row | {"title": f"<b>{row['title']}</b><script>x</script>"} for row in rows]
        first = (max(1, int(body["page"])) - 1) * PAGE_SIZE if body["page"].isdecimal() else 0
        return self.send(self.page(rows[first : first + PAGE_SIZE], len(rows)))

    def page(self, rows: list[dict[str, Any]], total: int) -> dict[str, Any]:
        return {
            "categoryListModel": {"categoryModel": []},
            "categoryBreadCrumbs": None,
            "sellers": [],
            "searchCriteria": None,
            "searchResults": {"items": rows, "itemCount": total},
            "maxTotalRecords": 10_000,
        }

    def detail(self, number: int, play: str) -> None:
        now = right_now()
        found = listing_of(number, now)
        if found is None or play == "gone":
            return self.send("", 404)
        return self.send(found.detail(now))

    def shipping(self, body: dict[str, Any], play: str) -> None:
        expected = {"itemId", "country", "province", "zipCode", "quantity", "clientIP"}
        item_id, zip_code = body.get("itemId"), body.get("zipCode")
        if set(body) != expected or not isinstance(item_id, int):
            return self.problem("One or more validation errors occurred.")
        found = listing_of(item_id, right_now())
        if found is None:
            return self.send("", 404)
        is_zip = isinstance(zip_code, str) and zip_code[:5].isdecimal() and len(zip_code) >= 5
        if not is_zip or play == "unreadable":
            return self.send("<div>Shipping could not be calculated.</div>", as_json=True)
        return self.send(found.shipping_html(str(zip_code)), as_json=True)

    def problem(self, text: str, status: int = 400) -> None:
        self.send({"title": text, "status": status}, status, kind="application/problem+json")

    def send(
        self, body: Any, status: int = 200, *, kind: str = "application/json", as_json: bool = False
    ) -> None:
        raw = body.encode() if isinstance(body, str) and not as_json else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)


def right_now() -> dt.datetime:
    return dt.datetime.fromtimestamp(time.time(), dt.UTC)


def make_server(*, port: int | None = None) -> Server | None:
    """Return the bound server, None where the app is set to ask the real site."""
    listens_at = port_of("AUCTIONS_URL", offset=103) if port is None else port
    if port is None and listens_at == 0:
        return None
    return Server((LOOPBACK, listens_at))
