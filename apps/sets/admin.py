from django.contrib import admin

from apps.core.operating import ReadOnlyAdmin
from apps.sets.models import UserSet


@admin.register(UserSet)
class UserSetAdmin(ReadOnlyAdmin):
    list_display = ("item", "owner", "state", "updated_at")
    list_filter = ("state",)
    list_select_related = ("owner", "item")
    search_fields = ("item__number", "item__name", "owner__email_address")
