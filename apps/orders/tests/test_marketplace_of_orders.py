"""Where an order was sold: told of each, and what the list is narrowed by."""

import pytest

from apps.exchange.lot_ids import IDS_OF_ONE
from apps.orders.models import Order
from apps.orders.tests.factories import make_order

pytestmark = pytest.mark.django_db
URL = "/api/orders"


@pytest.fixture
def shown(api, ann):
    orders = [make_order(ann) for _ in range(3)]
    for order, there in zip(orders, (7, IDS_OF_ONE + 8, None), strict=True):
        Order.objects.filter(pk=order.pk).update(marketplace_order_id=there)

    def of(**query):
        found = {row["id"]: row["marketplace"] for row in api(ann).get(URL, query).json()["data"]}
        return [found.get(order.pk) for order in orders]

    return of


def test_is_told_of_each_order(shown):
    assert shown() == ["bricklink", "brickowl", ""]


def test_narrows_the_list(shown):
    assert shown(marketplace="brickowl") == [None, "brickowl", None]
    assert shown(marketplace="bricklink") == ["bricklink", None, None]


def test_refuses_a_marketplace_that_is_none(api, ann):
    answer = api(ann).get(URL, {"marketplace": "elsewhere"})

    assert answer.status_code == 400
    assert list(answer.json()["meta"]["error"]["fields"]) == ["marketplace"]
