"""A marketplace made up for the contract tests: XML over one address, prices in hundredths of a cent.

It has the shape of no other one here: an act is an element, a refusal is a code within an answer of
status 200, and a lot is changed to what it is to have, but for its pieces.
"""

from collections import Counter
from decimal import Decimal
from xml.etree import ElementTree as ET

from flask import Flask, Response, request

from simulators.serving import SimulatorServer, answer, new_app
from simulators.store.failures import Failures
from simulators.store.sellers import Sellers
from simulators.store.wire import Refusal

#: The parts that it knows.
KNOWN = ("3001", "3002", "3003")
WORDS = ("part", "colour", "grade", "pieces", "hundredths", "note", "shelf", "step", "cut", "paid")
WORDS += ("keep", "hidden", "from1", "at1", "from2", "at2", "from3", "at3")


class FairServer(SimulatorServer):
    """One market with its sellers."""

    def __init__(self) -> None:
        self.begin()
        app = new_app(__name__, max_body=2**21)
        _add_routes(app, self)
        super().__init__(0, app)

    def begin(self) -> None:
        """Forget all sellers, calls and failures."""
        self.sellers = Sellers()
        self.failures = Failures()
        self.calls: Counter[str] = Counter()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/fair"

    def key_of(self, name: str) -> str:
        return self.sellers.register(name).secrets.consumer_key


def _add_routes(app: Flask, market: FairServer) -> None:
    @app.route("/fair", methods=["GET", "POST"])
    def act() -> Response:
        told = ET.fromstring(request.get_data() or request.args["ask"])
        plan = market.failures.take(request.method, told.tag)
        if plan is not None and (early := plan.before(lambda _mode: _failed())) is not None:
            return early
        try:
            seller = market.sellers.of_key(told.get("key", ""))
        except Refusal:
            return _told(_refused("who", "Unknown key"))
        market.calls[f"{request.method} {told.tag}"] += 1
        try:
            made = _told(_ACTS[told.tag](seller.stock, told))
        except Refusal as refusal:
            code = "gone" if refusal.code == 404 else "no"
            made = _told(_refused(code, str(refusal.description)))
        return made if plan is None else plan.after(made, lambda _mode: _failed())


def _failed() -> Response:
    return answer("<oops/>", 500, kind="application/xml")


def _told(element: ET.Element) -> Response:
    return answer(ET.tostring(element), kind="application/xml")


def _refused(code: str, why: str) -> ET.Element:
    return ET.Element("refused", code=code, why=why)


def _row(lot) -> ET.Element:
    return ET.Element("lot", {"no": str(lot["inventory_id"]), **{n: lot[n] for n in WORDS}})


def _lots(stock, told) -> ET.Element:
    found = ET.Element("lots")
    wanted = told.get("no")
    found.extend(_row(lot) for lot in stock.all() if wanted in (None, str(lot["inventory_id"])))
    ET.SubElement(found, "end", lots=str(len(found)))
    return found


def _put(stock, told) -> ET.Element:
    rows = [{name: row.get(name, "") for name in WORDS} for row in told]
    for row in rows:
        if row["part"] not in KNOWN:
            raise Refusal(422, "No such part")
    made = stock.add([{**row, "quantity": int(row["pieces"]), "is_retain": True} for row in rows])
    found = ET.Element("put")
    found.extend(_row(lot) for lot in made)
    return found


def _change(stock, told) -> ET.Element:
    def changed(lot):
        new = {name: value for name, value in told.attrib.items() if name in WORDS}
        pieces = int(lot["pieces"]) + int(Decimal(told.get("more", "0")))
        return {**lot, **new, "pieces": str(pieces), "quantity": pieces}

    return _row(stock.change(int(told.get("no", "0")), changed))


def _drop(stock, told) -> ET.Element:
    stock.delete(int(told.get("no", "0")))
    return ET.Element("dropped")


_ACTS = {
    "hello": lambda stock, told: ET.Element("hello"),
    "lots": _lots,
    "put": _put,
    "change": _change,
    "drop": _drop,
}
