"""Pictures that people confirmed at the station, as the app exports them, to learn from.

A zip holds `captures.csv` and `pictures/*.jpg`: a part alone, cut out as the recogniser saw it.
"""

import csv
import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

TABLE: Final = "captures.csv"
# An export holds at most 5,000 pictures of some kB.
MOST_ROWS: Final = 5_000
MOST_TABLE_BYTES: Final = 2_000_000
MOST_PICTURE_BYTES: Final = 100_000
MOST_PIXELS: Final = 512 * 512
# How long a part is for its width: the table does not say, so the middle.
_ASPECT: Final = 0.5


class NotCaptures(ValueError):
    """The file is no export of captures; the text says what was expected."""


@dataclass(frozen=True, slots=True)
class Captures:
    """What can be learnt from: pictures (n, size, size, 3), and the mould of each."""

    pictures: NDArray[np.uint8]
    mould: NDArray[np.int64]
    left_out: int  # of parts that are not learnt

    def batch(
        self, count: int, size: int, rng: np.random.Generator
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.int64]]:
        """Return pictures (n, 3, size, size) of -1 … 1, their tokens (n, 3) and moulds.

        Each mould is drawn as often as the others. Turned by half or not, lighter or darker; never
        mirrored.
        """
        moulds = np.unique(self.mould)
        chosen = [
            int(rng.choice(np.flatnonzero(self.mould == mould)))
            for mould in rng.choice(moulds, size=count)
        ]
        pictures = np.empty((count, 3, size, size), np.float32)
        for place, index in enumerate(chosen):
            picture = Image.fromarray(self.pictures[index]).resize((size, size))
            pixels = np.asarray(picture, np.float32) / 255
            if rng.random() < 0.5:
                pixels = pixels[::-1, ::-1]
            pixels = np.clip(pixels * np.exp(rng.normal(0, 0.1)), 0, 1)
            pictures[place] = pixels.transpose(2, 0, 1) * 2 - 1
        tokens = np.tile(np.array([0.0, 0.0, _ASPECT], np.float32), (count, 1))
        return pictures, tokens, self.mould[chosen]


def read_captures(
    paths: Sequence[Path], moulds: Sequence[Mapping[str, Any]], size: int
) -> Captures:
    """Return the pictures of exported zips that show one of these moulds. Raises NotCaptures.

    `moulds` are the rows of `moulds.json`; a print of a part counts as the part only where its
    number stands there.
    """
    by_number = {
        str(number).lower(): index for index, row in enumerate(moulds) for number in row["numbers"]
    }
    pictures: list[NDArray[np.uint8]] = []
    labels: list[int] = []
    left_out = 0
    for path in paths:
        try:
            with zipfile.ZipFile(path) as archive:
                for line, row in enumerate(_rows(archive, path), start=2):
                    mould = by_number.get(row["part"].lower())
                    if mould is None:
                        left_out += 1
                        continue
                    where = f"{path.name}, {TABLE} line {line}"
                    pictures.append(_picture(archive, row["file"], size, where))
                    labels.append(mould)
        except (zipfile.BadZipFile, OSError) as problem:
            raise NotCaptures(f"{path.name}: a zip of exported captures was expected.") from problem
    if not pictures:
        raise NotCaptures("No picture shows a part that is learnt.")
    return Captures(np.stack(pictures), np.array(labels, np.int64), left_out)


def _rows(archive: zipfile.ZipFile, path: Path) -> list[dict[str, str]]:
    content = _content(archive, TABLE, MOST_TABLE_BYTES, path.name)
    try:
        rows = list(csv.DictReader(io.StringIO(content.decode("utf-8")), strict=True))
    except (UnicodeDecodeError, csv.Error) as problem:
        raise NotCaptures(f"{path.name}: {TABLE} is no CSV in UTF-8.") from problem
    if len(rows) > MOST_ROWS:
        raise NotCaptures(f"{path.name}: {len(rows)} rows, at most {MOST_ROWS} were expected.")
    for line, row in enumerate(rows, start=2):
        if not row.get("file") or not row.get("part"):
            raise NotCaptures(f"{path.name}, {TABLE} line {line}: file and part were expected.")
    return rows


def _picture(archive: zipfile.ZipFile, name: str, size: int, where: str) -> NDArray[np.uint8]:
    content = _content(archive, name, MOST_PICTURE_BYTES, where)
    try:
        picture = Image.open(io.BytesIO(content), formats=["JPEG"])
        if picture.width * picture.height > MOST_PIXELS:
            raise NotCaptures(f"{where}: {name} has more pixels than a capture.")
        return np.asarray(picture.convert("RGB").resize((size, size)))
    except OSError as problem:
        raise NotCaptures(f"{where}: {name} is no JPEG that can be read.") from problem


def _content(archive: zipfile.ZipFile, name: str, most: int, where: str) -> bytes:
    try:
        told = archive.getinfo(name)
    except KeyError as problem:
        raise NotCaptures(f"{where}: {name} is missing.") from problem
    if told.file_size > most:
        raise NotCaptures(f"{where}: {name} has {told.file_size} bytes, at most {most} expected.")
    # Not more than is told, whatever is packed.
    with archive.open(told) as inside:
        return inside.read(most)
