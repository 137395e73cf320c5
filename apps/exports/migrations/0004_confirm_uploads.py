import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from apps.core.new_tables import NewTables


class Migration(NewTables):
    initial = True

    dependencies = [
        ("accounts", "__first__"),
        ("batches", "0013_log_acts_on_rows"),
        ("core", "0004_tell_what_a_job_works_on"),
    ]

    operations = [
        migrations.CreateModel(
            name="Export",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("bsx", "BrickStore (BSX)"),
                            ("mass_upload", "BrickLink mass upload (XML)"),
                            ("mass_update", "BrickLink mass update (XML)"),
                            ("wanted_list", "BrickLink wanted list (XML)"),
                            ("csv", "Spreadsheet (CSV)"),
                        ],
                        default="bsx",
                        max_length=12,
                    ),
                ),
                (
                    "scope",
                    models.CharField(
                        choices=[("batch", "Batch"), ("inventory", "Inventory")], max_length=10
                    ),
                ),
                ("options", models.JSONField(blank=True, default=dict)),
                (
                    "file",
                    models.FileField(blank=True, default="", max_length=200, upload_to="exports"),
                ),
                (
                    "file_name",
                    models.CharField(help_text="as it is offered to the person", max_length=255),
                ),
                ("row_count", models.PositiveIntegerField(default=0, help_text="lots in the file")),
                ("failed_count", models.PositiveIntegerField(default=0, help_text="lots left out")),
                ("failed", models.JSONField(blank=True, default=list)),
                (
                    "notices",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text="what was written in another form than it is kept",
                    ),
                ),
                ("written_at", models.DateTimeField(blank=True, null=True)),
                (
                    "batch",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="batches.batch",
                    ),
                ),
                (
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="+",
                        to="core.job",
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
                (
                    "listed_count",
                    models.PositiveIntegerField(
                        default=0,
                        help_text="lots that a mass upload left out, as BrickLink has them",
                    ),
                ),
                ("sent", models.BinaryField(blank=True, default=b"")),
                (
                    "uploaded_at",
                    models.DateTimeField(
                        blank=True, help_text="when its owner said that it was uploaded", null=True
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["owner", "-created_at"], name="export_list")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("scope", "batch"),
                            models.Q(("batch__isnull", True), ("scope", "inventory")),
                            _connector="OR",
                        ),
                        name="export_of_inventory_has_no_batch",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("file", ""), ("written_at__isnull", True)),
                            models.Q(
                                models.Q(("file", ""), _negated=True), ("written_at__isnull", False)
                            ),
                            _connector="OR",
                        ),
                        name="export_written_has_its_file",
                    ),
                ],
            },
        ),
    ]
