"""Sums of an owner's stock by item type: rows, pieces and worth, cached by part of the stock.

The database marks the parts that a write changes, and the next reader recalculates them from the
rows. The figures are never older than the last commit, and reading them costs in proportion to
the changes since the last reading, not to the stock.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import reduce
from operator import or_
from typing import Any, Final

from django.db import connection, transaction
from django.db.models import Count, F, Max, Min, Q, QuerySet, Sum, Value
from django.db.models.functions import Coalesce
from more_itertools import consecutive_groups

from apps.accounts.models import User
from apps.core.concurrency import lock_in_order
from apps.core.money import money
from apps.core.prepared import WHOLE, Prepared, Slot
from apps.core.worth import lots_without_price, total_worth
from apps.inventory.models import InventoryItem
from apps.inventory.models.figures import LOTS_IN_A_PART as SIZE
from apps.inventory.models.figures import StockPart, StockSummary, StockTouched
from apps.inventory.models.item import ItemQuerySet
from apps.webhooks.rules import STOCK_CHANGED
from apps.webhooks.services.events import emit, listeners

# How many parts are summed up in one transaction.
MOST_PARTS: Final = 24


@dataclass(frozen=True, slots=True)
class StockOfType:
    """Rows, pieces and value of one item type ('' if the catalogue does not know it), the lots of a
    condition in more than one location, and the rows without a price that the value leaves out."""

    item_type: str
    lots: int
    pieces: int
    value: Decimal
    spread_lots: int
    lots_without_price: int


def stock_by_type(*, owner: User) -> list[StockOfType]:
    """Return the stock by item type, the most valuable first, as it is now."""
    rows = _BY_TYPE.rows(owner=owner.pk)
    if any(marks for marks, *_ in rows):
        reckon(owner=owner)
        rows = _BY_TYPE.rows(owner=owner.pk)
    found = [
        StockOfType(item_type, lots, pieces, money(value), spread, unpriced)
        for marks, item_type, lots, pieces, value, spread, unpriced in rows
        if not marks
    ]
    return sorted(found, key=lambda one: (-one.value, one.item_type))


def _by_type(owner: Slot) -> list[QuerySet[Any, Any]]:
    """Return the sums of each type behind a 0, and how many parts changed since, if any."""
    figures = ("lots", "pieces", "value", "spread_lots", "lots_without_price")
    sums = StockPart.objects.filter(owner=owner).order_by().values("item_type")
    marks = StockTouched.objects.filter(holder_id=owner).order_by().values("holder_id")
    nothing: list[Any] = [Value(0) for _ in figures]
    sums = sums.annotate(**{f"all_{name}": Sum(name) for name in figures})
    return [
        sums.values_list(Value(0), "item_type", *(f"all_{name}" for name in figures)),
        marks.annotate(n=Count("part")).values_list("n", Value(""), *nothing),
    ]


_BY_TYPE: Final = Prepared(_by_type, owner=WHOLE)


def reckon(*, owner: User) -> None:
    """Recalculate the sums of changed parts, MOST_PARTS at a time to keep locks short."""
    done: int | None = -1
    while done is not None:
        done = _reckon_some(owner, after=done)


@transaction.atomic
def _reckon_some(owner: User, *, after: int) -> int | None:
    """Recalculate some of the marked parts above `after`. Return the last, or None at the end.

    The marks are deleted before the rows are read: a change committed in between is in the sums,
    and its mark remains for the next time.
    """
    StockSummary.objects.get_or_create(owner=owner)
    lock_in_order(StockSummary.objects.filter(owner=owner))
    touched = _take_marks(owner, after=after, most=MOST_PARTS)
    if touched:
        StockSummary.objects.filter(owner=owner).update(version=F("version") + 1)
        StockPart.objects.filter(owner=owner, part__in=touched).delete()
        StockPart.objects.bulk_create(parts_of(owner=owner, parts=touched), batch_size=500)
    return max(touched) if len(touched) == MOST_PARTS else None


@transaction.atomic
def reckon_all(*, owner: User) -> None:
    """Recalculate all sums of an owner, marked or not. Used to repair them."""
    StockSummary.objects.get_or_create(owner=owner)
    lock_in_order(StockSummary.objects.filter(owner=owner))
    _take_marks(owner)
    StockPart.objects.filter(owner=owner).delete()
    StockPart.objects.bulk_create(parts_of(owner=owner), batch_size=500)


def parts_of(*, owner: User, parts: Collection[int] | None = None) -> list[StockPart]:
    """Return the sums of these parts calculated from the rows, or of all parts."""
    stock = InventoryItem.objects.owned_by(owner)
    if parts is None:
        return _summed(owner, [stock])
    unknown = [stock.filter(lot_id=None)] if 0 in parts else []
    return _summed(owner, [stock.filter(_in_parts(parts)), *unknown])


def _in_parts(parts: Collection[int]) -> Q:
    """Return the condition that each database looks up in its index.

    PostgreSQL takes ranges; of thousands of lots it would read all rows of the owner. Of ranges,
    SQLite would.
    """
    if connection.vendor == "postgresql":
        runs = map(list, consecutive_groups(sorted(parts)))
        return reduce(
            or_, (Q(lot__pk__range=(run[0] * SIZE, (run[-1] + 1) * SIZE - 1)) for run in runs)
        )
    return Q(lot__among=[lot for part in parts for lot in range(part * SIZE, (part + 1) * SIZE)])


def _summed(owner: User, stocks: Iterable[Any]) -> list[StockPart]:
    return [
        StockPart(
            owner=owner,
            part=part,
            item_type=item_type,
            lots=lots,
            pieces=pieces,
            value=money(str(value)),
            spread_lots=spread,
            lots_without_price=unpriced,
        )
        for stock in stocks
        for part, item_type, lots, pieces, value, unpriced, spread in _sums(stock)
    ]


def _sums(stock: ItemQuerySet) -> list[Any]:
    """Return part, type, rows, pieces, worth, rows without a price and lots in several places."""
    lots, params = (
        stock.in_stock_listed()
        .order_by()
        .values("lot_id", "condition", item_type=F("lot__item__item_type"))
        .annotate(
            lots=Count("pk"),
            pieces=Sum("quantity"),
            worth=total_worth(),
            unpriced=lots_without_price(),
            first_place=Min(Coalesce("location_id", 0)),
            last_place=Max(Coalesce("location_id", 0)),
        )
        .query.sql_with_params()
    )
    sums = f"""
        SELECT COALESCE(lot_id, 0) / {SIZE} AS part, COALESCE(item_type, '') AS item_type,
               SUM(lots), SUM(pieces), SUM(worth), SUM(unpriced),
               SUM(CASE WHEN lot_id IS NOT NULL AND first_place <> last_place THEN 1 ELSE 0 END)
        FROM ({lots}) AS of_lots GROUP BY 1, 2
    """
    with connection.cursor() as cursor:
        cursor.execute(sums, params)
        return cursor.fetchall()


def _take_marks(owner: User, *, after: int = -1, most: int | None = None) -> set[int]:
    """Delete the marks of some parts of an owner above `after`, or of all; return the parts.

    PostgreSQL would read past all that was deleted before, if it began at the first part again.
    """
    table = connection.ops.quote_name(StockTouched._meta.db_table)
    statement = f"DELETE FROM {table} WHERE holder_id = %s"
    values = [owner.pk]
    if most is not None:
        statement += (
            f" AND part IN (SELECT DISTINCT part FROM {table} WHERE holder_id = %s"
            " AND part > %s ORDER BY part LIMIT %s)"
        )
        values += [owner.pk, after, most]
    with connection.cursor() as cursor:
        cursor.execute(f"{statement} RETURNING part", values)
        return {part for (part,) in cursor.fetchall()}


def tell_changes() -> None:
    """Emit `stock.changed` for each stock that changed since the last one."""
    for owner in User.objects.filter(pk__in=listeners(STOCK_CHANGED)):
        if StockTouched.objects.filter(holder_id=owner.pk).exists():
            reckon(owner=owner)
        summaries = StockSummary.objects.filter(owner=owner).exclude(version=F("told_version"))
        with transaction.atomic():
            if summaries.update(told_version=F("version")):
                found = stock_by_type(owner=owner)
                data = {
                    "lots": sum(one.lots for one in found),
                    "pieces": sum(one.pieces for one in found),
                }
                emit(owner_id=owner.pk, event=STOCK_CHANGED, told={"stock": data})


@dataclass(frozen=True, slots=True)
class FigureDifference:
    """A part whose cached sums differ from its rows. None means no sums or no rows."""

    owner_id: int
    part: int
    item_type: str
    kept: str
    rows: str


def figure_differences(*, owner: User) -> list[FigureDifference]:
    """Return where the kept sums of an owner are wrong, marks considered. Some queries."""
    stock_by_type(owner=owner)
    kept = {(one.part, one.item_type): _told(one) for one in StockPart.objects.filter(owner=owner)}
    right = {(one.part, one.item_type): _told(one) for one in parts_of(owner=owner)}
    return [
        FigureDifference(owner.pk, *key, kept.get(key, "nothing"), right.get(key, "nothing"))
        for key in sorted(kept.keys() | right.keys())
        if kept.get(key) != right.get(key)
    ]


def _told(part: StockPart) -> str:
    return (
        f"{part.lots} rows, {part.pieces} pieces, {money(part.value)}, "
        f"{part.lots_without_price} without a price, {part.spread_lots} in several places"
    )
