"""`/healthz` (alive) and `/readyz` (database, migrations, broker, disk)."""

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse

from apps.core.upgrades import refusal_to_migrate
from bricks import __version__

BROKER_TIMEOUT_SECONDS = 2
MIB: Final = 1024 * 1024
PROBE_BYTES: Final = 4_096


def healthz(request: HttpRequest) -> JsonResponse:
    return JsonResponse(
        {"status": "alive", "version": __version__}, headers={"Cache-Control": "no-store"}
    )


def readyz(request: HttpRequest) -> JsonResponse:
    problems: dict[str, str] = {}
    probes: dict[str, Callable[[], str]] = {"database": _database, "broker": _broker, "disk": _disk}
    for name, probe in probes.items():
        if problem := probe():
            problems[name] = problem
    ready = not problems
    return JsonResponse(
        {"status": "ready" if ready else "not ready", "problems": problems},
        status=200 if ready else 503,
        headers={"Cache-Control": "no-store"} | ({} if ready else {"Retry-After": "5"}),
    )


def _database() -> str:
    try:
        if refusal := refusal_to_migrate(connection):
            return refusal
        executor = MigrationExecutor(connection)
        pending = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError:
        return "the database does not answer"
    return f"{len(pending)} migrations are not applied" if pending else ""


def _broker() -> str:
    if not settings.REDIS_URL:
        return ""
    import redis

    try:
        redis.Redis.from_url(
            settings.REDIS_URL,
            socket_timeout=BROKER_TIMEOUT_SECONDS,
            socket_connect_timeout=BROKER_TIMEOUT_SECONDS,
        ).ping()
    except redis.RedisError:
        return "the broker does not answer"
    return ""


def _disk() -> str:
    """Look whether files and the database can grow: on a full disk reading still works."""
    database = settings.DATABASES["default"]
    folders = {Path(tempfile.gettempdir())}
    if settings.STORAGES["default"]["BACKEND"].endswith("FileSystemStorage"):
        folders.add(Path(settings.MEDIA_ROOT))
    if database["ENGINE"].endswith("sqlite3") and Path(database["NAME"]).is_absolute():
        folders.add(Path(database["NAME"]).parent)
    for folder in sorted(folders):
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder) as file:
                file.write(bytes(PROBE_BYTES))
                file.flush()
                os.fsync(file.fileno())
            free = shutil.disk_usage(folder).free
        except OSError as problem:
            return f"{folder} cannot be written: {problem.strerror}"
        if free < settings.MAX_UPLOAD_BYTES:
            return f"{folder} has less than {settings.MAX_UPLOAD_BYTES // MIB} MiB left"
    return ""
