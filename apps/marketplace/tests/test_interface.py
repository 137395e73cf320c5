"""What lies above the clients of the marketplaces knows none of them by its words."""

import ast
import inspect
from pathlib import Path

import pytest

from apps.marketplace.providers import answers, base, lots, orders
from apps.marketplace.providers.base import Marketplace
from apps.marketplace.providers.bricklink import BrickLinkStore
from apps.marketplace.providers.brickowl import BrickOwlStore
from apps.marketplace.providers.known import MARKETPLACES

ROOT = Path(__file__).resolve().parents[3]
PROVIDERS = "apps.marketplace.providers"
CALLS = [name for name, member in vars(Marketplace).items() if inspect.isfunction(member)]


def imported(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


@pytest.mark.parametrize("module", [base, lots, orders, answers], ids=lambda one: one.__name__)
def test_names_no_marketplace(module):
    text = inspect.getsource(module).casefold()
    assert not [info.name for info in MARKETPLACES.values() if info.name.casefold() in text]


@pytest.mark.parametrize("client", [BrickLinkStore, BrickOwlStore])
@pytest.mark.parametrize("call", CALLS)
def test_has_every_call_of_every_client(client, call):
    def asked(of):
        return [(one.name, one.kind) for one in inspect.signature(of).parameters.values()]

    if call.startswith("__"):
        assert hasattr(client, call)
    else:
        assert asked(getattr(client, call)) == asked(getattr(Marketplace, call))


def test_no_other_app_imports_a_client():
    clients = tuple(f"{PROVIDERS}.{info.id}" for info in MARKETPLACES.values())
    own = ROOT / "apps/marketplace"
    found = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "apps").rglob("*.py")
        if own not in path.parents
        and "tests" not in path.parts
        and any(name.startswith(clients) for name in imported(path))
    ]
    assert found == []
