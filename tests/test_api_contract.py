"""The API against its own schema, with whatever a generator can think of.

A fixed seed: the same cases each time. Each operation is called with rows of the
caller's behind its ids, else nearly every call would end as a 404.
"""

from typing import Any

import pytest
from django.core.management import call_command
from django.core.signals import request_finished, request_started
from django.db import close_old_connections

from apps.accounts.services.tokens import issue_tokens
from apps.core.clock import now
from tests.contract import Probe, openapi, operations, pk_for, rows_of

EXAMPLES = 8
SEED = 20261121


@pytest.fixture(scope="session")
def schema() -> dict[str, Any]:
    return openapi()


@pytest.fixture
def _one_connection():
    """Between requests Django closes a connection in a transaction; here it is the test's."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.mark.django_db
class TestTheApi:
    @pytest.mark.usefixtures("_one_connection")
    def test_keeps_to_its_schema_whatever_it_is_sent(self, ann, schema):
        rows = rows_of(ann)
        token = issue_tokens(user=ann, now=now()).access
        failures: list[str] = []
        called = 0
        for operation in operations(schema):
            headers = {"Authorization": f"Bearer {token}"}
            probe = Probe(operation, headers, rows, SEED, EXAMPLES)
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

    def test_answers_no_parameter_with_an_error_of_its_own(self, ann, schema, api):
        rows = rows_of(ann)
        client = api(ann)
        client.raise_request_exception = False
        broken = []
        called = 0

        for path, operation in schema["paths"].items():
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

    def test_finds_no_row_by_an_id_that_is_none(self, ann, schema, api):
        client = api(ann)
        client.raise_request_exception = False

        for path, operation in schema["paths"].items():
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
