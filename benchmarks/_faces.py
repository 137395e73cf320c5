"""Draw 100 parts of the starter catalogue, each in a colour it exists in, on both themes' grounds.

    python -m benchmarks._faces      (make faces)

The sheets are written to var/shots/faces_light.png and faces_dark.png, to be looked at.
"""

import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image

from benchmarks._catalogue import ROOT
from benchmarks.pictures import prepare_django

OUT = ROOT / os.environ.get("VAR_DIR", "var") / "shots"
TOKENS = ROOT / "frontend" / "src" / "shared" / "ui" / "tokens.css"
COUNT, ACROSS, SIZE, GAP = 100, 10, 128, 8


def main() -> None:
    if len(sys.argv) > 1:
        draw(Path(sys.argv[1]))
        return
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "VAR_DIR": folder, "LOG_LEVEL": "ERROR"}
        env.pop("DATABASE_URL", None)
        command = [sys.executable, "-m", "benchmarks._faces", str(OUT)]
        subprocess.run(command, env=env, check=True)


def draw(out: Path) -> None:
    prepare_django()
    from apps.catalog.models import Lot
    from apps.catalog.rules.images import digest_of
    from apps.catalog.services.starter import load_starter_catalog
    from apps.core.clock import now
    from apps.pictures.models import Render
    from apps.pictures.rules.coloring import painted
    from apps.pictures.services.coloring import paint_of_color
    from apps.pictures.services.starter import load_starter_pictures

    load_starter_catalog(now=now())
    load_starter_pictures()
    lots = list(
        Lot.objects.filter(item__item_type="PART").exclude(item__face="").exclude(color__rgb="")
        .select_related("item", "color").order_by("pk")
    )  # fmt: skip
    random.Random(3).shuffle(lots)
    chosen = list({lot.item_id: lot for lot in lots}.values())[:COUNT]
    renders = {render.digest: render for render in Render.objects.all()}
    pictures = []
    for lot in chosen:
        render = renders[digest_of(lot.item.face)]
        pictures.append(
            painted(bytes(render.shape), bytes(render.own_colors), paint_of_color(lot.color), SIZE)
        )
    for theme, ground in zip(("light", "dark"), grounds(), strict=True):
        sheet(pictures, ground).save(out / f"faces_{theme}.png")
        print(f"{len(pictures)} parts: {out / f'faces_{theme}.png'}")


def grounds() -> list[str]:
    """Return the colour behind pictures of parts in the light and in the dark theme."""
    return re.findall(r"--ground: (#[0-9a-f]{6});", TOKENS.read_text())


def sheet(pictures: list[Any], ground: str) -> Image.Image:
    step = SIZE + GAP
    whole = Image.new("RGB", (ACROSS * step, -(-len(pictures) // ACROSS) * step), ground)
    for place, picture in enumerate(pictures):
        at = (place % ACROSS * step + GAP // 2, place // ACROSS * step + GAP // 2)
        whole.paste(picture, at, picture)
    return whole


if __name__ == "__main__":
    main()
