"""gunicorn: two sync workers behind a buffering proxy, threads where there is none."""

import os

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
accesslog = None
errorlog = "-"
loglevel = os.environ.get("GUNICORN_LOG_LEVEL", "warning")
