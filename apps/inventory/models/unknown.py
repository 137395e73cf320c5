"""A person's decision about a number that is not in the catalogue."""

from typing import Final

from django.db import models

from apps.catalog.models import Item
from apps.core.ownership import IndexedByOwner
from apps.inventory.models.act import StockAct

#: Letters of a number, or of the name of a lot without one, that can be remembered.
LONGEST: Final = 255


class NumberChoice(IndexedByOwner):
    """The item that a number means in its owner's files; no item: an own item of the owner's.

    `item_type` is the letter of the file. `name` distinguishes lots without a number.
    """

    item_type = models.CharField(max_length=12, blank=True)
    number = models.CharField(max_length=LONGEST, blank=True)
    name = models.CharField(max_length=LONGEST, blank=True, default="")
    item = models.ForeignKey(Item, on_delete=models.PROTECT, null=True, related_name="+")
    #: The act whose undo takes the choice back.
    act = models.ForeignKey(StockAct, on_delete=models.SET_NULL, null=True, related_name="choices")

    class Meta:
        verbose_name = "choice for a number"
        verbose_name_plural = "choices for numbers"
        constraints = (
            models.UniqueConstraint(
                fields=["owner", "item_type", "number", "name"], name="numberchoice_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.number or self.name}: {self.item or 'an own item'}"
