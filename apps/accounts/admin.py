"""Who has an account. Rights and passwords are given by superusers alone."""

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import HttpRequest, HttpResponse

from apps.accounts.models import (
    ApiToken,
    Authenticator,
    Invitation,
    Passkey,
    Preferences,
    RecoveryCode,
    RememberedDevice,
    User,
)
from apps.accounts.services.factors import check_code, has_factor
from apps.core.clock import now
from apps.core.errors import DomainError
from apps.core.operating import ReadOnlyAdmin
from apps.core.throttling import client_address

# Fields by which an operator could sign in as another user or gain more rights.
FOR_SUPERUSERS = (
    "email_address",
    "password",
    "is_staff",
    "is_superuser",
    "groups",
    "is_demo",
)


class UserForm(UserChangeForm):
    class Meta:
        model = User
        fields = "__all__"


class NewUserForm(AdminUserCreationForm):
    class Meta:
        model = User
        fields = ("email_address", "name")


class PreferencesInline(admin.StackedInline[Preferences, User]):
    model = Preferences


@admin.register(User)
class AccountAdmin(UserAdmin):
    form = UserForm
    add_form = NewUserForm
    inlines = (PreferencesInline,)
    ordering = ("email_address",)
    list_display = ("email_address", "name", "is_staff", "is_active", "created_at")
    list_filter = ("is_staff", "is_active", "is_demo")
    search_fields = ("email_address", "name")
    readonly_fields = ("email_confirmed_at", "created_at", "updated_at", "last_login")
    fieldsets = (
        (None, {"fields": ("email_address", "password", "name")}),
        ("Profile", {"fields": ("bidder_name", "zip_code", "units", "time_zone")}),
        ("Rights", {"fields": ("is_active", "is_staff", "is_superuser", "groups", "is_demo")}),
        (
            "Dates",
            {"fields": ("email_confirmed_at", "created_at", "updated_at", "last_login")},
        ),
    )
    add_fieldsets = (
        (
            None,
            {"classes": ("wide",), "fields": ("email_address", "name", "password1", "password2")},
        ),
    )

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        if change and "email_address" in form.changed_data:
            obj.email_confirmed_at = None  # the new address is not confirmed
        super().save_model(request, obj, form, change)

    def get_inlines(self, request: HttpRequest, obj: Model | None) -> Any:
        return self.inlines if obj is not None else ()

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Only superusers change staff accounts: an operator must not gain rights."""
        if obj is not None and (obj.is_staff or obj.is_superuser) and not may_all(request):
            return False
        return super().has_change_permission(request, obj)

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> Any:
        if may_all(request):
            return self.readonly_fields
        return (*self.readonly_fields, *FOR_SUPERUSERS)

    def user_change_password(
        self, request: HttpRequest, id: str, form_url: str = ""
    ) -> HttpResponse:
        if not may_all(request):
            raise PermissionDenied
        answer: HttpResponse = super().user_change_password(request, id, form_url)
        return answer


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnlyAdmin):
    list_display = ("name", "owner", "expires_at", "last_used_at")
    list_select_related = ("owner",)
    search_fields = ("name", "public", "owner__email_address")
    exclude = ("token_hash",)


@admin.register(Invitation)
class InvitationAdmin(ReadOnlyAdmin):
    list_display = ("owner", "role", "email_address", "expires_at")
    list_select_related = ("owner",)
    search_fields = ("owner__email_address", "email_address")
    exclude = ("token_hash",)


@admin.register(Authenticator)
class AuthenticatorAdmin(ReadOnlyAdmin):
    list_display = ("owner", "confirmed_at", "updated_at")
    list_select_related = ("owner",)
    search_fields = ("owner__email_address",)
    exclude = ("sealed_secret", "last_step")


@admin.register(Passkey)
class PasskeyAdmin(ReadOnlyAdmin):
    list_display = ("name", "owner", "created_at", "last_used_at")
    list_select_related = ("owner",)
    search_fields = ("name", "owner__email_address")
    exclude = ("credential_id", "public_key")


@admin.register(RecoveryCode)
class RecoveryCodeAdmin(ReadOnlyAdmin):
    list_display = ("owner", "created_at")
    list_select_related = ("owner",)
    search_fields = ("owner__email_address",)
    exclude = ("code_hash",)


@admin.register(RememberedDevice)
class RememberedDeviceAdmin(ReadOnlyAdmin):
    list_display = ("device", "owner", "expires_at")
    list_select_related = ("owner",)
    search_fields = ("device", "owner__email_address")
    exclude = ("token_hash",)


def may_all(request: HttpRequest) -> bool:
    return bool(request.user.is_superuser)


class SignInForm(AdminAuthenticationForm):
    """The admin's door: beside the password, a code where the account has a second factor."""

    code = forms.CharField(
        label="Code of your second factor, if you have one",
        max_length=40,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code"}),
    )

    def clean(self) -> dict[str, Any]:
        values = super().clean()
        user = self.get_user()
        if isinstance(user, User) and has_factor(user):
            try:
                check_code(
                    user=user,
                    code=values.get("code", ""),
                    address=client_address(self.request),
                    now=now(),
                )
            except DomainError as refused:
                raise forms.ValidationError(f"Second factor: {refused.text}") from None
        return values


admin.site.login_form = SignInForm
admin.site.login_template = "admin/sign_in.html"
