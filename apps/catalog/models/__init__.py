"""The public names of the catalogue's tables."""

from apps.catalog.models.color import Color, ColorAlias
from apps.catalog.models.contents import Component, ItemInventory
from apps.catalog.models.imports import CurrentFile, ImportRun, RefusedRow
from apps.catalog.models.item import Category, Item, ItemAlias, ItemRelation
from apps.catalog.models.lot import ElementCode, Lot, LotMaker
from apps.catalog.models.price import PricePoint, PriceStat
from apps.catalog.models.price_rule import PriceSetting
from apps.catalog.models.search import ItemText, SearchWord, VocabularyChange

__all__ = [
    "Category",
    "Color",
    "ColorAlias",
    "Component",
    "CurrentFile",
    "ElementCode",
    "ImportRun",
    "Item",
    "ItemAlias",
    "ItemInventory",
    "ItemRelation",
    "ItemText",
    "Lot",
    "LotMaker",
    "PricePoint",
    "PriceSetting",
    "PriceStat",
    "RefusedRow",
    "SearchWord",
    "VocabularyChange",
]
