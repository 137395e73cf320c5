"""Colours, numbered as BrickLink numbers them, and what other catalogues call them."""

from django.db import models

from apps.catalog.models.choices import CATALOGUES, AliasKind


class Color(models.Model):
    """A colour. `id` is BrickLink's; 10000 + id what only Rebrickable has; from 100000 ours."""

    id = models.IntegerField(primary_key=True)
    name = models.CharField(max_length=100)
    rgb = models.CharField(max_length=6, blank=True, default="", help_text="RRGGBB, upper case")
    color_type = models.CharField(max_length=30, blank=True, default="")
    is_trans = models.BooleanField(default=False)
    year_from = models.PositiveSmallIntegerField(null=True, blank=True)
    year_to = models.PositiveSmallIntegerField(null=True, blank=True)
    part_count = models.PositiveIntegerField(default=0, help_text="parts known in it")
    origin = models.CharField(max_length=1, choices=CATALOGUES, default="B")

    class Meta:
        verbose_name = "colour"
        ordering = ["name", "id"]
        indexes = [
            models.Index(fields=["name"], name="color_list_and_code_files"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def html(self) -> str:
        """The colour as a browser writes it, '' if its RGB value is unknown."""
        return f"#{self.rgb}" if self.rgb else ""


class ColorAlias(models.Model):
    """Another catalogue's id (or former name) of a colour; rank 0 is the preferred answer back."""

    color = models.ForeignKey(Color, on_delete=models.CASCADE, related_name="aliases")
    catalogue = models.CharField(max_length=1, choices=CATALOGUES)
    kind = models.CharField(max_length=9, choices=AliasKind.choices, default=AliasKind.ID)
    value = models.CharField(max_length=100)
    name = models.CharField(max_length=100, blank=True, default="")
    rank = models.PositiveSmallIntegerField(default=0)
    confidence = models.PositiveSmallIntegerField(default=1000, help_text="of 1000")
    votes = models.PositiveIntegerField(default=0, help_text="element ids that say so")

    class Meta:
        verbose_name = "colour alias"
        verbose_name_plural = "colour aliases"
        constraints = [
            # A foreign id means one colour; one colour may have several foreign ids.
            models.UniqueConstraint(
                fields=["catalogue", "kind", "value"], name="coloralias_value_means_one_color"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.catalogue}:{self.value} → {self.color_id}"
