"""The picture of a set whose contents are known: a small heap of its most telling parts."""

import io
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from more_itertools import unique_everseen
from PIL import Image

from apps.pictures.rules.coloring import FULL_SHADE, SIZES

#: In every address of a heap: change it when the same parts would give another picture.
HEAP: Final = 1
#: Where each part lies in the picture and how wide it is, the hindmost first, by their number.
_PLACES: Final = {
    1: ((12, 12, 232),),
    2: ((2, 2, 168), (86, 86, 168)),
    3: ((2, 2, 152), (102, 8, 152), (52, 102, 152)),
    4: ((2, 2, 148), (106, 2, 148), (2, 106, 148), (106, 106, 148)),
}
MOST_PARTS: Final = max(_PLACES)
MOST_FIGURES: Final = 2
_WIDTH: Final = SIZES[-1]


class PartOfSet(NamedTuple):
    """A line of a set's contents whose item has a picture of its own."""

    item_id: int
    digest: str
    color_id: int
    is_figure: bool
    #: How many sets hold the item.
    sets: int
    grams: float
    quantity: int


def telling_parts(parts: Iterable[PartOfSet]) -> list[PartOfSet]:
    """Return the parts by which a set is recognised: two figures, then the rarest and largest."""
    ordered = sorted(
        parts,
        key=lambda one: (one.sets, -one.grams, -one.quantity, one.item_id, one.color_id),
    )
    once = list(unique_everseen(ordered, key=lambda one: one.item_id))
    figures = [one for one in once if one.is_figure][:MOST_FIGURES]
    return (figures + [one for one in once if not one.is_figure])[:MOST_PARTS]


def heaped(pictures: Sequence[Image.Image]) -> tuple[bytes, bytes]:
    """Return the two layers of a render that shows one to four pictures, the first in front."""
    heap = Image.new("RGBA", (_WIDTH, _WIDTH))
    for picture, (left, top, width) in zip(reversed(pictures), _PLACES[len(pictures)], strict=True):
        heap.alpha_composite(picture.resize((width, width), Image.Resampling.LANCZOS), (left, top))
    alpha = heap.getchannel("A")
    flat = Image.new("L", heap.size)
    light = Image.new("L", heap.size, FULL_SHADE)
    heap.putalpha(alpha.point(lambda level: 255 if level else 0))
    return _webp(Image.merge("RGBA", (light, flat, flat, alpha))), _webp(heap)


def _webp(layer: Image.Image) -> bytes:
    file = io.BytesIO()
    layer.save(file, "WEBP", lossless=True, quality=0, method=0, exact=True)
    return file.getvalue()
