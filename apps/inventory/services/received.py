"""Stores the values of each lot that the marketplace last received."""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from django.db import connection
from django.db.models import Count, F, Q, QuerySet

from apps.accounts.models import User
from apps.core.bulk import instant_text, update_rows
from apps.core.concurrency import lock_in_order
from apps.exchange.bsx_base import base_of
from apps.exchange.bsx_lot import BsxLot
from apps.inventory.models import (
    FREE,
    RECEIVED_FIELDS,
    Channel,
    ChannelLot,
    InventoryItem,
    WithheldLot,
)
from apps.inventory.rules.bins import Part, is_same_lot, one_lot
from apps.inventory.selectors.export import lots_with_places
from apps.inventory.services.channels import channel_of_files, channels_of_lots

AT_ONCE: Final = 1_000
_KEPT: Final = ("sync_id", "updated_at", *RECEIVED_FIELDS)
_OF_READINGS: Final = (*_KEPT, "received_at")
_AS_HERE: Final[Mapping[int, int]] = {}


def received_of(
    *, owner: User, lot_ids: Iterable[int], channel_id: int | None = None
) -> dict[int, dict[str, Any]]:
    """Return by lot id the values that a channel last received.

    Without a channel those of the channel of files, and of another one where that lacks a lot.
    `received_at` is when the store was last read, `updated_at` when anything of it was last
    written here, and `given_up` the pieces that orders gave up there since the last reading.
    """
    rows = _lots(owner, channel_id).filter(marketplace_lot_id__in=list(lot_ids))
    if channel_id is None:
        rows = rows.order_by("-channel__first_lot_id")
    return {
        row.pop("marketplace_lot_id"): row
        for row in rows.values(
            *("marketplace_lot_id", "channel_id", "received_at", "updated_at", "given_up"),
            *RECEIVED_FIELDS,
        )
    }


def _lots(owner: User, channel_id: int | None) -> QuerySet[Any]:
    rows: QuerySet[Any] = ChannelLot.objects.owned_by(owner)
    return rows if channel_id is None else rows.filter(channel_id=channel_id)


def values_of(lot: BsxLot) -> dict[str, Any]:
    """Return the fields of a lot that the marketplace receives."""
    return {name: getattr(lot, name) for name in RECEIVED_FIELDS}


def receive(
    *,
    owner: User,
    lots: Mapping[int, Mapping[str, Any]],
    now: dt.datetime,
    channel_id: int | None = None,
    remote_ids: Mapping[int, int] = _AS_HERE,
    sync_id: int | None = None,
    only_new: bool = False,
    is_reading: bool = False,
) -> None:
    """Store by lot id the values that a channel has received; without one each lot's own channel.

    `remote_ids` are the channel's ids of lots that are new there and have another number here:
    nothing of these is withheld from it any more.
    `only_new` leaves lots alone of which something is known. A reading of the store settles what
    became of pieces that orders gave up. What is none keeps the time of the last one, since
    orders placed after it have yet to be subtracted.
    """
    if channel_id is None:
        channels = channels_of_lots(owner=owner, lot_ids=lots)
    else:
        channels = dict.fromkeys(lots, channel_id)
    found = [
        ChannelLot(
            owner=owner,
            channel_id=channels[lot_id],
            marketplace_lot_id=lot_id,
            remote_lot_id=remote_ids.get(lot_id, lot_id),
            sync_id=sync_id,
            received_at=now,
            **{name: values[name] for name in RECEIVED_FIELDS},
        )
        for lot_id, values in lots.items()
    ]
    if remote_ids:
        withheld = WithheldLot.objects.owned_by(owner).filter(channel=channel_id)
        withheld.filter(marketplace_lot_id__in=list(remote_ids)).delete()
    if only_new:
        ChannelLot.objects.bulk_create(found, batch_size=AT_ONCE, ignore_conflicts=True)
        return
    ChannelLot.objects.bulk_create(
        found,
        batch_size=AT_ONCE,
        update_conflicts=True,
        unique_fields=["owner", "marketplace_lot_id", "channel"],
        update_fields=[
            *(("remote_lot_id",) if remote_ids else ()),
            *([*_OF_READINGS, "given_up"] if is_reading else _KEPT),
        ],
    )


def withhold(
    *, channel: Channel, reasons: Mapping[int, str], is_refused: bool, now: dt.datetime
) -> None:
    """Store why lots are withheld from a channel."""
    found = [
        WithheldLot(
            owner=channel.owner,
            channel=channel,
            marketplace_lot_id=lot_id,
            is_refused=is_refused,
            reason=reason,
            updated_at=now,
        )
        for lot_id, reason in reasons.items()
    ]
    WithheldLot.objects.bulk_create(
        found,
        batch_size=AT_ONCE,
        update_conflicts=True,
        unique_fields=["channel", "marketplace_lot_id"],
        update_fields=["is_refused", "reason", "updated_at"],
    )


def withhold_no_more(*, channel: Channel, lot_ids: Iterable[int]) -> None:
    """Let syncs send these lots to a channel again."""
    channel.withheld.filter(marketplace_lot_id__in=list(lot_ids)).delete()


def keep_sent(
    *, channel: Channel, lot_id: int, values: Mapping[str, Any], delta: int, now: dt.datetime
) -> None:
    """Store the fields of a lot that a call has changed, and add `delta` to its pieces.

    The time of the last reading is kept, as in `receive`.
    """
    told = _lots(channel.owner, channel.pk).filter(marketplace_lot_id=lot_id)
    told.update(quantity=F("quantity") + delta, updated_at=now, **values)


def hold_read(
    *, owner: User, channel_id: int | None, lot_ids: Iterable[int], read_at: dt.datetime
) -> set[int]:
    """Lock the stored values of lots of a channel; return the lots with newer ones."""
    rows = _lots(owner, channel_id).filter(marketplace_lot_id__in=list(lot_ids))
    return {row.marketplace_lot_id for row in lock_in_order(rows) if row.updated_at > read_at}


def move_read(
    *, owner: User, channel_id: int | None, pieces: Mapping[int, int], read_at: dt.datetime
) -> None:
    """Add the difference that a reading of a channel reported to its received quantities.

    The change is dated to the reading, so that later changes are newer.
    """
    rows = _lots(owner, channel_id).filter(marketplace_lot_id__in=list(pieces))
    found = list(rows.values_list("pk", "marketplace_lot_id", "quantity"))
    stamp = instant_text(read_at)
    update_rows(
        ChannelLot,
        ("quantity", "received_at", "updated_at"),
        [(pk, max(quantity + pieces[lot], 0), stamp, stamp) for pk, lot, quantity in found],
    )


def forget(*, owner: User, channel_id: int | None, lot_ids: Iterable[int]) -> None:
    """Forget lots that a channel no longer has."""
    _lots(owner, channel_id).filter(marketplace_lot_id__in=list(lot_ids)).delete()


def forget_import(*, owner: User, sync_id: int, carried_by: Iterable[QuerySet[Any]] = ()) -> None:
    """Delete the received lots of an undone import: its file may be of another store.

    Keeps those whose lot id a row of `carried_by` still has.
    """
    lots = ChannelLot.objects.owned_by(owner).filter(sync_id=sync_id)
    for rows in carried_by:
        listed = rows.filter(marketplace_lot_id__isnull=False)
        lots = lots.exclude(marketplace_lot_id__in=listed.values("marketplace_lot_id"))
    lots.delete()


def forget_others(*, owner: User, channel_id: int | None, sync_id: int, keep: set[int]) -> None:
    """Delete the received lots missing from an import: the store no longer has them."""
    others = _lots(owner, channel_id).exclude(marketplace_lot_id__in=keep)
    others.filter(Q(sync_id=None) | ~Q(sync_id=sync_id)).delete()


def sell_received(
    *,
    owner: User,
    pieces: Mapping[int, int],
    now: dt.datetime,
    given_up: Mapping[int, int] | None = None,
) -> None:
    """Subtract sold pieces from the received quantities, and note those that orders gave up.

    Both are by the ids that the order's marketplace has for the lots. Only the next reading shows
    whether it offers given-up pieces again.
    """
    back = given_up or {}
    rows = ChannelLot.objects.owned_by(owner).filter(remote_lot_id__in={*pieces, *back})
    update_rows(
        ChannelLot,
        ("quantity", "given_up", "updated_at"),
        [
            (
                row.pk,
                max(row.quantity - pieces.get(row.remote_lot_id, 0), 0),
                row.given_up + back.get(row.remote_lot_id, 0),
                instant_text(now),
            )
            for row in lock_in_order(rows)
        ],
    )


def receive_remarks(
    *, owner: User, remarks: Mapping[int, str], now: dt.datetime, sync_id: int
) -> None:
    """Keep by lot id the Remarks of an import's file, of which the rows hold a part."""
    rows = ChannelLot.objects.owned_by(owner).filter(
        sync_id=sync_id, marketplace_lot_id__in=list(remarks)
    )
    found = list(rows.values_list("pk", "marketplace_lot_id"))
    update_rows(
        ChannelLot,
        ("remarks", "updated_at"),
        [(pk, remarks[lot_id], instant_text(now)) for pk, lot_id in found],
    )


def receive_less(*, owner: User, pieces: Mapping[int, int], now: dt.datetime, sync_id: int) -> None:
    """Subtract by lot id the pieces that an import left in its rows and that its file lacks."""
    rows = ChannelLot.objects.owned_by(owner).filter(
        sync_id=sync_id, marketplace_lot_id__in=list(pieces)
    )
    found = list(rows.values_list("pk", "marketplace_lot_id", "quantity"))
    update_rows(
        ChannelLot,
        ("quantity", "updated_at"),
        [(pk, max(had - pieces[lot_id], 0), instant_text(now)) for pk, lot_id, had in found],
    )


def shared_lot_ids(rows: QuerySet[Any]) -> set[int]:
    """Return the lot ids that several of the rows carry."""
    listed = rows.filter(marketplace_lot_id__isnull=False).order_by()
    counted = listed.values("marketplace_lot_id").annotate(rows=Count("pk")).filter(rows__gt=1)
    return set(counted.values_list("marketplace_lot_id", flat=True))


def receive_rows(
    *,
    owner: User,
    rows: QuerySet[Any],
    shared: set[int],
    now: dt.datetime,
    sync_id: int | None,
    channel_id: int | None = None,
) -> None:
    """Store the lots of these rows as received by a channel, without one by that of each lot.

    The base values of a file are the marketplace's at the time of the file, and its lots have the
    owner's later changes: for these lots the base values are stored. Rows whose lot id is in
    `shared` are skipped.
    """
    plain = rows.filter(marketplace_lot_id__isnull=False)
    with_base = plain.filter(extra__has_key="base")
    based = {
        lot.marketplace_lot_id or 0: values_of(base_of(lot))
        for _pk, lot, _place in lots_with_places(with_base)
        if lot.marketplace_lot_id not in shared
    }
    others = plain.exclude(marketplace_lot_id__in=shared | set(based))
    _copy(others, owner=owner, now=now, sync_id=sync_id, channel_id=channel_id)
    if based:
        receive(
            owner=owner,
            lots=based,
            now=now,
            channel_id=channel_id,
            sync_id=sync_id,
            is_reading=True,
        )


def receive_shared(
    *,
    owner: User,
    rows: QuerySet[Any],
    shared: set[int],
    now: dt.datetime,
    sync_id: int | None,
    channel_id: int | None = None,
) -> None:
    """Store received lots that have several rows, with the sum of their pieces."""
    lots = whole_lots(rows.filter(marketplace_lot_id__in=shared))
    receive(
        owner=owner, lots=lots, now=now, channel_id=channel_id, sync_id=sync_id, is_reading=True
    )


def whole_lots(rows: QuerySet[Any]) -> dict[int, dict[str, Any]]:
    """Return by lot id what the marketplace has of these rows; of several the sum of their pieces."""
    parts: dict[int, list[Part]] = {}
    for _pk, lot, place in lots_with_places(rows):
        there = parts.setdefault(lot.marketplace_lot_id or 0, [])
        if not there or is_same_lot(there[0].lot, lot):
            there.append(Part(lot, place))
    lots = {}
    for lot_id, some in parts.items():
        whole = one_lot(some, lambda lot, _place: lot.remarks)
        base = base_of(whole) if len(some) == 1 else whole
        lots[lot_id] = values_of(base)
    return lots


def _copy(
    rows: QuerySet[Any],
    *,
    owner: User,
    now: dt.datetime,
    sync_id: int | None,
    channel_id: int | None,
) -> None:
    """Copy fields from rows in the database, without loading them."""
    table = connection.ops.quote_name(ChannelLot._meta.db_table)
    others: list[Channel] = []
    if channel_id is None:
        channel_id = channel_of_files(owner).pk
        others = list(Channel.objects.owned_by(owner).exclude(pk=channel_id))
    whens = ("WHEN found.marketplace_lot_id BETWEEN %s AND %s THEN %s" for _other in others)
    channel = f"CASE {' '.join(whens)} ELSE %s END" if others else "%s"
    of_channel = [value for other in others for value in (*other.lot_ids, other.pk)]
    names = ("owner_id", "marketplace_lot_id", *RECEIVED_FIELDS)
    told = ("free" if name == "quantity" else name for name in names)
    select, params = rows.order_by().annotate(free=FREE).values_list(*told).query.sql_with_params()
    columns = ", ".join(names)
    targets = ", ".join((*(f"{name} = excluded.{name}" for name in _OF_READINGS), "given_up = 0"))
    stamp = instant_text(now)
    kind = "::timestamptz" if connection.vendor == "postgresql" else ""
    big = "::bigint" if connection.vendor == "postgresql" else ""
    statement = (
        f"INSERT INTO {table} ({columns}, remote_lot_id, channel_id, created_at, updated_at, "
        "received_at, sync_id) "
        f"SELECT found.*, found.marketplace_lot_id, {channel}, "
        f"%s{kind}, %s{kind}, %s{kind}, %s{big} FROM ({select}) AS found WHERE true "
        f"ON CONFLICT (owner_id, marketplace_lot_id, channel_id) DO UPDATE SET {targets}"
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, [*of_channel, channel_id, stamp, stamp, stamp, sync_id, *params])


def in_store(owner: User) -> QuerySet[Any]:
    """Return the rows of lots that the marketplace has: a lot at 0 only stays where retained."""
    return InventoryItem.objects.owned_by(owner).filter(
        Q(quantity__gt=F("promised")) | Q(retain=True), marketplace_lot_id__isnull=False
    )


def ids_in_store(owner: User) -> Sequence[int]:
    """Return the ids of those rows, ascending."""
    return list(in_store(owner).order_by("pk").values_list("pk", flat=True))
