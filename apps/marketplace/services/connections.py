"""Connect a store, test it, leave it."""

import datetime as dt
import json
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import fields
from functools import partial
from typing import TypeVar, cast

from django.conf import settings
from django.db import transaction

from apps.accounts.models import User
from apps.catalog.selectors.naming import ColorsByText
from apps.core.errors import DomainError, ErrorCode, FilesBusy, StateConflict, ValueRefused
from apps.core.hooks import Hook
from apps.core.isolated import Isolated, Limits, NoRoom, OutOfLimits, Raised
from apps.core.jobs.run import JobFailed, TryLater
from apps.core.sealing import Unreadable, seal_text, unseal_text
from apps.exchange.refusals import FileRefused, RefusalCode
from apps.inventory.models import InventoryItem
from apps.inventory.services.channels import channel_at, numbers_of
from apps.marketplace.models import ConnectionState, MarketplaceConnection
from apps.marketplace.providers import demo_store
from apps.marketplace.providers.base import (
    CallKind,
    Marketplace,
    MarketplaceError,
    NoAnswer,
    Refused,
    Secrets,
    SecretsRefused,
    Spend,
)
from apps.marketplace.providers.clients import CLIENTS, Access, open_client, secrets_of
from apps.marketplace.providers.clients import secret_fields as secret_fields
from apps.marketplace.providers.known import (
    DEFAULT,
    MARKETPLACES,
    WITH_PRICES,
    MarketplaceInfo,
)
from apps.marketplace.providers.order_file import FileOrders, Listed, read_orders
from apps.marketplace.providers.transport import READ_SECONDS
from apps.marketplace.selectors import connection_there
from apps.marketplace.services._answers import KeptAnswers
from apps.marketplace.services._numbered_store import NumberedStore
from apps.marketplace.services.calls import note_limit, spend_call

TEST_READ_SECONDS = 10
Kind = TypeVar("Kind", bound=Secrets)


class NotConnected(StateConflict):
    message = "Connect your store first (Settings, Integrations)."


class SecretsUnreadable(StateConflict):
    message = "The secrets were stored with a key that this server no longer has: enter them again."


class NoDemoStore(StateConflict):
    message = "This server works with the real marketplace: enter your own secrets."


class CallsOpen(StateConflict):
    message = (
        "The outcome of some calls to the store is not known yet: wait until Listings shows none, "
        "then connect or disconnect a marketplace."
    )


class NoPricesThere(StateConflict):
    message = "{name} tells an app no prices of others and no catalogue: {others} does."


def seal(secrets: Secrets) -> str:
    """Return the secrets encrypted with the newest key."""
    return seal_text(
        json.dumps({each.name: getattr(secrets, each.name) for each in fields(secrets)})
    )


def unseal(sealed: str, kind: type[Kind]) -> Kind:
    """Return the decrypted secrets. Raises Unreadable."""
    return kind(**json.loads(unseal_text(sealed)))


class MarketplaceFailed(DomainError):
    code = ErrorCode.UPSTREAM_ERROR
    message = "{reason}"


class MarketplaceSlow(DomainError):
    code = ErrorCode.UPSTREAM_TIMEOUT
    message = "{reason}"


@Hook
def has_open_calls(*, owner: User) -> bool:
    """Return whether it is not known what became of a call to the owner's store."""
    return False


@transaction.atomic
def connect_store(
    *, owner: User, secrets: Secrets, now: dt.datetime, is_demo: bool = False
) -> MarketplaceConnection:
    """Store the secrets, in place of earlier ones of the same marketplace; others stay connected.

    Raises Invalid, CallsOpen.
    """
    same = _first_repeated(secrets)
    if same:
        raise ValueRefused(fields={same: ["is the same as another one: the four differ"]})
    info = MARKETPLACES[secrets.marketplace]
    if connection_there(owner, marketplace=info.id) is None:
        _refuse_open_calls(owner, info.id)
    channel = channel_at(owner=owner, marketplace=info.id, first_lot_id=info.first_id)
    values = {
        "sealed": seal(secrets),
        "is_demo": is_demo,
        "state": ConnectionState.UNTESTED,
        "problem": "",
        "connected_at": now,
        "tested_at": None,
    }
    is_second = MarketplaceConnection.objects.owned_by(owner).exclude(channel=channel).exists()
    connection, _ = MarketplaceConnection.objects.update_or_create(
        owner=owner,
        channel=channel,
        defaults=values,
        create_defaults={**values, "needs_plan": is_second},
    )
    return connection


def _refuse_open_calls(owner: User, marketplace: str) -> None:
    """Refuse to connect or leave a store while calls are open that another one would be asked for."""
    others = MarketplaceConnection.objects.owned_by(owner).exclude(channel__marketplace=marketplace)
    may_stay_open = MARKETPLACES[marketplace].leaves_open_calls and not others.exists()
    if not may_stay_open and has_open_calls(owner=owner):
        raise CallsOpen


def connect_demo_store(
    *, owner: User, now: dt.datetime, marketplace: str = DEFAULT
) -> MarketplaceConnection:
    """Connect a demo store, which gives the secrets itself. Raises NoDemoStore, MarketplaceFailed."""
    info = MARKETPLACES[marketplace]
    if not info.is_demo:
        raise NoDemoStore
    try:
        values = demo_store.register(base_url=_address(info), name=_demo_name(owner))
    except NoAnswer as problem:
        raise MarketplaceFailed(reason=str(problem)) from problem
    secrets = secrets_of(marketplace, values)
    return connect_store(owner=owner, secrets=secrets, now=now, is_demo=True)


def _address(info: MarketplaceInfo) -> str:
    return str(getattr(settings, info.url_setting))


def tell_demo_store(*, owner: User, hook: str) -> None:
    """Let a demo store send hints of its orders to an address; no error for another store.

    Raises MarketplaceFailed.
    """
    address = _demo_address(owner)
    if not address:
        return
    try:
        demo_store.set_hook(base_url=address, name=_demo_name(owner), address=hook)
    except NoAnswer as problem:
        raise MarketplaceFailed(reason=str(problem)) from problem


def stock_demo_store(*, owner: User) -> None:
    """Put sample lots into a demo store that never had any; no error for another store.

    Raises MarketplaceFailed.
    """
    address = _demo_address(owner)
    if not address:
        return
    try:
        demo_store.stock(base_url=address, name=_demo_name(owner))
    except NoAnswer as problem:
        raise MarketplaceFailed(reason=str(problem)) from problem


def _demo_address(owner: User) -> str:
    """Return the address of the owner's demo store that has hints and lots, '' for none."""
    found = connection_there(owner)
    if found is None or not found.is_demo or not MARKETPLACES[found.marketplace].has_hints:
        return ""
    return _address(MARKETPLACES[found.marketplace])


def _demo_name(owner: User) -> str:
    return f"user-{owner.pk}"


# A person waits for it. What is broken may be made to take long.
_decode_orders = Isolated(
    "apps.exchange.bricklink_order_file:decode",
    Limits(cpu_seconds=2, memory_bytes=600_000_000),
)


def orders_of_file(data: bytes, *, owner: User, currency: str, listed: Listed) -> FileOrders:
    """Return the orders of a file that a person downloaded at the marketplace.

    `currency` is what amounts are in that name none; `listed` are the lots of the store. Raises
    FileRefused for a file that is none, FilesBusy.
    """
    return read_orders(
        data,
        currency=currency,
        colors=ColorsByText(),
        listed=listed,
        decode=partial(_decoded_orders, owner),
    )


def _decoded_orders(owner: User, data: bytes) -> bytes:
    try:
        return _decode_orders(data, whose=owner.pk)
    except NoRoom:
        raise FilesBusy from None
    except (OutOfLimits, Raised):
        raise FileRefused(
            RefusalCode.FILE_TOO_LARGE,
            "The file takes too long to read. Download fewer orders at a time.",
        ) from None


def ensure_connection(*, owner: User, now: dt.datetime) -> None:
    """Connect a demo user without a store to the demo store. Raises NotConnected otherwise."""
    if MarketplaceConnection.objects.owned_by(owner).exists():
        return
    if not MARKETPLACES[DEFAULT].is_demo:
        raise NotConnected
    connect_demo_store(owner=owner, now=now)


def ensure_prices(*, owner: User, now: dt.datetime) -> None:
    """Do the same where prices are wanted. Raises NotConnected, NoPricesThere."""
    ensure_connection(owner=owner, now=now)
    refuse_without_prices(connection_of(owner=owner))


def refuse_without_prices(connection: MarketplaceConnection) -> None:
    """Raise NoPricesThere for a marketplace whose API has neither prices nor items."""
    info = MARKETPLACES[connection.marketplace]
    if not info.has_prices:
        raise NoPricesThere(name=info.name, others=" or ".join(_names_of(WITH_PRICES)))


def _names_of(marketplaces: Collection[str]) -> list[str]:
    return [MARKETPLACES[each].name for each in marketplaces]


def disconnect_store(*, owner: User, marketplace: str | None = None) -> None:
    """Delete a connection and its secrets, if there is one; prices stay. Raises CallsOpen."""
    found = connection_there(owner, marketplace=marketplace)
    if found is not None:
        _refuse_open_calls(owner, found.marketplace)
        found.delete()


def pause_store(
    *, owner: User, is_paused: bool, now: dt.datetime, marketplace: str | None = None
) -> MarketplaceConnection:
    """Leave a store out of syncs, or take it in again. Raises NotConnected.

    A sync that is at work is not stopped by it.
    """
    connection = connection_of(owner=owner, marketplace=marketplace)
    connection.is_paused = is_paused
    connection.updated_at = now
    connection.save(update_fields=["is_paused", "updated_at"])
    return connection


def try_connection(
    *, owner: User, now: dt.datetime, marketplace: str | None = None
) -> MarketplaceConnection:
    """Make one call, and keep what came of it: secrets that are refused are an answer too.

    Raises NotConnected, SecretsUnreadable, BudgetSpent, and MarketplaceFailed or
    MarketplaceSlow if there was no answer; the state is unchanged then.
    """
    connection = connection_of(owner=owner, marketplace=marketplace)

    def spend(kind: CallKind) -> None:
        spend_call(channel=connection.channel, kind=kind, now=now)

    with open_store(connection, spend=spend, read_seconds=TEST_READ_SECONDS) as store:
        try:
            store.check()
        except SecretsRefused as refused:
            return note_refusal(connection, refused, now=now)
        except MarketplaceError as problem:
            raise failure_of(problem) from problem
    return note_success(connection, now=now)


def connection_of(
    *,
    owner: User,
    of: int | None = None,
    marketplace: str | None = None,
    channel_id: int | None = None,
) -> MarketplaceConnection:
    """Return the connection of `connection_there`. Raises NotConnected."""
    found = connection_there(owner, of=of, marketplace=marketplace, channel_id=channel_id)
    if found is None:
        raise NotConnected
    return found


def open_store(
    connection: MarketplaceConnection, *, spend: Spend, read_seconds: float | None = None
) -> Marketplace:
    """Return the client of a connection, to be used in a `with`. Raises SecretsUnreadable."""
    info = MARKETPLACES[connection.marketplace]
    try:
        secrets = unseal(connection.sealed, CLIENTS[info.id].secrets)
    except Unreadable:
        raise SecretsUnreadable from None
    access = Access(
        base_url=_address(info),
        spend=spend,
        limited=partial(note_limit, channel=connection.channel),
        known=partial(_known_lots, connection.owner),
        answers=KeptAnswers(connection.channel),
        read_seconds=read_seconds or READ_SECONDS,
    )
    client = open_client(secrets, access)
    return cast("Marketplace", NumberedStore(client, connection.channel))


def _known_lots(owner: User, lot_ids: Collection[int]) -> dict[int, tuple[str, int]]:
    """Return item number and colour of the stock behind lots."""
    numbers = numbers_of(owner=owner, remote_ids=lot_ids)
    here = {numbers.get(lot_id, lot_id): lot_id for lot_id in lot_ids}
    rows = InventoryItem.objects.owned_by(owner).filter(marketplace_lot_id__in=list(here))
    columns = ("marketplace_lot_id", "lot__item__number", "lot__color_id")
    return {
        here[lot_id]: (number, color_id or 0)
        for lot_id, number, color_id in rows.values_list(*columns)
        if number
    }


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


def refused_job(
    connection: MarketplaceConnection, refused: SecretsRefused, *, now: dt.datetime
) -> JobFailed:
    """Keep that the secrets were refused; return the failure of the job that used them."""
    note_refusal(connection, refused, now=now)
    return JobFailed(reason=str(refused))


@contextmanager
def ending_job(
    connection: MarketplaceConnection,
    clock: Callable[[], dt.datetime],
    *,
    but: tuple[type[MarketplaceError], ...] = (),
) -> Iterator[None]:
    """End the job whose call fails: JobFailed if it is refused, TryLater if nothing answers.

    The caller handles the errors in `but`, except refused secrets.
    """
    try:
        yield
    except SecretsRefused as refused:
        raise refused_job(connection, refused, now=clock()) from refused
    except but:
        raise
    except Refused as refused:
        raise JobFailed(reason=str(refused)) from refused
    except MarketplaceError as problem:
        raise TryLater(str(problem), until_back=True) from problem


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
    # Other secrets may have been entered since: this result is not theirs.
    MarketplaceConnection.objects.filter(pk=connection.pk, sealed=connection.sealed).update(**told)
    return connection_of(owner=connection.owner, channel_id=connection.channel_id)


def _first_repeated(secrets: Secrets) -> str:
    seen: set[str] = set()
    for name in _names(type(secrets)):
        value = getattr(secrets, name)
        if value in seen:
            return name
        seen.add(value)
    return ""


def _names(kind: type[Secrets]) -> list[str]:
    return [each.name for each in fields(kind)]
