"""A second factor: what an account has, adding and removing it, and the proof of a fresh check."""

import uuid
from dataclasses import asdict
from typing import Any

import segno
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework_simplejwt.settings import api_settings

from apps.accounts.api import serializers as wire
from apps.accounts.api.throttles import AddressThrottle
from apps.accounts.models import User
from apps.accounts.selectors import caller_of, second_factor_row
from apps.accounts.services import second_factor
from apps.accounts.services.factors import Answer, Purpose, TicketRefused, answer, ask
from apps.accounts.services.proofs import family_of, make_proof
from apps.core.api.views import ApiView
from apps.core.clock import now
from apps.core.throttling import client_address


def given_in(values: dict[str, Any]) -> Answer:
    """Return what was answered with, of the fields of an answer."""
    return Answer(**{name: values.get(name, "") for name in ("code", "passkey", "password")})


class SecondFactorView(ApiView):
    @extend_schema(responses=wire.SecondFactorRow)
    def get(self, request: Request) -> Response:
        """Return what the caller's account has: no secrets, and no codes."""
        return Response(second_factor_row(caller_of(request), now=now()))


class AskView(ApiView):
    applies_once = False  # what it answers is good for minutes

    @extend_schema(request=None, responses=wire.AskedRow)
    def post(self, request: Request) -> Response:
        """Return how the caller may show that it is he: by a factor, or by his password."""
        asked = ask(user=caller_of(request), purpose=Purpose.PROOF, now=now())
        return Response(asdict(asked))


class ProofView(ApiView):
    throttle_classes = [AddressThrottle]
    applies_once = False  # it answers with a secret, which must not be stored

    @extend_schema(request=wire.FactorAnswer, responses=wire.ProofRow)
    def post(self, request: Request) -> Response:
        """Check an answer; its proof goes into `X-Proof` of what asks for one, for five minutes."""
        given = self.validated(wire.FactorAnswer, request.data)
        user = answer(
            ticket=given["ticket"],
            purpose=Purpose.PROOF,
            given=given_in(given),
            address=client_address(request),
            now=now(),
        )
        if user != caller_of(request):
            raise TicketRefused
        return Response({"proof": proof_of(request, user)})


class AppView(ApiView):
    applies_once = False  # it answers with a secret, which must not be stored

    @extend_schema(request=None, responses={201: wire.NewAppRow})
    def post(self, request: Request) -> Response:
        """Begin with an authenticator app: its secret and QR code are in this answer only."""
        secret, uri = second_factor.begin_authenticator(user=caller_of(request))
        picture = segno.make(uri, error="m").svg_data_uri(scale=4, border=2, light="white")
        row = {"secret": secret, "uri": uri, "picture": picture}
        return Response(row, status=status.HTTP_201_CREATED)

    @extend_schema(responses={200: None})
    def delete(self, request: Request) -> Response:
        """Remove the app: its codes are no longer good."""
        second_factor.remove_authenticator(user=caller_of(request), now=now())
        return Response(None)


class ConfirmAppView(ApiView):
    throttle_classes = [AddressThrottle]
    applies_once = False  # it answers with secrets, which must not be stored

    @extend_schema(request=wire.AppCode, responses=wire.FactorAddedRow)
    def post(self, request: Request) -> Response:
        """Let the app count, by a code of it; with the first factor come ten recovery codes."""
        user = caller_of(request)
        codes = second_factor.confirm_authenticator(
            user=user, **self.validated(wire.AppCode, request.data), now=now()
        )
        return Response({"recovery_codes": codes, "proof": proof_of(request, user)})


class PasskeyOptionsView(ApiView):
    applies_once = False  # what it answers is good for minutes

    @extend_schema(request=None, responses=wire.NewPasskeyOptionsRow)
    def post(self, request: Request) -> Response:
        """Return what the browser makes a passkey by."""
        ticket, options = second_factor.begin_passkey(user=caller_of(request), now=now())
        return Response({"ticket": ticket, "options": options})


class PasskeysView(ApiView):
    applies_once = False  # it answers with secrets, which must not be stored

    @extend_schema(request=wire.NewPasskey, responses={201: wire.FactorAddedRow})
    def post(self, request: Request) -> Response:
        """Keep a passkey; with the first factor come ten recovery codes."""
        user = caller_of(request)
        _, codes = second_factor.add_passkey(
            user=user, **self.validated(wire.NewPasskey, request.data), now=now()
        )
        row = {"recovery_codes": codes, "proof": proof_of(request, user)}
        return Response(row, status=status.HTTP_201_CREATED)


class PasskeyView(ApiView):
    @extend_schema(responses={200: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Remove a passkey: it is no longer good."""
        second_factor.remove_passkey(user=caller_of(request), pk=pk, now=now())
        return Response(None)


class RecoveryCodesView(ApiView):
    applies_once = False  # it answers with secrets, which must not be stored

    @extend_schema(request=None, responses={201: wire.RecoveryCodesRow})
    def post(self, request: Request) -> Response:
        """Make ten recovery codes in place of those that are left."""
        codes = second_factor.renew_recovery_codes(user=caller_of(request), now=now())
        return Response({"recovery_codes": codes}, status=status.HTTP_201_CREATED)


class RememberedDeviceView(ApiView):
    @extend_schema(responses={200: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Have a browser asked for the factor again when it signs in."""
        second_factor.forget_device(user=caller_of(request), pk=pk)
        return Response(None)


def proof_of(request: Request, user: User) -> str:
    """Return a proof for the session of a request, whose person was just checked."""
    auth: Any = request.auth
    family = family_of(user=user, grant=uuid.UUID(auth[api_settings.JTI_CLAIM]))
    if family is None:
        raise NotAuthenticated
    return make_proof(user=user, family=family)
