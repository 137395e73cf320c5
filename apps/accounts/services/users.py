"""Register, sign in, change the password, edit the profile."""

import datetime as dt
import logging
import uuid
from collections.abc import Callable
from dataclasses import asdict
from functools import cache
from typing import Any

from django.contrib.auth.hashers import check_password, get_hasher, make_password
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from apps.accounts.models import Preferences, RememberedDevice, User, normal_address
from apps.accounts.selectors import last_store_of
from apps.accounts.services.confirmation import ask_for_confirmation
from apps.accounts.services.currency import has_amounts
from apps.accounts.services.factors import (
    Answer,
    Purpose,
    SecondFactorRequired,
    answer,
    ask,
    has_factor,
    remember_device,
    remembered_device,
)
from apps.accounts.services.notices import Notice, ask_for_notice
from apps.accounts.services.tokens import (
    TokenPair,
    issue_tokens,
    revoke_all,
    revoke_others,
    revoke_session,
)
from apps.core.concurrency import lock_in_order
from apps.core.errors import Conflict, DomainError, ErrorCode, Invalid, NotFound, ValueRefused

logger = logging.getLogger(__name__)

# The fields of the account that a person may change.
PROFILE = {
    *("name", "bidder_name", "zip_code", "units", "time_zone"),
    *("seller_address", "vat_id", "buyer_data_months"),
}


class WrongCredentials(DomainError):
    code = ErrorCode.NOT_AUTHENTICATED
    message = "Wrong e-mail address or password."


class DemoIsShared(DomainError):
    code = ErrorCode.PERMISSION_DENIED
    message = "Everybody shares the demo account: for this, use an account of your own."


def register(
    *, email_address: str, password: str, name: str, now: dt.datetime, device: str = ""
) -> tuple[User, TokenPair]:
    """Make an account and sign it in. Raises Invalid for a taken address or weak password."""
    address = normal_address(email_address)
    check_strength(password, User(email_address=address, name=name), field="password")
    user = User(email_address=address, name=name, password=make_password(password))
    try:
        with transaction.atomic():
            user.save(force_insert=True)
            Preferences.objects.create(user=user)
            ask_for_confirmation(user=user)
            return user, issue_tokens(user=user, now=now, device=device)
    except IntegrityError:
        raise ValueRefused(
            fields={"email_address": ["there is already an account with this address"]}
        ) from None


def sign_in(
    *,
    email_address: str,
    password: str,
    now: dt.datetime,
    device: str = "",
    is_known: bool = True,
    remembered: str = "",
) -> tuple[User, TokenPair]:
    """Check the password and start a session. Raises WrongCredentials, SecondFactorRequired.

    A second factor is not asked for where the device keeps what it is `remembered` by. Of a
    sign-in on a device that is not `is_known` the person is sent a mail.
    """
    user = User.objects.filter(email_address=normal_address(email_address), is_active=True).first()
    usable = user is not None and user.has_usable_password()
    stored = user.password if user is not None and usable else _decoy(_preferred_hasher())
    if not check_password(password, stored) or user is None or not usable:
        logger.warning("sign-in refused for account %s", user.pk if user else "unknown")
        raise WrongCredentials
    kept = remembered_device(user=user, text=remembered, now=now)
    if kept is None and has_factor(user):
        raise SecondFactorRequired(data=[asdict(ask(user=user, purpose=Purpose.SIGN_IN, now=now))])
    with transaction.atomic():
        pair = _begin_session(user, now=now, device=device, is_known=is_known)
        if kept is not None:
            RememberedDevice.objects.filter(pk=kept.pk).update(family=pair.family)
        return user, pair


def sign_in_with_factor(
    *,
    ticket: str,
    given: Answer,
    address: str,
    now: dt.datetime,
    device: str = "",
    is_known: Callable[[str], bool] = lambda address: True,
    remember: bool = False,
) -> tuple[User, TokenPair, str]:
    """Check the second factor and start a session; return what the device is remembered by, or ''.

    Call outside of a transaction: a guess counts. Raises TicketRefused, TooManyGuesses, Invalid.
    """
    user = answer(ticket=ticket, purpose=Purpose.SIGN_IN, given=given, address=address, now=now)
    with transaction.atomic():
        known = is_known(user.email_address)
        pair = _begin_session(user, now=now, device=device, is_known=known)
        kept = (
            remember_device(user=user, family=pair.family, device=device, now=now)
            if remember
            else ""
        )
        return user, pair, kept


def _begin_session(user: User, *, now: dt.datetime, device: str, is_known: bool) -> TokenPair:
    if not is_known:
        ask_for_notice(user=user, notice=Notice.NEW_DEVICE, now=now, device=device)
    return issue_tokens(user=user, now=now, device=device, store=last_store_of(user))


def _preferred_hasher() -> str:
    return str(get_hasher("default").algorithm)


@cache
def _decoy(algorithm: str) -> str:
    """Return a hash to verify for unknown addresses, so that these answers take as long."""
    return make_password("a password nobody has", hasher=algorithm)


def sign_in_demo(*, now: dt.datetime, device: str = "") -> tuple[User, TokenPair]:
    """Start a session of the demo account. Raises NotFound where there is none."""
    user = User.objects.filter(is_demo=True, is_active=True).order_by("pk").first()
    if user is None:
        raise NotFound
    return user, issue_tokens(user=user, now=now, device=device)


def change_password(
    *,
    user: User,
    current_password: str,
    new_password: str,
    now: dt.datetime,
    device: str = "",
    store: User | None = None,
) -> TokenPair:
    """Set a new password and end every other session; this one continues in its `store`.

    Raises Invalid, DemoIsShared.
    """
    if user.is_demo:
        raise DemoIsShared
    if not check_password(current_password, user.password):
        raise ValueRefused(fields={"current_password": ["is not your present password"]})
    check_strength(new_password, user, field="new_password")
    hashed = make_password(new_password)
    with transaction.atomic():
        set_password(user=user, hashed=hashed, now=now)
        return issue_tokens(user=user, now=now, device=device, store=store)


def set_password(*, user: User, hashed: str, now: dt.datetime) -> None:
    """Store a hashed password, end every session, and have a mail sent. Call in a transaction.

    Hash it before: that takes 0.1 s, which nobody's write should wait for.
    """
    user.password = hashed
    user.save(update_fields=["password", "updated_at"])
    revoke_all(user=user, now=now)
    ask_for_notice(user=user, notice=Notice.PASSWORD_CHANGED, now=now)


def end_session(*, user: User, family: uuid.UUID, now: dt.datetime) -> None:
    """End one session. Raises DemoIsShared, NotFound."""
    if user.is_demo:
        raise DemoIsShared
    revoke_session(user=user, family=family, now=now)


def end_other_sessions(*, user: User, grant: uuid.UUID, now: dt.datetime) -> None:
    """End every session but that of `grant`. Raises DemoIsShared, RefreshRefused."""
    if user.is_demo:
        raise DemoIsShared
    revoke_others(user=user, grant=grant, now=now)


def edit_profile(
    *, user: User, changes: dict[str, Any], seen_at: dt.datetime | None = None
) -> User:
    """Change fields of PROFILE. Raises Invalid, Conflict when it changed since `seen_at`, DemoIsShared."""
    if user.is_demo:
        raise DemoIsShared
    with transaction.atomic():
        (row,) = lock_in_order(User.objects.filter(pk=user.pk))
        if seen_at is not None and row.updated_at != seen_at:
            raise Conflict
        for field in changes:
            if field not in PROFILE:
                raise Invalid(fields={field: ["cannot be changed here"]})
            setattr(row, field, changes[field])
        row.save(update_fields=[*changes, "updated_at"])
    return row


def edit_preferences(
    *, user: User, changes: dict[str, Any], seen_at: dt.datetime | None = None
) -> Preferences:
    """Change preferences. Raises Conflict if they changed since `seen_at`."""
    preferences_of(user=user)
    with transaction.atomic():
        (row,) = lock_in_order(Preferences.objects.filter(user=user))
        if seen_at is not None and row.updated_at != seen_at:
            raise Conflict
        if changes.get("currency", row.currency) != row.currency and has_amounts(user=user):
            asks = "must be changed by inventoryItems/changeCurrency, which asks about the prices"
            raise ValueRefused(fields={"currency": [asks]})
        for field, value in changes.items():
            setattr(row, field, value)
        if row.last_sold_recent_days > row.last_sold_moderate_days:
            raise ValueRefused(
                fields={"last_sold_recent_days": ["must not exceed last_sold_moderate_days"]}
            )
        names = [view["name"].casefold() for view in row.inventory_views]
        if len(set(names)) < len(names):
            raise ValueRefused(fields={"inventory_views": ["two views have the same name"]})
        row.save(update_fields=[*changes, "updated_at"])
    return row


def preferences_of(*, user: User) -> Preferences:
    """Return the user's preferences, with the defaults on first use."""
    preferences, _ = Preferences.objects.get_or_create(user=user)
    return preferences


def check_strength(password: str, user: User, *, field: str) -> None:
    """Refuse a weak password in the field that holds it."""
    if told := weaknesses(password, user):
        raise ValueRefused(fields={field: told})


def weaknesses(password: str, user: User) -> list[str]:
    """Return why a password of `user` would be refused; the account need not exist."""
    try:
        validate_password(password, user)
    except ValidationError as weak:
        return list(weak.messages)
    return []
