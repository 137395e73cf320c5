"""OpenAPI: what every operation shares, added once after generation."""

from typing import Any

from django_filters.rest_framework import DjangoFilterBackend
from drf_spectacular.contrib.django_filters import DjangoFilterExtension
from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.openapi import AutoSchema
from rest_framework.request import Request

from apps.core.errors import ErrorCode

METHODS = {"get", "post", "patch", "put", "delete"}

FAILURE: dict[str, Any] = {
    "type": "object",
    "required": ["success", "data", "meta", "error", "message"],
    "properties": {
        "success": {"type": "boolean", "enum": [False]},
        "data": {"type": "array", "items": {}},
        "message": {"type": "string"},
        "error": {"$ref": "#/components/schemas/ErrorBody"},
        "meta": {
            "type": "object",
            "required": ["http_status_code", "error"],
            "properties": {
                "http_status_code": {"type": "integer"},
                "error": {"$ref": "#/components/schemas/ErrorBody"},
            },
        },
    },
}
ERROR_BODY: dict[str, Any] = {
    "type": "object",
    "required": ["code", "message"],
    "properties": {
        "code": {"type": "string", "enum": [code.value for code in ErrorCode]},
        "message": {"type": "string"},
        "fields": {"type": "object", "additionalProperties": True},
    },
}
META: dict[str, Any] = {
    "type": "object",
    "required": ["http_status_code"],
    "properties": {
        "http_status_code": {"type": "integer"},
        "pagination": {
            "type": "object",
            "required": ["page", "page_size", "total_items", "total_pages"],
            "properties": {
                "page": {"type": "integer"},
                "page_size": {"type": "integer"},
                "total_items": {"type": "integer"},
                "total_pages": {"type": "integer"},
            },
        },
    },
}
REFUSALS = {
    "400": "Bad input, field by field. With the code UNKNOWN_REFERENCE, VALUE_REFUSED or "
    "UNREADABLE_FILE the request is well formed, but what is stored does not allow it",
    "401": "No valid access token",
    "403": "Not allowed",
    "404": "Not found, or somebody else's",
    "405": "Method not allowed",
    "406": "Not acceptable",
    "409": "Contradicts what is stored",
    "413": "Too large",
    "415": "Unsupported media type",
    "422": "The Idempotency-Key was used for another request",
    "429": "Too many requests",
    "503": "Try again later",
}
# Of operations that ask a service outside while the caller waits.
OUTSIDE_REFUSALS = {
    "502": "The service outside could not be reached, or answered wrongly",
    "504": "The service outside did not answer in time",
}
WINS_WITHOUT = "Without `updatedAt`, the last writer wins."
WINS_ALWAYS = "The last writer wins."
SEEN: dict[str, Any] = {
    "updatedAt": {
        "type": ["string", "null"],
        "format": "date-time",
        "description": "as last seen: 409 if the row has changed since",
    }
}
#: In the extensions of an operation: 502 and 504 are among its answers.
ASKS_OUTSIDE = "x-asks-outside"


def schemas_of_filters(filters: Any) -> dict[str, dict[str, Any]]:
    """Return filter -> the schema of its value in an address."""
    extension, auto = DjangoFilterExtension(DjangoFilterBackend()), EnvelopeSchema()
    model = filters._meta.model
    found = [
        parameter
        for name, one in filters.base_filters.items()
        for parameter in extension.resolve_filter_field(auto, model, filters, name, one)
    ]
    return {parameter["name"]: parameter["schema"] for parameter in found}


class ListFiltersSchema(OpenApiSerializerFieldExtension):
    """The filters of a list in a body: any value that they take in an address, or its text."""

    target_class = "apps.core.api.bulk.ListFilters"

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        return {
            "type": "object",
            "properties": {name: {} for name in self.target.filters.base_filters},
        }


class AmountSchema(OpenApiSerializerFieldExtension):
    """A decimal, which a request may give as text or as a number."""

    target_class = "apps.core.api.fields.Amount"

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> Any:
        if direction == "request":
            return {"type": ["string", "number"], "format": "decimal"}
        return auto_schema._map_serializer_field(self.target, direction, bypass_extensions=True)


class EnvelopeSchema(AutoSchema):
    """As drf-spectacular makes it, but for what our resources answer to writes: the row."""

    def get_operation(self, *args: Any, **kwargs: Any) -> Any:
        operation = super().get_operation(*args, **kwargs)
        if operation is not None and getattr(self.view, "asks_outside", False):
            operation[ASKS_OUTSIDE] = True
        if operation is not None and self.method == "PATCH":
            self._tell_who_wins(operation)
        return operation

    def _tell_who_wins(self, operation: dict[str, Any]) -> None:
        """Document that a PATCH needs no `updatedAt`, and how it uses one."""
        said = operation.get("description", "")
        # All rows of our resources have it; other views declare it themselves.
        knows = "updatedAt" in said
        wins = WINS_WITHOUT if knows else WINS_ALWAYS
        operation["description"] = f"{said}\n\n{wins}".strip()
        if not knows:
            return
        for content in operation.get("requestBody", {}).get("content", {}).values():
            content["schema"] = {
                "allOf": [content["schema"], {"type": "object", "properties": SEEN}]
            }

    def get_filter_backends(self) -> Any:
        # A call that writes may answer with many rows, but it filters none and has no pages.
        return super().get_filter_backends() if self.method == "GET" else []

    def _get_pagination_parameters(self) -> Any:
        return super()._get_pagination_parameters() if self.method == "GET" else []

    def get_response_serializers(self) -> Any:
        row = getattr(self.view, "row_serializer", None)
        action = getattr(self.view, "action", None)
        if row is None or action not in {"create", "partial_update", "destroy"}:
            return super().get_response_serializers()
        return {"create": {201: row}, "partial_update": {200: row}, "destroy": {200: None}}[action]


def wrap_in_envelope(
    result: dict[str, Any], generator: object, request: Request, public: bool
) -> dict[str, Any]:
    """Put the envelope around every JSON answer and list the common refusals."""
    schemas = result.setdefault("components", {}).setdefault("schemas", {})
    for name, component in schemas.items():
        if {f"{name}Request", f"Patched{name}Request"} & schemas.keys():
            _always_there(component)
    schemas.update(Failure=FAILURE, ErrorBody=ERROR_BODY, Meta=META)
    for operations in result.get("paths", {}).values():
        for method, operation in operations.items():
            if method in METHODS:
                _wrap(operation, schemas)
    return result


def _always_there(component: dict[str, Any]) -> None:
    """Require every field in an answer of a serializer that reads requests too."""
    properties = component.get("properties", {})
    for field in properties.values():
        field.pop("default", None)
    component["required"] = sorted(properties)


def _wrap(operation: dict[str, Any], schemas: dict[str, Any]) -> None:
    responses = operation.setdefault("responses", {})
    for code, response in responses.items():
        content = response.get("content", {}).get("application/json")
        if code.startswith("2") and content is not None:
            content["schema"] = _envelope(content.get("schema", {}), schemas)
        elif code.startswith("2") and "content" not in response:
            response["content"] = {"application/json": {"schema": _envelope({}, schemas)}}
    outside = OUTSIDE_REFUSALS if operation.pop(ASKS_OUTSIDE, False) else {}
    for code, reason in (REFUSALS | outside).items():
        responses.setdefault(
            code,
            {
                "description": reason,
                "content": {
                    "application/json": {"schema": {"$ref": "#/components/schemas/Failure"}}
                },
            },
        )


def _envelope(schema: dict[str, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    # A page of rows is a component of its own, which is an array already.
    named = schemas.get(schema.get("$ref", "").rpartition("/")[2], schema)
    schema = named if named.get("type") == "array" else schema
    data = schema if schema.get("type") == "array" else {"type": "array", "items": schema}
    return {
        "type": "object",
        "required": ["success", "data", "meta"],
        "properties": {
            "success": {"type": "boolean", "enum": [True]},
            "data": data,
            "meta": {"$ref": "#/components/schemas/Meta"},
            "message": {"type": "string"},
        },
    }
