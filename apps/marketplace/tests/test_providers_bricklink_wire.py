import json
from decimal import Decimal

import pytest

from apps.marketplace.providers.base import (
    NO_DATA,
    Guide,
    NoAnswer,
    NotThere,
    Refused,
    Sale,
    SecretsRefused,
    Throttled,
    sales_in,
)
from apps.marketplace.providers.bricklink_wire import (
    amount,
    read_answer,
    read_guide,
    unescape,
)


def answer(meta=None, *, status=200, headers=None, **also):
    body = json.dumps({"meta": meta, **also}).encode() if meta is not None else b""
    return read_answer(status=status, body=also.pop("raw", body), headers=headers or {})


def meta(code, description=""):
    return {"code": code, "message": "M", "description": description}


class TestReadAnswer:
    @pytest.mark.parametrize("code", [200, 201, 204, "200"])
    def test_gives_the_data_of_what_went_well(self, code):
        assert answer(meta(code), data={"a": 1}) == {"a": 1}

    @pytest.mark.parametrize("also", [{}, {"data": {}}, {"data": []}, {"data": None}])
    def test_takes_nothing_in_any_form_for_nothing(self, also):
        assert answer(meta(200), **also) is None

    def test_goes_by_the_code_and_not_by_the_status(self):
        with pytest.raises(SecretsRefused):
            answer(meta(401, "SIGNATURE_INVALID: Invalid Signature"), status=200)
        assert answer(meta(200), status=401, data=[1]) == [1]

    @pytest.mark.parametrize(
        ("code", "kind"),
        [(400, Refused), (403, Refused), (404, NotThere), (422, Refused), (429, Throttled)],
    )
    def test_names_what_is_refused(self, code, kind):
        with pytest.raises(kind, match="because") as refused:
            answer(meta(code, "because"))

        assert type(refused.value) is kind

    @pytest.mark.parametrize("code", [500, 503, None, "x", 99999])
    def test_does_not_know_the_outcome_of_an_error_of_theirs(self, code):
        with pytest.raises(NoAnswer):
            answer(meta(code))

    @pytest.mark.parametrize(
        ("body", "told"),
        [
            (b"<html>down</html>", "a page for people"),
            (b"  \n<!DOCTYPE html>", "a page for people"),
            (b"", "nothing"),
            (b"{", "something unreadable"),
            (b"[" * 100_000, "something unreadable"),
            (b'{"data": 1}', "something unreadable"),
            (b'{"meta": 7}', "something unreadable"),
            (b"[]", "something unreadable"),
            (b"\xff\xfe", "something unreadable"),
        ],
    )
    def test_says_what_came_in_place_of_an_answer(self, body, told):
        with pytest.raises(NoAnswer, match=told):
            read_answer(status=200, body=body, headers={})

    def test_takes_a_gateways_429_for_what_it_is(self):
        with pytest.raises(Throttled) as throttled:
            read_answer(status=429, body=b"slow down", headers={"Retry-After": "30"})

        assert throttled.value.wait_seconds == 30

    @pytest.mark.parametrize(
        ("description", "told", "address"),
        [
            (
                "TOKEN_IP_MISMATCHED: consumer: 0123 IP: 203.0.113.9",
                "this app calls from 203.0.113.9",
                "203.0.113.9",
            ),
            ("TOKEN_IP_MISMATCHED", "from this server's address", ""),
            ("SIGNATURE_INVALID: Invalid Signature", "ConsumerSecret or TokenSecret does not", ""),
            ("CONSUMER_KEY_UNKNOWN", "does not know this ConsumerKey", ""),
            ("TOKEN_UNKNOWN", "does not know this TokenValue", ""),
            ("expired timestamp", "clock of this server", ""),
            ("NONCE &amp; more", "NONCE & more", ""),
        ],
    )
    def test_tells_why_secrets_are_not_taken(self, description, told, address):
        with pytest.raises(SecretsRefused, match=told) as refused:
            answer(meta(401, description))

        assert refused.value.address == address


class TestUnescape:
    @pytest.mark.parametrize(
        ("text", "plain"),
        [
            (
                "Small scratch &#40;see photo&#41; &amp; &quot;clean&quot;",
                'Small scratch (see photo) & "clean"',
            ),
            ("it&amp;#39;s", "it's"),
            ("R&B", "R&B"),
            ("5 &lt; 6", "5 < 6"),
            ("", ""),
        ],
    )
    def test_gives_text_as_it_was_typed(self, text, plain):
        assert unescape(text) == plain


class TestAmount:
    @pytest.mark.parametrize(
        ("value", "found"),
        [
            ("0.1234", Decimal("0.1234")),
            (0.5, Decimal("0.5")),
            ("0.0000", None),
            (0, None),
            ("-1", None),
            (None, None),
            ("NaN", None),
            ("Infinity", None),
            ("1,234", None),
        ],
    )
    def test_is_none_for_what_is_no_price(self, value, found):
        assert amount(value) == found


class TestReadGuide:
    def test_reads_what_was_sold(self, shared_data):
        told = json.loads(shared_data("api/bricklink_price_guide_sold.json").read_text())

        guide = read_guide(told["data"])

        assert (guide.average, guide.lowest) == (Decimal("0.3653"), Decimal("0.0525"))
        assert (guide.lots, guide.pieces) == (978, 14_810)
        assert guide.sales == (
            Sale(1, Decimal("0.6384"), "US"),
            Sale(40, Decimal("0.3100"), "CZ"),
        )
        assert guide.is_complete is False

    def test_reads_what_is_offered(self, shared_data):
        told = json.loads(shared_data("api/bricklink_price_guide_stock.json").read_text())

        guide = read_guide(told["data"])

        assert (guide.average, guide.lowest) == (Decimal("155.3686"), Decimal("96.0440"))
        assert (guide.lots, guide.pieces) == (298, 359)

    def test_takes_zeros_for_no_data(self, shared_data):
        told = json.loads(shared_data("api/bricklink_price_guide_no_data.json").read_text())

        assert read_guide(told["data"]) == NO_DATA

    @pytest.mark.parametrize("data", [None, [], "x"])
    def test_does_not_take_anything_else_for_a_guide(self, data):
        with pytest.raises(NoAnswer):
            read_guide(data)

    def test_survives_rows_that_are_none(self):
        guide = read_guide({"price_detail": [None, {"quantity": "x"}, {}], "unit_quantity": None})

        assert guide == NO_DATA


class TestSalesIn:
    def world(self, pieces):
        return Guide(
            average=Decimal("0.5"),
            lowest=Decimal("0.1"),
            lots=3,
            pieces=pieces,
            sales=(
                Sale(1, Decimal("0.10"), "US"),
                Sale(3, Decimal("0.30"), "US"),
                Sale(6, Decimal("0.90"), "DE"),
            ),
        )

    def test_counts_one_countrys_sales_by_pieces(self):
        there = sales_in("US", self.world(10))

        assert there is not None
        assert (there.average, there.lowest) == (Decimal("0.25"), Decimal("0.10"))
        assert (there.lots, there.pieces) == (2, 4)

    def test_is_no_data_where_the_country_sold_nothing(self):
        assert sales_in("FR", self.world(10)) == NO_DATA

    def test_is_unknown_where_sales_are_missing(self):
        assert sales_in("US", self.world(11)) is None


class TestPrices:
    def guide(self, pieces):
        sales = tuple(Sale(2, Decimal(price), "") for price in ("0.3", "0.1", "0.2"))
        return Guide(average=None, lowest=None, lots=3, pieces=pieces, sales=sales)

    def test_are_those_of_all_sales_or_lots(self):
        assert [str(price) for price in self.guide(6).prices] == ["0.1", "0.2", "0.3"]

    def test_are_unknown_where_some_are_missing(self):
        assert self.guide(7).prices == []
