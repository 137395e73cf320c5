"""What WhiteNoise sends with the documentation, which /help shows, and the service worker."""

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
    """Set what differs from the app: the documentation's policy, the service worker's scope."""
    if url.startswith("/help/"):
        headers["Content-Security-Policy"] = POLICY
    elif url == "/static/worker.js":
        headers["Service-Worker-Allowed"] = "/"
        headers["Cache-Control"] = "no-cache"
