"""Count the facts in the database against those that must be true.

    python -m benchmarks._reckoning EXPECTED.json

The file maps e-mail addresses to counts of facts. Prints one JSON line: how many facts are
missing (lost) or there once too often (doubled), with examples, in how many lots the demo
store and our stock differ, and what else is not well.
"""

import json
import os
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks._lister import in_our_stock, in_the_store
from simulators.store.stock import FIRST_ID


def main(path: str) -> None:
    """Reckon with the database of the environment."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bricks.settings")
    django.setup()
    from apps.accounts.models import User
    from apps.core.jobs.models import Job, JobState
    from apps.inventory.services.ledger_check import check_ledger

    lost: Counter[str] = Counter()
    doubled: Counter[str] = Counter()
    apart: list[str] = []
    there = in_the_store(Path(os.environ["VAR_DIR"]))
    for address, expected in json.loads(Path(path).read_text()).items():
        wanted, found = Counter(expected), facts_of(address)
        lost += Counter({f"{address}: {fact}": n for fact, n in (wanted - found).items()})
        doubled += Counter({f"{address}: {fact}": n for fact, n in (found - wanted).items()})
        owner = User.objects.get(email_address=address)
        theirs = there.get(f"user-{owner.pk}", {})
        ours = for_sale_of(owner.pk)
        apart += [f"lot {lot}: {pieces}" for lot, pieces in there_of(theirs) ^ there_of(ours)]
    ledger = check_ledger(owner=None, fix_counters=False)
    unfinished = Job.objects.exclude(state=JobState.SUCCEEDED).exclude(owner=None)
    print(
        json.dumps(
            {
                "lost": lost.total(),
                "doubled": doubled.total(),
                "store_differences": len(apart),
                "promised_apart": len(promised := promised_apart()),
                "ledger_differences": len(ledger.quantities) + len(ledger.counters),
                "unfinished_jobs": unfinished.count(),
                "stray_files": len(stray_files()),
                "jobs": Job.objects.exclude(owner=None).count(),
                "attempts": sum(Job.objects.exclude(owner=None).values_list("attempts", flat=True)),
                "examples": [
                    *sorted(lost)[:5],
                    *sorted(doubled)[:5],
                    *stray_files()[:5],
                    *apart[:5],
                    *promised[:5],
                ],
            }
        )
    )


def there_of(pieces: dict[int, int]) -> set[tuple[int, int]]:
    """Return the lots that hold pieces: a lot that is sold out may be gone."""
    return {(lot, count) for lot, count in pieces.items() if count}


def for_sale_of(user_id: int) -> dict[int, int]:
    """Return our listed pieces by lot id, less the pieces sold."""
    from django.db.models import Sum

    from apps.inventory.models import FREE, InventoryItem
    from apps.orders.models import Order

    if not Order.objects.filter(owner_id=user_id).exists():
        return in_our_stock(user_id)
    rows = InventoryItem.objects.filter(owner_id=user_id, marketplace_lot_id__isnull=False)
    sums = rows.order_by().values("marketplace_lot_id").annotate(pieces=Sum(FREE))
    return {row["marketplace_lot_id"]: row["pieces"] for row in sums}


def promised_apart() -> list[str]:
    """Return the rows that promise other pieces than lines were promised, or more than they hold."""
    from django.db.models import F, Q, Sum
    from django.db.models.functions import Coalesce

    from apps.inventory.models import InventoryItem

    rows = InventoryItem.objects.annotate(
        held=Coalesce(Sum("promises__quantity", filter=Q(promises__is_out=False)), 0)
    )
    wrong = rows.exclude(promised=F("held")) | rows.filter(promised__gt=F("quantity"))
    return [f"row {pk} promises {promised}" for pk, promised in wrong.values_list("pk", "promised")]


def facts_of(address: str) -> Counter[str]:
    """Return the facts about one user's rows."""
    from django.db.models import Sum

    from apps.batches.models import BatchItem, BatchOperation
    from apps.exports.models import Export
    from apps.inventory.models import CauseKind, InventoryItem, InventorySync, Movement
    from apps.orders.models import Order, OrderLine

    mine: dict[str, Any] = {"owner__email_address": address}
    theirs = Movement.objects.filter(item__owner__email_address=address)
    by_item = theirs.filter(cause_kind=CauseKind.BATCH_ITEM).values_list("cause_id", "delta")
    # Those of the demo store are compared with it, lot by lot.
    of_listings = theirs.filter(item__marketplace_lot_id__lt=FIRST_ID)
    by_listing = of_listings.exclude(cause_kind=CauseKind.SYNC).values_list(
        "item__marketplace_lot_id", "delta"
    )
    # An import books what was sold of a lot beside what it put right: together they are its change.
    by_import = (
        of_listings.filter(cause_kind=CauseKind.SYNC)
        .order_by()
        .values("item__marketplace_lot_id", "cause_id")
        .annotate(change=Sum("delta"))
        .exclude(change=0)
        .values_list("item__marketplace_lot_id", "change")
    )
    items = BatchItem.objects.filter(**mine).values_list("pk", "quantity", "is_stowed", "is_listed")
    stock = InventoryItem.objects.filter(**mine, marketplace_lot_id__lt=FIRST_ID)
    # One that was given up after five kills is logged too, as an error; it is tried again.
    operations = BatchOperation.objects.filter(
        batch__owner__email_address=address, outcome="success"
    )
    by_line: dict[int | None, int | None] = dict(
        OrderLine.objects.filter(**mine).values_list("pk", "order__marketplace_order_id")
    )
    by_order = theirs.filter(cause_kind=CauseKind.ORDER)
    facts = [
        f"order {by_line[line]} row {row} moved {delta}"
        for line, row, delta in by_order.values_list("cause_id", "item_id", "delta")
    ]
    facts += [
        f"order {number}: {state}"
        for number, state in Order.objects.filter(**mine).values_list(
            "marketplace_order_id", "state"
        )
    ]
    facts += [f"batch item {pk} moved {delta}" for pk, delta in by_item]
    facts += [f"listing {lot} moved {delta}" for lot, delta in [*by_listing, *by_import]]
    facts += [
        f"batch item {pk}: {n} {'listed' if listed else 'stowed' if put else 'new'}"
        for pk, n, put, listed in items
    ]
    facts += [
        f"listing {lot}: {n}" for lot, n in stock.values_list("marketplace_lot_id", "quantity")
    ]
    facts += [
        f"batch {pk} {kind}"
        for pk, kind in operations.filter(kind__in=["stow", "remove"]).values_list(
            "batch_id", "kind"
        )
    ]
    exports = Export.objects.filter(**mine).values_list("row_count", flat=True)
    facts += [f"export of {count}" for count in exports]
    facts += [
        f"sync {name} {state}"
        for name, state in InventorySync.objects.filter(**mine).values_list("file_name", "state")
    ]
    return Counter(facts)


def stray_files() -> list[str]:
    """Return the stored files that no row names."""
    from django.apps import apps
    from django.conf import settings
    from django.db.models import FileField

    root = Path(settings.MEDIA_ROOT)
    named = {
        name
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if isinstance(field, FileField)
        for name in model._base_manager.values_list(field.name, flat=True)
    }
    kept = {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}
    return sorted(kept - named)


if __name__ == "__main__":
    main(sys.argv[1])
