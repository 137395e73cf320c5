"""Receivers of webhooks at `/<behaviour>/<name>`; `Server.received` is what each was sent.

`good` answers 204. `slow` takes a while. `dead` ends the connection. `lying` takes every other
event and says that it failed. `moving` redirects. `gone` answers 410, `broken` 500, `endless`
never ends its answer.
"""

import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final

from flask import Flask, Response, request

from simulators.serving import SimulatorServer, answer, cut, new_app, port_of

SLOW_SECONDS: Final = 0.2
STATUSES: Final = {"gone": 410, "broken": 500}
MAX_BODY: Final = 1_000_000


class Server(SimulatorServer):
    """`heal` makes every receiver a good one from now on."""

    def __init__(self, port: int) -> None:
        app = new_app(__name__, max_body=MAX_BODY)
        self.received: dict[str, list[tuple[dict[str, str], bytes]]] = defaultdict(list)
        self.calls: dict[str, int] = defaultdict(int)
        self.at_once: dict[str, int] = defaultdict(int)
        self.most_at_once = 0
        self.is_healed = False
        self.lock = threading.Lock()
        _add_routes(app, self)
        super().__init__(port, app)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def heal(self) -> None:
        self.is_healed = True


def _add_routes(app: Flask, service: Server) -> None:
    @app.get("/_received/<name>")
    def received(name: str) -> Response:
        return answer([body.decode() for _, body in service.received[name]])

    @app.post("/<behaviour>/<name>")
    def receive(behaviour: str, name: str) -> Response:
        with service.lock:
            service.calls[name] += 1
            call = service.calls[name]
            service.at_once[name] += 1
            service.most_at_once = max(service.most_at_once, service.at_once[name])
        try:
            return _behave(service, "good" if service.is_healed else behaviour, name, call)
        finally:
            with service.lock:
                service.at_once[name] -= 1


def _behave(service: Server, behaviour: str, name: str, call: int) -> Response:
    body: Any = request.get_data()
    if behaviour == "slow":
        time.sleep(SLOW_SECONDS)
    if behaviour == "dead":
        cut()
    if behaviour == "moving":
        return Response(status=302, headers={"Location": f"{service.url}/good/{name}-moved"})
    if behaviour in STATUSES:
        return answer({}, STATUSES[behaviour])
    with service.lock:
        service.received[name].append((dict(request.headers), body))
    if behaviour == "endless":
        return Response(_forever())
    if behaviour == "lying" and call % 2:
        return answer({}, 503)
    return Response(status=204)


def _forever() -> Iterator[bytes]:
    while True:
        time.sleep(0.05)
        yield b"x"


def make_server(port: int | None = None) -> Server | None:
    """Return the bound server; None where another machine receives."""
    chosen = port_of("WEBHOOK_RECEIVER_URL", offset=105) if port is None else port
    return Server(chosen) if chosen or port == 0 else None
