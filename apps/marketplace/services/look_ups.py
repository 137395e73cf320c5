"""Look unknown numbers up in the marketplace's catalogue."""

import datetime as dt

from apps.accounts.models import User
from apps.accounts.selectors import who_acts
from apps.catalog.rules.kinds import ItemType, item_type_of
from apps.catalog.rules.text import NAME_LENGTH, NUMBER_LENGTH
from apps.catalog.services.items import ensure_item
from apps.core.errors import Invalid, StateConflict, UnknownReference
from apps.inventory.models import InventoryItem
from apps.inventory.services.unknown import Named, name_items
from apps.marketplace.providers.base import (
    CallKind,
    CatalogueItem,
    MarketplaceError,
    NotThere,
    SecretsRefused,
)
from apps.marketplace.services.calls import spend_call
from apps.marketplace.services.connections import (
    MarketplaceFailed,
    connection_of,
    failure_of,
    note_refusal,
    open_store,
    refuse_without_prices,
)

READ_SECONDS = 10


class NotThereEither(StateConflict):
    message = (
        "The marketplace does not know {number} either. Choose an item, or keep it as your own."
    )


def look_up_item(*, owner: User, row_id: int, now: dt.datetime) -> Named:
    """Ask the marketplace what an unknown number is, and name all its rows.

    Raises UnknownReference, Invalid, NotConnected, NoPricesThere, BudgetSpent, NotThereEither, MarketplaceFailed,
    MarketplaceSlow, and what `name_items` raises.
    """
    row = InventoryItem.objects.owned_by(owner).filter(pk=row_id, lot=None).first()
    if row is None:
        raise UnknownReference(fields={"id": ["is no unknown item of yours"]})
    item_type = item_type_of(row.raw_item_type)
    if item_type is None or not row.raw_item_number:
        raise Invalid(fields={"id": ["has no type or no number to look up"]})
    told = _asked(owner, item_type, row.raw_item_number, now)
    if item_type_of(told.item_type) is None or len(told.number) > NUMBER_LENGTH:
        raise MarketplaceFailed(reason="The marketplace sent an item that cannot be read.")
    item = ensure_item(
        item_type=ItemType(told.item_type).value,
        number=told.number,
        fields={
            "name": told.name[:NAME_LENGTH],
            "weight_grams": told.weight_grams,
            "year_released": told.year_released,
        },
    )
    return name_items(row=row, item_id=item.pk, by=who_acts(owner), now=now)


def _asked(owner: User, item_type: ItemType, number: str, now: dt.datetime) -> CatalogueItem:
    connection = connection_of(owner=owner)
    refuse_without_prices(connection)

    def spend(kind: CallKind) -> None:
        spend_call(channel=connection.channel, kind=kind, now=now)

    with open_store(connection, spend=spend, read_seconds=READ_SECONDS) as store:
        try:
            return store.item(item_type.value, number)
        except NotThere:
            raise NotThereEither(number=number) from None
        except SecretsRefused as refused:
            note_refusal(connection, refused, now=now)
            raise failure_of(refused) from refused
        except MarketplaceError as problem:
            raise failure_of(problem) from problem
