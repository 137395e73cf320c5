"""What every simulator serves on: a Flask app on a loopback port, with a thread for each call."""

import datetime as dt
import json
import os
import socket
import threading
from collections.abc import Collection
from typing import Any, Final, NoReturn
from urllib.parse import urlsplit

from flask import Flask, Response, abort, request
from werkzeug.routing import RequestRedirect
from werkzeug.serving import ThreadedWSGIServer, WSGIRequestHandler

LOOPBACK: Final = "127.0.0.1"


class _Handler(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # head and body are two writes: 40 ms apart otherwise
    timeout = 60

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Log nothing: the app logs its requests."""


def clock() -> dt.datetime:
    """Return the time of this process."""
    return dt.datetime.now(dt.UTC)  # noqa: TID251 (a process of its own: this is its edge)


class SimulatorServer(ThreadedWSGIServer):
    """A bound server: `serve_forever` until `shutdown`."""

    def __init__(self, port: int, app: Flask) -> None:
        super().__init__(LOOPBACK, port, app, handler=_Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore errors of clients that disconnect."""


def new_app(name: str, *, max_body: int) -> Flask:
    """Return an app without routes. Answers 413 to a body of more bytes."""
    app = Flask(name, static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = app.config["MAX_FORM_MEMORY_SIZE"] = max_body
    app.config["PROPAGATE_EXCEPTIONS"] = True
    app.url_map.merge_slashes = False

    @app.before_request
    def want_the_very_path() -> None:
        if isinstance(request.routing_exception, RequestRedirect):
            abort(404)

    return app


def answer(body: Any, status: int = 200, *, kind: str = "application/json") -> Response:
    """Return a body as it is, anything but text and bytes as JSON."""
    raw = body if isinstance(body, str | bytes) else json.dumps(body)
    return Response(raw, status, content_type=kind)


def cut() -> NoReturn:
    """End the connection of this call without an answer."""
    request.environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
    raise ConnectionAbortedError


class Plays:
    """How the next answers behave, as tests ask: `POST /_play {"play": "slow", "times": 1}`.

    Safe for many threads.
    """

    def __init__(self, app: Flask, known: Collection[str]) -> None:
        self._known = known
        self._next: list[str] = []
        self._lock = threading.Lock()
        app.post("/_play")(self._ask)

    def _ask(self) -> Response:
        asked = request.get_json(force=True)
        if asked.get("play") not in self._known:
            return answer({"detail": f"play one of {sorted(self._known)}"}, 400)
        with self._lock:
            self._next = [asked["play"]] * int(asked.get("times", 1))
        return answer({})

    def next(self) -> str:
        """Return how this answer behaves, empty for as usual."""
        with self._lock:
            return self._next.pop(0) if self._next else ""

    def clear(self) -> None:
        with self._lock:
            self._next.clear()


def port_of(variable: str, *, offset: int) -> int:
    """Return the loopback port at which the app looks for the simulator.

    It is that of the address in `variable` (0 if the address is another machine's), else the
    app's PORT plus `offset`.
    """
    address = os.environ.get(variable, "")
    if address:
        parts = urlsplit(address)
        if parts.hostname in {LOOPBACK, "localhost"} and parts.port:
            return parts.port
        return 0
    return int(os.environ.get("PORT", "8000")) + offset
