"""Each finish looks as its plastic does; sizes and bytes stay within their bounds."""

import io

import pytest
from PIL import Image

from apps.pictures.models import Render
from apps.pictures.rules import coloring
from apps.pictures.rules.coloring import SIZES, Paint, colored, paint_of, painted
from apps.pictures.services.starter import load_starter_pictures


@pytest.mark.parametrize(
    ("name", "kind", "is_trans", "finish", "is_clear"),
    [
        ("Red", "Solid", False, "solid", False),
        ("Trans-Clear", "Transparent", True, "transparent", True),
        ("Chrome Gold", "Chrome", False, "chrome", False),
        ("Pearl Gold", "Pearl", False, "pearl", False),
        ("Flat Silver", "Pearl", False, "pearl", False),
        ("Metallic Silver", "Metallic", False, "metallic", False),
        ("Glitter Trans-Clear", "Glitter", True, "glitter", True),
        ("Glow In Dark Trans", "Milky", True, "glow", True),
        ("Glow In Dark Opaque", "Milky", False, "glow", False),
        ("Milky White", "Milky", False, "milky", False),
        ("Satin Trans-Brown", "Satin", True, "milky", True),
        ("Speckle Black-Silver", "Speckle", False, "glitter", False),
    ],
)
def test_finishes(name, kind, is_trans, finish, is_clear):
    paint = paint_of(name=name, rgb="123456", color_type=kind, is_trans=is_trans)
    assert (paint.finish, paint.is_clear) == (finish, is_clear)


def test_a_colour_without_rgb_is_drawn_neutral():
    unknown = paint_of(name="(Not Applicable)", rgb="", color_type="N/A", is_trans=False)
    assert unknown.rgb == coloring.NO_RGB


@pytest.fixture
def brick(db) -> tuple[bytes, bytes]:
    load_starter_pictures()
    render = Render.objects.get(number="3001")
    return bytes(render.shape), bytes(render.own_colors)


def test_colours_are_the_colours_asked_for(brick):
    for rgb in ("C91A09", "0055BF", "F2CD37"):
        picture = painted(*brick, Paint(rgb, "solid", False), 256)
        box = picture.getbbox()
        assert box is not None
        red, green, blue, alpha = picture.getpixel(
            ((box[0] + box[2]) // 2, (box[1] + box[3]) // 2 - 10)
        )
        wanted = [int(rgb[at : at + 2], 16) for at in (0, 2, 4)]
        strongest = max(range(3), key=lambda band: wanted[band])
        assert max(range(3), key=lambda band: (red, green, blue)[band]) == strongest
        assert alpha == 255


def test_black_shows_on_dark_and_white_on_light(brick):
    """The lightest edge of black and the darkest of white stand out from the fixed grounds."""
    black = painted(*brick, Paint("212121", "solid", False), 128).convert("L")
    white = painted(*brick, Paint("FFFFFF", "solid", False), 128).convert("L")
    assert max(black.get_flattened_data()) > 80
    shades = sorted(value for value in white.get_flattened_data() if value)
    assert shades[len(shades) // 10] < 170


def test_light_goes_through_what_is_transparent(brick):
    clear = painted(*brick, Paint("AEEFEC", "transparent", True), 128).getchannel("A")
    solid = painted(*brick, Paint("AEEFEC", "solid", False), 128).getchannel("A")
    assert sum(clear.get_flattened_data()) < 0.95 * sum(solid.get_flattened_data())


@pytest.mark.parametrize("size", SIZES)
def test_sizes_and_repeatable_bytes(size, brick):
    paint = Paint("C91A09", "glitter", False)
    content = colored(*brick, paint, size)
    assert Image.open(io.BytesIO(content)).size == (size, size)
    assert content == colored(*brick, paint, size)
    assert len(content) < 24_000
