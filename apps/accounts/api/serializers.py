import datetime as dt
import uuid
from typing import Annotated

from rest_framework import serializers

from apps.accounts.api.scopes import SCOPES
from apps.accounts.models import (
    MEMBERS_ROLES,
    ApiToken,
    Invitation,
    Membership,
    Preferences,
    Role,
    Units,
    User,
)
from apps.accounts.rules import why_not_a_name
from apps.core.api.fields import (
    UNKNOWN,
    ListOf,
    Matching,
    RowId,
    Secret,
    Text,
    WholeNumber,
    YesOrNo,
)
from apps.core.api.serializers import AnswerSerializer, RowSerializer
from apps.core.clock import is_time_zone
from apps.core.currencies import CURRENCIES

MAX_PASSWORD = 200  # hashing cost grows with length
MOST_VIEWS = 30
MOST_TOKEN_DAYS = 730
_V4 = (
    r"((25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\.){3}(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
)
_H = "[0-9A-Fa-f]{1,4}"
_V6 = f"({_H}:){{7}}{_H}|({_H}:){{1,4}}(:{_H}){{1,3}}|({_H}:){{1,6}}:|::1"
#: An address or network (CIDR).
NETWORK = f"({_V4})(/(3[0-2]|[12]?[0-9]))?|({_V6})(/(12[0-8]|1[01][0-9]|[1-9]?[0-9]))?"


class Credentials(serializers.Serializer[User]):
    email_address = Text(max_length=254)
    password = Secret(max_length=MAX_PASSWORD)


class PersonName(Text):
    """A name: one line of text without addresses and links."""

    def to_internal_value(self, data: object) -> str:
        name = super().to_internal_value(data)
        if why := why_not_a_name(name):
            raise serializers.ValidationError(why)
        return name


class NewPassword(Secret):
    """A new password. The service lists every weakness."""

    def __init__(self) -> None:
        super().__init__(max_length=MAX_PASSWORD)


class Registration(serializers.Serializer[User]):
    email_address = serializers.EmailField(max_length=254)
    password = NewPassword()
    name = PersonName(max_length=150)


class RefreshRequest(serializers.Serializer[None]):
    refreshToken = Text(max_length=2_000)


class PasswordChange(serializers.Serializer[User]):
    current_password = Secret(max_length=MAX_PASSWORD)
    new_password = NewPassword()


class ResetRequest(serializers.Serializer[None]):
    email_address = Text(max_length=254)


class AccountClosing(serializers.Serializer[None]):
    email_address = Text(max_length=254, help_text="the account's own, typed once more")
    password = Secret(max_length=MAX_PASSWORD)


class AddressConfirmation(serializers.Serializer[None]):
    token = Text(max_length=600)


class PasswordReset(serializers.Serializer[None]):
    token = Text(max_length=200)
    new_password = NewPassword()


class PasswordToCheck(serializers.Serializer[None]):
    """A password while it is typed, and the name and address that it must not resemble."""

    password = Secret(max_length=MAX_PASSWORD)
    email_address = Text(max_length=254, allow_blank=True, default="")
    name = Text(max_length=150, allow_blank=True, default="")
    token = Text(
        max_length=200, allow_blank=True, default="", help_text="of the mail that resets one"
    )


class WeaknessRow(AnswerSerializer):
    message: str


class TimeZone(Text):
    """A zone of the IANA database."""

    default_error_messages = {"zone": "is not a time zone, such as Europe/Berlin"}

    def to_internal_value(self, data: object) -> str:
        name = super().to_internal_value(data)
        if not is_time_zone(name):
            raise serializers.ValidationError(self.error_messages["zone"], UNKNOWN)
        return name


class ProfileChange(serializers.Serializer[User]):
    name = PersonName(max_length=150, required=False)
    bidder_name = Text(max_length=100, required=False, allow_blank=True)
    zip_code = Matching(
        r"[0-9A-Za-z][0-9A-Za-z -]*",
        max_length=12,
        required=False,
        allow_blank=True,
        error_messages={"invalid": "takes letters, digits, spaces and hyphens"},
    )
    units = serializers.ChoiceField(choices=Units.choices, required=False)
    time_zone = TimeZone(max_length=64, required=False, allow_blank=True)
    seller_address = Text(max_length=1_000, required=False, allow_blank=True)
    vat_id = Text(max_length=40, required=False, allow_blank=True)
    buyer_data_months = WholeNumber(min_value=1, max_value=240, required=False)


class UserRow(AnswerSerializer):
    """What `selectors.user_row` returns, for the schema."""

    id: int
    email_address = serializers.EmailField()
    is_address_confirmed: Annotated[bool, "true, too, where no mail is sent from here"]
    name: str
    is_staff: bool
    is_demo: bool
    bidder_name: str
    zip_code: str
    units: Units
    time_zone: str
    seller_address: Annotated[str, "on packing slips"]
    vat_id: Annotated[str, "the same"]
    buyer_data_months: Annotated[int, "buyers' names and addresses are erased after these"]
    createdAt = serializers.DateTimeField(source="created_at")
    updatedAt = serializers.DateTimeField(source="updated_at")


class StoreRow(AnswerSerializer):
    """A store that the caller can act in."""

    id: int
    name: str
    role: Role


class ActedStoreRow(StoreRow):
    """The store that the caller acts in, and what his role leaves out of it."""

    refuses: Annotated[list[str], "operations, such as `post orders/{}/refund`"]
    hides: Annotated[list[str], "fields that are not sent"]


class PersonRow(UserRow):
    store: ActedStoreRow
    stores: Annotated[list[StoreRow], "those that the caller can act in, his own first"]


class StoreChoice(serializers.Serializer[User]):
    id = RowId(help_text="of one of the caller's stores")


class NewInvitation(serializers.Serializer[Invitation]):
    role = serializers.ChoiceField(choices=MEMBERS_ROLES)
    email_address = serializers.EmailField(
        max_length=254,
        required=False,
        allow_blank=True,
        help_text="where the link is mailed, where mail is set up",
    )


class InvitationRow(RowSerializer):
    model = Invitation
    columns = "id role createdAt expiresAt"
    email_address: Annotated[str, "where it was mailed; else blank"]


class NewInvitationRow(InvitationRow):
    link: Annotated[str, "its path and secret: it is shown this once"]


class InvitationToken(serializers.Serializer[None]):
    token = Text(max_length=200)


class InvitedRow(AnswerSerializer):
    store: Annotated[str, "the name of its owner"]
    role: Role


class MemberRow(RowSerializer):
    """A person who works in the store."""

    model = Membership
    columns = "id name=person.name email_address=person.email_address role createdAt updatedAt"


class MemberChange(serializers.Serializer[Membership]):
    role = serializers.ChoiceField(choices=MEMBERS_ROLES)


class SessionRow(AnswerSerializer):
    """What `selectors.sessions` returns, for the schema."""

    id: uuid.UUID
    device: str
    lastUsedAt: dt.datetime
    current: bool


class AskedRow(AnswerSerializer):
    """How a person may show that it is he; with `SECOND_FACTOR_REQUIRED`, too."""

    ticket: Annotated[str, "sent back with the answer, within five minutes"]
    methods: Annotated[list[str], "of code, passkey, recovery; password where there is no factor"]
    passkey_options = serializers.JSONField(
        allow_null=True, help_text="for `navigator.credentials.get`, as JSON"
    )


class FactorAnswer(serializers.Serializer[None]):
    """One of `code`, `passkey` and `password`."""

    ticket = Text(max_length=1_000)
    code = Text(
        max_length=40, required=False, allow_blank=True, help_text="of the app, or a recovery code"
    )
    passkey = Text(
        max_length=10_000,
        required=False,
        allow_blank=True,
        help_text="the JSON that the browser's credential turns into",
    )
    password = Secret(max_length=MAX_PASSWORD, required=False, allow_blank=True)


class SecondStep(FactorAnswer):
    remember = YesOrNo(
        default=False, help_text="whether this browser is not asked again for 30 days"
    )


class ProofRow(AnswerSerializer):
    proof: Annotated[str, "for the header `X-Proof`, for five minutes and this session"]


class AppCode(serializers.Serializer[None]):
    code = Text(max_length=40, help_text="of the app")


class NewAppRow(AnswerSerializer):
    secret: Annotated[str, "it is shown this once"]
    uri: Annotated[str, "of its QR code"]
    picture: Annotated[str, "its QR code, as the address of an SVG"]


class RecoveryCodesRow(AnswerSerializer):
    recovery_codes: Annotated[list[str], "they are shown this once"]


class FactorAddedRow(AnswerSerializer):
    recovery_codes: Annotated[list[str], "they are shown this once; none with a further factor"]
    proof: Annotated[str, "that it was he"]


class NewPasskeyOptionsRow(AnswerSerializer):
    ticket: Annotated[str, "sent back with the new passkey, within five minutes"]
    options = serializers.JSONField(help_text="for `navigator.credentials.create`, as JSON")


class NewPasskey(serializers.Serializer[None]):
    ticket = Text(max_length=1_000)
    name = Text(max_length=60, help_text="where it is kept")
    passkey = Text(max_length=20_000, help_text="the JSON that the browser's credential turns into")


class PasskeyRow(AnswerSerializer):
    id: int
    name: str
    createdAt: dt.datetime
    lastUsedAt: dt.datetime | None


class RememberedDeviceRow(AnswerSerializer):
    id: int
    device: str
    createdAt: dt.datetime
    expiresAt: dt.datetime


class SecondFactorRow(AnswerSerializer):
    """What `selectors.second_factor_row` returns, for the schema."""

    has_app: Annotated[bool, "an authenticator app"]
    passkeys: list[PasskeyRow]
    recovery_codes_left: int
    devices: Annotated[list[RememberedDeviceRow], "that are not asked for it"]


class TokenRow(AnswerSerializer):
    accessToken: str
    refreshToken: str


class SignedInRow(PersonRow):
    accessToken: str
    refreshToken: str


class ProvenRow(SignedInRow):
    proof: Annotated[str, "for the header `X-Proof`, for five minutes and this session"]


class RegisteredRow(TokenRow):
    user: PersonRow


class InventoryView(serializers.Serializer[None]):
    """A named view of the inventory: `query` is the query string of the page's address."""

    name = Text(max_length=40)
    query = Text(max_length=1_000, allow_blank=True)

    def validate(self, attrs: dict[str, str]) -> dict[str, str]:
        # A part of the preferences may be left out, a part of a view may not.
        if missing := {
            name: ["This field is required."] for name in ("name", "query") if name not in attrs
        }:
            raise serializers.ValidationError(missing)
        return attrs


class PreferencesRow(serializers.Serializer[Preferences]):
    currency = serializers.ChoiceField(choices=CURRENCIES)
    last_sold_recent_days = WholeNumber(min_value=1, max_value=3650)
    last_sold_moderate_days = WholeNumber(min_value=1, max_value=3650)
    inventory_views = InventoryView(many=True, max_length=MOST_VIEWS)  # type: ignore[call-arg]
    updatedAt = serializers.DateTimeField(source="updated_at", read_only=True)


class NewToken(serializers.Serializer[ApiToken]):
    name = Text(max_length=60)
    scopes = ListOf(
        child=serializers.ChoiceField(choices=SCOPES), min_length=1, max_length=len(SCOPES)
    )
    addresses = ListOf(
        child=Matching(
            NETWORK,
            max_length=43,
            error_messages={"invalid": "is no address or network such as 203.0.113.0/24"},
        ),
        required=False,
        max_length=20,
        help_text="where it is allowed from; none: anywhere",
    )
    days = WholeNumber(min_value=1, max_value=MOST_TOKEN_DAYS, help_text="until it expires")


class ApiTokenRow(AnswerSerializer):
    id: int
    name: str
    public: Annotated[str, "the part of it that may be seen"]
    scopes: list[str]
    addresses: list[str]
    createdAt = serializers.DateTimeField(source="created_at")
    expiresAt = serializers.DateTimeField(source="expires_at")
    lastUsedAt = serializers.DateTimeField(source="last_used_at", allow_null=True)


class NewTokenRow(ApiTokenRow):
    token: Annotated[str, "its text: it is shown this once"]
