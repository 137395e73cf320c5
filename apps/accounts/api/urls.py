from django.urls import path
from rest_framework.routers import SimpleRouter

from apps.accounts.api import schema, second_factor, views  # noqa: F401  (schema registers itself)

router = SimpleRouter(trailing_slash=False)
router.register("members", views.MembersViewSet, basename="member")

urlpatterns = [
    *router.urls,
    path("invitations", views.InvitationsView.as_view(), name="invitation-list"),
    path("invitations/<int:pk>", views.InvitationView.as_view(), name="invitation-withdraw"),
    path("invitations/look", views.InvitationLookView.as_view(), name="look-at-invitation"),
    path("invitations/accept", views.InvitationAcceptView.as_view(), name="accept-invitation"),
    path("users/store", views.StoreView.as_view(), name="act-in-store"),
    path("users/login", views.LoginView.as_view(), name="login"),
    path("users/login/second-step", views.SecondStepView.as_view(), name="login-second-step"),
    path("users/proof", second_factor.ProofView.as_view(), name="proof"),
    path("users/proof/ask", second_factor.AskView.as_view(), name="ask-for-proof"),
    path("users/second-factor", second_factor.SecondFactorView.as_view(), name="second-factor"),
    path("users/second-factor/app", second_factor.AppView.as_view(), name="authenticator"),
    path(
        "users/second-factor/app/confirm",
        second_factor.ConfirmAppView.as_view(),
        name="confirm-authenticator",
    ),
    path("users/second-factor/passkeys", second_factor.PasskeysView.as_view(), name="passkeys"),
    path(
        "users/second-factor/passkeys/options",
        second_factor.PasskeyOptionsView.as_view(),
        name="new-passkey-options",
    ),
    path(
        "users/second-factor/passkeys/<int:pk>",
        second_factor.PasskeyView.as_view(),
        name="passkey-remove",
    ),
    path(
        "users/second-factor/recovery-codes",
        second_factor.RecoveryCodesView.as_view(),
        name="recovery-codes",
    ),
    path(
        "users/second-factor/devices/<int:pk>",
        second_factor.RememberedDeviceView.as_view(),
        name="remembered-device-forget",
    ),
    path("users/demo-login", views.DemoLoginView.as_view(), name="demo-login"),
    path("users/register", views.RegisterView.as_view(), name="register"),
    path("users/token-refresh", views.TokenRefreshView.as_view(), name="token-refresh"),
    path("users/logout", views.LogoutView.as_view(), name="logout"),
    path("users/me", views.MeView.as_view(), name="me"),
    path("users/sessions", views.SessionsView.as_view(), name="sessions"),
    path("users/sessions/<uuid:family>", views.SessionView.as_view(), name="session-end"),
    path("users/sessions/end-others", views.EndOthersView.as_view(), name="sessions-end-others"),
    path("users/change-password", views.ChangePasswordView.as_view(), name="change-password"),
    path("users/delete-account", views.DeleteAccountView.as_view(), name="delete-account"),
    path("users/forgot-password", views.ForgotPasswordView.as_view(), name="forgot-password"),
    path("users/reset-password", views.ResetPasswordView.as_view(), name="reset-password"),
    path("users/check-password", views.CheckPasswordView.as_view(), name="check-password"),
    path("users/confirm-address", views.ConfirmAddressView.as_view(), name="confirm-address"),
    path("users/send-confirmation", views.SendConfirmationView.as_view(), name="send-confirmation"),
    path("tokens", views.TokensView.as_view(), name="api-token-list"),
    path("tokens/<int:pk>", views.TokenView.as_view(), name="api-token-revoke"),
    path("preferences", views.PreferencesView.as_view(), name="preferences"),
]
