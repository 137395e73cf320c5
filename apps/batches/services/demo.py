"""A small, lively store for the demo account, built through the services that people use.

Its prices are invented: the figures are derived from the numbers of its lots, and only lots
without figures get them.
"""

import datetime as dt
import json
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any, Final

from django.db import transaction

from apps.accounts.models import Preferences, User
from apps.auctions.services.searches import save_search
from apps.batches.models import Batch, BatchItem, BatchOperation, OperationKind
from apps.batches.selectors import wanted_of
from apps.batches.services._demo_lots import (
    CURRENCY,
    NoCatalogue,
    asked_price,
    common_lots,
    demo_lots,
    invent_prices,
)
from apps.batches.services._demo_sets import add_demo_sets
from apps.batches.services.batches import archive_batch, create_batch
from apps.batches.services.bulk import change_items
from apps.batches.services.selection import Chosen
from apps.batches.services.stowing import StowOptions, mark_listed, stow_items
from apps.catalog.models import Lot
from apps.inventory.selectors.destinations import recommend_for_many
from apps.locations.models import Location
from apps.locations.services.container_types import create_container_type
from apps.locations.services.locations import create_by_pattern, edit_location
from apps.lots.models import SubCondition
from apps.sources.models import Source
from apps.sources.services import create_source

__all__ = ["EMAIL", "PLANS", "SOURCES", "NoCatalogue", "load_demo"]

EMAIL: Final = "demo@brickstow.example"


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """One batch of the demo: its items by state, and its age in days."""

    name: str
    description: str
    source: str
    cost: str
    grams: str
    days_ago: int
    listed: int = 0
    stowed: int = 0
    planned: int = 0
    new: int = 0
    is_archived: bool = False


_DATA: Final = json.loads(Path(__file__).with_suffix(".json").read_text())
SOURCES: Final[dict[str, str]] = _DATA["sources"]
PLANS: Final = tuple(Plan(**one) for one in _DATA["batches"])


@transaction.atomic
def load_demo(*, now: dt.datetime) -> User | None:
    """Build the demo account and its store, and return it. Raises NoCatalogue.

    Returns None and does nothing if there is a demo account.
    """
    if User.objects.filter(is_demo=True).exists():
        return None
    lots = demo_lots()
    owner = User.objects.create_user(
        EMAIL, None, name="Demo seller", is_demo=True, zip_code="97201"
    )
    Preferences.objects.create(user=owner, currency=CURRENCY)
    _Builder(owner, lots, now).build()
    return owner


class _Builder:
    def __init__(self, owner: User, lots: list[Lot], now: dt.datetime) -> None:
        self._owner = owner
        self._lots = lots
        self._now = now
        self._chance = Random(7)

    def build(self) -> None:
        invent_prices(self._owner, self._lots, self._now, with_history=True)
        # The other colours of what it holds are looked at, too.
        invent_prices(self._owner, common_lots(), self._now, with_history=False)
        self._make_locations()
        sources = {
            name: create_source(owner=self._owner, fields={"name": name, "notes": notes})
            for name, notes in SOURCES.items()
        }
        waiting = iter(self._lots)
        to_plan = []
        for plan in PLANS:
            count = plan.listed + plan.stowed + plan.planned + plan.new
            some = [lot for lot, _ in zip(waiting, range(count), strict=False)]
            to_plan += self._make_batch(plan, sources[plan.source], some)
        self._add_unsorted_rest()
        # Before anything is planned: a walk must not lead to a bin that takes no more.
        self._mark_bins()
        self._plan(to_plan)
        add_demo_sets(owner=self._owner)
        # The page runs it when it is first seen.
        save_search(owner=self._owner, fields={"text": "lego"})

    def _make_locations(self) -> None:
        for name, limits, pattern in (
            ("Small drawer", {"max_item_count": 150}, "A-[1-4]-[01-12]"),
            (
                "Large drawer",
                {"max_item_count": 500, "max_total_weight": Decimal(1500)},
                "B-[1-2]-[01-12]",
            ),
            ("Shelf", {"min_item_weight": Decimal(1)}, "S-[01-06]"),
        ):
            kind = create_container_type(owner=self._owner, fields={"name": name, **limits})
            create_by_pattern(
                owner=self._owner, pattern=pattern, container_type=kind, now=self._now
            )

    def _make_batch(self, plan: Plan, source: Source, lots: Sequence[Lot]) -> list[int]:
        """Make a batch, and return its items that are planned for bins later."""
        began = self._now - dt.timedelta(days=plan.days_ago)
        put_away, on_sale = began + dt.timedelta(hours=3), began + dt.timedelta(hours=5)
        batch = create_batch(
            owner=self._owner,
            name=plan.name,
            description=plan.description,
            source=source,
            cost_total=Decimal(plan.cost) if plan.cost else None,
            gross_weight_grams=Decimal(plan.grams) if plan.grams else None,
        )
        self._add(batch, lots, began)
        ids = list(
            BatchItem.objects.filter(batch=batch).order_by("pk").values_list("pk", flat=True)
        )
        stowed = ids[: plan.listed + plan.stowed]
        if stowed:
            # Stow each item into its recommended location, as on the stow page.
            stow_items(
                batch=batch,
                chosen=Chosen(item_ids=tuple(stowed)),
                options=StowOptions(),
                by=self._owner,
                now=put_away,
            )
        if plan.listed:
            mark_listed(
                batch=batch,
                chosen=Chosen(item_ids=tuple(ids[: plan.listed])),
                listed=True,
                by=self._owner,
                now=on_sale,
            )
        if plan.is_archived:
            archive_batch(batch=batch, now=began + dt.timedelta(days=60))
        Batch.objects.filter(pk=batch.pk).update(created_at=began, updated_at=began)
        for kind, at in ((OperationKind.STOW, put_away), (OperationKind.MARK_LISTED, on_sale)):
            BatchOperation.objects.filter(batch=batch, kind=kind).update(created_at=at)
        return ids[len(stowed) : len(stowed) + plan.planned]

    def _add(self, batch: Batch, lots: Sequence[Lot], began: dt.datetime) -> None:
        drafts = {index: self._draft(batch, lot) for index, lot in enumerate(lots)}
        if not drafts:
            return
        change_items(
            owner=self._owner,
            create=drafts,
            update={},
            delete={},
            refused={},
            atomic=True,
            by=self._owner,
            now=began,
        )
        rows = BatchItem.objects.filter(batch=batch)
        rows.update(created_at=began, updated_at=began, date_added=began)
        # A third of the items have a date of their last sale, as in a real store.
        for pk in rows.values_list("pk", flat=True)[::3]:
            days = self._chance.randrange(max((self._now - began).days, 1))
            sold_at = self._now - dt.timedelta(days=days)
            BatchItem.objects.filter(pk=pk).update(date_last_sold=sold_at)

    def _draft(self, batch: Batch, lot: Lot) -> dict[str, Any]:
        used = self._chance.random() < 0.8
        is_part = lot.item.item_type == "PART"
        return {
            "batch_id": batch.pk,
            "lot_id": lot.pk,
            "quantity": self._chance.choice((1, 2, 3, 4, 6, 8, 12, 20, 35)) if is_part else 1,
            "condition": "U" if used else "N",
            "sub_condition": _completeness(lot, used=used),
            "price": asked_price(lot, used=used),
        }

    def _plan(self, item_ids: Sequence[int]) -> None:
        """Plan items for the recommended bins, as the station does while sorting."""
        items = BatchItem.objects.filter(pk__in=item_ids).order_by("pk")
        places = recommend_for_many(owner=self._owner, wanted=wanted_of(items), planned={})
        for pk, place in places.items():
            BatchItem.objects.filter(pk=pk).update(location=place)

    def _add_unsorted_rest(self) -> None:
        batch = Batch.objects.get(owner=self._owner, name="Shoe box")
        draft = {
            "batch_id": batch.pk,
            "item_type": "UNSORTED_LOT",
            "item_name": "Rest of the shoe box",
            "quantity": 1,
            "unit_weight_grams": Decimal(400),
        }
        change_items(
            owner=self._owner,
            create={0: draft},
            update={},
            delete={},
            refused={},
            atomic=True,
            by=self._owner,
            now=self._now,
        )
        # A part is what was added last: it has a picture.
        items = BatchItem.objects.filter(batch=batch)
        first = items.earliest("created_at").created_at
        items.filter(lot=None).update(created_at=first - dt.timedelta(minutes=1))

    def _mark_bins(self) -> None:
        bins = Location.objects.owned_by(self._owner)
        planned = BatchItem.objects.filter(
            owner=self._owner, is_stowed=False, location__isnull=False
        )
        fullest = bins.exclude(pk__in=planned.values("location")).order_by("-item_count", "pk")[0]
        edit_location(location=fullest, changes={"is_full": True})
        kept_free = bins.get(name="S-06")
        edit_location(location=kept_free, changes={"exclude_from_recommendations": True})


def _completeness(lot: Lot, *, used: bool) -> str:
    """Return what a set has to say before it can be listed; parts and minifigs say nothing."""
    if lot.item.item_type != "SET":
        return SubCondition.NONE
    return SubCondition.COMPLETE if used else SubCondition.SEALED
