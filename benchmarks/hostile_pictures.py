"""Pictures made to cost: the time and memory of each in the decoder that uploads meet.

The baseline is a phone's photo of 12 megapixels, which must stay quick. Then the same over HTTP: one
person uploads the costliest picture as fast as the app allows, and somebody else works beside him.

    python -m benchmarks.hostile_pictures
"""

import http.client
import io
import json
import os
import re
import resource
import statistics
import struct
import subprocess
import sys
import threading
import time
import uuid
import zlib
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

from PIL import Image

from benchmarks._operators import multipart
from benchmarks._report import Limit, report
from benchmarks.load import embedded, p95
from tests.e2e.app import RunningApp

SECONDS = 2.0
MEGABYTES = 300
PAGE_SECONDS = 0.5
REPEATS = 5
ATTACKS = 8
BESIDE_SECONDS = 30
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
    beside = uploads_beside()
    figures |= beside
    limits |= {"photo_beside_p95_s": Limit(SECONDS), "page_beside_p95_s": Limit(PAGE_SECONDS)}
    ratios = {"slowest_over_photo": round(slowest / statistics.median(times), 1)}
    return report("hostile_pictures", figures=figures, ratios=ratios, limits=limits)


class Uploader:
    """A person who uploads pictures and opens pages over HTTP."""

    def __init__(self, app: RunningApp, token: str) -> None:
        self._address = ("127.0.0.1", app.port)
        self._headers = {"Authorization": f"Bearer {token}"}
        (batch,) = self.ask("POST", "batches", json.dumps({"name": "Heap"}).encode())[1]["data"]
        self._batch = batch["id"]

    def upload(self, content: bytes) -> tuple[float, int]:
        """Return the seconds and the status of a skipped piece with this photo."""
        body, kind = multipart("part.jpg", content)
        began = time.perf_counter()
        status, _ = self.ask("POST", f"batches/{self._batch}/skip", body, kind)
        return time.perf_counter() - began, status

    def page(self) -> float:
        """Return the seconds of a list."""
        began = time.perf_counter()
        self.ask("GET", "batches")
        return time.perf_counter() - began

    def ask(
        self, method: str, path: str, body: bytes | None = None, kind: str = "application/json"
    ) -> tuple[int, Any]:
        connection = http.client.HTTPConnection(*self._address, timeout=60)
        headers = {**self._headers, "Content-Type": kind, "Idempotency-Key": uuid.uuid4().hex}
        try:
            connection.request(method, f"/api/{path}", body, headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()


def uploads_beside() -> dict[str, float | str]:
    """Return how a photo and a page fare alone, and beside costly uploads of another person."""
    # Below the bound of scans, so that it is decoded as long as a picture may be.
    costly = scans(Image.linear_gradient("L").resize((8000, 6000)).convert("RGB"), 39)
    plain = encoded(photo(), "JPEG", quality=90)
    with embedded() as app:
        printed = app.manage("issue_tokens", "a@example.org", "b@example.org", "--create", "Ann")
        tokens = [json.loads(line)["accessToken"] for line in printed.splitlines()]
        attacker, neighbour = (Uploader(app, token) for token in tokens)
        neighbour.upload(plain)
        alone = [neighbour.upload(plain)[0] for _ in range(REPEATS)]
        statuses: list[int] = []
        until = time.monotonic() + BESIDE_SECONDS

        def attack() -> None:
            while time.monotonic() < until:
                statuses.append(attacker.upload(costly)[1])

        threads = [threading.Thread(target=attack) for _ in range(ATTACKS)]
        for thread in threads:
            thread.start()
        photos, pages = [], []
        while time.monotonic() < until:
            seconds, status = neighbour.upload(plain)
            if status != 201:
                raise RuntimeError(f"the neighbour's photo was answered by {status}")
            photos.append(seconds)
            pages += [neighbour.page() for _ in range(5)]
        for thread in threads:
            thread.join()
    return {
        "photo_alone_s": round(statistics.median(alone), 3),
        "photo_beside_p95_s": p95(photos),
        "photos_beside": len(photos),
        "page_beside_p95_s": p95(pages),
        "costly_decoded": sum(status != 429 for status in statuses),
        "costly_refused": sum(status == 429 for status in statuses),
    }


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
