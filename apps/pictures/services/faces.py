"""Chooses the render of each part, figure and set of the catalogue."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db import transaction
from django.db.models import Count, QuerySet

from apps.catalog.models import Color, Component, Item, ItemAlias, ItemRelation
from apps.catalog.rules.images import digest_of, face_of, face_of_set
from apps.catalog.rules.kinds import Catalogue, ItemType
from apps.core.bulk import update_rows
from apps.pictures.models import Render
from apps.pictures.rules.finding import EXACT, Rule, Shelf, Wanted, find_all
from apps.pictures.rules.headers import Header
from apps.pictures.rules.heaps import HEAP, PartOfSet, telling_parts
from apps.pictures.services.coloring import paint_of_color

CHUNK = 2_000
#: Before the number of a figure, in the number of its render.
FIGURE = "figure "
#: Before the id of a set.
SET = "set "
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
    columns = ("lot__item_id", "lot__color__rgb", "quantity")
    lines = _contents(ItemType.MINIFIG).filter(lot__item__item_type=ItemType.PART.value)
    for _, number, name, parts in _by_item(lines, columns):
        yield number, name, parts


def _contents(kind: ItemType) -> QuerySet[Component]:
    return Component.objects.filter(
        inventory__item__item_type=kind.value,
        inventory__is_retired=False,
        is_spare=False,
        is_alternate=False,
        is_counterpart=False,
    ).order_by("inventory__item__number", "inventory_id", "pk")


def _by_item(
    lines: QuerySet[Component], columns: Sequence[str]
) -> Iterator[tuple[int, str, str, list[Any]]]:
    """Yield id, number, name and `columns` of the lines of each item's first version."""
    item = ("inventory__item_id", "inventory__item__number", "inventory__item__name")
    last = 0
    rows = lines.values_list(*item, "inventory_id", *columns).iterator()
    for (pk, number, name, _), parts in groupby(rows, itemgetter(0, 1, 2, 3)):
        if pk != last:
            yield pk, number, name, [row[4:] for row in parts]
        last = pk


def _write_heaps(faces: Mapping[int, str]) -> dict[int, str]:
    """Write the pictures of sets of whose contents something has a face; return set -> face."""
    lines = _contents(ItemType.SET)
    sets = dict(
        lines.order_by()
        .values_list("lot__item_id")
        .annotate(sets=Count("inventory__item", distinct=True))
    )
    columns = ("lot__item_id", "lot__item__item_type", "lot__color_id")
    paints = {color.pk: paint_of_color(color) for color in Color.objects.all()}
    heaps: dict[str, Render] = {}
    shown: dict[int, str] = {}
    for pk, _, name, rows in _by_item(lines, (*columns, "lot__item__weight_grams", "quantity")):
        telling = telling_parts(
            PartOfSet(
                item_id=item_id,
                digest=digest_of(faces[item_id]),
                color_id=color_id,
                is_figure=kind == ItemType.MINIFIG,
                sets=sets[item_id],
                grams=float(grams or 0),
                quantity=quantity,
            )
            for item_id, kind, color_id, grams, quantity in rows
            if item_id in faces
        )
        if telling:
            parts = [[part.digest, part.color_id] for part in telling]
            # The address names what is seen: the parts, their paint, and how they lie.
            content = f"{HEAP} {pk} {parts} {[paints[part.color_id] for part in telling]}"
            digest = hashlib.blake2b(content.encode(), digest_size=6).hexdigest()
            heaps[digest] = Render(
                number=f"{SET}{pk}", title=name[:300], digest=digest, shape=b"", parts=parts
            )
            shown[pk] = face_of_set(digest)
    of_sets = Render.objects.filter(number__startswith=SET)
    stored = dict(of_sets.values_list("digest", "pk"))
    gone = [pk for digest, pk in stored.items() if digest not in heaps]
    fresh = [heap for digest, heap in heaps.items() if digest not in stored]
    if gone or fresh:
        with transaction.atomic():
            of_sets.filter(pk__among=gone).delete()
            Render.objects.bulk_create(fresh, batch_size=CHUNK)
    return shown


def shelf_of_renders() -> tuple[Shelf, dict[str, str]]:
    """Return the models that were drawn, and the digest of each."""
    shelf, digests = Shelf(), {}
    models = Render.objects.exclude(number__startswith=SET)
    rows = models.values_list("number", "title", "digest", "moved_from", "bricklink")
    for number, title, digest, moved_from, bricklink in rows:
        shelf.add(number, Header(title, "", tuple(bricklink)))
        for former in moved_from:
            shelf.moved.setdefault(former, number)
        digests[number] = digest
    return shelf, digests


def assign_faces() -> "Counter[Rule]":
    """Give each part, figure and set the render that shows it; write only what differs.

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
    write_faces(faces | _write_heaps(faces))
    return hits


def write_faces(faces: Mapping[int, str]) -> int:
    """Write the faces that differ from the stored ones; return how many."""
    stored = dict(Item.objects.exclude(face="").values_list("pk", "face"))
    changed = [(pk, face) for pk, face in faces.items() if stored.get(pk) != face]
    changed += [(pk, "") for pk in stored if pk not in faces]
    for start in range(0, len(changed), CHUNK):
        with transaction.atomic():
            update_rows(Item, ["face"], changed[start : start + CHUNK])
    return len(changed)
