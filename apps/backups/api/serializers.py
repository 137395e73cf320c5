"""Backups on the wire."""

from typing import Any

from rest_framework import serializers

from apps.core.api.serializers import RowSerializer
from apps.core.jobs.models import JobState


class BackupRow(RowSerializer):
    """A backup with the state of its job. `file_url` is null until the file is there."""

    id = serializers.IntegerField()
    job_id = serializers.UUIDField()
    state = serializers.ChoiceField(choices=JobState.choices, source="job.state")
    done = serializers.IntegerField(source="job.done")
    total = serializers.IntegerField(source="job.total", allow_null=True)
    message = serializers.CharField(source="job.message")
    size = serializers.IntegerField(help_text="bytes")
    counts = serializers.DictField(child=serializers.IntegerField())
    file_name = serializers.CharField()
    file_url = serializers.CharField(allow_null=True)
    createdAt = serializers.DateTimeField(source="created_at")
    updatedAt = serializers.DateTimeField(source="updated_at")
    writtenAt = serializers.DateTimeField(source="written_at", allow_null=True)

    computed = ("file_url",)

    def finish(self, row: Any) -> Any:
        row["file_url"] = f"/api/backups/{row['id']}/file" if row["writtenAt"] else None
        return row


class BackupWrite(serializers.Serializer[Any]):
    """Nothing is asked: a backup holds everything."""


class RestoreWrite(serializers.Serializer[Any]):
    """A backup as it was downloaded."""

    file = serializers.FileField(max_length=255)
