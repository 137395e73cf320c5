"""Lots: an item in a colour. What stock, batches and prices refer to."""

from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q

from apps.accounts.models import User
from apps.catalog.models.color import Color
from apps.catalog.models.item import Item
from apps.core.prepared import Slot


class LotQuerySet(models.QuerySet["Lot"]):
    def visible_to(self, person: User | Slot | None) -> Self:
        """Return the pairs that everybody sees, and those that `person` made (None: no one's)."""
        made = LotMaker.objects.filter(lot=OuterRef("pk"))
        seen = Q(is_known=True) | ~Exists(made)
        return self.filter(seen if person is None else seen | Exists(made.filter(maker=person)))


class Lot(models.Model):
    """An item in a colour (colour 0 for items without one), also a pair in no catalogue.

    A pair made by persons is visible to its makers, until a catalogue or an operator confirms it.
    """

    item = models.ForeignKey(
        Item,
        on_delete=models.PROTECT,
        related_name="lots",
        db_index=False,  # lot_item_and_color_once begins with it
    )
    color = models.ForeignKey(Color, on_delete=models.PROTECT, related_name="lots")
    is_known = models.BooleanField(default=True, help_text="a catalogue says that it exists")
    composite_ssearch = models.CharField(
        max_length=700, blank=True, default="", help_text="folded number, name and colour"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    objects = LotQuerySet.as_manager()

    class Meta:
        ordering = ["item_id", "color_id"]
        constraints = [
            models.UniqueConstraint(fields=["item", "color"], name="lot_item_and_color_once"),
        ]

    # What the text below needs: see core.operating.
    named_by: ClassVar = ("item", "color")

    def __str__(self) -> str:
        return f"{self.item} in {self.color}"


class LotMaker(models.Model):
    """Who made a pair that no catalogue lists; several people may make the same one.

    The row of a closed account stays, without a name, so that the pair does not become
    everybody's. Pairs from before this table have none, and are everybody's as they were.
    """

    lot = models.ForeignKey(
        Lot,
        on_delete=models.CASCADE,
        related_name="makers",
        db_index=False,  # lotmaker_once begins with it
    )
    maker = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = "maker of a lot"
        verbose_name_plural = "makers of lots"
        constraints = [
            models.UniqueConstraint(fields=["lot", "maker"], name="lotmaker_once"),
        ]

    def __str__(self) -> str:
        return str(self.maker or "a closed account")


class ElementCode(models.Model):
    """LEGO's element id (4 to 8 digits) of a lot. Several lots may share one."""

    code = models.CharField(max_length=12)
    lot = models.ForeignKey(Lot, on_delete=models.CASCADE, related_name="element_codes")
    catalogue = models.CharField(max_length=1, default="B")

    class Meta:
        verbose_name = "element code"
        constraints = [
            # code first: it serves the search by element id too
            models.UniqueConstraint(fields=["code", "lot"], name="elementcode_is_told_once"),
        ]

    def __str__(self) -> str:
        return self.code
