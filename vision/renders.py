"""Renders of all moulds in rounds, each a file; a round that is there is not drawn again.

python -m vision.renders --library LDRAW --catalog TABLES --work FOLDER --rounds 12
"""

import argparse
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision import scenes, studs
from vision.ldraw.library import Library
from vision.ldraw.parts import Assembler
from vision.moulds import choose_moulds

# Of each mould in a round: poses, and views of each.
POSES: Final = 4
VIEWS: Final = 3
# Whose sizes and outlines a part is compared with; nothing else of these views is drawn.
SIZED_POSES: Final = 8
SIZED_VIEWS: Final = 48
OUTLINED: Final = 3  # one view of so many has an outline


@dataclass(frozen=True, slots=True)
class Renders:
    """One round: layers as a file that is mapped, and what is known of each picture."""

    layers: NDArray[np.uint8]
    mould: NDArray[np.int32]
    sizes: NDArray[np.float32]  # longer side, shorter side (mm), elevation (degrees)


def round_path(work: Path, number: int) -> Path:
    return work / "renders" / f"{number:03d}.npy"


def sizes_path(work: Path) -> Path:
    return work / "sizes.npy"


def forms_path(work: Path) -> Path:
    return work / "forms.npy"


def read_round(work: Path, number: int) -> Renders:
    path = round_path(work, number)
    with np.load(path.with_suffix(".npz")) as told:
        return Renders(np.load(path, mmap_mode="r"), told["mould"], told["sizes"])


def moulds_of(work: Path) -> list[dict[str, Any]]:
    moulds: list[dict[str, Any]] = json.loads((work / "moulds.json").read_text())["moulds"]
    return moulds


def choose(*, library: Path, catalog: Path, work: Path, count: int, also: list[str]) -> None:
    """Write which moulds are learnt; those that cannot be drawn are left out."""
    if (work / "moulds.json").exists():
        return
    shelf = Library.open(library)
    assembler = _assembler(shelf)
    chosen, share = choose_moulds(catalog, shelf, count + 20, also)
    rows = []
    for mould in chosen:
        try:
            scenes.body_of(assembler.part(mould.model))
        except (ValueError, KeyError):
            continue
        rows.append(mould.as_row())
    kept = [row for row in rows if set(also) & set(row["numbers"])]
    rows = [row for row in rows if row not in kept][: count - len(kept)] + kept
    share *= sum(row["pieces"] for row in rows) / sum(mould.pieces for mould in chosen)
    (work / "renders").mkdir(parents=True, exist_ok=True)
    (work / "moulds.json").write_text(json.dumps({"share": share, "moulds": rows}, indent=1))


def _assembler(shelf: Library) -> Assembler:
    # The finer twins of round shapes cost time and are not seen at this size.
    return Assembler(
        lambda name: studs.with_hollow(name, shelf.read(name)),
        lambda name: not name.startswith("p/48/") and name in shelf,
    )


def draw_rounds(*, library: Path, work: Path, rounds: int, seed: int) -> None:
    """Draw the rounds that are missing."""
    moulds = moulds_of(work)
    wanted = [number for number in range(rounds) if not round_path(work, number).exists()]
    is_sized = sizes_path(work).exists() and forms_path(work).exists()
    if not wanted and is_sized:
        return
    shelf = Library.open(library)
    assembler = _assembler(shelf)
    bodies = [scenes.body_of(assembler.part(mould["model"])) for mould in moulds]
    if not is_sized:
        rng = np.random.default_rng([seed, rounds])
        views = [scenes.views_of(body, SIZED_POSES, SIZED_VIEWS, OUTLINED, rng) for body in bodies]
        np.save(sizes_path(work), np.stack([sizes for sizes, _ in views]))
        np.save(forms_path(work), np.stack([forms for _, forms in views]))
    for number in wanted:
        each = POSES * VIEWS
        path = round_path(work, number)
        draft = path.with_suffix(".draft")
        layers = np.lib.format.open_memmap(
            draft, mode="w+", dtype=np.uint8,
            shape=(len(moulds) * each, scenes.SIZE, scenes.SIZE, 4),
        )  # fmt: skip
        sizes = np.empty((len(layers), 3), np.float32)
        for index, body in enumerate(bodies):
            rng = np.random.default_rng([seed, number, index])
            views = []
            for pose in scenes.drawn_poses(body, POSES, rng):
                views += scenes.render(body, body.poses[pose], VIEWS, rng)
            for place, view in enumerate(views, start=index * each):
                layers[place] = view.layers
                sizes[place] = view.long, view.short, view.elevation
        layers.flush()
        np.savez(
            path.with_suffix(".npz"),
            mould=np.repeat(np.arange(len(moulds), dtype=np.int32), each), sizes=sizes,
        )  # fmt: skip
        os.replace(draft, path)
        print(f"round {number} drawn", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--catalog", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--moulds", type=int, default=450)
    parser.add_argument("--also", nargs="*", default=[])
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    choose(
        library=asked.library, catalog=asked.catalog, work=asked.work, count=asked.moulds,
        also=asked.also,
    )  # fmt: skip
    draw_rounds(library=asked.library, work=asked.work, rounds=asked.rounds, seed=asked.seed)


if __name__ == "__main__":
    main()
