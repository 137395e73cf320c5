"""Stores an intent for each listing before it is sent, and closes it with the result.

All functions run in the caller's transaction, together with the caller's own changes.
"""

import datetime as dt
import secrets
import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

from django.db.models import Q

from apps.accounts.models import User
from apps.catalog.rules.kinds import LETTER_OF_TYPE
from apps.core.bulk import instant_text, update_rows
from apps.core.money import money_text
from apps.exchange.bsx_lot import BsxLot
from apps.inventory.models import RECEIVED_FIELDS, Channel, ChannelLot, InventoryItem
from apps.inventory.rules.for_sale import EVERYTHING, SaleRule
from apps.inventory.selectors.channel_rules import sale_rules_of
from apps.inventory.services.changes import LackingLot
from apps.inventory.services.edits import StockEdit, edit_rows
from apps.inventory.services.received import receive, received_of
from apps.listings.models import OPEN_STATES, Listing, ListingKind, ListingLine, ListingState
from apps.listings.rules.listing import (
    MARK_LENGTH,
    MARK_LETTERS,
    NO_PIECES,
    marked,
    why_not_list,
    without_mark,
)
from apps.marketplace.providers.lots import LotChange, LotDraft
from apps.marketplace.selectors import connection_there

BUSY: Final = "Another listing of the same lot is under way: try again in a minute."
ROW_GONE: Final = "Its stock row was deleted."
INCOMPLETE: Final = "It is not in the catalogue, so it cannot be listed."


@dataclass(frozen=True, kw_only=True, slots=True)
class Wish:
    """Pieces of a stock row to list: those of a batch item, or the row's own.

    A row's own may be 0, behind those of its batch items.
    """

    stock_id: int | None
    quantity: int
    name: str
    batch_item_id: int | None = None


@dataclass(slots=True)
class Planned:
    """The intents stored, and the refusal of each wish without one."""

    listings: list[Listing] = field(default_factory=list)
    refused: dict[Wish, str] = field(default_factory=dict)


@dataclass(slots=True)
class _Group:
    row: InventoryItem
    lot_id: int | None
    wishes: list[Wish] = field(default_factory=list)

    @property
    def quantity(self) -> int:
        return sum(wish.quantity for wish in self.wishes)


def write_intents(
    *,
    owner: User,
    wishes: Sequence[Wish],
    stockroom: str | None,
    job_id: uuid.UUID | None,
    channel: Channel,
    gone_lots: Collection[int] = (),
) -> Planned:
    """Write the listings to send to a channel for these wishes.

    Pieces of one stock row go into one lot. A lot of the store that is equal in all fields seen by
    buyers and pickers is topped up. `stockroom` is for new lots; None uses the row's own. Lots of
    `gone_lots` are not topped up: the store no longer has them. One that only another channel has
    is put up under its number.
    """
    planned = Planned()
    elsewhere = _only_elsewhere(channel, wishes, gone_lots)
    rule = _rule_at_first(owner)
    gone = set(gone_lots) - elsewhere
    groups = _groups(owner, wishes, stockroom, gone, planned, rule)
    wanted = []
    for group in groups:
        listing = Listing(
            owner=owner,
            kind=ListingKind.TOP_UP if group.lot_id else ListingKind.CREATE,
            target=_target(group, stockroom),
            mark=new_mark(),
            name=group.wishes[0].name[:400],
            inventory_item=group.row,
            quantity=group.quantity,
            price=_price_there(rule, group.row),
            stockroom=_stockroom(group.row, stockroom),
            marketplace_lot_id=group.lot_id,
            job_id=job_id,
        )
        if group.lot_id in elsewhere:
            listing.kind, listing.channel = ListingKind.CREATE, channel
            listing.target = _target_at(channel, group.lot_id)
        wanted.append((listing, group.wishes))
    return _write(owner, wanted, planned)


def _only_elsewhere(
    channel: Channel, wishes: Sequence[Wish], gone_lots: Collection[int]
) -> set[int | None]:
    """Return the numbers of lots of these wishes that other channels have and this one lacks."""
    lots = ChannelLot.objects.owned_by(channel.owner)
    there = lots.filter(channel=channel).exclude(marketplace_lot_id__in=list(gone_lots))
    ids = [wish.stock_id for wish in wishes if wish.stock_id]
    rows = InventoryItem.objects.owned_by(channel.owner).filter(
        pk__in=ids,
        marketplace_lot_id__in=lots.exclude(channel=channel).values("marketplace_lot_id"),
    )
    rows = rows.exclude(marketplace_lot_id__in=there.values("marketplace_lot_id"))
    return set(rows.order_by().values_list("marketplace_lot_id", flat=True))


def _target_at(channel: Channel, lot_id: int | None) -> str:
    return f"lot {lot_id} at {channel.pk}"


def write_moves(
    *, owner: User, wishes: Sequence[Wish], stockroom: str, job_id: uuid.UUID | None
) -> Planned:
    """Write listings that move the lots of these rows into a stockroom, or ("") into the shop.

    The same call adds their pieces. A lot of several rows moves as a whole. Lots that buyers will
    see must be valid for listing.
    """
    planned = Planned()
    mine = InventoryItem.objects.owned_by(owner).select_related("lot__item")
    rows = mine.in_bulk([wish.stock_id for wish in wishes if wish.stock_id])
    lots: dict[int, list[Wish]] = {}
    for wish in wishes:
        row = rows.get(wish.stock_id or 0)
        if row is None or row.marketplace_lot_id is None:
            planned.refused[wish] = ROW_GONE
            continue
        why = None if stockroom else _why_not_show(row)
        if why is not None:
            planned.refused[wish] = why
            continue
        lots.setdefault(row.marketplace_lot_id, []).append(wish)
    # The row whose texts the lot has: one with pieces before an empty one.
    found = InventoryItem.objects.owned_by(owner).filter(marketplace_lot_id__in=list(lots))
    in_order = sorted(found, key=lambda row: (not row.quantity, row.pk), reverse=True)
    first = {row.marketplace_lot_id: row for row in in_order}
    wanted = [
        (
            Listing(
                owner=owner,
                kind=ListingKind.MOVE,
                target=f"lot {lot_id}",
                mark=new_mark(),
                name=of_lot[0].name[:400],
                inventory_item=first[lot_id],
                quantity=sum(wish.quantity for wish in of_lot),
                price=first[lot_id].price,
                stockroom=stockroom,
                marketplace_lot_id=lot_id,
                job_id=job_id,
            ),
            of_lot,
        )
        for lot_id, of_lot in lots.items()
    ]
    return _write(owner, wanted, planned)


def write_put_ups(
    *, channel: Channel, lots: Sequence[LackingLot], job_id: uuid.UUID | None
) -> list[Listing]:
    """Write listings that give a channel lots which the stock has the numbers of.

    A lot of which one is open there already gets none.
    """
    owner = channel.owner
    rows = InventoryItem.objects.owned_by(owner).in_bulk([each.row_id for each in lots])
    wanted = [
        (
            Listing(
                owner=owner,
                channel=channel,
                kind=ListingKind.CREATE,
                target=_target_at(channel, each.lot.marketplace_lot_id),
                mark=new_mark(),
                name=row.shown_name[:400],
                inventory_item=row,
                quantity=each.lot.quantity,
                price=each.lot.price,
                stockroom=row.stockroom,
                marketplace_lot_id=each.lot.marketplace_lot_id,
                job_id=job_id,
            ),
            (),
        )
        for each in lots
        if (row := rows.get(each.row_id)) is not None
    ]
    return _write(owner, wanted, Planned()).listings


def _why_not_show(row: InventoryItem) -> str | None:
    if row.lot is None:
        return INCOMPLETE
    return why_not_list(
        row,
        item_type=row.lot.item.item_type,
        number=row.lot.item.number,
        color_id=row.lot.color_id or 0,
        wanted=row.quantity,
    )


def _write(
    owner: User, wanted: Sequence[tuple[Listing, Sequence[Wish]]], planned: Planned
) -> Planned:
    """Write the listings of which no other is open for the same lot."""
    taken = set(
        Listing.objects.owned_by(owner)
        .filter(target__in=[listing.target for listing, _ in wanted], state__in=OPEN_STATES)
        .values_list("target", flat=True)
    )
    for listing, wishes in wanted:
        if listing.target in taken:
            planned.refused |= dict.fromkeys(wishes, BUSY)
    free = [(listing, wishes) for listing, wishes in wanted if listing.target not in taken]
    Listing.objects.bulk_create([listing for listing, _ in free])
    ListingLine.objects.bulk_create(
        ListingLine(
            listing=listing,
            batch_item_id=wish.batch_item_id,
            inventory_item_id=wish.stock_id,
            quantity=wish.quantity,
        )
        for listing, wishes in free
        for wish in wishes
    )
    planned.listings = [listing for listing, _ in free]
    return planned


def new_mark() -> str:
    """Return a mark that nothing carries yet."""
    return "#b" + "".join(secrets.choice(MARK_LETTERS) for _ in range(MARK_LENGTH))


def drafts_of(listings: Sequence[Listing]) -> dict[int, LotDraft]:
    """Return by listing what is sent for it; one whose stock row is gone is left out."""
    rows = InventoryItem.objects.select_related("lot__item").in_bulk(
        [listing.inventory_item_id for listing in listings if listing.inventory_item_id]
    )
    found, rules = {}, _rules_of(listings)
    for listing in listings:
        row = rows.get(listing.inventory_item_id or 0)
        if row is None or row.lot is None or listing.price is None:
            continue
        item, rule = row.lot.item, rules.get(listing.channel_id, EVERYTHING)
        found[listing.pk] = LotDraft(
            item_type=item.item_type,
            number=item.number,
            color_id=row.lot.color_id or 0,
            condition=row.condition,
            completeness=row.sub_condition if item.item_type == "SET" else "",
            quantity=listing.quantity,
            price=listing.price,
            comments=row.comments,
            remarks=marked(row.remarks, listing.mark),
            bulk=row.bulk,
            sale=row.sale,
            cost=row.cost,
            retain=row.retain,
            stockroom=listing.stockroom,
            tiers=(
                (row.tq1, rule.price_there(row.tp1)),
                (row.tq2, rule.price_there(row.tp2)),
                (row.tq3, rule.price_there(row.tp3)),
            ),
        )
    return found


def _rules_of(listings: Collection[Listing]) -> dict[int | None, SaleRule]:
    """Return by channel its rule; None is the one that lists what names no channel."""
    found: dict[int | None, SaleRule] = {}
    for owner in {one.owner_id: one.owner for one in listings}.values():
        found[None] = _rule_at_first(owner)
        for channel_id, rule in sale_rules_of(owner).items():
            found[channel_id] = rule
    return found


def _rule_at_first(owner: User) -> SaleRule:
    """Return the rule of the channel that lists what names none."""
    first = connection_there(owner)
    return EVERYTHING if first is None else sale_rules_of(owner).get(first.channel_id, EVERYTHING)


def _price_there(rule: SaleRule, row: InventoryItem) -> Decimal | None:
    return None if row.price is None else rule.price_there(row.price)


def _as_lot(row: InventoryItem) -> BsxLot:
    """Return what rules of sale read of a row."""
    item = row.lot.item if row.lot else None
    return BsxLot.filled(
        {
            "quantity": max(row.quantity - row.promised, 0),
            "price": row.price,
            "stockroom": row.stockroom,
            "marker_text": row.marker_text,
            "item_type_id": LETTER_OF_TYPE[item.item_type] if item else row.raw_item_type,
            "category_id": item.category_id if item else row.raw_category_id,
        }
    )


def change_of(listing: Listing) -> LotChange | None:
    """Return the change that tops up or moves a lot, None if its stock row is gone."""
    row = InventoryItem.objects.filter(pk=listing.inventory_item_id or 0).first()
    if row is None:
        return None
    return LotChange(
        delta=listing.quantity,
        comments=row.comments,
        remarks=marked(row.remarks, listing.mark),
        stockroom=listing.stockroom if listing.kind == ListingKind.MOVE else None,
    )


def note_sending(listings: Sequence[Listing], *, now: dt.datetime) -> None:
    """Write that they are about to be sent: from now on their outcome can be unknown."""
    for listing in listings:
        listing.state, listing.sent_at = ListingState.SENDING, now
    _states(listings).update(state=ListingState.SENDING, sent_at=now, updated_at=now)


def note_unsent(listings: Sequence[Listing], *, now: dt.datetime) -> None:
    """Write that they surely never arrived: they may be sent."""
    for listing in listings:
        listing.state, listing.sent_at = ListingState.PLANNED, None
    _states(listings).update(state=ListingState.PLANNED, sent_at=None, updated_at=now)


def note_accepted(listings: Sequence[Listing], *, now: dt.datetime) -> None:
    """Write that the marketplace took them, without telling their lots yet."""
    for listing in listings:
        listing.is_accepted = True
    _states(listings).update(is_accepted=True, updated_at=now)


def note_missed(listings: Sequence[Listing], *, now: dt.datetime) -> None:
    """Store that the store lacks these lots: they remain unknown until a second look."""
    for listing in listings:
        listing.state, listing.missed_at = ListingState.UNKNOWN, listing.missed_at or now
    _states(listings).filter(missed_at=None).update(missed_at=now)
    _states(listings).update(state=ListingState.UNKNOWN, updated_at=now)


def note_unknown(listings: Sequence[Listing], *, now: dt.datetime) -> None:
    """Store that the outcome of these listings is unknown."""
    for listing in listings:
        listing.state = ListingState.UNKNOWN
    _states(listings).update(state=ListingState.UNKNOWN, updated_at=now)


def settle_listed(
    lots: Mapping[int, tuple[Listing, int]], *, owner: User, by: User, now: dt.datetime
) -> list[ListingLine]:
    """Close listings that are in the store; return their lines.

    `lots` is listing id -> (listing, lot id). Their stock rows learn lot and stockroom; those
    of a lot that a channel gets under its number change in nothing. Statements constant.
    """
    stamp = instant_text(now)
    update_rows(
        Listing,
        ("state", "marketplace_lot_id", "settled_at", "reason", "updated_at"),
        [
            (pk, ListingState.LISTED, _number_of(one, lot_id), stamp, "", stamp)
            for pk, (one, lot_id) in lots.items()
        ],
    )
    closed = _closed_lines(lots)
    put_up = {pk: one for pk, one in lots.items() if one[0].channel_id is not None}
    lots = {pk: one for pk, one in lots.items() if pk not in put_up}
    _receive_put_up(list(put_up.values()), owner=owner, now=now)
    edits = {}
    for listing, lot_id in lots.values():
        listing.state, listing.marketplace_lot_id = ListingState.LISTED, lot_id
    for listing, row_id, is_in_it in _rows_of(lots, closed, owner):
        changes: dict[str, Any] = {"marketplace_lot_id": listing.marketplace_lot_id}
        if listing.kind == ListingKind.MOVE or not is_in_it:
            changes["stockroom"] = listing.stockroom
        edits[listing.pk, row_id] = StockEdit(item_id=row_id, changes=changes)
    edit_rows(owner=owner, edits=edits, by=by, now=now)  # a row deleted since is left out
    _receive(list(lots.values()), owner=owner, now=now)
    return closed


def _number_of(listing: Listing, lot_id: int) -> int | None:
    return lot_id if listing.channel_id is None else listing.marketplace_lot_id


def _receive_put_up(
    listed: Sequence[tuple[Listing, int]], *, owner: User, now: dt.datetime
) -> None:
    """Store the lots that channels received under numbers of the stock."""
    ids = [one.inventory_item_id for one, _ in listed if one.inventory_item_id]
    rows = InventoryItem.with_deleted.owned_by(owner).in_bulk(ids)
    rules = _rules_of([listing for listing, _ in listed])
    for listing, lot_id in listed:
        listing.state = ListingState.LISTED
        number, row = listing.marketplace_lot_id, rows.get(listing.inventory_item_id or 0)
        if row is None or number is None:
            continue
        receive(
            owner=owner,
            lots={number: _values_created(listing, row, rules.get(listing.channel_id, EVERYTHING))},
            now=now,
            channel_id=listing.channel_id,
            remote_ids={number: lot_id},
        )


def _values_created(listing: Listing, row: InventoryItem, rule: SaleRule) -> dict[str, Any]:
    """Return what the marketplace has of a new lot."""
    fields = {name: getattr(row, name) for name in RECEIVED_FIELDS}
    fields |= {name: rule.price_there(fields[name]) for name in ("tp1", "tp2", "tp3")}
    sent = {"price": listing.price, "stockroom": listing.stockroom}
    return fields | sent | {"quantity": listing.quantity}


def _receive(listed: Sequence[tuple[Listing, int]], *, owner: User, now: dt.datetime) -> None:
    """Store the lots that the marketplace received with these listings."""
    rows = InventoryItem.with_deleted.owned_by(owner).in_bulk(
        [listing.inventory_item_id for listing, _ in listed if listing.inventory_item_id]
    )
    known = received_of(owner=owner, lot_ids=[lot_id for _, lot_id in listed])
    told, rule = {}, _rule_at_first(owner)
    for listing, lot_id in listed:
        row = rows.get(listing.inventory_item_id or 0)
        if row is None:
            continue
        if listing.kind == ListingKind.CREATE:
            told[lot_id] = _values_created(listing, row, rule)
        elif lot_id in known:
            before = told.get(lot_id, known[lot_id])
            told[lot_id] = before | {
                "quantity": before["quantity"] + listing.quantity,
                "comments": row.comments,
                "remarks": row.remarks,
            }
            if listing.kind == ListingKind.MOVE:
                told[lot_id]["stockroom"] = listing.stockroom
    receive(owner=owner, lots=told, now=now)


def _rows_of(
    lots: Mapping[int, tuple[Listing, int]], lines: Sequence[ListingLine], owner: User
) -> Iterator[tuple[Listing, int, bool]]:
    """Yield the stock rows of listings, and whether each was in its lot before.

    These are the rows of the listing and of its lines, and all rows of a lot that was moved.
    """
    named: dict[int, set[int]] = {
        pk: {listing.inventory_item_id} if listing.inventory_item_id else set()
        for pk, (listing, _) in lots.items()
    }
    for line in lines:
        if line.inventory_item_id is not None and line.listing_id in named:
            named[line.listing_id].add(line.inventory_item_id)
    moved = {lot_id for one, lot_id in lots.values() if one.kind == ListingKind.MOVE}
    rows = InventoryItem.objects.owned_by(owner).filter(
        Q(pk__in=set().union(*named.values())) | Q(marketplace_lot_id__in=moved)
    )
    of_row = dict(rows.values_list("pk", "marketplace_lot_id"))
    for pk, (listing, lot_id) in lots.items():
        wanted = named[pk] & of_row.keys()
        if listing.kind == ListingKind.MOVE:
            wanted = {row_id for row_id, of_lot in of_row.items() if of_lot == lot_id}
        for row_id in sorted(wanted):
            yield listing, row_id, of_row[row_id] == lot_id


def settle_rejected(
    reasons: Mapping[int, tuple[Listing, str]], *, now: dt.datetime
) -> list[ListingLine]:
    """Close listings that surely are not in the store; return their lines."""
    stamp = instant_text(now)
    update_rows(
        Listing,
        ("state", "settled_at", "reason", "updated_at"),
        [(pk, ListingState.REJECTED, stamp, reason, stamp) for pk, (_, reason) in reasons.items()],
    )
    for listing, reason in reasons.values():
        listing.state, listing.reason = ListingState.REJECTED, reason
    return _closed_lines(reasons)


def _closed_lines(listing_ids: Iterable[int]) -> list[ListingLine]:
    lines = ListingLine.objects.filter(listing_id__in=list(listing_ids), is_open=True)
    found = list(lines.order_by("pk"))
    lines.update(is_open=False)
    return found


def _states(listings: Sequence[Listing]) -> Any:
    return Listing.objects.filter(
        pk__in=[listing.pk for listing in listings], state__in=OPEN_STATES
    )


def _groups(
    owner: User,
    wishes: Sequence[Wish],
    stockroom: str | None,
    gone_lots: set[int],
    planned: Planned,
    rule: SaleRule,
) -> list[_Group]:
    rows = {
        row.pk: row
        for row in InventoryItem.objects.owned_by(owner)
        .filter(pk__in=[wish.stock_id for wish in wishes if wish.stock_id])
        .select_related("lot__item")
    }
    by_row: dict[int, _Group] = {}
    reasons: dict[int, str] = {}
    for wish in wishes:
        row = rows.get(wish.stock_id or 0)
        if row is None:
            planned.refused[wish] = ROW_GONE
        elif row.lot is None:
            planned.refused[wish] = INCOMPLETE
        else:
            group = by_row.setdefault(row.pk, _Group(row, None))
            if not wish.quantity and wish.batch_item_id is None:
                # It goes behind the pieces of its batch items, or is refused as these were.
                if group.wishes:
                    group.wishes.append(wish)
                else:
                    planned.refused[wish] = reasons.get(row.pk, NO_PIECES)
                continue
            why = why_not_list(
                row,
                item_type=row.lot.item.item_type,
                number=row.lot.item.number,
                color_id=row.lot.color_id or 0,
                wanted=group.quantity + wish.quantity if wish.quantity else 0,
            ) or rule.why_not(_as_lot(row))
            if not why:
                group.wishes.append(wish)
            else:
                planned.refused[wish] = reasons[row.pk] = why
    lots = _lots_of_agreeing(owner, by_row.values(), stockroom, gone_lots)
    found: dict[Any, _Group] = {}
    for group in by_row.values():
        if not group.wishes:
            continue
        own = group.row.marketplace_lot_id
        key = _key(group.row, stockroom)
        group.lot_id = own if own is not None and own not in gone_lots else lots.get(key)
        # Rows that agree are one lot, also when none of them is there yet.
        first = found.setdefault(group.lot_id or key, group)
        if first is not group:
            first.wishes += group.wishes
    return list(found.values())


def _lots_of_agreeing(
    owner: User, groups: Iterable[_Group], stockroom: str | None, gone_lots: set[int]
) -> dict[Any, int]:
    """Return by key the lot of another row that agrees."""
    listed = (
        InventoryItem.objects.owned_by(owner)
        .filter(
            lot_id__in={group.row.lot_id for group in groups},
            marketplace_lot_id__isnull=False,
        )
        .exclude(marketplace_lot_id__in=gone_lots)
        .order_by("-pk")
    )
    return {_key(row, None): row.marketplace_lot_id for row in listed}


def _key(row: InventoryItem, stockroom: str | None) -> tuple[Any, ...]:
    """Return the fields in which lots of the store must differ for buyers and pickers."""
    return (
        row.lot_id,
        row.condition,
        row.sub_condition,
        money_text(row.price),
        _stockroom(row, stockroom),
        row.comments,
        without_mark(row.remarks),
    )


def _stockroom(row: InventoryItem, stockroom: str | None) -> str:
    return row.stockroom if stockroom is None else stockroom


def _target(group: _Group, stockroom: str | None) -> str:
    if group.lot_id is not None:
        return f"lot {group.lot_id}"
    key = repr(_key(group.row, stockroom))
    return f"new {uuid.uuid5(uuid.NAMESPACE_OID, key)}"


def lines_by_listing(listings: Sequence[Listing]) -> dict[int, list[ListingLine]]:
    """Return the open lines of each listing."""
    found: defaultdict[int, list[ListingLine]] = defaultdict(list)
    wanted = ListingLine.objects.filter(listing__in=listings, is_open=True)
    for line in wanted.order_by("pk"):
        found[line.listing_id].append(line)
    return found
