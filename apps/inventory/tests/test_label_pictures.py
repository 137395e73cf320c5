"""Larger labels show the contents of the bin; small ones have room for the name only."""

from io import BytesIO

import pytest
from pypdf import PdfReader

from apps.catalog.models import Color, Item, Lot
from apps.inventory.services.label_pictures import pictures_of_bins
from apps.inventory.tests.factories import make_stock
from apps.locations.rules.label_design import has_room
from apps.locations.rules.label_layouts import LAYOUTS
from apps.locations.tests.factories import make_location
from apps.pictures.models import Render
from apps.pictures.services.starter import load_starter_pictures

LARGE = next(name for name, layout in LAYOUTS.items() if has_room(layout))
SMALL = next(name for name, layout in LAYOUTS.items() if not has_room(layout))


@pytest.fixture
def bins(ann):
    load_starter_pictures()
    face = Render.objects.get(number="3001").digest
    item = Item.objects.create(item_type="PART", number="3001", number_key="3001", face=face)
    red = Color.objects.create(pk=5, name="Red", rgb="B30006")
    blue = Color.objects.create(pk=7, name="Blue", rgb="0055BF")
    full, empty = make_location(ann, "A-1"), make_location(ann, "A-2")
    for color, quantity in ((red, 3), (blue, 40)):
        make_stock(
            ann, Lot.objects.create(item=item, color=color), quantity=quantity, location=full
        )
    return full, empty


def images(pdf: bytes) -> int:
    return len(PdfReader(BytesIO(pdf)).pages[0].images)


def test_the_lot_with_the_most_pieces_is_shown(bins, django_assert_max_num_queries):
    from PIL import Image

    full, empty = bins
    with django_assert_max_num_queries(3):
        pictures = pictures_of_bins([full.pk, empty.pk])
    assert set(pictures) == {full.pk}
    picture = Image.open(BytesIO(pictures[full.pk])).convert("RGBA").resize((1, 1))
    red, _, blue, _ = picture.getpixel((0, 0))
    assert blue > red


def test_large_labels_carry_it_and_small_ones_do_not(bins, api, ann):
    def printed(layout: str) -> bytes:
        wanted = {"ids": [one.pk for one in bins], "layout": layout}
        answer = api(ann).post("/api/inventoryLocations/labels", wanted)
        assert answer.status_code == 200, answer.content
        return answer.content

    assert images(printed(LARGE)) >= 1
    assert images(printed(SMALL)) == 0
