"""The connection as the page shows it, and the lots whose prices are most worth a call."""

import datetime as dt
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict
from itertools import islice
from typing import Any, Final

from django.db.models import DecimalField, ExpressionWrapper, F, Max, Sum

from apps.accounts.models import User
from apps.accounts.selectors import currency_of
from apps.catalog.selectors.pricing import market_figures, price_setting_of, rule_of
from apps.core.errors import NotFound
from apps.core.hooks import Hook
from apps.core.jobs.models import Job, JobState
from apps.core.money import MONEY
from apps.exchange.bsx_lot import BsxLot
from apps.exchange.lot_ids import IDS_OF_ONE
from apps.inventory.models import Channel, ChannelRule, InventoryItem
from apps.inventory.rules.for_sale import EVERYTHING, ForSale, SaleRule, for_sale
from apps.inventory.selectors.channel_rules import (
    RULE_FIELDS,
    as_sale_rule,
    sale_rule_of,
    sale_rules_of,
    whole_lots_to_sell,
)
from apps.lots.models import Condition
from apps.marketplace.models import CallDay, LotRefresh, MarketplaceConnection, PriceWant
from apps.marketplace.providers.known import DEFAULT, MARKETPLACES, WITH_PRICES, MarketplaceInfo
from apps.marketplace.rules import (
    KIND_NAMES,
    MOST_GUIDE_SHARE,
    UNKNOWN_FOR,
    allowances,
    next_day,
)
from apps.marketplace.rules.wants import Pace, Wanted, expected_end, half_to_ask

GET_PRICES: Final = "marketplace.get_prices"
AT_ONCE: Final = 2_000
Row = dict[str, Any]


def connections_of(owner: User) -> list[MarketplaceConnection]:
    """Return the owner's connections with their channels, that of the first ids first."""
    rows = MarketplaceConnection.objects.owned_by(owner).select_related("channel")
    return list(rows.order_by("channel__first_lot_id"))


def connection_there(
    owner: User,
    *,
    of: int | None = None,
    marketplace: str | None = None,
    channel_id: int | None = None,
) -> MarketplaceConnection | None:
    """Return the owner's connection with its channel, if there is one: of several the first.

    `of` is a lot or an order: only the connection of its channel is returned. So with a
    marketplace, or a channel.
    """
    rows = MarketplaceConnection.objects.owned_by(owner).select_related("channel")
    if of is not None:
        rows = rows.filter(channel__first_lot_id__range=(of - IDS_OF_ONE + 1, of))
    if marketplace is not None:
        rows = rows.filter(channel__marketplace=marketplace)
    if channel_id is not None:
        rows = rows.filter(channel=channel_id)
    found: MarketplaceConnection | None = rows.order_by("channel__first_lot_id").first()
    return found


def connection_row(
    *, owner: User, now: dt.datetime, marketplace: str | None = None
) -> dict[str, Any]:
    """Return a connection for the API, without its secrets, and today's calls; without a name the first."""
    rows = Channel.objects.owned_by(owner).select_related("connection").order_by("first_lot_id")
    channels = {channel.marketplace: channel for channel in rows}
    there = {site: one.connection for site, one in channels.items() if hasattr(one, "connection")}
    info = MARKETPLACES[marketplace or next(iter(there), DEFAULT)]
    found = there.get(info.id)
    share = found.guide_share if found else MOST_GUIDE_SHARE
    offer = _offer(info)
    return {
        **offer,
        "has_store": found is not None or offer["is_demo"],
        "choices": [
            {
                **_offer(each),
                "channel_id": channels[each.id].pk if each.id in channels else None,
                "state": there[each.id].state if each.id in there else "none",
                "is_paused": each.id in there and there[each.id].is_paused,
            }
            for each in MARKETPLACES.values()
        ],
        "state": found.state if found else "none",
        "problem": found.problem if found else "",
        "is_paused": found is not None and found.is_paused,
        "needs_plan": found is not None and found.needs_plan,
        "readAt": channels[info.id].read_at if found else None,
        "outgoing_address": found.outgoing_address if found else "",
        "guide_share": share,
        "connectedAt": found.connected_at if found else None,
        "testedAt": found.tested_at if found else None,
        "calls": calls_row(
            owner=owner, marketplaces=channels.keys() & {info.id}, now=now, share=share
        ),
    }


def _offer(info: MarketplaceInfo) -> dict[str, Any]:
    return {
        "marketplace": info.id,
        "marketplace_name": info.name,
        "mark": info.mark,
        "is_demo": info.is_demo,
        "has_prices": info.has_prices,
    }


def calls_row(
    *, owner: User, marketplaces: Collection[str], now: dt.datetime, share: int
) -> dict[str, Any]:
    """Return today's calls there by kind, and those left: of all kinds, changes of the stock may most."""
    counted, daily = _used_today(owner, marketplaces, now)
    kinds = allowances(counted, daily=daily, guide_share=share)
    return {
        "used": sum(counted.values()),
        "limit": daily,
        "left": max(each.left for each in kinds),
        "resetsAt": next_day(now),
        "kinds": [asdict(each) for each in kinds],
    }


def unknown_lots(
    lot_ids: Collection[int], *, owner: User, currency: str, now: dt.datetime
) -> set[int]:
    """Return the lots that the marketplace lately did not know, as it answered the owner."""
    rows = LotRefresh.objects.owned_by(owner).filter(
        currency=currency, unknown_at__range=(now - UNKNOWN_FOR, now + UNKNOWN_FOR)
    )
    return {lot_id for lot_id in rows.values_list("lot_id", flat=True) if lot_id in lot_ids}


def most_valuable_stock(*, owner: User, now: dt.datetime, most: int) -> list[Row]:
    """Return lots in stock whose figures are old, most value first."""
    rule = rule_of(price_setting_of(user=owner))
    currency = currency_of(owner)
    value = ExpressionWrapper(
        F("quantity") * F("price"), output_field=DecimalField(**{**MONEY, "max_digits": 24})
    )
    by_value = (
        InventoryItem.objects.owned_by(owner)
        .filter(quantity__gt=0, lot__isnull=False, condition__in=Condition.values)
        .values("lot_id", "condition")
        .annotate(value=Sum(value), pieces=Sum("quantity"), dearest=Max("price"))
        .order_by(F("value").desc(nulls_last=True), "lot_id", "condition")
    )
    found: list[Row] = []
    rows = by_value.iterator(AT_ONCE)
    while some := list(islice(rows, AT_ONCE)):
        pairs = [(row["lot_id"], row["condition"]) for row in some]
        known = market_figures(pairs, owner=owner, region=rule.region, currency=currency)
        nobody_knows = unknown_lots(
            {pk for pk, _ in pairs}, owner=owner, currency=currency, now=now
        )
        for pair, row in zip(pairs, some, strict=True):
            is_old = half_to_ask(rule, known[pair], now=now, is_unasked=True) is not None
            if is_old and pair[0] not in nobody_knows:
                found.append(row)
                if len(found) == most:
                    return found
    return found


def stock_wanted(*, owner: User, ids: Sequence[int]) -> list[Wanted]:
    """Return the lots of rows of stock that have pieces. Raises NotFound for another's row."""
    found: list[Wanted] = []
    for start in range(0, len(ids), AT_ONCE):
        some = set(ids[start : start + AT_ONCE])
        rows = InventoryItem.objects.owned_by(owner).filter(pk__in=some)
        columns = list(rows.values_list("lot_id", "condition", "quantity", "price"))
        if len(columns) < len(some):
            raise NotFound
        found += [Wanted(*row) for row in columns if row[0] is not None and row[2] > 0]
    return found


def price_run_row(*, owner: User, now: dt.datetime) -> Row:
    """Return how far *Get prices* is, and when it will be done."""
    wants = PriceWant.objects.owned_by(owner).filter(is_unasked=False)
    left = wants.count()
    job = Job.objects.filter(owner=owner, kind=GET_PRICES).order_by("-created_at").first()
    connection = connection_there(owner)
    share = connection.guide_share if connection else MOST_GUIDE_SHARE
    used, daily = _used_today(owner, WITH_PRICES, now)
    kinds = allowances(used, daily=daily, guide_share=share)
    (guide,) = (each for each in kinds if each.kind == "guide")
    is_live = job is not None and job.state in (JobState.QUEUED, JobState.RUNNING)
    counted = job.checkpoint if job is not None else {}
    pace = Pace(
        lots=counted.get("asked", 0),
        calls=counted.get("calls", 0),
        seconds=counted.get("seconds", 0.0),
    )
    return {
        "job_id": str(job.pk) if job is not None else None,
        "state": job.state if job is not None else "none",
        "message": job.message if job is not None else "",
        "lots_done": job.done if job is not None else 0,
        "lots_left": left,
        "lots_failed": job.failed_count if job is not None else 0,
        "waitsUntil": job.not_before if is_live and job is not None else None,
        "expectedAt": expected_end(
            left, pace=pace, left_today=guide.left, a_day=guide.limit, now=now
        )
        if is_live and left
        else None,
        "share": share,
        "calls_a_day": guide.limit,
        "calls_left_today": guide.left,
    }


def _used_today(
    owner: User, marketplaces: Collection[str], now: dt.datetime
) -> tuple[dict[str, int], int]:
    """Return today's calls by kind, and how many of all kinds the day allows."""
    days = CallDay.objects.owned_by(owner).filter(channel__marketplace__in=marketplaces)
    today = days.filter(day=now.astimezone(dt.UTC).date()).first() or CallDay()
    return {kind: getattr(today, kind) for kind in KIND_NAMES}, today.daily


@Hook
def orders_close_together(*, owner: User) -> tuple[int, int, int]:
    """Return how many orders came so soon after one at another channel that no sync lay between.

    With how many orders there were, and the minutes between two syncs.
    """
    return 0, 0, 0


def sale_rule_row(*, owner: User, marketplace: str | None) -> Row:
    """Return the rule of a channel, and in numbers what is for sale there and the last pieces."""
    found = connection_there(owner, marketplace=marketplace)
    if found is None:
        raise NotFound
    rule = ChannelRule.objects.owned_by(owner).filter(channel=found.channel).first()
    rule = rule or ChannelRule(owner=owner, channel=found.channel)
    info = MARKETPLACES[found.marketplace]
    sale_rule = as_sale_rule(rule)
    counts, shown = _under_rules(owner, found.channel_id, before=sale_rule, after=sale_rule)
    close, orders, minutes = orders_close_together(owner=owner)
    return {
        **{name: getattr(rule, name) for name in RULE_FIELDS},
        "marketplace": info.id,
        "marketplace_name": info.name,
        "own_currency": currency_of(owner),
        "for_sale": shown,
        "single_lots": counts["single_lots"],
        "close_orders": close,
        "orders": orders,
        "minutes": minutes,
    }


def sale_rule_preview(*, owner: User, marketplace: str | None, values: Row) -> Row:
    """Return in numbers what a rule changes on a channel before it is stored."""
    found = connection_there(owner, marketplace=marketplace)
    if found is None:
        raise NotFound
    before = sale_rule_of(owner=owner, channel_id=found.channel_id)
    after = as_sale_rule(ChannelRule(owner=owner, channel=found.channel, **values))
    counts, shown = _under_rules(owner, found.channel_id, before=before, after=after)
    names = ("joining", "leaving", "repriced", "single_lots")
    return {"for_sale": shown, **{name: counts[name] for name in names}}


def _under_rules(
    owner: User, channel_id: int, *, before: SaleRule, after: SaleRule
) -> tuple[Counter[str], ForSale]:
    """Return what a rule changes on a channel, in numbers, and what is for sale there by it.

    `single_lots` are those of which a last piece is for sale on several channels.
    """
    rules = sale_rules_of(owner)
    channels = [each.channel_id for each in connections_of(owner) if each.channel_id != channel_id]
    others = [rules.get(each, EVERYTHING) for each in channels]
    counts: Counter[str] = Counter()

    def counted() -> Iterator[BsxLot]:
        for lot in whole_lots_to_sell(owner):
            was = will_be = after.pieces_there(lot)
            if before is not after:
                was = before.pieces_there(lot)
            counts["joining"] += was <= 0 < will_be
            counts["leaving"] += will_be <= 0 < was
            if lot.price and min(was, will_be) > 0:
                counts["repriced"] += before.price_there(lot.price) != after.price_there(lot.price)
            if lot.quantity == 1 and others:
                there = (rule.pieces_there(lot) > 0 for rule in (after, *others))
                counts["single_lots"] += sum(there) > 1
            yield lot

    shown = for_sale(counted(), after)
    return counts, shown
