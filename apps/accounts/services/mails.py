"""The mails: fixed text and a link. They contain no text typed by a person."""

import logging
import smtplib
import sys

from django.conf import settings
from django.core.mail import send_mail

from apps.accounts.models import User
from apps.core.jobs.run import TryLater

logger = logging.getLogger(__name__)


def send_link(*, user: User, subject: str, text: str, link: str, **facts: str) -> None:
    """Send `text` with `{link}` and the `facts` filled in to the user's address. Raises TryLater.

    Where no mail is set up, the operator is at the machine: the link is printed.
    """
    product = settings.PRODUCT_NAME
    address = f"{settings.PUBLIC_URL}{link}"
    if not settings.MAIL_IS_SENT:
        if settings.PRODUCTION:
            logger.error("no mail was sent to account %s: EMAIL_URL is not set", user.pk)
            return
        # Past the log, which hides what looks like a secret.
        sys.stdout.write(
            f"{subject.format(product=product)}, for {user.email_address}: {address}\n"
        )
        sys.stdout.flush()
        return
    try:
        send_mail(
            subject=subject.format(product=product),
            message=text.format(product=product, link=address, **facts),
            from_email=None,
            recipient_list=[user.email_address],
        )
    except (OSError, smtplib.SMTPException) as problem:
        raise TryLater("The mail server does not take the message") from problem
