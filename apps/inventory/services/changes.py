"""Differences between each lot and the values that the marketplace last received.

The one rule of the view, the number on home, the mass update and the sync with the store.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Final, NamedTuple

from django.db import connection
from django.db.models import F, QuerySet
from django.db.models.expressions import RawSQL
from more_itertools import chunked

from apps.accounts.models import User
from apps.core.bulk import plain
from apps.exchange.bricklink_update import LotChange, change_between
from apps.exchange.bsx_base import base_of
from apps.exchange.bsx_lot import BsxLot
from apps.exchange.conditions import UNKNOWN_CONDITION
from apps.inventory.models import (
    RECEIVED_FIELDS,
    Channel,
    ChannelLot,
    Decision,
    FieldConflict,
    InventoryItem,
)
from apps.inventory.rules.bins import Part, is_same_lot, one_lot
from apps.inventory.rules.for_sale import EVERYTHING, SaleRule
from apps.inventory.selectors.channel_rules import (
    category_of_lots,
    lots_to_sell,
    sale_rule_of,
    sale_rules_of,
)
from apps.inventory.selectors.export import lots_with_places
from apps.inventory.selectors.origins import pieces_to_list
from apps.inventory.services.received import received_of, shared_lot_ids

AT_ONCE: Final = 1_000
Fields = Mapping[int, Collection[str]]


class Changed(NamedTuple):
    """The number of lots that differ, and the worth of their pieces in stock."""

    lots: int
    value: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """Lots as a reading has them, by lot id, and by row what taking it over makes of it.

    The `quantity` of a row is a change. `unsettled` are the fields that a person will be asked
    about, `listed` the pieces of batches that become listed, by row.
    """

    received: Mapping[int, dict[str, Any]]
    rows: Mapping[int, Mapping[str, Any]]
    unsettled: Fields
    listed: Mapping[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class LotDifference:
    """A lot in stock, its values at the marketplace, and the change that makes both equal."""

    lot: BsxLot
    received: dict[str, Any]
    change: LotChange
    row_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LackingLot:
    """A lot for sale that a channel lacks, its rows, and the row whose texts it is put up with."""

    lot: BsxLot
    row_id: int
    row_ids: tuple[int, ...]


#: What a channel has received of a lot that it lacks.
_NOTHING: Final[Mapping[str, Any]] = {"quantity": 0, "remarks": None}


def change_of(
    lot: BsxLot, received: Mapping[str, Any] | None, *, unsettled: Collection[str] = ()
) -> tuple[LotChange, BsxLot]:
    """Return the change that the marketplace needs, and the lot there after the change.

    Without `received` the lot's own base values are compared. A price cannot be removed.
    `unsettled` fields, which a person has yet to decide, and a condition that was not understood
    there are not changed on either side.
    """
    base = base_of(lot) if received is None else replace(lot, base=(), **_plain(received))
    kept = {name: getattr(base, name) for name in unsettled}
    if base.condition == UNKNOWN_CONDITION:
        kept["condition"] = base.condition
    if lot.price is None and base.price is not None:
        kept["price"] = base.price
    whole = replace(lot, **kept) if kept else lot
    return change_between(whole, base), whole


def unsettled_fields(*, owner: User, lot_ids: Collection[int] | None = None) -> dict[int, set[str]]:
    """Return by lot id the fields that wait for a person's decision."""
    asked = FieldConflict.objects.owned_by(owner).filter(decision=Decision.OPEN)
    if lot_ids is not None:
        asked = asked.filter(marketplace_lot_id__in=list(lot_ids))
    found: dict[int, set[str]] = {}
    for lot_id, field in asked.values_list("marketplace_lot_id", "field"):
        found.setdefault(lot_id, set()).add(field)
    return found


def changed_lots(*, owner: User) -> Changed:
    """Count the lots that differ."""
    found = _candidates(owner)
    wrong = _agreeing(owner, found)
    left = [one for lot_id, one in found.items() if lot_id not in wrong]
    return Changed(len(left), sum((one.value for one in left), Decimal()))


def changed_lot_ids(*, channel: Channel) -> set[int]:
    """Return the ids of the lots of a channel that differ. As many queries as `changed_lots`."""
    found = _candidates(channel.owner, channel)
    return found.keys() - _agreeing(channel.owner, found)


def lots_that_may_differ(*, owner: User) -> set[int]:
    """Return at least the lots that differ."""
    return set(_candidates(owner))


def in_changed_lots(
    rows: QuerySet[Any], *, owner: User, channel: Channel | None = None
) -> QuerySet[Any]:
    """Return the rows whose lots differ from what the marketplace, or one channel, last received."""
    found = _candidates(owner, channel)
    if sale_rules_of(owner):
        rows = rows.filter(marketplace_lot_id__in=list(found))
    else:
        statement, params = _statement(owner, "mine.marketplace_lot_id", channel)
        rows = rows.filter(marketplace_lot_id__in=RawSQL(statement, params))
    wrong = _agreeing(owner, found)
    return rows.exclude(marketplace_lot_id__in=wrong) if wrong else rows


def not_for_sale(waiting: Mapping[int, int], *, free: int, received: int) -> Mapping[int, int]:
    """Return by row the pieces of a lot that its marketplace is not to have.

    Those that wait to be listed, for their listing adds them. None where the marketplace has all
    `free` pieces: what waits was uploaded in another way.
    """
    return {} if free == received else waiting


def differences_of(
    *,
    owner: User,
    lot_ids: Iterable[int],
    waiting: Mapping[int, Mapping[int, int]],
    taken: Taken | None = None,
    channel_id: int | None = None,
) -> Iterator[LotDifference]:
    """Yield the differences of these lots from a channel. Equal lots are skipped.

    Each is as the rule of its channel lets it be for sale there. Without a channel the differences
    are from what `received_of` returns. `waiting`: the pieces of `pieces_to_list`.
    """
    taken = taken or Taken(received={}, rows={}, unsettled={}, listed={})
    rules = sale_rules_of(owner)
    ids = sorted(lot_ids)
    for start in range(0, len(ids), AT_ONCE):
        some = ids[start : start + AT_ONCE]
        known = received_of(owner=owner, lot_ids=some, channel_id=channel_id)
        known |= {lot_id: taken.received[lot_id] for lot_id in some if lot_id in taken.received}
        asked = {**unsettled_fields(owner=owner, lot_ids=some), **taken.unsettled}
        categories = category_of_lots(owner=owner, lot_ids=some) if rules else {}
        for lot_id, parts in _parts(owner, list(known), taken.rows).items():
            received = known[lot_id]
            left = {pk: n - taken.listed.get(pk, 0) for pk, n in waiting.get(lot_id, {}).items()}
            rule = rules.get(channel_id or received["channel_id"], EVERYTHING)
            there = _there(parts, left, received, rule, categories)
            if there is None:
                continue
            change, whole = change_of(there, received, unsettled=asked.get(lot_id, ()))
            if not change.is_empty:
                yield LotDifference(
                    lot=whole,
                    received=received,
                    change=change,
                    row_ids=tuple(pk for pk, _part in parts),
                )


def channels_that_differ(
    *, owner: User, lot_id: int, lots: Iterable[ChannelLot], asked: Collection[str]
) -> set[int]:
    """Return the ids of the channels of `lots`, which are one lot of the stock, that differ.

    `asked` are its fields that wait for a person's decision.
    """
    parts = _parts(owner, [lot_id], {}).get(lot_id)
    if not parts:
        return set()
    rules = sale_rules_of(owner)
    categories = category_of_lots(owner=owner, lot_ids=[lot_id]) if rules else {}
    waiting = pieces_to_list(owner=owner, lot_id=lot_id).get(lot_id, {})
    found = set()
    for one in lots:
        received = {name: getattr(one, name) for name in RECEIVED_FIELDS}
        rule = rules.get(one.channel_id, EVERYTHING)
        there = _there(parts, waiting, received, rule, categories)
        if there is not None and not change_of(there, received, unsettled=asked)[0].is_empty:
            found.add(one.channel_id)
    return found


def _there(
    parts: Sequence[tuple[int, Part]],
    waiting: Mapping[int, int],
    received: Mapping[str, Any],
    rule: SaleRule,
    categories: Mapping[int, int | None],
) -> BsxLot | None:
    """Return a lot as a channel with this rule is to have it; None where both sides sold out."""
    lot = _whole(_for_sale(parts, waiting, received), received)
    if categories:
        lot = replace(lot, category_id=categories.get(lot.marketplace_lot_id or 0))
    lot = rule.lot_there(lot)
    if lot.quantity <= 0 and received["quantity"] <= 0 and not received["retain"]:
        return None  # the store has no lot to change
    return lot


def lacking_lots(
    *, channel: Channel, waiting: Mapping[int, Mapping[int, int]], lot_ids: Collection[int] = ()
) -> list[LackingLot]:
    """Return the lots that are for sale in another channel and that this one lacks.

    Or those of `lot_ids` that it lacks, or that sold out there. Each is as the rule of the channel
    lets it be for sale. A lot in a stockroom is not for sale. `waiting`: the pieces of `pieces_to_list`, which are not either.
    """
    owner = channel.owner
    lots = ChannelLot.objects.owned_by(owner)
    there = lots.filter(channel=channel)
    wanted: Any = lots.exclude(channel=channel).values("marketplace_lot_id")
    if lot_ids:
        wanted, there = list(lot_ids), there.exclude(quantity=0)
    rows = InventoryItem.objects.owned_by(owner).filter(
        marketplace_lot_id__in=wanted, quantity__gt=F("promised"), stockroom=""
    )
    rows = rows.exclude(marketplace_lot_id__in=there.values("marketplace_lot_id"))
    ids = sorted(set(rows.order_by().values_list("marketplace_lot_id", flat=True)))
    rule = sale_rule_of(owner=owner, channel_id=channel.pk)
    found = []
    for some in chunked(ids, AT_ONCE):
        categories = category_of_lots(owner=owner, lot_ids=some)
        for lot_id, parts in _parts(owner, some, {}).items():
            for_sale = _for_sale(parts, waiting.get(lot_id, {}), _NOTHING)
            holding = [
                pk for (pk, _), part in zip(parts, for_sale, strict=True) if part.lot.quantity > 0
            ]
            if not holding:
                continue
            whole = replace(_whole(for_sale, _NOTHING), category_id=categories.get(lot_id))
            lot = rule.lot_there(whole)
            if lot.quantity > 0:
                row_ids = tuple(pk for pk, _part in parts)
                found.append(LackingLot(lot=lot, row_id=holding[0], row_ids=row_ids))
    return found


def _parts(
    owner: User, lot_ids: Collection[int], taken: Mapping[int, Mapping[str, Any]]
) -> dict[int, list[tuple[int, Part]]]:
    rows = InventoryItem.objects.owned_by(owner).filter(marketplace_lot_id__in=lot_ids)
    found: dict[int, list[tuple[int, Part]]] = {}
    for pk, lot, place in lots_with_places(rows):
        if pk in taken:
            quantity = lot.quantity + taken[pk]["quantity"]
            lot = replace(lot, **{**taken[pk], "quantity": quantity})
        there = found.setdefault(lot.marketplace_lot_id or 0, [])
        if not there or is_same_lot(there[0][1].lot, lot):
            there.append((pk, Part(lot, place)))
    return found


def _for_sale(
    parts: Sequence[tuple[int, Part]], waiting: Mapping[int, int], received: Mapping[str, Any]
) -> list[Part]:
    free = sum(part.lot.quantity for _pk, part in parts)
    without = not_for_sale(waiting, free=free, received=received["quantity"])
    return [
        Part(replace(lot, quantity=max(lot.quantity - without.get(pk, 0), 0)), place)
        for pk, (lot, place) in parts
    ]


def _whole(parts: Sequence[Part], received: Mapping[str, Any]) -> BsxLot:
    """Return the rows of a lot as one. Each names its own bin: the store shows one of them."""
    whole = one_lot(parts, lambda lot, _place: lot.remarks)
    texts = {part.lot.remarks for part in parts}
    if received["remarks"] in texts:
        return replace(whole, remarks=received["remarks"])
    holding = next((part for part in parts if part.lot.quantity > 0), parts[0])
    return replace(whole, remarks=holding.lot.remarks)


class _Candidate(NamedTuple):
    is_shared: bool
    value: Decimal
    channel_ids: frozenset[int]


def _candidates(owner: User, channel: Channel | None = None) -> dict[int, _Candidate]:
    """Return the lots that may differ, of all channels or one; of those in one row all do."""
    value = f"COALESCE(mine.price, theirs.price, 0) * {_FREE}"
    what = f"mine.marketplace_lot_id, theirs.channel_id, mine.id, {value}"
    values: dict[int, dict[int, Decimal]] = {}  # by lot and row
    channels: dict[int, set[int]] = {}
    rules = sale_rules_of(owner)
    with connection.cursor() as cursor:
        cursor.execute(*_statement(owner, what, channel))
        for lot_id, channel_id, row_id, worth in cursor.fetchall():
            if channel_id not in rules:
                values.setdefault(lot_id, {})[row_id] = Decimal(str(worth))
                channels.setdefault(lot_id, set()).add(channel_id)
    for channel_id in rules if channel is None else rules.keys() & {channel.pk}:
        for lot_id, row_id, worth in _differing_by_rule(owner, channel_id, rules[channel_id]):
            values.setdefault(lot_id, {})[row_id] = worth
            channels.setdefault(lot_id, set()).add(channel_id)
    if not values:
        return {}
    listed = InventoryItem.objects.owned_by(owner).filter(marketplace_lot_id__isnull=False)
    shared = shared_lot_ids(listed)
    return {
        lot_id: _Candidate(
            lot_id in shared,
            sum(of_rows.values(), Decimal()).quantize(Decimal("0.0001")),
            frozenset(channels[lot_id]),
        )
        for lot_id, of_rows in values.items()
    }


def _differing_by_rule(
    owner: User, channel_id: int, rule: SaleRule
) -> Iterator[tuple[int, int, Decimal]]:
    """Yield lot, row and value of what may differ from a channel that a rule is made for.

    A lot of several rows may.
    """
    lots = ChannelLot.objects.owned_by(owner).filter(channel_id=channel_id)
    told = ("marketplace_lot_id", *RECEIVED_FIELDS)
    theirs = {row["marketplace_lot_id"]: row for row in lots.values(*told)}
    rows = InventoryItem.objects.owned_by(owner).filter(
        marketplace_lot_id__in=lots.values("marketplace_lot_id")
    )
    for pk, lot in lots_to_sell(rows):
        lot_id = lot.marketplace_lot_id or 0
        received = theirs[lot_id]
        there = rule.lot_there(lot)
        if there.quantity <= 0 and received["quantity"] <= 0 and not received["retain"]:
            continue
        if not change_of(there, received)[0].is_empty:
            yield lot_id, pk, (lot.price or received["price"] or 0) * Decimal(lot.quantity)


def _agreeing(owner: User, found: Mapping[int, _Candidate]) -> set[int]:
    """Return those of the candidates that do not differ when they are looked at in full."""
    if not found:
        return set()
    asked, waiting = unsettled_fields(owner=owner), pieces_to_list(owner=owner)
    odd = {
        lot_id
        for lot_id, one in found.items()
        if one.is_shared or lot_id in asked or lot_id in waiting
    }
    if not odd:
        return odd
    left = set(odd)
    for channel_id in sorted({each for lot_id in odd for each in found[lot_id].channel_ids}):
        there = {lot_id for lot_id in odd if channel_id in found[lot_id].channel_ids}
        differing = differences_of(
            owner=owner, lot_ids=there, waiting=waiting, channel_id=channel_id
        )
        left -= {one.lot.marketplace_lot_id or 0 for one in differing}
    return left


_FREE: Final = (
    "CASE WHEN mine.quantity > mine.promised THEN mine.quantity - mine.promised ELSE 0 END"
)


def _statement(owner: User, what: str, channel: Channel | None = None) -> tuple[str, list[Any]]:
    quote = connection.ops.quote_name
    mine, theirs = quote(InventoryItem._meta.db_table), quote(ChannelLot._meta.db_table)
    plain = [name for name in RECEIVED_FIELDS if name not in ("quantity", "price", "condition")]
    differs = " OR ".join(
        [
            f"{_FREE} <> theirs.quantity",
            # Where we have no price there is none to send.
            "mine.price <> theirs.price OR (theirs.price IS NULL AND mine.price IS NOT NULL)",
            # One that was not understood there may be ours.
            f"mine.condition <> theirs.condition AND theirs.condition <> '{UNKNOWN_CONDITION}'",
            *(f"mine.{name} <> theirs.{name}" for name in plain),
        ]
    )
    statement = (
        f"SELECT {what} FROM {theirs} AS theirs JOIN {mine} AS mine"
        " ON mine.owner_id = theirs.owner_id"
        " AND mine.marketplace_lot_id = theirs.marketplace_lot_id"
        f" WHERE theirs.owner_id = %s AND mine.deleted_at IS NULL AND ({differs})"
        # Sold out on both sides: the store has no lot to change.
        f" AND ({_FREE} > 0 OR theirs.quantity > 0 OR theirs.retain)"
    )
    if channel is None:
        return statement, [owner.pk]
    return f"{statement} AND theirs.channel_id = %s", [owner.pk, channel.pk]


def text_of(value: object) -> str:
    """Return the value of a field as text for a person."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(plain(value))


def _plain(received: Mapping[str, Any]) -> dict[str, Any]:
    return {name: received[name] for name in RECEIVED_FIELDS}
