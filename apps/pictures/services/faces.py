"""Chooses the render of each part of the catalogue."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import itemgetter

from django.db import transaction

from apps.catalog.models import Component, Item, ItemAlias, ItemRelation
from apps.catalog.rules.images import face_of
from apps.catalog.rules.kinds import Catalogue, ItemType
from apps.core.bulk import update_rows
from apps.pictures.models import Render
from apps.pictures.rules.finding import EXACT, Rule, Shelf, Wanted, find_all
from apps.pictures.rules.headers import Header

CHUNK = 2_000
#: Before the number of a figure, in the number of its render.
FIGURE = "figure "
_VARIANTS = ("M", "A")
_PRINTS = ("P", "T")


def wanted_parts() -> dict[int, Wanted]:
    """Return all parts of the catalogue with their other numbers and relations."""
    others: dict[int, list[str]] = {}
    aliases = (
        ItemAlias.objects.filter(item__item_type=ItemType.PART.value)
        .exclude(catalogue=Catalogue.BRICKLINK, kind="id")
        # Matches by elements first, then the kinds from the surest to the vaguest.
        .order_by("rank", "-shared_elements", "-confidence", "pk")
        .values_list("item_id", "value")
    )
    for item_id, value in aliases.iterator():
        others.setdefault(item_id, []).append(value)
    variants: dict[int, list[int]] = {}
    prints: dict[int, list[int]] = {}
    relations = ItemRelation.objects.filter(kind__in=_VARIANTS + _PRINTS)
    for kind, child, parent in (
        relations.order_by("pk").values_list("kind", "child_id", "parent_id").iterator()
    ):
        if kind in _PRINTS:
            prints.setdefault(child, []).append(parent)
        else:
            variants.setdefault(child, []).append(parent)
            variants.setdefault(parent, []).append(child)
    parts = Item.objects.filter(item_type=ItemType.PART.value)
    return {
        pk: Wanted(pk, number, name, others.get(pk, ()), variants.get(pk, ()), prints.get(pk, ()))
        for pk, number, name in parts.values_list("pk", "number", "name").iterator()
    }


def wanted_figures() -> Iterator[tuple[str, str, list[tuple[int, str, int]]]]:
    """Yield number, name and parts of each minifig with contents: part, RGB and quantity of each."""
    rows = Component.objects.filter(
        inventory__item__item_type=ItemType.MINIFIG.value,
        inventory__is_retired=False,
        lot__item__item_type=ItemType.PART.value,
        is_spare=False,
        is_alternate=False,
        is_counterpart=False,
    ).order_by("inventory__item__number", "inventory_id", "pk")
    columns = ("inventory__item__number", "inventory__item__name", "inventory_id")
    lines = rows.values_list(*columns, "lot__item_id", "lot__color__rgb", "quantity").iterator()
    last = ""
    for (number, name, _), parts in groupby(lines, itemgetter(0, 1, 2)):
        if number != last:  # the first of several versions
            yield number, name, [row[3:] for row in parts]
        last = number


def shelf_of_renders() -> tuple[Shelf, dict[str, str]]:
    """Return the models that were drawn, and the digest of each."""
    shelf, digests = Shelf(), {}
    rows = Render.objects.values_list("number", "title", "digest", "moved_from", "bricklink")
    for number, title, digest, moved_from, bricklink in rows:
        shelf.add(number, Header(title, "", tuple(bricklink)))
        for former in moved_from:
            shelf.moved.setdefault(former, number)
        digests[number] = digest
    return shelf, digests


def assign_faces() -> "Counter[Rule]":
    """Give each part and figure the render that shows it; write only what differs.

    Returns the parts by rule.
    """
    shelf, digests = shelf_of_renders()
    parts = wanted_parts()
    hits: Counter[Rule] = Counter()
    faces: dict[int, str] = {}
    for part, found in find_all(parts, shelf):
        hits[found.rule if found else Rule.NONE] += 1
        if found:
            faces[part.key] = face_of(digests[found.model], is_exact=found.rule in EXACT)
    figures = Item.objects.filter(item_type=ItemType.MINIFIG.value)
    for pk, number in figures.values_list("pk", "number").iterator():
        if digest := digests.get(f"{FIGURE}{number}"):
            faces[pk] = face_of(digest, is_exact=True)
    write_faces(faces)
    return hits


def write_faces(faces: Mapping[int, str]) -> int:
    """Write the faces that differ from the stored ones; return how many."""
    stored = dict(
        Item.objects.filter(item_type__in=(ItemType.PART.value, ItemType.MINIFIG.value))
        .exclude(face="")
        .values_list("pk", "face")
    )
    changed = [(pk, face) for pk, face in faces.items() if stored.get(pk) != face]
    changed += [(pk, "") for pk in stored if pk not in faces]
    for start in range(0, len(changed), CHUNK):
        with transaction.atomic():
            update_rows(Item, ["face"], changed[start : start + CHUNK])
    return len(changed)
