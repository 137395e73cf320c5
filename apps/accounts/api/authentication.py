"""Bearer tokens; an expired one is told apart, because the browser acts on it."""

from typing import Any

from rest_framework.exceptions import AuthenticationFailed
from rest_framework_simplejwt.authentication import JWTAuthentication
from rest_framework_simplejwt.exceptions import ExpiredTokenError, TokenError
from rest_framework_simplejwt.tokens import AccessToken

from apps.core.errors import ErrorCode

EXPIRED = "Access token expired"


class AccessTokenExpired(AuthenticationFailed):
    """The one message that makes a client refresh and try again."""

    envelope_code = ErrorCode.TOKEN_EXPIRED
    default_detail = EXPIRED


class BearerAuthentication(JWTAuthentication):
    def get_validated_token(self, raw_token: bytes) -> Any:
        try:
            return AccessToken(raw_token)  # type: ignore[arg-type]
        except ExpiredTokenError:
            raise AccessTokenExpired from None
        except TokenError:
            raise AuthenticationFailed("The access token is not valid.") from None
