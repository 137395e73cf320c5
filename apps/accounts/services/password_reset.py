"""A forgotten password: a link by mail, good once and for an hour.

Asking answers the same, and does the same work, whether or not there is such an
account: it writes a job, and only the job looks.
"""

import datetime as dt
from collections.abc import Callable

from django.contrib.auth.hashers import make_password
from django.contrib.auth.tokens import default_token_generator
from django.db import transaction
from django.db.models import QuerySet
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_decode, urlsafe_base64_encode

from apps.accounts.models import User, normal_address
from apps.accounts.selectors import is_address_confirmed
from apps.accounts.services.confirmation import send_confirmation
from apps.accounts.services.mails import send_link
from apps.accounts.services.users import check_strength, set_password
from apps.core.concurrency import lock_in_order
from apps.core.errors import DomainError, ErrorCode
from apps.core.jobs.dispatch import start_job
from apps.core.jobs.models import Job

SEND_RESET_MAIL = "accounts.send_reset_mail"

SUBJECT = "A new password for {product}"
TEXT = """Hello,

somebody, we hope you, asked to set a new password at {product}. Within an hour,
open this address:

{link}

If it was not you, nothing has changed and nothing needs to be done.
"""


class ResetRefused(DomainError):
    code = ErrorCode.VALUE_REFUSED
    message = "This link is no longer good. Please ask for a new one."


def ask_for_reset(*, email_address: str) -> Job:
    """Have a link sent to the address if there is such an account."""
    return start_job(
        owner=None,
        kind=SEND_RESET_MAIL,
        payload={"email_address": normal_address(email_address)},
    )


def send_reset_mail(*, email_address: str) -> bool:
    """Send the link. Return whether there is such an account. Raises TryLater.

    An unconfirmed address is sent the link to confirm it instead.
    """
    user = User.objects.filter(email_address=email_address, is_active=True, is_demo=False).first()
    if user is None:
        return False
    if is_address_confirmed(user):
        send_link(user=user, subject=SUBJECT, text=TEXT, link=f"/signin?reset={reset_token(user)}")
    else:
        send_confirmation(user_id=user.pk)
    return True


def reset_token(user: User) -> str:
    """Return the token of the link: the account, and a token that a change of the account invalidates."""
    account = urlsafe_base64_encode(force_bytes(user.pk))
    return f"{account}.{default_token_generator.make_token(user)}"


def reset_password(*, token: str, new_password: str, now: dt.datetime) -> User:
    """Set a new password and end every session. Raises ResetRefused, Invalid."""
    user = account_of(token)
    if user is None:
        raise ResetRefused
    check_strength(new_password, user, field="new_password")
    hashed = make_password(new_password)
    with transaction.atomic():
        # Locked, so that of two uses of one link the second sees the first's password.
        user = _account_of(token, lock_in_order)
        if user is None:
            raise ResetRefused
        set_password(user=user, hashed=hashed, now=now)
    return user


def account_of(token: str) -> User | None:
    """Return whose password the token may set, None where it is no longer good."""
    return _account_of(token, list)


def _account_of(token: str, read: Callable[[QuerySet[User]], list[User]]) -> User | None:
    account, _, secret = token.partition(".")
    try:
        pk = int(urlsafe_base64_decode(account))
    except (ValueError, UnicodeDecodeError):
        return None
    rows = read(User.objects.filter(pk=pk, is_active=True, is_demo=False))
    good = bool(rows) and default_token_generator.check_token(rows[0], secret)
    return rows[0] if good else None
