"""Users, their preferences, and their refresh tokens."""

import ipaddress
import uuid
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower

from apps.accounts.rules import why_not_a_name
from apps.core.clock import is_time_zone
from apps.core.currencies import CURRENCIES
from apps.core.ownership import IndexedByOwner, OwnedModel


class UserManager(BaseUserManager["User"]):
    def create_user(self, email_address: str, password: str | None = None, **also: Any) -> "User":
        user = self.model(email_address=normal_address(email_address), **also)
        user.set_password(password)
        user.save(force_insert=True)
        return user

    def create_superuser(
        self, email_address: str, password: str | None = None, **also: Any
    ) -> "User":
        also.setdefault("name", email_address.partition("@")[0])
        return self.create_user(email_address, password, is_staff=True, is_superuser=True, **also)

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email_address=normal_address(username or ""))


def normal_address(text: str) -> str:
    """Return the address as it is stored: trimmed, lower case."""
    return text.strip().lower()


class Units(models.TextChoices):
    """The unit in which weights are shown."""

    GRAMS = "g", "grams"
    OUNCES = "oz", "ounces"


class User(AbstractBaseUser, PermissionsMixin):
    """A person, known by e-mail address."""

    email_address = models.EmailField(unique=True)
    email_confirmed_at = models.DateTimeField(null=True, blank=True)
    name = models.CharField(max_length=150)
    is_staff = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    is_demo = models.BooleanField(default=False)
    bidder_name = models.CharField(max_length=100, blank=True)
    zip_code = models.CharField(max_length=12, blank=True)
    units = models.CharField(max_length=2, choices=Units, default=Units.GRAMS)
    time_zone = models.CharField(max_length=64, blank=True)  # blank: the browser's
    seller_address = models.TextField(blank=True, default="", help_text="on packing slips")
    vat_id = models.CharField(max_length=40, blank=True, default="", help_text="the same")
    buyer_data_months = models.PositiveSmallIntegerField(
        default=24, help_text="names, addresses and mails of buyers are erased after these"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    objects = UserManager()

    USERNAME_FIELD = "email_address"
    EMAIL_FIELD = "email_address"
    REQUIRED_FIELDS = ["name"]

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(email_address=Lower("email_address")),
                name="user_email_address_is_lower_case",
            ),
        )

    def __str__(self) -> str:
        return self.email_address

    def clean(self) -> None:
        """Normalise the address, and validate the name and the time zone."""
        super().clean()
        self.email_address = normal_address(self.email_address)
        if why := why_not_a_name(self.name):
            raise ValidationError({"name": why})
        if self.time_zone and not is_time_zone(self.time_zone):
            raise ValidationError({"time_zone": "Enter a time zone such as Europe/Berlin."})


class Preferences(models.Model):
    """The preferences stored with an account. Preferences of a browser are stored there."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="preferences")
    currency = models.CharField(
        max_length=3, default="USD", choices=[(code, code) for code in CURRENCIES]
    )
    last_sold_recent_days = models.PositiveSmallIntegerField(default=30)
    last_sold_moderate_days = models.PositiveSmallIntegerField(default=180)
    inventory_views = models.JSONField(
        default=list, blank=True, help_text="the person's own views: name and query of each"
    )
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name_plural = "preferences"
        constraints = (
            models.CheckConstraint(
                condition=Q(last_sold_recent_days__lte=models.F("last_sold_moderate_days")),
                name="preferences_recent_is_within_moderate",
            ),
        )

    def __str__(self) -> str:
        return f"preferences of {self.user}"


class Erasure(models.Model):
    """The account that this transaction erases. Other transactions never see the row.

    Triggers refuse to delete protected rows, such as the ledger, unless this row names their owner.
    """

    # A plain id: the row is deleted on its own, not with the account.
    holder_id = models.BigIntegerField(primary_key=True)

    def __str__(self) -> str:
        return f"erasure of {self.holder_id}"


class Role(models.TextChoices):
    """What a person may do in a store; `api/scopes.py` has the table."""

    OWNER = "owner"
    MANAGER = "manager"
    SORTER = "sorter"
    PICKER = "picker"


#: The owner is no member: the store is his account.
MEMBERS_ROLES = [(role.value, role.label) for role in Role if role != Role.OWNER]


class Membership(OwnedModel):
    """A person who works in the store of `owner`, who invited him, since `created_at`."""

    person = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    role = models.CharField(max_length=8, choices=MEMBERS_ROLES)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["owner", "person"], name="membership_once"),
            models.CheckConstraint(
                condition=~Q(owner=models.F("person")), name="membership_of_another_person"
            ),
        )

    def __str__(self) -> str:
        return f"{self.person_id} in the store of {self.owner_id}: {self.role}"


class Invitation(OwnedModel):
    """A link by which one person joins the store of `owner`. Its text is kept as a keyed hash."""

    role = models.CharField(max_length=8, choices=MEMBERS_ROLES)
    token_hash = models.CharField(max_length=64, unique=True)
    email_address = models.EmailField(blank=True, help_text="where it was mailed; else blank")
    expires_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.role} of {self.owner_id}"


class RefreshGrant(models.Model):
    """One refresh token. Using it replaces it; a replaced one answers for 60 s more.

    Grants that descend from one sign-in share a `family`. Use of a replaced grant after the grace
    period revokes the family, since the token must have been copied.
    """

    jti = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    family = models.UUIDField(db_index=True)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="refresh_grants")
    store = models.ForeignKey(
        User,
        on_delete=models.CASCADE,
        null=True,
        related_name="+",
        help_text="null: the user's own",
    )
    issued_at = models.DateTimeField()
    expires_at = models.DateTimeField(db_index=True)
    device = models.CharField(max_length=60, blank=True)
    password_mark = models.CharField(max_length=64, help_text="rules.password_mark")
    replaced_by = models.OneToOneField(
        "self", on_delete=models.SET_NULL, null=True, related_name="replaces"
    )
    replaced_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            # Not the other way round: an expired successor is forgotten first.
            models.CheckConstraint(
                condition=Q(replaced_by=None) | Q(replaced_at__isnull=False),
                name="refresh_grant_replaced_by_has_an_instant",
            ),
        )

    def __str__(self) -> str:
        return f"{self.jti} of {self.user_id}"


class ApiToken(OwnedModel):
    """What a program calls the API with, in its owner's name and within its scopes.

    Its text is shown once: kept are the public part, by which it is found, and a keyed hash.
    """

    public = models.CharField(max_length=16, unique=True)
    token_hash = models.CharField(max_length=64)
    name = models.CharField(max_length=60)
    scopes = models.JSONField(default=list, help_text="such as stock:read")
    addresses = models.JSONField(
        default=list, blank=True, help_text="networks it is allowed from; none: from anywhere"
    )
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True, blank=True, help_text="to the minute")

    class Meta:
        verbose_name = "API token"

    def __str__(self) -> str:
        return f"{self.name} ({self.public})"

    @property
    def person(self) -> User:
        """Return who acts by it: its owner."""
        return self.owner

    def is_allowed_from(
        self, address: ipaddress.IPv4Address | ipaddress.IPv6Address | None
    ) -> bool:
        """Return whether it may be used from `address`; None is an unknown one."""
        if not self.addresses:
            return True
        networks = [ipaddress.ip_network(text, strict=False) for text in self.addresses]
        return address is not None and any(address in network for network in networks)


class Authenticator(IndexedByOwner):
    """The app of its owner that makes codes (TOTP); it counts once a code of it was typed."""

    sealed_secret = models.TextField(help_text="encrypted, see core/sealing.py")
    confirmed_at = models.DateTimeField(null=True, blank=True)
    last_step = models.BigIntegerField(
        default=0, help_text="of 30 s, whose code was used: none up to it counts again"
    )

    class Meta:
        constraints = (models.UniqueConstraint(fields=["owner"], name="authenticator_once"),)

    def __str__(self) -> str:
        return f"authenticator of {self.owner_id}"


class Passkey(OwnedModel):
    """A key that a device of its owner keeps (WebAuthn)."""

    name = models.CharField(max_length=60)
    credential_id = models.CharField(max_length=1_400, unique=True, help_text="base64url")
    public_key = models.TextField(help_text="base64url")
    sign_count = models.BigIntegerField(default=0)
    asked_at = models.DateTimeField(
        null=True, blank=True, help_text="of the question answered last: no older one counts"
    )
    last_used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.name


class RecoveryCode(OwnedModel):
    """One of ten codes for who has lost his second factor; using it deletes it."""

    code_hash = models.CharField(max_length=64, unique=True)

    def __str__(self) -> str:
        return f"recovery code of {self.owner_id}"


class RememberedDevice(OwnedModel):
    """A browser that is not asked for the second factor, which has been given there before."""

    token_hash = models.CharField(max_length=64, unique=True)
    device = models.CharField(max_length=60, blank=True)
    family = models.UUIDField(help_text="the session that began there last")
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.device} of {self.owner_id}"
