"""Single items that an operator adds or puts right between two imports."""

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction

from apps.catalog.models import Item
from apps.catalog.services.texts import refresh_texts


@transaction.atomic
def add_item(*, fields: Mapping[str, Any]) -> Item:
    """Add an item that no catalogue file holds, and let it be found."""
    item = Item(**fields)
    _derive(item)
    item.save(force_insert=True)
    refresh_texts(item_ids=[item.pk])
    return item


@transaction.atomic
def edit_item(*, item: Item, changes: Mapping[str, Any]) -> Item:
    """Change an item and its search texts."""
    for name, value in changes.items():
        setattr(item, name, value)
    _derive(item)
    item.save(update_fields=[*changes, "category_path", "updated_at"])
    refresh_texts(item_ids=[item.pk])
    return item


def _derive(item: Item) -> None:
    item.number_key = item.number.upper()
    item.category_path = item.category.path if item.category else ""


def ensure_item(*, item_type: str, number: str, fields: Mapping[str, Any]) -> Item:
    """Return the item of this number, adding it with `fields` if there is none."""
    there = Item.objects.filter(item_type=item_type, number=number)
    found = there.first()
    if found is not None:
        return found
    try:
        return add_item(fields={**fields, "item_type": item_type, "number": number})
    except IntegrityError:
        return there.get()  # another request was faster
