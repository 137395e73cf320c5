"""Register, sign in, change the password, edit the profile."""

import datetime as dt
from typing import Any

from django.contrib.auth.hashers import check_password, make_password
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from apps.accounts.models import Preferences, User, normal_address
from apps.accounts.services.tokens import TokenPair, issue_tokens, revoke_all
from apps.core.errors import DomainError, ErrorCode, Invalid, NotFound

# Verified for unknown addresses too, so that the answer takes as long as for known ones.
_DECOY = make_password("a password nobody has")


class WrongCredentials(DomainError):
    code = ErrorCode.NOT_AUTHENTICATED
    status = 401
    message = "Wrong e-mail address or password."


def register(
    *, email_address: str, password: str, name: str, now: dt.datetime
) -> tuple[User, TokenPair]:
    """Make an account and sign it in. Raises Invalid for a taken address or weak password."""
    address = normal_address(email_address)
    _check_strength(password, User(email_address=address, name=name), field="password")
    try:
        with transaction.atomic():
            user = User.objects.create_user(address, password, name=name)
            Preferences.objects.create(user=user)
            return user, issue_tokens(user=user, now=now)
    except IntegrityError:
        raise Invalid(
            fields={"email_address": ["there is already an account with this address"]}
        ) from None


def sign_in(*, email_address: str, password: str, now: dt.datetime) -> tuple[User, TokenPair]:
    """Check the password and start a session. Raises WrongCredentials."""
    user = User.objects.filter(email_address=normal_address(email_address), is_active=True).first()
    stored = user.password if user is not None and user.has_usable_password() else _DECOY
    if not check_password(password, stored) or user is None:
        raise WrongCredentials
    return user, issue_tokens(user=user, now=now)


def sign_in_demo(*, now: dt.datetime) -> tuple[User, TokenPair]:
    """Start a session of the demo account. Raises NotFound where there is none."""
    user = User.objects.filter(is_demo=True, is_active=True).order_by("pk").first()
    if user is None:
        raise NotFound
    return user, issue_tokens(user=user, now=now)


def change_password(
    *, user: User, current_password: str, new_password: str, now: dt.datetime
) -> TokenPair:
    """Set a new password and end every other session. Raises Invalid."""
    if not check_password(current_password, user.password):
        raise Invalid(fields={"current_password": ["is not your present password"]})
    _check_strength(new_password, user, field="new_password")
    with transaction.atomic():
        user.set_password(new_password)
        user.save(update_fields=["password", "updated_at"])
        revoke_all(user=user, now=now)
        return issue_tokens(user=user, now=now)


def edit_profile(*, user: User, changes: dict[str, Any]) -> User:
    """Change the name."""
    for field in changes:
        if field not in {"name"}:
            raise Invalid(fields={field: ["cannot be changed here"]})
        setattr(user, field, changes[field])
    user.save(update_fields=[*changes, "updated_at"])
    return user


def edit_preferences(*, user: User, changes: dict[str, Any]) -> Preferences:
    """Change what the account remembers. Raises Invalid."""
    preferences = preferences_of(user=user)
    for field, value in changes.items():
        setattr(preferences, field, value)
    if preferences.last_sold_recent_days > preferences.last_sold_moderate_days:
        raise Invalid(fields={"last_sold_recent_days": ["must not exceed last_sold_moderate_days"]})
    preferences.save(update_fields=[*changes, "updated_at"])
    return preferences


def preferences_of(*, user: User) -> Preferences:
    """Return the user's preferences, with the defaults on first use."""
    preferences, _ = Preferences.objects.get_or_create(user=user)
    return preferences


def _check_strength(password: str, user: User, *, field: str) -> None:
    try:
        validate_password(password, user)
    except ValidationError as weak:
        raise Invalid(fields={field: list(weak.messages)}) from None
