"""`/healthz` (alive) and `/readyz` (database, migrations, broker)."""

from collections.abc import Callable

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse

BROKER_TIMEOUT_SECONDS = 2


def healthz(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": "alive"}, headers={"Cache-Control": "no-store"})


def readyz(request: HttpRequest) -> JsonResponse:
    problems: dict[str, str] = {}
    probes: dict[str, Callable[[], str]] = {"database": _database, "broker": _broker}
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
