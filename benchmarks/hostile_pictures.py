"""Pictures made to cost: the time and memory of each, as an upload meets them.

The baseline is a phone's photo of 12 megapixels, which must stay quick.

    python -m benchmarks.hostile_pictures
"""

import io
import os
import re
import resource
import statistics
import struct
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from itertools import pairwise

from PIL import Image

from benchmarks._report import Limit, report

SECONDS = 2.0
MEGABYTES = 300
REPEATS = 5
MOST_BYTES = 19_000_000


def encoded(picture: Image.Image, kind: str, **options: object) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, **options)
    return out.getvalue()


def photo() -> Image.Image:
    """12 megapixels with something on them."""
    small = Image.effect_noise((400, 300), 80).convert("RGB")
    return small.resize((4000, 3000))


def scans(picture: Image.Image, times: int, *, smallest: bool = False) -> bytes:
    """A progressive JPEG with its last scan (or its smallest) so many times more."""
    whole = encoded(picture, "JPEG", progressive=True)
    starts = [found.start() for found in re.finditer(b"\xff\xda", whole)]
    found = [whole[at:end] for at, end in pairwise([*starts, len(whole) - 2])]
    scan = min(found, key=len) if smallest else found[-1]
    return whole[:-2] + scan * min(times, MOST_BYTES // len(scan) - 1) + b"\xff\xd9"


def png(width: int, height: int, *, color: int, body: bytes, extra: bytes = b"") -> bytes:
    def chunk(kind: bytes, content: bytes) -> bytes:
        check = zlib.crc32(kind + content)
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", check)

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, color, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + extra + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def text_bomb() -> bytes:
    packed = zlib.compress(b"a" * 200_000_000, 9)
    content = b"Comment\x00\x00" + packed
    chunk = struct.pack(">I", len(content)) + b"zTXt" + content
    chunk += struct.pack(">I", zlib.crc32(b"zTXt" + content))
    return png(64, 64, color=2, body=zlib.compress(b"\x00" * 64 * 193), extra=chunk)


def hostile() -> Iterator[tuple[str, Callable[[], bytes]]]:
    flat = Image.linear_gradient("L").resize((8000, 6000)).convert("RGB")
    clear = Image.new("RGBA", (5000, 5000), (1, 2, 3, 100))
    yield "scans_1300", lambda: scans(photo().resize((2000, 1500)), 1300)
    yield "scans_of_nothing", lambda: scans(flat, 100_000, smallest=True)
    yield "scans_below_the_bound", lambda: scans(flat, 39)
    yield (
        "coefficients_300_mb",
        lambda: encoded(flat, "JPEG", progressive=True, subsampling=0),
    )
    yield "jpeg_48_megapixels", lambda: encoded(flat, "JPEG", progressive=True)
    yield "png_claims_gigapixels", lambda: png(60_000, 60_000, color=2, body=b"\x00" * 99)
    yield "png_25_megapixels", lambda: encoded(clear, "PNG")
    yield "png_text_bomb", text_bomb
    yield (
        "webp_25_megapixels",
        lambda: encoded(clear, "WEBP", lossless=True),
    )
    yield (
        "webp_14_megapixels",
        lambda: encoded(clear.resize((3700, 3700)), "WEBP", lossless=True),
    )
    yield (
        "webp_of_900_frames",
        lambda: encoded(
            Image.new("RGB", (1000, 1000)),
            "WEBP",
            save_all=True,
            append_images=[
                Image.new("RGB", (1000, 1000), (number % 256, number // 4, 0))
                for number in range(900)
            ],
        ),
    )
    yield "cut_in_the_midst", lambda: encoded(flat, "JPEG", progressive=True)[:200_000]
    yield "noise", lambda: b"\xff\xd8\xff\xe0\x00\x10JFIF" + os.urandom(10_000_000)


def main() -> int:
    """Send each picture through the decoder of uploads; print one JSON line."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bricks.settings")
    django.setup()
    usual = encoded(photo(), "JPEG", quality=90)
    times = [one(usual)[0] for _ in range(REPEATS)]
    figures: dict[str, float | str] = {"photo_12_megapixels_s": round(statistics.median(times), 3)}
    limits: dict[str, Limit] = {}
    slowest = 0.0
    for name, make in hostile():
        # Each in a process of its own: a system counts its children's largest memory once.
        command = [sys.executable, "-m", "benchmarks.hostile_pictures", "--one"]
        done = subprocess.run(command, input=make(), capture_output=True, check=True)
        seconds, megabytes, status = done.stdout.decode().split()
        figures |= {
            f"{name}_s": float(seconds),
            f"{name}_mb": float(megabytes),
            f"{name}_answer": status,
        }
        limits |= {f"{name}_s": Limit(SECONDS), f"{name}_mb": Limit(MEGABYTES)}
        slowest = max(slowest, float(seconds))
    ratios = {"slowest_over_photo": round(slowest / statistics.median(times), 1)}
    return report("hostile_pictures", figures=figures, ratios=ratios, limits=limits)


def one(content: bytes) -> tuple[float, str]:
    """Return the seconds of one picture, and its answer: `read`, or the refusal's status."""
    from apps.core.errors import DomainError
    from apps.recognition.services.identify import readable_jpeg

    started = time.perf_counter()
    try:
        readable_jpeg(content)
        status = "read"
    except DomainError as refused:
        status = str(refused.status)
    return time.perf_counter() - started, status


def measure_one() -> None:
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bricks.settings")
    django.setup()
    from apps.recognition.services.identify import end_decoders

    one(encoded(Image.new("RGB", (64, 64)), "JPEG"))  # its process is there now, as on a server
    seconds, status = one(sys.stdin.buffer.read())
    end_decoders()
    kilobytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(round(seconds, 3), round(kilobytes / 1000), status)


if __name__ == "__main__":
    if "--one" in sys.argv:
        measure_one()
    else:
        sys.exit(main())
