"""The channels of one sync: each with its own steps, of which one that does not answer ends its own."""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any, Final

from django.db.models import Count, Q

from apps.core.jobs.run import Clock, JobFailed, JobRun, Pause, TryLater
from apps.inventory.models import Channel
from apps.inventory.services.received import withhold
from apps.listings.models import StoreSync, StoreSyncRow, SyncKind, SyncRowState, SyncWay
from apps.listings.rules.cycle import MAY_BE_WITHHELD, THEIRS
from apps.listings.services._putting_up import PuttingUp
from apps.listings.services._sending_changes import SendingChanges
from apps.listings.services.store_sync import LEFT_OUT
from apps.marketplace.models import MarketplaceConnection
from apps.marketplace.providers.base import Throttled
from apps.marketplace.providers.known import MARKETPLACES
from apps.marketplace.services.calls import BudgetSpent, StoreCalls
from apps.marketplace.services.connections import ending_job, open_store

#: What a job notes of one channel; everything else in its state is of the whole sync.
OF_A_CHANNEL: Final = (
    *("step", "seen", "begun_at", "read_at", "unsent", "looked", "to_confirm", "is_checked"),
    *("unread", "unread_lots", "unread_lots_why", "unsure", "is_read", "left", "left_rows"),
    *("orders", "created", "changed", "zeroed", "uploaded", "conflicts", "not_put_up", "hidden"),
)
#: What is counted of each channel: taken over from it, and sent to it.
SHOWN: Final = (
    *("orders", "taken", "lowered", "removed", "raised", "put_up", "changed", "not_sent"),
)
#: A limit of calls a minute is waited for, no more often than a first push of a store needs.
A_MINUTE: Final = dt.timedelta(minutes=1)
MOST_WAITS: Final = 60
SILENT: Final = "{name}: {why}"


class Channels:
    """The channels of a sync, one after the other, in each of its stages.

    The state of a job with several holds what it noted of the channel whose turn it is, as that of
    a job with one does; what it noted of the others lies in `others`.
    """

    def __init__(
        self,
        run: JobRun,
        sync: StoreSync,
        connections: Sequence[MarketplaceConnection],
        clock: Clock,
        stores: ExitStack,
        paused: Mapping[Channel, str],
    ) -> None:
        self._run = run
        self._sync = sync
        self._clock = clock
        self.are_several = len(connections) > 1
        self._are_more = self.are_several or bool(paused)
        #: Why channels take no part or ended their steps: what they sold is not known.
        self.silent: dict[Channel, str] = {**paused}
        #: Of the last one that ended its steps.
        self.problem: Exception | None = None
        self._sending = []
        self._putting_up: dict[Channel, PuttingUp] = {}
        for connection in connections:
            calls = StoreCalls(run, connection.channel, clock)
            store = stores.enter_context(open_store(connection, spend=calls.spend))
            sending = SendingChanges(
                run, sync, store, connection, calls, is_one_of_several=self.are_several
            )
            self._sending.append(sending)
            self._putting_up[connection.channel] = PuttingUp(sending, calls)

    def each(self, act: Callable[[SendingChanges], None]) -> None:
        """Do a stage for each channel that has not ended.

        Raises what ends the job of one channel, and what is no trouble of a channel. Once all had
        their turn Pause where one wants fewer calls a minute: the stage goes on after it.
        """
        wait = None
        for sending in self._sending:
            channel = sending.connection.channel
            if channel in self.silent:
                continue
            if self.are_several or "channel" in self._run.state:  # one of several when it began
                self._turn_to(channel)
            try:
                with ending_job(sending.connection, self._clock):
                    act(sending)
            except (JobFailed, TryLater, BudgetSpent) as problem:
                if not self.are_several:
                    raise
                if self._can_wait(problem.__cause__):
                    wait = problem
                    continue
                name = MARKETPLACES[channel.marketplace].name
                self.silent[channel] = SILENT.format(name=name, why=problem)
                self.problem = problem

        if wait is not None:
            with self._run.chunk():
                self._run.state["waits"] = self._run.state.get("waits", 0) + 1
            raise Pause(str(wait), until=self._clock() + A_MINUTE)

    def _can_wait(self, cause: BaseException | None) -> bool:
        """Return whether a channel ends its steps only because of its limit of calls a minute."""
        is_of_minute = isinstance(cause, Throttled) and not cause.is_daily
        return is_of_minute and self._run.state.get("waits", 0) < MOST_WAITS

    def putting_up(self, sending: SendingChanges) -> PuttingUp | None:
        """Return what puts up at a channel what it lacks; None where it is the only one."""
        return self._putting_up[sending.connection.channel] if self.are_several else None

    def end(self) -> None:
        """Note of each channel that answered since when and how it was read.

        Raises as `raise_if_none_answered`.
        """
        self.raise_if_none_answered()
        with self._run.chunk():
            for channel_id in self._answered():
                values: dict[str, Any] = {}
                if begun_at := self._noted(channel_id, "begun_at"):
                    values["read_at"] = dt.datetime.fromisoformat(begun_at)
                if self._sync.way == SyncWay.CYCLE:
                    values["seen"] = self._noted(channel_id, "seen")
                Channel.objects.filter(pk=channel_id).update(**values)
        if self._sync.way == SyncWay.COMPARE:
            self.end_needing_plans()

    def end_needing_plans(self) -> None:
        """Let channels take part in syncs of which a person saw and applied all that changes there.

        Those that answered to a plan of the whole stock, of which nothing is left but rises,
        changes and lots to put up that the person left out: these are withheld from then on.
        """
        left = StoreSyncRow.objects.filter(sync=self._sync).filter(
            Q(state=SyncRowState.PLANNED) | Q(state=SyncRowState.SKIPPED, reason=LEFT_OUT)
        )
        for sending in self._sending:
            connection = sending.connection
            if connection.channel in self.silent:
                continue
            rows = left.filter(channel=connection.channel)
            kinds = MAY_BE_WITHHELD if connection.needs_plan else (SyncKind.PUT_UP,)
            out = rows.filter(state=SyncRowState.SKIPPED, kind__in=kinds)
            withhold(
                channel=connection.channel,
                reasons=dict.fromkeys(out.values_list("marketplace_lot_id", flat=True), LEFT_OUT),
                is_refused=False,
                now=self._clock(),
            )
            if self._sync.batch_id is None and not rows.exclude(pk__in=out.values("pk")).exists():
                MarketplaceConnection.objects.filter(pk=connection.pk).update(
                    needs_plan=False, puts_up=True
                )

    def counts(self) -> list[dict[str, Any]]:
        """Return what was done with each channel of several, and why those that are left out were."""
        if not self._are_more:
            return []
        rows = StoreSyncRow.objects.filter(sync=self._sync).order_by()
        by_kind = rows.values_list("channel", "kind", "state").annotate(n=Count("pk"))
        found: dict[int, Counter[str]] = defaultdict(Counter)
        for pk, kind, state, n in by_kind:
            if state == SyncRowState.APPLIED:
                found[pk][kind] += n
            elif kind in THEIRS:
                found[pk]["not_sent"] += n
        state = self._run.state
        noted = {str(state.get("channel")): state, **state.get("others", {})}
        if not self.are_several:
            noted = {str(sending.connection.channel_id): state for sending in self._sending}
        for pk, of_channel in noted.items():
            for name in ("orders", "created", "changed", "zeroed"):
                taken = "orders" if name == "orders" else "taken"
                found[int(pk)][taken] += of_channel.get(name, 0)
        whys = {channel.pk: why for channel, why in self.silent.items()}
        return [
            {
                "channel_id": pk,
                "why": whys.get(pk, ""),
                **{name: found[pk][name] for name in SHOWN},
            }
            for pk in sorted({*whys, *(one.connection.channel_id for one in self._sending)})
        ]

    def _answered(self) -> list[int]:
        return [
            sending.connection.channel_id
            for sending in self._sending
            if sending.connection.channel not in self.silent
        ]

    def raise_if_none_answered(self) -> None:
        """Raise why the last channel ended its steps where all did."""
        if self.problem is not None and not self._answered():
            raise self.problem

    def _noted(self, channel_id: int, name: str) -> str:
        """Return what the job noted of a channel under a name."""
        state = self._run.state
        if state.get("channel", channel_id) != channel_id:
            state = state["others"].get(str(channel_id), {})
        return str(state.get(name, ""))

    def _turn_to(self, channel: Channel) -> None:
        """Swap this channel's notes into the state: the next chunk saves it, a kill loses nothing."""
        state = self._run.state
        if state.get("channel") == channel.pk:
            return
        others = state.setdefault("others", {})
        had: dict[str, Any] = {name: state.pop(name) for name in OF_A_CHANNEL if name in state}
        if "channel" in state:
            others[str(state["channel"])] = had
            had = {}
        state |= {**had, **others.pop(str(channel.pk), {}), "channel": channel.pk}


def noted(run: JobRun, name: str, default: int | str) -> list[Any]:
    """Return what a job noted under a name, of each channel."""
    others = run.state.get("others", {}).values()
    return [state.get(name, default) for state in (run.state, *others)]
