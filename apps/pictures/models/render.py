"""Neutral pictures of parts, drawn from models of the LDraw library."""

from django.db import models


class Render(models.Model):
    """One neutral picture, coloured when served. An item names it in `face`."""

    number = models.CharField(max_length=64, unique=True, help_text="LDraw's number of the model")
    title = models.CharField(max_length=300, blank=True, default="")
    digest = models.CharField(max_length=12, unique=True, help_text="of the layers: in addresses")
    source = models.CharField(
        max_length=40, help_text="digest of the model's files and the renderer's version"
    )
    moved_from = models.JSONField(default=list, blank=True, help_text="LDraw's former numbers")
    bricklink = models.JSONField(default=list, blank=True, help_text="numbers that LDraw names")
    shape = models.BinaryField()
    own_colors = models.BinaryField(default=bytes, blank=True)
    parts = models.JSONField(
        default=list,
        blank=True,
        help_text="of a set: [digest, colour] of the parts that its picture is put together from",
    )
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["number"]

    def __str__(self) -> str:
        return f"{self.number} {self.title}"
