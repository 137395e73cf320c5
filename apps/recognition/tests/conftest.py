"""The real client against the simulator over HTTP."""

import json
import threading
import urllib.request
from collections.abc import Callable, Iterator

import pytest

from simulators.recognition.server import Server, make_server


@pytest.fixture(scope="session")
def simulator() -> Iterator[Server]:
    server = make_server(port=0)
    assert server is not None
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def recogniser_url(simulator: Server, settings) -> str:
    """The simulator's address, which the app asks for the length of the test."""
    simulator.playing = []
    simulator.calls = []
    settings.RECOGNITION_URL = f"http://127.0.0.1:{simulator.server_address[1]}"
    return settings.RECOGNITION_URL


@pytest.fixture
def play(recogniser_url: str) -> Callable[..., None]:
    """`play("busy")`: what the simulator's next answer is like."""

    def ask(what: str, times: int = 1) -> None:
        body = json.dumps({"play": what, "times": times}).encode()
        request = urllib.request.Request(f"{recogniser_url}/_play", data=body, method="POST")
        with urllib.request.urlopen(request, timeout=5) as answer:
            assert answer.status == 200

    return ask
