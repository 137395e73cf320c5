import re
from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from django.apps import AppConfig, apps
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path, re_path
from django.urls.resolvers import RoutePattern

from apps.core.health import healthz, readyz
from apps.core.page import page, web_manifest


def has_api(config: AppConfig) -> bool:
    """Return whether this is an app of ours with routes under /api."""
    return (
        config.name.startswith("apps.")
        and find_spec(f"{config.name}.api") is not None
        and find_spec(f"{config.name}.api.urls") is not None
    )


class AddressesOfApp(RoutePattern):
    """The addresses of an app, tried only where a path begins with the first word of one of them.

    Django tries one address after the other: 1 ms until it comes to those of the last app.
    """

    def __init__(self, addresses: Iterable[URLPattern]) -> None:
        super().__init__("")
        self._words = {first_word(str(address.pattern)) for address in addresses}

    def match(self, path: str) -> tuple[str, tuple[Any, ...], dict[str, Any]] | None:
        return super().match(path) if path.partition("/")[0] in self._words else None


def first_word(route: str) -> str:
    """Return what a path begins with, up to a slash or its end."""
    found = re.match(r"\^?([\w-]+)(?:/|\$|$)", route)
    if found is None:
        raise ValueError(f"the address {route!r} must begin with a word")
    return found[1]


def addresses_of(config: AppConfig) -> URLResolver:
    module = import_module(f"{config.name}.api.urls")
    return URLResolver(AddressesOfApp(module.urlpatterns), module)


api = [addresses_of(config) for config in apps.get_app_configs() if has_api(config)]

urlpatterns = [
    path("healthz", healthz),
    path("readyz", readyz),
    path("app.webmanifest", web_manifest),
    path("admin/", admin.site.urls),
    path("api/", include(api)),
    path("pictures/", include("apps.pictures.api.addresses")),
    # Every other path belongs to the React app's router, except the server's own.
    re_path(
        r"^(?!api(?:/|$)|static/|media/|pictures/|admin(?:/|$)|help(?:/|$)|healthz|readyz).*$",
        page,
        name="page",
    ),
]
