from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm

from apps.accounts.models import Preferences, User


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
    readonly_fields = ("created_at", "updated_at", "last_login")
    fieldsets = (
        (None, {"fields": ("email_address", "password", "name")}),
        ("Profile", {"fields": ("bidder_name", "zip_code", "units", "time_zone")}),
        ("Rights", {"fields": ("is_active", "is_staff", "is_superuser", "groups", "is_demo")}),
        ("Dates", {"fields": ("created_at", "updated_at", "last_login")}),
    )
    add_fieldsets = (
        (
            None,
            {"classes": ("wide",), "fields": ("email_address", "name", "password1", "password2")},
        ),
    )

    def get_inlines(self, request, obj):
        return self.inlines if obj is not None else ()
