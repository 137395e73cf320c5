"""A person's decisions about numbers and words of files that nobody else understands."""

from typing import Final

from django.db import models

from apps.catalog.models import Color, Item
from apps.core.ownership import IndexedByOwner
from apps.lots.models import Condition, KeptAct

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
    act = models.ForeignKey(KeptAct, on_delete=models.SET_NULL, null=True, related_name="choices")

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


class WordField(models.TextChoices):
    """What a word of a file stands for."""

    CONDITION = "condition"
    COLOR = "color"


class WordChoice(IndexedByOwner):
    """The condition or the colour that a word means in its owner's files."""

    field = models.CharField(max_length=12, choices=WordField)
    text = models.CharField(max_length=LONGEST, blank=True, help_text="as the file said it")
    condition = models.CharField(max_length=1, choices=Condition, blank=True, default="")
    color = models.ForeignKey(Color, on_delete=models.PROTECT, null=True, related_name="+")
    #: The act whose undo takes the choice back.
    act = models.ForeignKey(KeptAct, on_delete=models.SET_NULL, null=True, related_name="words")

    class Meta:
        verbose_name = "choice for a word"
        verbose_name_plural = "choices for words"
        constraints = (
            models.UniqueConstraint(fields=["owner", "field", "text"], name="wordchoice_once"),
        )

    def __str__(self) -> str:
        return f"{self.text}: {self.color or self.condition}"
