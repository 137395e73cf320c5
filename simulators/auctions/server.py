"""The site over HTTP: refuses the requests that the real one would, and misbehaves as tests ask.

Plays (`simulators.serving.Plays`): slow (after 2 s), forbidden (403), throttled (429),
broken (500), html, empty, unreadable (shipping without a price), gone (404 with an empty body),
out_of_order (200 with a null), markup (HTML in titles), endless (the first of a search ends when no
calendar goes on).
"""

import datetime as dt
import json
import time
from typing import Any, Final

from flask import Flask, Response, g, request
from werkzeug.exceptions import HTTPException

from simulators.auctions.listings import BUILDING_TOYS, listing_of, open_listings
from simulators.serving import Plays, SimulatorServer, answer, new_app, port_of

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
    "endless",
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


class Server(SimulatorServer):
    """The site. `asked` are the paths that were asked for."""

    def __init__(self, port: int) -> None:
        app = new_app(__name__, max_body=MAX_BODY)
        self.plays = Plays(app, PLAYS)
        self.asked: list[str] = []
        _add_routes(app, self)
        super().__init__(port, app)


def _add_routes(app: Flask, site: Server) -> None:
    app.get("/api/ItemDetail/GetItemDetailModelByItemId/<int:number>")(detail)
    app.post("/api/Search/ItemListing")(search)
    app.post("/api/ItemDetail/CalculateShipping")(shipping)

    @app.before_request
    def misbehave() -> Response | None:
        if request.path == "/_play" or request.url_rule is None:
            return None
        site.asked.append(request.path)
        g.play = site.plays.next()
        agent = request.headers.get("User-Agent", "").lower()
        if not agent or agent.startswith(FORBIDDEN_AGENTS) or g.play == "forbidden":
            return answer("<html>Access denied</html>", 403, kind="text/html; charset=utf-8")
        if g.play == "throttled":
            return answer("", 429)
        if g.play == "broken":
            return problem("An error occurred.", 500)
        if g.play == "html":
            page = "<html><body>Maintenance</body></html>"
            return answer(page, kind="text/html; charset=utf-8")
        if g.play == "slow":
            time.sleep(SLOW_SECONDS)
        return None

    @app.errorhandler(HTTPException)
    def refuse(error: HTTPException) -> Response:
        return answer("", error.code or 500)


def search() -> Response:
    body = request.get_json(force=True, silent=True)
    if not isinstance(body, dict):
        return problem("The body is no JSON object.")
    if any(not isinstance(body.get(name), str) for name in TEXTS):
        return page([], 0)
    if '"' in body["searchText"]:
        return answer("<html>Request blocked</html>", 403, kind="text/html; charset=utf-8")
    if not body["lowPrice"].isdecimal() or not body["highPrice"].isdecimal():
        return problem("The value of lowPrice is not valid.")
    if g.play == "out_of_order":
        return page([], 0, categoryListModel=None)
    now = right_now()
    words = body["searchText"].lower().split()
    wanted = [one for one in open_listings(now) if all(word in one.title.lower() for word in words)]
    rows = [] if g.play == "empty" else [one.row(now) for one in wanted]
    if body["selectedCategoryIds"] != str(BUILDING_TOYS):
        # A category that is not known is ignored.
        rows = [row | {"categoryId": 5} for row in rows]
    if g.play == "markup":
        rows = [row | {"title": f"<b>{row['title']}</b><script>x</script>"} for row in rows]
    if g.play == "endless":
        rows[:1] = [row | {"endTime": "9999-12-31T23:00:00"} for row in rows[:1]]
    first = (max(1, int(body["page"])) - 1) * PAGE_SIZE if body["page"].isdecimal() else 0
    return page(rows[first : first + PAGE_SIZE], len(rows))


def page(rows: list[dict[str, Any]], total: int, **also: Any) -> Response:
    return answer(
        {
            "categoryListModel": {"categoryModel": []},
            "categoryBreadCrumbs": None,
            "sellers": [],
            "searchCriteria": None,
            "searchResults": {"items": rows, "itemCount": total},
            "maxTotalRecords": 10_000,
            **also,
        }
    )


def detail(number: int) -> Response:
    now = right_now()
    found = listing_of(number, now)
    if found is None or g.play == "gone":
        return answer("", 404)
    return answer(found.detail(now))


def shipping() -> Response:
    body = request.get_json(force=True, silent=True)
    expected = {"itemId", "country", "province", "zipCode", "quantity", "clientIP"}
    if not isinstance(body, dict) or set(body) != expected or not isinstance(body["itemId"], int):
        return problem("One or more validation errors occurred.")
    found, zip_code = listing_of(body["itemId"], right_now()), body["zipCode"]
    if found is None:
        return answer("", 404)
    is_zip = isinstance(zip_code, str) and zip_code[:5].isdecimal() and len(zip_code) >= 5
    if not is_zip or g.play == "unreadable":
        return answer(json.dumps("<div>Shipping could not be calculated.</div>"))
    return answer(json.dumps(found.shipping_html(str(zip_code))))


def problem(text: str, status: int = 400) -> Response:
    return answer({"title": text, "status": status}, status, kind="application/problem+json")


def right_now() -> dt.datetime:
    return dt.datetime.fromtimestamp(time.time(), dt.UTC)


def make_server(*, port: int | None = None) -> Server | None:
    """Return the bound server, None where the app is set to ask the real site."""
    listens_at = port_of("AUCTIONS_URL", offset=103) if port is None else port
    return Server(listens_at) if listens_at or port == 0 else None
