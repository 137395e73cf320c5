"""Jobs of accounts: sending mails, erasing accounts, deleting expired refresh tokens."""

import datetime as dt
from typing import Any

from apps.accounts.services.closing import ERASE_ACCOUNT, erase_account
from apps.accounts.services.confirmation import SEND_CONFIRMATION, send_confirmation
from apps.accounts.services.members import SEND_INVITATION, send_invitation
from apps.accounts.services.notices import SEND_NOTICE, Notice, send_notice
from apps.accounts.services.password_reset import SEND_RESET_MAIL, send_reset_mail
from apps.accounts.services.tokens import forget_expired
from apps.core.clock import now
from apps.core.jobs.models import Job
from apps.core.jobs.registry import job_handler
from apps.core.jobs.run import JobRun


@job_handler(SEND_RESET_MAIL)
def send_reset(run: JobRun, *, email_address: str, **_: Any) -> None:
    # A kill between the two sends a second mail, which is better than none.
    with run.finish():
        send_reset_mail(email_address=email_address)


@job_handler(SEND_CONFIRMATION)
def send_link_to_confirm(run: JobRun, *, user_id: int, **_: Any) -> None:
    with run.finish():
        send_confirmation(user_id=user_id)


@job_handler(SEND_NOTICE)
def send_mail_about_account(
    run: JobRun, *, user_id: int, notice: str, device: str, at: str, **_: Any
) -> None:
    with run.finish():
        send_notice(user_id=user_id, notice=Notice(notice), device=device, at=at)


@job_handler(SEND_INVITATION)
def send_link_to_join(run: JobRun, *, email_address: str, token: str, **_: Any) -> None:
    with run.finish():
        send_invitation(email_address=email_address, token=token)
    # It held the secret of the link.
    Job.objects.filter(pk=run.job.pk).update(payload={})


@job_handler(ERASE_ACCOUNT)
def erase(run: JobRun, *, user_id: int, **_: Any) -> None:
    erase_account(run, user_id=user_id)


@job_handler("accounts.forget_expired_grants", every=dt.timedelta(hours=1))
def forget_expired_grants(run: JobRun, **_: Any) -> None:
    with run.finish():
        forget_expired(now=now())
