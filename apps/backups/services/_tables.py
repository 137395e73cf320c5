"""Which rows a backup holds, and what each of their columns means in a file."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Any, Final

from django.apps import apps
from django.db import models

from apps.accounts.models import User
from apps.backups.rules import CONTENTS, ITEMS, LOTS
from apps.catalog.models import Item, ItemInventory, Lot
from apps.core.names import NamedOnce
from apps.inventory.models import InventoryItem, Movement, Promise

# Name in the file -> model, and the way from it to its owner. Parents before their parts.
_ROWS: Final = {
    "sources": ("sources.Source", "owner"),
    "container_types": ("locations.ContainerType", "owner"),
    "locations": ("locations.Location", "owner"),
    "inventory_items": ("inventory.InventoryItem", "owner"),
    "movements": ("inventory.Movement", "item__owner"),
    "stocktakes": ("inventory.Stocktake", "owner"),
    "stocktake_counts": ("inventory.StocktakeCount", "stocktake__owner"),
    "number_choices": ("inventory.NumberChoice", "owner"),
    "word_choices": ("inventory.WordChoice", "owner"),
    "auction_listings": ("auctions.AuctionListing", "owner"),
    "auction_searches": ("auctions.AuctionSearch", "owner"),
    "batches": ("batches.Batch", "owner"),
    "batch_items": ("batches.BatchItem", "owner"),
    "batch_sets": ("batches.PartedOutSet", "owner"),
    "kept_photos": ("batches.KeptPhoto", "owner"),
    "batch_operations": ("batches.BatchOperation", "owner"),
    "sets": ("sets.UserSet", "owner"),
    "set_requirements": ("sets.SetRequirement", "user_set__owner"),
    "station_sittings": ("recognition.StationSitting", "owner"),
    "wrong_matches": ("recognition.WrongMatch", "owner"),
    "captures": ("recognition.Capture", "owner"),
    "orders": ("orders.Order", "owner"),
    "order_lines": ("orders.OrderLine", "owner"),
    "order_events": ("orders.OrderEvent", "owner"),
    "promises": ("inventory.Promise", "owner"),
    "pick_walks": ("orders.PickWalk", "owner"),
    "walk_orders": ("orders.WalkOrder", "owner"),
    "invoices": ("books.Invoice", "owner"),
    "invoiced_orders": ("books.InvoicedOrder", "owner"),
}
# One row per person, which replaces the existing one.
_SETTINGS: Final = {
    "preferences": "accounts.Preferences",
    "price_rule": "catalog.PriceSetting",
    "books": "books.BooksSetting",
    "buyer_options": "auctions.BuyerOptions",
}
PERSON: Final = "person"
PERSON_FIELDS: Final = (
    *("name", "bidder_name", "zip_code", "units", "time_zone"),
    *("seller_address", "vat_id", "buyer_data_months"),
)

# What belongs to a person and is in no backup, with the reason.
LEFT_OUT: Final = {
    "core.Job": "what was done, not what is there",
    "core.StoredAnswer": "answers to repeated requests, kept for a day",
    "accounts.ApiToken": "secrets of programs",
    "accounts.Authenticator": "the secret of a second factor",
    "accounts.Passkey": "the same",
    "accounts.RecoveryCode": "the same",
    "accounts.RememberedDevice": "sign-ins",
    "accounts.RefreshGrant": "sign-ins",
    "accounts.Membership": "people with accounts of their own, who are invited again",
    "accounts.Invitation": "links that are good for a week",
    "webhooks.Webhook": "a secret; its receiver is told of one account",
    "webhooks.Delivery": "the same",
    "catalog.PriceStat": "figures of a marketplace are asked for again",
    "catalog.PricePoint": "the same",
    "inventory.InventorySync": "the same; its file is the person's own",
    "inventory.Channel": "which store is connected is not kept either",
    "inventory.ChannelLot": "what a store has is asked anew",
    "inventory.WithheldLot": "the same",
    "inventory.ChannelRule": "its channel is not kept either",
    "inventory.FieldConflict": "names lots by what a store has",
    "listings.StoreSchedule": "which store is connected is not kept either",
    "inventory.StockPart": "is reckoned anew from the stock",
    "inventory.StockSummary": "the same",
    "locations.PastLocation": "names locations by ids that change",
    "lots.KeptAct": "what can be undone names rows by ids that change",
    "sets.SetTake": "what can be undone names rows by ids that change",
    "sets.BuildSearch": "is worked out anew",
    "orders.OrderIntent": "is on its way to a store; what was done stands in the order's events",
    "orders.OrderHook": "a secret",
    "exports.Export": "is written anew",
    "backups.Backup": "would hold itself",
}
# Data read from a store and calls in progress are read again; secrets are not backed up.
LEFT_OUT_APPS: Final = {"marketplace", "listings"}


class Meaning(Enum):
    """The meaning of a column's value."""

    PLAIN = "plain"
    OWNER = "owner"  # not in the file: whoever restores it
    PERSON = "person"  # true: the owner did it; null: somebody else
    ROW = "row"  # another row of the file
    LOT = "lot"  # of the catalogue, through `lots`
    ITEM = "item"
    CONTENTS = "contents"  # one list of the parts of a set
    CAUSE = "cause"  # a movement's: the id of an object of the kind in `cause_kind`
    OURS = "ours"  # derived from the row itself: not in the backup
    ELSEWHERE = "elsewhere"  # something that no backup holds: null


@dataclass(frozen=True, slots=True)
class Column:
    """One column; `target` names the rows that a ROW is among."""

    name: str
    field: Any
    meaning: Meaning
    target: str = ""
    # The ledger names bins by ids that outlive them.
    outlives: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of one model under their name in the file."""

    name: str
    model: Any
    to_owner: str
    columns: tuple[Column, ...]
    is_setting: bool = False

    def rows_of(self, owner: User) -> models.QuerySet[Any]:
        """Return the owner's rows, deleted ones that the ledger still names included, by id."""
        rows = self.model._base_manager.filter(**{self.to_owner: owner}).order_by("pk")
        # A batch that an import still fills is not visible yet.
        if self.name == "batches":
            return rows.filter(is_ready=True)
        if self.name == "batch_items":
            rows = rows.filter(deleted_in=None)
        return rows.filter(batch__is_ready=True) if self.name.startswith("batch_") else rows

    @property
    def stored(self) -> tuple[Column, ...]:
        """The columns in the file."""
        return tuple(
            one for one in self.columns if one.meaning not in {Meaning.OWNER, Meaning.OURS}
        )


@cache
def tables() -> tuple[Table, ...]:
    """Return every table of a backup, parents first."""
    made = [
        Table(name, apps.get_model(label), owner, tuple(_columns(apps.get_model(label), owner)))
        for name, (label, owner) in _ROWS.items()
    ]
    made += [
        Table(
            name,
            apps.get_model(label),
            "user",
            tuple(_columns(apps.get_model(label), "user")),
            True,
        )
        for name, label in _SETTINGS.items()
    ]
    return tuple(made)


def names_in_a_file() -> tuple[str, ...]:
    """Return the names that the head of a backup may count."""
    return (*(table.name for table in tables()), PERSON, LOTS, ITEMS, CONTENTS)


def _columns(model: Any, to_owner: str) -> Iterator[Column]:
    names = {apps.get_model(label): name for name, (label, _owner) in _ROWS.items()}
    for field in model._meta.concrete_fields:
        target = field.related_model if field.is_relation else None
        if field.name == to_owner:
            yield Column(field.attname, field, Meaning.OWNER)
        elif issubclass(model, NamedOnce) and field.name in {"name_key", "twin"}:
            yield Column(field.attname, field, Meaning.OURS)
        elif model is InventoryItem and field.name == "promised":
            yield Column(field.attname, field, Meaning.OURS)  # the sum of the promised pieces
        elif field.name == "deleted_in":
            yield Column(field.attname, field, Meaning.OURS)  # deleted items are in no backup
        elif model is Promise and field.name == "line_id":  # a plain id: orders are above
            yield Column(field.attname, field, Meaning.ROW, "order_lines")
        elif model is Movement and field.name == "cause_id":
            yield Column(field.attname, field, Meaning.CAUSE)
        elif target is None:
            yield Column(field.attname, field, Meaning.PLAIN)
        elif target in names:
            outlives = not field.db_constraint
            yield Column(field.attname, field, Meaning.ROW, names[target], outlives)
        elif target in _MEANING:
            yield Column(field.attname, field, _MEANING[target])
        else:
            yield Column(field.attname, field, Meaning.ELSEWHERE)


_MEANING: Final[dict[Any, Meaning]] = {
    User: Meaning.PERSON,
    Lot: Meaning.LOT,
    Item: Meaning.ITEM,
    ItemInventory: Meaning.CONTENTS,
}
