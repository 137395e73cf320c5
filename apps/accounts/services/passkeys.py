"""Passkeys (WebAuthn): what browsers are asked, and whether what they answer is right.

The library does the checking; which site a passkey is for is the host of PUBLIC_URL.
"""

import json
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.crypto import salted_hmac
from webauthn import (
    base64url_to_bytes,
    generate_authentication_options,
    generate_registration_options,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import bytes_to_base64url, generate_challenge
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.options_to_json_dict import options_to_json_dict
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from apps.accounts.models import User

#: What a broken answer of a browser makes the library raise.
BROKEN: Final = (WebAuthnException, ValueError, TypeError, KeyError, IndexError, OverflowError)


def new_challenge() -> str:
    """Return 64 random bytes for a passkey to sign, as text."""
    return bytes_to_base64url(generate_challenge())


def request_options(challenge: str, held: list[str]) -> dict[str, Any]:
    """Return what the browser asks one of the `held` passkeys."""
    return options_to_json_dict(
        generate_authentication_options(
            rp_id=_site(),
            challenge=base64url_to_bytes(challenge),
            allow_credentials=_described(held),
            user_verification=UserVerificationRequirement.DISCOURAGED,
        )
    )


def creation_options(challenge: str, held: list[str], *, user: User) -> dict[str, Any]:
    """Return what the browser makes a passkey by, on a device that has none of the `held`."""
    return options_to_json_dict(
        generate_registration_options(
            rp_id=_site(),
            rp_name=settings.PRODUCT_NAME,
            # It stays on the device, so it is not our id.
            user_id=salted_hmac("apps.accounts.Passkey", str(user.pk), algorithm="sha256").digest(),
            user_name=user.email_address,
            user_display_name=user.name,
            challenge=base64url_to_bytes(challenge),
            exclude_credentials=_described(held),
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.DISCOURAGED,
                # The password is the other factor.
                user_verification=UserVerificationRequirement.DISCOURAGED,
            ),
        )
    )


def id_of(text: str) -> str:
    """Return which passkey answered; '' where it cannot be read."""
    try:
        answer = json.loads(text)
        return str(answer["id"]) if "\0" not in answer["id"] else ""
    except (ValueError, TypeError, KeyError, RecursionError):
        return ""


def verified_count(text: str, challenge: str, *, public_key: str, sign_count: int) -> int | None:
    """Return the counter of an answer that is right, None for a wrong one."""
    try:
        return verify_authentication_response(
            credential=text,
            expected_challenge=base64url_to_bytes(challenge),
            expected_rp_id=_site(),
            expected_origin=_origins(),
            credential_public_key=base64url_to_bytes(public_key),
            credential_current_sign_count=sign_count,
        ).new_sign_count
    except BROKEN:
        return None


def verified_key(text: str, challenge: str) -> tuple[str, str, int] | None:
    """Return id, public key and counter of a new passkey, None for one that is not right."""
    try:
        made = verify_registration_response(
            credential=text,
            expected_challenge=base64url_to_bytes(challenge),
            expected_rp_id=_site(),
            expected_origin=_origins(),
        )
    except BROKEN:
        return None
    key = bytes_to_base64url(made.credential_public_key)
    return bytes_to_base64url(made.credential_id), key, made.sign_count


def _described(held: list[str]) -> list[PublicKeyCredentialDescriptor]:
    return [PublicKeyCredentialDescriptor(id=base64url_to_bytes(one)) for one in held]


def _site() -> str:
    return urlsplit(settings.PUBLIC_URL).hostname or "localhost"


def _origins() -> list[str]:
    parts = urlsplit(settings.PUBLIC_URL)
    return [f"{parts.scheme}://{parts.netloc}", *settings.CORS_ALLOWED_ORIGINS]
