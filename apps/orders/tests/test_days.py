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
