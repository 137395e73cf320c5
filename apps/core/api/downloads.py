"""Answers that the browser saves as a file, and that no cache keeps."""

from collections.abc import Iterator
from typing import IO, Final

from django.http import FileResponse, HttpResponse, StreamingHttpResponse

_HEADERS: Final = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
OCTETS: Final = "application/octet-stream"


def download(file: IO[bytes], *, name: str, content_type: str = OCTETS) -> FileResponse:
    """Return an open file; it is closed when it is sent."""
    return FileResponse(
        file, as_attachment=True, filename=name, content_type=content_type, headers=_HEADERS
    )


def download_in_parts(
    parts: Iterator[bytes], *, name: str, content_type: str = OCTETS
) -> StreamingHttpResponse:
    """Return a streamed answer, downloaded as the file `name` (plain ASCII)."""
    return StreamingHttpResponse(
        parts,
        content_type=content_type,
        headers={"Content-Disposition": f'attachment; filename="{name}"', **_HEADERS},
    )


def download_of(content: bytes, *, name: str, content_type: str = OCTETS) -> HttpResponse:
    """Return bytes as the file `name`, which is plain ASCII."""
    return HttpResponse(
        content,
        content_type=content_type,
        headers={"Content-Disposition": f'attachment; filename="{name}"', **_HEADERS},
    )
