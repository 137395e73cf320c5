"""Exact rate limits: one atomic upsert counts, so parallel requests cannot slip by."""

import datetime as dt
import hashlib
import ipaddress
from typing import Any

from django.conf import settings
from django.db import connection, models
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from apps.core.isolated import take_spent
from apps.core.ownership import person_of

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class RateWindow(models.Model):
    """How often `key` was seen within the window that began at `started`."""

    key = models.CharField(max_length=200)
    started = models.PositiveBigIntegerField(help_text="Unix seconds of the window's start")
    count = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["key", "started"], name="rate_window_once"),)
        # Read by the sweeper that deletes past windows.
        indexes = (models.Index(fields=["started"], name="rate_window_by_start"),)

    def __str__(self) -> str:
        return f"{self.key} {self.started}: {self.count}"


DAY_SECONDS = 24 * 60 * 60

#: A key counts where all before it are below their limits, as they are before this statement.
ROW = "SELECT CAST(%s AS varchar), CAST(%s AS bigint), CAST(%s AS integer) WHERE true"
BELOW = """
AND COALESCE((SELECT count FROM core_ratewindow WHERE key = %s AND started = %s), 0) < %s
"""
UPSERT = """
INSERT INTO core_ratewindow (key, started, count) {rows}
ON CONFLICT (key, started) DO UPDATE SET count = core_ratewindow.count + excluded.count
RETURNING key, count
"""


def count_uses(limits: dict[str, int], *, seconds: int, now: dt.datetime) -> bool:
    """Count a use of each key together; return whether none is above its limit.

    A key that is above it costs none of the uses of those behind it.
    """
    used, _ = _count(limits, seconds=seconds, now=now)
    return all(key in used and used[key] <= limit for key, limit in limits.items())


def count_use(*, key: str, seconds: int, now: dt.datetime, uses: int = 1) -> tuple[int, int]:
    """Count a use of `key`; return (uses in this window, seconds until it ends)."""
    used, left = _count({key: 0}, seconds=seconds, now=now, uses=uses)
    return used[key], left


def _count(
    limits: dict[str, int], *, seconds: int, now: dt.datetime, uses: int = 1
) -> tuple[dict[str, int], int]:
    """Count uses of the keys; return those of each that counted, and the seconds that are left."""
    started, left = window_of(now, seconds=seconds)
    keys = {_digest(key): key for key in limits}
    rows: list[str] = []
    values: list[str | int] = []
    for number, digest in enumerate(keys):
        rows.append(ROW + BELOW * number)
        values += [digest, started, uses]
        for before, key in list(keys.items())[:number]:
            values += [before, started, limits[key]]
    with connection.cursor() as cursor:
        cursor.execute(UPSERT.format(rows=" UNION ALL ".join(rows)), values)
        used = {keys[digest]: int(count) for digest, count in cursor.fetchall()}
    return used, left


def window_of(now: dt.datetime, *, seconds: int) -> tuple[int, int]:
    """Return when the window of `now` began, in Unix seconds, and the seconds until it ends."""
    instant = int(now.timestamp())
    return instant - instant % seconds, seconds - instant % seconds


def _digest(key: str) -> str:
    # Callers type part of the key: a hash takes NULs and any length, and keeps what
    # somebody typed into the wrong field (a password, say) out of the table.
    return hashlib.sha256(key.encode("utf-8", "backslashreplace")).hexdigest()


def forget_past_windows(*, now: dt.datetime) -> int:
    """Delete the windows of more than a day ago; return how many."""
    return RateWindow.objects.filter(started__lt=int(now.timestamp()) - DAY_SECONDS).delete()[0]


def client_address(request: Any) -> str:
    """Return what an address is counted by.

    An IPv6 caller owns its whole /64, so that network is the address.
    """
    address = client_ip(request)
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address.packed, 64), strict=False))
    return _client_text(request) if address is None else str(address)


def client_ip(request: Request) -> Address | None:
    """Return the caller's address; None for one that cannot be read."""
    try:
        address = ipaddress.ip_address(_client_text(request))
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def _client_text(request: Request) -> str:
    """Return the caller's address as written, believing only as many proxies as we have."""
    hops: int = settings.TRUSTED_PROXIES
    parts = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
    forwarded = [part.strip() for part in parts if part.strip()]
    text = str(request.META.get("REMOTE_ADDR", ""))
    if hops and forwarded:
        text = forwarded[-min(hops, len(forwarded))]
    return text


class WindowThrottle(BaseThrottle):
    """Allow `limit` uses of `key_of(request)` in each window of `seconds`."""

    scope = ""
    limit = 60
    seconds = 60

    def __init__(self) -> None:
        self.wait_seconds = 0

    def key_of(self, request: Request) -> str:
        user = person_of(request)
        return f"user:{user.pk}" if user.is_authenticated else f"at:{client_address(request)}"

    def allow_request(self, request: Request, view: Any) -> bool:
        used, self.wait_seconds = self._count(request)
        return used <= self.limit

    def _count(self, request: Request, *, uses: int = 1) -> tuple[int, int]:
        from apps.core.clock import now

        key = f"{self.scope}:{self.key_of(request)}"
        return count_use(key=key, seconds=self.seconds, now=now(), uses=uses)

    def wait(self) -> float | None:
        return float(self.wait_seconds)


class PictureThrottle(WindowThrottle):
    """One limit for all uploads of pictures, since each one is decoded.

    A person at the station shows a part each second or two; a loop gone wild does not. A picture
    that takes long to decode counts as several, so that one person cannot keep the decoders
    from all others.
    """

    scope = "picture"
    limit = 120
    #: A photo of 12 megapixels takes 0.2 s.
    seconds_of_one = 0.25

    def allow_request(self, request: Request, view: Any) -> bool:
        take_spent()  # of other work in this thread
        return super().allow_request(request, view)

    def charge(self, request: Request) -> None:
        """Count what decoding took beyond the time of one picture."""
        more = int(take_spent() / self.seconds_of_one)
        if more:
            self._count(request, uses=more)
