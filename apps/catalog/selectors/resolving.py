"""From the identities that files give to our lots, many at a time; creates nothing."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, NamedTuple

from django.db.models.functions import Coalesce

from apps.accounts.models import User
from apps.catalog.models import Color, ElementCode, Item, ItemAlias, Lot
from apps.catalog.models.choices import AliasKind
from apps.catalog.rules.kinds import NO_COLOR, Catalogue, ItemType, item_type_of
from apps.catalog.rules.text import number_key
from apps.core.natural import natural_key

_ELEMENT: Final = re.compile(r"[0-9]{6,8}")  # shorter ones are items' numbers too
_LEADING_DIGITS: Final = re.compile(r"[0-9]+")
_DIGITS_BEHIND: Final = re.compile(r"[^\s0-9][0-9]")
_PADDED: Final = (ItemType.PART.value, ItemType.MINIFIG.value)
BATCH: Final = 2_000  # identities read together


class LotIdentity(NamedTuple):
    """A file's lot: type (`PART` or `P`), number, BrickLink colour id (None: not given).

    What is not said is 0, of a part only where the catalogue has it without a colour.
    """

    item_type: str
    number: str
    color_id: int | None = NO_COLOR


@dataclass(frozen=True, slots=True)
class Resolved:
    """Its item and colour here, or the reason why there is none.

    `reason` is '', `unknown_item`, `unknown_color` or `no_lot`: item and colour exist but
    nobody has seen them together (`lots.ensure_lots` makes that lot). `via` tells how the
    item was found: `number`, `any_case`, `former`, `alternate`, `rebrickable`, `ldraw`, `element`.
    """

    lot_id: int | None = None
    item_id: int | None = None
    color_id: int | None = None
    reason: str = ""
    via: str = ""
    is_known: bool = False


# Which other number wins when several items answer to it.
_ALIAS_ORDER: Final = {
    (Catalogue.BRICKLINK.value, AliasKind.FORMER.value): (0, "former"),
    (Catalogue.BRICKLINK.value, AliasKind.ALTERNATE.value): (1, "alternate"),
    (Catalogue.OWN.value, AliasKind.FORMER.value): (2, "former"),
    (Catalogue.REBRICKABLE.value, AliasKind.ID.value): (3, "rebrickable"),
    (Catalogue.LDRAW.value, AliasKind.ID.value): (4, "ldraw"),
}
_Found = dict[tuple[str, str], tuple[int, str]]
_ITEM_BY_NOW: Final = Coalesce("item__replaced_by_id", "item_id")


def resolve_lots(
    identities: Iterable[LotIdentity], *, person: User | None = None
) -> dict[LotIdentity, Resolved]:
    """Return what each identity means to `person`, who does not see pairs that others made."""
    answers: dict[LotIdentity, Resolved] = {}
    for batch in _batches(dict.fromkeys(identities)):
        answers.update(_resolve(batch, person))
    return answers


def types_of(numbers: Iterable[str]) -> dict[str, str]:
    """Return by number the type of the one item that has it, none of a number that several have."""
    keys = {number: number_key(number) for number in numbers}
    kinds: dict[str, set[str]] = {}
    rows = Item.objects.filter(number_key__in=set(keys.values()))
    for key, kind in rows.values_list("number_key", "item_type"):
        kinds.setdefault(key, set()).add(kind)
    found = {number: kinds.get(key, set()) for number, key in keys.items()}
    return {number: next(iter(some)) for number, some in found.items() if len(some) == 1}


def _batches(identities: Iterable[LotIdentity]) -> Iterator[list[LotIdentity]]:
    remaining = iter(identities)
    while batch := list(islice(remaining, BATCH)):
        yield batch


def _resolve(batch: Sequence[LotIdentity], person: User | None) -> dict[LotIdentity, Resolved]:
    keys = {identity: _key(identity) for identity in batch}
    items = _items_of({key for key in keys.values() if key is not None})
    pairs: dict[LotIdentity, tuple[int | None, int, str]] = {}
    for identity, key in keys.items():
        item_id, via = items.get(key, (None, "")) if key else (None, "")
        pairs[identity] = (item_id, identity.color_id or NO_COLOR, via)
    pairs |= _by_element([identity for identity, (item_id, *_) in pairs.items() if not item_id])
    wanted_colors = {color_id for _, color_id, _ in pairs.values()}
    colors = set(Color.objects.filter(pk__in=wanted_colors).values_list("pk", flat=True))
    lots = {
        (item_id, color_id): (lot_id, is_known)
        for lot_id, item_id, color_id, is_known in Lot.objects.visible_to(person)
        .filter(item_id__in={item_id for item_id, *_ in pairs.values()}, color_id__in=colors)
        .values_list("pk", "item_id", "color_id", "is_known")
    }
    answers = {}
    for identity, (item_id, color_id, via) in pairs.items():
        if item_id is None:
            answers[identity] = Resolved(reason="unknown_item")
        elif color_id not in colors:
            answers[identity] = Resolved(item_id=item_id, reason="unknown_color", via=via)
        else:
            lot_id, is_known = lots.get((item_id, color_id), (None, False))
            if lot_id is None and identity.color_id is None and _needs_color(identity):
                answers[identity] = Resolved(item_id=item_id, reason="unknown_color", via=via)
                continue
            answers[identity] = Resolved(
                lot_id, item_id, color_id, "" if lot_id else "no_lot", via, is_known
            )
    return answers


def _needs_color(identity: LotIdentity) -> bool:
    """Whether items of this type have colours: one that is not given is unknown then."""
    return item_type_of(identity.item_type) is ItemType.PART


def _by_element(unknown: Sequence[LotIdentity]) -> dict[LotIdentity, tuple[int, int, str]]:
    """Return the item and colour of numbers that are element ids."""
    codes = {
        one: one.number.strip()
        for one in unknown
        if one.color_id is None and _ELEMENT.fullmatch(one.number.strip())
    }
    if not codes:
        return {}
    pairs: dict[str, set[tuple[int, int, str]]] = {}
    rows = ElementCode.objects.filter(code__in=set(codes.values()))
    item = Coalesce("lot__item__replaced_by_id", "lot__item_id")
    for code, item_id, color_id in rows.values_list("code", item, "lot__color_id"):
        pairs.setdefault(code, set()).add((item_id, color_id, "element"))
    # An element id of several lots is left alone: any could be meant.
    sure = {code: min(found) for code, found in pairs.items() if len(found) == 1}
    return {one: sure[code] for one, code in codes.items() if code in sure}


def _key(identity: LotIdentity) -> tuple[str, str] | None:
    item_type = item_type_of(identity.item_type)
    return (item_type.value, identity.number.strip()) if item_type else None


def _items_of(keys: set[tuple[str, str]]) -> _Found:
    """Return item id and way for each (type, number) that is known."""
    found: _Found = {}
    for item_id, item_type, number, replaced_by in Item.objects.filter(
        number__in={number for _, number in keys}
    ).values_list("pk", "item_type", "number", "replaced_by_id"):
        found[item_type, number] = (replaced_by, "former") if replaced_by else (item_id, "number")
    missing = keys - found.keys()
    if missing:
        found.update(_items_in_any_case(missing))
        missing -= found.keys()
    if missing:
        found.update(_items_by_alias(missing))
        missing -= found.keys()
    if missing:
        found.update({key: (item_id, "former") for key, item_id in items_by_zeros(missing).items()})
    return found


def _items_in_any_case(keys: set[tuple[str, str]]) -> _Found:
    wanted = {(item_type, number_key(number)): (item_type, number) for item_type, number in keys}
    candidates: dict[tuple[str, str], set[int]] = {}
    for item_id, item_type, key, replaced_by in (
        Item.objects.filter(number_key__in={key for _, key in wanted})
        .order_by()
        .values_list("pk", "item_type", "number_key", "replaced_by_id")
    ):
        candidates.setdefault((item_type, key), set()).add(replaced_by or item_id)
    # Two numbers that differ in case only are left alone: either could be meant.
    return {
        original: (min(candidates[key]), "any_case")
        for key, original in wanted.items()
        if len(candidates.get(key, ())) == 1
    }


def items_by_zeros(keys: Iterable[tuple[str, str]]) -> dict[tuple[str, str], int]:
    """Return the part or minifig whose number has other leading zeros behind its letters.

    BrickLink pads such numbers when it needs room: cty001 became cty0001, 3001pb1 3001pb01.
    """
    wanted = {
        (item_type, number): (item_type, natural_key(number), _lead(number))
        for item_type, number in keys
        if item_type in _PADDED and _DIGITS_BEHIND.search(number)
    }
    if not wanted:
        return {}
    rows = Item.objects.filter(
        sort_key__in={key for _, key, _ in wanted.values()},
        item_type__in=_PADDED,
        is_retired=False,
        replaced_by=None,
    )
    candidates: dict[tuple[str, str, str], list[int]] = {}
    for item_id, item_type, key, number in rows.values_list(
        "pk", "item_type", "sort_key", "number"
    ):
        candidates.setdefault((item_type, key, _lead(number)), []).append(item_id)
    return {
        original: candidates[key][0]
        for original, key in wanted.items()
        if len(candidates.get(key, ())) == 1
    }


def items_once_numbered(number: str) -> Any:
    """Return the ids of items whose former number this is."""
    former = ItemAlias.objects.filter(
        value_key=number_key(number), catalogue=Catalogue.BRICKLINK, kind=AliasKind.FORMER
    )
    return former.order_by().values(found=_ITEM_BY_NOW)


def _lead(number: str) -> str:
    found = _LEADING_DIGITS.match(number)
    return found.group() if found else ""


def _items_by_alias(keys: set[tuple[str, str]]) -> _Found:
    wanted: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for item_type, number in keys:
        wanted.setdefault((item_type, number_key(number)), []).append((item_type, number))
    best: dict[tuple[str, str], tuple[tuple[int, bool, int, int, int], int, str]] = {}
    for item_id, item_type, key, catalogue, kind, rank, confidence, is_current in (
        ItemAlias.objects.filter(value_key__in={key for _, key in wanted})
        .exclude(kind=AliasKind.SIMILAR)
        .values_list(
            _ITEM_BY_NOW,
            "item__item_type",
            "value_key",
            "catalogue",
            "kind",
            "rank",
            "confidence",
            "is_current",
        )
    ):
        if (catalogue, kind) not in _ALIAS_ORDER or (item_type, key) not in wanted:
            continue
        order, via = _ALIAS_ORDER[catalogue, kind]
        weight = (order, not is_current, -confidence, rank, item_id)
        if (item_type, key) not in best or weight < best[item_type, key][0]:
            best[item_type, key] = (weight, item_id, via)
    return {
        original: (item_id, via)
        for key, (_, item_id, via) in best.items()
        for original in wanted[key]
    }
