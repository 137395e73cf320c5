"""By which parts a set is recognised, and how they lie."""

import io

from PIL import Image

from apps.pictures.rules.heaps import MOST_PARTS, PartOfSet, heaped, telling_parts


def part(item_id, **fields):
    return PartOfSet(
        **{
            "item_id": item_id,
            "digest": f"{item_id:012x}",
            "color_id": 5,
            "is_figure": False,
            "sets": 1,
            "grams": 1.0,
            "quantity": 1,
        }
        | fields
    )


def ids(*parts):
    return [one.item_id for one in telling_parts(parts)]


class TestTellingParts:
    def test_are_the_rarest_then_the_largest(self):
        assert ids(part(1, sets=9, grams=50.0), part(2, grams=2.0), part(3, grams=7.0)) == [3, 2, 1]

    def test_begin_with_two_figures(self):
        figures = [part(n, is_figure=True, sets=90) for n in (7, 8, 9)]
        assert ids(part(1), *figures) == [7, 8, 1]

    def test_are_of_different_items(self):
        assert ids(part(1, color_id=5, quantity=3), part(1, color_id=11, quantity=20)) == [1]
        [shown] = telling_parts(
            [part(1, color_id=5, quantity=3), part(1, color_id=11, quantity=20)]
        )
        assert shown.color_id == 11

    def test_take_an_item_by_its_most_pieces(self):
        assert ids(part(1, quantity=10), part(2, quantity=5), part(1, color_id=11)) == [1, 2]

    def test_are_few(self):
        assert len(ids(*(part(n) for n in range(1, 30)))) == MOST_PARTS


class TestHeaped:
    def test_shows_the_first_in_front(self):
        red, blue = (Image.new("RGBA", (256, 256), color) for color in ("#c00000", "#0000c0"))

        _, own = heaped([red, blue])

        with Image.open(io.BytesIO(own)) as picture:
            assert picture.convert("RGB").getpixel((120, 120)) == (0xC0, 0, 0)
