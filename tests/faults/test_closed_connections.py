"""Work that nobody waits for any more, at the real web server."""

import http.client
import socket
from pathlib import Path

import pytest

from tests.faults.worker import Worker

pytestmark = pytest.mark.faults


class TestClosedConnections:
    def test_are_skipped_when_their_turn_comes(self, worker: Worker, tmp_path: Path):
        app, log = worker.app, tmp_path / "access.log"
        app.environment |= {
            "WEB_CONCURRENCY": "1",
            "WEB_THREADS": "1",
            "GUNICORN_CMD_ARGS": f"--access-logfile {log} --access-logformat %(U)s=%(s)s",
        }
        worker.start_web()

        # The only thread waits for the rest of this one.
        first = sent(app.port, "POST", "/api/users/login", length=2)
        for _ in range(3):
            sent(app.port, "GET", "/api/batches").close()
        last = sent(app.port, "GET", "/api/batches")
        first.sendall(b"{}")

        assert (answered(first), answered(last)) == (400, 401)
        app.stop()
        lines = log.read_text().splitlines()
        assert [line for line in lines if "batches" in line] == [
            *["/api/batches=499"] * 3,
            "/api/batches=401",
        ]


def sent(port: int, method: str, path: str, *, length: int = 0) -> socket.socket:
    """Send a request without its body."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=60)
    head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    connection.sendall(f"{head}Content-Length: {length}\r\n\r\n".encode())
    return connection


def answered(connection: socket.socket) -> int:
    response = http.client.HTTPResponse(connection)
    response.begin()
    response.read()
    connection.close()
    return response.status
