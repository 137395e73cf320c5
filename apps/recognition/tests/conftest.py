"""Our own recogniser, and the real client against the simulator over HTTP."""

import json
import shutil
import threading
import urllib.request
from collections.abc import Callable, Iterator

import pytest

from apps.catalog.tests.factories import make_color, make_item, make_lot
from apps.recognition.providers import eyes as network
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
    simulator.plays.clear()
    simulator.calls = []
    settings.RECOGNITION_URL = f"http://127.0.0.1:{simulator.server_address[1]}"
    return settings.RECOGNITION_URL


@pytest.fixture
def play(recogniser_url: str) -> Callable[..., None]:
    """`play("busy")`: what the simulator's next answer is like."""

    def ask(what: str, times: int = 1) -> None:
        body = json.dumps({"play": what, "times": times}).encode()
        request = urllib.request.Request(f"{recogniser_url}/_play", data=body, method="POST")
        with urllib.request.urlopen(request, timeout=60) as answer:
            assert answer.status == 200

    return ask


@pytest.fixture
def signed_in(api, ann, settings):
    """Ann's client, where nobody is asked outside."""
    settings.RECOGNITION_URL = ""
    return api(ann)


@pytest.fixture
def catalogue(db):
    red, blue = make_color(5, name="Red", rgb="C91A09"), make_color(7, name="Blue", rgb="0055BF")
    for number in ("3001", "3020", "3003", "3022", "3002", "3021", "3068"):
        item = make_item(number, name=f"Part {number}")
        make_lot(item, red)
        make_lot(item, blue)


@pytest.fixture
def broken(tmp_path, monkeypatch):
    """The folder of a copy of the model: what is done to it is what is loaded."""
    folder = tmp_path / "model"
    shutil.copytree(network.MODEL, folder)
    monkeypatch.setattr(network.eyes, "__defaults__", (folder,))
    yield folder
    network.forget()
