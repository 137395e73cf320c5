"""The photo of a skipped piece, kept until a person identifies it."""

from django.core.validators import RegexValidator
from django.db import models

from apps.batches.models.item import BatchItem
from apps.core.ownership import OwnedModel


class KeptPhoto(OwnedModel):
    """The photo of a batch item; it is deleted with the item.

    A small JPEG as base64, so that lists show it without another request and backups include it.
    """

    item = models.OneToOneField(BatchItem, on_delete=models.CASCADE, related_name="photo")
    jpeg = models.TextField(editable=False, validators=[RegexValidator(r"^[A-Za-z0-9+/]+={0,2}\Z")])

    class Meta:
        verbose_name = "kept photo"

    def __str__(self) -> str:
        return f"photo of batch item {self.item_id}"
