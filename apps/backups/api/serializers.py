"""Backups on the wire."""

from typing import Any

from rest_framework import serializers

from apps.backups.models import Backup
from apps.core.jobs.api import WrittenFileRow


class BackupRow(WrittenFileRow):
    """A backup with the state of its job. `file_url` is null until the file is there."""

    model = Backup
    columns = f"{WrittenFileRow.file_columns} size"
    address = "/api/backups"

    counts: dict[str, int]


class BackupWrite(serializers.Serializer[Any]):
    """Nothing is asked: a backup holds everything."""


class RestoreWrite(serializers.Serializer[Any]):
    """A backup as it was downloaded."""

    file = serializers.FileField(max_length=255)
