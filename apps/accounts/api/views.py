import uuid
from typing import Any

from django.conf import settings
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework_simplejwt.settings import api_settings

from apps.accounts.api import serializers as wire
from apps.accounts.api.known_devices import known_device, mark_device, remember, remembered_by
from apps.accounts.api.scopes import HIDDEN, refused_to
from apps.accounts.api.second_factor import given_in
from apps.accounts.api.throttles import (
    AccountThrottle,
    AddressThrottle,
    ConfirmationThrottle,
    PasswordCheckThrottle,
    RefreshThrottle,
    ResetThrottle,
    SignInThrottle,
)
from apps.accounts.models import ApiToken, Invitation, Membership, Role, User, normal_address
from apps.accounts.rules import device_name
from apps.accounts.selectors import membership_in, sessions, store_of, stores_of, user_row
from apps.accounts.services import (
    api_tokens,
    closing,
    confirmation,
    members,
    password_reset,
    tokens,
    users,
)
from apps.accounts.services.proofs import make_proof
from apps.core.api.hidden import NOTHING
from apps.core.api.parsing import DepthLimitedJSONParser
from apps.core.api.rendering import success
from apps.core.api.views import ApiView, OwnedViewSet, seen_at
from apps.core.clock import now
from apps.core.errors import Conflict
from apps.core.ownership import person_of
from apps.core.throttling import client_address


class PublicView(ApiView):
    """Answers anybody; a stale Authorization header does not matter."""

    permission_classes = [AllowAny]
    authentication_classes = []
    # Anonymous requests never send files.
    parser_classes = [DepthLimitedJSONParser]


class LoginView(PublicView):
    throttle_classes = [SignInThrottle, AddressThrottle]

    @extend_schema(request=wire.Credentials, responses=wire.SignedInRow)
    def post(self, request: Request) -> Response:
        """Sign in: `data[0]` holds both tokens and the user's fields."""
        given = self.validated(wire.Credentials, request.data)
        is_known = bool(known_device(request, normal_address(given["email_address"])))
        user, pair = users.sign_in(
            **given,
            now=now(),
            device=_device(request),
            is_known=is_known,
            remembered=remembered_by(request, normal_address(given["email_address"])),
        )
        response = Response(_signed_in(user, pair))
        mark_device(request, response, user.email_address)
        return response


class SecondStepView(PublicView):
    throttle_classes = [AddressThrottle]

    @extend_schema(request=wire.SecondStep, responses=wire.ProvenRow)
    def post(self, request: Request) -> Response:
        """Sign in with the second factor, after `SECOND_FACTOR_REQUIRED`."""
        given = self.validated(wire.SecondStep, request.data)
        user, pair, kept = users.sign_in_with_factor(
            ticket=given["ticket"],
            given=given_in(given),
            address=client_address(request),
            now=now(),
            device=_device(request),
            is_known=lambda address: bool(known_device(request, address)),
            remember=given["remember"],
        )
        proof = make_proof(user=user, family=pair.family)
        response = Response({**_signed_in(user, pair), "proof": proof})
        mark_device(request, response, user.email_address)
        if kept:
            remember(response, user.email_address, kept)
        return response


class DemoLoginView(PublicView):
    throttle_classes = [AddressThrottle]

    @extend_schema(request=None, responses=wire.SignedInRow)
    def post(self, request: Request) -> Response:
        """Sign in to the demo account, where there is one."""
        if not settings.DEMO_MODE:
            raise Http404
        user, pair = users.sign_in_demo(now=now(), device=_device(request))
        return Response(_signed_in(user, pair))


class RegisterView(PublicView):
    throttle_classes = [AccountThrottle, AddressThrottle]

    @extend_schema(request=wire.Registration, responses={201: wire.RegisteredRow})
    def post(self, request: Request) -> Response:
        """Make an account: `data[0]` holds `user` and both tokens."""
        user, pair = users.register(
            **self.validated(wire.Registration, request.data), now=now(), device=_device(request)
        )
        row = {"user": _person_row(user), **_tokens(pair)}
        response = Response(
            success(row, status=201, message="Your account is ready."),
            status=status.HTTP_201_CREATED,
        )
        mark_device(request, response, user.email_address)
        return response


class TokenRefreshView(PublicView):
    throttle_classes = [RefreshThrottle]

    @extend_schema(request=wire.RefreshRequest, responses=wire.TokenRow)
    def post(self, request: Request) -> Response:
        """Replace a refresh token by a new pair."""
        given = self.validated(wire.RefreshRequest, request.data)["refreshToken"]
        pair = tokens.refresh_tokens(refresh_token=given, now=now())
        response = Response(_tokens(pair))
        # Also the device of a sign-in from before devices were marked.
        mark_device(request, response, pair.address, device=pair.family.hex)
        return response


class LogoutView(PublicView):
    @extend_schema(request=wire.RefreshRequest, responses={200: None})
    def post(self, request: Request) -> Response:
        """End the session that this refresh token belongs to."""
        given = self.validated(wire.RefreshRequest, request.data)["refreshToken"]
        tokens.revoke_token(refresh_token=given, now=now())
        return Response(None)


class ForgotPasswordView(PublicView):
    throttle_classes = [ResetThrottle, AddressThrottle]

    @extend_schema(request=wire.ResetRequest, responses={202: None})
    def post(self, request: Request) -> Response:
        """Have a link to set a new password sent; the answer is the same for any address."""
        password_reset.ask_for_reset(**self.validated(wire.ResetRequest, request.data))
        return Response(
            success(None, status=202, message="If there is such an account, a mail is on its way."),
            status=status.HTTP_202_ACCEPTED,
        )


class ResetPasswordView(PublicView):
    throttle_classes = [AddressThrottle]

    @extend_schema(request=wire.PasswordReset, responses={200: None})
    def post(self, request: Request) -> Response:
        """Set a new password with the token of the mail; every session ends."""
        password_reset.reset_password(**self.validated(wire.PasswordReset, request.data), now=now())
        return Response(success(None, message="Your password is changed. Please sign in with it."))


class CheckPasswordView(PublicView):
    throttle_classes = [PasswordCheckThrottle]
    applies_once = False  # nothing of a password is stored

    @extend_schema(request=wire.PasswordToCheck, responses=wire.WeaknessRow(many=True))
    def post(self, request: Request) -> Response:
        """Return the reasons to refuse a password; an empty list if there are none."""
        given = self.validated(wire.PasswordToCheck, request.data)
        # The holder of the mailed token may see the name that the password must not resemble.
        user = password_reset.account_of(given["token"]) if given["token"] else None
        user = user or User(email_address=given["email_address"], name=given["name"])
        told = users.weaknesses(given["password"], user)
        return Response([{"message": message} for message in told])


class ConfirmAddressView(PublicView):
    throttle_classes = [AddressThrottle]

    @extend_schema(request=wire.AddressConfirmation, responses={200: None})
    def post(self, request: Request) -> Response:
        """Confirm an address with the token of its mail."""
        confirmation.confirm_address(
            **self.validated(wire.AddressConfirmation, request.data), now=now()
        )
        return Response(success(None, message="Your address is confirmed."))


class SendConfirmationView(ApiView):
    throttle_classes = [ConfirmationThrottle]

    @extend_schema(request=None, responses={202: None})
    def post(self, request: Request) -> Response:
        """Have the link that confirms the caller's address sent again."""
        user = _caller(request)
        confirmation.ask_for_confirmation(user=user)
        return Response(
            success(None, status=202, message=f"A link is on its way to {user.email_address}."),
            status=status.HTTP_202_ACCEPTED,
        )


class MeView(ApiView):
    @extend_schema(responses=wire.PersonRow)
    def get(self, request: Request) -> Response:
        return Response(_acting_row(request))

    @extend_schema(request=wire.ProfileChange, responses=wire.PersonRow)
    def patch(self, request: Request) -> Response:
        """Change fields; 409 with the present row when it changed since `updatedAt`."""
        changes = self.validated(wire.ProfileChange, request.data, partial=True)
        user = _caller(request)
        try:
            user = users.edit_profile(user=user, changes=changes, seen_at=seen_at(request))
        except Conflict:
            raise Conflict(data=[_acting_row(request)]) from None
        return Response(_acting_row(request, user))


class StoreView(ApiView):
    applies_once = False  # it answers with new tokens, which must not be stored

    @extend_schema(request=wire.StoreChoice, responses=wire.SignedInRow)
    def post(self, request: Request) -> Response:
        """Act in another of the caller's stores: this session continues there, with new tokens."""
        person, grant = _caller(request), _grant(request)
        if grant is None:
            raise NotAuthenticated
        chosen = self.validated(wire.StoreChoice, request.data)["id"]
        found = membership_in(chosen, person).select_related("owner").first()
        if found is None and chosen != person.pk:
            raise Http404
        role = Role(found.role) if found else Role.OWNER
        pair = tokens.act_in(
            user=person, grant=grant, store=found.owner if found else None, now=now()
        )
        return Response(
            {**_person_row(person, found.owner if found else None, role), **_tokens(pair)}
        )


class MembersViewSet(OwnedViewSet):
    """The people who work in the store."""

    row_serializer = wire.MemberRow
    write_serializer = wire.MemberChange
    ordered_by = "createdAt=id"
    ordering = "createdAt"
    http_method_names = ["get", "patch", "delete", "head"]

    @extend_schema(request=wire.MemberChange, responses=wire.MemberRow)
    def partial_update(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Give a member another role, which counts from his next request on."""
        return super().partial_update(request, *args, **kwargs)

    def update_row(self, row: Membership, data: dict[str, Any]) -> None:
        row.role = data.get("role", row.role)
        row.save(update_fields=["role", "updated_at"])

    def destroy(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Remove a member: his sessions in this store end at once."""
        return super().destroy(request, *args, **kwargs)

    def delete_row(self, row: Membership) -> None:
        members.remove_member(membership=row, now=now())


class InvitationsView(ApiView):
    applies_once = False  # it answers with a secret, which must not be stored

    @extend_schema(responses=wire.InvitationRow(many=True))
    def get(self, request: Request) -> Response:
        """Return the invitations that are open, newest first."""
        found = Invitation.objects.owned_by(request.user).filter(expires_at__gt=now())
        return Response(list(wire.InvitationRow.select(found.order_by("-pk"))))

    @extend_schema(request=wire.NewInvitation, responses={201: wire.NewInvitationRow})
    def post(self, request: Request) -> Response:
        """Invite one person; the link is in this answer only, and good once within a week."""
        given = {"email_address": "", **self.validated(wire.NewInvitation, request.data)}
        made, text = members.invite(owner=store_of(request), **given, now=now())
        row = wire.InvitationRow.select(Invitation.objects.filter(pk=made.pk)).get()
        return Response({**row, "link": members.link_of(text)}, status=status.HTTP_201_CREATED)


class InvitationView(ApiView):
    @extend_schema(responses={200: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Withdraw an invitation: its link is no longer good."""
        members.withdraw(owner=store_of(request), pk=pk)
        return Response(None)


class InvitationLookView(PublicView):
    throttle_classes = [AddressThrottle]

    @extend_schema(request=wire.InvitationToken, responses=wire.InvitedRow)
    def post(self, request: Request) -> Response:
        """Return which store an invitation is to, and as what."""
        found = members.invitation_of(
            **self.validated(wire.InvitationToken, request.data), now=now()
        )
        return Response({"store": found.owner.name, "role": found.role})


class InvitationAcceptView(ApiView):
    throttle_classes = [AddressThrottle]

    @extend_schema(request=wire.InvitationToken, responses={201: wire.StoreRow})
    def post(self, request: Request) -> Response:
        """Join the store of an invitation, which is used up."""
        given = self.validated(wire.InvitationToken, request.data)
        made = members.join(person=_caller(request), **given, now=now())
        row = {"id": made.owner_id, "name": made.owner.name, "role": made.role}
        return Response(row, status=status.HTTP_201_CREATED)


class SessionsView(ApiView):
    @extend_schema(responses=wire.SessionRow(many=True))
    def get(self, request: Request) -> Response:
        """Return the devices where this account is signed in, last used first."""
        return Response(sessions(user=_caller(request), grant=_grant(request), now=now()))


class SessionView(ApiView):
    @extend_schema(responses={200: None})
    def delete(self, request: Request, family: uuid.UUID) -> Response:
        """End one session of this account: its tokens stop working at once."""
        users.end_session(user=_caller(request), family=family, now=now())
        return Response(None)


class EndOthersView(ApiView):
    @extend_schema(request=None, responses={200: None})
    def post(self, request: Request) -> Response:
        """End every session but this one."""
        grant = _grant(request)
        if grant is None:
            raise NotAuthenticated
        users.end_other_sessions(user=_caller(request), grant=grant, now=now())
        return Response(None)


class ChangePasswordView(ApiView):
    throttle_classes = [AddressThrottle]
    applies_once = False  # it answers with new tokens, which must not be stored

    @extend_schema(request=wire.PasswordChange, responses=wire.TokenRow)
    def post(self, request: Request) -> Response:
        """Set a new password; every other session ends, this one gets new tokens."""
        pair = users.change_password(
            user=_caller(request),
            **self.validated(wire.PasswordChange, request.data),
            now=now(),
            device=_device(request),
            store=None if request.user == _caller(request) else store_of(request),
        )
        return Response(_tokens(pair))


class DeleteAccountView(ApiView):
    throttle_classes = [AddressThrottle]
    applies_once = False  # who could ask for the stored answer is gone

    @extend_schema(request=wire.AccountClosing, responses={202: None})
    def post(self, request: Request) -> Response:
        """Close the account, on the address typed once more; a job erases all that it holds."""
        closing.close_account(
            user=_caller(request), **self.validated(wire.AccountClosing, request.data), now=now()
        )
        return Response(
            success(None, status=202, message="Your account is closed and being erased."),
            status=status.HTTP_202_ACCEPTED,
        )


class TokensView(ApiView):
    applies_once = False  # it answers with a secret, which must not be stored

    @extend_schema(responses=wire.ApiTokenRow(many=True))
    def get(self, request: Request) -> Response:
        """Return the tokens of programs, newest first."""
        found = ApiToken.objects.owned_by(_caller(request)).order_by("-pk")
        return Response(wire.ApiTokenRow(found, many=True).data)

    @extend_schema(request=wire.NewToken, responses={201: wire.NewTokenRow})
    def post(self, request: Request) -> Response:
        """Make a token for a program; its text is in this answer only."""
        given = {"addresses": [], **self.validated(wire.NewToken, request.data)}
        token, text = api_tokens.make_token(owner=_caller(request), **given, now=now())
        row = {**wire.ApiTokenRow(token).data, "token": text}
        return Response(row, status=status.HTTP_201_CREATED)


class TokenView(ApiView):
    @extend_schema(responses={200: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Revoke a token: it is refused from now on."""
        api_tokens.revoke_token(owner=_caller(request), pk=pk)
        return Response(None)


class PreferencesView(ApiView):
    @extend_schema(responses=wire.PreferencesRow)
    def get(self, request: Request) -> Response:
        return Response(wire.PreferencesRow(users.preferences_of(user=store_of(request))).data)

    @extend_schema(request=wire.PreferencesRow, responses=wire.PreferencesRow)
    def patch(self, request: Request) -> Response:
        """Change some; 409 with the present row when they changed since `updatedAt`."""
        changes = self.validated(wire.PreferencesRow, request.data, partial=True)
        user = store_of(request)
        try:
            row = users.edit_preferences(user=user, changes=changes, seen_at=seen_at(request))
        except Conflict:
            present = users.preferences_of(user=user)
            raise Conflict(data=[wire.PreferencesRow(present).data]) from None
        return Response(wire.PreferencesRow(row).data)


def _caller(request: Request) -> User:
    """Return who acts; only for views that require somebody."""
    user = person_of(request)
    if not isinstance(user, User):
        raise NotAuthenticated
    return user


def _grant(request: Request) -> uuid.UUID | None:
    """Return the grant that the caller's token was made from."""
    auth: Any = request.auth  # an AccessToken, as BearerAuthentication makes it
    return None if auth is None else uuid.UUID(auth[api_settings.JTI_CLAIM])


def _device(request: Request) -> str:
    return device_name(request.headers.get("User-Agent", ""))


def _tokens(pair: tokens.TokenPair) -> dict[str, str]:
    return {"accessToken": pair.access, "refreshToken": pair.refresh}


def _signed_in(user: User, pair: tokens.TokenPair) -> dict[str, Any]:
    found = pair.store_id and membership_in(pair.store_id, user).select_related("owner").first()
    if not found:
        return {**_person_row(user), **_tokens(pair)}
    return {**_person_row(user, found.owner, Role(found.role)), **_tokens(pair)}


def _acting_row(request: Request, person: User | None = None) -> dict[str, Any]:
    role = getattr(request.auth, "role", Role.OWNER)
    return _person_row(person or _caller(request), store_of(request), role)


def _person_row(person: User, store: User | None = None, role: Role = Role.OWNER) -> dict[str, Any]:
    """Return a person with the store that he acts in, and those that he can act in."""
    acted = {
        "id": (store or person).pk,
        "name": (store or person).name,
        "role": role.value,
        "refuses": sorted(refused_to(role)),
        "hides": sorted(HIDDEN.get(role, NOTHING).always),
    }
    return {**user_row(person), "store": acted, "stores": stores_of(person)}
