"""Search as you type: one ranking on both databases.

Exact number, then another catalogue's number or an element id, then a set's number without
its `-1`, then numbers that begin so, then words in any order; within each the shortest name, then the number. Where that
finds nothing, a colour that is typed in part; where whole words and their beginnings give
little, parts of words; where nothing is found at all, "did you mean".
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from typing import Final

from django.db.models import QuerySet

from apps.accounts.models import User
from apps.catalog.models import Color, Item, Lot
from apps.catalog.rules.color_words import BRICKLINK_NAME, WHOLE_WORD
from apps.catalog.rules.kinds import NO_COLOR, TYPE_ORDER, item_type_of
from apps.catalog.rules.search_words import (
    Query,
    Term,
    half_words_of_colors,
    matches_color,
    numbers_in,
    read_query,
    words_of_color,
)
from apps.catalog.selectors.faces import item_image
from apps.catalog.selectors.known_words import KnownWords, known_words
from apps.catalog.selectors.resolving import items_by_zeros
from apps.catalog.selectors.word_index import (
    Groups,
    Hit,
    Sizes,
    counts_by_words,
    groups_of,
    hits_by_number,
    hits_by_words,
)

FEW: Final = 5  # fewer hits than this try parts of words
SPELLINGS: Final = 30  # words that one part of a word may match
COLOR_LOOK: Final = 400  # how far down the ranking a colour is looked for
MAX_HITS: Final = 500
SUGGESTIONS: Final = 3
SPELLINGS_TRIED: Final = 5
COMMON: Final = 100  # so many hits make a suggestion common

_MATCHED: Final = {"similar number": "alias", "first version": "number"}
SCORES: Final = {
    "number": 1.0,
    "alias": 0.95,
    "element": 0.9,
    "prefix": 0.8,
    "words": 0.6,
    "similar": 0.3,
}


@dataclass(frozen=True, slots=True)
class SearchHit:
    """An item, and how it was found: number, alias, element, prefix, words or similar.

    `color_id` is set when the query named a colour that the item exists in, or an element;
    `color_text` when its words may mean several colours: then the person has to choose.
    """

    id: int
    item_type: str
    number: str
    name: str
    category: str
    weight_grams: Decimal | None
    image_url: str
    is_retired: bool
    matched: str
    score: float
    color_id: int | None = None
    color_text: str = ""
    # The number that it answers to, where several were asked for.
    asked: str = ""


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """The hits, best first; without any, what may have been meant."""

    hits: list[SearchHit] = field(default_factory=list)
    did_you_mean: list[str] = field(default_factory=list)


class _Collected:
    """Item ids in ranking order, each once, with how it was found first."""

    def __init__(self, limit: int, person: User | None = None) -> None:
        self.limit = limit
        self.person = person
        self.found: dict[int, tuple[str, int | None, str]] = {}
        self.sizes: Sizes = {}

    def add(
        self, item_id: int, matched: str, color_id: int | None = None, color_text: str = ""
    ) -> None:
        if len(self.found) < self.limit:
            self.found.setdefault(item_id, (matched, color_id, color_text))

    @cached_property
    def colors(self) -> list[tuple[int, str, str]]:
        """Return all colours: id, name, RGB."""
        return list(Color.objects.order_by("pk").values_list("pk", "name", "rgb"))

    @cached_property
    def spoken(self) -> list[tuple[int, str]]:
        """Return the names of colours, and what people call them: LBG, rot.

        Without what may mean several: blu is Italian, and half of Blue and of Dark Blue; grey is
        also how people spell a word of many names.
        """
        ids = {name: pk for pk, name, _ in self.colors}
        open_words = half_words_of_colors(tuple(ids)) | WHOLE_WORD.keys()
        words = [
            (ids[name], word)
            for word, name in BRICKLINK_NAME.items()
            if name in ids and " ".join(words_of_color(word)) not in open_words
        ]
        return [*((pk, name) for pk, name, _ in self.colors), *words]

    @cached_property
    def known(self) -> KnownWords:
        """Return the words of names."""
        return known_words()

    @property
    def missing(self) -> int:
        return self.limit - len(self.found)

    def pairs_of(self, item_ids: Iterable[int], color_ids: Iterable[int]) -> list[tuple[int, int]]:
        """Return in which of the colours the person sees which of the items."""
        lots = Lot.objects.filter(item_id__among=item_ids, color_id__in=color_ids).order_by()
        pairs = list(lots.values_list("item_id", "color_id", "is_known"))
        # Everybody sees what a catalogue knows: who made a pair is rarely asked, and costs as much.
        if not all(is_known for *_, is_known in pairs):
            pairs = list(
                lots.visible_to(self.person).values_list("item_id", "color_id", "is_known")
            )
        return [(item_id, color_id) for item_id, color_id, _ in pairs]


def search_items(
    text: str,
    *,
    person: User | None = None,
    item_type: str | None = None,
    limit: int = 20,
    within: QuerySet[Item] | None = None,
    seen_color: int | None = None,
) -> SearchAnswer:
    """Return the items that `text` means, best first; never raises, whatever is typed.

    In the colours that `person` sees an item in. Several numbers at once give the best item of
    each, in their order. `within` (items) narrows what is found; `seen_color` is the colour of
    what names none.
    """
    if numbers := numbers_in(text):
        return SearchAnswer(hits=_hits_of_numbers(numbers, item_type))
    query = read_query(text)
    limit = max(1, min(limit, MAX_HITS))
    wanted = item_type_of(item_type) if item_type else None
    if not query.terms or (item_type and wanted is None):
        return SearchAnswer()
    kind = wanted.value if wanted else ""
    collected = _Collected(limit if within is None else COLOR_LOOK, person)
    _collect_numbers(query, kind, collected)
    if collected.missing:
        _collect_words(query, kind, collected)
    if not collected.found:
        _collect_in_half_a_color(query, kind, collected)
    if len(collected.found) < min(FEW, limit):
        _collect_similar(query, kind, collected)
    if not collected.found:
        return SearchAnswer(did_you_mean=_did_you_mean(query, kind, collected.known))
    if within is not None:
        _narrow(collected, within, limit)
    hits = _hits(collected)
    if seen_color is not None:
        hits = [
            hit if hit.color_id or hit.color_text else replace(hit, color_id=seen_color)
            for hit in hits
        ]
    return SearchAnswer(hits=hits)


def _narrow(collected: _Collected, within: QuerySet[Item], limit: int) -> None:
    there = set(within.filter(pk__in=collected.found).values_list("pk", flat=True))
    left = [(pk, found) for pk, found in collected.found.items() if pk in there]
    collected.found = dict(left[:limit])


def _hits_of_numbers(numbers: list[str], item_type: str | None) -> list[SearchHit]:
    wanted = item_type_of(item_type) if item_type else None
    if item_type and wanted is None:
        return []
    collected = _Collected(len(numbers))
    asked: dict[int, str] = {}
    for number in numbers:
        for way, *_, item_id, color_id in hits_by_number(number, wanted.value if wanted else "")[
            :1
        ]:
            collected.add(item_id, _MATCHED.get(way, way), color_id)
            asked.setdefault(item_id, number)
    return [replace(hit, asked=asked[hit.id]) for hit in _hits(collected)]


def _collect_numbers(query: Query, kind: str, collected: _Collected) -> None:
    key = query.number_key
    longer = 0 if " " in key else collected.limit
    for way, *_, item_id, color_id in hits_by_number(key, kind, longer=longer):
        collected.add(item_id, _MATCHED.get(way, way), color_id)
    if longer and not collected.found:
        types = [kind] if kind else list(TYPE_ORDER)
        for item_id in items_by_zeros((item_type, key) for item_type in types).values():
            collected.add(item_id, "alias")


def _collect_words(query: Query, kind: str, collected: _Collected) -> None:
    # Numbers that begin so are among the words too, so as many more are asked for.
    wanted = collected.limit + len(collected.found)
    own = hits_by_words(groups_of(query.terms), kind, wanted, sizes=collected.sizes)
    hits: list[tuple[Hit, int | None]] = [(hit, None) for hit in own]
    if len(query.terms) > 1:
        # What ranks after the last of enough hits is not shown.
        last = own[-1] if len(own) == wanted else None
        hits += _hits_in_a_color(query, kind, collected, last)
        hits.sort(key=lambda pair: pair[0])
    for hit, color_id in hits:
        collected.add(hit[3], "words", color_id)


def _hits_in_a_color(
    query: Query, kind: str, collected: _Collected, before: Hit | None
) -> list[tuple[Hit, int | None]]:
    """Return the items that match without the colour's words and exist in that colour.

    Those that rank before `before`.
    """
    named = _named_color([term.word for term in query.terms], collected.spoken)
    if named is None:
        return []
    color_id, rest = named
    terms = [term for term in query.terms if term.word in rest]
    if not terms:
        return []
    hits = hits_by_words(groups_of(terms), kind, COLOR_LOOK, before=before, sizes=collected.sizes)
    if not hits:
        return []
    there = dict(collected.pairs_of([hit[3] for hit in hits], [color_id]))
    return [(hit, color_id) for hit in hits if hit[3] in there]


def _named_color(words: list[str], colors: list[tuple[int, str]]) -> tuple[int, set[str]] | None:
    """Return the colour that the words begin or end with (longest name), and the other words."""
    best: tuple[int, int, int] | None = None
    cut: set[str] = set()
    for color_id, name in colors:
        color = words_of_color(name)
        size = len(color)
        if not color or size >= len(words):
            continue
        if words[-size:] != color and words[:size] != color:
            continue
        weight = (-size, color_id, 0)
        if best is None or weight < best:
            best = weight
            cut = set(words[:-size] if words[-size:] == color else words[size:])
    return None if best is None else (best[1], cut)


def _collect_in_half_a_color(query: Query, kind: str, collected: _Collected) -> None:
    """Find items by words that begin or end with a part of a colour's name ("3023 blu").

    Only a colour that nothing else can mean is named; for several, the words are handed back.
    """
    colors = [(pk, name) for pk, name, _ in collected.colors if pk != NO_COLOR]
    for typed, rest in _splits([term.word for term in query.terms]):
        spelled = [WHOLE_WORD.get(word, word) for word in typed]
        meant = [pk for pk, name in colors if matches_color(name, spelled)]
        if not meant:
            continue
        terms = [term for term in query.terms if term.word in rest]
        by_number = {hit[4]: None for hit in hits_by_number(" ".join(rest).upper(), kind)}
        hits = hits_by_words(groups_of(terms), kind, COLOR_LOOK, sizes=collected.sizes)
        found = dict.fromkeys(hit[3] for hit in hits)
        if not by_number and not found:
            continue
        known: dict[int, list[int]] = {}
        for item_id, color_id in collected.pairs_of(by_number | found, meant):
            known.setdefault(item_id, []).append(color_id)
        # A colour typed in full is kept, even if the item is not known in it.
        is_whole = any(words_of_color(name) == typed for _, name in colors)
        for item_id in by_number | found:
            color_ids = known.get(item_id, [])
            if len(color_ids) == 1 and not is_whole:
                collected.add(item_id, "words", color_ids[0])
            elif color_ids or item_id in by_number:
                collected.add(item_id, "words", None, " ".join(spelled))
        if collected.found:
            return


def _splits(words: list[str]) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the words that may name a colour and the others, longest first."""
    for size in range(len(words) - 1, 0, -1):
        yield words[-size:], words[:-size]
        yield words[:size], words[size:]


def _collect_similar(query: Query, kind: str, collected: _Collected) -> None:
    """Find words that contain the query ("figure" in "minifigure")."""
    parts = [term.word for term in query.terms if len(term.word) >= 3 and term.word.isalpha()]
    if not parts:
        return
    others = {part: collected.known.that_hold(part, SPELLINGS) for part in parts}
    groups = [
        [term, *(Term(word, is_prefix=False) for word in others.get(term.word, ()))]
        for term in query.terms
    ]
    if any(others.values()):
        _add_similar(groups, kind, collected)


def _add_similar(groups: Groups, kind: str, collected: _Collected) -> None:
    for hit in hits_by_words(groups, kind, collected.limit, sizes=collected.sizes):
        collected.add(hit[3], "similar")


def _did_you_mean(query: Query, kind: str, known: KnownWords) -> list[str]:
    """Return up to three spellings of the query that do find something."""
    words = [term.word for term in query.terms]
    corrected: list[list[str]] = []
    for word in words:
        is_fine = word in known or not word.isalpha() or len(word) < 3
        nearest = [word] if is_fine else known.nearest_to(word, SUGGESTIONS)
        if not nearest:
            return []
        corrected.append(nearest)
    first = [words[0] for words in corrected]
    tries = [first]
    for place, words in enumerate(corrected):
        tries += [[*first[:place], other, *first[place + 1 :]] for other in words[1:]]
    tries = tries[:SPELLINGS_TRIED]
    counts = counts_by_words(
        [[[Term(word, is_prefix=False)] for word in words] for words in tries], kind, COMMON
    )
    found = [
        (-count, place, " ".join(words))
        for place, (words, count) in enumerate(zip(tries, counts, strict=True))
        if count
    ]
    # The word that more items have is the likelier one: brick before birch.
    return [text for _, _, text in sorted(found)[:SUGGESTIONS]]


def _hits(collected: _Collected) -> list[SearchHit]:
    rows = {
        row[0]: row
        for row in Item.objects.filter(pk__among=collected.found)
        .order_by()
        .values_list(
            "pk",
            "item_type",
            "number",
            "name",
            "category_path",
            "weight_grams",
            "image_url",
            "is_retired",
            "origin",
            "face",
        )
    }
    is_colored = any(color_id for _, color_id, _ in collected.found.values())
    colors = {pk: rgb for pk, _, rgb in collected.colors} if is_colored else {}
    hits = []
    for item_id, (matched, color_id, color_text) in collected.found.items():
        _, item_type, number, name, category, grams, image, is_retired, origin, face = rows[item_id]
        rgb = colors.get(color_id) if color_id else None
        image = item_image(item_type, number, image, origin, face, color_id, rgb) or ""
        hits.append(
            SearchHit(
                item_id,
                item_type,
                number,
                name,
                category,
                grams,
                image,
                is_retired,
                matched,
                SCORES[matched],
                color_id,
                color_text,
            )
        )
    return hits
