from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from apps.core.throttling import client_address
from apps.pictures.services.coloring import (
    TooMany,
    UnknownPicture,
    coloured_picture,
    picture_key,
)

YEAR = 365 * 24 * 3600


@require_safe
def face(request: HttpRequest, digest: str, color: str, size: str) -> HttpResponse:
    """Serve a part in a colour. The address names its content, so it never changes."""
    etag = f'"{picture_key(digest, color, int(size))}"'
    if etag in request.headers.get("If-None-Match", ""):
        response = HttpResponse(status=304)
    else:
        limits = {
            f"pictures:{client_address(request)}": settings.PICTURES_PER_MINUTE,
            "pictures:all": settings.PICTURES_PER_MINUTE_OF_ALL,
        }
        try:
            picture = coloured_picture(digest=digest, color=color, size=int(size), limits=limits)
        except UnknownPicture:
            return refused("There is no such picture.", 404)
        except TooMany:
            response = refused("Too many new pictures. Try again in a minute.", 429)
            response.headers["Retry-After"] = "60"
            return response
        response = HttpResponse(picture, content_type="image/webp")
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = f"public, max-age={YEAR}, immutable"
    return response


def refused(text: str, status: int) -> HttpResponse:
    """Return an answer that nobody keeps."""
    response = HttpResponse(text, content_type="text/plain; charset=utf-8", status=status)
    response.headers["Cache-Control"] = "no-store"
    return response
