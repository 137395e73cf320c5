"""What requests of other apps say of stock, too: which rows, and how values become one."""

from typing import Any

from rest_framework import serializers

from apps.core.api.bulk import ListFilters, ManyWrite
from apps.core.api.fields import one_of
from apps.inventory.api.filters import ItemFilter
from apps.inventory.rules.consolidation import MODES


class ManyStock(ManyWrite):
    """Which rows of stock: by `ids`, or all that match the list's `filter`."""

    filter = ListFilters(ItemFilter)


class Modes(serializers.DictField):
    """How the values of a field become one."""

    def __init__(self) -> None:
        super().__init__(
            child=serializers.CharField(),
            required=False,
            help_text="field -> keep, fill, highest, average or text",
        )

    def accepts(self) -> dict[str, Any]:
        """Return the fields with their modes."""
        return {
            "properties": {name: one_of(modes) for name, modes in MODES.items()},
            "additionalProperties": False,
        }
