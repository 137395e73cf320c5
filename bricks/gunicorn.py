"""gunicorn: two sync workers behind a buffering proxy, threads where there is none."""

import json
import os
from typing import Any

from gunicorn import util  # type: ignore[import-untyped]

bind = f"{os.environ.get('HOST', '127.0.0.1')}:{os.environ.get('PORT', '8000')}"
workers = int(os.environ.get("WEB_CONCURRENCY", "2"))
# With keep-alive, one of two threaded workers takes every kept connection and the
# other stays idle; without it the kernel spreads them.
worker_class = os.environ.get("WEB_WORKER_CLASS", "gthread")
threads = int(os.environ.get("WEB_THREADS", "4"))
keepalive = 0
timeout = 60
graceful_timeout = 20
max_requests = 20_000
max_requests_jitter = 2_000
preload_app = False
limit_request_line = 8190  # the most that gunicorn takes
accesslog = None
errorlog = "-"
loglevel = os.environ.get("GUNICORN_LOG_LEVEL", "warning")


def post_worker_init(worker: Any) -> None:
    """Load the routes, which Django leaves to the first request, and collect garbage less."""
    from django.urls import get_resolver

    from apps.core.startup import collect_garbage_less

    _ = get_resolver().url_patterns
    collect_garbage_less()


def write_error(sock: Any, status_int: int, reason: str, mesg: str) -> None:
    """Answer what never reaches Django, such as an address that is too long, in the envelope."""
    text = {
        414: "The address of this request is too long.",
        431: "The headers of this request are too large.",
    }.get(status_int, "The request could not be read.")
    if status_int >= 500:
        text = "Something went wrong on the server. It has been recorded."
    error = {"code": "API_ERROR" if status_int >= 500 else "VALIDATION_ERROR", "message": text}
    body = json.dumps(
        {
            "success": False,
            "data": [],
            "meta": {"http_status_code": status_int, "error": error},
            "error": error,
            "message": text,
        }
    )
    head = (
        f"HTTP/1.1 {status_int} {reason}\r\nConnection: close\r\nContent-Type: application/json\r\n"
        f"Cache-Control: no-store\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    util.write_nonblock(sock, (head + body).encode("latin1"))


util.write_error = write_error
