"""The routes under /api, read from the URL resolver, so that a new one cannot be forgotten."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver
from drf_spectacular.generators import SchemaGenerator

from apps.core.api.rendering import to_json

WRITES = ("post", "put", "patch", "delete")


@dataclass(frozen=True)
class Route:
    """One address: its name, its path with `{pk}` in it, the methods and the view behind it."""

    name: str
    path: str
    methods: tuple[str, ...]
    view: Any

    @property
    def is_detail(self) -> bool:
        return "{" in self.path

    def of(self, pk: object) -> str:
        """Return the address of the row `pk`, and of the first row beneath it."""
        return re.sub(r"\{\w+\}", "1", re.sub(r"\{\w+\}", str(pk), self.path, count=1))


@cache
def _written_schema() -> bytes:
    """Written once a process: it takes more than a second of CPU."""
    return to_json(SchemaGenerator().get_schema(request=None, public=True))


def api_schema() -> dict[str, Any]:
    """Return the schema as it is served, which the caller may change."""
    read: dict[str, Any] = json.loads(_written_schema())
    return read


def api_routes(urlconf: str | None = None) -> list[Route]:
    """Return every route under /api."""
    return [
        route
        for route in _walk(get_resolver(urlconf).url_patterns, "/")
        if route.path.startswith("/api/")
    ]


def _walk(patterns: Any, prefix: str) -> Iterator[Route]:
    for pattern in patterns:
        path = prefix + _readable(str(pattern.pattern))
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern.url_patterns, path)
        elif isinstance(pattern, URLPattern):
            view = pattern.callback
            cls = getattr(view, "cls", None)
            names = getattr(view, "actions", None) or [
                method for method in ("get", *WRITES) if hasattr(cls, method)
            ]
            allowed = getattr(cls, "http_method_names", names)
            methods = tuple(method for method in names if method in allowed)
            yield Route(pattern.name or "", path, methods, cls or view)


def _readable(pattern: str) -> str:
    """`^batches/(?P<pk>\\d{1,18})$` is `batches/{pk}`, `users/<int:pk>` too."""
    text = pattern.removeprefix("^").removesuffix("$")
    text = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", text) if "(?P" not in text else text
    while (start := text.find("(?P<")) >= 0:
        depth, end = 0, start
        for end in range(start, len(text)):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            if depth == 0:
                break
        name = text[start + 4 : text.index(">", start)]
        text = f"{text[:start]}{{{name}}}{text[end + 1 :]}"
    return text
