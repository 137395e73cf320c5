"""People of a store: invited by a link that is good once, given a role, removed."""

import datetime as dt
from typing import Final

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils.crypto import get_random_string, salted_hmac

from apps.accounts.models import Invitation, Membership, Role, User, normal_address
from apps.accounts.services.mails import send_link
from apps.accounts.services.tokens import end_in_store
from apps.accounts.services.users import DemoIsShared
from apps.core.errors import DomainError, ErrorCode, NotFound, StateConflict
from apps.core.jobs.dispatch import start_job

GOOD_FOR: Final = dt.timedelta(days=7)
MOST: Final = 50
SECRET_LENGTH: Final = 43  # of 62 characters: 256 bits
SEND_INVITATION: Final = "accounts.send_invitation"

SUBJECT = "An invitation to a store at {product}"
TEXT = """Hello,

the owner of a store at {product} invites you to work in it. To join, open this link
within a week:

{link}

If you do not know of it, you need not do anything.
"""


class InvitationRefused(DomainError):
    code = ErrorCode.VALUE_REFUSED
    message = "This invitation is no longer good. Ask the owner of the store for another one."


class TooManyPeople(StateConflict):
    message = "A store has at most {most} members and open invitations."


class IsMember(StateConflict):
    message = "You work in this store already."


def invite(
    *, owner: User, role: Role, email_address: str, now: dt.datetime
) -> tuple[Invitation, str]:
    """Make an invitation; return it with its text, which is not kept.

    With an address it is mailed there, where mail is set up. Raises DemoIsShared, TooManyPeople.
    """
    if owner.is_demo:
        raise DemoIsShared
    Invitation.objects.owned_by(owner).filter(expires_at__lte=now).delete()
    people = Membership.objects.owned_by(owner).count()
    if people + Invitation.objects.owned_by(owner).count() >= MOST:
        raise TooManyPeople(most=MOST)
    text = get_random_string(SECRET_LENGTH)
    with transaction.atomic():
        made = Invitation.objects.create(
            owner=owner,
            role=role,
            token_hash=_hash(text),
            email_address=normal_address(email_address) if settings.MAIL_IS_SENT else "",
            expires_at=now + GOOD_FOR,
        )
        if made.email_address:
            # The secret is in the row of the job until the mail is sent.
            payload = {"email_address": made.email_address, "token": text}
            start_job(owner=None, kind=SEND_INVITATION, payload=payload)
    return made, text


def send_invitation(*, email_address: str, token: str) -> None:
    """Send the link, while it is good. Raises TryLater."""
    if Invitation.objects.filter(token_hash=_hash(token)).exists():
        to = User(email_address=email_address)
        send_link(user=to, subject=SUBJECT, text=TEXT, link=link_of(token))


def link_of(token: str) -> str:
    """Return the address of the page that takes an invitation up."""
    return f"/join#{token}"


def invitation_of(*, token: str, now: dt.datetime) -> Invitation:
    """Return the invitation with this text while it is good. Raises InvitationRefused."""
    open_ones = Invitation.objects.select_related("owner").filter(owner__is_active=True)
    found = open_ones.filter(token_hash=_hash(token), expires_at__gt=now).first()
    if found is None:
        raise InvitationRefused
    return found


def join(*, person: User, token: str, now: dt.datetime) -> Membership:
    """Take an invitation up; exactly one of many callers does.

    Raises DemoIsShared, InvitationRefused, IsMember.
    """
    if person.is_demo:
        raise DemoIsShared
    try:
        with transaction.atomic():
            found = invitation_of(token=token, now=now)
            if found.owner_id == person.pk:
                raise IsMember
            if not Invitation.objects.filter(pk=found.pk).delete()[0]:
                raise InvitationRefused
            return Membership.objects.create(owner=found.owner, person=person, role=found.role)
    except IntegrityError:
        raise IsMember from None


def withdraw(*, owner: User, pk: int) -> None:
    """Make an invitation no longer good. Raises NotFound."""
    if not Invitation.objects.owned_by(owner).filter(pk=pk).delete()[0]:
        raise NotFound


def remove_member(*, membership: Membership, now: dt.datetime) -> None:
    """End a membership, and the person's sessions in this store with it."""
    with transaction.atomic():
        membership.delete()
        end_in_store(user=membership.person, store=membership.owner, now=now)


def _hash(text: str) -> str:
    """Return the hash of an invitation, by a key that is made of the server's own."""
    return salted_hmac("apps.accounts.Invitation", text, algorithm="sha256").hexdigest()
