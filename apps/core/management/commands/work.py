"""`manage.py work`: the Celery worker of the mode, started again when it ends by itself."""

import os
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = (
        "Run the job worker. Without REDIS_URL it feeds itself from the job rows (no broker "
        "needed; run one). With REDIS_URL it takes jobs from Redis; run as many as you like. A "
        "worker that ends by itself is started again; SIGTERM and Ctrl+C end it for good."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            # One more than a person gets at a time (jobs.dispatch.SHARE).
            "--concurrency",
            type=int,
            default=3,
            help="jobs at the same time (default 3)",
        )

    def handle(self, *args: Any, concurrency: int, **options: Any) -> None:
        # A process of its own for each job in production; embedded, threads share
        # the in-memory transport with the poller that feeds it.
        pool = "prefork" if settings.REDIS_URL else "threads"
        celery = [sys.executable, "-m", "celery", "--quiet", "-A", "bricks", "worker"]
        quiet = [
            "--loglevel",
            "warning",
            "--without-gossip",
            "--without-mingle",
            "--without-heartbeat",
        ]
        limits = ["--max-tasks-per-child", "50"] if pool == "prefork" else []
        sys.stdout.flush()
        os.chdir(Path(settings.BASE_DIR))
        worker = [*celery, *quiet, "--pool", pool, "--concurrency", str(concurrency), *limits]
        os.execv(sys.executable, [sys.executable, "-m", "apps.core.jobs.keeper", *worker])
