"""A GET is skipped when its caller has closed the connection; nothing else is."""

import socket
import struct

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from apps.core.api.middleware import ClosedConnectionMiddleware


@pytest.fixture
def ends():
    """Both ends of a connection: the server's and the caller's."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        caller = socket.create_connection(listener.getsockname())
        server, _ = listener.accept()
    yield server, caller
    server.close()
    caller.close()


def status_of(method: str, **environ: object) -> int:
    request = RequestFactory().generic(method, "/api/batches", **environ)
    return ClosedConnectionMiddleware(lambda _: HttpResponse(status=200))(request).status_code


class TestClosedConnectionMiddleware:
    def test_skips_a_get_whose_caller_has_closed(self, ends):
        server, caller = ends
        caller.close()
        server.recv(1, socket.MSG_PEEK)  # the end has arrived

        assert status_of("GET", **{"gunicorn.socket": server}) == 499

    def test_skips_a_get_whose_connection_was_reset(self, ends):
        server, caller = ends
        caller.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        caller.close()

        assert status_of("GET", **{"gunicorn.socket": server}) == 499

    def test_answers_one_who_waits(self, ends):
        assert status_of("GET", **{"gunicorn.socket": ends[0]}) == 200

    def test_answers_one_who_has_sent_more_already(self, ends):
        server, caller = ends
        caller.sendall(b"GET /api/batches")
        server.recv(1, socket.MSG_PEEK)

        assert status_of("GET", **{"gunicorn.socket": server}) == 200
        assert server.recv(3) == b"GET"

    def test_does_what_changes_something_although_the_caller_is_gone(self, ends):
        server, caller = ends
        caller.close()
        server.recv(1, socket.MSG_PEEK)

        assert status_of("POST", **{"gunicorn.socket": server}) == 200

    def test_answers_where_the_server_shows_no_connection(self):
        assert status_of("GET") == 200
