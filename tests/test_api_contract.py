"""The schema of the API, and its parameters with values that no schema foresees.

What a generator makes of the schema is asked in `test_contract_both_ways`.
"""

from collections.abc import Iterable, Iterator
from itertools import cycle, islice
from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.contract import openapi, pk_for, rows_of


@pytest.fixture(scope="session")
def schema() -> dict[str, Any]:
    return openapi()


@pytest.mark.django_db
@pytest.mark.postgres
class TestTheApi:
    @pytest.mark.long("asks every parameter for each strange value")
    def test_answers_no_parameter_with_an_error_of_its_own(self, ann, schema, api):
        called, broken = broken_answers(api(ann), strange_questions(schema), rows_of(ann))

        assert broken == []
        assert called > 1_000

    @pytest.mark.long("asks every path of one row, with every method, for nine ids")
    def test_finds_no_row_by_an_id_that_is_none(self, ann, schema, api):
        client = api(ann)
        client.raise_request_exception = False

        for path, operation in schema["paths"].items():
            if "{id}" in path:
                for pk in ("0", "-1", "x", "1.5", "9" * 18, "9" * 19, "9" * 400, "%00", "1%27--"):
                    for method in operation.keys() & METHODS:
                        response = getattr(client, method)(path.replace("{id}", pk), {})
                        assert response.status_code == 404, (method, path, pk)


def broken_answers(
    client: APIClient, questions: Iterable[tuple[str, str, str]], rows: dict[str, Any]
) -> tuple[int, list[str]]:
    """Ask them; return how many there were, and which got no answer that the schema knows."""
    client.raise_request_exception = False
    broken, called = [], 0
    for path, name, value in questions:
        called += 1
        address = path.replace("{id}", str(pk_for(path, rows)))
        response = client.get(address, {name: value})
        if response.status_code not in {200, 400, 404}:
            broken.append(f"{address}?{name}={value[:40]!r}: {response.status_code}")
    return called, broken


def strange_questions(
    schema: dict[str, Any], *, every: bool = False
) -> Iterator[tuple[str, str, str]]:
    """Yield path, parameter and value: `every` value for each parameter, or what follows.

    Each search has its own way to the database, and is asked for each value. Other texts reach it
    too, and take some values by turns. What is no text is read before: one parameter of each
    schema is asked for each value, the others for one. Words of a list are all read alike.
    """
    known, turns = set(), cycle(NASTY)
    for path, operation in schema["paths"].items():
        for parameter in operation.get("get", {}).get("parameters", []):
            if parameter["in"] != "query":
                continue
            says, name = parameter["schema"], parameter["name"]
            is_text = says["type"] == "string" and not {"enum", "format"} & says.keys()
            read_alike = "enum" if "enum" in says else repr(says)
            asks_all = every or name == "search" or not (is_text or read_alike in known)
            known.add(read_alike)
            for value in NASTY if asks_all else islice(turns, 2 if is_text else 1):
                yield path, name, value


METHODS = {"get", "post", "patch", "delete"}
NASTY = [
    "",
    "a\x00b",
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
