"""What the schema allows of a question is not refused; what it forbids is.

A fixed seed: the same cases each time. `make bench ONLY=fuzz` does the same for every
operation, writes too, with a fresh seed.
"""

from typing import Any

import pytest
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.core.failures import AcceptedNegativeData
from schemathesis.openapi.checks import RejectedPositiveData

from apps.accounts.services.tokens import issue_tokens
from apps.core.clock import now
from tests.contract import BOTH_WAYS, Probe, openapi, operations
from tests.test_api_contract import _one_connection  # noqa: F401  (a fixture)
from tests.test_ownership import OWNED

SEED = 20261122
EXAMPLES = 6

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("_one_connection")]


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    return openapi()


@pytest.fixture
def ask(ann):
    """Call the questions of a schema, or of one path; return the calls and the contradictions."""
    rows = {name: make(ann).pk for name, make in OWNED.items()}
    headers = {"Authorization": f"Bearer {issue_tokens(user=ann, now=now()).access}"}

    def call(
        schema: dict[str, Any], mode: GenerationMode, examples: int = EXAMPLES
    ) -> tuple[int, list[tuple[str, Any]]]:
        called, found = 0, []
        for operation in operations(schema):
            if operation.method != "get":
                continue
            probe = Probe(
                operation, headers, rows, SEED, examples, BOTH_WAYS, mode=mode, counts_all=True
            )
            try:
                probe.run()
            except Unsatisfiable:
                continue  # nothing can be wrong about a question without parameters
            called += probe.called
            found += [(operation.label, problem) for problem in probe.problems]
        return called, found

    return call


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_every_question_is_answered_as_the_schema_says(ask, schema, mode):
    called, found = ask(schema, mode)

    assert [f"{label}: {problem}" for label, problem in found] == []
    assert called > 300


@pytest.mark.parametrize(
    ("name", "says", "mode", "kind"),
    [
        (
            "page_size",
            {"type": "integer", "minimum": 1, "maximum": 10**6},
            GenerationMode.POSITIVE,
            RejectedPositiveData,
        ),
        (
            "search",
            {"type": "string", "maxLength": 1},
            GenerationMode.NEGATIVE,
            AcceptedNegativeData,
        ),
    ],
)
def test_a_schema_that_says_something_else_is_found_out(ask, schema, name, says, mode, kind):
    path = "/api/auctionListings"
    parameter = {"name": name, "in": "query", "required": True, "schema": says}
    operation = {**schema["paths"][path]["get"], "parameters": [parameter]}

    _, found = ask({**schema, "paths": {path: {"get": operation}}}, mode, examples=20)

    assert {type(problem) for _, problem in found} == {kind}
