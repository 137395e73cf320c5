"""Check a second factor: a code of an app, a recovery code, or a passkey.

Who is asked gets a ticket: which account, what for, and the challenge that a passkey signs. It is
signed and good for five minutes; nothing of it is stored.
"""

import datetime as dt
import logging
import uuid
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

import pyotp
from django.conf import settings
from django.contrib.auth.hashers import check_password
from django.core import signing
from django.db.models import Q
from django.utils.crypto import get_random_string, salted_hmac

from apps.accounts.models import Authenticator, Passkey, RecoveryCode, RememberedDevice, User
from apps.accounts.rules import password_mark
from apps.accounts.services import passkeys
from apps.core.concurrency import claim
from apps.core.errors import DomainError, ErrorCode, ValueRefused
from apps.core.sealing import Unreadable, unseal_text
from apps.core.throttling import count_uses

logger = logging.getLogger(__name__)

GOOD_FOR: Final = dt.timedelta(minutes=5)
REMEMBERED_FOR: Final = dt.timedelta(days=30)
MOST_REMEMBERED: Final = 20
STEP: Final = 30  # seconds
SKEW: Final = 1  # steps that a clock may be off
GUESSES_SECONDS: Final = 300
DAY_SECONDS: Final = 24 * 60 * 60
SECRET_LENGTH: Final = 43  # of 62 characters: 256 bits
SALT: Final = "accounts.second_factor"
WRONG: Final = "is not right, or was used before"


class Purpose(StrEnum):
    """What a factor is asked for."""

    SIGN_IN = "sign-in"
    PROOF = "proof"


class SecondFactorRequired(DomainError):
    """The password is right; `data` says with what to go on."""

    code = ErrorCode.SECOND_FACTOR_REQUIRED
    message = "This account asks for a second factor."


class TooManyGuesses(DomainError):
    code = ErrorCode.RATE_LIMITED
    message = "Too many codes were tried. Wait some minutes, then try again."
    retry_after = GUESSES_SECONDS


class TicketRefused(DomainError):
    code = ErrorCode.VALUE_REFUSED
    message = "This took too long. Please begin again."


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person gave: one of them, the others are ''."""

    code: str = ""
    passkey: str = ""
    password: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a person is asked: with which methods he may answer, and what his passkeys sign."""

    ticket: str
    methods: list[str]
    passkey_options: dict[str, Any] | None


def has_factor(user: User) -> bool:
    """Return whether the account has a second factor."""
    return _has_authenticator(user) or Passkey.objects.owned_by(user).exists()


def ask(*, user: User, purpose: Purpose, now: dt.datetime) -> Asked:
    """Return what the person is asked: his factors, or his password where he has none."""
    held = list(Passkey.objects.owned_by(user).values_list("credential_id", flat=True))
    methods = ["code"] if _has_authenticator(user) else []
    methods += ["passkey"] if held else []
    if not methods:
        methods = ["password"]
    elif RecoveryCode.objects.owned_by(user).exists():
        methods.append("recovery")
    challenge = passkeys.new_challenge()
    what = [user.pk, purpose.value, password_mark(user.password), challenge, now.timestamp()]
    return Asked(
        ticket=signing.dumps(what, salt=SALT),
        methods=methods,
        passkey_options=passkeys.request_options(challenge, held) if held else None,
    )


def answer(
    *,
    ticket: str,
    purpose: Purpose,
    given: Answer,
    address: str,
    now: dt.datetime,
) -> User:
    """Check the answer; return whose it is. Call outside of a transaction: a guess counts.

    Raises TicketRefused, TooManyGuesses, Invalid.
    """
    user, challenge, asked_at = _read(ticket, purpose, now=now)
    if given.passkey:
        _check_passkey(user, given.passkey, challenge, asked_at=asked_at, now=now)
    elif given.password and not has_factor(user):
        _check_password(user, given.password, address=address, now=now)
    else:
        check_code(user=user, code=given.code, address=address, now=now)
    return user


def check_code(*, user: User, code: str, address: str, now: dt.datetime) -> None:
    """Check a code of the app or a recovery code; either is good once.

    Call outside of a transaction: a guess counts. Raises TooManyGuesses, Invalid.
    """
    _count_guess(user, address, now=now)
    typed = "".join(code.split()).replace("-", "").lower()
    is_good = (
        _use_step(user, typed, now=now)
        if typed.isdigit() and len(typed) == 6
        else _use_recovery_code(user, typed)
    )
    if not is_good:
        logger.warning("second factor refused for account %s", user.pk)
        raise ValueRefused(fields={"code": [WRONG]})


def step_of(secret: str, code: str, *, now: dt.datetime) -> int | None:
    """Return the step of 30 s that a code is of, at most one away from now's; None for none."""
    app = pyotp.TOTP(secret)
    present = int(now.timestamp()) // STEP
    steps = range(present - SKEW, present + SKEW + 1)
    # All are compared, each in constant time, so that the answer's time says nothing.
    right = [step for step in steps if pyotp.utils.strings_equal(app.at(step * STEP), code)]
    return right[-1] if right else None


def hash_of_recovery_code(user: User, code: str) -> str:
    """Return the hash of a recovery code, by a key that is made of the server's own."""
    return salted_hmac(
        "apps.accounts.RecoveryCode", f"{user.pk}:{code}", algorithm="sha256"
    ).hexdigest()


def remember_device(*, user: User, family: uuid.UUID, device: str, now: dt.datetime) -> str:
    """Let this browser sign in for 30 days without the factor; return what it keeps."""
    text = get_random_string(SECRET_LENGTH)
    RememberedDevice.objects.create(
        owner=user,
        token_hash=_hash_of_device(text),
        device=device,
        family=family,
        expires_at=now + REMEMBERED_FOR,
    )
    newest = RememberedDevice.objects.owned_by(user).order_by("-pk").values_list("pk", flat=True)
    RememberedDevice.objects.filter(pk__in=list(newest[MOST_REMEMBERED:])).delete()
    return text


def remembered_device(*, user: User, text: str, now: dt.datetime) -> RememberedDevice | None:
    """Return the device that keeps this text, while it is remembered."""
    found = RememberedDevice.objects.owned_by(user).filter(expires_at__gt=now)
    return found.filter(token_hash=_hash_of_device(text)).first() if text else None


def _has_authenticator(user: User) -> bool:
    return Authenticator.objects.owned_by(user).filter(confirmed_at__isnull=False).exists()


def _read(ticket: str, purpose: Purpose, *, now: dt.datetime) -> tuple[User, str, dt.datetime]:
    try:
        pk, meant, mark, challenge, asked = signing.loads(ticket, salt=SALT)
        asked_at = dt.datetime.fromtimestamp(asked, dt.UTC)
    except (signing.BadSignature, ValueError, TypeError):
        raise TicketRefused from None
    user = User.objects.filter(pk=pk, is_active=True).first()
    is_fresh = now - GOOD_FOR <= asked_at <= now
    if user is None or meant != purpose or not is_fresh or mark != password_mark(user.password):
        raise TicketRefused
    return user, challenge, asked_at


def _count_guess(user: User, address: str, *, now: dt.datetime) -> None:
    limits = settings.FACTOR_LIMITS
    soon = {
        f"factor-address:{address}": limits["address_per_minutes"],
        f"factor-account:{user.pk}": limits["account_per_minutes"],
    }
    day = {f"factor-account:{user.pk}": limits["account_per_day"]}
    if not count_uses(soon, seconds=GUESSES_SECONDS, now=now) or not count_uses(
        day, seconds=DAY_SECONDS, now=now
    ):
        raise TooManyGuesses


def _use_step(user: User, code: str, *, now: dt.datetime) -> bool:
    """Return whether the code is right; exactly one of many callers uses it."""
    held = Authenticator.objects.owned_by(user).filter(confirmed_at__isnull=False)
    found = held.first()
    if found is None:
        return False
    try:
        step = step_of(unseal_text(found.sealed_secret), code, now=now)
    except Unreadable:
        logger.exception("the second factor of account %s cannot be read", user.pk)
        return False
    if step is None:
        return False
    return claim(held, where={"last_step__lt": step}, set={"last_step": step})


def _use_recovery_code(user: User, code: str) -> bool:
    held = RecoveryCode.objects.owned_by(user)
    return bool(held.filter(code_hash=hash_of_recovery_code(user, code)).delete()[0])


def _check_passkey(
    user: User, text: str, challenge: str, *, asked_at: dt.datetime, now: dt.datetime
) -> None:
    held = Passkey.objects.owned_by(user)
    found = held.filter(credential_id=passkeys.id_of(text)).first()
    count = found and passkeys.verified_count(
        text, challenge, public_key=found.public_key, sign_count=found.sign_count
    )
    if found is None or count is None:
        logger.warning("passkey refused for account %s", user.pk)
        raise ValueRefused(fields={"passkey": ["is not one of this account"]})
    # An answer counts once, and none that was asked for before it.
    changed = {"sign_count": count, "asked_at": asked_at, "last_used_at": now}
    rows = held.filter(pk=found.pk)
    if not claim(rows, where=Q(asked_at=None) | Q(asked_at__lt=asked_at), set=changed):
        raise TicketRefused


def _check_password(user: User, password: str, *, address: str, now: dt.datetime) -> None:
    _count_guess(user, address, now=now)
    if not check_password(password, user.password):
        raise ValueRefused(fields={"password": ["is not your password"]})


def _hash_of_device(text: str) -> str:
    return salted_hmac("apps.accounts.RememberedDevice", text, algorithm="sha256").hexdigest()
