import pytest

from apps.inventory.tests.factories import make_stock
from apps.orders.tests.factories import make_order

pytestmark = pytest.mark.django_db


class TestASearch:
    def test_finds_an_order_once_by_the_number_of_its_items(self, api, ann, bo):
        used = make_stock(ann, quantity=5, condition="U")
        new = make_stock(ann, lot=used.lot, quantity=5, condition="N")
        order = make_order(ann, (used, 1), (new, 1))
        make_order(ann)
        make_order(bo, (make_stock(bo, lot=used.lot, quantity=5), 1))
        asked = {"search": used.lot.item.number.lower()}

        rows = api(ann).get("/api/orders", asked).json()["data"]

        assert [row["id"] for row in rows] == [order.pk]
