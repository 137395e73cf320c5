"""The row of a long operation: the truth about it. Celery only runs it."""

import uuid
from collections.abc import Iterable
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from apps.core.ownership import IndexedByOwner, acting_field, program_field

MAX_ATTEMPTS = 5


class JobState(models.TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"


FINAL_STATES = (JobState.SUCCEEDED, JobState.FAILED, JobState.CANCELLED)


class JobQuerySet(models.QuerySet["Job"]):
    def owned_by(self, user: object) -> "JobQuerySet":
        """Return the jobs of `user` only."""
        return self.filter(owner=user)

    def about(self, what: str, ids: Iterable[int]) -> "JobQuerySet":
        """Return the jobs that work on any of these; a job of several is there for each."""
        return self.filter(subjects__what=what, subjects__subject_id__in=list(ids))

    def unfinished(self) -> "JobQuerySet":
        return self.filter(state__in=(JobState.QUEUED, JobState.RUNNING))


class Job(models.Model):
    """One long operation. `token` fences a worker that lost its lease."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", null=True
    )
    by = acting_field()
    program = program_field()
    kind = models.CharField(max_length=80)
    key = models.CharField(max_length=200, default=uuid.uuid4)
    payload = models.JSONField(default=dict)
    state = models.CharField(max_length=12, choices=JobState, default=JobState.QUEUED)
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(null=True)
    message = models.TextField(default="", blank=True)
    # The traceback of the last attempt, for operators: never in the API.
    trouble = models.TextField(default="", blank=True, editable=False)
    failed = models.JSONField(default=list)
    failed_count = models.PositiveIntegerField(default=0)
    result = models.JSONField(default=dict)
    checkpoint = models.JSONField(default=dict)
    attempts = models.PositiveSmallIntegerField(default=0)
    token = models.UUIDField(null=True)
    lease_until = models.DateTimeField(null=True)
    not_before = models.DateTimeField(null=True)
    dispatched_at = models.DateTimeField(null=True)
    cancel_requested = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    objects = JobQuerySet.as_manager()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["owner", "key"], name="job_once_per_key"),
            # NULLs are distinct to the constraint above: periodic jobs have no owner.
            models.UniqueConstraint(
                fields=["key"], condition=Q(owner=None), name="job_of_nobody_once_per_key"
            ),
            models.CheckConstraint(
                condition=~Q(state=JobState.RUNNING) | Q(token__isnull=False),
                name="job_running_has_token",
            ),
        )
        indexes = (
            # The reaper and the poller look for work several times a second.
            models.Index(
                fields=["state", "lease_until"],
                name="job_unfinished",
                condition=Q(state__in=["queued", "running"]),
            ),
            # The list of a user's jobs, newest first.
            models.Index(fields=["owner", "-created_at"], name="job_by_owner"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"


class JobSubject(models.Model):
    """A subject of a job, such as `batch` 5; written by `start_job` with the job."""

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="subjects")
    what = models.CharField(max_length=20)
    subject_id = models.BigIntegerField()

    class Meta:
        indexes = (
            # The jobs of some things: a list asks for each of its pages.
            models.Index(fields=["what", "subject_id"], name="jobsubject_of_a_thing"),
        )

    def __str__(self) -> str:
        return f"{self.what} {self.subject_id}"


class WrittenFile(IndexedByOwner):
    """A file that a `job` writes. It is there once the job has succeeded, whole."""

    file_name = models.CharField(max_length=255, help_text="as it is offered to the person")
    written_at = models.DateTimeField(null=True, blank=True)

    #: What messages call it.
    called: ClassVar = "file"

    class Meta:
        abstract = True
        constraints: ClassVar[tuple[models.BaseConstraint, ...]] = (
            models.CheckConstraint(
                condition=Q(file="", written_at__isnull=True)
                | (~Q(file="") & Q(written_at__isnull=False)),
                name="%(class)s_written_has_its_file",
            ),
        )
        indexes = (
            # the list of a user's files, newest first
            models.Index(fields=["owner", "-created_at"], name="%(class)s_list"),
        )

    def __str__(self) -> str:
        return self.file_name
