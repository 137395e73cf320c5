"""What search looks at: one folded line per item, and the words that names are made of.

The index proper (FTS5 on SQLite, GIN on PostgreSQL) is made by the first migration and kept by
triggers on this table, so that no writer can forget it. A later migration that lets Django
rebuild this table on SQLite has to make the triggers again.
"""

from django.db import models

from apps.catalog.models.choices import ITEM_TYPES
from apps.catalog.models.item import Item
from apps.core.natural import NaturalKey


class ItemText(models.Model):
    """The search line of an item: folded words, and what ranking needs."""

    item = models.OneToOneField(Item, primary_key=True, on_delete=models.CASCADE)
    item_type = models.CharField(max_length=12, choices=ITEM_TYPES)
    type_order = models.PositiveSmallIntegerField()
    number_key = models.CharField(max_length=64)
    name_rank = models.PositiveIntegerField(
        help_text="length of the name; nameless and retired items come last"
    )
    rank_id = models.BigIntegerField(unique=True, help_text="name_rank × 2^40 + item id")
    words = models.TextField(help_text="folded number and name")
    more = models.TextField(blank=True, default="", help_text="=type, then folded other numbers")
    sort_key = NaturalKey(db_default="", help_text="of the number")

    def __str__(self) -> str:
        return self.words


class SearchWord(models.Model):
    """A word of three letters or more that names contain: what "did you mean" may offer."""

    word = models.CharField(max_length=40, primary_key=True)

    def __str__(self) -> str:
        return self.word


class VocabularyChange(models.Model):
    """A time that words were added: how many rows there are is the version of all words.

    Rows are added and never changed, so that nobody waits for another who adds words.
    """

    added = models.PositiveIntegerField(help_text="how many words")

    def __str__(self) -> str:
        return f"{self.added} words"
