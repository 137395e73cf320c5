"""The real client against the simulator over HTTP."""

import json
import threading
import urllib.request
from collections.abc import Callable, Iterator

import pytest

from simulators.auctions.server import Server, make_server


@pytest.fixture(scope="session")
def auction_server() -> Iterator[Server]:
    server = make_server(port=0)
    assert server is not None
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def site_url(auction_server: Server, settings) -> str:
    """The simulator's address, which the app asks for the length of the test."""
    auction_server.plays.clear()
    auction_server.asked = []
    settings.AUCTIONS_URL = f"http://127.0.0.1:{auction_server.server_address[1]}/api"
    settings.AUCTIONS_IS_DEMO = True
    settings.AUCTIONS_FRESH_SECONDS = 0
    settings.AUCTIONS_CALL_GAP_MS = 0
    return settings.AUCTIONS_URL


@pytest.fixture
def play(site_url: str) -> Callable[..., None]:
    """`play("throttled")`: what the site's next answer is like."""

    def ask(what: str, times: int = 1) -> None:
        body = json.dumps({"play": what, "times": times}).encode()
        address = site_url.removesuffix("/api") + "/_play"
        request = urllib.request.Request(address, data=body, method="POST")
        with urllib.request.urlopen(request, timeout=60) as answer:
            assert answer.status == 200

    return ask
