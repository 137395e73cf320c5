"""Sales without a marketplace, over the API."""

import pytest

from apps.inventory.tests.factories import make_stock
from apps.orders.models import Order, OrderLine

pytestmark = pytest.mark.django_db
URL = "/api/orders"


def sale(row, **price):
    return {"lines": [{"item_id": row.pk, "quantity": 2, **price}]}


def test_the_number_is_the_sellers_own_count(ann, bo, api):
    numbers = []
    for person in (ann, bo, bo, ann):
        sold = api(person).post(URL, sale(make_stock(person, quantity=5)), format="json")
        numbers.append(sold.json()["data"][0]["number"])

    assert numbers == ["H-1", "H-1", "H-2", "H-2"]


class TestALotWithoutAPrice:
    def test_is_sold_for_a_price_that_is_told(self, ann, api):
        row = make_stock(ann, quantity=5, price=None)

        refused = api(ann).post(URL, sale(row), format="json")

        assert refused.status_code == 400
        assert refused.json()["message"].startswith("lines.0.price: is needed")
        assert not Order.objects.exists()

    @pytest.mark.parametrize("price", ["0.2500", "0.0000"])
    def test_keeps_the_price_of_the_sale(self, ann, api, price):
        row = make_stock(ann, quantity=5, price=None)

        sold = api(ann).post(URL, sale(row, price=price), format="json")

        assert sold.status_code == 201
        assert str(OrderLine.objects.get().price) == price
