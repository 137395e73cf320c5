"""A recogniser's answer as items of our catalogue."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apps.accounts.models import User
from apps.catalog.models import Color, Item, Lot
from apps.catalog.rules.kinds import TYPE_OF_LETTER
from apps.catalog.selectors import LotIdentity, resolve_lots
from apps.catalog.selectors.faces import item_image
from apps.recognition.providers.base import PredictedColor, PredictedItem, Prediction
from apps.recognition.rules.lookup import type_letter

Row = dict[str, Any]


def candidates_of(prediction: Prediction, *, provider: str, person: User | None) -> list[Row]:
    """Return the candidates, best first, with the catalogue's data of each.

    One that is not in the catalogue keeps the recogniser's words and has no ids.
    A constant number of queries.
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
            rows.append(_unknown(item) | _shared(item, prediction, colors, provider))
        elif known.pk not in seen:  # two numbers may mean one item
            seen.add(known.pk)
            row = _known(known, lots.get(known.pk, []), seen_in)
            rows.append(row | _shared(item, prediction, colors, provider))
    return rows


@dataclass(frozen=True, slots=True)
class Guess:
    """What our own recogniser takes a piece for: the numbers of a mould, the commonest first."""

    numbers: tuple[str, ...]
    name: str
    score: float
    twins: tuple[str, ...] = ()
    item_id: int | None = None  # where the person named it before


@dataclass(frozen=True, slots=True)
class Sighting:
    """One piece of a picture: its guesses, best first, and its shade in CIE Lab."""

    guesses: tuple[Guess, ...]
    presence: str  # PART, UNSURE or NOTHING
    lab: tuple[float, float, float]
    outline: tuple[float, float, float, float]  # left, top, width, height: shares of the picture
    capture: str


def candidates_of_sightings(
    sightings: Sequence[Sighting], *, provider: str, person: User | None
) -> list[Row]:
    """Return the candidates of each piece, best first. A constant number of queries."""
    guesses = [guess for sighting in sightings for guess in sighting.guesses]
    identities = {
        number: LotIdentity("P", number, None)
        for guess in guesses if guess.item_id is None for number in guess.numbers
    }  # fmt: skip
    found = resolve_lots(list(identities.values()), person=person) if identities else {}

    def item_of(guess: Guess) -> int | None:
        if guess.item_id is not None:
            return guess.item_id
        known = (found[identities[number]].item_id for number in guess.numbers)
        return next((pk for pk in known if pk is not None), None)

    ids = {guess: item_of(guess) for guess in guesses}
    items = Item.objects.in_bulk({pk for pk in ids.values() if pk is not None})
    lots = _lots_of(items, person)
    shades = _shades()
    rows: list[Row] = []
    for place, sighting in enumerate(sightings):
        seen: set[int] = set()
        for guess in sighting.guesses:
            pk = ids[guess]
            item = items.get(pk) if pk is not None else None
            if item is not None and item.pk in seen:
                continue
            own = lots.get(item.pk, []) if item is not None else []
            colors, color = _colors_seen(sighting.lab, own, shades)
            row = _unseen(guess) if item is None else _known(item, own, color)
            if item is not None:
                seen.add(item.pk)
            rows.append(
                row
                | {
                    "score": guess.score,
                    "external_sites": [],
                    "color_id": color[0],
                    "colors": colors,
                    "listing_id": "",
                    "provider": provider,
                    "presence": sighting.presence,
                    "twins": list(guess.twins),
                    "piece": place,
                    "outline": list(sighting.outline),
                    "capture": sighting.capture,
                }
            )
    return rows


def _unseen(guess: Guess) -> Row:
    return {
        "id": None,
        "item_id": None,
        "item_number": guess.numbers[0],
        "item_name": guess.name,
        "item_type": str(TYPE_OF_LETTER["P"]),
        "category": "",
        "weight": None,
        "image_url": None,
        "is_known": False,
        "lots": [],
    }


def _shades() -> dict[int, Any]:
    from apps.recognition.rules.shades import Shade

    rows = Color.objects.exclude(rgb="").values_list("pk", "name", "rgb", "is_trans", "part_count")
    return {
        pk: Shade(pk, name, rgb, is_trans, math.sqrt(max(1, parts)))
        for pk, name, rgb, is_trans, parts in rows
        if pk != 0
    }


def _colors_seen(
    lab: tuple[float, float, float], lots: Sequence[Row], shades: Mapping[int, Any]
) -> tuple[list[Row], tuple[int | None, str]]:
    """Return the likeliest colours that a part exists in, and the RGB of the first."""
    from apps.recognition.rules.shades import ranked_shades

    own = [shades[lot["color_id"]] for lot in lots if lot["color_id"] in shades]
    ranked = ranked_shades(lab, own or list(shades.values()))
    rows = [{"color_id": one.id, "name": one.name, "score": share} for one, share in ranked]
    first = (ranked[0][0].id, ranked[0][0].rgb) if ranked else (None, "")
    return rows, first


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


def _shared(item: PredictedItem, prediction: Prediction, colors: list[Row], provider: str) -> Row:
    return {
        "score": item.score,
        "external_sites": [{"name": site.name, "url": site.url} for site in item.sites],
        "color_id": _best(colors),
        "colors": colors,
        "listing_id": prediction.listing,
        "provider": provider,
        "presence": "PART",
        "twins": [],
        "piece": 0,
        "outline": None,
        "capture": "",
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


def _lots_of(items: Iterable[int], person: User | None) -> dict[int, list[Row]]:
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
