from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from apps.core.clock import now
from apps.core.throttling import client_address
from apps.pictures.services.coloring import (
    TooMany,
    UnknownPicture,
    coloured_picture,
    picture_key,
)
from apps.pictures.services.outside import outside_picture

YEAR = 365 * 24 * 3600
MONTH = 30 * 24 * 3600


@require_safe
def face(request: HttpRequest, digest: str, color: str, size: str) -> HttpResponse:
    """Serve a part in a colour. The address names its content, so it never changes."""
    etag = f'"{picture_key(digest, color, int(size))}"'
    if etag in request.headers.get("If-None-Match", ""):
        response = HttpResponse(status=304)
    else:
        try:
            picture = coloured_picture(
                digest=digest,
                color=color,
                size=int(size),
                limits=_limits(request),
                now=now(),
            )
        except UnknownPicture:
            return refused("There is no such picture.", 404)
        except TooMany:
            return _too_many()
        response = HttpResponse(picture, content_type="image/webp")
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = f"public, max-age={YEAR}, immutable"
    return response


@require_safe
def outside(request: HttpRequest, item_type: str, color: str, number: str) -> HttpResponse:
    """Serve another site's picture of an item, where the operator allows that."""
    try:
        picture = outside_picture(
            item_type=item_type,
            number=number,
            color_id=int(color),
            limits=_limits(request),
            now=now(),
        )
    except UnknownPicture:
        return refused("There is no such picture.", 404)
    except TooMany:
        return _too_many()
    response = HttpResponse(picture, content_type="image/webp")
    response.headers["Cache-Control"] = f"public, max-age={MONTH}"
    return response


def _limits(request: HttpRequest) -> dict[str, int]:
    """Return how many new pictures this address, and all of them, may ask for in a minute."""
    return {
        f"pictures:{client_address(request)}": settings.PICTURES_PER_MINUTE,
        "pictures:all": settings.PICTURES_PER_MINUTE_OF_ALL,
    }


def _too_many() -> HttpResponse:
    response = refused("Too many new pictures. Try again in a minute.", 429)
    response.headers["Retry-After"] = "60"
    return response


def refused(text: str, status: int) -> HttpResponse:
    """Return an answer that is not cached."""
    response = HttpResponse(text, content_type="text/plain; charset=utf-8", status=status)
    response.headers["Cache-Control"] = "no-store"
    return response
