from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from apps.backups.models import Backup


@admin.register(Backup)
class BackupAdmin(admin.ModelAdmin[Backup]):
    """Operators see who made a backup and how it went; the files are their owners'."""

    list_display = ("file_name", "owner", "state", "size", "created_at", "written_at")
    list_filter = ("job__state",)
    search_fields = ("owner__email_address", "=job__id")
    list_select_related = ("owner", "job")
    date_hierarchy = "created_at"
    exclude = ("file",)

    @admin.display(ordering="job__state")
    def state(self, backup: Backup) -> str:
        return backup.job.state

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
