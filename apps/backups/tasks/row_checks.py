"""The serializers of the API that a backup's rows must pass, as checks for the services."""

import datetime as dt
from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import cache, lru_cache
from typing import Any, Final

from django.db import models
from rest_framework import serializers

from apps.accounts.api.serializers import PreferencesRow, ProfileChange
from apps.auctions.api.serializers import AuctionSiteWrite, ListingWrite, SearchWrite
from apps.backups.services.row_checks import PERSON, Check, Checks, checked_columns
from apps.batches.api.item_serializers import BatchItemWrite
from apps.batches.api.operation_serializers import FailedItem
from apps.batches.api.serializers import BatchWrite
from apps.catalog.api.serializers import PriceRuleRow
from apps.core.api.fields import Day, Instant, PictureAddress, Text, WebAddress
from apps.core.texts import is_unprintable
from apps.exchange.bsx_lot import TIER_FIELDS
from apps.inventory.api.serializers import InventoryItemWrite
from apps.inventory.api.stocktake_views import CountWrite
from apps.locations.api.serializers import ContainerTypeWrite, LocationWrite
from apps.orders.api.serializers import OrderChange, ShipWrite
from apps.recognition.api.serializers import CaptureFields, SittingWrite, WrongMatchWrite
from apps.sets.api.serializers import OnHandWrite, UserSetWrite
from apps.sources.api.serializers import SourceWrite


class OrderFields(OrderChange, ShipWrite):
    """The fields of an order that a person can write; the column limits check the others."""


WRITES: Final[Mapping[str, type[serializers.Serializer[Any]]]] = {
    "sources": SourceWrite,
    "container_types": ContainerTypeWrite,
    "locations": LocationWrite,
    "inventory_items": InventoryItemWrite,
    "stocktake_counts": CountWrite,
    "auction_listings": ListingWrite,
    "auction_searches": SearchWrite,
    "batches": BatchWrite,
    "batch_items": BatchItemWrite,
    "sets": UserSetWrite,
    "set_requirements": OnHandWrite,
    "station_sittings": SittingWrite,
    "wrong_matches": WrongMatchWrite,
    "captures": CaptureFields,
    "orders": OrderFields,
    "preferences": PreferencesRow,
    "price_rule": PriceRuleRow,
    "buyer_options": AuctionSiteWrite,
    PERSON: ProfileChange,
}
# A store file may hold values that a person cannot type: longer texts, amounts below zero.
# Imported values must be restored, so these are checked against their column only.
FROM_FILES: Final = {
    *("quantity", "comments", "remarks", "reserved", "marker_text", "cost"),
    *TIER_FIELDS,
}
FROM_SITES: Final = {"description"}
MEMO: Final = 4_096
LONG: Final = 200
DEEPEST: Final = 20


class TextPair(serializers.ListField):
    def __init__(self, length: int) -> None:
        child = Text(allow_blank=True, allow_null=True, trim_whitespace=False)
        super().__init__(child=child, min_length=1, max_length=length)


class Carried(serializers.Serializer[Any]):
    """What `exchange.bsx_carried` keeps of a lot."""

    base = serializers.ListField(child=TextPair(2), required=False)
    extra = serializers.ListField(child=TextPair(3), required=False)
    attributes = serializers.ListField(child=TextPair(3), required=False)
    item_type_id = Text(allow_blank=True, required=False)
    item_type_name = Text(allow_blank=True, required=False)
    total_weight_grams = serializers.RegexField(
        r"^\d{1,40}(\.\d{1,40})?(E[+-]\d{1,3})?$", required=False
    )
    weighed_quantity = serializers.IntegerField(required=False)


class Header(serializers.Serializer[Any]):
    """The parts of its source file that a batch keeps besides its lots."""

    file_name = Text(allow_blank=True, required=False)
    currency = Text(allow_blank=True, allow_null=True, required=False)
    changelog_id = serializers.IntegerField(allow_null=True, required=False)
    root_attributes = serializers.ListField(child=TextPair(2), required=False)
    inventory_attributes = serializers.ListField(child=TextPair(2), required=False)
    extra_blocks = serializers.ListField(
        child=serializers.RegexField(r"^[A-Za-z0-9+/]*={0,2}$", allow_blank=True), required=False
    )


OTHERS: Final[Mapping[tuple[str, str], serializers.Field[Any, Any, Any, Any]]] = {
    ("inventory_items", "extra"): Carried(),
    ("batch_items", "extra"): Carried(),
    ("batches", "bsx_header"): Header(),
    ("batches", "image_url"): PictureAddress(allow_blank=True),
    ("auction_listings", "image_url"): PictureAddress(allow_blank=True),
    ("auction_listings", "listing_url"): WebAddress(allow_blank=True),
    ("batch_operations", "failed"): FailedItem(many=True),
}


@cache
def row_checks() -> Checks:
    """Return (table, column) -> check, for every plain column of every table."""
    return dict(_checks())


def _checks() -> Iterator[tuple[tuple[str, str], Check]]:
    typed = {
        table: {field.source or name: field for name, field in write().fields.items()}
        for table, write in WRITES.items()
    }
    for table, name, column in checked_columns():
        field = OTHERS.get((table, name))
        if field is None and not _is_from_outside(table, name):
            field = typed.get(table, {}).get(name)
        if field is None or field.read_only:
            field = _field_for(column)
        yield (table, name), _check_by(field)


def _is_from_outside(table: str, name: str) -> bool:
    """Whether the column may hold what no person can type any more or never could."""
    if table in {"inventory_items", "batch_items"}:
        return name in FROM_FILES
    return table == "auction_listings" and name in FROM_SITES


def _field_for(column: object) -> Any:
    """Return the check of a column that no person can set."""
    if isinstance(column, models.DateTimeField):
        return Instant()
    if isinstance(column, models.DateField):
        return Day()
    if isinstance(column, models.CharField | models.TextField):
        return Text(allow_blank=column.blank, trim_whitespace=False)
    return None


def _check_by(field: Any) -> Check:
    def refusal(value: object) -> str:
        if isinstance(value, dict | list) and not _is_plain(value):
            return "is not plain data without control characters, at most 20 levels deep"
        if field is None:
            return ""
        try:
            field.run_validation(value)
        except serializers.ValidationError as problem:
            return _first(problem.detail)
        return ""

    # Most columns hold few different values.
    remembered = lru_cache(maxsize=MEMO, typed=True)(refusal)

    def check(value: object) -> str:
        is_short = isinstance(value, bool | int | float) or (
            isinstance(value, str) and len(value) <= LONG
        )
        return remembered(value) if is_short else refusal(value)

    return check


def _is_plain(value: object, depth: int = 0) -> bool:
    if isinstance(value, str):
        return not is_unprintable(value)
    if isinstance(value, dict):
        value = [*value.keys(), *value.values()]
    if isinstance(value, list):
        return depth < DEEPEST and all(_is_plain(one, depth + 1) for one in value)
    return value is None or isinstance(value, bool | int | float | Decimal | dt.date)


def _first(detail: object, path: str = "") -> str:
    """Return the first message, with its path if it is inside a value."""
    if isinstance(detail, dict):
        name, inner = next(iter(detail.items()))
        return _first(inner, path if name == "non_field_errors" else f"{path}{name}: ")
    if isinstance(detail, list):
        return _first(next(one for one in detail if one), path)
    return f"{path}{detail}"
