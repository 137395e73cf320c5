"""A lot without a price has a null price everywhere, which differs from a price of 0."""

import io
from decimal import Decimal as D

import pytest

from apps.catalog.tests.factories import make_lot
from apps.core.clock import now
from apps.exchange.bsx_lot import BsxLot
from apps.exchange.bsx_writer import write_bsx
from apps.exchange.csv_lots import write_lots_csv
from apps.inventory.models import InventoryItem
from apps.inventory.selectors.export import lots_for_export
from apps.inventory.services.moves import MoveLine, move_items
from apps.inventory.services.stow import StowLine, stow_into
from apps.inventory.tests.factories import columns_of, make_stock
from apps.locations.tests.factories import make_location
from apps.lots.models import LotFields

pytestmark = pytest.mark.django_db
URL = "/api/inventoryItems"


@pytest.fixture
def client(ann, api):
    return api(ann)


def data(response):
    assert response.status_code < 300, response.content
    return response.json()["data"]


def stow(owner, lot, price, location):
    fields = InventoryItem(lot=lot, price=price)
    line = StowLine(fields=fields, location_id=location.pk, quantity=2)
    stow_into(owner=owner, lines=[line], by=owner, now=now())


def rows(owner):
    found = InventoryItem.objects.owned_by(owner).order_by("pk")
    return list(found.values_list("quantity", "price"))


class TestApi:
    def test_is_null_and_a_typed_zero_is_a_price(self, client, ann):
        lot = make_lot()
        (none,) = data(client.post(URL, {"lot_id": lot.pk, "quantity": 1}, format="json"))
        (free,) = data(
            client.post(URL, {"lot_id": lot.pk, "quantity": 1, "price": "0"}, format="json")
        )

        assert (none["price"], free["price"]) == (None, "0.0000")
        found = data(client.get(URL, {"unpriced": "true"}))
        assert [row["id"] for row in found] == [none["id"]]
        (cleared,) = data(client.patch(f"{URL}/{free['id']}", {"price": None}, format="json"))
        assert cleared["price"] is None

    @pytest.mark.parametrize("descending", ["", "-"])
    def test_comes_last_in_both_orders(self, client, ann, descending):
        for price in (None, D("0.5"), D(0)):
            make_stock(ann, price=price)

        prices = [row["price"] for row in data(client.get(URL, {"ordering": f"{descending}price"}))]

        assert prices[-1] is None
        assert prices[:2] == sorted(prices[:2], reverse=bool(descending))

    def test_sums_tell_how_many_lots_they_leave_out(self, client, ann):
        lot = make_lot()
        make_stock(ann, lot, 3, price=D("6.8017"))
        make_stock(ann, lot, 5, price=None)
        make_stock(ann, quantity=0, price=None)

        (of_lot,) = data(client.get(f"{URL}/lots"))
        (home,) = data(client.get("/api/home"))

        assert (of_lot["value"], of_lot["lots_without_price"]) == ("20.4051", 1)
        assert (of_lot["price_min"], of_lot["price_max"]) == ("6.8017", "6.8017")
        tiles = home["tiles"]
        assert (tiles["stock_value"], tiles["lots_without_price"]) == ("20.4051", 1)
        waiting = {line["id"]: line["count"] for line in home["waiting"]}
        assert waiting["unpriced"] == 1


class TestStacking:
    """A lot without a price makes no second row beside the same lot in the same bin."""

    def test_goes_on_top_of_a_row_at_any_price(self, ann):
        lot, bin_ = make_lot(), make_location(ann, "A")
        stow(ann, lot, D("0.1"), bin_)
        stow(ann, lot, None, bin_)

        assert rows(ann) == [(4, D("0.1"))]

    def test_takes_the_price_of_what_comes(self, ann):
        lot, bin_ = make_lot(), make_location(ann, "A")
        stow(ann, lot, None, bin_)
        stow(ann, lot, D("0.1"), bin_)
        stow(ann, lot, D("0.2"), bin_)

        assert rows(ann) == [(4, D("0.1")), (2, D("0.2"))]

    def test_a_typed_zero_is_a_price_of_its_own(self, ann):
        lot, bin_ = make_lot(), make_location(ann, "A")
        stow(ann, lot, D(0), bin_)
        stow(ann, lot, D("0.1"), bin_)

        assert rows(ann) == [(2, D(0)), (2, D("0.1"))]

    def test_holds_for_what_is_moved(self, ann):
        lot, bin_ = make_lot(), make_location(ann, "A")
        there = make_stock(ann, lot, 4, bin_, price=None)
        came = make_stock(ann, lot, 3, make_location(ann, "B"), price=D("0.3"))

        line = MoveLine(item_id=came.pk, to_location_id=bin_.pk)
        move_items(owner=ann, lines=[line], by=ann, now=now())

        assert InventoryItem.objects.filter(pk=there.pk).values_list("quantity", "price").get() == (
            7,
            D("0.3"),
        )


class TestFiles:
    def test_bsx_knows_zero_only(self, ann):
        make_stock(ann, price=None)
        make_stock(ann, price=D(0))
        out = io.BytesIO()

        write_bsx(lots_for_export(ann), out, currency="EUR")

        assert out.getvalue().count(b"<Price>0.000</Price>") == 2
        assert columns_of(BsxLot(price=D(0)))["price"] is None
        assert columns_of(BsxLot())["price"] is None
        assert columns_of(BsxLot(price=D("0.1")))["price"] == D("0.1")

    def test_csv_leaves_the_cell_empty(self, ann):
        make_stock(ann, price=None)
        make_stock(ann, price=D(0))
        out = io.BytesIO()

        lots = [(lot, "") for lot in lots_for_export(ann)]
        write_lots_csv(lots, out, columns=["price", "quantity"])

        assert out.getvalue().decode("utf-8-sig").split() == ["price,quantity", ",5", "0.0000,5"]


def test_a_model_has_none_until_somebody_says_one():
    assert LotFields._meta.get_field("price").get_default() is None
