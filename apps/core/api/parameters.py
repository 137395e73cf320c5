"""Query parameters: those that the schema declares for an operation; others are refused."""

import re
from typing import Any

from django_filters.rest_framework import DjangoFilterBackend
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from apps.core.api.filters import may_be_blank
from apps.core.api.schema import EnvelopeSchema
from apps.core.errors import Invalid

#: Of each operation: parameter -> whether it may be left blank, as text may.
_accepted: dict[tuple[type[Any], str], dict[str, bool]] = {}


def refuse_unknown_parameters(view: Any, request: Request) -> None:
    """Raise Invalid where the address has a parameter that the operation does not, or has twice.

    A blank number, choice or day is refused, too: it would be taken for none. So is the null
    character, in any of them: no database keeps it.
    """
    if not request.query_params:
        return
    names = accepted_parameters(view, request.method or "GET")
    problems = {
        name: ["is not a parameter here"] for name in request.query_params if name not in names
    }
    for name in request.query_params.keys() & names:
        if len(request.query_params.getlist(name)) > 1:
            problems[name] = ["is given more than once"]
        elif not names[name] and request.query_params[name] == "":
            problems[name] = ["must not be blank"]
        elif "\0" in request.query_params[name]:
            problems[name] = ["Null characters are not allowed."]
    if problems:
        raise Invalid(fields=problems)


def accepted_parameters(view: Any, method: str) -> dict[str, bool]:
    """Return the query parameters of the operation that `view` is about to do.

    Each with whether it may be blank.
    """
    method = "GET" if method == "HEAD" else method
    action = getattr(view, "action", None) or method.lower()
    key = (type(view), action)
    if key not in _accepted:
        _accepted[key] = _declared(view, action, method)
    return _accepted[key]


def _declared(view: Any, action: str, method: str) -> dict[str, bool]:
    decorated = getattr(getattr(view, action, None), "kwargs", {})
    # An instance of its own: the one behind `view.schema` is shared by all threads.
    schema = decorated.get("schema", EnvelopeSchema)()
    schema.view, schema.method, schema.path = view, method, ""
    names: dict[str, bool] = {}
    for one in schema.get_override_parameters():
        if not isinstance(one, OpenApiParameter):
            fields = (one() if isinstance(one, type) else one).fields
            names |= {name: getattr(field, "allow_blank", False) for name, field in fields.items()}
        elif one.location == OpenApiParameter.QUERY:
            names[one.name] = _may_be_blank(one)
    for backend in schema.get_filter_backends():
        names |= _filter_names(backend(), view)
    if method == "GET" and schema._is_list_view() and getattr(view, "paginator", None):
        pages = (view.paginator.page_query_param, view.paginator.page_size_query_param)
        names |= dict.fromkeys(pages, True)  # which refuses a blank one itself
    return names


def _filter_names(backend: Any, view: Any) -> dict[str, bool]:
    if isinstance(backend, DjangoFilterBackend):
        filters = backend.get_filterset_class(view, view.get_queryset())
        found = filters.base_filters if filters else {}
        return {name: may_be_blank(one) for name, one in found.items()}
    return {one["name"]: True for one in backend.get_schema_operation_parameters(view)}


def _may_be_blank(one: OpenApiParameter) -> bool:
    if one.enum:
        return False
    if not isinstance(one.type, dict):
        return one.type is str
    if one.type.get("type") == "array":
        return True
    pattern = one.type.get("pattern")
    return bool(pattern and re.search(pattern, ""))
