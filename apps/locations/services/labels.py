"""Labels of locations: which, with which codes, and their PDF."""

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet

from apps.core.concurrency import lock_in_order
from apps.core.errors import Invalid, UnknownReference, ValueRefused
from apps.locations.models import Location
from apps.locations.providers.label_pdf import labels_pdf, text_width, unknown_characters
from apps.locations.rules.label_design import Label, designs, has_room
from apps.locations.rules.label_layouts import LAYOUTS, Layout, pages

MOST_LABELS: Final = 2_000
# A scanned text begins with this; the rest is the location's code.
PREFIX: Final = "LOC:"
_MORE: Final = MOST_LABELS + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Print:
    """How labels are printed; `shift_*` in millimetres correct the printer's feed."""

    layout: str
    start: int = 1
    shift_right: float = 0
    shift_down: float = 0
    outlines: bool = False


@dataclass(frozen=True, slots=True)
class LabelPlan:
    """What would be printed, without printing it."""

    names: list[str]
    pages: int
    unknown_characters: list[str]


def plan_labels(*, locations: QuerySet[Any], how: Print) -> tuple[LabelPlan, list[str]]:
    """Return what `print_labels` would make of a queryset of locations. Raises Invalid.

    Beside it the label sizes that their container types name, each once; an empty one for those
    without.
    """
    rows = locations.order_by("sort_key", "pk").values_list("name", "container_type__label_size")
    found = list(rows[:_MORE])
    sizes = {size or "" for _, size in found}
    return _planned([name for name, _ in found], how), sorted(sizes)


def print_labels(
    *,
    locations: QuerySet[Any],
    how: Print,
    now: dt.datetime,
    pictures_of: Callable[[Sequence[int]], Mapping[int, bytes]] = lambda _: {},
) -> bytes:
    """Return the PDF of the locations' labels, in natural order. Raises Invalid.

    `pictures_of` gives the pictures of what lies there, for labels that have room for them. A
    location whose name was another one's code, and so has none, gets one: its label is to find it
    for ever, whatever it is called later. That each has a label now is kept; it is no change of the
    location to whom somebody edits it.
    """
    layout = _checked(how)
    rows = list(locations.order_by("sort_key", "pk").only("pk", "name", "code")[:_MORE])
    _check_count(len(rows))
    pictures = pictures_of([row.pk for row in rows]) if has_room(layout) else {}
    labels = [
        Label(row.name, PREFIX + (row.code or _give_code(row.pk)), pictures.get(row.pk, b""))
        for row in rows
    ]
    made = _drawn(labels, layout, how)
    Location.objects.filter(pk__in=[row.pk for row in rows]).update(label_printed_at=now)
    return made


def print_test_page(*, how: Print) -> bytes:
    """Return a page with the edges and numbers of all positions. Raises Invalid."""
    layout = _checked(how)
    numbers = [Label(f"{number}", f"{number}") for number in range(1, layout.per_page + 1)]
    return _drawn(numbers, layout, replace(how, start=1, outlines=True))


def plan_cards(*, cards: list[tuple[str, str]], how: Print) -> LabelPlan:
    """Return what `print_cards` would make of cards. Raises Invalid."""
    return _planned([text for text, _ in cards], how)


def print_cards(*, cards: list[tuple[str, str]], how: Print) -> bytes:
    """Return the PDF of cards without a location: the text of each, and its code."""
    layout = _checked(how)
    _check_count(len(cards))
    return _drawn([Label(text, code) for text, code in cards], layout, how)


def _planned(names: list[str], how: Print) -> LabelPlan:
    layout = _checked(how)
    _check_count(len(names))
    unknown = sorted(set().union(*(unknown_characters(name) for name in names)))
    return LabelPlan(names, pages(layout, len(names), start=how.start), unknown)


def _drawn(labels: list[Label], layout: Layout, how: Print) -> bytes:
    return labels_pdf(
        designs(
            labels,
            layout=layout,
            measure=text_width,
            start=how.start,
            shift_right=how.shift_right,
            shift_down=how.shift_down,
            outlines=how.outlines,
        )
    )


def _checked(how: Print) -> Layout:
    layout = LAYOUTS.get(how.layout)
    if layout is None:
        raise Invalid(fields={"layout": [f"is none of {', '.join(LAYOUTS)}"]})
    if not 1 <= how.start <= layout.per_page:
        raise Invalid(
            fields={"start": [f"must be a position of the sheet, 1 to {layout.per_page}"]}
        )
    return layout


def _check_count(count: int) -> None:
    if count == 0:
        raise UnknownReference(fields={"ids": ["are none of yours"]})
    if count > MOST_LABELS:
        raise ValueRefused(fields={"ids": [f"are more than {MOST_LABELS:,} labels at once"]})


def _give_code(pk: int) -> str:
    with transaction.atomic():
        held = lock_in_order(Location.objects.filter(pk=pk))
        if not held:
            return f"#{pk}"
        if not held[0].code:
            held[0].code = f"#{pk}"
            held[0].save(update_fields=["code"])
        return str(held[0].code)
