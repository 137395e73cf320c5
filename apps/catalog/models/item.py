"""Items, their categories, their other numbers and the relations between parts."""

from django.db import models

from apps.catalog.models.choices import CATALOGUES, ITEM_TYPES, AliasKind, RelationKind
from apps.core.natural import NumberOrder


class Category(models.Model):
    """A category. `id` is BrickLink's; 20000 + / 30000 + are Rebrickable's categories / themes."""

    id = models.IntegerField(primary_key=True)
    name = models.CharField(max_length=200)
    parent = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="children"
    )
    path = models.CharField(max_length=400, help_text="names from the top, joined by ' / '")
    origin = models.CharField(max_length=1, choices=CATALOGUES, default="B")

    class Meta:
        verbose_name_plural = "categories"
        ordering = ["path", "id"]
        indexes = [models.Index(fields=["path"], name="category_list_order")]

    def __str__(self) -> str:
        return self.path


class Item(models.Model):
    """Something with a number. Retired when its catalogue drops it, never deleted."""

    item_type = models.CharField(max_length=12, choices=ITEM_TYPES)
    number = models.CharField(max_length=64)
    number_key = models.CharField(
        max_length=64, editable=False, help_text="the number in upper case, for look-ups"
    )
    sort_key = NumberOrder(
        blank=True, default="", db_default="", editable=False, help_text="2335 before 10247"
    )
    name = models.CharField(max_length=500, blank=True, default="")
    category = models.ForeignKey(
        Category, null=True, blank=True, on_delete=models.PROTECT, related_name="items"
    )
    category_path = models.CharField(max_length=400, blank=True, default="")
    year_released = models.PositiveSmallIntegerField(null=True, blank=True)
    weight_grams = models.DecimalField(max_digits=10, decimal_places=3, null=True, blank=True)
    dimensions = models.CharField(
        max_length=60, blank=True, default="", help_text="studs for parts, cm for the rest"
    )
    image_url = models.CharField(max_length=300, blank=True, default="")
    face = models.CharField(
        max_length=20,
        blank=True,
        default="",
        db_default="",
        editable=False,
        help_text="the render that shows it, set by apps.pictures; see rules.images",
    )
    origin = models.CharField(
        max_length=1, choices=CATALOGUES, default="B", help_text="whose number it carries"
    )
    name_from = models.CharField(
        max_length=1, choices=CATALOGUES, default="B", help_text="whose name it carries"
    )
    is_retired = models.BooleanField(default=False)
    replaced_by = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="replaces"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["sort_key", "item_type"]
        constraints = [
            models.UniqueConstraint(fields=["item_type", "number"], name="item_number_is_unique"),
            models.CheckConstraint(
                condition=models.Q(weight_grams__isnull=True) | models.Q(weight_grams__gte=0),
                name="item_weight_not_negative",
            ),
        ]
        indexes = [
            # resolver's second look, admin search
            models.Index(fields=["number_key", "item_type"], name="item_resolver_any_case"),
            models.Index(fields=["name"], name="item_list_by_name"),
            models.Index(fields=["sort_key", "item_type"], name="item_list_by_number"),
            models.Index(fields=["item_type", "sort_key"], name="item_list_of_a_type"),
            models.Index(fields=["year_released"], name="item_list_by_year"),
            models.Index(fields=["weight_grams"], name="item_list_by_weight"),
            models.Index(fields=["category_path"], name="item_list_of_a_category"),
        ]

    def __str__(self) -> str:
        return f"{self.item_type} {self.number}"


class ItemAlias(models.Model):
    """Another number of an item: where from, how sure, and whether it still holds."""

    item = models.ForeignKey(
        Item,
        on_delete=models.CASCADE,
        related_name="aliases",
        db_index=False,  # itemalias_is_told_once begins with it
    )
    catalogue = models.CharField(max_length=1, choices=CATALOGUES)
    kind = models.CharField(max_length=9, choices=AliasKind.choices, default=AliasKind.ID)
    value = models.CharField(max_length=64)
    value_key = models.CharField(max_length=64, editable=False, help_text="value in upper case")
    rank = models.PositiveSmallIntegerField(default=0, help_text="0 is the preferred number back")
    confidence = models.PositiveSmallIntegerField(default=1000, help_text="of 1000")
    shared_elements = models.PositiveIntegerField(default=0)
    is_current = models.BooleanField(default=True)
    since = models.DateField(null=True, blank=True)
    until = models.DateField(null=True, blank=True)

    class Meta:
        verbose_name = "item alias"
        verbose_name_plural = "item aliases"
        constraints = [
            models.UniqueConstraint(
                fields=["item", "catalogue", "kind", "value"], name="itemalias_is_told_once"
            ),
            models.CheckConstraint(
                condition=models.Q(is_current=True) | models.Q(until__isnull=False),
                name="itemalias_past_has_its_end",
            ),
        ]
        indexes = [
            # search by another number; the resolver; the importer's look-up of a foreign id
            models.Index(fields=["value_key", "catalogue", "kind"], name="itemalias_by_value"),
        ]

    def __str__(self) -> str:
        return f"{self.catalogue}:{self.value}"


class ItemRelation(models.Model):
    """One part's relation to another, by Rebrickable (print of, mould variant of, …)."""

    kind = models.CharField(max_length=1, choices=RelationKind.choices)
    child = models.ForeignKey(
        Item,
        on_delete=models.CASCADE,
        related_name="relations_up",
        db_index=False,  # itemrelation_is_told_once begins with it
    )
    parent = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="relations_down")

    class Meta:
        verbose_name = "item relation"
        constraints = [
            models.UniqueConstraint(
                fields=["child", "kind", "parent"], name="itemrelation_is_told_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.child_id} {self.kind} {self.parent_id}"
