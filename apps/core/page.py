"""The one page: it hosts the webpack bundle, whose files the build's manifest names."""

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from bricks import __version__

MANIFEST = "manifest.json"
# What the browser draws around the app: `--surface` of tokens.css.
THEME_COLORS = {"light": "#ffffff", "dark": "#1a1a1d"}
ICON_SIZES = (192, 512)


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Serve the React app for every path of its router."""
    bundle = read_manifest()
    response = render(
        request,
        "index.html",
        {
            "product_name": settings.PRODUCT_NAME,
            "version": __version__,
            "demo_mode": settings.DEMO_MODE,
            "outside_recogniser": bool(settings.RECOGNITION_URL),
            "api_host": settings.API_HOST,
            "image_hosts": " ".join(settings.IMAGE_HOSTS),
            "theme_colors": THEME_COLORS,
            "bundle": bundle,
        },
        status=200 if bundle else 503,
    )
    response.headers["Cache-Control"] = "no-cache"
    return response


@require_safe
def web_manifest(request: HttpRequest) -> HttpResponse:
    """Describe the app to a browser that installs it."""
    icons = [
        {
            "src": f"/static/icons/{name}-{size}.png",
            "sizes": f"{size}x{size}",
            "type": "image/png",
            "purpose": purpose,
        }
        for name, purpose in (("app", "any"), ("maskable", "maskable"))
        for size in ICON_SIZES
    ]
    manifest = {
        "id": "/app/home",
        "name": settings.PRODUCT_NAME,
        "short_name": settings.PRODUCT_NAME,
        "description": "Sort, stow and sell bricks by the kilo.",
        "lang": "en",
        "start_url": "/app/home",
        "scope": "/",
        "display": "standalone",
        "theme_color": THEME_COLORS["light"],
        "background_color": THEME_COLORS["light"],
        "icons": icons,
        "shortcuts": [
            {"name": name, "url": url, "icons": icons[:1]}
            for name, url in (("Stow", "/app/stow-inventory"), ("Pick", "/app/orders"))
        ],
    }
    response = JsonResponse(manifest, content_type="application/manifest+json")
    response.headers["Cache-Control"] = "no-cache"
    return response


def read_manifest() -> dict[str, Any]:
    """Return the files of the build that is served; empty before the first one."""
    path = Path(settings.STATIC_ROOT) / MANIFEST
    try:
        stamp = path.stat().st_mtime_ns
    except FileNotFoundError:
        return {}
    return _load(path, stamp)


@lru_cache(maxsize=1)
def _load(path: Path, stamp: int) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(path.read_text())
    return loaded
