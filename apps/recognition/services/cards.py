"""The printed cards: those of the station, and the one that a part is laid on."""

from functools import cache

from apps.locations.services.labels import Print, print_cards
from apps.recognition.rules.cards import station_cards
from apps.recognition.rules.marker_card_pdf import draw_marker_card


def print_station_cards(*, layout: str, batch: tuple[str, str] | None = None) -> bytes:
    """Return the PDF of all cards, on paper of this layout. Raises Invalid."""
    return print_cards(cards=station_cards(batch=batch), how=Print(layout=layout))


@cache
def marker_card_pdf() -> bytes:
    """Return the PDF of the card that a part is laid on."""
    return draw_marker_card()
