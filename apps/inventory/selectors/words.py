"""Words of files in stock that were not understood: conditions, and names of colours."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from django.db.models import Count, F, Min, QuerySet, Sum
from django.db.models.functions import Lower

from apps.core.worth import lots_without_price, total_worth
from apps.exchange.bsx_lot import BsxLot
from apps.exchange.conditions import UNKNOWN_CONDITION
from apps.inventory.models import InventoryItem, WordChoice, WordField
from apps.inventory.models.unknown import LONGEST

_TEXT: Final = {WordField.CONDITION: "condition_text", WordField.COLOR: "raw_color_name"}
_TAGS: Final = {
    WordField.CONDITION: {"CONDITION"},
    WordField.COLOR: {"COLOR", "COLORID", "COLORNAME"},
}


def rows_with_words(owner: Any, field: WordField) -> QuerySet[Any]:
    """Return the rows of which this field was not understood, with the text in `text`."""
    rows = InventoryItem.objects.owned_by(owner).annotate(text=F(_TEXT[field]))
    if field is WordField.CONDITION:
        return rows.filter(condition=UNKNOWN_CONDITION)
    return rows.filter(lot=None, raw_color_id=None).exclude(raw_color_name="")


def unknown_words(*, owner: Any, field: WordField) -> QuerySet[Any]:
    """Return one mapping per text in any case, most lots first.

    Keys: text, first_id, row_count, pieces, worth, unpriced.
    """
    rows = rows_with_words(owner, field).filter(quantity__gt=0)
    groups = rows.order_by().values(folded=Lower(_TEXT[field]))
    return groups.annotate(
        text=Min(_TEXT[field]),
        first_id=Min("id"),
        row_count=Count("id"),
        pieces=Sum("quantity"),
        worth=total_worth(),
        unpriced=lots_without_price(),
    ).order_by("-row_count", "folded", "first_id")


def word_key(text: str) -> str:
    """Return what texts of one meaning share: letters in any case are the same."""
    return text.casefold()[:LONGEST]


class OwnWords:
    """What words mean by an owner's choices."""

    def __init__(self, owner: Any) -> None:
        rows = WordChoice.objects.owned_by(owner).values_list(
            "field", "text", "condition", "color_id"
        )
        found: Mapping[str, dict[str, Any]] = {field.value: {} for field in WordField}
        for field, text, condition, color_id in rows:
            found[field][word_key(text)] = condition or color_id
        self._conditions: dict[str, str] = found[WordField.CONDITION]
        self._colors: dict[str, int] = found[WordField.COLOR]

    def applied(self, lot: BsxLot) -> BsxLot:
        """Return the lot as its owner's choices have its words."""
        if self._conditions and lot.condition == UNKNOWN_CONDITION:
            condition = self._conditions.get(word_key(lot.condition_text))
            if condition is not None:
                lot = replace(lot, condition=condition, condition_text="")
                lot = _without_warning(lot, WordField.CONDITION)
        if self._colors and lot.color_id is None and lot.color_name:
            color_id = self._colors.get(word_key(lot.color_name))
            if color_id is not None:
                lot = _without_warning(replace(lot, color_id=color_id), WordField.COLOR)
        return lot


def _without_warning(lot: BsxLot, field: WordField) -> BsxLot:
    """Return a lot without the warning that this field was not understood."""
    kept = tuple(one for one in lot.warnings if one.field.upper() not in _TAGS[field])
    return replace(lot, warnings=kept) if len(kept) < len(lot.warnings) else lot
