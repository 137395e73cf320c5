"""Backup: a zip of everything that a person keeps here, and the job that writes it."""

from typing import Final

from django.db import models

from apps.core.jobs.models import Job, WrittenFile

FOLDER: Final = "backups"


class Backup(WrittenFile):
    """One zip of everything that a person keeps here."""

    job = models.OneToOneField(Job, on_delete=models.RESTRICT, related_name="+")
    file = models.FileField(upload_to=FOLDER, max_length=200, blank=True, default="")
    size = models.PositiveBigIntegerField(default=0, help_text="bytes")
    counts = models.JSONField(default=dict, blank=True, help_text="what -> rows in the file")

    called = "backup"
