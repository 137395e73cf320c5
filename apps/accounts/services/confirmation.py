"""Confirming an address: by a link that is sent there, the only mail until it is followed."""

import datetime as dt
from typing import Final

from django.conf import settings
from django.core import signing

from apps.accounts.models import User
from apps.accounts.selectors import is_address_confirmed
from apps.accounts.services.mails import send_link
from apps.core.errors import DomainError, ErrorCode
from apps.core.jobs.dispatch import start_job

SEND_CONFIRMATION: Final = "accounts.send_confirmation"
GOOD_FOR: Final = dt.timedelta(days=7)
SALT: Final = "accounts.confirm_address"

SUBJECT = "Please confirm your address at {product}"
TEXT = """Hello,

this address was given for an account at {product}. To confirm that it is yours,
open this link within a week:

{link}

If the account is not yours, you need not do anything: this address gets no other
mail from us.
"""


class ConfirmationRefused(DomainError):
    code = ErrorCode.VALUE_REFUSED
    message = "This link is no longer good. Please have another one sent from your profile."


def ask_for_confirmation(*, user: User) -> None:
    """Have the link sent, where mail is sent and the address is not confirmed."""
    if not is_address_confirmed(user):
        start_job(owner=None, kind=SEND_CONFIRMATION, payload={"user_id": user.pk})


def send_confirmation(*, user_id: int) -> None:
    """Send the link to an address that still waits for it. Raises TryLater."""
    user = User.objects.filter(pk=user_id, is_active=True).first()
    if user is not None and settings.MAIL_IS_SENT and not is_address_confirmed(user):
        send_link(
            user=user,
            subject=SUBJECT,
            text=TEXT,
            link=f"/signin?confirm={confirmation_token(user)}",
        )


def confirmation_token(user: User) -> str:
    """Return the token of the link: the account and its address, signed."""
    return signing.dumps([user.pk, user.email_address], salt=SALT)


def confirm_address(*, token: str, now: dt.datetime) -> None:
    """Mark the address as confirmed; twice is no error. Raises ConfirmationRefused."""
    try:
        pk, address = signing.loads(token, salt=SALT, max_age=GOOD_FOR)
    except signing.BadSignature:
        raise ConfirmationRefused from None
    rows = User.objects.filter(pk=pk, email_address=address, is_active=True)
    if not rows.update(email_confirmed_at=now, updated_at=now):
        raise ConfirmationRefused
