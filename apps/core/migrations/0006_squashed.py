import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import apps.core.ownership
from apps.core.new_tables import NewTables


class Migration(NewTables):
    replaces = [
        ("core", "0004_tell_what_a_job_works_on"),
        ("core", "0005_keep_who_began_a_job"),
        ("core", "0006_name_the_program_of_a_job"),
    ]

    initial = True

    dependencies = [
        ("accounts", "__first__"),
    ]

    operations = [
        migrations.CreateModel(
            name="StoredAnswer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("key", models.CharField(max_length=221)),
                ("fingerprint", models.CharField(max_length=64)),
                ("status_code", models.PositiveSmallIntegerField(default=0)),
                ("body", models.BinaryField(default=b"")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "indexes": [models.Index(fields=["created_at"], name="stored_answer_by_age")],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("owner", "key"), name="stored_answer_once_per_key"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Job",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        db_index=False,
                        default=apps.core.ownership.acting_person,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "program",
                    models.CharField(
                        blank=True,
                        default=apps.core.ownership.acting_program,
                        help_text="the name of the token that it was done by",
                        max_length=60,
                    ),
                ),
                ("kind", models.CharField(max_length=80)),
                ("key", models.CharField(default=uuid.uuid4, max_length=200)),
                ("payload", models.JSONField(default=dict)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "Queued"),
                            ("running", "Running"),
                            ("succeeded", "Succeeded"),
                            ("failed", "Failed"),
                            ("cancelled", "Cancelled"),
                        ],
                        default="queued",
                        max_length=12,
                    ),
                ),
                ("done", models.PositiveBigIntegerField(default=0)),
                ("total", models.PositiveBigIntegerField(null=True)),
                ("message", models.TextField(blank=True, default="")),
                ("trouble", models.TextField(blank=True, default="", editable=False)),
                ("failed", models.JSONField(default=list)),
                ("failed_count", models.PositiveIntegerField(default=0)),
                ("result", models.JSONField(default=dict)),
                ("checkpoint", models.JSONField(default=dict)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("token", models.UUIDField(null=True)),
                ("lease_until", models.DateTimeField(null=True)),
                ("not_before", models.DateTimeField(null=True)),
                ("dispatched_at", models.DateTimeField(null=True)),
                ("cancel_requested", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("started_at", models.DateTimeField(null=True)),
                ("finished_at", models.DateTimeField(null=True)),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("state__in", ["queued", "running"])),
                        fields=["state", "lease_until"],
                        name="job_unfinished",
                    ),
                    models.Index(fields=["owner", "-created_at"], name="job_by_owner"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("owner", "key"), name="job_once_per_key"),
                    models.UniqueConstraint(
                        condition=models.Q(("owner", None)),
                        fields=("key",),
                        name="job_of_nobody_once_per_key",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state", "running"), _negated=True),
                            ("token__isnull", False),
                            _connector="OR",
                        ),
                        name="job_running_has_token",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="JobSubject",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="subjects",
                        to="core.job",
                    ),
                ),
                ("what", models.CharField(max_length=20)),
                ("subject_id", models.BigIntegerField()),
            ],
            options={
                "indexes": [
                    models.Index(fields=["what", "subject_id"], name="jobsubject_of_a_thing")
                ],
            },
        ),
        migrations.CreateModel(
            name="RateWindow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=200)),
                (
                    "started",
                    models.PositiveBigIntegerField(help_text="Unix seconds of the window's start"),
                ),
                ("count", models.PositiveIntegerField(default=0)),
            ],
            options={
                "indexes": [models.Index(fields=["started"], name="rate_window_by_start")],
                "constraints": [
                    models.UniqueConstraint(fields=("key", "started"), name="rate_window_once")
                ],
            },
        ),
    ]
