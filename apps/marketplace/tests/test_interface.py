"""What lies above the clients of the marketplaces knows none of them by its words."""

import ast
import inspect
import re
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


FOLDER = ROOT / "apps/marketplace/providers"
SNAKE_CASE = re.compile("[a-z]+(_[a-z0-9]+)+")
#: Words that we use as well as a marketplace does.
OUR_WORDS = {
    "buyer_email", "color_id", "color_name", "country_code", "for_sale", "is_filed", "item_type", "lot_id",
    "order_date", "order_id", "tracking_number", "year_released",
}  # fmt: skip


def texts_of(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def names_in(path):
    """Every name, attribute, argument and text of a module."""
    found = set(texts_of(path))
    for node in ast.walk(ast.parse(path.read_text())):
        found |= {
            value for name in ("id", "attr", "arg", "name") if (value := getattr(node, name, None))
        }
    return found


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
    assert not [
        info.real_name for info in MARKETPLACES.values() if info.real_name.casefold() in text
    ]


def test_no_word_of_a_wire_format_is_used_above_the_clients():
    """A field of a client's JSON is named only in that client, unless it is one of our words."""
    clients = [path for info in MARKETPLACES.values() for path in FOLDER.glob(f"{info.id}*.py")]
    wire = {text for path in clients for text in texts_of(path) if SNAKE_CASE.fullmatch(text)}
    assert {"new_or_used", "inventory_id", "stock_room_id"} <= wire
    above = [
        path
        for app in ("marketplace", "listings", "orders")
        for path in (ROOT / "apps" / app).rglob("*.py")
        if not {"tests", "migrations"} & set(path.parts) and path not in clients
    ]
    found = {
        f"{path.relative_to(ROOT)}: {word}"
        for path in above
        for word in names_in(path) & (wire - OUR_WORDS)
    }
    assert found == set()


#: Order files are those of one marketplace, and say so.
ORDER_FILES = ("orders/services/files.py", "orders/api/serializers.py", "orders/api/views.py")


def test_nothing_above_the_clients_names_a_marketplace():
    """Another one needs an entry among the clients, not a word anywhere else."""
    names = {
        text.casefold() for info in MARKETPLACES.values() for text in (info.id, info.real_name)
    }
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for app in ("marketplace", "listings", "orders", "home")
        for path in (ROOT / "apps" / app).rglob("*.py")
        if not {"tests", "migrations", "providers"} & set(path.parts)
        and not str(path).endswith(ORDER_FILES)
        for number, line in enumerate(path.read_text().casefold().splitlines(), 1)
        if any(name in line.replace("apps.exchange.bricklink", "") for name in names)
    ]
    assert found == []


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
