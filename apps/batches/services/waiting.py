"""The open work in batches: lots to stow and to list, refused lots, sets to complete."""

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from operator import attrgetter, itemgetter
from typing import Any, Final

from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from apps.accounts.models import User
from apps.batches.models import Batch, BatchItem, BatchOperation
from apps.batches.selectors import batch_rows, sums_for_home
from apps.catalog.models import Lot
from apps.catalog.selectors.same_lots import same_as_moved
from apps.core.money import money
from apps.core.prepared import Slot
from apps.core.waiting import (
    MOST_OF_A_KIND,
    Asked,
    Fact,
    Question,
    Waiting,
    counted,
    facts_of,
    finds,
    waits,
)
from apps.inventory.selectors.renumbered import BATCH_ITEMS, SET_PARTS
from apps.sets.models import OPEN_STATES, SetRequirement

FAILED_DAYS: Final = 14
#: An address names so many batches at most.
MOST_BATCHES: Final = 100
# Acts tell beforehand which rows they leave: there is nothing to do again.
TITLES: Final = {
    "stow": "Stow {} again",
    "remove": "Remove {} again",
    "list": "List {} again",
    "markListed": "Mark {} as listed again",
    "sync": "Import {} again",
}


@waits("batches.unfinished")
def unfinished_lots(asked: Asked) -> Iterator[Waiting]:
    """Yield the lots to stow and the lots to list."""
    known = {
        row["id"]: {"name": row["name"], "since": row["created_at"]}
        for row in asked.once(batch_rows)
        if not row["is_archived"]
    }
    found: dict[bool, list[Any]] = {False: [], True: []}
    for row in sorted(asked.once(sums_for_home), key=itemgetter("batch_id")):
        if not row["is_listed"] and row["batch_id"] in known:
            found[row["is_stowed"]].append({**row, **known[row["batch_id"]]})
    for is_stowed, batches in found.items():
        batches.sort(key=lambda row: row["value"] or 0, reverse=True)
        alone = len(batches) if len(batches) <= MOST_OF_A_KIND else MOST_OF_A_KIND - 1
        for row in batches[:alone]:
            yield _unfinished(asked, [row], is_stowed=is_stowed)
        if batches[alone:]:
            yield _unfinished(asked, batches[alone:], is_stowed=is_stowed)


def _open_items(_: Slot, batch_ids: Slot, is_stowed: bool) -> QuerySet[Any]:
    return BatchItem.objects.filter(batch_id__among=batch_ids, is_stowed=is_stowed, is_listed=False)


def _unfinished(asked: Asked, batches: list[Any], *, is_stowed: bool) -> Waiting:
    """Return a line that begins the act in the one batch, or opens the several."""
    lots = sum(row["lots"] for row in batches)
    pieces = counted(sum(row["pieces"] or 0 for row in batches), "piece")
    worth = [row["value"] for row in batches if row["value"] is not None]
    kind = "to-list" if is_stowed else "to-stow"
    if len(batches) == 1:
        note = f"{pieces} of {batches[0]['name']}"
        act = "list" if is_stowed else "walk"
        to = f"/app/batches?batch={batches[0]['batch_id']}&{act}=1"
        kind = f"{kind}-{batches[0]['batch_id']}"
    else:
        note = f"{pieces} in {len(batches):,} batches"
        ids = ",".join(str(row["batch_id"]) for row in batches[:MOST_BATCHES])
        to = f"/app/batches?id={ids}"
    shown = [row["batch_id"] for row in batches[:MOST_BATCHES]]
    return Waiting(
        id=asked.show(kind, _open_items, is_stowed, ids=shown),
        title=f"{'List' if is_stowed else 'Put away'} {counted(lots, 'lot')}",
        note=note,
        count=lots,
        money=money(sum(worth, Decimal())) if worth else None,
        since=min(row["since"] for row in batches),
        to=to,
    )


@finds("batches.refused")
def _refused(asked: Question) -> Iterator[QuerySet[Any, Any]]:
    made_good = BatchOperation.objects.filter(
        batch=OuterRef("batch"),
        kind=OuterRef("kind"),
        created_at__gt=OuterRef("created_at"),
    )
    rows = (
        BatchOperation.objects.owned_by(asked.owner)
        .filter(created_at__gte=asked.days_ago(FAILED_DAYS), failed_count__gt=0, kind__in=TITLES)
        .filter(~Exists(made_good), batch__is_archived=False)
        .order_by("-created_at", "-pk")
    )
    yield facts_of(
        "refused_operations",
        rows[:MOST_OF_A_KIND],
        id=F("batch_id"),
        name=F("batch__name"),
        text=F("kind"),
        count=F("failed_count"),
        lots=F("pk"),
        at=F("created_at"),
    )


@waits("batches.refused")
def refused_operations(asked: Asked) -> Iterator[Waiting]:
    """Yield the latest operations of which rows were refused and none has gone well since."""
    found = asked.facts("refused_operations")
    for one in sorted(found, key=attrgetter("at", "lots"), reverse=True):
        yield Waiting(
            id=f"refused-{one.id}-{one.text}",
            title=TITLES[one.text].format(counted(one.count, "lot")),
            note=f"{one.name}: {'it was' if one.count == 1 else 'they were'} refused",
            count=one.count,
            since=one.at,
            is_pressing=True,
            to=f"/app/batches?batch={one.id}",
        )


def _newest_items(owner: User | Slot) -> QuerySet[BatchItem]:
    """Return the items of the newest batch."""
    newest = Batch.objects.owned_by(owner).ready().order_by("-created_at", "-id").values("pk")[:1]
    return BatchItem.objects.filter(batch_id=Subquery(newest), lot__isnull=False).order_by()


def _completed(owner: User | Slot, *whens: When) -> QuerySet[Any, Any]:
    """Return the open sets whose missing pieces are all in the newest batch, as facts.

    `whens` are the pieces of lots that others of the batch stand for.
    """
    pieces = _newest_items(owner).filter(lot=OuterRef("lot")).values("lot")
    in_batch: Any = Coalesce(Subquery(pieces.annotate(n=Sum("quantity")).values("n")), 0)
    if whens:
        in_batch = Case(*whens, default=in_batch, output_field=IntegerField())
    lacking: Any = F("quantity_required") - F("quantity_on_hand")
    rows = (
        SetRequirement.objects.filter(
            user_set__owner=owner,
            user_set__state__in=OPEN_STATES,
            quantity_on_hand__lt=F("quantity_required"),
        )
        .annotate(in_batch=in_batch)
        .order_by()
        .values("user_set_id", "user_set__item__number", "user_set__item__name")
        .annotate(
            missing=Count("pk"),
            here=Count("pk", filter=Q(in_batch__gte=lacking)),
            pieces=Sum(lacking),
        )
        .filter(missing=F("here"))
    )
    return facts_of(
        "completed_sets",
        rows,
        id=F("user_set_id"),
        name=F("user_set__item__name"),
        text=F("user_set__item__number"),
        count=F("pieces"),
    )


@finds("batches.sets")
def _completed_sets(asked: Question) -> Iterator[QuerySet[Any, Any]]:
    yield _completed(asked.owner)


@waits("batches.sets")
def sets_completed(asked: Asked) -> Iterator[Waiting]:
    """Yield the open sets whose last missing pieces are all in the newest batch."""
    found = asked.facts("completed_sets")
    if any(one.text in (BATCH_ITEMS, SET_PARTS) for one in asked.facts("renumbered")):
        items = _newest_items(asked.owner)
        same = same_as_moved(Lot.objects.filter(pk__in=items.values("lot")))
        moved: Counter[int] = Counter()
        counts = items.filter(lot__in=same).values_list("lot").annotate(pieces=Sum("quantity"))
        for lot_id, count in counts:
            moved[same[lot_id]] += count
        whens = [When(lot=lot_id, then=Value(moved[key])) for lot_id, key in same.items()]
        found = [Fact(*row) for row in _completed(asked.owner, *whens)]
    for one in sorted(found, key=attrgetter("id"))[:MOST_OF_A_KIND]:
        yield Waiting(
            id=f"set-{one.id}",
            title=f"Complete {one.text} {one.name}",
            note=f"Its {counted(one.count, 'missing piece')} "
            f"{'is' if one.count == 1 else 'are'} in the newest batch",
            count=one.count,
            to=f"/app/userSets?set={one.id}",
        )
