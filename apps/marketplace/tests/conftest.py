"""The demo store over real HTTP, and a seller who is connected to it."""

import io
import pickle
import socket
import threading
from contextlib import contextmanager

import pytest
from cryptography.fernet import Fernet
from django.test import override_settings

from apps.accounts.models import User
from apps.core.clock import now
from apps.marketplace.providers.base import Answers
from apps.marketplace.providers.bricklink import BrickLinkStore
from apps.marketplace.providers.brickowl import BrickOwlStore
from apps.marketplace.providers.brickowl_wire import BrickOwlSecrets
from apps.marketplace.providers.clients import CLIENTS
from apps.marketplace.providers.known import MARKETPLACES
from apps.marketplace.services.connections import connect_demo_store
from apps.marketplace.tests.factories import secrets_named
from apps.marketplace.tests.fair_client import CLIENT, FAIR, INFO, FairSecrets, FairStore
from apps.marketplace.tests.fair_simulator import FairServer
from simulators.brickowl.server import BrickOwlServer
from simulators.store.server import StoreServer

#: Of all tests, so that what one sealed can be opened by those that begin with its rows.
CREDENTIALS_KEYS = [Fernet.generate_key().decode()]
LOCKS = {type(make()): make for make in (threading.Lock, threading.RLock)}


class _Pickler(pickle.Pickler):
    def reducer_override(self, found):
        """Between two calls nobody holds a lock: a new one is as good."""
        make = LOCKS.get(type(found))
        return NotImplemented if make is None else (make, ())


class KeptStores:
    """Simulators that several tests begin with as one fixture left them; `user` sells there."""

    NAMES = {"sellers", "catalogue", "failures", "calls", "clock_ahead", "_recent"}

    def __init__(self, *servers):
        self.servers = servers
        for server in servers:
            server.begin()

    @contextmanager
    def change(self):
        """Point the app at them, as they were kept, and keep what they are afterwards."""
        here = {"CREDENTIALS_KEYS": CREDENTIALS_KEYS}
        for server in self.servers:
            name = "BRICKOWL" if isinstance(server, BrickOwlServer) else "MARKETPLACE"
            here |= {f"{name}_URL": server.url, f"{name}_IS_DEMO": True}
        with override_settings(**here):
            yield
        self.states = []
        for server in self.servers:
            state = io.BytesIO()
            names = self.NAMES & vars(server).keys()
            _Pickler(state).dump({name: getattr(server, name) for name in names})
            self.states.append(state.getvalue())

    def begin(self):
        """Let them know what was kept, and nothing else."""
        for server, state in zip(self.servers, self.states, strict=True):
            server.begin()
            vars(server).update(pickle.loads(state))

    def stock(self, server):
        return server.sellers.register(f"user-{self.user.pk}").stock


@contextmanager
def served(server):
    """A simulator that answers; a test begins it anew."""
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="session")
def store_server():
    with served(StoreServer()) as server:
        yield server


@pytest.fixture(scope="session")
def owl_server():
    with served(BrickOwlServer()) as server:
        yield server


@pytest.fixture
def store(store_server, settings):
    """A market without sellers; the app is pointed at it."""
    store_server.begin()
    settings.MARKETPLACE_URL = store_server.url
    settings.MARKETPLACE_IS_DEMO = True
    settings.CREDENTIALS_KEYS = CREDENTIALS_KEYS
    return store_server


@pytest.fixture
def connected(store, ann):
    """ann, connected to the store."""
    connect_demo_store(owner=ann, now=now())
    return ann


@pytest.fixture
def seller(stores, store):
    """ann with the stores that the tests of a class begin with."""
    stores.begin()
    return User.objects.get(pk=stores.user.pk)


@pytest.fixture
def client_of(store):
    """`client_of("ann")` is a client with the secrets of that seller; calls are not counted."""
    made = []

    def client(name="ann", *, secrets=None, spend=lambda kind: None, **also):
        store.sellers.register(name)
        also.setdefault("pause", lambda seconds: None)
        client = BrickLinkStore(
            base_url=store.url, secrets=secrets or secrets_named(name), spend=spend, **also
        )
        made.append(client)
        return client

    yield client
    for client in made:
        client.__exit__()


@pytest.fixture
def owl(owl_server, settings):
    """BrickOwl's simulator without sellers; the app is pointed at it."""
    owl_server.begin()
    settings.BRICKOWL_URL = owl_server.url
    settings.BRICKOWL_IS_DEMO = True
    settings.CREDENTIALS_KEYS = CREDENTIALS_KEYS
    return owl_server


@pytest.fixture
def owl_client(owl):
    """`owl_client("ann")` is a client with the key of that seller; calls are not counted."""
    made = []

    def client(name="ann", *, secrets=None, spend=lambda kind: None, **also):
        secrets = secrets or BrickOwlSecrets(key=owl.key_of(name))
        also = {"answers": Answers(), "known": lambda ids: {}, **also}
        also.setdefault("pause", lambda seconds: None)
        made.append(BrickOwlStore(base_url=owl.url, secrets=secrets, spend=spend, **also))
        return made[-1]

    yield client
    for client in made:
        client.__exit__()


@pytest.fixture(scope="session")
def fair_server():
    with served(FairServer()) as server:
        yield server


@pytest.fixture
def fair(fair_server, settings, monkeypatch):
    """A third marketplace, named to the app in each place where one is named."""
    fair_server.begin()
    monkeypatch.setitem(MARKETPLACES, FAIR, INFO)  # providers/known.py
    monkeypatch.setitem(CLIENTS, FAIR, CLIENT)  # providers/clients.py
    settings.FAIR_URL = fair_server.url  # bricks/settings.py
    settings.FAIR_IS_DEMO = False
    settings.CREDENTIALS_KEYS = CREDENTIALS_KEYS
    return fair_server


@pytest.fixture
def fair_client(fair):
    """`fair_client("ann")` is a client with the key of that seller; calls are not counted."""
    made = []

    def client(name="ann", *, secrets=None, spend=lambda kind: None):
        secrets = secrets or FairSecrets(key=fair.key_of(name))
        store = FairStore(
            base_url=fair.url, secrets=secrets, spend=spend, pause=lambda seconds: None
        )
        made.append(store)
        return store

    yield client
    for client in made:
        client.__exit__()


@pytest.fixture
def unused_address():
    """An address where nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}/api/store/v1"


@pytest.fixture
def no_pauses(monkeypatch):
    """The pauses between tries, not waited for."""
    monkeypatch.setattr("apps.marketplace.providers.bricklink.PAUSES", (0, 0))
