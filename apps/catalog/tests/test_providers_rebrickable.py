"""Downloads against a real HTTP server on this machine: politeness, resuming, refusals."""

import gzip
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from apps.catalog.providers import rebrickable
from apps.catalog.providers.rebrickable import DownloadFailed, Downloads
from apps.catalog.tests import files

BODY = gzip.compress(files.RB_COLORS.encode() * 50)


class Shop(BaseHTTPRequestHandler):
    """Serves one file; each request takes the next of the server's instructions."""

    def do_GET(self):
        server = self.server
        server.asked.append((self.path, dict(self.headers)))
        order = server.orders.pop(0) if server.orders else "whole"
        if order == "same" or self.headers.get("If-None-Match") == '"1"':
            self._answer(304, b"")
        elif isinstance(order, int):
            self._answer(order, b"", {"Retry-After": "7"} if order == 429 else {})
        elif order == "half":
            self._answer(200, BODY, length=len(BODY), sent=len(BODY) // 2)
        elif order == "page":
            self._answer(200, b"<html>Please sign in</html>")
        elif "Range" in self.headers:
            start = int(self.headers["Range"].removeprefix("bytes=").removesuffix("-"))
            self._answer(206, BODY[start:])
        else:
            self._answer(200, BODY)

    def _answer(self, status, body, headers=None, *, length=None, sent=None):
        self.send_response(status)
        self.send_header("ETag", '"1"')
        self.send_header("Content-Length", str(length or len(body)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body[:sent])
        if sent:
            self.close_connection = True

    def log_message(self, *args):
        pass


@pytest.fixture
def shop():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Shop)
    server.asked, server.orders = [], []
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def downloads(shop, tmp_path):
    waits = []
    made = Downloads(
        base_url=f"http://127.0.0.1:{shop.server_port}/",
        folder=tmp_path / "downloads",
        user_agent="Brickstow (test)",
        wait=waits.append,
    )
    yield made, waits
    made.session.close()


class TestDownloads:
    def test_fetch_one_after_the_other_and_say_who_asks(self, shop, downloads):
        made, waits = downloads

        paths = made.fetch(["colors", "parts"])

        assert [path.name for path in paths] == ["colors.csv.gz", "parts.csv.gz"]
        assert paths[0].read_bytes() == BODY
        assert [path for path, _ in shop.asked] == ["/colors.csv.gz", "/parts.csv.gz"]
        assert shop.asked[0][1]["User-Agent"] == "Brickstow (test)"
        assert waits == [1.0]

    def test_do_not_fetch_again_what_did_not_change(self, shop, downloads):
        made, _ = downloads
        made.fetch(["colors"])

        paths = made.fetch(["colors"])

        assert shop.asked[1][1]["If-None-Match"] == '"1"'
        assert paths[0].read_bytes() == BODY

    def test_go_on_where_they_broke_off(self, shop, downloads, monkeypatch):
        made, _ = downloads
        shop.orders = ["half"]
        monkeypatch.setattr(rebrickable, "CHUNK", 16)

        paths = made.fetch(["colors"])

        assert paths[0].read_bytes() == BODY
        start = int(shop.asked[1][1]["Range"].removeprefix("bytes=").removesuffix("-"))
        assert len(BODY) // 2 - 16 < start <= len(BODY) // 2
        assert shop.asked[1][1]["If-Range"] == '"1"'
        assert sorted(path.name for path in made.folder.iterdir()) == [
            "colors.csv.gz",
            "colors.csv.gz.json",
        ]

    def test_wait_as_long_as_they_are_told(self, shop, downloads):
        made, waits = downloads
        shop.orders = [429, 503]

        made.fetch(["colors"])

        assert waits == [7.0, 2.0, 0.0, 4.0]

    def test_give_up_on_what_cannot_heal(self, shop, downloads):
        made, _ = downloads
        shop.orders = [404]

        with pytest.raises(DownloadFailed, match="HTTP 404"):
            made.fetch(["colors"])

        assert len(shop.asked) == 1

    def test_give_up_after_four_attempts(self, shop, downloads):
        made, _ = downloads
        shop.orders = [500] * 9

        with pytest.raises(DownloadFailed, match="HTTP 500"):
            made.fetch(["colors"])

        assert len(shop.asked) == 4

    def test_take_no_page_for_a_file(self, shop, downloads):
        made, _ = downloads
        shop.orders = ["page"] * 4

        with pytest.raises(DownloadFailed, match="not a whole gzip file"):
            made.fetch(["colors"])

        assert not (made.folder / "colors.csv.gz").exists()

    def test_tell_a_server_that_is_not_there(self, downloads, shop):
        made, _ = downloads
        elsewhere = Downloads(
            base_url="http://127.0.0.1:1/",
            folder=made.folder,
            user_agent="x",
            wait=lambda seconds: None,
        )

        with pytest.raises(DownloadFailed, match=r"127\.0\.0\.1"):
            elsewhere.fetch(["colors"])
        elsewhere.session.close()
