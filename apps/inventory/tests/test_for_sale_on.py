"""On which channels a row of stock is for sale: what the list shows, and what it is narrowed by."""

import pytest

from apps.inventory.models import ChannelLot, InventoryItem
from apps.inventory.tests.factories import make_stock
from apps.inventory.tests.test_lots_of_several_channels import (
    another,  # noqa: F401
    both,
    files,  # noqa: F401
)

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]
URL = "/api/inventoryItems"


@pytest.fixture
def rows(ann, files, another):  # noqa: F811
    """Rows for sale on both channels, on the first only, and on none."""
    found = [
        make_stock(ann, quantity=10, price="0.10", marketplace_lot_id=lot_id)
        for lot_id in (7, 8, None)
    ]
    both(found[0], files, another)
    both(found[1], files, another, remote_id=another.first_lot_id + 50)
    ChannelLot.objects.filter(channel=another, marketplace_lot_id=8).delete()
    return found


@pytest.fixture
def asked(api, ann, rows):
    """`asked("on-3")` are the places in `rows` of those that the list shows."""

    def ask(value):
        answer = api(ann).get(URL, {"for_sale_on": value})
        assert answer.status_code == 200, answer.json()
        ids = [row.pk for row in rows]
        return sorted(ids.index(row["id"]) for row in answer.json()["data"])

    return ask


def test_is_told_of_each_row(api, ann, rows, files, another):  # noqa: F811
    shown = {row["id"]: row["for_sale_on"] for row in api(ann).get(URL).json()["data"]}

    assert [shown[row.pk] for row in rows] == [sorted([files.pk, another.pk]), [files.pk], []]


def test_leaves_out_what_is_sold_out_or_in_a_stockroom_there(api, ann, rows, files, another):  # noqa: F811
    ChannelLot.objects.filter(channel=files).update(stockroom="A")
    ChannelLot.objects.filter(channel=another).update(quantity=0)

    assert [row["for_sale_on"] for row in api(ann).get(URL).json()["data"]] == [[], [], []]


def test_narrows_the_list_to_one_channel(asked, files, another):  # noqa: F811
    assert asked(f"on-{files.pk}") == [0, 1]
    assert asked(f"on-{another.pk}") == [0]
    assert asked(f"off-{another.pk}") == [1, 2]
    assert asked("none") == [2]


def test_narrows_the_list_to_what_differs_there(asked, another):  # noqa: F811
    assert asked(f"differs-{another.pk}") == []

    ChannelLot.objects.filter(channel=another).update(price="0.20")

    assert asked(f"differs-{another.pk}") == [0]


def test_differs_by_channel(asked, files, another):  # noqa: F811
    InventoryItem.objects.filter(marketplace_lot_id=8).update(comments="new")

    assert asked(f"differs-{files.pk}") == [1]
    assert asked(f"differs-{another.pk}") == []


def test_knows_no_channel_of_others(api, bo, ann, rows, files):  # noqa: F811
    make_stock(bo, quantity=1)

    for value in (f"on-{files.pk}", f"differs-{files.pk}"):
        assert api(bo).get(URL, {"for_sale_on": value}).json()["data"] == []


@pytest.mark.parametrize("value", ["3", "on-", "on-x", "on-0", "differs", "all"])
def test_refuses_what_names_no_channel(api, ann, value):
    answer = api(ann).get(URL, {"for_sale_on": value})

    assert answer.status_code == 400
    assert list(answer.json()["meta"]["error"]["fields"]) == ["for_sale_on"]
