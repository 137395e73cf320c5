"""Real receivers over HTTP."""

import threading

import pytest
from cryptography.fernet import Fernet

from simulators.hooks.server import make_server


@pytest.fixture
def receiver(settings):
    settings.WEBHOOKS_TO_PRIVATE = True
    settings.CREDENTIALS_KEYS = [Fernet.generate_key().decode()]
    server = make_server(port=0)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()
