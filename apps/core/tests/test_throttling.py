import datetime as dt

import pytest
from django.test import RequestFactory

from apps.core.testing.threads import at_once
from apps.core.throttling import (
    RateWindow,
    client_address,
    count_use,
    count_uses,
    forget_past_windows,
)

NOON = dt.datetime(2026, 1, 31, 12, 0, 0, tzinfo=dt.UTC)


@pytest.mark.django_db
class TestCountUse:
    def test_counts_within_a_window(self):
        counted = [
            count_use(key="k", seconds=60, now=NOON + dt.timedelta(seconds=second))
            for second in (0, 1, 59, 60, 61)
        ]

        assert counted == [(1, 60), (2, 59), (3, 1), (1, 60), (2, 59)]

    def test_keeps_keys_apart(self):
        count_use(key="a", seconds=60, now=NOON)

        assert count_use(key="b", seconds=60, now=NOON) == (1, 60)

    @pytest.mark.parametrize("key", ["a\x00b", "x" * 10_000, "\ud800", "", "🧱"])
    def test_takes_any_key_and_keeps_none_of_it(self, key):
        assert count_use(key=key, seconds=60, now=NOON) == (1, 60)
        assert count_use(key=key, seconds=60, now=NOON) == (2, 60)

        (stored,) = RateWindow.objects.values_list("key", flat=True)
        assert len(stored) == 64
        assert stored != key

    @pytest.mark.django_db(transaction=True)
    def test_loses_no_count_of_sixty_at_once(self):
        def four(_: int) -> list[int]:
            return [count_use(key="k", seconds=60, now=NOON)[0] for _ in range(4)]

        counts = [count for thread in at_once(four, threads=15) for count in thread]

        assert sorted(counts) == list(range(1, 61))

    def test_costs_one_query(self, django_assert_num_queries):
        with django_assert_num_queries(1):
            count_use(key="k", seconds=60, now=NOON)


@pytest.mark.django_db
class TestForgetPastWindows:
    def test_forgets_after_a_day(self):
        count_use(key="old", seconds=60, now=NOON)
        count_use(key="new", seconds=60, now=NOON + dt.timedelta(hours=12))

        assert forget_past_windows(now=NOON + dt.timedelta(hours=25)) == 1

        assert RateWindow.objects.count() == 1


class TestClientAddress:
    @pytest.mark.parametrize(
        ("proxies", "forwarded", "address"),
        [
            (0, "", "198.51.100.7"),
            (0, "203.0.113.1", "198.51.100.7"),
            (0, "203.0.113.1, 203.0.113.2", "198.51.100.7"),
            (1, "203.0.113.1", "203.0.113.1"),
            (1, "6.6.6.6, 203.0.113.1", "203.0.113.1"),
            (1, "6.6.6.6,203.0.113.1,", "203.0.113.1"),
            (1, " , ", "198.51.100.7"),
            (2, "6.6.6.6, 203.0.113.1, 10.0.0.1", "203.0.113.1"),
            (2, "203.0.113.1", "203.0.113.1"),
        ],
    )
    def test_believes_only_our_own_proxies(self, settings, proxies, forwarded, address):
        settings.TRUSTED_PROXIES = proxies
        request = RequestFactory().get(
            "/", REMOTE_ADDR="198.51.100.7", HTTP_X_FORWARDED_FOR=forwarded
        )

        assert client_address(request) == address

    @pytest.mark.parametrize(
        ("remote", "address"),
        [
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
            ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
            ("::ffff:198.51.100.7", "198.51.100.7"),
            ("", ""),
            ("unix:", "unix:"),
        ],
    )
    def test_takes_the_network_of_an_ipv6_caller(self, remote, address):
        assert client_address(RequestFactory().get("/", REMOTE_ADDR=remote)) == address


class TestSeveralKeys:
    def test_are_counted_by_one_statement(self, db, django_assert_num_queries):
        limits = {"one": 2, "all": 3}
        with django_assert_num_queries(1):
            assert count_uses(limits, seconds=60, now=NOON)

        assert count_use(key="all", seconds=60, now=NOON) == (2, 60)

    def test_one_above_its_limit_costs_nothing_of_the_shared_one(self, db):
        first = [count_uses({"one": 2, "all": 9}, seconds=60, now=NOON) for _ in range(5)]

        assert first == [True, True, False, False, False]
        assert count_use(key="all", seconds=60, now=NOON) == (3, 60)

    def test_the_shared_one_bounds_all(self, db):
        found = [count_uses({key: 5, "all": 2}, seconds=60, now=NOON) for key in "abc"]

        assert found == [True, True, False]
