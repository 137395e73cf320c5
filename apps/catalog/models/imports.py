"""Runs of the importer: their files, times and refused rows."""

from django.db import models


class ImportRun(models.Model):
    """One run of the catalogue importer, with its figures."""

    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)
    heartbeat_at = models.DateTimeField(help_text="a run that stops beating is dead")
    is_running = models.BooleanField(default=True)
    revision = models.PositiveIntegerField(
        default=0, help_text="of the catalogue after this run; grows when a run wrote anything"
    )
    importer_version = models.PositiveSmallIntegerField()
    is_dry_run = models.BooleanField(default=False)
    files = models.JSONField(default=list, help_text="per file: kind, rows, refused, seconds")
    tables = models.JSONField(default=dict, help_text="per table: added, changed, retired, rows/s")
    refused = models.PositiveIntegerField(default=0)
    parked = models.PositiveIntegerField(default=0)
    message = models.CharField(max_length=300, blank=True, default="")

    class Meta:
        verbose_name = "import run"
        ordering = ["-started_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["is_running"],
                condition=models.Q(is_running=True),
                name="importrun_one_at_a_time",
            ),
        ]
        indexes = [models.Index(fields=["-started_at"], name="importrun_latest_first")]

    def __str__(self) -> str:
        return f"{self.started_at:%Y-%m-%d %H:%M}"


class RefusedRow(models.Model):
    """A row that was not taken: unreadable (refused) or pointing to nothing yet (parked).

    The report file of the run has all of them; here are the first of each file and reason.
    """

    run = models.ForeignKey(ImportRun, on_delete=models.CASCADE, related_name="refused_rows")
    file = models.CharField(max_length=200)
    line = models.PositiveIntegerField()
    is_parked = models.BooleanField(default=False)
    reason = models.CharField(max_length=300)
    text = models.CharField(max_length=300, blank=True, default="")

    class Meta:
        verbose_name = "refused row"
        indexes = [models.Index(fields=["run", "file", "line"], name="refusedrow_report_order")]

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.reason}"


class CurrentFile(models.Model):
    """The file whose content each table holds now: an identical one needs no second reading."""

    slot = models.CharField(max_length=100, unique=True, help_text="table, or table and item type")
    name = models.CharField(max_length=200)
    sha256 = models.CharField(max_length=64)
    importer_version = models.PositiveSmallIntegerField()
    rows = models.PositiveIntegerField(default=0)
    refused = models.PositiveIntegerField(default=0)
    parked = models.PositiveIntegerField(default=0)
    imported_at = models.DateTimeField()
    revision = models.PositiveIntegerField(
        help_text="of the catalogue when it was read; an older one is read again"
    )

    class Meta:
        verbose_name = "current file"

    def __str__(self) -> str:
        return f"{self.slot}: {self.name}"
