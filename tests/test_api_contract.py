"""The API against its own schema, with whatever a generator can think of.

A fixed seed: the same cases each time. Each operation is called with rows of the
caller's behind its ids, else nearly every call would end as a 404.
"""

import json
from collections.abc import Iterator
from typing import Any

import hypothesis
import pytest
import schemathesis
from django.core.management import call_command
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from apps.accounts.services.tokens import issue_tokens
from apps.core.api.rendering import to_json
from apps.core.clock import now
from tests.test_ownership import OWNED

EXAMPLES = 8
SEED = 20261121


def not_an_error_of_ours(ctx: Any, response: Any, case: Any) -> bool | None:
    """A service outside that cannot be reached is told as 502 or 504: no error of the server's."""
    told = response.status_code in {502, 504} and not response.json()["success"]
    return None if told else not_a_server_error(ctx, response, case)


CHECKS = [
    not_an_error_of_ours,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
QUIET = settings(
    max_examples=EXAMPLES,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="session")
def openapi() -> dict[str, Any]:
    return json.loads(to_json(SchemaGenerator().get_schema(request=None, public=True)))


@pytest.fixture
def _one_connection():
    """Between requests Django closes a connection in a transaction; here it is the test's."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def operations(openapi: dict[str, Any]) -> Iterator[Any]:
    schema = schemathesis.openapi.from_dict(openapi)
    schema.app = get_wsgi_application()
    for result in schema.get_all_operations():
        yield result.ok()


@pytest.mark.django_db
class TestTheApi:
    @pytest.mark.usefixtures("_one_connection")
    def test_keeps_to_its_schema_whatever_it_is_sent(self, ann, openapi):
        rows = {name: make(ann).pk for name, make in OWNED.items()}
        token = issue_tokens(user=ann, now=now()).access
        failures: list[str] = []
        called = 0
        for operation in operations(openapi):
            probe = Probe(operation, headers={"Authorization": f"Bearer {token}"}, rows=rows)
            try:
                probe.run()
            except BaseExceptionGroup as failure:
                failures.append(f"{operation.label}: {failure}")
            called += probe.called

        assert not failures, "\n\n".join(failures)
        assert called > 300

    def test_has_a_schema_without_errors_or_warnings(self, tmp_path):
        call_command(
            "spectacular", validate=True, fail_on_warn=True, file=str(tmp_path / "openapi.yaml")
        )

        assert (tmp_path / "openapi.yaml").stat().st_size > 10_000

    def test_answers_no_parameter_with_an_error_of_its_own(self, ann, openapi, api):
        rows = {name: make(ann).pk for name, make in OWNED.items()}
        client = api(ann)
        client.raise_request_exception = False
        broken = []
        called = 0

        for path, operation in openapi["paths"].items():
            address = path.replace("{id}", str(pk_for(path, rows)))
            names = {p["name"] for p in operation.get("get", {}).get("parameters", [])} - {"id"}
            for name in sorted(names):
                for value in NASTY:
                    called += 1
                    response = client.get(address, {name: value})
                    if response.status_code not in {200, 400, 404}:
                        broken.append(f"{address}?{name}={value[:40]!r}: {response.status_code}")

        assert broken == []
        assert called > 300

    def test_finds_no_row_by_an_id_that_is_none(self, ann, openapi, api):
        client = api(ann)
        client.raise_request_exception = False

        for path, operation in openapi["paths"].items():
            if "{id}" in path:
                for pk in ("0", "-1", "x", "1.5", "9" * 18, "9" * 19, "9" * 400, "%00", "1%27--"):
                    for method in operation.keys() & METHODS:
                        response = getattr(client, method)(path.replace("{id}", pk), {})
                        assert response.status_code == 404, (method, path, pk)


METHODS = {"get", "post", "patch", "delete"}
NASTY = [
    "",
    " ",
    "\x00",
    "a\x00b",
    "-1",
    "1.5",
    "9" * 30,
    "9" * 5_000,
    "1e400",
    "NaN",
    "٣",
    "%",
    "' OR 1=1 --",
    '"*" NEAR(',
    "x" * 5_000,
    "a " * 500,
    "\ufffd\U0001f9f1",
    "2026-02-30T25:00:00Z",
]


class Probe:
    """One operation, called with generated cases."""

    def __init__(self, operation: Any, *, headers: dict[str, str], rows: dict[str, Any]) -> None:
        self.operation, self.headers, self.rows = operation, headers, rows
        self.called = 0

    def run(self) -> None:
        @hypothesis.seed(SEED)
        @QUIET
        @hypothesis.given(case=self.operation.as_strategy())
        def call(case: Any) -> None:
            self.call(case)

        call()

    def call(self, case: Any) -> None:
        self.called += 1
        for name in case.path_parameters or {}:
            if self.called % 3:
                case.path_parameters[name] = pk_for(self.operation.path, self.rows)
        with transaction.atomic():  # the next case finds all rows again, and no throttle used up
            response = case.call(headers=self.headers)
            transaction.set_rollback(True)
        case.validate_response(response, checks=CHECKS)


def pk_for(path: str, rows: dict[str, Any]) -> Any:
    """The id of the caller's row of the resource that the path begins with."""
    bases = {
        "backups": "backup",
        "batchItems": "batch-item",
        "batches": "batch",
        "exports": "export",
        "inventoryContainerTypes": "container-type",
        "inventoryItems": "inventory-item",
        "inventoryLocations": "location",
        "inventorySyncs": "inventory-sync",
        "jobs": "job",
        "sources": "source",
    }
    return rows.get(bases.get(path.split("/")[2], ""), 1)
