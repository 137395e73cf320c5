"""The open work in batches: lots to stow and to list, refused lots, sets to complete."""

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from operator import itemgetter
from typing import Any, Final

from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    IntegerField,
    OuterRef,
    Q,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from apps.batches.models import Batch, BatchItem, BatchOperation
from apps.batches.selectors import batch_rows, sums_by_state
from apps.catalog.models import Lot
from apps.catalog.selectors.same_lots import same_as_moved
from apps.core.money import money
from apps.core.waiting import MOST_OF_A_KIND, Asked, Waiting, counted, waits
from apps.inventory.selectors.renumbered import renumbered_items
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
    for row in sorted(asked.once(sums_by_state), key=itemgetter("batch_id")):
        if not row["is_listed"] and row["batch_id"] in known:
            found[row["is_stowed"]].append({**row, **known[row["batch_id"]]})
    for is_stowed, batches in found.items():
        batches.sort(key=lambda row: row["value"] or 0, reverse=True)
        alone = len(batches) if len(batches) <= MOST_OF_A_KIND else MOST_OF_A_KIND - 1
        for row in batches[:alone]:
            yield _unfinished(asked, [row], is_stowed=is_stowed)
        if batches[alone:]:
            yield _unfinished(asked, batches[alone:], is_stowed=is_stowed)


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
    rows = BatchItem.objects.filter(
        batch_id__in=[row["batch_id"] for row in batches[:MOST_BATCHES]],
        is_stowed=is_stowed,
        is_listed=False,
    )
    return Waiting(
        id=asked.show(kind, rows),
        title=f"{'List' if is_stowed else 'Put away'} {counted(lots, 'lot')}",
        note=note,
        count=lots,
        money=money(sum(worth, Decimal())) if worth else None,
        since=min(row["since"] for row in batches),
        to=to,
    )


@waits("batches.refused")
def refused_operations(asked: Asked) -> Iterator[Waiting]:
    """Yield the latest operations of which rows were refused and none has gone well since."""
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
        .values_list("batch_id", "kind", "failed_count", "batch__name", "created_at")
    )
    for batch, kind, failed, name, at in rows[:MOST_OF_A_KIND]:
        lots = counted(failed, "lot")
        yield Waiting(
            id=f"refused-{batch}-{kind}",
            title=TITLES[kind].format(lots),
            note=f"{name}: {'it was' if failed == 1 else 'they were'} refused",
            count=failed,
            since=at,
            is_pressing=True,
            to=f"/app/batches?batch={batch}",
        )


@waits("batches.sets")
def sets_completed(asked: Asked) -> Iterator[Waiting]:
    """Yield the open sets whose last missing pieces are all in the newest batch."""
    newest = (
        Batch.objects.owned_by(asked.owner).ready().order_by("-created_at", "-id").values("pk")[:1]
    )
    items = BatchItem.objects.filter(batch_id=Subquery(newest), lot__isnull=False).order_by()
    pieces = items.values("lot").annotate(pieces=Sum("quantity"))
    in_batch: Any = Coalesce(Subquery(pieces.filter(lot=OuterRef("lot")).values("pieces")), 0)
    if any(one.batch_lots or one.set_parts for one in asked.once(renumbered_items)):
        same = same_as_moved(Lot.objects.filter(pk__in=items.values("lot")))
        moved: Counter[int] = Counter()
        for lot_id, count in pieces.filter(lot__in=same).values_list("lot", "pieces"):
            moved[same[lot_id]] += count
        whens = [When(lot=lot_id, then=Value(moved[key])) for lot_id, key in same.items()]
        in_batch = Case(*whens, default=in_batch, output_field=IntegerField())
    lacking: Any = F("quantity_required") - F("quantity_on_hand")
    rows = (
        SetRequirement.objects.filter(
            user_set__owner=asked.owner,
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
        .order_by("user_set_id")
    )
    for row in rows[:MOST_OF_A_KIND]:
        yield Waiting(
            id=f"set-{row['user_set_id']}",
            title=f"Complete {row['user_set__item__number']} {row['user_set__item__name']}",
            note=f"Its {counted(row['pieces'], 'missing piece')} "
            f"{'is' if row['pieces'] == 1 else 'are'} in the newest batch",
            count=row["pieces"],
            to=f"/app/userSets?set={row['user_set_id']}",
        )
