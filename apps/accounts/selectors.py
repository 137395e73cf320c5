"""An account as the browser keeps it."""

import datetime as dt
import uuid
from dataclasses import dataclass
from typing import Any, cast

from django.conf import settings
from django.core.management.base import CommandError
from django.db import connection
from django.db.models import QuerySet
from django.http import HttpRequest
from rest_framework.request import Request

from apps.accounts.models import (
    Authenticator,
    Membership,
    Passkey,
    Preferences,
    RecoveryCode,
    RefreshGrant,
    RememberedDevice,
    Role,
    User,
    normal_address,
)
from apps.accounts.rules import password_mark
from apps.core.ownership import acting_person, person_of

MAX_SESSIONS = 100
_SESSION_USER = """
    SELECT u.*, g.password_mark, g.store_id, m.role
    FROM accounts_user u JOIN accounts_refreshgrant g ON g.user_id = u.id
    LEFT JOIN accounts_membership m ON m.owner_id = g.store_id AND m.person_id = u.id
    WHERE g.jti = %s AND g.revoked_at IS NULL AND u.id = %s AND u.is_active
"""


def caller_of(request: Request | HttpRequest) -> User:
    """Return who acts in a request. The view's permission must refuse anonymous requests."""
    return cast("User", person_of(request))


def store_of(request: Request | HttpRequest) -> User:
    """Return whose rows a request reads and writes: the account of the store."""
    return cast("User", request.user)


def who_acts(owner: User) -> User:
    """Return who acts in the store of `owner`: a member, or the owner."""
    acting = acting_person()
    if acting is None or acting == owner.pk:
        return owner
    return User.objects.filter(pk=acting).first() or owner


def owner_named(address: str) -> User:
    """Return the user with the address given to a command. Raises CommandError."""
    owner = User.objects.filter(email_address=normal_address(address)).first()
    if owner is None:
        raise CommandError(f"There is no user {address}.", returncode=2)
    return owner


def runs_server(user: User) -> bool:
    """Whether the user may change what is everybody's: staff who may import catalogues.

    On a machine of one's own nobody has to be made staff: the first account may, too.
    """
    if user.is_staff and user.has_perm("catalog.add_importrun"):
        return True
    if settings.PRODUCTION or user.is_demo:
        return False
    people = User.objects.filter(is_demo=False, is_active=True).order_by("pk")
    return people.values_list("pk", flat=True).first() == user.pk


def user_row(user: User) -> dict[str, Any]:
    """Return the account with its API field names, for the API and `issue_tokens`."""
    return {
        "id": user.pk,
        "email_address": user.email_address,
        "is_address_confirmed": is_address_confirmed(user),
        "name": user.name,
        "is_staff": user.is_staff,
        "is_demo": user.is_demo,
        "bidder_name": user.bidder_name,
        "zip_code": user.zip_code,
        "units": user.units,
        "time_zone": user.time_zone,
        "seller_address": user.seller_address,
        "vat_id": user.vat_id,
        "buyer_data_months": user.buyer_data_months,
        "createdAt": _instant_text(user.created_at),
        "updatedAt": _instant_text(user.updated_at),
    }


def is_address_confirmed(user: User) -> bool:
    """Whether the address counts as confirmed: always, if the server sends no mail."""
    return user.email_confirmed_at is not None or user.is_demo or not settings.MAIL_IS_SENT


def currency_of(user: User) -> str:
    """Return the currency of the user's money; the default where none was ever chosen."""
    kept = Preferences.objects.filter(user=user).values_list("currency", flat=True).first()
    return kept or str(Preferences._meta.get_field("currency").get_default())


@dataclass(frozen=True, slots=True)
class Acting:
    """Who acts in whose store, and as what."""

    person: User
    store: User
    role: Role


def acting_of(*, account: int, grant: uuid.UUID) -> Acting | None:
    """Return who acts where in a session that lasts, by the grant of its token.

    A session that began with an older password does not, however the new one was set; nor does
    one in a store that the person has left.
    """
    # As SQL: on every request, building this join took longer than running it.
    key = RefreshGrant._meta.pk.get_db_prep_value(grant, connection)
    found: Any = next(iter(User.objects.raw(_SESSION_USER, [key, account])), None)
    if found is None or found.password_mark != password_mark(found.password):
        return None
    person = cast("User", found)
    if found.store_id is None:
        return Acting(person, person, Role.OWNER)
    store = found.role and User.objects.filter(pk=found.store_id, is_active=True).first()
    return Acting(person, store, Role(found.role)) if store else None


def stores_of(person: User) -> list[dict[str, Any]]:
    """Return the stores that a person can act in: his own first, others by name."""
    found = Membership.objects.filter(person=person, owner__is_active=True)
    others = found.order_by("owner__name", "owner").values_list("owner", "owner__name", "role")
    own = (person.pk, person.name, Role.OWNER.value)
    return [{"id": pk, "name": name, "role": role} for pk, name, role in (own, *others)]


def last_store_of(person: User) -> User | None:
    """Return the store of another one that a person acted in last, while he is a member."""
    grants = RefreshGrant.objects.filter(user=person).order_by("-issued_at")
    last = grants.values_list("store", flat=True).first()
    if last is None:
        return None
    return User.objects.filter(pk__in=membership_in(last, person).values("owner")).first()


def membership_in(store_id: int, person: User) -> QuerySet[Membership]:
    """Return the membership of a person in a store whose owner has not left, if any."""
    return Membership.objects.filter(owner=store_id, owner__is_active=True, person=person)


def sessions(*, user: User, grant: uuid.UUID | None, now: dt.datetime) -> list[dict[str, Any]]:
    """Return the sessions of `user`, last used first: at most 100 rows.

    `grant` is the grant of the caller's token: its session is `current`. The demo account is
    shared, so its users see only their own session.
    """
    here = grant and RefreshGrant.objects.filter(pk=grant).values_list("family", flat=True).first()
    newest = RefreshGrant.objects.filter(
        user=user, revoked_at=None, replaced_at=None, expires_at__gt=now
    ).order_by("-issued_at", "pk")
    if user.is_demo:
        newest = newest.filter(family__in=[here] if here else [])
    return [
        {
            "id": str(row["family"]),
            "device": row["device"],
            "lastUsedAt": _instant_text(row["issued_at"]),
            "current": row["family"] == here,
        }
        for row in newest.values("family", "device", "issued_at")[:MAX_SESSIONS]
    ]


def second_factor_row(user: User, *, now: dt.datetime) -> dict[str, Any]:
    """Return what the account has as a second factor, without any secret."""
    app = Authenticator.objects.owned_by(user).filter(confirmed_at__isnull=False)
    passkeys = Passkey.objects.owned_by(user).order_by("pk")
    devices = RememberedDevice.objects.owned_by(user).filter(expires_at__gt=now).order_by("-pk")
    return {
        "has_app": app.exists(),
        "passkeys": [
            {
                "id": row.pk,
                "name": row.name,
                "createdAt": _instant_text(row.created_at),
                "lastUsedAt": row.last_used_at and _instant_text(row.last_used_at),
            }
            for row in passkeys
        ],
        "recovery_codes_left": RecoveryCode.objects.owned_by(user).count(),
        "devices": [
            {
                "id": row.pk,
                "device": row.device,
                "createdAt": _instant_text(row.created_at),
                "expiresAt": _instant_text(row.expires_at),
            }
            for row in devices
        ],
    }


def _instant_text(instant: dt.datetime) -> str:
    utc = instant.astimezone(dt.UTC).replace(tzinfo=None)
    return f"{utc.isoformat(timespec='microseconds')}Z"
