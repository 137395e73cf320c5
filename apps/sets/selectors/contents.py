"""The contents of a set, including those of its minifigs and of the sets inside it."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from apps.catalog.models import Component, ItemInventory
from apps.catalog.rules.kinds import ItemType
from apps.catalog.selectors.contents import shown_inventories
from apps.sets.rules import Line, LineKind

DEEPEST: Final = 4  # a set in a set in a set, with minifigs


@dataclass(slots=True)
class Contents:
    """The pieces of a set by lot, and the pieces that were left out.

    `minifigs` counts whole minifigs by lot, even if `pieces` holds their parts. Minifigs in
    `without_parts` remain whole because the catalogue does not list their parts.
    """

    inventory_id: int | None = None
    pieces: Counter[int] = field(default_factory=Counter)
    minifigs: Counter[int] = field(default_factory=Counter)
    minifig_pieces: int = 0
    without_parts: Counter[int] = field(default_factory=Counter)
    left_out: list[Line] = field(default_factory=list)

    def lines_left_out(self, kind: LineKind) -> list[Line]:
        return [line for line in self.left_out if line.kind is kind]


def lines_of(inventory_ids: Iterable[int]) -> dict[int, list[Line]]:
    """Return the lines of each inventory."""
    wanted = list(inventory_ids)
    found: dict[int, list[Line]] = {pk: [] for pk in wanted}
    rows: Any = Component.objects.filter(inventory_id__in=wanted).values_list(
        "inventory_id",
        "lot_id",
        "lot__item_id",
        "lot__item__item_type",
        "quantity",
        "is_spare",
        "is_alternate",
        "match_id",
        "is_counterpart",
    )
    for inventory_id, *values in rows:
        found[inventory_id].append(Line(*values))
    return found


def contents_of(
    item_id: int, *, minifigs_in_parts: bool = False, sets_in_parts: bool = True
) -> Contents:
    """Return the contents of one set, by the inventory that the catalogue shows.

    Spares, alternates and counterparts do not count: a set is complete without them. If the
    inventory lists the parts of its minifigs itself, the minifigs are not counted again.
    """
    listed = shown_inventories([item_id])
    contents = Contents(inventory_id=listed[item_id].pk if item_id in listed else None)
    front = [(listed[item_id], 1)] if item_id in listed else []
    seen = {item_id}
    minifig_ids: Counter[int] = Counter()
    for _ in range(DEEPEST):
        if not front:
            break
        lines = lines_of({inventory.pk for inventory, _ in front})
        inside: dict[int, tuple[int, str]] = {}
        times_inside: Counter[int] = Counter()
        for inventory, times in front:
            for line in lines[inventory.pk]:
                if line.kind is not LineKind.REGULAR:
                    contents.left_out.append(line)
                    continue
                pieces = line.quantity * times
                if line.item_type == ItemType.MINIFIG:
                    contents.minifigs[line.lot_id] += pieces
                    if inventory.has_inline_minifigs:
                        continue
                    minifig_ids[line.item_id] += pieces
                opened = line.item_type == ItemType.MINIFIG or (
                    line.item_type == ItemType.SET and sets_in_parts and line.item_id not in seen
                )
                if opened:
                    inside[line.item_id] = (line.lot_id, line.item_type)
                    times_inside[line.item_id] += pieces
                else:
                    contents.pieces[line.lot_id] += pieces
        front = _open(inside, times_inside, contents, minifigs_in_parts)
        seen |= inside.keys()
    return contents


def _open(
    inside: dict[int, tuple[int, str]],
    times: Counter[int],
    contents: Contents,
    minifigs_in_parts: bool,
) -> list[tuple[ItemInventory, int]]:
    """Count minifigs, whole or in parts; return the sets inside that are to be opened."""
    listed = shown_inventories(inside) if inside else {}
    figures = {pk for pk, (_, kind) in inside.items() if kind == ItemType.MINIFIG}
    parts = lines_of({listed[pk].pk for pk in figures if pk in listed}) if figures else {}
    front = []
    for item_id, (lot_id, _) in inside.items():
        if item_id not in figures:
            if item_id in listed:
                front.append((listed[item_id], times[item_id]))
            else:
                contents.pieces[lot_id] += times[item_id]
            continue
        lines = parts.get(listed[item_id].pk, []) if item_id in listed else []
        regular = [line for line in lines if line.kind is LineKind.REGULAR]
        contents.minifig_pieces += sum(line.quantity for line in regular) * times[item_id]
        if not regular:
            contents.without_parts[lot_id] += times[item_id]
        if regular and minifigs_in_parts:
            for line in regular:
                contents.pieces[line.lot_id] += line.quantity * times[item_id]
        else:
            contents.pieces[lot_id] += times[item_id]
    return front
