"""The one page: it hosts the webpack bundle, whose files the build's manifest names."""

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from bricks import __version__

MANIFEST = "manifest.json"


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
            "bundle": bundle,
        },
        status=200 if bundle else 503,
    )
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
