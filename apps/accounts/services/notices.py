"""Mails about what was done with an account, so that its owner can act where it was somebody else."""

import datetime as dt
from enum import StrEnum
from typing import Final

from django.conf import settings

from apps.accounts.models import User
from apps.accounts.selectors import is_address_confirmed
from apps.accounts.services.mails import send_link
from apps.core.jobs.dispatch import start_job

SEND_NOTICE: Final = "accounts.send_notice"


class Notice(StrEnum):
    """What was done."""

    PASSWORD_CHANGED = "password_changed"
    NEW_DEVICE = "new_device"
    NEW_TOKEN = "new_token"
    FACTOR_ADDED = "factor_added"
    FACTOR_REMOVED = "factor_removed"
    RECOVERY_CODES_RENEWED = "recovery_codes_renewed"
    FACTORS_RESET = "factors_reset"


# Subject, text, and the page that the link opens.
_MAILS: Final = {
    Notice.PASSWORD_CHANGED: (
        "Your password for {product} was changed",
        """Hello,

the password of your account at {product} was changed on {at} UTC. Everybody who was
signed in with the old one is signed out.

If it was not you, choose "Forgot password" and set a new one:

{link}
""",
        "/signin",
    ),
    Notice.NEW_DEVICE: (
        "A new sign-in at {product}",
        """Hello,

on {at} UTC somebody signed in to your account at {product} on a device that is new
to us: {device}.

If it was not you, end that session and change your password:

{link}
""",
        "/app/profile",
    ),
    Notice.NEW_TOKEN: (
        "A new token for programs at {product}",
        """Hello,

on {at} UTC a token was made for your account at {product}: a program can use it to
read or change your store.

If it was not you, revoke it and change your password:

{link}
""",
        "/app/settings#programs",
    ),
    Notice.FACTOR_ADDED: (
        "A second factor was added at {product}",
        """Hello,

on {at} UTC an authenticator app or a passkey was added to your account at {product}.

If it was not you, remove it and change your password:

{link}
""",
        "/app/profile",
    ),
    Notice.FACTOR_REMOVED: (
        "A second factor was removed at {product}",
        """Hello,

on {at} UTC an authenticator app or a passkey was removed from your account at
{product}.

If it was not you, change your password:

{link}
""",
        "/app/profile",
    ),
    Notice.RECOVERY_CODES_RENEWED: (
        "New recovery codes at {product}",
        """Hello,

on {at} UTC new recovery codes were made for your account at {product}. Those from
before are no longer good.

If it was not you, change your password:

{link}
""",
        "/app/profile",
    ),
    Notice.FACTORS_RESET: (
        "Your second factor at {product} was reset",
        """Hello,

on {at} UTC the operator of {product} removed the second factor of your account.
To sign in, your password is enough until you add one again:

{link}

If you did not ask for this, write to the operator.
""",
        "/app/profile",
    ),
}


def ask_for_notice(*, user: User, notice: Notice, now: dt.datetime, device: str = "") -> None:
    """Have the mail sent, where mail is sent and the address is confirmed.

    `device` is in the words of `rules.device_name`.
    """
    if _is_sent_to(user):
        payload = {
            "user_id": user.pk,
            "notice": notice.value,
            "device": device,
            "at": f"{now.astimezone(dt.UTC):%Y-%m-%d %H:%M}",
        }
        start_job(owner=None, kind=SEND_NOTICE, payload=payload)


def send_notice(*, user_id: int, notice: Notice, device: str, at: str) -> None:
    """Send the mail. Raises TryLater."""
    user = User.objects.filter(pk=user_id, is_active=True).first()
    if user is not None and _is_sent_to(user):
        subject, text, link = _MAILS[notice]
        send_link(user=user, subject=subject, text=text, link=link, at=at, device=device)


def _is_sent_to(user: User) -> bool:
    return settings.MAIL_IS_SENT and not user.is_demo and is_address_confirmed(user)
