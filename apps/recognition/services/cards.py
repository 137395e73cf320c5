"""The printed cards of the station."""

from apps.locations.services.labels import Print, print_cards
from apps.recognition.rules.cards import station_cards


def print_station_cards(*, layout: str, batch: tuple[str, str] | None = None) -> bytes:
    """Return the PDF of all cards, on paper of this layout. Raises Invalid. No query."""
    return print_cards(cards=station_cards(batch=batch), how=Print(layout=layout))
