"""Chooses the render of each part of the catalogue."""

from collections import Counter
from collections.abc import Mapping

from django.db import transaction

from apps.catalog.models import Item, ItemAlias, ItemRelation
from apps.catalog.rules.images import face_of
from apps.catalog.rules.kinds import Catalogue, ItemType
from apps.pictures.models import Render
from apps.pictures.rules.finding import EXACT, Rule, Shelf, Wanted, find_all
from apps.pictures.rules.headers import Header

CHUNK = 2_000
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
    """Give each part the render that shows it; write only what differs. Return hits by rule."""
    shelf, digests = shelf_of_renders()
    parts = wanted_parts()
    hits: Counter[Rule] = Counter()
    faces: dict[int, str] = {}
    for part, found in find_all(parts, shelf):
        hits[found.rule if found else Rule.NONE] += 1
        if found:
            faces[part.key] = face_of(digests[found.model], is_exact=found.rule in EXACT)
    write_faces(faces)
    return hits


def write_faces(faces: Mapping[int, str]) -> int:
    """Write the faces that differ from the stored ones; return how many."""
    stored = dict(
        Item.objects.filter(item_type=ItemType.PART.value)
        .exclude(face="")
        .values_list("pk", "face")
    )
    changed = [Item(pk=pk, face=face) for pk, face in faces.items() if stored.get(pk) != face]
    changed += [Item(pk=pk, face="") for pk in stored if pk not in faces]
    for start in range(0, len(changed), CHUNK):
        with transaction.atomic():
            Item.objects.bulk_update(changed[start : start + CHUNK], ["face"], batch_size=400)
    return len(changed)
