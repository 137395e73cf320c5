"""Calculated values of batches: figures, status, running jobs."""

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Any, Final

from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    IntegerField,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    TextField,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from apps.accounts.models import User
from apps.accounts.selectors import currency_of
from apps.batches.models import IN_STATE, Batch, BatchItem, PartedOutSet
from apps.batches.rules.activity import active_time
from apps.batches.rules.deviations import STEPS
from apps.batches.rules.states import BatchStatus, Figures, ItemState, state_of
from apps.catalog.models import Lot
from apps.catalog.rules.kinds import TYPE_OF_LETTER, ItemType
from apps.catalog.selectors import REFERENCE_AT, figure_of, with_market
from apps.core.jobs.models import Job
from apps.core.money import money
from apps.core.prepared import WHOLE, Prepared, Slot
from apps.core.worth import WORTH, known_worth, lots_without_price, total_worth
from apps.inventory.selectors.destinations import Wanted
from apps.recognition.rules.lookup import MOST_AMONG
from apps.sets.selectors.contents import contents_of

# The kinds of jobs that work on a batch, and the flag that each raises while it runs.
# Such a job is about its batches (`Job.objects.about`). Exports are written by the app above.
FLAG_OF_KIND: Final = {
    "batches.stow_items": "isStowing",
    "batches.remove_items": "isRemoving",
    "batches.mark_listed": "isListing",
    "batches.list_items": "isListing",
    "batches.settle_listings": "isListing",
    "batches.plan_store_sync": "isUpdating",
    "batches.apply_store_sync": "isUpdating",
    "batches.edit_items": "isUpdating",
    "exports.export_items": "isExporting",
}
FLAGS: Final = ("isStowing", "isListing", "isExporting", "isRemoving", "isUpdating")

#: Of how many batches Home shows what they give back.
NEWEST_BATCHES: Final = 6
# Items of a batch that its active time is reckoned from.
MOST_TIMED: Final = 5_000

_TEXT = TextField()


def wanted_of(items: Iterable[BatchItem]) -> dict[int, Wanted]:
    """Return item id -> the lot to place, without items that are not in the catalogue."""
    return {
        item.pk: Wanted(item.lot_id, item.condition, item.quantity, item.unit_weight_grams)
        for item in items
        if item.lot_id is not None
    }


def figures_of(batch_ids: Collection[int]) -> dict[int, Figures]:
    """Return the sums of each of the batches; one without items is left out."""
    sums: dict[int, dict[str, Any]] = defaultdict(
        lambda: {"total_value": Decimal(0), "lots_without_price": 0}
    )
    for row in _by_state(BatchItem.objects.filter(batch_id__in=batch_ids)):
        state = state_of(is_stowed=row["is_stowed"], is_listed=row["is_listed"])
        of_batch = sums[row["batch_id"]]
        of_batch[f"{state}_lots"] = row["lots"]
        of_batch[f"{state}_items"] = row["pieces"] or 0
        of_batch["total_value"] += money(row["value"] or 0)
        of_batch["lots_without_price"] += row["unpriced"]
    return {batch_id: Figures(**values) for batch_id, values in sums.items()}


def _batch_rows(owner: Slot) -> QuerySet[Any, Any]:
    rows = Batch.objects.owned_by(owner).ready().order_by("-created_at", "-id")
    return rows.values(
        *("id", "name", "source_id", "is_archived", "created_at"),
        source_name=Coalesce("source__name", Value("")),
        cost=F("cost_total"),
        grams=F("gross_weight_grams"),
    )


_BATCHES: Final = Prepared(_batch_rows, owner=WHOLE)


def batch_rows(*, owner: User) -> list[dict[str, Any]]:
    """Return every batch of the owner that people may see, newest first."""
    return _BATCHES.dicts(owner=owner.pk)


def _sums_by_state(for_home: bool, owner: Slot) -> list[QuerySet[Any, Any]]:
    items = [BatchItem.objects.filter(batch__owner=owner, batch__is_ready=True)]
    if for_home:
        held = BatchItem.objects.filter(batch=OuterRef("pk"), quantity__gt=0)
        batches = Batch.objects.owned_by(owner).ready().filter(Exists(held), cost_total__gt=0)
        newest = batches.order_by("-created_at", "-id").values("pk")[:NEWEST_BATCHES]
        is_open = Q(is_listed=False, batch__is_archived=False)
        # Not one condition: of an OR, PostgreSQL reads all items.
        items = [items[0].filter(is_open), BatchItem.objects.filter(~is_open, batch__in=newest)]
    return [_by_state(rows) for rows in items]


def _by_state(items: QuerySet[BatchItem]) -> QuerySet[Any, Any]:
    sums = {"lots": Count("quantity"), "pieces": Sum("quantity"), "value": known_worth()}
    rows = items.order_by().values("batch_id", "is_stowed", "is_listed")
    return rows.annotate(**sums, unpriced=lots_without_price())


_SUMS: Final = Prepared(_sums_by_state, owner=WHOLE)


def sums_by_state(*, owner: User, for_home: bool = False) -> list[dict[str, Any]]:
    """Return lots, pieces and worth of each batch by `is_stowed` and `is_listed`.

    They come from the index batchitem_figures alone. `value` is null where no lot has a price,
    `unpriced` counts the lots that it leaves out. `for_home`: only what is not listed of batches
    that are not archived, and all of the NEWEST_BATCHES that cost something and hold pieces.
    """
    return _SUMS.dicts(for_home, owner=owner.pk)


#: The sums that Home shows.
sums_for_home: Final = partial(sums_by_state, for_home=True)


def activity_of(*, owner: User, batch_ids: Collection[int]) -> dict[int, dict[str, int | None]]:
    """Return the progress flags of each batch: one for each kind of job that is working on it.

    The value is the percentage done, or None if the job does not report one.
    """
    found: dict[int, dict[str, int | None]] = defaultdict(dict)
    running = Job.objects.owned_by(owner).unfinished().filter(kind__in=list(FLAG_OF_KIND))
    for kind, batch_id, done, total in running.about("batch", batch_ids).values_list(
        "kind", "subjects__subject_id", "done", "total"
    ):
        percent = min(100, 100 * done // total) if total else None
        found[batch_id][FLAG_OF_KIND[kind]] = percent
    return found


def active_time_in(batch: Batch) -> dt.timedelta:
    """Return the working time spent on the batch: adding its items and stowing them.

    Reads only the newest MOST_TIMED items.
    """
    rows = BatchItem.objects.filter(batch=batch).order_by("-pk")
    times = rows.values_list("created_at", "stowed_at")[:MOST_TIMED]
    return active_time(instant for row in times for instant in row if instant is not None)


def in_status(batches: QuerySet[Batch], status: BatchStatus) -> QuerySet[Batch]:
    """Return the batches with this status. Up to three index probes a batch."""
    has = {state: _has(IN_STATE[state]) for state in ItemState}
    conditions = {
        BatchStatus.EMPTY: ~_has(Q()),
        BatchStatus.NEW: has[ItemState.NEW] & ~has[ItemState.STOWED] & ~has[ItemState.LISTED],
        BatchStatus.IN_PROGRESS: has[ItemState.NEW]
        & (has[ItemState.STOWED] | has[ItemState.LISTED]),
        BatchStatus.STOWED: ~has[ItemState.NEW] & has[ItemState.STOWED],
        BatchStatus.LISTED: ~has[ItemState.NEW] & ~has[ItemState.STOWED] & has[ItemState.LISTED],
    }
    return batches.filter(conditions[status])


def _has(condition: Q) -> Q:
    # The owner, lest PostgreSQL read everybody's items; both states, lest SQLite take the
    # index of the owner's items for a batch's.
    condition = condition or Q(is_listed__in=(False, True))
    items = BatchItem.objects.filter(condition, batch=OuterRef("pk"), owner=OuterRef("owner"))
    return Q(Exists(items))


def worth(
    batches: QuerySet[Batch], *, least: Decimal | None = None, most: Decimal | None = None
) -> QuerySet[Batch]:
    """Return the batches whose items are worth so much; both ends count in. One sum a batch."""
    items = BatchItem.objects.filter(batch=OuterRef("pk"), owner=OuterRef("owner")).order_by()
    value = items.values("batch").annotate(value=total_worth()).values("value")
    valued = batches.alias(worth=Coalesce(Subquery(value), Decimal(0), output_field=WORTH))
    if least is not None:
        valued = valued.filter(worth__gte=least)
    return valued if most is None else valued.filter(worth__lte=most)


# So many times the reference, or so small a part of it, is worth a look.
OUTLIER_TIMES: Final = 3
_TOP: Final = 10


def far_from_reference(items: QuerySet[Any]) -> QuerySet[Any]:
    """Return the items that ask more than three times their reference price, or less than a third."""
    priced = with_market(items).alias(reference=Coalesce("sold_price", "asked_price"))
    return priced.filter(reference__gt=0).filter(
        Q(price__gt=F("reference") * OUTLIER_TIMES) | Q(reference__gt=F("price") * OUTLIER_TIMES)
    )


def charts_of(batch: Batch) -> dict[str, Any]:
    """Return the composition of a batch's value, and the deviation of its prices from the market's.

    `by_color` and `by_type`: the ten of most value, each with lots and pieces. `deviations`: lots
    by how many percent they ask above or below their reference price; `unpriced` have no price,
    `unknown` have no reference.
    """
    items = BatchItem.objects.filter(batch=batch).order_by()
    sums = {
        "lots": Count("pk"),
        "pieces": Coalesce(Sum("quantity"), 0),
        "value": total_worth(),
        "unpriced": lots_without_price(),
    }
    colors = items.values(
        name=Coalesce("lot__color__name", "raw_color_name", output_field=_TEXT),
        rgb=Coalesce("lot__color__rgb", Value(""), output_field=_TEXT),
    )
    kinds = items.values(kind=Coalesce("lot__item__item_type", "raw_item_type", output_field=_TEXT))
    return {
        "by_color": [
            {
                "color_name": row["name"],
                "color_html": f"#{row['rgb']}" if row["rgb"] else "",
                **_sums_of(row),
            }
            for row in colors.annotate(**sums).order_by("-value", "name")[:_TOP]
        ],
        "by_type": _by_type(kinds.annotate(**sums)),
        **_deviations(batch, items),
    }


def _by_type(rows: Iterable[Any]) -> list[dict[str, Any]]:
    """Return the rows by type: a file calls it by a letter, the catalogue by a word."""
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        kind = TYPE_OF_LETTER.get(row["kind"], row["kind"])
        known = found.setdefault(
            kind,
            {
                "item_type": kind,
                "lots": 0,
                "pieces": 0,
                "value": Decimal(0),
                "lots_without_price": 0,
            },
        )
        for name, amount in _sums_of(row).items():
            known[name] += amount
    return sorted(found.values(), key=lambda row: (-row["value"], row["item_type"]))[:_TOP]


def _sums_of(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "lots": row["lots"],
        "pieces": row["pieces"],
        "value": money(row["value"]),
        "lots_without_price": row["unpriced"],
    }


def _deviations(batch: Batch, items: QuerySet[Any]) -> dict[str, Any]:
    currency = currency_of(batch.owner)
    priced = items.alias(
        reference=Coalesce(
            figure_of("avg_sold_price", currency=currency),
            figure_of("avg_inventory_price", currency=currency),
        ),
        at=figure_of(REFERENCE_AT, currency=currency),
        # Multiplied by 100 to avoid a division: SQLite stores whole prices as integers.
        hundredfold=F("price") * 100,
    )
    steps = [
        When(hundredfold__lt=F("reference") * (100 + step.below), then=Value(number))
        for number, step in enumerate(STEPS)
        if step.below is not None
    ]
    place = Case(
        When(price=None, then=Value(-2)),
        When(Q(reference=None) | Q(reference=0), then=Value(-1)),
        *steps,
        default=Value(len(STEPS) - 1),
        output_field=IntegerField(),
    )
    rows = list(priced.values(place=place).annotate(lots=Count("pk"), since=Min("at")))
    lots = {row["place"]: row["lots"] for row in rows}
    compared = (row["since"] for row in rows if row["place"] >= 0 and row["since"])
    return {
        "deviations": [
            {"from_percent": step.least, "below_percent": step.below, "lots": lots.get(number, 0)}
            for number, step in enumerate(STEPS)
        ],
        "unpriced": lots.get(-2, 0),
        "unknown": lots.get(-1, 0),
        "figuresAt": min(compared, default=None),
    }


@dataclass(frozen=True, slots=True)
class KnownParts:
    """The sets that a batch came from, and the parts that it may therefore hold, by item."""

    sets: list[str]
    item_ids: list[int]


def known_parts_of(batch: Batch) -> KnownParts:
    """Return the parts of the sets that were parted out into a batch, and those it holds.

    Spares, alternates and the parts of minifigs count too. Without such a set both lists are
    empty; with more parts than a picture can be looked at among, `item_ids` is.
    """
    rows = PartedOutSet.objects.filter(batch=batch).order_by("pk")
    sets = dict(rows.values_list("item_id", "item__number"))
    if not sets:
        return KnownParts([], [])
    lots: set[int] = set()
    for item_id in sets:
        for minifigs_in_parts in (False, True):
            contents = contents_of(item_id, minifigs_in_parts=minifigs_in_parts)
            lots |= contents.pieces.keys() | {line.lot_id for line in contents.left_out}
    here = BatchItem.objects.filter(batch=batch, lot__isnull=False).values("lot_id")
    parts = (
        Lot.objects.filter(Q(pk__in=lots) | Q(pk__in=here), item__item_type=ItemType.PART)
        .order_by("item_id")
        .values_list("item_id", flat=True)
        .distinct()
    )
    ids = list(parts[: MOST_AMONG + 1])
    return KnownParts(list(sets.values()), ids if len(ids) <= MOST_AMONG else [])


def pieces_of_batch(**of: bool) -> Subquery:
    """Return the pieces in the batch of an item: of all its items, or of some."""
    others = BatchItem.objects.filter(batch=OuterRef("batch"), **of).order_by().values("batch")
    return Subquery(others.annotate(pieces=Sum("quantity")).values("pieces"))


def last_added(*, row: dict[str, Any], quantity: int, at: dt.datetime) -> dict[str, Any]:
    """Return the summary of the last added item that the browser keeps, from the item's row.

    The batch's name and pieces are taken out of the row.
    """
    return {
        "batchId": row["batch_id"],
        "batchName": row.pop("batch__name"),
        "totalItemsAdded": row.pop("pieces_of_batch"),
        "quantity": quantity,
        "itemName": row["item_name"],
        "itemNumber": row["item_number"],
        "itemType": row["item_type"],
        "colorName": row["color_name"],
        "colorHtml": row["color_html"],
        "timestamp": at,
    }
