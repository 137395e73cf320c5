"""What the schema allows of a request is answered as it says; what it forbids is refused.

A fixed seed: the same cases each time, drawn by the first run of a schema. `make bench ONLY=fuzz` does the same with a fresh seed,
for longer.
"""

import copy
import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.core.failures import AcceptedNegativeData

import tests.contract
from apps.accounts.services.tokens import issue_tokens
from apps.core.clock import now
from tests.contract import DrawnCases, Probe, openapi, operations, rows_of

SEED = 20261122
PINS = "constraints.txt"
READS = {"get"}
WRITES = {"post", "put", "patch", "delete"}
# Calls of each operation; to draw one costs more than to call it.
EXAMPLES = {"get": 2, "post": 2, "put": 2, "patch": 2, "delete": 1}
# As many as show what is planted in any process: what is drawn depends on the modules it loaded.
PLANTED = 200

POSITIVE, NEGATIVE = GenerationMode.POSITIVE, GenerationMode.NEGATIVE

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("_one_connection"),
    pytest.mark.postgres,
]


@pytest.fixture(scope="module")
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


@pytest.fixture
def drawn(request, schema) -> Callable[..., DrawnCases]:
    """`drawn("reads", mode)` are the cases of all operations that a run before this drew."""
    sources = [Path(tests.contract.__file__), Path(__file__), request.config.rootpath / PINS]
    said = repr((schema, os.environ.get("PYTHONHASHSEED"), [one.read_text() for one in sources]))
    state = hashlib.sha256(said.encode()).hexdigest()[:16]
    folder = request.config.cache.mkdir("drawn-cases")

    def of(methods: str, mode: GenerationMode) -> DrawnCases:
        return DrawnCases(folder / f"{methods}-{mode.value}.{state}")

    return of


@pytest.fixture
def ask(ann):
    """Call the operations of a schema; return the number of calls and the contradictions."""
    rows = rows_of(ann)
    headers = {"Authorization": f"Bearer {issue_tokens(user=ann, now=now()).access}"}

    def call(
        schema: dict[str, Any],
        mode: GenerationMode,
        methods: set[str],
        examples: int | None = None,  # at most, of a planted contradiction
        drawn: DrawnCases | None = None,
    ) -> tuple[int, list[tuple[str, Any]]]:
        called, found = 0, []
        for operation in operations(schema):
            if operation.method not in methods:
                continue
            probe = Probe(
                operation,
                headers,
                rows,
                SEED,
                examples or EXAMPLES[operation.method],
                mode,
                drawn,
                is_enough=examples is not None,
            )
            try:
                probe.run()
            except Unsatisfiable:
                continue  # nothing can be wrong about a request that says nothing
            called += probe.called
            found += [(operation.label, problem) for problem in probe.problems]
        return called, found

    return call


@pytest.mark.long("draws requests of every operation")
# What the schema forbids of a question is asked in `test_api_contract` and `test_parameters`.
@pytest.mark.parametrize(
    ("methods", "mode"), [("reads", POSITIVE), ("writes", POSITIVE), ("writes", NEGATIVE)]
)
def test_every_request_is_answered_as_the_schema_says(ask, schema, drawn, methods, mode):
    cases = drawn(methods, mode)

    called, found = ask(schema, mode, {"reads": READS, "writes": WRITES}[methods], drawn=cases)

    if not cases.are_known:
        cases.save()
    assert [f"{label}: {problem}" for label, problem in found] == []
    assert called > 200


@pytest.mark.any_database
def test_a_schema_that_says_something_else_of_a_question_is_found_out(ask, schema):
    path = "/api/auctionListings"
    says = {"type": "string", "maxLength": 1}
    parameter = {"name": "search", "in": "query", "required": True, "schema": says}
    operation = {**schema["paths"][path]["get"], "parameters": [parameter]}

    _, found = ask({**schema, "paths": {path: {"get": operation}}}, NEGATIVE, READS, examples=20)

    assert {type(problem) for _, problem in found} == {AcceptedNegativeData}


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("path", "component", "change"),
    [
        pytest.param(
            "/api/sources",
            "SourceWriteRequest",
            {"properties": {"name": {"type": "string", "maxLength": 2, "pattern": "^[a-z]{1,2}$"}}},
            id="a text must be short",
        ),
        pytest.param(
            "/api/auctionSearches",
            "SearchWriteRequest",
            {"required": ["text", "is_active"]},
            id="a field is required",
        ),
    ],
)
def test_a_schema_that_says_something_else_of_a_write_is_found_out(
    ask, schema, path, component, change
):
    planted = {**copy.deepcopy(schema), "paths": {path: {"post": schema["paths"][path]["post"]}}}
    planted["components"]["schemas"][component] |= change

    _, found = ask(planted, NEGATIVE, WRITES, examples=PLANTED)

    assert {type(problem) for _, problem in found} == {AcceptedNegativeData}
