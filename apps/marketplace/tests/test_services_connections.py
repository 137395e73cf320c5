import datetime as dt
import stat
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from cryptography.fernet import Fernet

from apps.core.clock import now
from apps.core.errors import Invalid
from apps.core.testing.threads import at_once
from apps.exchange.lot_ids import IDS_OF_ONE
from apps.inventory.services.channels import channel_at, channel_of_files
from apps.marketplace.models import CallDay, MarketplaceConnection
from apps.marketplace.providers.base import CallKind
from apps.marketplace.providers.bricklink_secrets import BrickLinkSecrets
from apps.marketplace.services import connections
from apps.marketplace.services.calls import BudgetSpent, spend_call
from apps.marketplace.services.connections import seal, unseal
from apps.marketplace.tests.factories import failing, secrets_named

NOON = dt.datetime(2026, 11, 21, 12, 0, tzinfo=dt.UTC)


@pytest.mark.django_db
class TestConnectStore:
    def test_keeps_the_secrets_encrypted(self, ann, store):
        secrets = secrets_named("ann")

        connection = connections.connect_store(owner=ann, secrets=secrets, now=NOON)

        row = MarketplaceConnection.objects.values().get()
        assert not any(getattr(secrets, name) in str(row) for name in secrets.__slots__)
        assert unseal(connection.sealed, BrickLinkSecrets) == secrets
        assert (connection.state, connection.connected_at) == ("untested", NOON)

    def test_replaces_earlier_ones_and_forgets_what_was_known_of_them(self, connected):
        connections.try_connection(owner=connected, now=NOON)

        connections.connect_store(owner=connected, secrets=secrets_named("new"), now=NOON)

        connection = MarketplaceConnection.objects.get()
        assert unseal(connection.sealed, BrickLinkSecrets) == secrets_named("new")
        assert (connection.state, connection.tested_at) == ("untested", None)
        assert connection.is_demo is False

    def test_refuses_the_same_secret_twice(self, ann, store):
        secrets = replace(secrets_named("ann"), token=secrets_named("ann").consumer_key)

        with pytest.raises(Invalid) as refused:
            connections.connect_store(owner=ann, secrets=secrets, now=NOON)

        assert list(refused.value.fields) == ["token"]
        assert not MarketplaceConnection.objects.exists()

    def test_forgets_them_on_request(self, connected, bo):
        connections.connect_store(owner=bo, secrets=secrets_named("bo"), now=NOON)

        connections.disconnect_store(owner=connected)

        assert [row.owner for row in MarketplaceConnection.objects.all()] == [bo]


@pytest.mark.django_db
class TestTryConnection:
    def test_finds_secrets_that_are_taken(self, connected):
        connection = connections.try_connection(owner=connected, now=NOON)

        assert (connection.state, connection.problem, connection.tested_at) == ("ok", "", NOON)

    def test_counts_its_call(self, connected):
        connections.try_connection(owner=connected, now=NOON)

        day = CallDay.objects.get(owner=connected)
        assert (day.day, day.total, day.lookup) == (NOON.date(), 1, 1)

    def test_keeps_that_secrets_were_refused_and_why(self, connected, store):
        failing(store, "unauthorized_in_200")

        connection = connections.try_connection(owner=connected, now=NOON)

        assert connection.state == "refused"
        assert "registered for another address" in connection.problem
        assert connection.outgoing_address == "203.0.113.9"

    def test_leaves_the_state_where_nothing_was_told(self, connected, store):
        connections.try_connection(owner=connected, now=NOON)
        failing(store, "html", times=9)

        with pytest.raises(connections.MarketplaceFailed, match="a page for people"):
            connections.try_connection(owner=connected, now=NOON)

        assert MarketplaceConnection.objects.get().state == "ok"

    def test_says_that_the_store_is_away(self, connected, settings, unused_address):
        settings.MARKETPLACE_URL = unused_address

        with pytest.raises(connections.MarketplaceFailed, match="cannot be reached"):
            connections.try_connection(owner=connected, now=NOON)

    def test_needs_a_connection(self, ann, store):
        with pytest.raises(connections.NotConnected):
            connections.try_connection(owner=ann, now=NOON)

    def test_says_when_the_key_of_the_secrets_is_gone(self, connected, settings):
        settings.CREDENTIALS_KEYS = [Fernet.generate_key().decode()]

        with pytest.raises(connections.SecretsUnreadable):
            connections.try_connection(owner=connected, now=NOON)

        assert not CallDay.objects.exists()


@pytest.mark.django_db
class TestConnectDemoStore:
    def test_gives_each_person_a_store_of_their_own(self, ann, bo, store):
        first = connections.connect_demo_store(owner=ann, now=NOON)
        second = connections.connect_demo_store(owner=bo, now=NOON)

        assert unseal(first.sealed, BrickLinkSecrets) != unseal(second.sealed, BrickLinkSecrets)
        assert connections.try_connection(owner=bo, now=NOON).state == "ok"

    def test_is_not_there_beside_the_real_marketplace(self, ann, store, settings):
        settings.MARKETPLACE_IS_DEMO = False

        with pytest.raises(connections.NoDemoStore):
            connections.connect_demo_store(owner=ann, now=NOON)

    def test_says_when_it_does_not_run(self, ann, settings, unused_address):
        settings.MARKETPLACE_URL, settings.MARKETPLACE_IS_DEMO = unused_address, True

        with pytest.raises(connections.MarketplaceFailed, match="make run"):
            connections.connect_demo_store(owner=ann, now=NOON)

        assert not MarketplaceConnection.objects.exists()


class TestSealing:
    def test_reads_what_an_older_key_wrote(self, settings):
        old, new = (Fernet.generate_key().decode() for _ in range(2))
        settings.CREDENTIALS_KEYS = [old]
        sealed = seal(secrets_named("ann"))

        settings.CREDENTIALS_KEYS = [new, old]

        assert unseal(sealed, BrickLinkSecrets) == secrets_named("ann")
        assert unseal(seal(secrets_named("ann")), BrickLinkSecrets) == secrets_named("ann")

    def test_makes_a_key_of_its_own_once(self, settings, tmp_path):
        settings.CREDENTIALS_KEYS, settings.VAR_DIR = [], tmp_path

        with ThreadPoolExecutor(max_workers=4) as pool:
            sealed = list(pool.map(lambda _: seal(secrets_named("ann")), range(8)))

        assert {unseal(each, BrickLinkSecrets) for each in sealed} == {secrets_named("ann")}
        assert [path.name for path in tmp_path.glob("cred*")] == ["credentials_key"]
        assert stat.S_IMODE((tmp_path / "credentials_key").stat().st_mode) == 0o600


@pytest.mark.django_db
class TestSpendCall:
    def spend(self, owner, kind=CallKind.LOOKUP, at=NOON, **also):
        spend_call(channel=channel_of_files(owner), kind=kind, now=at, **also)

    def test_counts_by_day_and_kind(self, ann, bo):
        self.spend(ann)
        self.spend(ann, CallKind.STOCK)
        self.spend(ann, at=NOON + dt.timedelta(days=1))
        self.spend(bo)

        rows = CallDay.objects.filter(owner=ann).order_by("day")
        assert [(row.total, row.lookup, row.stock) for row in rows] == [(2, 1, 1), (1, 1, 0)]

    def test_stops_a_kind_at_its_mark_of_all_calls(self, ann, settings):
        settings.MARKETPLACE_DAILY_CALLS = 5  # look-ups up to 4, stock too
        for _ in range(2):
            self.spend(ann, CallKind.STOCK)
            self.spend(ann)

        with pytest.raises(
            BudgetSpent, match="4 of today's 5 calls are used: no more for look-ups"
        ):
            self.spend(ann)
        settings.MARKETPLACE_DAILY_CALLS = 10  # look-ups up to 8, stock up to 9
        for _ in range(4):
            self.spend(ann)
        with pytest.raises(BudgetSpent, match="8 of today's 10"):
            self.spend(ann)
        self.spend(ann, CallKind.STOCK)
        with pytest.raises(BudgetSpent, match="9 of today's 10"):
            self.spend(ann, CallKind.STOCK)

        row = CallDay.objects.get()
        assert (row.total, row.lookup, row.stock) == (9, 6, 3)

    def test_stops_prices_of_many_lots_at_their_own_share(self, ann):
        for _ in range(2):
            self.spend(ann)
        self.spend(ann, CallKind.GUIDE, of_kind=1)

        with pytest.raises(BudgetSpent):
            self.spend(ann, CallKind.GUIDE, of_kind=1)

        assert CallDay.objects.get().guide == 1

    def test_begins_anew_at_midnight_in_utc(self, ann, settings):
        settings.MARKETPLACE_DAILY_CALLS = 3  # look-ups up to 2
        late = dt.datetime(2026, 11, 21, 23, 59, 59, tzinfo=dt.UTC)
        self.spend(ann, at=late)
        self.spend(ann, at=late)
        with pytest.raises(BudgetSpent):
            self.spend(ann, at=late)

        self.spend(ann, at=late + dt.timedelta(seconds=1))

        assert CallDay.objects.count() == 2

    def test_counts_each_channel_by_itself(self, ann, settings):
        settings.MARKETPLACE_DAILY_CALLS = 2  # look-ups up to 1
        another = channel_at(owner=ann, marketplace="another", first_lot_id=IDS_OF_ONE + 1)
        self.spend(ann)

        spend_call(channel=another, kind=CallKind.LOOKUP, now=NOON)

        with pytest.raises(BudgetSpent):
            self.spend(ann)
        assert [row.total for row in CallDay.objects.filter(owner=ann)] == [1, 1]

    def test_leaves_calls_to_who_asks(self, ann, settings):
        self.spend(ann, up_to=1)

        with pytest.raises(BudgetSpent):
            self.spend(ann, up_to=1)
        self.spend(ann)

        assert CallDay.objects.get().total == 2


@pytest.mark.django_db(transaction=True)
class TestManyAtOnce:
    def test_never_exceed_the_days_calls(self, ann, settings):
        settings.MARKETPLACE_DAILY_CALLS = 12  # look-ups up to 10
        channel = channel_of_files(ann)

        def spend(_):
            done = 0
            for _ in range(5):
                try:
                    spend_call(channel=channel, kind=CallKind.LOOKUP, now=now())
                    done += 1
                except BudgetSpent:
                    pass
            return done

        assert sum(at_once(spend, threads=4)) == 10
        assert CallDay.objects.get().total == 10
