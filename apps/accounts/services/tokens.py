"""Pairs of tokens: issue, replace once, revoke.

Both signed tokens are derived from their grant's row, so a replaced token can be
answered with the very same successor. The row keeps a mark of the password: a session
that begins with the old one while it is being changed ends with it.
"""

import datetime as dt
import uuid
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from rest_framework_simplejwt.exceptions import TokenError
from rest_framework_simplejwt.settings import api_settings
from rest_framework_simplejwt.tokens import AccessToken, RefreshToken

from apps.accounts.models import ApiToken, RefreshGrant, RememberedDevice, User
from apps.accounts.rules import password_mark
from apps.core.concurrency import claim
from apps.core.errors import DomainError, ErrorCode, NotFound


class RefreshRefused(DomainError):
    code = ErrorCode.NOT_AUTHENTICATED
    message = "Token refresh failed"


@dataclass(frozen=True, slots=True)
class TokenPair:
    access: str
    refresh: str
    #: Whose it is, and the id of the sign-in that it goes back to.
    address: str
    family: uuid.UUID
    #: The store of another one that it acts in; None in the person's own.
    store_id: int | None


def issue_tokens(
    *, user: User, now: dt.datetime, device: str = "", store: User | None = None
) -> TokenPair:
    """Start a new family for a sign-in on `device`, in the store of another one or his own."""
    first = RefreshGrant(
        user=user,
        family=uuid.uuid4(),
        device=device,
        password_mark=password_mark(user.password),
        store=store,
    )
    return _pair(_follow(first, now=now))


def act_in(*, user: User, grant: uuid.UUID, store: User | None, now: dt.datetime) -> TokenPair:
    """Let the session of `grant` go on in another store. Raises RefreshRefused.

    Its other tabs get these tokens, too, when they ask for new ones within the grace.
    """
    with transaction.atomic():
        present = RefreshGrant.objects.select_related("user").filter(pk=grant, user=user).first()
        if present is None or present.revoked_at is not None:
            raise RefreshRefused
        # The grant may have been replaced a moment ago by a refresh of another tab.
        newest = RefreshGrant.objects.filter(family=present.family)
        if not claim(
            newest.filter(replaced_at=None, expires_at__gt=now),
            where={"revoked_at": None},
            set={"replaced_at": now},
        ):
            raise RefreshRefused
        replaced = newest.select_related("user").get(replaced_at=now, replaced_by=None)
        replaced.store = store
        successor = _follow(replaced, now=now)
        newest.filter(pk=replaced.pk).update(replaced_by=successor)
        return _pair(successor)


def refresh_tokens(*, refresh_token: str, now: dt.datetime) -> TokenPair:
    """Replace the refresh token; exactly one of many callers makes the successor.

    Within 60 s the replaced token answers with that same successor; after that its
    use ends the whole family. Raises RefreshRefused.
    """
    jti = _read(refresh_token)
    with transaction.atomic():
        grant = RefreshGrant.objects.select_related("user").filter(pk=jti).first()
        if grant is None or not grant.user.is_active or grant.expires_at <= now:
            raise RefreshRefused
        if grant.password_mark != password_mark(grant.user.password):
            raise RefreshRefused
        won = claim(
            RefreshGrant.objects.filter(pk=jti),
            where={"replaced_at": None, "revoked_at": None},
            set={"replaced_at": now},
        )
        if won:
            successor = _follow(grant, now=now)
            RefreshGrant.objects.filter(pk=jti).update(replaced_by=successor)
            return _pair(successor)
    return _answer_replaced(jti, now=now)


def _answer_replaced(jti: uuid.UUID, *, now: dt.datetime) -> TokenPair:
    grant = RefreshGrant.objects.select_related("replaced_by__user").filter(pk=jti).first()
    if grant is None:
        raise RefreshRefused
    successor = grant.replaced_by
    replaced_at = grant.replaced_at
    if grant.revoked_at is not None or replaced_at is None or successor is None:
        raise RefreshRefused
    if successor.revoked_at is None and now - replaced_at <= settings.REFRESH_GRACE:
        return _pair(successor)
    revoke_family(family=grant.family, now=now)
    raise RefreshRefused


def revoke_token(*, refresh_token: str, now: dt.datetime) -> None:
    """End the family of this token (sign-out). An unknown token is no error."""
    try:
        jti = _read(refresh_token)
    except RefreshRefused:
        return
    family = RefreshGrant.objects.filter(pk=jti).values_list("family", flat=True).first()
    if family is not None:
        revoke_family(family=family, now=now)


def revoke_family(*, family: uuid.UUID, now: dt.datetime) -> None:
    """End one session, whichever of its tokens is in use."""
    _revoke(RefreshGrant.objects.filter(family=family), now=now)


def revoke_session(*, user: User, family: uuid.UUID, now: dt.datetime) -> None:
    """End one session of `user`. Raises NotFound for one that is not there."""
    grants = RefreshGrant.objects.filter(family=family, user=user)
    if not grants.filter(revoked_at=None).exists():
        raise NotFound
    _revoke(grants, now=now)
    RememberedDevice.objects.owned_by(user).filter(family=family).delete()


def revoke_others(*, user: User, grant: uuid.UUID, now: dt.datetime) -> None:
    """End every session of `user` but that of `grant`, and programs' tokens. Raises RefreshRefused.

    Other devices are no longer remembered.
    """
    here = RefreshGrant.objects.filter(pk=grant, user=user).values_list("family", flat=True).first()
    if here is None:
        raise RefreshRefused
    _revoke(RefreshGrant.objects.filter(user=user).exclude(family=here), now=now)
    RememberedDevice.objects.owned_by(user).exclude(family=here).delete()
    ApiToken.objects.filter(owner=user).delete()


def end_in_store(*, user: User, store: User, now: dt.datetime) -> None:
    """End every session of `user` that acts in the store of another one."""
    _revoke(RefreshGrant.objects.filter(user=user, store=store), now=now)


def revoke_all(*, user: User, now: dt.datetime) -> None:
    """End every session of `user`, and the tokens of programs; no device is remembered."""
    _revoke(RefreshGrant.objects.filter(user=user), now=now)
    RememberedDevice.objects.owned_by(user).delete()
    ApiToken.objects.filter(owner=user).delete()


def _revoke(grants: QuerySet[RefreshGrant], *, now: dt.datetime) -> None:
    # A refresh that is just replacing one of these holds its row: the first UPDATE
    # waits for it, and only a second one sees the successor that it made.
    while grants.filter(revoked_at=None).update(revoked_at=now):
        pass


def forget_expired(*, now: dt.datetime) -> int:
    """Delete the grants and remembered devices that have expired; return how many grants."""
    RememberedDevice.objects.filter(expires_at__lt=now).delete()
    return RefreshGrant.objects.filter(expires_at__lt=now).delete()[0]


def _follow(grant: RefreshGrant, *, now: dt.datetime) -> RefreshGrant:
    """Make the next grant of a session."""
    return RefreshGrant.objects.create(
        family=grant.family,
        device=grant.device,
        password_mark=grant.password_mark,
        user=grant.user,
        store_id=grant.store_id,
        issued_at=now.replace(microsecond=0),
        expires_at=now.replace(microsecond=0) + api_settings.REFRESH_TOKEN_LIFETIME,
    )


def _pair(grant: RefreshGrant) -> TokenPair:
    claims = {
        api_settings.JTI_CLAIM: grant.jti.hex,
        "iat": int(grant.issued_at.timestamp()),
        api_settings.USER_ID_CLAIM: str(grant.user_id),
        # For the pages: which store's data they hold. The server reads the grant.
        "store": grant.store_id or grant.user_id,
    }
    access, refresh = AccessToken(), RefreshToken()
    access.payload.update(claims)
    access.set_exp(from_time=grant.issued_at)
    refresh.payload.update(claims, exp=int(grant.expires_at.timestamp()))
    return TokenPair(
        access=str(access),
        refresh=str(refresh),
        address=grant.user.email_address,
        family=grant.family,
        store_id=grant.store_id,
    )


def _read(refresh_token: str) -> uuid.UUID:
    try:
        token = RefreshToken(refresh_token)  # type: ignore[arg-type]
        return uuid.UUID(token[api_settings.JTI_CLAIM])
    except (TokenError, KeyError, ValueError, TypeError):
        raise RefreshRefused from None
