"""Jobs for operators: failed jobs with their cause, and actions to retry or cancel a job."""

import json
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.urls import path, reverse
from django.utils.html import format_html

from apps.core.jobs.dispatch import STALE_AFTER, cancel_jobs, is_final, retry_jobs
from apps.core.jobs.models import Job, JobState
from apps.core.operating import ReadOnlyAdmin, show_result

SHOWN_FAILED = 50
# How often the page of a job at work asks for itself again.
REFRESH_SECONDS = 2
SHORT = 90

admin.site.site_header = f"{settings.PRODUCT_NAME} for operators"
admin.site.site_title = admin.site.site_header
admin.site.index_title = "Everything"


class StandingFilter(admin.SimpleListFilter):
    """The questions an operator comes with."""

    title = "standing"
    parameter_name = "standing"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        return [
            ("dead", "dead: failed"),
            ("stuck", "stuck: its worker is silent"),
            ("waiting", "waiting for a worker"),
            ("partly", "done, but not all items"),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        standings = {
            "dead": Q(state=JobState.FAILED),
            "stuck": Q(state=JobState.RUNNING, lease_until__lt=Now()),
            "waiting": Q(state=JobState.QUEUED, created_at__lt=Now() - STALE_AFTER),
            "partly": Q(state=JobState.SUCCEEDED, failed_count__gt=0),
        }
        wanted = standings.get(self.value() or "")
        return queryset if wanted is None else queryset.filter(wanted)


@admin.register(Job)
class JobAdmin(ReadOnlyAdmin):
    """The rows are the worker's; operators ask for another try, or for an end."""

    list_display = (
        "kind",
        "owner",
        "state",
        "progress",
        "reason",
        "failed_count",
        "attempts",
        "created_at",
        "finished_at",
    )
    list_filter = (StandingFilter, "state", "kind")
    search_fields = ("=id", "owner__email_address", "kind", "message")
    search_help_text = "Id, owner, kind or words of the reason"
    list_select_related = ("owner",)
    date_hierarchy = "created_at"
    ordering = ("-created_at",)
    actions = ("retry", "cancel")
    change_form_template = "admin/core/job/change_form.html"
    fieldsets = (
        (None, {"fields": ("kind", "owner", "state", "progress", "message", "cancel_requested")}),
        ("What went wrong", {"fields": ("what_it_stumbled_over", "items_that_failed")}),
        ("What it is about", {"fields": ("payload", "result", "key")}),
        (
            "Attempts",
            {
                "fields": (
                    "attempts",
                    "lease_until",
                    "not_before",
                    "created_at",
                    "started_at",
                    "finished_at",
                    "updated_at",
                )
            },
        ),
    )

    @admin.display()
    def progress(self, job: Job) -> str:
        if job.total is None:
            return f"{job.done:,}" if job.done else ""
        return f"{job.done:,} of {job.total:,}"

    @admin.display(ordering="message")
    def reason(self, job: Job) -> str:
        return job.message if len(job.message) <= SHORT else f"{job.message[: SHORT - 1]}…"

    @admin.display()
    def what_it_stumbled_over(self, job: Job) -> str:
        return format_html("<pre>{}</pre>", job.trouble) if job.trouble else "nothing"

    @admin.display()
    def items_that_failed(self, job: Job) -> str:
        if not job.failed_count:
            return "none"
        shown = json.dumps(job.failed[:SHOWN_FAILED], indent=1, ensure_ascii=False)
        more = job.failed_count - min(len(job.failed), SHOWN_FAILED)
        return format_html("<pre>{}</pre>{}", shown, f"and {more:,} more" if more else "")

    # -- acting ------------------------------------------------------------------------

    def has_steer_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("core.change_job")

    @admin.action(description="Try the selected jobs again", permissions=["steer"])
    def retry(self, request: HttpRequest, queryset: QuerySet[Job]) -> None:
        show_result(self, request, lambda: summary_of(*retry_jobs(jobs=queryset), "queued again"))

    @admin.action(description="Cancel the selected jobs", permissions=["steer"])
    def cancel(self, request: HttpRequest, queryset: QuerySet[Job]) -> None:
        show_result(self, request, lambda: summary_of(*cancel_jobs(jobs=queryset), "asked to stop"))

    def get_urls(self) -> list[Any]:
        steer = self.admin_site.admin_view(self.steer)
        return [
            path("<uuid:job_id>/steer/<str:verb>/", steer, name="core_job_steer"),
            *super().get_urls(),
        ]

    def steer(self, request: HttpRequest, job_id: Any, verb: str) -> HttpResponse:
        """Carry out the act of one of the job's buttons."""
        verbs = {"retry": self.retry, "cancel": self.cancel}
        here = reverse("admin:core_job_change", args=[job_id])
        if verb not in verbs:
            return HttpResponseRedirect(here)
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        if not self.has_steer_permission(request):
            raise PermissionDenied
        verbs[verb](request, Job.objects.filter(pk=job_id))
        return HttpResponseRedirect(here)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show the job; while it works, the page asks for itself again."""
        job = self.get_object(request, object_id)
        may = self.has_steer_permission(request)
        buttons = {
            "may_retry": may and job and job.state in (JobState.FAILED, JobState.CANCELLED),
            "may_cancel": may and job and not is_final(job) and not job.cancel_requested,
        }
        response = super().change_view(
            request, object_id, form_url, {**buttons, **(extra_context or {})}
        )
        if job is not None and not is_final(job):
            response.headers["Refresh"] = str(REFRESH_SECONDS)
        return response


def summary_of(done: int, left: int, what: str) -> str:
    """Return a summary of the results for the selected jobs."""
    rest = f"; {left} left alone, because of their state" if left else ""
    return f"{done} job{'' if done == 1 else 's'} {what}{rest}."
