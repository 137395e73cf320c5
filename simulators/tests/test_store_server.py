"""The store's server: its refusals, and failures on request."""

import json
import re
import threading

import pytest
import requests
from oauthlib.oauth1 import Client

from simulators.store import endpoints
from simulators.store.guide import price_guide
from simulators.store.server import StoreServer
from simulators.store.wire import Refusal


@pytest.fixture
def store():
    server = StoreServer()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def http():
    with requests.Session() as session:
        session.trust_env = False
        yield session


def signed(store, method="GET", path="/colors/1"):
    """The address and headers of a call by the seller ann."""
    secrets = store.sellers.register("ann").secrets
    client = Client(
        secrets.consumer_key, secrets.consumer_secret, secrets.token, secrets.token_secret
    )
    address, headers, _ = client.sign(f"{store.url}{path}", http_method=method)
    return address, headers


def call(http, store, method="GET", path="/colors/1", **also):
    address, headers = signed(store, method, path)
    headers |= also.pop("headers", {})
    return http.request(method, address, headers=headers, **also)


def control(http, store, what, body=None):
    address = store.url.replace("/api/store/v1", f"/_control/{what}")
    return http.post(address, json=body)


class TestAnswers:
    def test_are_in_the_envelope(self, http, store):
        answer = call(http, store)

        assert answer.json() == {
            "meta": {"description": "OK", "message": "OK", "code": 200},
            "data": {
                "color_id": 1,
                "color_name": "White",
                "color_code": "ffffff",
                "color_type": "Solid",
            },
        }

    @pytest.mark.parametrize(
        ("method", "path", "code", "message"),
        [
            ("GET", "/nothing", 400, "INVALID_URI"),
            ("DELETE", "/colors/1", 405, "METHOD_NOT_ALLOWED"),
            ("GET", "/colors/99999", 404, "RESOURCE_NOT_FOUND"),
            ("GET", "/colors/x", 400, "PARAMETER_MISSING_OR_INVALID"),
            ("GET", "/items/PART/3001/price", 400, "PARAMETER_MISSING_OR_INVALID"),
            ("GET", "/items/BRICK/3001/price?color_id=5", 400, "PARAMETER_MISSING_OR_INVALID"),
            ("GET", "/colors?color_id=1&color_id=2", 400, "PARAMETER_MISSING_OR_INVALID"),
        ],
    )
    def test_refuse_in_the_words_of_the_real_one(self, http, store, method, path, code, message):
        answer = call(http, store, method, path)

        meta = answer.json()["meta"]
        assert (answer.status_code, meta["code"], meta["message"]) == (code, code, message)

    def test_take_a_signature_once(self, http, store):
        address, headers = signed(store)

        answers = [http.get(address, headers=headers).json()["meta"] for _ in range(2)]

        assert [meta["code"] for meta in answers] == [200, 401]
        assert answers[1]["description"] == "NONCE_USED"

    def test_need_a_signature(self, http, store):
        assert http.get(f"{store.url}/colors").json()["meta"]["code"] == 401

    @pytest.mark.parametrize(
        ("body", "kind", "code"),
        [
            (b"{", "application/json", 400),
            (b"[" * 100_000, "application/json", 400),
            (b"a=1", "application/x-www-form-urlencoded", 415),
            (json.dumps({"item": {"no": "1"}}).encode(), "application/json", 400),
        ],
    )
    def test_read_only_json_that_they_know(self, http, store, body, kind, code):
        answer = call(http, store, data=body, headers={"Content-Type": kind})

        assert answer.json()["meta"]["code"] == code


class TestFields:
    @pytest.fixture
    def lot(self):
        return endpoints.Endpoint(
            "POST",
            "/inventories",
            frozenset(),
            frozenset({"item.no", "quantity"}),
            201,
            lambda call: None,
        )

    @pytest.mark.parametrize(
        "body", [None, {"item": {"no": "1"}, "quantity": 1}, [{"quantity": 1}]]
    )
    def test_that_are_known_are_let_in(self, lot, body):
        endpoints.check_fields(lot, {}, body)

    @pytest.mark.parametrize(
        ("body", "told"),
        [
            ({"item": {"categoryID": 5}}, r"Unparseable value or field: \[item.categoryID.\]"),
            ([{"quantity": 1}, {"date_created": "x"}], r"\[date_created.\]"),
            ({"item": {}, "x": 1}, r"\[x.\]"),
        ],
    )
    def test_that_are_not_are_refused_by_name(self, lot, body, told):
        with pytest.raises(Refusal, match=told) as refused:
            endpoints.check_fields(lot, {}, body)

        assert refused.value.code == 400


class TestControl:
    def test_gives_a_seller_the_same_secrets_each_time(self, http, store):
        first, again, other = (
            control(http, store, "sellers", {"name": name}).json() for name in ("a", "a", "b")
        )

        assert first == again
        assert not set(first.values()) & set(other.values())
        assert all(re.fullmatch("[0-9A-F]{32}", secret) for secret in first.values())

    def test_lets_the_next_calls_fail_and_then_no_more(self, http, store):
        control(http, store, "failures", {"mode": "throttled_in_200", "times": 2})

        codes = [call(http, store).json()["meta"]["code"] for _ in range(3)]

        assert codes == [429, 429, 200]

    def test_fails_only_what_it_is_told_to(self, http, store):
        control(http, store, "failures", {"mode": "html", "path": "/price"})

        assert call(http, store).json()["meta"]["code"] == 200

    def test_acts_before_it_fails_afterwards(self, http, store):
        control(http, store, "failures", {"mode": "after"})

        assert call(http, store).json()["meta"]["code"] == 500
        assert store.calls == {"GET /colors/1": 1}

    def test_forgets_its_plans(self, http, store):
        control(http, store, "failures", {"mode": "html", "times": 9})

        assert control(http, store, "reset").json()["failures"] == []
        assert call(http, store).json()["meta"]["code"] == 200

    @pytest.mark.parametrize(
        ("what", "body"),
        [
            ("sellers", {}),
            ("sellers", {"name": "a b"}),
            ("failures", {"mode": "sulk"}),
            ("failures", {"mode": "html", "times": "often"}),
        ],
    )
    def test_refuses_what_makes_no_sense(self, http, store, what, body):
        assert control(http, store, what, body).status_code == 400


class TestPriceGuide:
    def guide(self, day, **given):
        import datetime as dt

        return price_guide(
            **{
                "item": {"no": "3001", "type": "PART"},
                "color_id": 5,
                "condition": "U",
                "is_sold": True,
                "country": "",
                "region": "",
                "currency": "USD",
                "today": dt.date(2026, 11, day),
                **given,
            }
        )

    def test_is_the_same_all_day_and_moves_with_the_days(self):
        assert self.guide(21) == self.guide(21)
        assert self.guide(21)["qty_avg_price"] != self.guide(28)["qty_avg_price"]

    def test_ignores_a_region_that_is_none_as_the_real_one_does(self):
        assert self.guide(21, region="narnia") == self.guide(21)

    def test_counts_what_it_tells_in_detail(self):
        guide = self.guide(21)

        assert guide["total_quantity"] == sum(row["quantity"] for row in guide["price_detail"])
        assert guide["unit_quantity"] == len(guide["price_detail"])


class TestStarterLots:
    def test_fill_a_store_once(self, http, store):
        filled = control(http, store, "store", {"name": "ann", "is_stocked": True}).json()["lots"]
        again = control(http, store, "store", {"name": "ann", "is_stocked": True}).json()["lots"]

        assert len(filled) == 120
        assert again == filled

    def test_stay_away_once_they_are_sold(self, http, store):
        control(http, store, "store", {"name": "ann", "is_stocked": True})
        stock = store.sellers.register("ann").stock
        for lot in stock.all():
            stock.delete(lot["inventory_id"])

        assert not control(http, store, "store", {"name": "ann", "is_stocked": True}).json()["lots"]
