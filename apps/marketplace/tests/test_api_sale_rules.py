"""The rule of a channel over the API: its numbers before and after, and what is refused."""

from decimal import Decimal

import pytest

from apps.core.clock import now
from apps.inventory.models import ChannelRule
from apps.inventory.tests.factories import make_stock
from apps.marketplace.providers.known import DEFAULT
from apps.marketplace.services.connections import connect_store
from apps.marketplace.tests.factories import make_part, secrets_named

pytestmark = pytest.mark.django_db

RULE = "/api/marketplace/saleRule"


@pytest.fixture
def client(api, ann):
    connect_store(owner=ann, secrets=secrets_named("ann"), now=now())
    for number, pieces, price in (("3001", 1, "0.12"), ("3002", 10, "1"), ("3003", 3, "2")):
        lot = make_part(number)
        make_stock(ann, lot=lot, quantity=pieces, price=Decimal(price))
    return api(ann)


def one(answer):
    assert answer.status_code == 200, answer.content
    (row,) = answer.json()["data"]
    return row


def test_is_at_first_that_all_is_for_sale(client):
    row = one(client.get(RULE))

    assert row["for_sale"] == {
        "lots": 3,
        "of_lots": 3,
        "pieces": 14,
        "repriced": 0,
        "examples": [],
    }
    assert (row["marketplace"], row["percent"], row["rounding"]) == (DEFAULT, "100", "0.0001")
    assert (row["single_lots"], row["orders"]) == (0, 0)


def test_is_previewed_in_numbers_and_not_stored_by_that(client):
    told = {"keep_back": 1, "percent": "110", "rounding": "0.01"}

    preview = one(client.post(f"{RULE}/preview", told, format="json"))

    assert (preview["leaving"], preview["joining"], preview["repriced"]) == (1, 0, 2)
    assert (preview["for_sale"]["lots"], preview["for_sale"]["pieces"]) == (2, 11)
    assert preview["for_sale"]["examples"][0] == {
        "name": "3002 Red",
        "price": "1.0000",
        "price_there": "1.1000",
    }
    assert not ChannelRule.objects.exists()


def test_is_stored_whole_and_undone_by_storing_the_earlier_one(client):
    stored = one(client.put(RULE, {"least_value": "5", "left_out_types": ["SET"]}, format="json"))
    assert (stored["for_sale"]["lots"], stored["least_value"]) == (2, "5.0000")
    assert one(client.get(RULE))["left_out_types"] == ["SET"]

    undone = one(client.put(RULE, {}, format="json"))

    assert undone["for_sale"]["lots"] == 3
    assert not ChannelRule.objects.exists()


@pytest.mark.parametrize(
    ("told", "field"),
    [
        ({"left_out_types": ["BRICK"]}, "left_out_types"),
        ({"left_out_stockrooms": ["D"]}, "left_out_stockrooms"),
        ({"least_pieces": 0}, "least_pieces"),
        ({"keep_back": -1}, "keep_back"),
        ({"percent": "0"}, "percent"),
        ({"rate": "0", "currency": "USD"}, "rate"),
        ({"rate": "1.1"}, "rate"),
        ({"currency": "XXX"}, "currency"),
        ({"rounding": "0.03"}, "rounding"),
        ({"least_value": "2", "most_value": "1"}, "most_value"),
    ],
)
def test_refuses_what_is_no_rule_and_names_the_field(client, told, field):
    for answer in (
        client.put(RULE, told, format="json"),
        client.post(f"{RULE}/preview", told, format="json"),
    ):
        assert answer.status_code == 400
        assert field in str(answer.json())
    assert not ChannelRule.objects.exists()


def test_is_of_nobody_without_a_store(api, bo):
    assert api(bo).get(RULE).status_code == 404
    assert api(bo).put(RULE, {}, format="json").status_code == 409
