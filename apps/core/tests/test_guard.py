from typing import Any

import pytest
from django.core.management.base import CommandError
from drf_spectacular.validation import validate_schema

from apps.core.management.commands.guard import check_openapi


def document(parameter: dict[str, Any]) -> dict[str, Any]:
    return {
        "openapi": "3.1.0",
        "info": {"title": "API", "version": "1"},
        "paths": {"/lots": {"get": {"parameters": [parameter]}}},
    }


def test_an_openapi_document_passes() -> None:
    check_openapi(document({"name": "id", "in": "query", "schema": {"type": "string"}}))


@pytest.mark.parametrize(
    "parameter",
    [{"name": "id", "schema": {}}, {"name": "id", "in": "query", "schema": 5}],
    ids=["unplaced", "no schema"],
)
def test_what_openapi_does_not_allow_is_refused_as_spectacular_does(
    parameter: dict[str, Any],
) -> None:
    with pytest.raises(Exception, match="On instance") as expected:
        validate_schema(document(parameter))
    with pytest.raises(CommandError) as refused:
        check_openapi(document(parameter))

    assert str(refused.value).splitlines()[0] == str(expected.value).splitlines()[0]
