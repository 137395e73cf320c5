"""Names of BrickLink's colours and categories, for files that give their numbers only."""

from functools import cached_property

from apps.catalog.models import Category, Color
from apps.catalog.rules.kinds import REBRICKABLE_PART_CATEGORY_BASE


class CatalogueNames:
    """Looks up names by number. 1 query for the colours, 1 for the categories, when first asked."""

    def of_color(self, color_id: int) -> str:
        """Return the name of a colour, '' for one that the catalogue does not know."""
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
