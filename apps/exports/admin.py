from django.contrib import admin

from apps.core.operating import ReadOnlyAdmin
from apps.exports.models import Export


@admin.register(Export)
class ExportAdmin(ReadOnlyAdmin):
    """Operators see each export, its owner and the rows left out; only owners download files."""

    list_display = (
        "file_name",
        "owner",
        "scope",
        "state",
        "row_count",
        "failed_count",
        "created_at",
    )
    list_filter = ("scope", "kind", "job__state")
    search_fields = ("file_name", "owner__email_address", "batch__name", "=job__id")
    list_select_related = ("owner", "job")
    date_hierarchy = "created_at"

    @admin.display(ordering="job__state")
    def state(self, export: Export) -> str:
        return export.job.state
