"""Who is calling: bearer tokens under /api, a password at the admin's door."""

import logging
import uuid
from typing import Any

from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from rest_framework import exceptions
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import SAFE_METHODS
from rest_framework_simplejwt.authentication import JWTAuthentication
from rest_framework_simplejwt.exceptions import ExpiredTokenError, TokenError
from rest_framework_simplejwt.settings import api_settings
from rest_framework_simplejwt.tokens import AccessToken

from apps.accounts.api.scopes import HIDDEN, path_of_route, plans, proof_for, role_may, scope_of
from apps.accounts.models import ApiToken, Role, User, normal_address
from apps.accounts.rules import TOKEN_PREFIX
from apps.accounts.selectors import acting_of
from apps.accounts.services.api_tokens import find_token, note_use
from apps.accounts.services.proofs import require_proof
from apps.core.api.hidden import NOTHING, Hidden
from apps.core.clock import now
from apps.core.errors import ErrorCode
from apps.core.ownership import note_acting
from apps.core.throttling import client_address, client_ip, count_use

logger = logging.getLogger(__name__)

PROOF_HEADER = "X-Proof"
EXPIRED = "Access token expired"
ENDED = "This session has ended. Please sign in again."
NO_TOKEN = "This is no token that is in use: it was revoked, has expired, or never was one."
NOT_IN_ROLE = "Your role in this store, {role}, does not allow this: ask its owner."
WINDOW_SECONDS = 60


class AccessTokenExpired(AuthenticationFailed):
    """The one message that makes a client refresh and try again."""

    envelope_code = ErrorCode.TOKEN_EXPIRED
    default_detail = EXPIRED


class ActingToken(AccessToken):
    """An access token, with who acts by it and what his role in the store leaves out."""

    person: User
    role: Role
    hidden: Hidden


class BearerAuthentication(JWTAuthentication):
    """A person by an access token, or a program by a token that its owner made.

    An expired access token has its own error code, because the browser then asks for a new one.
    """

    def authenticate(self, request: Any) -> Any:
        """Return the store that is acted in, and the token with who acts: see `core/ownership.py`."""
        header = self.get_header(request)
        raw = None if header is None else self.get_raw_token(header)
        if raw is None:
            return None
        if raw.startswith(TOKEN_PREFIX.encode()):
            store, token = _program(request, raw.decode("latin-1"))
            note_acting(token.person.pk, program=token.name)
            return store, token
        store, auth = self._member(request, self.get_validated_token(raw))
        note_acting(auth.person.pk)
        return store, auth

    def _member(self, request: Any, token: "ActingToken") -> tuple[User, "ActingToken"]:
        acting = self.get_user(token)
        token.person, token.role = acting.person, acting.role
        token.hidden = HIDDEN.get(acting.role, NOTHING)
        path = path_of_route(request.resolver_match.route)
        if acting.role != Role.OWNER and not role_may(acting.role, path, request.method):
            raise exceptions.PermissionDenied(NOT_IN_ROLE.format(role=acting.role.value))
        if (asked := proof_for(path, request.method)) != "nobody":
            require_proof(
                user=acting.person,
                grant=uuid.UUID(token[api_settings.JTI_CLAIM]),
                proof=request.headers.get(PROOF_HEADER, ""),
                always=asked == "always",
            )
        return acting.store, token

    def get_validated_token(self, raw_token: bytes) -> Any:
        try:
            return ActingToken(raw_token)  # type: ignore[arg-type]
        except ExpiredTokenError:
            raise AccessTokenExpired from None
        except TokenError:
            raise AuthenticationFailed("The access token is not valid.") from None

    def get_user(self, validated_token: Any) -> Any:
        """Return who acts in whose store, while the token's session lasts.

        The session is read together with the account, so that its end counts at once in
        every process, whatever the cache.
        """
        try:
            account = int(validated_token[api_settings.USER_ID_CLAIM])
            grant = uuid.UUID(validated_token[api_settings.JTI_CLAIM])
        except (KeyError, ValueError, TypeError, AttributeError):
            raise AuthenticationFailed("The access token is not valid.") from None
        acting = acting_of(account=account, grant=grant)
        if acting is None:
            raise AuthenticationFailed(ENDED)
        return acting


def _program(request: Any, text: str) -> tuple[User, ApiToken]:
    """Return whose token it is, and the token, where it may make this request."""
    at = now()
    token = find_token(text, now=at)
    if token is None:
        raise AuthenticationFailed(NO_TOKEN)
    if not token.is_allowed_from(client_ip(request)):
        raise exceptions.PermissionDenied("This token is not allowed from your address.")
    path = path_of_route(request.resolver_match.route)
    # JSON's true alone: what else a view might read as true asks for the scope of the act.
    sent = request.data if plans(path) else None
    is_dry_run = isinstance(sent, dict) and sent.get("dry_run") is True
    scope = scope_of(path, request.method, is_dry_run=is_dry_run)
    if scope is None:
        raise exceptions.PermissionDenied("No token may do this: only a person who is signed in.")
    if scope not in token.scopes:
        raise exceptions.PermissionDenied(f"This token does not have the scope {scope}.")
    used, left = count_use(key=f"api-token:{token.pk}", seconds=WINDOW_SECONDS, now=at)
    if used > settings.TOKEN_CALLS_PER_MINUTE:
        raise exceptions.Throttled(left)
    note_use(token, now=at)
    if request.method not in SAFE_METHODS:
        logger.info("%s %s by token %s", request.method, request.path, token.public)
    return token.owner, token


class LimitedBackend(ModelBackend):
    """Django's own backend behind the login limits: refused before any hashing."""

    def authenticate(
        self,
        request: HttpRequest | None,
        username: str | None = None,
        password: str | None = None,
        **also: Any,
    ) -> User | None:
        if username is None or password is None:
            return None
        limits = settings.LOGIN_LIMITS
        keys = {f"login-account:{normal_address(username)}": limits["account_per_minute"]}
        if request is not None:
            keys[f"login-address:{client_address(request)}"] = limits["address_per_minute"]
        used = {key: count_use(key=key, seconds=WINDOW_SECONDS, now=now())[0] for key in keys}
        if any(used[key] > limit for key, limit in keys.items()):
            raise PermissionDenied
        found = super().authenticate(request, username=username, password=password, **also)
        return found if isinstance(found, User) else None
