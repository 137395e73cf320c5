"""What import-linter and ruff cannot see: private modules, foreign rooms, and method calls."""

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.guards.conftest import ROOT
from tests.guards.source import Module, modules

OUTER_ROOMS = {"api", "tasks", "admin", "management"}
# Forms of the wire that resources of several apps take; `core` cannot know what they speak of.
SHARED_FORMS = {
    "apps.batches.api.choice",
    "apps.catalog.api.repricing",
    "apps.inventory.api.filters",
    "apps.inventory.api.forms",
    "apps.inventory.api.naming",
    "apps.locations.api.filters",
    "apps.locations.api.papers",
    "apps.locations.api.plain_locations",
    "apps.marketplace.api.parameters",
    "apps.locations.api.serializers",
    "apps.marketplace.api.wanting",
}
# A backup's rows must pass the very forms of the API that would have made them.
CHECKS_BY_FORMS = "apps.backups.tasks.row_checks"
SENDERS = {"delay", "apply_async", "send_task", "apply_async_on_commit", "delay_on_commit"}
# Of each app with several providers, the module that chooses one.
CHOOSE_PROVIDERS = {
    "apps.auctions.services.site",
    "apps.marketplace.services.connections",
    "apps.recognition.services.eyes",
    "apps.recognition.services.identify",
}
# What is saved there is no row of the database.
NO_ROWS = {
    "apps.locations.providers.label_pdf:canvas",
    "apps.orders.providers.paper_pdf:canvas",
    "apps.recognition.rules.marker_card_pdf:canvas",
}
NETWORK = {"requests", "httpx", "urllib3", "aiohttp", "requests_oauthlib"}


def private_imports(module: Module) -> Iterator[str]:
    """A module or name with a leading underscore belongs to the package it lies in.

    Migrations share theirs: Django takes each module without one for a migration.
    """
    for line, name in module.imports():
        parts = name.split(".")
        if parts[0] != "apps" or (".migrations." in module.name and ".migrations." in name):
            continue
        for depth, part in enumerate(parts):
            if part.startswith("_") and not part.startswith("__"):
                home = ".".join(parts[:depth])
                if not f"{module.name}.".startswith(f"{home}."):
                    yield f"{module.name}:{line} imports {name}, which is {home}'s own"


def foreign_rooms(module: Module) -> Iterator[str]:
    """Upper apps call services, selectors and models of lower ones.

    `core` and `lots` have no API of their own: theirs is what others build on.
    """
    open_rooms = {"api"} if module.name == CHECKS_BY_FORMS else set()
    for line, name in module.imports():
        parts = name.split(".")
        if parts[0] != "apps" or len(parts) < 3 or parts[1] in {module.app, "core", "lots"}:
            continue
        if parts[2] in OUTER_ROOMS - open_rooms and name.rpartition(".")[0] not in SHARED_FORMS:
            yield f"{module.name}:{line} imports {name}, a room of another app"


def locks(module: Module) -> Iterator[str]:
    """SQLite ignores select_for_update silently, so it has one door with one docstring."""
    if module.name != "apps.core.concurrency":
        for line, called in module.called_attributes():
            if called == "select_for_update":
                yield f"{module.name}:{line} locks rows by itself"


def sends(module: Module) -> Iterator[str]:
    """A job is a row first; what goes to the broker past it is lost by a kill."""
    if not module.name.startswith("apps.core.jobs"):
        for line, called in module.called_attributes():
            if called in SENDERS:
                yield f"{module.name}:{line} sends to Celery by itself"


def network(module: Module) -> Iterator[str]:
    """Outside services are spoken to by providers, which have timeouts, limits and twins."""
    if ".providers" not in f"{module.name}.":
        for line, name in module.imports():
            if name.split(".")[0] in NETWORK or name.startswith(("urllib.request", "http.client")):
                yield f"{module.name}:{line} imports {name} outside providers"


def clocks(module: Module) -> Iterator[str]:
    """Rules and services are given `now`, so that a test need not freeze anything."""
    if module.name == "apps.webhooks.services.events":
        return  # stamps an event as `created_at` is: whoever writes it need not know the time
    rooms = module.name.split(".")[2:3]
    if rooms and rooms[0] in {"rules", "services", "selectors", "models"}:
        for line, name in module.imports():
            if name in {"apps.core.clock.now", "apps.core.clock", "django.utils.timezone.now"}:
                yield f"{module.name}:{line} reads the clock"


def task_imports(module: Module) -> Iterator[str]:
    """Services create a Job with its kind; the registry finds the handler."""
    rooms = module.name.split(".")[2:3]
    if rooms and rooms[0] in {"rules", "services", "selectors", "models"}:
        for line, name in module.imports():
            if ".tasks" in f"{name}.":
                yield f"{module.name}:{line} imports {name}"


def waiting_lambdas(module: Module) -> Iterator[str]:
    """What runs after the commit is a partial: a lambda reads its variables only then."""
    for node in module.nodes:
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("on_commit"):
            handed = [*node.args, *(keyword.value for keyword in node.keywords)]
            if any(isinstance(one, ast.Lambda) for one in handed):
                yield f"{module.name}:{node.lineno} hands a lambda to on_commit"


def bare_saves(module: Module) -> Iterator[str]:
    """A save of all columns overwrites what others changed since the row was read."""
    for node in module.nodes:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        if node.func.attr == "save" and not node.args and not node.keywords:
            what = ast.unparse(node.func.value)
            if f"{module.name}:{what}" not in NO_ROWS:
                yield f"{module.name}:{node.lineno} saves {what} without its columns"


def concrete_providers(module: Module) -> Iterator[str]:
    """One module of an app chooses the provider; the others know `providers/base.py` alone.

    The interface is `base`, with what `base` imports from beside it.
    """
    for line, name in module.imports():
        parts = name.split(".")
        if parts[0] != "apps" or "providers" not in parts[:3] or len(parts) < 4:
            continue
        package = ".".join(parts[:3])
        folder = module.path.parents[len(module.name.split(".")) - 1].joinpath(*parts[:3])
        if module.path.name == "__init__.py":
            folder = module.path.parents[len(module.name.split("."))].joinpath(*parts[:3])
        if module.name.startswith(package) or not (folder / "base.py").exists():
            continue
        base = Module(f"{package}.base", folder / "base.py")
        beside = {known.removeprefix(f"{package}.").split(".")[0] for _, known in base.imports()}
        if parts[3] not in {"base", *beside} and module.name not in CHOOSE_PROVIDERS:
            yield f"{module.name}:{line} imports {name}, past its interface"


RULES: dict[str, tuple[Callable[[Module], Iterator[str]], dict[str, str]]] = {
    "private modules stay private": (
        private_imports,
        {
            "apps/batches/api/views.py": "from apps.inventory.services._ledger import record",
            "apps/exports/services/exports.py": "from apps.inventory.services import _ledger",
        },
    ),
    "rooms of other apps stay closed": (
        foreign_rooms,
        {"apps/batches/api/views.py": "from apps.inventory.api.views import InventoryItemViewSet"},
    ),
    "locks have one door": (
        locks,
        {"apps/batches/services/batches.py": "Batch.objects.all().select_for_update()"},
    ),
    "Celery is spoken to in one place": (
        sends,
        {"apps/batches/services/batches.py": "run_job_task.delay('1')"},
    ),
    "the network is the providers'": (
        network,
        {
            "apps/batches/services/batches.py": "import requests",
            "apps/batches/rules/states.py": "from urllib.request import urlopen",
        },
    ),
    "the clock is read at the edge": (
        clocks,
        {"apps/batches/services/batches.py": "from apps.core.clock import now"},
    ),
    "what waits for a commit is no lambda": (
        waiting_lambdas,
        {"apps/batches/services/batches.py": "transaction.on_commit(lambda: print(1))"},
    ),
    "a save names its columns": (
        bare_saves,
        {"apps/batches/services/batches.py": "def rename(batch):\n    batch.save()"},
    ),
    "providers are known by their interface": (
        concrete_providers,
        {
            "apps/batches/services/won.py": (
                "from apps.auctions.providers.shopgoodwill import ShopGoodwill"
            ),
            "apps/auctions/api/views.py": "import apps.auctions.providers.shopgoodwill",
        },
    ),
    "services know no tasks": (
        task_imports,
        {"apps/batches/services/batches.py": "from apps.batches.tasks import stow"},
    ),
}


def broken(root: Path, rule: Callable[[Module], Iterator[str]]) -> list[str]:
    found = modules(root, "apps", "bricks")
    assert len(found) > 100, "the walk found no code"
    return [problem for module in found if not module.is_test for problem in rule(module)]


@pytest.mark.parametrize("name", RULES)
class TestOurCode:
    def test_keeps_the_rule(self, name):
        assert broken(ROOT, RULES[name][0]) == []

    def test_would_be_caught_breaking_it(self, name, planted):
        rule, violations = RULES[name]

        problems = broken(planted(violations), rule)

        for path in violations:
            module = path.removesuffix(".py").replace("/", ".")
            assert any(problem.startswith(f"{module}:") for problem in problems), path
