"""Convert a picture of another site to a small one of ours: only its pixels are kept."""

import io
from typing import Final

from PIL import Image, ImageOps

SIZE: Final = 256
MAX_PIXELS: Final = 16_000_000
_FORMATS: Final = ("PNG", "JPEG", "GIF", "WEBP")

# Our own limit is checked before anything is decoded.
Image.MAX_IMAGE_PIXELS = None


def small_webp(content: bytes) -> bytes:
    """Return the picture as a square WebP on a clear ground. Raises ValueError."""
    with Image.open(io.BytesIO(content), formats=_FORMATS) as opened:
        if not 1 <= opened.width * opened.height <= MAX_PIXELS:
            raise ValueError("too many pixels")
        picture = ImageOps.exif_transpose(opened).convert("RGBA")
    picture.thumbnail((SIZE, SIZE))
    square = Image.new("RGBA", (SIZE, SIZE))
    square.paste(picture, ((SIZE - picture.width) // 2, (SIZE - picture.height) // 2))
    out = io.BytesIO()
    square.save(out, "WEBP", quality=82, method=2)
    return out.getvalue()
