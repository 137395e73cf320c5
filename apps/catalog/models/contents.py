"""What sets and minifigs are made of, by catalogue and version."""

from typing import ClassVar

from django.db import models

from apps.catalog.models.choices import CATALOGUES
from apps.catalog.models.item import Item
from apps.catalog.models.lot import Lot


class ItemInventory(models.Model):
    """One version of the contents of a set or minifig, as one catalogue lists them."""

    item = models.ForeignKey(
        Item,
        on_delete=models.CASCADE,
        related_name="inventories",
        db_index=False,  # iteminventory_version_once begins with it
    )
    catalogue = models.CharField(max_length=1, choices=CATALOGUES)
    version = models.PositiveSmallIntegerField(default=1)
    external_id = models.PositiveIntegerField(null=True, blank=True)
    has_components = models.BooleanField(default=False)
    has_inline_minifigs = models.BooleanField(
        default=False, help_text="the parts of its minifigs are listed among its own"
    )
    missing_quantity = models.PositiveIntegerField(
        default=0, help_text="pieces that could not be resolved when it was put together"
    )
    note = models.CharField(max_length=100, blank=True, default="")
    is_retired = models.BooleanField(default=False)

    class Meta:
        verbose_name = "item inventory"
        verbose_name_plural = "item inventories"
        constraints = [
            models.UniqueConstraint(
                fields=["item", "catalogue", "version"], name="iteminventory_version_once"
            ),
        ]
        indexes = [
            # the importer's look-up of a foreign inventory id
            models.Index(fields=["catalogue", "external_id"], name="iteminventory_by_foreign_id"),
        ]

    # What the text below needs: see core.operating.
    named_by: ClassVar = ("item",)

    def __str__(self) -> str:
        return f"{self.item} v{self.version} ({self.catalogue})"


class Component(models.Model):
    """A line of an inventory. Counterparts are assembled forms of other lines: do not count."""

    inventory = models.ForeignKey(
        ItemInventory,
        on_delete=models.CASCADE,
        related_name="components",
        db_index=False,  # component_line_once begins with it
    )
    lot = models.ForeignKey(Lot, on_delete=models.PROTECT, related_name="components")
    quantity = models.PositiveIntegerField()
    is_spare = models.BooleanField(default=False)
    is_alternate = models.BooleanField(default=False)
    match_id = models.PositiveIntegerField(default=0, help_text="alternates share one; 0 is none")
    is_counterpart = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=[
                    "inventory",
                    "lot",
                    "is_spare",
                    "is_alternate",
                    "match_id",
                    "is_counterpart",
                ],
                name="component_line_once",
            ),
            models.CheckConstraint(
                condition=models.Q(quantity__gte=1), name="component_quantity_positive"
            ),
        ]

    # What the text below needs: see core.operating.
    named_by: ClassVar = ("lot__item", "lot__color")

    def __str__(self) -> str:
        return f"{self.quantity} × {self.lot}"
