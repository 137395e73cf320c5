"""Any folder of photographs with a `manifest.csv`: what the recogniser says of each.

Columns: `file`, `part` (empty: no part is there), `piece` (views of one piece share it), `camera`.
"""

import csv
import itertools
import math
import statistics
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

BINS = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9)
FEW = 30  # a bin of fewer says nothing


@dataclass(slots=True)
class Answers:
    """What was said of pictures: of each its presence, the share of the first, and its place."""

    presences: list[str] = field(default_factory=list)
    first: list[float] = field(default_factory=list)
    places: list[int] = field(default_factory=list)  # of the right one, from 0; 99: not in five

    def add(self, own: Any, looks: Sequence[Any], right: Iterable[int]) -> None:
        from apps.recognition.rules import looking

        if not looks:
            self.presences.append("NOTHING")
            self.first.append(0.0)
            self.places.append(99)
            return
        part = looking.part_share(own, looks)
        shares = looking.mould_shares(own, looks) * part
        best = [int(index) for index in (-shares).argsort()[:5]]
        wanted = set(right)
        self.presences.append(own.calibration.presence(part, float(shares[best[0]])))
        self.first.append(float(shares[best[0]]))
        self.places.append(next((at for at, index in enumerate(best) if index in wanted), 99))

    def named(self, name: str) -> dict[str, float | str]:
        """Return how often the right one is the first or among five, and how parts are taken."""
        count = len(self.places)
        found: dict[str, float | str] = {f"{name}_n": count}
        for top in (1, 5):
            found |= share(f"{name}_top{top}", sum(place < top for place in self.places), count)
        return found | self.missed(name)

    def missed(self, name: str) -> dict[str, float | str]:
        """Return how many parts are taken for nothing, and for how many no row is chosen."""
        count = len(self.presences)
        return share(
            f"{name}_rejected", self.presences.count("NOTHING"), count
        ) | share(f"{name}_unchosen", count - self.presences.count("PART"), count)  # fmt: skip

    def armed(self, name: str) -> dict[str, float | str]:
        """Return for how many pictures of nothing a row is chosen all the same."""
        count = len(self.presences)
        return {f"{name}_n": count} | share(f"{name}_armed", self.presences.count("PART"), count)


def share(name: str, some: int, count: int) -> dict[str, float | str]:
    """Return a share and Wilson's interval of it (95 %)."""
    if not count:
        return {}
    one, z = some / count, 1.96
    middle, wide = (
        one + z * z / 2 / count,
        z * math.sqrt(one * (1 - one) / count + (z / count) ** 2 / 4),
    )
    low, high = (
        max(0.0, min(1.0, (middle + side * wide) / (1 + z * z / count))) for side in (-1, 1)
    )
    return {name: round(one, 3), f"{name}_between": f"{low:.3f} and {high:.3f}"}


def bins(name: str, answers: Iterable[Answers]) -> dict[str, float | str]:
    """Return how often the first was right, by what was said of it, where a bin has enough."""
    told = [pair for one in answers for pair in zip(one.first, one.places, strict=True)]
    found: dict[str, float | str] = {}
    for low, high in itertools.pairwise((*BINS, 1.01)):
        some = [(said, place == 0) for said, place in told if low <= said < high]
        if len(some) >= FEW:
            said = statistics.fmean(said for said, _ in some)
            right = statistics.fmean(is_right for _, is_right in some)
            found[f"{name}_{low:g}_to_{min(1.0, high):g}"] = (
                f"said {said:.2f}, right {right:.2f}, n {len(some)}"
            )
    return found


def looked_at(own: Any, rgb: Any) -> list[Any]:
    """Return the look at the piece that is meant; none where there is no piece."""
    from apps.recognition.rules import looking, seeing

    looked = looking.look_at_main(own, seeing.look(rgb))
    return [] if looked is None else [looked]


def folder_figures(
    own: Any, known: dict[str, int], folder: Path, rgb_of: Any
) -> tuple[dict[str, float | str], list[Answers]]:
    """Return the figures of a folder, and the answers about one picture of a part that is learnt."""
    one, two, nothing = Answers(), Answers(), defaultdict[str, Answers](Answers)
    others = Answers()
    views: dict[tuple[int, str, str], list[Any]] = defaultdict(list)
    times = []
    with (folder / "manifest.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        rgb = rgb_of(folder / row["file"])
        begun = time.process_time()
        looks = looked_at(own, rgb)
        if not row["part"]:
            nothing[row.get("camera") or "nothing"].add(own, looks, ())
            continue
        mould = mould_of(known, row["part"])
        (others if mould is None else one).add(own, looks, () if mould is None else (mould,))
        times.append((time.process_time() - begun) * 1000)
        if mould is not None and row.get("piece"):
            views[mould, row["part"], row["piece"]] += looks
    for (mould, _, _), looks in views.items():
        for pair in itertools.combinations(looks, 2):
            two.add(own, pair, (mould,))
    found: dict[str, float | str] = {}
    if one.places:
        found |= one.named("one") | bins("one", [one])
    if two.places:
        found |= two.named("two") | bins("two", [two])
    if others.places:
        found |= {"not_learnt_n": len(others.places)} | others.missed("not_learnt")
    for kind, answers in nothing.items():
        found |= answers.armed(kind.replace(" ", "_"))
    if len(nothing) > 1:
        every = Answers([each for answers in nothing.values() for each in answers.presences])
        found |= every.armed("nothing_in_all")
    if times:
        found |= {
            "folder_p50_ms": round(statistics.median(times), 1),
            "folder_p95_ms": round(float(np.quantile(times, 0.95)), 1),
        }
    return found, [one]


def mould_of(known: dict[str, int], number: str) -> int | None:
    """Return the mould of a part number, with or without the letter of its age."""
    return next((known[one] for one in (number, number.rstrip("abcdefgh")) if one in known), None)
