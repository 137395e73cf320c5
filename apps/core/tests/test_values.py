"""Money, natural order and instants: the small things that everything else leans on."""

import datetime as dt
from decimal import Decimal

import orjson
import pytest

from apps.core.api.rendering import success, to_json
from apps.core.api.views import instant
from apps.core.clock import now
from apps.core.errors import Invalid
from apps.core.money import money, money_text
from apps.core.natural import natural_key


class TestMoney:
    @pytest.mark.parametrize(
        ("given", "text"),
        [
            ("0.072", "0.0720"),
            ("0.00005", "0.0000"),
            ("0.00015", "0.0002"),
            (3, "3.0000"),
            (Decimal("99999999.99995"), "100000000.0000"),
            ("-0.00004", "0.0000"),
            ("1E-4", "0.0001"),
            ("1E+3", "1000.0000"),
        ],
    )
    def test_has_four_places_rounded_half_to_even(self, given, text):
        assert f"{money(given):f}" == text

    def test_is_text_on_the_wire_and_nothing_stays_nothing(self):
        assert money_text(Decimal("0.1")) == "0.1000"
        assert money_text(None) is None


class TestNaturalKey:
    def test_puts_2_before_10(self):
        names = ["A-10", "a-2", "A-1-10", "A-1-9", "B-1", "A-02", "A-", ""]

        assert sorted(names, key=natural_key) == [
            "",
            "A-",
            "A-1-9",
            "A-1-10",
            "a-2",
            "A-02",
            "A-10",
            "B-1",
        ]

    @pytest.mark.parametrize("text", ["9" * 500, "٣", "²", "\x00", "A" * 10_000])
    def test_takes_any_text(self, text):
        assert isinstance(natural_key(text), str)


class TestInstant:
    def test_reads_what_the_api_writes(self):
        written = orjson.loads(to_json({"at": now()}))["at"]

        assert written.endswith("Z")
        assert to_json(instant(written, field="x")) == orjson.dumps(written)

    def test_is_none_for_nothing(self):
        assert instant(None, field="x") is None

    @pytest.mark.parametrize(
        "text", ["", "2026-01-31", "2026-01-31T12:00:00", "2026-02-30T12:00:00Z", "x", 7, [], True]
    )
    def test_refuses_what_is_none(self, text):
        with pytest.raises(Invalid, match=r"seen: must be an instant such as"):
            instant(text, field="seen")


class TestToJson:
    def test_writes_what_databases_return(self):
        east = dt.timezone(dt.timedelta(hours=2))
        row = {
            "price": Decimal("1E+2"),
            "at": dt.datetime(2026, 1, 31, 14, 0, 0, 5, tzinfo=east),
            "ids": (1, 2),
            7: None,
        }

        assert orjson.loads(to_json(row)) == {
            "price": "100",
            "at": "2026-01-31T14:00:00.000005+02:00",
            "ids": [1, 2],
            "7": None,
        }

    @pytest.mark.parametrize(
        ("data", "rows"), [(None, []), ([], []), ({}, [{}]), ([1, 2], [1, 2]), (0, [0])]
    )
    def test_puts_data_into_an_array(self, data, rows):
        assert success(data)["data"] == rows
