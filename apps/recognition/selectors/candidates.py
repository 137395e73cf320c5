"""What a recogniser predicts, in our catalogue's words."""

from collections.abc import Iterable, Sequence
from typing import Any

from apps.catalog.models import Color, Item, Lot
from apps.catalog.rules.kinds import TYPE_OF_LETTER
from apps.catalog.selectors import LotIdentity, resolve_lots
from apps.catalog.selectors.faces import item_image
from apps.recognition.providers.base import PredictedColor, PredictedItem, Prediction
from apps.recognition.rules.lookup import type_letter

Row = dict[str, Any]


def candidates_of(prediction: Prediction, *, person: Any) -> list[Row]:
    """Return the candidates, best first, with what the catalogue knows of each.

    One that the catalogue does not know keeps the recogniser's words and has no ids.
    A constant number of queries (at most 8).
    """
    predicted = _once_each(prediction.items)
    identities = [LotIdentity(_letter(item), item.number, None) for item in predicted]
    found = resolve_lots(identities, person=person)
    ids = [found[identity].item_id for identity in identities]
    items = Item.objects.in_bulk([pk for pk in ids if pk is not None])
    lots = _lots_of(items, person)
    colors, rgbs = _colors_of(prediction.colors) if predicted else ([], {})
    best = _best(colors)
    seen_in = (best, rgbs.get(best, "")) if best is not None else (None, "")
    rows: list[Row] = []
    seen: set[int] = set()
    for item, pk in zip(predicted, ids, strict=True):
        known = items.get(pk) if pk is not None else None
        if known is None:
            rows.append(_unknown(item) | _shared(item, prediction, colors))
        elif known.pk not in seen:  # two numbers may mean one item
            seen.add(known.pk)
            row = _known(known, lots.get(known.pk, []), seen_in)
            rows.append(row | _shared(item, prediction, colors))
    return rows


def _known(item: Item, lots: list[Row], color: tuple[int | None, str]) -> Row:
    image = item_image(item.item_type, item.number, item.image_url, item.origin, item.face, *color)
    return {
        "id": item.pk,
        "item_id": item.pk,
        "item_number": item.number,
        "item_name": item.name,
        "item_type": item.item_type,
        "category": item.category_path,
        "weight": item.weight_grams,
        "image_url": image,
        "is_known": True,
        "lots": lots,
    }


def _unknown(item: PredictedItem) -> Row:
    return {
        "id": None,
        "item_id": None,
        "item_number": item.number,
        "item_name": item.name,
        "item_type": str(TYPE_OF_LETTER[_letter(item)]),
        "category": item.category or "",
        "weight": None,
        "image_url": item.image_url,
        "is_known": False,
        "lots": [],
    }


def _shared(item: PredictedItem, prediction: Prediction, colors: list[Row]) -> Row:
    return {
        "score": item.score,
        "external_sites": [{"name": site.name, "url": site.url} for site in item.sites],
        "color_id": _best(colors),
        "colors": colors,
        "listing_id": prediction.listing,
    }


def _best(colors: list[Row]) -> int | None:
    return next((row["color_id"] for row in colors if row["color_id"] is not None), None)


def _letter(item: PredictedItem) -> str:
    urls = [site.url for site in item.sites if site.name.casefold() == "bricklink"]
    return type_letter(item.kind, urls)


def _once_each(items: Iterable[PredictedItem]) -> list[PredictedItem]:
    best: dict[tuple[str, str], PredictedItem] = {}
    for item in sorted(items, key=lambda each: -each.score):
        best.setdefault((_letter(item), item.number.casefold()), item)
    return list(best.values())


def _lots_of(items: Iterable[int], person: Any) -> dict[int, list[Row]]:
    found: dict[int, list[Row]] = {}
    rows = Lot.objects.visible_to(person).filter(item__in=list(items)).order_by("color__name")
    for pk, item_id, color_id, name, rgb in rows.values_list(
        "pk", "item_id", "color_id", "color__name", "color__rgb"
    ):
        lot = {
            "id": pk,
            "lot_id": pk,
            "color_id": color_id,
            "color_name": name,
            "color_html": f"#{rgb}" if rgb else None,
        }
        found.setdefault(item_id, []).append(lot)
    return found


def _colors_of(predicted: Sequence[PredictedColor]) -> tuple[list[Row], dict[int, str]]:
    """Return the colours, and the RGB of ours.

    Matched by name: whose ids the recogniser counts in is not documented, so they prove nothing.
    """
    known = list(Color.objects.order_by("-pk").values_list("pk", "name", "rgb"))
    ids = {name.casefold(): pk for pk, name, _ in known}
    rows = [
        {"color_id": ids.get(each.name.casefold()), "name": each.name, "score": each.score}
        for each in predicted
    ]
    return rows, {pk: rgb for pk, _, rgb in known}
