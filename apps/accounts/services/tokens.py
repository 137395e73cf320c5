"""Pairs of tokens: issue, replace once, revoke.

The signed token is made anew from its grant's row, so a replaced token can be
answered with the very same successor.
"""

import datetime as dt
import uuid
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction
from rest_framework_simplejwt.exceptions import ExpiredTokenError, TokenError
from rest_framework_simplejwt.settings import api_settings
from rest_framework_simplejwt.tokens import AccessToken, RefreshToken
from rest_framework_simplejwt.utils import get_md5_hash_password

from apps.accounts.models import RefreshGrant, User
from apps.core.concurrency import claim
from apps.core.errors import DomainError, ErrorCode


class RefreshRefused(DomainError):
    code = ErrorCode.NOT_AUTHENTICATED
    status = 401
    message = "Token refresh failed"


@dataclass(frozen=True, slots=True)
class TokenPair:
    access: str
    refresh: str


def issue_tokens(*, user: User, now: dt.datetime) -> TokenPair:
    """Start a new family for a sign-in. 1 query."""
    return _pair(_new_grant(user=user, family=uuid.uuid4(), now=now), now=now)


def refresh_tokens(*, refresh_token: str, now: dt.datetime) -> TokenPair:
    """Replace the refresh token; exactly one of many callers makes the successor.

    Within 60 s the replaced token answers with that same successor; after that its
    use ends the whole family. Raises RefreshRefused.
    """
    jti = _read_jti(refresh_token)
    with transaction.atomic():
        grant = RefreshGrant.objects.select_related("user").filter(pk=jti).first()
        if grant is None or not grant.user.is_active or grant.expires_at <= now:
            raise RefreshRefused
        won = claim(
            RefreshGrant.objects.filter(pk=jti),
            where={"replaced_at": None, "revoked_at": None},
            set={"replaced_at": now},
        )
        if won:
            successor = _new_grant(user=grant.user, family=grant.family, now=now)
            RefreshGrant.objects.filter(pk=jti).update(replaced_by=successor)
            return _pair(successor, now=now)
    return _answer_replaced(jti, now=now)


def _answer_replaced(jti: uuid.UUID, *, now: dt.datetime) -> TokenPair:
    grant = RefreshGrant.objects.select_related("replaced_by__user").get(pk=jti)
    successor = grant.replaced_by
    replaced_at = grant.replaced_at
    if grant.revoked_at is not None or replaced_at is None or successor is None:
        raise RefreshRefused
    if successor.revoked_at is None and now - replaced_at <= settings.REFRESH_GRACE:
        return _pair(successor, now=now)
    revoke_family(family=grant.family, now=now)
    raise RefreshRefused


def revoke_token(*, refresh_token: str, now: dt.datetime) -> None:
    """End the family of this token (sign-out). An unknown token is no error."""
    try:
        jti = _read_jti(refresh_token)
    except RefreshRefused:
        return
    family = RefreshGrant.objects.filter(pk=jti).values_list("family", flat=True).first()
    if family is not None:
        revoke_family(family=family, now=now)


def revoke_family(*, family: uuid.UUID, now: dt.datetime) -> None:
    RefreshGrant.objects.filter(family=family, revoked_at=None).update(revoked_at=now)


def revoke_all(*, user: User, now: dt.datetime) -> None:
    """End every session of `user`."""
    RefreshGrant.objects.filter(user=user, revoked_at=None).update(revoked_at=now)


def forget_expired(*, now: dt.datetime) -> int:
    """Delete the grants that have expired; return how many."""
    return RefreshGrant.objects.filter(expires_at__lt=now).delete()[0]


def _new_grant(*, user: User, family: uuid.UUID, now: dt.datetime) -> RefreshGrant:
    return RefreshGrant.objects.create(
        family=family,
        user=user,
        issued_at=now.replace(microsecond=0),
        expires_at=now.replace(microsecond=0) + api_settings.REFRESH_TOKEN_LIFETIME,
    )


def _pair(grant: RefreshGrant, *, now: dt.datetime) -> TokenPair:
    refresh = RefreshToken()
    refresh.payload.update(
        jti=grant.jti.hex,
        fam=grant.family.hex,
        iat=int(grant.issued_at.timestamp()),
        exp=int(grant.expires_at.timestamp()),
        sub=str(grant.user_id),
    )
    access = AccessToken()
    access.set_iat(at_time=now)
    access.set_exp(from_time=now)
    access[api_settings.USER_ID_CLAIM] = str(grant.user_id)
    access[api_settings.REVOKE_TOKEN_CLAIM] = get_md5_hash_password(grant.user.password)
    return TokenPair(access=str(access), refresh=str(refresh))


def _read_jti(refresh_token: str) -> uuid.UUID:
    try:
        return uuid.UUID(RefreshToken(refresh_token)["jti"])  # type: ignore[arg-type]
    except (ExpiredTokenError, TokenError, KeyError, ValueError, TypeError):
        raise RefreshRefused from None
