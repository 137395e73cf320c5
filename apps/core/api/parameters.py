"""Query parameters: what the schema declares of an operation is accepted, the rest refused."""

from typing import Any

from django_filters.rest_framework import DjangoFilterBackend
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from apps.core.api.schema import EnvelopeSchema
from apps.core.errors import Invalid

_accepted: dict[tuple[type[Any], str], frozenset[str]] = {}


def refuse_unknown_parameters(view: Any, request: Request) -> None:
    """Raise Invalid where the address has a parameter that the operation does not, or has twice."""
    if not request.query_params:
        return
    names = accepted_parameters(view, request.method or "GET")
    problems = {
        name: ["is not a parameter here"] for name in request.query_params if name not in names
    }
    for name in request.query_params.keys() & names:
        if len(request.query_params.getlist(name)) > 1:
            problems[name] = ["is given more than once"]
    if problems:
        raise Invalid(fields=problems)


def accepted_parameters(view: Any, method: str) -> frozenset[str]:
    """Return the names of the query parameters of the operation that `view` is about to do."""
    method = "GET" if method == "HEAD" else method
    action = getattr(view, "action", None) or method.lower()
    key = (type(view), action)
    if key not in _accepted:
        _accepted[key] = frozenset(_declared(view, action, method))
    return _accepted[key]


def _declared(view: Any, action: str, method: str) -> set[str]:
    decorated = getattr(getattr(view, action, None), "kwargs", {})
    # An instance of its own: the one behind `view.schema` is shared by all threads.
    schema = decorated.get("schema", EnvelopeSchema)()
    schema.view, schema.method, schema.path = view, method, ""
    names = set()
    for one in schema.get_override_parameters():
        if not isinstance(one, OpenApiParameter):
            names |= (one() if isinstance(one, type) else one).fields.keys()
        elif one.location == OpenApiParameter.QUERY:
            names.add(one.name)
    for backend in schema.get_filter_backends():
        names |= _filter_names(backend(), view)
    if method == "GET" and schema._is_list_view() and getattr(view, "paginator", None):
        names |= {view.paginator.page_query_param, view.paginator.page_size_query_param}
    return names


def _filter_names(backend: Any, view: Any) -> set[str]:
    if isinstance(backend, DjangoFilterBackend):
        filters = backend.get_filterset_class(view, view.get_queryset())
        return set(filters.base_filters) if filters else set()
    return {one["name"] for one in backend.get_schema_operation_parameters(view)}
