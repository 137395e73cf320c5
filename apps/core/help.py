"""What WhiteNoise sends with the documentation, which `make docs` builds and /help shows."""

from typing import Final
from wsgiref.headers import Headers

# Furo writes its colours and one line of script into each page. No page holds anything of a person.
THEME_SCRIPT: Final = "sha256-ySvT2PEZeueHGC1y2crNuNTfphBynFPP7i+U21fEgX0="
POLICY: Final = "; ".join(
    [
        "default-src 'none'",
        f"script-src 'self' '{THEME_SCRIPT}'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)


def add_headers(headers: Headers, path: str, url: str) -> None:
    """Set the policy of a page of the documentation. Everything else keeps the app's."""
    if url.startswith("/help/"):
        headers["Content-Security-Policy"] = POLICY
