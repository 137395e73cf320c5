"""Login and registration are limited by account and by address, before any hashing."""

from django.conf import settings
from rest_framework.request import Request

from apps.accounts.api.known_devices import known_device
from apps.accounts.models import normal_address
from apps.core.ownership import person_of
from apps.core.throttling import WindowThrottle, client_address


class AccountThrottle(WindowThrottle):
    scope = "login-account"
    limit = settings.LOGIN_LIMITS["account_per_minute"]

    def key_of(self, request: Request) -> str:
        data = request.data
        address = data.get("email_address") if isinstance(data, dict) else None
        return normal_address(str(address or ""))


class SignInThrottle(AccountThrottle):
    """A device that signed in to the account before is counted by itself.

    Guesses on another device then do not lock the owner's browser.
    """

    def key_of(self, request: Request) -> str:
        address = super().key_of(request)
        device = known_device(request, address)
        return f"{address} on {device}" if device else address


class AddressThrottle(WindowThrottle):
    scope = "login-address"
    limit = settings.LOGIN_LIMITS["address_per_minute"]

    def key_of(self, request: Request) -> str:
        return client_address(request)


class ResetThrottle(AccountThrottle):
    """How often one account is sent a mail."""

    scope = "reset-account"
    limit = 5
    seconds = 3600


class ConfirmationThrottle(WindowThrottle):
    """How often one account has the link to confirm its address sent."""

    scope = "confirm-account"
    limit = 5
    seconds = 3600

    def key_of(self, request: Request) -> str:
        return str(person_of(request).pk)


class PasswordCheckThrottle(AddressThrottle):
    """A person at a form rests a few times while choosing a password."""

    scope = "password-check-address"
    limit = 60


class RefreshThrottle(AddressThrottle):
    scope = "refresh-address"
    limit = 120
