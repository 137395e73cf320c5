"""Videos for Chromium's fake camera, made from pictures: `--use-file-for-fake-video-capture`."""

import io
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from simulators.recognition.samples import FOLDER

SIZE = (640, 480)
# What Chromium plays an MJPEG file with.
FRAMES_PER_SECOND = 30


def sample(name: str) -> Image.Image:
    """One of the demo's sample pictures."""
    with Image.open(FOLDER / f"{name}.jpg") as picture:
        return picture.convert("RGB")


def on_paper(path: Path) -> Image.Image:
    """A photo of a loose part, in the middle of a sheet of paper."""
    sheet = sample("nothing").resize(SIZE)
    with Image.open(path) as photo:
        part = photo.convert("RGBA")
    part.thumbnail((300, 300))
    at = ((SIZE[0] - part.width) // 2, (SIZE[1] - part.height) // 2)
    sheet.paste(part, at, part)
    return sheet


def write_video(path: Path, scenes: Sequence[tuple[Image.Image, float]]) -> Path:
    """Write pictures, each for so many seconds, as the MJPEG that Chromium plays in a loop."""
    with path.open("wb") as out:
        for picture, seconds in scenes:
            frame = io.BytesIO()
            picture.resize(SIZE).save(frame, "JPEG", quality=90)
            out.write(frame.getvalue() * round(seconds * FRAMES_PER_SECOND))
    return path
