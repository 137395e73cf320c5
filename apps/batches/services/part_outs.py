"""Part a set out into a batch: its pieces as items, priced by the owner's rule."""

import datetime as dt
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum
from typing import Any, Final

from django.db import transaction
from django.db.models import F

from apps.accounts.models import User
from apps.accounts.selectors import currency_of
from apps.batches.models import ITEM_COLUMNS, Batch, BatchItem, PartedOutSet
from apps.batches.models.batch import NAME_LENGTH
from apps.batches.services.batches import create_batch, open_batches
from apps.catalog.models import Item, Lot
from apps.catalog.rules.kinds import NO_COLOR, ItemType
from apps.catalog.rules.pricing import NO_FIGURES, PriceRule, rule_price
from apps.catalog.selectors.pricing import price_setting_of, rule_of
from apps.catalog.services.lots import ensure_lots
from apps.core.bulk import insert_rows, plain
from apps.core.errors import Invalid, NotFound, UnknownReference, ValueRefused
from apps.core.worth import Worth
from apps.marketplace.rules.wants import Wanted
from apps.marketplace.services.wants import Asked, want_prices
from apps.sets.models import SetRequirement, UserSet
from apps.sets.rules import LineKind
from apps.sets.selectors.contents import Contents, contents_of
from apps.sets.selectors.parts import Figures, figures_of, values_of
from apps.sets.services.sets import NoContents, set_of, sets_of

SHOWN: Final = 200
AT_ONCE: Final = 1_000  # copies of a set
BESIDE: Final = {"box": ItemType.ORIGINAL_BOX, "instructions": ItemType.INSTRUCTION}


class Pricing(StrEnum):
    """How the items of a part-out are priced."""

    RULE = "rule"  # the owner's price rule, no price without market figures
    ZERO = "zero"  # none


@dataclass(frozen=True, slots=True, kw_only=True)
class PartOutOptions:
    """The options of a part-out. `region` None uses the region of the price rule."""

    quantity: int = 1
    condition: str = "U"
    minifigs_in_parts: bool = False
    sets_in_parts: bool = True
    extras: bool = False
    box: bool = False
    instructions: bool = False
    only_on_hand: bool = False
    pricing: Pricing = Pricing.RULE
    region: str | None = None


@dataclass(slots=True)
class PartedOut:
    """The plan or result of a part-out. `batch` is None for a plan."""

    item: Item
    pieces: Counter[int] = field(default_factory=Counter)
    prices: dict[int, Decimal | None] = field(default_factory=dict)
    figures: dict[str, int] = field(default_factory=dict)
    values: list[dict[str, Any]] = field(default_factory=list)
    currency: str = ""
    lots: dict[int, Lot] = field(default_factory=dict)
    not_there: list[str] = field(default_factory=list)
    batch: Batch | None = None

    @property
    def worth(self) -> Worth:
        """The sum of the items' prices."""
        found = Worth()
        for lot, pieces in self.pieces.items():
            found.add(pieces, self.prices[lot])
        return found


@transaction.atomic
def part_out(
    *,
    owner: User,
    number: str = "",
    user_set_id: int | None = None,
    options: PartOutOptions,
    batch_id: int | None = None,
    name: str = "",
    dry_run: bool = False,
    now: dt.datetime,
) -> PartedOut:
    """Add the pieces of a set to a new batch, or to the batch `batch_id`.

    For one of the owner's sets (`user_set_id`) the new batch gets its source and cost. Raises
    Invalid for an item that is not a set, NoContents, NotFound, BatchIsArchived; then nothing is
    added.
    """
    if batch_id is not None:
        _check_batch(owner, batch_id)
    user_set = None if user_set_id is None else set_of(owner=owner, pk=user_set_id)
    item = user_set.item if user_set is not None else _set_item(number)
    contents = contents_of(
        item.pk,
        minifigs_in_parts=options.minifigs_in_parts,
        sets_in_parts=options.sets_in_parts,
    )
    if not contents.pieces:
        raise NoContents(number=item.number)
    done = PartedOut(item=item, currency=currency_of(owner))
    done.pieces = _pieces(contents, options, user_set)
    done.not_there = _add_beside(done, options, owner, now)
    if not done.pieces:
        raise ValueRefused(fields={"only_on_hand": ["none of its pieces is on hand"]})
    done.figures = _counted(contents, done.pieces, options)
    rule = rule_of(price_setting_of(user=owner))
    if options.region is not None:
        rule = replace(rule, region=options.region)
    market = figures_of(list(done.pieces), owner=owner, currency=done.currency)
    done.values = values_of(done.pieces.items(), market, rule)
    done.prices = _prices(done.pieces, market, rule, options)
    if dry_run:
        _show(done)
        return done
    done.batch = _batch(owner, item, user_set, batch_id, name)
    _insert(done, done.batch, options, now)
    _note_set(done, done.batch, options, is_new=batch_id is None)
    return done


def want_part_out_prices(
    *,
    owner: User,
    number: str = "",
    user_set_id: int | None = None,
    options: PartOutOptions,
    batch_id: int | None = None,
    now: dt.datetime,
) -> Asked:
    """Get the prices of the pieces of a set. Raises what `part_out` and `want_prices` do."""
    plan = part_out(
        owner=owner,
        number=number,
        user_set_id=user_set_id,
        options=options,
        batch_id=batch_id,
        dry_run=True,
        now=now,
    )
    wanted = [
        Wanted(lot_id, options.condition, pieces, plan.prices[lot_id])
        for lot_id, pieces in plan.pieces.items()
    ]
    return want_prices(owner=owner, wanted=wanted, now=now)


def _set_item(number: str) -> Item:
    found = sets_of([number])[number]
    if isinstance(found, str):
        raise UnknownReference(fields={"number": [found]})
    return found


def _pieces(contents: Contents, options: PartOutOptions, user_set: UserSet | None) -> Counter[int]:
    if options.only_on_hand:
        if user_set is None:
            raise Invalid(fields={"only_on_hand": ["only of a set of yours"]})
        rows = SetRequirement.objects.filter(user_set=user_set, quantity_on_hand__gt=0)
        return Counter(dict(rows.values_list("lot_id", "quantity_on_hand")))
    pieces = Counter({lot: n * options.quantity for lot, n in contents.pieces.items()})
    if options.extras:
        for line in contents.lines_left_out(LineKind.SPARE):
            pieces[line.lot_id] += line.quantity * options.quantity
    return pieces


def _add_beside(
    done: PartedOut, options: PartOutOptions, owner: User, now: dt.datetime
) -> list[str]:
    """Add box and instructions where asked for; return those that the catalogue has not."""
    wanted = {kind: name for name, kind in BESIDE.items() if getattr(options, name)}
    if not wanted:
        return []
    items = dict(
        Item.objects.filter(number=done.item.number, item_type__in=wanted).values_list(
            "item_type", "pk"
        )
    )
    lots = ensure_lots(pairs=[(pk, NO_COLOR) for pk in items.values()], now=now, by=owner)
    for pk in items.values():
        done.pieces[lots[pk, NO_COLOR]] += options.quantity
    return [name for kind, name in wanted.items() if kind not in items]


def _counted(
    contents: Contents, pieces: Mapping[int, int], options: PartOutOptions
) -> dict[str, int]:
    times = options.quantity
    extras = contents.lines_left_out(LineKind.SPARE)
    minifigs = sum(contents.minifigs.values())
    inside = sum(contents.pieces.get(lot, 0) for lot in contents.minifigs)
    broken = contents.minifig_pieces if options.minifigs_in_parts else 0
    return {
        "pieces": sum(pieces.values()),
        "lots": len(pieces),
        # For one set, independent of the options, to compare with lists of parts.
        "parts_of_one": sum(contents.pieces.values()) - inside - broken,
        "minifigs_of_one": minifigs,
        "minifig_parts_of_one": contents.minifig_pieces,
        "minifigs_without_parts": sum(contents.without_parts.values()) * times,
        "extra_rows": len(extras),
        "extra_pieces": sum(line.quantity for line in extras) * times,
        "alternate_rows": len(contents.lines_left_out(LineKind.ALTERNATE)),
        "counterpart_rows": len(contents.lines_left_out(LineKind.COUNTERPART)),
    }


def _prices(
    pieces: Mapping[int, int], market: Figures, rule: PriceRule, options: PartOutOptions
) -> dict[int, Decimal | None]:
    if options.pricing is Pricing.ZERO:
        return dict.fromkeys(pieces)
    return {
        lot: rule_price(rule, market.get((lot, options.condition, rule.region), NO_FIGURES)).amount
        for lot in pieces
    }


def _show(done: PartedOut) -> None:
    """Look the lots up that are worth most."""
    dearest = sorted(
        done.pieces, key=lambda lot: (-(done.prices[lot] or 0) * done.pieces[lot], lot)
    )
    rows = Lot.objects.filter(pk__in=dearest[:SHOWN]).select_related("item", "color")
    found = {lot.pk: lot for lot in rows}
    done.lots = {pk: found[pk] for pk in dearest[:SHOWN]}


def _check_batch(owner: User, batch_id: int) -> None:
    if not Batch.objects.owned_by(owner).ready().filter(pk=batch_id).exists():
        raise NotFound


def _batch(
    owner: User, item: Item, user_set: UserSet | None, batch_id: int | None, name: str
) -> Batch:
    if batch_id is not None:
        return open_batches([batch_id])[batch_id]
    return create_batch(
        owner=owner,
        name=name or f"{item.number} {item.name}"[: NAME_LENGTH - 12] + ", parted out",
        source=None if user_set is None else user_set.source,
        cost_total=None if user_set is None else user_set.price_paid,
    )


def _insert(done: PartedOut, batch: Batch, options: PartOutOptions, now: dt.datetime) -> None:
    """Write the items."""
    insert_rows(
        BatchItem, ITEM_COLUMNS, [_row(done, batch, options, now, lot) for lot in done.pieces]
    )


def _note_set(done: PartedOut, batch: Batch, options: PartOutOptions, *, is_new: bool) -> None:
    """Note that the items came from the set; the batch is locked or new."""
    noted = PartedOutSet.objects.filter(batch=batch, item=done.item)
    if is_new or not noted.update(quantity=F("quantity") + options.quantity):
        PartedOutSet.objects.create(
            owner_id=batch.owner_id, batch=batch, item=done.item, quantity=options.quantity
        )


def _row(
    done: PartedOut, batch: Batch, options: PartOutOptions, now: dt.datetime, lot_id: int
) -> Sequence[Any]:
    item = BatchItem(
        owner_id=batch.owner_id,
        batch=batch,
        lot_id=lot_id,
        quantity=done.pieces[lot_id],
        condition=options.condition,
        price=done.prices[lot_id],
        created_at=now,
        updated_at=now,
    )
    return [plain(getattr(item, name)) for name in ITEM_COLUMNS]
