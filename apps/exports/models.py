"""Export: a file that was asked for, the job that writes it, and what could not be written."""

from typing import Final

from django.db import models
from django.db.models import Q

from apps.batches.models import Batch
from apps.core.jobs.models import Job, WrittenFile

FOLDER: Final = "exports"


class ExportKind(models.TextChoices):
    """The format of the file."""

    BSX = "bsx", "BrickStore (BSX)"
    MASS_UPLOAD = "mass_upload", "BrickLink mass upload (XML)"
    MASS_UPDATE = "mass_update", "BrickLink mass update (XML)"
    WANTED_LIST = "wanted_list", "BrickLink wanted list (XML)"
    CSV = "csv", "Spreadsheet (CSV)"


class Scope(models.TextChoices):
    """What is exported: a batch, or the stock."""

    BATCH = "batch"
    INVENTORY = "inventory"


class Export(WrittenFile):
    """One file of a batch or of the stock, and the lots that are not in it."""

    kind = models.CharField(max_length=12, choices=ExportKind, default=ExportKind.BSX)
    scope = models.CharField(max_length=10, choices=Scope)
    batch = models.ForeignKey(
        Batch, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    options = models.JSONField(default=dict, blank=True)
    job = models.ForeignKey(Job, on_delete=models.RESTRICT, related_name="+")
    file = models.FileField(upload_to=FOLDER, max_length=200, blank=True, default="")
    row_count = models.PositiveIntegerField(default=0, help_text="lots in the file")
    failed_count = models.PositiveIntegerField(default=0, help_text="lots left out")
    # The first 1,000 that were left out as {id, reason, name}.
    failed = models.JSONField(default=list, blank=True)
    notices = models.JSONField(
        default=list, blank=True, help_text="what was written in another form than it is kept"
    )
    listed_count = models.PositiveIntegerField(
        default=0, help_text="lots that a mass upload left out, as BrickLink has them"
    )
    # Of a mass update: what BrickLink has of each lot once the file is uploaded, deflated JSON.
    sent = models.BinaryField(default=b"", blank=True)
    uploaded_at = models.DateTimeField(
        null=True, blank=True, help_text="when its owner said that it was uploaded"
    )

    class Meta(WrittenFile.Meta):
        constraints = (
            *WrittenFile.Meta.constraints,
            models.CheckConstraint(
                condition=Q(scope=Scope.BATCH) | Q(scope=Scope.INVENTORY, batch__isnull=True),
                name="export_of_inventory_has_no_batch",
            ),
        )
