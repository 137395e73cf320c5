"""Choices of the catalogue's columns, made from the pure values in `rules.kinds`."""

from django.db import models

from apps.catalog.rules.kinds import TYPE_NAMES, Catalogue

ITEM_TYPES = [(value, name) for value, name in TYPE_NAMES.items()]
CATALOGUES = [
    (Catalogue.BRICKLINK.value, "BrickLink"),
    (Catalogue.REBRICKABLE.value, "Rebrickable"),
    (Catalogue.LDRAW.value, "LDraw"),
    (Catalogue.OWN.value, "Our own"),
]


class AliasKind(models.TextChoices):
    """How another number came to mean this item."""

    ID = "id", "the number in that catalogue"
    ALTERNATE = "alternate", "alternate number"
    FORMER = "former", "former number"
    SIMILAR = "similar", "another mould of the same part"


class RelationKind(models.TextChoices):
    """Rebrickable's six relations between two parts (child to parent)."""

    PRINT = "P", "print of"
    PAIR = "R", "pairs with"
    SUB_PART = "B", "part of"
    MOULD = "M", "mould variant of"
    ALTERNATE = "A", "alternate of"
    PATTERN = "T", "pattern of"
