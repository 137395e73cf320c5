from importlib.util import find_spec

from django.apps import AppConfig, apps
from django.contrib import admin
from django.urls import include, path, re_path

from apps.core.health import healthz, readyz
from apps.core.page import page, web_manifest


def has_api(config: AppConfig) -> bool:
    """Return whether this is an app of ours with routes under /api."""
    return (
        config.name.startswith("apps.")
        and find_spec(f"{config.name}.api") is not None
        and find_spec(f"{config.name}.api.urls") is not None
    )


api = [
    path("", include(f"{config.name}.api.urls"))
    for config in apps.get_app_configs()
    if has_api(config)
]

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
