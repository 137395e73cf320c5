"""Small LDraw libraries for tests, made as files."""

import io
import tarfile
import zipfile
from pathlib import Path

CONFIG = "0 !COLOUR Red CODE 4 VALUE #C91A09 EDGE #333333\n"
UNIT = "1 16 0 0 0 1 0 0 0 1 0 0 0 1"


def box(title: str, size: int = 20, color: int = 16) -> str:
    """Return a box as LDraw writes it, with its edges."""
    lines = [f"0 {title}"]
    corners = [(x, y, z) for x in (-size, size) for y in (-size, size) for z in (-size, size)]
    sides = [(0, 1, 3, 2), (4, 5, 7, 6), (0, 1, 5, 4), (2, 3, 7, 6), (0, 2, 6, 4), (1, 3, 7, 5)]
    for side in sides:
        points = " ".join(f"{x} {y} {z}" for x, y, z in (corners[index] for index in side))
        lines.append(f"4 {color} {points}")
        for a, b in zip(side, side[1:] + side[:1], strict=True):
            lines.append("2 24 " + " ".join(map(str, corners[a] + corners[b])))
    return "\r\n".join(lines)


FILES = {
    "LDConfig.ldr": CONFIG,
    "parts/3001.dat": f"0 Brick  2 x  4\n{UNIT} s\\3001s01.dat\n",
    "parts/s/3001s01.dat": box("~Brick  2 x  4 without Front Face"),
    "parts/3003.dat": "0 ~Moved to 3001\n" + f"{UNIT} 3001.dat\n",
    "parts/3626p01.dat": box("Minifig Head with Grin Pattern") + "\r\n"
    "3 4 -15 -15 -21 15 -15 -21 0 15 -21\r\n",
    "p/stud.dat": box("Stud", 4),
}


def write_folder(folder: Path, files: dict[str, str] = FILES) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def write_zip(path: Path, files: dict[str, str] = FILES, top: str = "ldraw/") -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(top + name, text)
    return path


def write_tar(path: Path, files: dict[str, str] = FILES, top: str = "ldraw/") -> Path:
    with tarfile.open(path, "w:xz") as archive:
        for name, text in files.items():
            info = tarfile.TarInfo(top + name)
            info.size = len(text.encode())
            archive.addfile(info, io.BytesIO(text.encode()))
    return path
