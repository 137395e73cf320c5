"""`/api/jobs`: follow, cancel and retry one's own jobs."""

from typing import Any, ClassVar

from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import mixins, serializers, status
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from apps.core.api.fields import UUID_PATTERN
from apps.core.api.hidden import own_only
from apps.core.api.serializers import RowSerializer, named_columns
from apps.core.api.views import AppliesOnce
from apps.core.jobs.dispatch import cancel_job, retry_job
from apps.core.jobs.models import Job


class JobRow(RowSerializer):
    model = Job
    columns = """
        id kind by_name=by.name program state done total message failed_count cancel_requested
        createdAt updatedAt finishedAt
    """

    failed = serializers.ListField(child=serializers.DictField())
    result = serializers.DictField()


class WrittenFileRow(RowSerializer):
    """A `WrittenFile` with the state of its job. `file_url` is null until the file is there."""

    file_columns: ClassVar = """
        id job_id state=job.state done=job.done total=job.total message=job.message
        file_name createdAt updatedAt writtenAt
    """
    #: Where the rows are; the file of each lies below.
    address: ClassVar[str]

    file_url: str | None

    computed = ("file_url",)

    def finish(self, row: dict[str, Any]) -> dict[str, Any]:
        row["file_url"] = f"{self.address}/{row['id']}/file" if row["writtenAt"] else None
        return row


def accepted(job: Job) -> Response:
    """Answer 202 with a job that runs after the response."""
    row = JobRow.select(Job.objects.filter(pk=job.pk)).get()
    return Response(JobRow(row).data, status=status.HTTP_202_ACCEPTED)


class JobViewSet(AppliesOnce, mixins.ListModelMixin, GenericViewSet[Job]):
    """Long operations of the caller, newest first."""

    queryset = Job.objects.all()
    serializer_class = JobRow
    lookup_value_regex = UUID_PATTERN
    filterset_fields = ("state", "kind")
    ordering_fields = named_columns("createdAt")
    ordering = "-createdAt"

    def get_queryset(self) -> Any:
        if getattr(self, "swagger_fake_view", False):
            return Job.objects.none()
        return own_only(Job.objects.owned_by(self.request.user), self.request)

    def filter_queryset(self, queryset: QuerySet[Any]) -> Any:
        return JobRow.select(super().filter_queryset(queryset))

    def retrieve(self, request: Request, pk: str) -> Response:
        return Response(self._row(pk))

    @extend_schema(request=None, responses=JobRow)
    @action(detail=True, methods=["post"])
    def cancel(self, request: Request, pk: str) -> Response:
        """Stop after the present chunk; what was committed stays."""
        with transaction.atomic():
            cancel_job(job=self._job(pk))
        return Response(self._row(pk))

    @extend_schema(request=None, responses=JobRow)
    @action(detail=True, methods=["post"])
    def retry(self, request: Request, pk: str) -> Response:
        """Queue a failed or cancelled job again, from where it stopped."""
        with transaction.atomic():
            retry_job(job=self._job(pk))
        return Response(self._row(pk))

    def _job(self, pk: str) -> Job:
        job = self.get_queryset().filter(pk=pk).first()
        if job is None:
            raise Http404
        return job

    def _row(self, pk: str) -> Any:
        row = JobRow.select(self.get_queryset().filter(pk=pk)).first()
        if row is None:
            raise Http404
        return JobRow(row).data
