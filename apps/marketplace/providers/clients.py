"""The client of each marketplace, and the secrets that it is opened with: their only list."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final, NamedTuple

from apps.marketplace.providers.base import Answers, Marketplace, Secrets, Spend
from apps.marketplace.providers.bricklink import BrickLinkStore
from apps.marketplace.providers.bricklink_secrets import BrickLinkSecrets
from apps.marketplace.providers.brickowl import BrickOwlStore
from apps.marketplace.providers.brickowl_wire import BrickOwlSecrets
from apps.marketplace.providers.transport import READ_SECONDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """What a client works with, besides the secrets.

    `spend` is asked before every call. `limited` is called when the marketplace refuses a call
    since the day's calls are used. `known` returns item and colour of the stock behind lots.
    `answers` are what the catalogue told before.
    """

    base_url: str
    spend: Spend
    limited: Callable[[], None]
    known: Callable[[Collection[int]], Mapping[int, tuple[str, int]]]
    answers: Answers = field(default_factory=Answers)
    read_seconds: float = READ_SECONDS


class Client(NamedTuple):
    """How the store of a marketplace is opened."""

    secrets: type[Secrets]
    open: Callable[[Any, Access], Marketplace]


def _bricklink(secrets: BrickLinkSecrets, access: Access) -> Marketplace:
    return BrickLinkStore(
        base_url=access.base_url,
        secrets=secrets,
        spend=access.spend,
        limited=access.limited,
        read_seconds=access.read_seconds,
    )


def _brickowl(secrets: BrickOwlSecrets, access: Access) -> Marketplace:
    return BrickOwlStore(
        base_url=access.base_url,
        secrets=secrets,
        spend=access.spend,
        known=access.known,
        answers=access.answers,
        read_seconds=access.read_seconds,
    )


CLIENTS: Final[Mapping[str, Client]] = {
    client.secrets.marketplace: client
    for client in (Client(BrickLinkSecrets, _bricklink), Client(BrickOwlSecrets, _brickowl))
}


def secret_fields(marketplace: str) -> dict[str, str]:
    """Return the secrets of a marketplace by field, with the name that it shows each by."""
    return {each.name: each.metadata["shown"] for each in fields(CLIENTS[marketplace].secrets)}


def secrets_of(marketplace: str, values: Mapping[str, str]) -> Secrets:
    """Return the secrets of a marketplace from their values by field."""
    return CLIENTS[marketplace].secrets(
        **{name: values.get(name, "") for name in secret_fields(marketplace)}
    )


def open_client(secrets: Secrets, access: Access) -> Marketplace:
    """Return the client for these secrets, to be used in a `with`."""
    return CLIENTS[secrets.marketplace].open(secrets, access)
