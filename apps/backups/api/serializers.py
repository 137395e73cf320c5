"""Backups on the wire."""

from typing import Any

from rest_framework import serializers

from apps.backups.models import Backup
from apps.core.api.serializers import RowSerializer


class BackupRow(RowSerializer):
    """A backup with the state of its job. `file_url` is null until the file is there."""

    model = Backup
    columns = """
        id job_id state=job.state done=job.done total=job.total message=job.message size
        file_name createdAt updatedAt writtenAt
    """

    counts = serializers.DictField(child=serializers.IntegerField())
    file_url = serializers.CharField(allow_null=True)

    computed = ("file_url",)

    def finish(self, row: Any) -> Any:
        row["file_url"] = f"/api/backups/{row['id']}/file" if row["writtenAt"] else None
        return row


class BackupWrite(serializers.Serializer[Any]):
    """Nothing is asked: a backup holds everything."""


class RestoreWrite(serializers.Serializer[Any]):
    """A backup as it was downloaded."""

    file = serializers.FileField(max_length=255)
