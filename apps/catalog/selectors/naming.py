"""Names of BrickLink's colours and categories, for files that give their numbers only."""

import re
from functools import cached_property
from typing import Final

from apps.catalog.models import Category, Color, ColorAlias
from apps.catalog.models.choices import AliasKind
from apps.catalog.rules.color_words import BRICKLINK_NAME, OF_LEGO_NUMBER, WHOLE_WORD
from apps.catalog.rules.kinds import NO_COLOR, REBRICKABLE_PART_CATEGORY_BASE, Catalogue

_WORD: Final = re.compile(r"[^\W_]+")


class CatalogueNames:
    """Looks up names by number."""

    def of_color(self, color_id: int) -> str:
        """Return the name of a colour, '' for one that is not in the catalogue."""
        return self._colors.get(color_id, "")

    def of_category(self, category_id: int) -> str:
        """Return the name of a category of BrickLink's, '' for an unknown one."""
        return self._categories.get(category_id, "")

    @cached_property
    def _colors(self) -> dict[int, str]:
        return dict(Color.objects.values_list("pk", "name"))

    @cached_property
    def _categories(self) -> dict[int, str]:
        own = Category.objects.filter(pk__lt=REBRICKABLE_PART_CATEGORY_BASE)
        return dict(own.values_list("pk", "name"))


class ColorsByText:
    """Finds colours by what people call them."""

    def named(self, name: str) -> int | None:
        """Return the colour of this name, today's or a former one of any catalogue."""
        return self._by_name.get(_color_key(name))

    def names_color(self, text: str) -> bool:
        """Return whether a text is a colour's name, or made of words of such names only."""
        if self.named(text) is not None:
            return True
        words = [_color_key(word) for word in _WORD.findall(text)]
        return bool(words) and all(word in self._words for word in words)

    def of_rebrickable(self, value: str) -> int | None:
        """Return the colour that Rebrickable gives this number."""
        return self._by_rebrickable.get(value)

    def of_lego(self, value: str) -> int | None:
        """Return the colour that LEGO gives this number."""
        name = OF_LEGO_NUMBER.get(value.lstrip("0"))
        return None if name is None else self.named(name)

    def name_of(self, color_id: int) -> str:
        """Return the name of a colour other than none, '' for one that is not known."""
        return self._names.get(color_id, "") if color_id != NO_COLOR else ""

    @cached_property
    def _names(self) -> dict[int, str]:
        return dict(Color.objects.order_by("-pk").values_list("pk", "name"))

    @cached_property
    def _words(self) -> set[str]:
        """The words of today's names of colours: Trans, Dark, Pearl."""
        return {
            _color_key(word)
            for name in self._names.values()
            for word in _WORD.findall(name)
            if word.isalpha()
        }

    @cached_property
    def _aliases(self) -> list[tuple[int, str, str, str, str]]:
        rows = ColorAlias.objects.order_by("-rank", "confidence", "pk")
        return list(rows.values_list("color_id", "catalogue", "kind", "value", "name"))

    @cached_property
    def _by_rebrickable(self) -> dict[str, int]:
        return {
            value: color_id
            for color_id, catalogue, kind, value, _name in self._aliases
            if catalogue == Catalogue.REBRICKABLE and kind == AliasKind.ID
        }

    @cached_property
    def _by_name(self) -> dict[str, int]:
        # Former names and other catalogues' give way to the names of today.
        found = {_color_key(name): color_id for color_id, *_rest, name in self._aliases if name}
        found |= {
            _color_key(value): color_id
            for color_id, _catalogue, kind, value, _name in self._aliases
            if kind == AliasKind.FORMER
        }
        today = {_color_key(name): color_id for color_id, name in self._names.items()}
        # Words of other languages count where no catalogue has such a name.
        words = {
            _color_key(word): color_id
            for word, name in BRICKLINK_NAME.items()
            if (color_id := today.get(_color_key(name))) is not None
        }
        return words | found | today


def _color_key(name: str) -> str:
    """Return a name without what people write differently: capitals, gaps, grey, Dk., Lt."""
    words = (WHOLE_WORD.get(word, word) for word in _WORD.findall(name[:100].casefold()))
    return "".join(words).replace("grey", "gray").replace("transparent", "trans")
