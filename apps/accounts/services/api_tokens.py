"""Tokens of programs: made by a person, shown once, looked up on each call, revoked."""

import datetime as dt
from collections.abc import Sequence
from typing import Final

from django.db import transaction
from django.db.models import Q
from django.utils.crypto import constant_time_compare, get_random_string, salted_hmac

from apps.accounts.models import ApiToken, User
from apps.accounts.rules import TOKEN_PREFIX
from apps.accounts.services.notices import Notice, ask_for_notice
from apps.accounts.services.users import DemoIsShared
from apps.core.errors import NotFound, StateConflict

MOST_TOKENS: Final = 50
PUBLIC_LENGTH: Final = 16
SECRET_LENGTH: Final = 43  # of 62 characters: 256 bits
USE_IS_NOTED_EVERY: Final = dt.timedelta(minutes=1)


class TooManyTokens(StateConflict):
    message = "You have {most} tokens. Revoke one that is no longer used."


def make_token(
    *,
    owner: User,
    name: str,
    scopes: Sequence[str],
    addresses: Sequence[str],
    days: int,
    now: dt.datetime,
) -> tuple[ApiToken, str]:
    """Make a token for so many days; return it with its text, which is not kept.

    Raises DemoIsShared, TooManyTokens.
    """
    if owner.is_demo:
        raise DemoIsShared
    if ApiToken.objects.owned_by(owner).count() >= MOST_TOKENS:
        raise TooManyTokens(most=MOST_TOKENS)
    public = get_random_string(PUBLIC_LENGTH)
    text = f"{TOKEN_PREFIX}{public}_{get_random_string(SECRET_LENGTH)}"
    with transaction.atomic():
        token = ApiToken.objects.create(
            owner=owner,
            public=public,
            token_hash=_hash(text),
            name=name,
            scopes=sorted(set(scopes)),
            addresses=list(dict.fromkeys(addresses)),
            expires_at=now + dt.timedelta(days=days),
        )
        ask_for_notice(user=owner, notice=Notice.NEW_TOKEN, now=now)
    return token, text


def find_token(text: str, *, now: dt.datetime) -> ApiToken | None:
    """Return the token with this text while it and its owner's account last."""
    public = text.removeprefix(TOKEN_PREFIX)[:PUBLIC_LENGTH]
    if "\0" in public:  # which PostgreSQL refuses
        return None
    lasting = ApiToken.objects.select_related("owner").filter(owner__is_active=True)
    token = lasting.filter(public=public, expires_at__gt=now).first()
    known = token is not None and constant_time_compare(token.token_hash, _hash(text))
    return token if known else None


def note_use(token: ApiToken, *, now: dt.datetime) -> None:
    """Keep when the token was last used, at most once a minute."""
    before = now - USE_IS_NOTED_EVERY
    if token.last_used_at is None or token.last_used_at <= before:
        unnoted = Q(last_used_at=None) | Q(last_used_at__lte=before)
        ApiToken.objects.filter(unnoted, pk=token.pk).update(last_used_at=now)


def revoke_token(*, owner: User, pk: int) -> None:
    """Revoke one: it is refused at once. Raises NotFound for one that is not there."""
    if not ApiToken.objects.owned_by(owner).filter(pk=pk).delete()[0]:
        raise NotFound


def _hash(text: str) -> str:
    """Return the hash of a token, by a key that is made of the server's own."""
    return salted_hmac("apps.accounts.ApiToken", text, algorithm="sha256").hexdigest()
