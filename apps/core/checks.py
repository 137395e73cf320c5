"""System checks: combinations of settings that would fail quietly."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.db import connections

from apps.core.upgrades import refusal_to_migrate

MIN_SECRET_LENGTH = 50


@register(Tags.security)
def check_secret_key(**_: Any) -> list[CheckMessage]:
    if settings.PRODUCTION and len(settings.SECRET_KEY) < MIN_SECRET_LENGTH:
        return [
            Error(
                f"SECRET_KEY is shorter than {MIN_SECRET_LENGTH} characters.",
                hint="python -c 'import secrets; print(secrets.token_urlsafe(50))'",
                id="core.E001",
            )
        ]
    return []


@register(Tags.security)
def check_demo_mode(**_: Any) -> list[CheckMessage]:
    if settings.PRODUCTION and settings.DEMO_MODE:
        return [
            Warning(
                "DEMO_MODE offers everybody the demo account.",
                hint="Unset DEMO_MODE in production.",
                id="core.W001",
            )
        ]
    return []


@register(Tags.database)
def check_no_atomic_requests(**_: Any) -> list[CheckMessage]:
    if settings.DATABASES["default"].get("ATOMIC_REQUESTS"):
        return [
            Error(
                "ATOMIC_REQUESTS makes every read take SQLite's write lock.",
                hint="Remove ATOMIC_REQUESTS; services open their own transactions.",
                id="core.E002",
            )
        ]
    return []


@register(Tags.security)
def check_shared_cache(**_: Any) -> list[CheckMessage]:
    local = str(settings.CACHES["default"]["BACKEND"]).endswith("LocMemCache")
    if settings.PRODUCTION and local:
        return [
            Error(
                "Production needs a cache that all web processes share.",
                hint="Set REDIS_URL.",
                id="core.E003",
            )
        ]
    return []


@register(Tags.security, deploy=True)
def check_mail(**_: Any) -> list[CheckMessage]:
    if settings.PRODUCTION and not settings.MAIL_IS_SENT:
        return [
            Warning(
                "No mail is sent: nobody can set a new password, no address is confirmed.",
                hint="Set EMAIL_URL, for example smtp+tls://user:password@host:587.",
                id="core.W002",
            )
        ]
    return []


@register(Tags.database, deploy=True)
def check_database(**_: Any) -> list[CheckMessage]:
    if settings.PRODUCTION and settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        return [
            Warning(
                "SQLite serves one machine and one writer at a time.",
                hint="Set DATABASE_URL, for example postgres://user:password@host:5432/brickstow.",
                id="core.W003",
            )
        ]
    return []


@register(Tags.security, deploy=True)
def check_allowed_hosts(**_: Any) -> list[CheckMessage]:
    if settings.PRODUCTION and "*" in settings.ALLOWED_HOSTS:
        return [
            Warning(
                "ALLOWED_HOSTS=* answers to any name, and links in mails would begin with it.",
                hint="Set ALLOWED_HOSTS to the names of this site, for example bricks.example.org.",
                id="core.W004",
            )
        ]
    return []


@register(Tags.database)
def check_version_of_databases(
    databases: Sequence[str] | None = None, **_: Any
) -> list[CheckMessage]:
    """Runs before `migrate` does anything."""
    return [
        Error(refusal, id="core.E004")
        for alias in databases or ()
        if (refusal := refusal_to_migrate(connections[alias]))
    ]
