"""Pull the store: one call reads all its lots into the preview of an import."""

import datetime as dt
from collections.abc import Iterator, Sequence
from typing import Any, Final

from django.db.models import Q

from apps.accounts.models import User
from apps.accounts.services.currency import can_adopt_currency
from apps.catalog.rules.kinds import LETTER_OF_TYPE
from apps.core.jobs.run import Clock, JobFailed, JobRun
from apps.exchange.bsx_lot import BsxLot
from apps.exchange.item_types import ITEM_TYPE_NAMES
from apps.inventory.models import Channel, ChannelRule, InventoryItem, InventorySync
from apps.inventory.services import store_pull
from apps.inventory.services.bsx_sync import SyncOptions, currency_of
from apps.inventory.services.channels import numbers_of
from apps.inventory.services.store_pull import Unread
from apps.listings.models import OPEN_STATES, Listing, StoreSyncRow, SyncRowState
from apps.listings.rules.listing import mark_of
from apps.listings.services._last_reading import LastReading
from apps.listings.services._store_reading import HiddenLots, tied_lots
from apps.marketplace.models import ConnectionState, MarketplaceConnection
from apps.marketplace.providers.base import Marketplace
from apps.marketplace.providers.known import MARKETPLACES
from apps.marketplace.providers.lots import UNKNOWN_COLOR, StoreLot, UnreadLot
from apps.marketplace.selectors import connections_of
from apps.marketplace.services.arrivals import read_orders, tell_unread
from apps.marketplace.services.calls import StoreCalls
from apps.marketplace.services.connections import (
    connection_of,
    ending_job,
    ensure_connection,
    note_success,
    open_store,
    stock_demo_store,
)

OTHER_CURRENCY: Final = (
    "{name} has its prices in {theirs}, and your stock is in {ours}. On Settings, Integrations, "
    "What is for sale here, enter what 1 {ours} is in {theirs}, then pull again."
)
PULL_KIND: Final = "listings.pull_store"
NAME: Final = "Your store"
UNREAD: Final = (
    "{why} Nothing was taken or sent, so that no piece is sold twice; the next sync tries again, "
    "and “Sync now” goes on without it."
)


def start_pull(
    *, owner: User, by: User, now: dt.datetime, marketplace: str | None = None
) -> InventorySync:
    """Start reading a store into a preview, of several the first. The stock does not change.

    An empty account reads sample lots from its demo store. Raises NotConnected, SyncRunning,
    MarketplaceFailed.
    """
    ensure_connection(owner=owner, now=now)
    if not InventoryItem.with_deleted.owned_by(owner).exists():
        stock_demo_store(owner=owner)
    connection = connection_of(owner=owner, marketplace=marketplace)
    return store_pull.start_pull(
        owner=owner,
        name=NAME,
        kind=PULL_KIND,
        options=SyncOptions(),
        by=by,
        channel=connection.channel,
    )


def run_pull(*, run: JobRun, sync_id: int, clock: Clock, **_: Any) -> None:
    """Read and preview. Raises JobFailed (of a closed store too), BudgetSpent, TryLater."""
    pull(run, sync_id=sync_id, clock=clock)


def pull(
    run: JobRun,
    *,
    sync_id: int,
    clock: Clock,
    ends_job: bool = True,
    with_orders: bool = False,
    needs_all_orders: bool = False,
    last: LastReading | None = None,
    may_be_empty: bool = False,
) -> InventorySync:
    """Pull as a part of a job that may continue after it.

    `with_orders` reads orders before the store, and after it where something differs: what an
    order did in between is not taken for a change of stock. `needs_all_orders`: it ends before
    the store is read where an order cannot be. Raises AnsweredAsBefore where the store reads as
    in `last`.
    """
    channel_id = InventorySync.objects.filter(pk=sync_id).values_list("channel", flat=True).first()
    connection = connection_of(owner=run.owner, channel_id=channel_id)
    calls = StoreCalls(run, connection.channel, clock)
    with open_store(connection, spend=calls.spend) as store:

        def currency() -> str:
            kept = currency_of(run.owner)
            # An account with amounts has decided; the store is asked only once.
            decided = not can_adopt_currency(user=run.owner, currency=kept)
            if decided and (connection.is_demo or connection.channel.lots.exists()):
                return kept
            theirs = store.currency()
            if decided and theirs:
                refuse_other_currency(connection, theirs=theirs, ours=kept)
            return kept if decided else theirs or kept

        unread: list[UnreadLot] = []

        def read() -> Iterator[BsxLot]:
            run.state["unread_lots"] = []
            is_known = None if last is None else last.is_known
            for lot in calls.each(store, is_known=is_known):
                if isinstance(lot, UnreadLot):
                    unread.append(lot)
                    run.state["unread_lots"].append(lot.lot_id)
                    yield BsxLot.filled({"marketplace_lot_id": lot.lot_id})
                else:
                    yield bsx_lot_of(lot)
            # Saved with what was read.
            run.state["unread_lots_why"] = tell_unread(run, unread)

        def what_is_unread() -> Unread:
            hidden = HiddenLots(unread, tied_lots(run.owner) if unread else ())
            run.state["hidden"] = hidden.items
            return Unread(str(run.state["unread_lots_why"]), hidden.items)

        def busy(lots: Sequence[BsxLot]) -> set[int]:
            unsure = {*run.state.get("unsure", ()), *run.state.get("unread_lots", ())}
            found = busy_among(connection.channel, lots)
            found |= unsure & {lot.marketplace_lot_id or 0 for lot in lots}
            if found and last is not None:
                last.seen = ""  # these lots were not compared
            return found

        def take_orders() -> None:
            unread = take_in_orders(run, store, clock)
            if unread and needs_all_orders:
                raise JobFailed(reason=UNREAD.format(why=unread))

        with ending_job(connection, clock):
            if with_orders:
                take_orders()
            if connection.state != ConnectionState.OK:
                note_success(connection, now=clock())
            return store_pull.run_pull(
                run,
                sync_id=sync_id,
                read=read,
                currency=currency,
                now=clock(),
                busy=busy,
                ends_job=ends_job,
                channel=connection.channel,
                recheck=take_orders if with_orders else lambda: None,
                unread=what_is_unread,
                may_be_empty=may_be_empty,
            )


def refuse_other_currency(connection: MarketplaceConnection, *, theirs: str, ours: str) -> None:
    """Raise JobFailed for a store whose currency is neither the stock's nor that of its rule."""
    rule = ChannelRule.objects.filter(channel=connection.channel).first()
    if theirs != ((rule and rule.currency) or ours):
        name = MARKETPLACES[connection.marketplace].name
        raise JobFailed(reason=OTHER_CURRENCY.format(name=name, theirs=theirs, ours=ours))


def take_in_orders(run: JobRun, store: Marketplace, clock: Clock) -> str:
    """Read orders as a part of a job. Return why some could not be read. Raises MarketplaceError."""
    orders = read_orders(owner=run.owner, store=store, clock=clock)
    with run.chunk():
        run.state["orders"] = run.state.get("orders", 0) + orders.count
        run.state["unread"] = tell_unread(run, orders.unread)
        numbers = numbers_of(owner=run.owner, remote_ids=orders.unsure) if orders.unsure else {}
        run.state["unsure"] = sorted(numbers.get(lot_id, lot_id) for lot_id in orders.unsure)
    unread: str = run.state["unread"]
    return unread


def take_in_orders_first(run: JobRun, *, clock: Clock) -> None:
    """Read orders before a reading of the store is applied, and never before that is asked for.

    What they change is left out of the import: the next reading sees it.
    """
    for connection in connections_of(run.owner):
        calls = StoreCalls(run, connection.channel, clock)
        with ending_job(connection, clock), open_store(connection, spend=calls.spend) as store:
            take_in_orders(run, store, clock)


def busy_among(channel: Channel, lots: Sequence[BsxLot]) -> set[int]:
    """Return the lots of a store that an open call of ours may have created or changed.

    The outcome of such a call is not stored yet, so the pull must not read it as a change.
    """
    listings = Listing.objects.owned_by(channel.owner).filter(
        Q(channel=None) | Q(channel=channel), state__in=OPEN_STATES
    )
    sent = StoreSyncRow.objects.filter(sync__owner=channel.owner, state=SyncRowState.SENDING)
    open_calls = [
        *listings.values_list("marketplace_lot_id", "mark"),
        *sent.values_list("marketplace_lot_id", "mark"),
    ]
    if not open_calls:
        return set()
    ids = {lot_id for lot_id, _mark in open_calls}
    marks = {mark for _lot_id, mark in open_calls if mark}
    return {
        lot.marketplace_lot_id
        for lot in lots
        if lot.marketplace_lot_id
        and (lot.marketplace_lot_id in ids or mark_of(lot.remarks) in marks)
    }


def bsx_lot_of(lot: StoreLot) -> BsxLot:
    """Return a lot of the store as a file would hold it."""
    letter = LETTER_OF_TYPE.get(lot.item_type, "")
    (tq1, tp1), (tq2, tp2), (tq3, tp3) = lot.tiers
    return BsxLot.filled(
        {
            "item_number": lot.number,
            "item_type_id": letter,
            "item_type_name": ITEM_TYPE_NAMES.get(letter, lot.item_type),
            "item_name": lot.name,
            "color_id": None if lot.color_id == UNKNOWN_COLOR else lot.color_id,
            "color_name": lot.color_name,
            "quantity": lot.quantity,
            "price": lot.price or None,
            "condition": lot.condition,
            "condition_text": lot.condition_text,
            "sub_condition": lot.completeness,
            "bulk": lot.bulk,
            "sale": lot.sale,
            "cost": lot.cost,
            "comments": lot.comments,
            "remarks": lot.remarks,
            "marketplace_lot_id": lot.lot_id,
            "tq1": tq1,
            "tp1": tp1,
            "tq2": tq2,
            "tp2": tp2,
            "tq3": tq3,
            "tp3": tp3,
            "retain": lot.retain,
            "stockroom": lot.stockroom,
            "date_added": lot.created_at,
        }
    )
