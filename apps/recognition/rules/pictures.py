"""Convert an uploaded picture to the small JPEG for a recogniser.

Known by its first bytes, never by its name; re-encoded, so that nothing but pixels goes
on; turned as its EXIF says, and without EXIF afterwards.
"""

import io
from typing import Any, Final

from PIL import Image, ImageOps

MAX_BYTES: Final = 20_000_000
# A JPEG is decoded at a fraction of its size, a PNG whole at 4 bytes a pixel, and a WebP in
# four copies of that.
MAX_PIXELS: Final = {"JPEG": 50_000_000, "PNG": 25_000_000, "WEBP": 14_000_000}
# Encoders write about 10 scans; each is a pass over all pixels, and a repeated one costs an
# attacker a few hundred bytes.
MAX_SCANS: Final = 50
MAX_COEFFICIENTS: Final = 200_000_000
MIN_SIDE: Final = 16
LONG_SIDE: Final = 1024
QUALITY: Final = 85
_HEIC_BRANDS: Final = {b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1", b"avif"}

# Our limit by format is stricter than the library's warning, and is checked before decoding.
Image.MAX_IMAGE_PIXELS = None


TOO_MUCH_WORK: Final = (
    "The picture takes too much time or memory to read. Send a smaller copy, or save it anew."
)


class PictureProblem(ValueError):
    """Why a picture cannot be used, in a sentence for a person."""


class PictureTooLarge(PictureProblem):
    """It has too many bytes or pixels."""


def small_jpeg(content: bytes, *, long_side: int = LONG_SIDE) -> bytes:
    """Return the picture as a JPEG of at most `long_side` pixels. Raises PictureProblem."""
    if len(content) > MAX_BYTES:
        raise PictureTooLarge(too_many_bytes(len(content)))
    wanted = _format_of(content)
    try:
        return _encoded(content, wanted, long_side)
    except (PictureProblem, MemoryError):
        raise
    # Decoders raise whatever a broken file makes them stumble over.
    except Exception as problem:
        raise PictureProblem(
            f"The file begins like a {wanted} picture but cannot be read as one. "
            "Take the photo again, or save it anew."
        ) from problem


def too_many_bytes(size: int) -> str:
    """Return the sentence about a picture of `size` bytes, more than MAX_BYTES."""
    return (
        f"The picture has {size / 1e6:.0f} MB; at most {MAX_BYTES // 10**6} MB are read. "
        "Send a smaller copy."
    )


def _encoded(content: bytes, wanted: str, long_side: int) -> bytes:
    # 0xFF is followed by 0x00 inside of a scan, so this counts the heads of scans (and in
    # metadata, rarely, what looks like one).
    if wanted == "JPEG" and (scans := content.count(b"\xff\xda")) > MAX_SCANS:
        raise PictureTooLarge(
            f"The JPEG is drawn in {scans} passes; at most {MAX_SCANS} are read. "
            "Take the photo again, or save it anew."
        )
    with Image.open(io.BytesIO(content), formats=[wanted]) as opened:
        width, height = opened.size
        if width * height > MAX_PIXELS[wanted]:
            raise PictureTooLarge(
                f"The picture has {width * height / 1e6:.0f} megapixels; "
                f"at most {MAX_PIXELS[wanted] // 10**6} are read. Send a smaller copy."
            )
        if min(width, height) < MIN_SIDE:
            raise PictureProblem(
                f"The picture is only {width} × {height} pixels large. Send a larger one."
            )
        if wanted == "JPEG" and _bytes_of_coefficients(opened) > MAX_COEFFICIENTS:
            raise PictureTooLarge(TOO_MUCH_WORK)
        opened.draft("RGB", (long_side, long_side))
        picture: Image.Image = opened
        if picture.mode.startswith("I"):  # 16 bits of grey
            picture = picture.point(lambda level: level / 256).convert("L")
        picture.thumbnail((long_side, long_side))  # first: to turn it copies it
        ImageOps.exif_transpose(picture, in_place=True)
        out = io.BytesIO()
        _on_white(picture).save(out, "JPEG", quality=QUALITY)
        return out.getvalue()


def _bytes_of_coefficients(jpeg: Any) -> int:
    """Return the decoder's memory in pixels: all of a progressive picture until its last scan."""
    if not jpeg.info.get("progressive"):
        return 0
    width, height = jpeg.size
    samplings = [(across, down) for _, across, down, _ in jpeg.layer]
    most = max(across for across, _ in samplings) * max(down for _, down in samplings)
    return sum(2 * width * height * across * down // most for across, down in samplings)


def _on_white(picture: Image.Image) -> Image.Image:
    if not picture.has_transparency_data:
        return picture.convert("RGB")
    with_alpha = picture.convert("RGBA")
    paper = Image.new("RGB", picture.size, "white")
    paper.paste(with_alpha, mask=with_alpha.getchannel("A"))
    return paper


def _format_of(content: bytes) -> str:
    """Return JPEG, PNG or WEBP by the first bytes. Raises PictureProblem."""
    if not content:
        raise PictureProblem("The file is empty. Choose another one.")
    if content.startswith(b"\xff\xd8\xff"):
        return "JPEG"
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return "PNG"
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "WEBP"
    if content[4:8] == b"ftyp" and content[8:12] in _HEIC_BRANDS:
        raise PictureProblem(
            "This is a HEIC picture, as iPhones take them. "
            "Send it as JPEG (Settings, Camera, Formats: Most Compatible)."
        )
    if b"<svg" in content[:4096].lower() or content.lstrip()[:5].lower() == b"<?xml":
        raise PictureProblem("This is an SVG drawing. Send a photo: JPEG, PNG or WebP.")
    raise PictureProblem("This is not a picture that can be read: send JPEG, PNG or WebP.")
