"""Pictures for tests: the samples, and files that are none."""

import io
import struct
import zlib
from pathlib import Path

import numpy as np
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image, ImageDraw, ImageFilter

from simulators.recognition.samples import FOLDER

SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
HEIC = b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic" + b"\x00" * 100
FALSE_JPEG = b"\xff\xd8\xff\xe0\x00\x10JFIF" + b"not a picture at all" * 20


def sample(name: str) -> bytes:
    return Path(FOLDER / f"{name}.jpg").read_bytes()


def encoded(picture: Image.Image, kind: str = "JPEG", **options: object) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, **options)
    return out.getvalue()


def png_that_claims(width: int, height: int) -> bytes:
    """A PNG of a few bytes whose head tells of so many pixels."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        check = zlib.crc32(kind + body)
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", check)

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    body = chunk(b"IDAT", zlib.compress(b"\x00" * 10_000))
    return b"\x89PNG\r\n\x1a\n" + head + body + chunk(b"IEND", b"")


def jpeg_of_scans(scans: int, *, size: tuple[int, int] = (4000, 3000)) -> bytes:
    """A progressive JPEG whose last scan is repeated until there are so many."""
    whole = encoded(Image.linear_gradient("L").resize(size).convert("RGB"), progressive=True)
    last = whole[whole.rindex(b"\xff\xda") : -2]
    return whole[:-2] + last * (scans - whole.count(b"\xff\xda")) + b"\xff\xd9"


def drawn(*boxes: tuple[int, int, int, int], color="#c91a09", ground="#e8e6e2", size=(800, 600)):
    """Bricks from above, in a picture of a sheet of paper: plain boxes with studs."""
    picture = Image.new("RGB", size, ground)
    pen = ImageDraw.Draw(picture)
    for left, top, wide, high in boxes:
        pen.rectangle((left, top, left + wide, top + high), fill=color)
        stud = high // 2
        for x in range(left, left + wide - stud + 1, stud):
            for y in (top, top + stud):
                pen.ellipse((x + 8, y + 8, x + stud - 8, y + stud - 8), outline="#7d1006", width=4)
    return picture.filter(ImageFilter.GaussianBlur(1))


def send(client, picture, **fields):
    """Ask what a picture shows; bytes are sent as they are."""
    content = picture if isinstance(picture, bytes) else encoded(picture)
    body = {"file": SimpleUploadedFile("picture.jpg", content), **fields}
    return client.post("/api/recognition/identify", body, format="multipart")


def with_hand(picture: Image.Image, *fingers: tuple[int, int]) -> Image.Image:
    """The picture with a hand from below on the right, whose fingers end at these points."""
    pen = ImageDraw.Draw(picture)
    pen.ellipse((520, 330, 900, 720), fill="#c68863")
    for x, y in fingers:
        pen.line((700, 520, x, y), fill="#c68863", width=60)
        pen.ellipse((x - 30, y - 30, x + 30, y + 30), fill="#c68863")
    return picture.filter(ImageFilter.GaussianBlur(1.5))


def on_a_screen(picture: Image.Image) -> Image.Image:
    """The picture as a photograph of a screen that shows it: bluish, in a frame, with moiré."""
    width, height = picture.size
    y, x = np.mgrid[0:height, 0:width]
    moire = 1 + 0.25 * np.sin(x * 2.1 + y * 0.13) + 0.15 * np.sin(y * 1.9)
    pixels = np.asarray(picture, np.float32) * moire[..., None] * [0.85, 0.95, 1.1]
    pixels[:40], pixels[-60:], pixels[:, :50], pixels[:, -50:] = 20, 20, 20, 20
    shown = Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))
    return shown.filter(ImageFilter.GaussianBlur(0.7))


def wood(size=(800, 600)) -> Image.Image:
    """An empty table of wood: bent rings, fibres and the gap between two planks."""
    width, height = size
    rng = np.random.default_rng(40)
    y, x = np.mgrid[0:height, 0:width]
    fibres = Image.fromarray((rng.random((height, 12)) * 255).astype(np.uint8)).resize(size)
    rings = np.sin(y / 9 + 3 * np.sin(x / 240) + 2 * np.sin(x / 90 + y / 200))
    level = 1 + 0.08 * rings + 0.12 * (np.asarray(fibres) / 255 - 0.5)
    level[height // 3 : height // 3 + 3] *= 0.5
    pixels = level[..., None] * [176, 128, 84]
    return Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))


def face() -> Image.Image:
    """A face over the camera, in front of a wall."""
    picture = Image.new("RGB", (800, 600), "#9aa2ab")
    pen = ImageDraw.Draw(picture)
    pen.ellipse((220, 20, 580, 420), fill="#4a2f1b")
    pen.rounded_rectangle((150, 500, 650, 700), 90, fill="#2b4f76")
    pen.rectangle((340, 420, 460, 540), fill="#b57d5b")
    pen.ellipse((250, 70, 550, 490), fill="#c68863")
    for x in (330, 470):
        pen.ellipse((x - 34, 225, x + 34, 262), fill="#f2efe9")
        pen.ellipse((x - 14, 228, x + 14, 258), fill="#3a2a1c")
        pen.line((x - 45, 195, x + 45, 190), fill="#3b2616", width=12)
    pen.polygon([(400, 250), (372, 345), (428, 345)], fill="#b87a57")
    pen.ellipse((340, 385, 460, 425), fill="#9d4a44")
    return picture.filter(ImageFilter.GaussianBlur(2))
