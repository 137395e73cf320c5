"""Words of files in stock and in batches that were not understood: conditions, and names of colours."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from django.db.models import F, QuerySet
from django.db.models.expressions import RawSQL

from apps.accounts.models import User
from apps.core.prepared import Slot
from apps.exchange.bsx_lot import BsxLot
from apps.exchange.conditions import UNKNOWN_CONDITION
from apps.inventory.models import WordChoice, WordField
from apps.inventory.models.unknown import LONGEST
from apps.inventory.rules.sync_planning import COLOR_TAGS, CONDITION_TAGS
from apps.inventory.selectors.unknown import Counted, counted_by, lots_of

_TAGS: Final = {WordField.CONDITION: CONDITION_TAGS, WordField.COLOR: COLOR_TAGS}
_TEXT: Final = {WordField.CONDITION: "condition_text", WordField.COLOR: "raw_color_name"}


def rows_with_words(owner: User | Slot, field: WordField, table: str = "") -> QuerySet[Any]:
    """Return the rows of which this field was not understood, with the text in `text`."""
    rows = lots_of(owner, table).annotate(text=F(_TEXT[field]))
    if field is WordField.CONDITION:
        # In the statement itself: SQLite finds no partial index by a parameter.
        return rows.filter(condition=RawSQL(f"'{UNKNOWN_CONDITION}'", ()))
    return rows.filter(lot=None, raw_color_id=None).exclude(raw_color_name="")


@dataclass(slots=True, kw_only=True)
class UnknownWord(Counted):
    """A text that was not understood, in any case."""

    text: str


def unknown_words(*, owner: User, field: WordField) -> list[UnknownWord]:
    """Return the words of which this field was not understood, most lots first."""
    found: dict[str, UnknownWord] = {}
    for group in counted_by(["text"], partial(rows_with_words, owner, field)):
        key = word_key(group["text"])
        one = found.setdefault(key, UnknownWord(text=group["text"]))
        one.text = min(one.text, group["text"])
        one.add(group)
    return [found[key] for key in sorted(found, key=lambda key: (-found[key].lots, key))]


def word_key(text: str) -> str:
    """Return what texts of one meaning share: letters in any case are the same."""
    return text.casefold()[:LONGEST]


class OwnWords:
    """What words mean by an owner's choices."""

    def __init__(self, owner: User) -> None:
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
