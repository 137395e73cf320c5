"""The client against the store over HTTP: signature, failures, what is sent again."""

import logging
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from apps.marketplace.providers.base import (
    NO_DATA,
    CallKind,
    MarketplaceError,
    NoAnswer,
    NotThere,
    Refused,
    SecretsRefused,
    Throttled,
)
from apps.marketplace.providers.bricklink import BrickLinkStore
from apps.marketplace.tests.factories import failing, query, secrets_named, wait_for_late_calls


class TestSigning:
    @pytest.mark.parametrize("number", ["3001", "970c00pb001", "bb1041c01", "4-1.5_x"])
    def test_is_taken_for_every_number(self, client_of, number):
        # The store refuses what is signed wrongly, and the client raises then.
        client_of().price_guide(query(number=number))

    @pytest.mark.parametrize("number", ["a b+c", "x/1", "ü1", "50%1", "q?1&b=2"])
    def test_holds_for_numbers_that_need_quoting(self, client_of, number):
        with pytest.raises(NotThere):  # not a number of theirs, but signed well
            client_of().price_guide(query(number=number))

    def test_differs_each_time(self, client_of, store):
        client = client_of()

        with ThreadPoolExecutor(max_workers=8) as pool:
            list(pool.map(lambda _: client.check(), range(40)))

        assert store.calls["GET /colors/1"] == 40

    @pytest.mark.parametrize(
        ("field", "told"),
        [
            ("consumer_key", "does not know this ConsumerKey"),
            ("consumer_secret", "ConsumerSecret or TokenSecret"),
            ("token", "does not know this TokenValue"),
            ("token_secret", "ConsumerSecret or TokenSecret"),
        ],
    )
    def test_needs_each_of_the_four_and_tells_which_is_wrong(self, client_of, field, told):
        wrong = replace(secrets_named("ann"), **{field: "0" * 32})

        with pytest.raises(SecretsRefused, match=told):
            client_of(secrets=wrong).check()

    def test_tells_when_two_are_swapped(self, client_of):
        good = secrets_named("ann")
        swapped = replace(
            good, consumer_secret=good.token_secret, token_secret=good.consumer_secret
        )

        with pytest.raises(SecretsRefused, match="in another's place"):
            client_of(secrets=swapped).check()

    def test_tells_when_the_clock_is_wrong(self, client_of, monkeypatch):
        client = client_of()
        monkeypatch.setattr(
            "oauthlib.oauth1.rfc5849.generate_timestamp", lambda: str(int(time.time()) - 3_600)
        )

        with pytest.raises(SecretsRefused, match="clock"):
            client.check()

    def test_never_prints_the_secrets(self, client_of, caplog):
        secrets = secrets_named("ann")
        caplog.set_level(logging.DEBUG)

        client_of().check()

        told = caplog.text + repr(secrets)
        assert not any(getattr(secrets, name) in told for name in secrets.__slots__)


class TestCall:
    @pytest.mark.parametrize(
        "mode", ["before", "after", "cut_before", "cut_after", "html", "empty"]
    )
    def test_reads_again_what_was_not_answered(self, client_of, store, mode):
        failing(store, mode, times=2)
        pauses = []

        client_of(pause=pauses.append).check()

        assert pauses == [0.5, 2.0]

    @pytest.mark.parametrize("mode", ["before", "cut_before", "html", "empty"])
    def test_gives_up_after_three_tries(self, client_of, store, mode):
        failing(store, mode, times=9)
        spent = Counter()

        with pytest.raises(NoAnswer):
            client_of(spend=lambda kind: spent.update([kind])).check()

        assert spent == {CallKind.LOOKUP: 3}

    @pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
    def test_sends_nothing_again_that_could_act_twice(self, client_of, store, method):
        failing(store, "before", times=9)
        spent = []

        with pytest.raises(NoAnswer):
            client_of(spend=spent.append).call(CallKind.STOCK, method, "/colors/1")

        assert len(spent) == 1

    def test_counts_before_it_sends(self, client_of, store):
        def forbid(kind):
            raise RuntimeError("no calls left")

        with pytest.raises(RuntimeError):
            client_of(spend=forbid).check()

        assert store.calls == {}

    def test_stops_waiting(self, client_of, store):
        failing(store, "slow", times=9, seconds=0.5)

        with pytest.raises(NoAnswer, match="in time") as problem:
            client_of(read_seconds=0.05).check()

        assert (problem.value.is_timeout, problem.value.is_unsent) == (True, False)
        wait_for_late_calls(store, left=6)

    @pytest.mark.parametrize("mode", ["throttled_in_200", "throttled_bare"])
    def test_does_not_press_who_wants_fewer_calls(self, client_of, store, mode):
        failing(store, mode)
        spent = []

        with pytest.raises(Throttled):
            client_of(spend=spent.append).check()

        assert len(spent) == 1

    def test_tells_the_address_that_a_token_is_not_for(self, client_of, store):
        failing(store, "unauthorized_in_200")

        with pytest.raises(SecretsRefused) as refused:
            client_of().check()

        assert refused.value.address == "203.0.113.9"

    def test_knows_that_nothing_was_sent_where_nobody_listens(self, client_of, unused_address):
        client = BrickLinkStore(
            base_url=unused_address,
            secrets=secrets_named("ann"),
            spend=lambda kind: None,
            pause=lambda seconds: None,
        )

        with client, pytest.raises(NoAnswer) as problem:
            client.check()

        assert problem.value.is_unsent is True

    def test_is_refused_beyond_the_days_calls(self, client_of, store):
        store.sellers.daily_calls = 2
        client = client_of()
        client.check()
        client.check()

        with pytest.raises(Throttled, match="exceeded"):
            client.check()

    @pytest.mark.parametrize(
        ("params", "told"),
        [({"colour": 5}, "Unknown parameter"), ({"vat": "X"}, "vat must be one of")],
    )
    def test_is_refused_for_what_the_store_does_not_know(self, client_of, params, told):
        path = "/items/PART/3001/price"

        with pytest.raises(Refused, match=told):
            client_of().call(CallKind.LOOKUP, "GET", path, params={"color_id": 5, **params})


class TestPriceGuide:
    def test_asks_for_exactly_this(self, client_of):
        client = client_of()
        asked = {
            name: client.price_guide(query(**given))
            for name, given in {
                "sold": {},
                "offered": {"is_sold": False},
                "new": {"condition": "N"},
                "us": {"region": "us"},
                "euro": {"currency": "EUR"},
                "white": {"color_id": 1},
            }.items()
        }

        assert len({guide.average for guide in asked.values()}) == 6
        assert {sale.seller_country for sale in asked["us"].sales} == {"US"}
        assert client.price_guide(query()) == asked["sold"]

    @pytest.mark.parametrize(
        ("region", "countries"),
        [("eu", {"DE", "NL", "CZ", "FR", "PL"}), ("DE", {"DE"}), ("GB", {"GB"})],
    )
    def test_counts_the_sellers_of_a_region(self, client_of, region, countries):
        client = client_of()

        there = client.price_guide(query(region=region)).sales
        world = client.price_guide(query()).sales

        found = {sale.seller_country for sale in there}
        assert found <= countries
        assert found == {sale.seller_country for sale in world} & countries != set()

    def test_is_null_and_never_zero_without_data(self, client_of):
        client = client_of()
        found = [client.price_guide(query(number=str(number))) for number in range(3000, 3060)]

        without = [guide for guide in found if guide.pieces == 0]
        assert without
        assert set(without) == {NO_DATA}
        assert all(guide.average > 0 for guide in found if guide.pieces)

    @pytest.mark.parametrize(
        ("given", "kind", "told"),
        [
            ({"number": "nosuchpart"}, NotThere, "no such item"),
            ({"color_id": 9_999}, NotThere, "no such item"),
            ({"item_type": "SET", "number": "7644"}, Refused, "sequence number"),
            ({"currency": "XXX"}, Refused, "currency_code"),
        ],
    )
    def test_tells_what_the_market_does_not_know(self, client_of, given, kind, told):
        with pytest.raises(kind, match=told):
            client_of().price_guide(query(**given))


def test_every_problem_is_one_of_four():
    assert {Refused, Throttled, NoAnswer} == set(MarketplaceError.__subclasses__())
