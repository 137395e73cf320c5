"""A day of a file that names no time is the same day in every zone."""

import datetime as dt
import io
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from pypdf import PdfReader

from apps.core.clock import now
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.sales import sales_by_day
from apps.orders.services.files import take_in_file

pytestmark = pytest.mark.django_db
CASE = Path(__file__).parent / "files" / "order_day.xml"


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "Europe/Berlin", "Pacific/Kiritimati"])
def test_a_day_is_the_same_in_the_list_on_the_slip_and_in_the_report(ann, api, zone):
    ann.time_zone = zone
    ann.save(update_fields=["time_zone"])
    take_in_file(owner=ann, data=CASE.read_bytes(), now=now())
    order = Order.objects.get(number="712")
    OrderLine.objects.filter(order=order).update(picked=10)

    (row,) = api(ann).get("/api/orders?search=712").json()["data"]
    body = {"kind": "packing_slip", "order_ids": [order.pk]}
    slip = api(ann).post("/api/orders/papers", body, format="json")
    later = dt.datetime(2026, 12, 2, tzinfo=dt.UTC)
    days = sales_by_day(owner=ann, currency=order.currency, zone=ZoneInfo(zone), now=later)

    assert row["orderedOn"] == "2026-11-25"
    assert "25 Nov 2026" in PdfReader(io.BytesIO(slip.content)).pages[0].extract_text()
    assert [line["day"] for line in days] == [dt.date(2026, 11, 25)]


UNDATED = b"""Order ID,Buyer,Order Status,Item No,Item Type,Color,Condition,Qty,Each
9,Joan,Paid,3001,P,5,U,2,0.10
"""


class TestAnOrderWithoutADate:
    """A file without a column of dates says nothing of when: that is shown, and no day invented."""

    @pytest.fixture
    def order(self, ann):
        take_in_file(owner=ann, data=UNDATED, now=now())
        return Order.objects.get()

    def test_says_so_in_the_list(self, ann, api, order):
        (row,) = api(ann).get("/api/orders").json()["data"]

        assert (row["is_dated"], row["orderedOn"]) == (False, None)

    def test_has_no_day_on_its_slip(self, ann, api, order):
        body = {"kind": "packing_slip", "order_ids": [order.pk]}

        slip = api(ann).post("/api/orders/papers", body, format="json")
        assert str(now().year) not in PdfReader(io.BytesIO(slip.content)).pages[0].extract_text()

    def test_is_of_no_day_in_the_report(self, ann, api, order):
        OrderLine.objects.update(picked=2)
        days = sales_by_day(owner=ann, currency="EUR", zone=ZoneInfo("UTC"), now=now())

        assert [(line["day"], line["pieces"]) for line in days] == [(None, 2)]
        assert api(ann).get("/api/reports/sales/file").status_code == 200

    def test_is_the_same_when_it_is_read_again(self, ann, order):
        again = take_in_file(owner=ann, data=UNDATED, now=now() + dt.timedelta(days=2))

        assert (again.new, again.changed) == (0, 0)
        assert Order.objects.get().ordered_at == order.ordered_at

    def test_gets_the_date_of_a_file_that_has_one(self, ann, order):
        dated = UNDATED.replace(b"Buyer,", b"Buyer,Order Date,").replace(
            b"Joan,", b"Joan,2026-11-02,"
        )
        take_in_file(owner=ann, data=dated, now=now())
        take_in_file(owner=ann, data=UNDATED, now=now())

        order.refresh_from_db()
        assert (order.is_dated, order.ordered_on) == (True, dt.date(2026, 11, 2))
