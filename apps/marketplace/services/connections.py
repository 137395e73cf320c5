"""Connect a store, test it, leave it."""

import datetime as dt
from typing import Any

from django.conf import settings
from django.db import transaction

from apps.core.errors import DomainError, ErrorCode, ValueRefused
from apps.marketplace.models import ConnectionState, MarketplaceConnection
from apps.marketplace.providers import demo_store
from apps.marketplace.providers.base import (
    CallKind,
    Marketplace,
    MarketplaceError,
    NoAnswer,
    Secrets,
    SecretsRefused,
    Spend,
)
from apps.marketplace.providers.bricklink import READ_SECONDS, BrickLinkStore
from apps.marketplace.providers.bricklink_order_file import FileOrder, read_orders
from apps.marketplace.services._sealing import Unreadable, seal, unseal
from apps.marketplace.services.calls import spend_call

TEST_READ_SECONDS = 10


class NotConnected(DomainError):
    code = ErrorCode.CONFLICT
    message = "Connect your store first (Settings, Integrations)."


class SecretsUnreadable(DomainError):
    code = ErrorCode.CONFLICT
    message = "The secrets were stored with a key that this server no longer has: enter them again."


class NoDemoStore(DomainError):
    code = ErrorCode.CONFLICT
    message = "This server works with the real marketplace: enter your own secrets."


class MarketplaceFailed(DomainError):
    code = ErrorCode.UPSTREAM_ERROR
    message = "{reason}"


class MarketplaceSlow(DomainError):
    code = ErrorCode.UPSTREAM_TIMEOUT
    message = "{reason}"


@transaction.atomic
def connect_store(
    *, owner: Any, secrets: Secrets, now: dt.datetime, is_demo: bool = False
) -> MarketplaceConnection:
    """Store the four secrets, in place of earlier ones. Raises Invalid."""
    same = _first_repeated(secrets)
    if same:
        raise ValueRefused(fields={same: ["is the same as another one: the four differ"]})
    connection, _ = MarketplaceConnection.objects.update_or_create(
        owner=owner,
        defaults={
            "sealed": seal(secrets),
            "is_demo": is_demo,
            "state": ConnectionState.UNTESTED,
            "problem": "",
            "connected_at": now,
            "tested_at": None,
        },
    )
    return connection


def connect_demo_store(*, owner: Any, now: dt.datetime) -> MarketplaceConnection:
    """Connect the demo store, which gives the secrets itself. Raises NoDemoStore, MarketplaceFailed."""
    if not settings.MARKETPLACE_IS_DEMO:
        raise NoDemoStore
    try:
        secrets = demo_store.register(base_url=settings.MARKETPLACE_URL, name=f"user-{owner.pk}")
    except NoAnswer as problem:
        raise MarketplaceFailed(reason=str(problem)) from problem
    return connect_store(owner=owner, secrets=secrets, now=now, is_demo=True)


def tell_demo_store(*, owner: Any, hook: str) -> None:
    """Let a demo store send hints of its orders to an address; no error for another store.

    Raises MarketplaceFailed.
    """
    if not MarketplaceConnection.objects.owned_by(owner).filter(is_demo=True).exists():
        return
    try:
        demo_store.set_hook(
            base_url=settings.MARKETPLACE_URL, name=f"user-{owner.pk}", address=hook
        )
    except NoAnswer as problem:
        raise MarketplaceFailed(reason=str(problem)) from problem


def orders_of_file(data: bytes, *, currency: str, now: dt.datetime) -> list[FileOrder]:
    """Return the orders of a file that a person downloaded at the marketplace.

    `currency` is what amounts are in that name none. Raises FileRefused for a file that is none.
    """
    return read_orders(data, currency=currency, now=now)


def ensure_connection(*, owner: Any, now: dt.datetime) -> None:
    """Connect a demo user without a store to the demo store. Raises NotConnected otherwise."""
    if MarketplaceConnection.objects.owned_by(owner).exists():
        return
    if not settings.MARKETPLACE_IS_DEMO:
        raise NotConnected
    connect_demo_store(owner=owner, now=now)


def disconnect_store(*, owner: Any) -> None:
    """Delete the connection and its secrets, if there is one; prices stay."""
    MarketplaceConnection.objects.owned_by(owner).delete()


def try_connection(*, owner: Any, now: dt.datetime) -> MarketplaceConnection:
    """Make one call, and keep what came of it: secrets that are refused are an answer too.

    Raises NotConnected, SecretsUnreadable, BudgetSpent, and MarketplaceFailed or
    MarketplaceSlow where the marketplace told nothing; the state stays as it was then.
    """
    connection = connection_of(owner=owner)

    def spend(kind: CallKind) -> None:
        spend_call(owner=owner, kind=kind, now=now)

    with open_store(connection, spend=spend, read_seconds=TEST_READ_SECONDS) as store:
        try:
            store.check()
        except SecretsRefused as refused:
            return note_refusal(connection, refused, now=now)
        except MarketplaceError as problem:
            raise failure_of(problem) from problem
    return note_success(connection, now=now)


def connection_of(*, owner: Any) -> MarketplaceConnection:
    """Return the user's connection. Raises NotConnected."""
    found = MarketplaceConnection.objects.owned_by(owner).first()
    if found is None:
        raise NotConnected
    return found


def open_store(
    connection: MarketplaceConnection, *, spend: Spend, read_seconds: float | None = None
) -> Marketplace:
    """Return the client of a connection, to be used in a `with`. Raises SecretsUnreadable."""
    try:
        secrets = unseal(connection.sealed)
    except Unreadable:
        raise SecretsUnreadable from None
    return BrickLinkStore(
        base_url=settings.MARKETPLACE_URL,
        secrets=secrets,
        spend=spend,
        read_seconds=read_seconds or READ_SECONDS,
    )


def note_success(connection: MarketplaceConnection, *, now: dt.datetime) -> MarketplaceConnection:
    """Keep that the secrets were taken."""
    return _noted(connection, ConnectionState.OK, problem="", address="", now=now)


def note_refusal(
    connection: MarketplaceConnection, refused: SecretsRefused, *, now: dt.datetime
) -> MarketplaceConnection:
    """Keep that the secrets were refused, and why."""
    return _noted(
        connection,
        ConnectionState.REFUSED,
        problem=str(refused),
        address=refused.address,
        now=now,
    )


def failure_of(problem: MarketplaceError) -> DomainError:
    """Return the refusal that names the failure of the marketplace."""
    if isinstance(problem, NoAnswer) and problem.is_timeout:
        return MarketplaceSlow(reason=str(problem))
    return MarketplaceFailed(reason=str(problem))


def _noted(
    connection: MarketplaceConnection,
    state: ConnectionState,
    *,
    problem: str,
    address: str,
    now: dt.datetime,
) -> MarketplaceConnection:
    told = {
        "state": state,
        "problem": problem[:300],
        "outgoing_address": address,
        "tested_at": now,
        "updated_at": now,
    }
    # Other secrets may have been entered meanwhile: this says nothing of them.
    MarketplaceConnection.objects.filter(pk=connection.pk, sealed=connection.sealed).update(**told)
    return connection_of(owner=connection.owner)


def _first_repeated(secrets: Secrets) -> str:
    seen: set[str] = set()
    for name in Secrets.__slots__:
        value = getattr(secrets, name)
        if value in seen:
            return name
        seen.add(value)
    return ""
