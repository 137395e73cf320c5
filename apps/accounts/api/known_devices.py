"""Cookies of the browsers that have signed in to an account, read at sign-in only.

A signed mark opens nothing: it only keeps wrong passwords from elsewhere out of this browser's
limit. Another one stands for the second factor for 30 days, where the person chose so.
"""

import datetime as dt
import hashlib
import uuid
from typing import Final

from django.conf import settings
from django.core import signing
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.services.factors import REMEMBERED_FOR

SALT: Final = "accounts.known_device"
LASTS: Final = dt.timedelta(days=400)  # browsers keep no cookie longer
PATH: Final = "/api/users/login"


def known_device(request: Request, address: str) -> str:
    """Return the id of the caller's device for this account, '' for an unknown one."""
    text = request.COOKIES.get(_cookie("device", address), "")
    try:
        marked, device = signing.loads(text, salt=SALT, max_age=LASTS)
    except (signing.BadSignature, ValueError, TypeError):
        return ""
    return str(device) if marked == _digest(address) else ""


def mark_device(request: Request, response: Response, address: str, *, device: str = "") -> None:
    """Give the device its mark for this account; a known one keeps its id.

    The browser sends its mark at sign-in only; elsewhere `device` is the id.
    """
    device = known_device(request, address) or device or uuid.uuid4().hex
    text = signing.dumps([_digest(address), device], salt=SALT)
    _set(response, _cookie("device", address), text, lasts=LASTS)


def remember(response: Response, address: str, text: str) -> None:
    """Let the browser keep what it is remembered by for this account."""
    _set(response, _cookie("remembered", address), text, lasts=REMEMBERED_FOR)


def remembered_by(request: Request, address: str) -> str:
    """Return what the browser is remembered by for this account, '' for nothing."""
    return request.COOKIES.get(_cookie("remembered", address), "")


def _set(response: Response, name: str, text: str, *, lasts: dt.timedelta) -> None:
    response.set_cookie(
        name,
        text,
        max_age=lasts,
        path=PATH,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _cookie(kind: str, address: str) -> str:
    # A name for each account: several people may share a browser.
    return f"{kind}_{_digest(address)[:12]}"


def _digest(address: str) -> str:
    return hashlib.sha256(address.encode("utf-8", "backslashreplace")).hexdigest()[:32]
