"""Add and remove the factors of an account: the app, passkeys, recovery codes, devices.

The API asks for a proof before each of these (`api/scopes.py`); here nothing is asked again.
"""

import datetime as dt
import logging
from typing import Final

import pyotp
from django.conf import settings
from django.core import signing
from django.db import IntegrityError, transaction
from django.utils.crypto import get_random_string

from apps.accounts.models import Authenticator, Passkey, RecoveryCode, RememberedDevice, User
from apps.accounts.services import passkeys
from apps.accounts.services.factors import (
    GOOD_FOR,
    WRONG,
    TicketRefused,
    has_factor,
    hash_of_recovery_code,
    step_of,
)
from apps.accounts.services.notices import Notice, ask_for_notice
from apps.accounts.services.users import DemoIsShared
from apps.core.errors import NotFound, StateConflict, ValueRefused
from apps.core.sealing import seal_text, unseal_text

logger = logging.getLogger(__name__)

RECOVERY_CODES: Final = 10
MOST_PASSKEYS: Final = 20
# Without letters and digits that look alike; ten of them are 49 bits.
LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
SALT: Final = "accounts.new_passkey"


class HasAuthenticator(StateConflict):
    message = "This account has an authenticator app already. Remove that one first."


class TooManyPasskeys(StateConflict):
    message = "You have {most} passkeys. Remove one that is no longer used."


def begin_authenticator(*, user: User) -> tuple[str, str]:
    """Make a secret for an app, which does not count yet; return it and the address of its QR code.

    Raises DemoIsShared, HasAuthenticator.
    """
    if user.is_demo:
        raise DemoIsShared
    secret = pyotp.random_base32()
    with transaction.atomic():
        made, _ = Authenticator.objects.get_or_create(
            owner=user, defaults={"sealed_secret": seal_text(secret)}
        )
        # A condition, not a look before: another page may confirm its own just now.
        waiting = Authenticator.objects.filter(pk=made.pk, confirmed_at=None)
        if not waiting.update(sealed_secret=seal_text(secret), last_step=0):
            raise HasAuthenticator
    uri = pyotp.TOTP(secret).provisioning_uri(
        name=user.email_address, issuer_name=settings.PRODUCT_NAME
    )
    return secret, uri


def confirm_authenticator(*, user: User, code: str, now: dt.datetime) -> list[str]:
    """Let the app count, by a code of it; return the recovery codes where these are the first.

    Raises NotFound, Invalid.
    """
    with transaction.atomic():
        waiting = Authenticator.objects.owned_by(user).filter(confirmed_at=None)
        found = waiting.first()
        if found is None:
            raise NotFound
        step = step_of(unseal_text(found.sealed_secret), "".join(code.split()), now=now)
        if step is None:
            raise ValueRefused(fields={"code": [WRONG]})
        codes = _first_codes(user)
        same = waiting.filter(sealed_secret=found.sealed_secret)
        if not same.update(confirmed_at=now, last_step=step):
            raise NotFound
        _tell(user, Notice.FACTOR_ADDED, now=now)
        return codes


def remove_authenticator(*, user: User, now: dt.datetime) -> None:
    """Let the app of the account no longer count. Raises NotFound."""
    with transaction.atomic():
        if not Authenticator.objects.owned_by(user).delete()[0]:
            raise NotFound
        _after_removal(user, now=now)


def begin_passkey(*, user: User, now: dt.datetime) -> tuple[str, dict[str, object]]:
    """Return a ticket and what the browser makes a passkey by. Raises DemoIsShared, TooManyPasskeys."""
    if user.is_demo:
        raise DemoIsShared
    held = list(Passkey.objects.owned_by(user).values_list("credential_id", flat=True))
    if len(held) >= MOST_PASSKEYS:
        raise TooManyPasskeys(most=MOST_PASSKEYS)
    challenge = passkeys.new_challenge()
    ticket = signing.dumps([user.pk, challenge, now.timestamp()], salt=SALT)
    return ticket, passkeys.creation_options(challenge, held, user=user)


def add_passkey(
    *, user: User, ticket: str, name: str, passkey: str, now: dt.datetime
) -> tuple[Passkey, list[str]]:
    """Keep a passkey; return it, and the recovery codes where these are the first.

    Raises TicketRefused, Invalid.
    """
    try:
        pk, challenge, asked = signing.loads(ticket, salt=SALT, max_age=GOOD_FOR)
    except signing.BadSignature:
        raise TicketRefused from None
    if pk != user.pk:
        raise TicketRefused
    made = passkeys.verified_key(passkey, challenge)
    if made is None:
        raise ValueRefused(fields={"passkey": ["is not right: the device's answer cannot be read"]})
    credential_id, public_key, sign_count = made
    try:
        with transaction.atomic():
            codes = _first_codes(user)
            kept = Passkey.objects.create(
                owner=user,
                name=name,
                credential_id=credential_id,
                public_key=public_key,
                sign_count=sign_count,
                asked_at=dt.datetime.fromtimestamp(asked, dt.UTC),
            )
            _tell(user, Notice.FACTOR_ADDED, now=now)
            return kept, codes
    except IntegrityError:
        raise ValueRefused(fields={"passkey": ["is kept for an account already"]}) from None


def remove_passkey(*, user: User, pk: int, now: dt.datetime) -> None:
    """Let a passkey no longer count. Raises NotFound."""
    with transaction.atomic():
        if not Passkey.objects.owned_by(user).filter(pk=pk).delete()[0]:
            raise NotFound
        _after_removal(user, now=now)


def renew_recovery_codes(*, user: User, now: dt.datetime) -> list[str]:
    """Make ten recovery codes in place of those that are left. Raises NotFound without a factor."""
    with transaction.atomic():
        if not has_factor(user):
            raise NotFound
        _tell(user, Notice.RECOVERY_CODES_RENEWED, now=now)
        return _make_codes(user)


def forget_device(*, user: User, pk: int) -> None:
    """Have a browser asked for the factor again. Raises NotFound."""
    if not RememberedDevice.objects.owned_by(user).filter(pk=pk).delete()[0]:
        raise NotFound


def reset_factors(*, user: User, now: dt.datetime) -> int:
    """Remove every factor of an account; return how many. For the operator: it is logged and mailed."""
    with transaction.atomic():
        removed: int = Authenticator.objects.owned_by(user).delete()[0]
        removed += Passkey.objects.owned_by(user).delete()[0]
        _forget_what_goes_with_factors(user)
        if removed:
            ask_for_notice(user=user, notice=Notice.FACTORS_RESET, now=now)
            logger.warning("second factor of account %s reset by the operator", user.pk)
    return removed


def _after_removal(user: User, *, now: dt.datetime) -> None:
    if not has_factor(user):
        _forget_what_goes_with_factors(user)
    _tell(user, Notice.FACTOR_REMOVED, now=now)


def _forget_what_goes_with_factors(user: User) -> None:
    RecoveryCode.objects.owned_by(user).delete()
    RememberedDevice.objects.owned_by(user).delete()


def _first_codes(user: User) -> list[str]:
    """Return recovery codes for an account that gets its first factor, none for another."""
    return [] if has_factor(user) else _make_codes(user)


def _make_codes(user: User) -> list[str]:
    codes = [get_random_string(10, LETTERS) for _ in range(RECOVERY_CODES)]
    RecoveryCode.objects.owned_by(user).delete()
    RecoveryCode.objects.bulk_create(
        RecoveryCode(owner=user, code_hash=hash_of_recovery_code(user, code)) for code in codes
    )
    return [f"{code[:5]}-{code[5:]}" for code in codes]


def _tell(user: User, notice: Notice, *, now: dt.datetime) -> None:
    logger.info("account %s: %s", user.pk, notice.value)
    ask_for_notice(user=user, notice=notice, now=now)
