"""Backup: a zip of everything that a person keeps here, and the job that writes it."""

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import Q

from apps.core.jobs.models import Job
from apps.core.ownership import OwnedModel

FOLDER: Final = "backups"


class Backup(OwnedModel):
    """One zip. It is there once its job has succeeded, whole."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="+",
        db_index=False,  # backup_list begins with it
    )
    job = models.OneToOneField(Job, on_delete=models.RESTRICT, related_name="+")
    file = models.FileField(upload_to=FOLDER, max_length=200, blank=True, default="")
    file_name = models.CharField(max_length=255, help_text="as it is offered to the person")
    size = models.PositiveBigIntegerField(default=0, help_text="bytes")
    counts = models.JSONField(default=dict, blank=True, help_text="what -> rows in the file")
    written_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(file="", written_at__isnull=True)
                | (~Q(file="") & Q(written_at__isnull=False)),
                name="backup_written_has_its_file",
            ),
        )
        indexes = (
            # the list of a user's backups, newest first
            models.Index(fields=["owner", "-created_at"], name="backup_list"),
        )

    def __str__(self) -> str:
        return self.file_name
