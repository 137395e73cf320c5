"""Teach the recogniser when no part is there, and how sure its shares are, on drawn photographs.

    python -m vision.presence --work FOLDER [--to apps/recognition/model] [--photographs 9000]

Photographs are drawn in shards, looked at as the app does, and kept beside the renders: ended and
begun again, it goes on with the next. What is fitted is a small network that judges the signs of
`apps/recognition/rules/presence.py`, and how much the shares are sharpened.
"""

import argparse
import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from apps.recognition.providers.eyes import MODEL, Eyes
from apps.recognition.rules import looking, presence, ranking, seeing
from vision import photographs, renders

Array = NDArray[Any]

SHARD: Final = 150  # photographs
_KINDS: Final = {"part": 0.58, "nothing": 0.3, "heap": 0.06, "other": 0.06}
PART, NOTHING, HEAP, OTHER = range(4)
# Held back: each so many-th shard, and all of what is `other` (kinds that nothing is fitted on).
_HELD: Final = 5
_INSIDE: Final = 24
_TOGETHER: Final = 3  # networks whose mean it is
_STEPS: Final = 1500
_BATCH: Final = 256
_DECAY: Final = 0.5
_LEFT_OUT: Final = 0.3
_SHAKEN: Final = 0.5
# A heap is no single part, and not nothing either: it counts less.
_WEIGHTS: Final = {PART: 1.0, NOTHING: 1.0, HEAP: 0.5, OTHER: 0.0}
# So many drawn pieces of nothing may be chosen, and so many parts be taken for nothing.
_CHOSEN: Final = 0.015
_REJECTED: Final = 0.01
# Below this share the first mould is seldom right: turning the part helps more.
_FIRST: Final = 0.2


@dataclass(frozen=True, slots=True)
class Samples:
    """Pieces of drawn photographs."""

    signs: Array
    kind: Array
    mould: Array  # of a part, else -1
    shares: Array  # by the ranking, as logarithms
    is_sized: Array
    shard: Array


def shard_path(work: Path, number: int, own: Eyes) -> Path:
    # What was looked at with other eyes, or drawn or looked at otherwise, is of no use.
    code = hashlib.sha256(own.version.encode())
    for module in (photographs, looking, presence, seeing):
        code.update(Path(str(module.__file__)).read_bytes())
    return work / "presence" / f"{code.hexdigest()[:10]}-{number:03d}.npz"


def gather(work: Path, own: Eyes, count: int, seed: int) -> Samples:
    """Draw the shards that are missing, and read all."""
    rounds = [renders.read_round(work, number) for number in range(99)
              if renders.round_path(work, number).exists()]  # fmt: skip
    (work / "presence").mkdir(exist_ok=True)
    read = []
    for number in range(-(-count // SHARD)):
        path = shard_path(work, number, own)
        if not path.exists():
            draft = path.with_suffix(".draft.npz")
            np.savez(draft, **_drawn(own, rounds, np.random.default_rng([seed, number])))
            os.replace(draft, path)
            print(f"photographs {number * SHARD} to {(number + 1) * SHARD} drawn", flush=True)
        with np.load(path) as told:
            read.append(
                {key: told[key] for key in told} | {"shard": np.full(len(told["kind"]), number)}
            )
    return Samples(**{key: np.concatenate([each[key] for each in read]) for key in read[0]})


def _drawn(own: Eyes, rounds: list[renders.Renders], rng: np.random.Generator) -> dict[str, Array]:
    popular = np.maximum(own.lots, ranking.RAREST_LOTS) ** ranking.POPULARITY
    popular = popular / popular.sum()
    rows: list[tuple[Any, ...]] = []
    for _ in range(SHARD):
        some = rounds[rng.integers(len(rounds))]

        def draw(some: renders.Renders = some) -> int:
            each = renders.POSES * renders.VIEWS
            # Halfway between each mould alike and as they are met.
            mould = (
                rng.integers(len(popular))
                if rng.random() < 0.5
                else rng.choice(len(popular), p=popular)
            )
            return int(mould * each + rng.integers(each))

        wanted = rng.choice(len(_KINDS), p=list(_KINDS.values()))
        if wanted == PART:
            shot = photographs.of_parts(rng, some, draw)
        elif wanted == HEAP:
            shot = photographs.of_heap(rng, some, draw)
        else:
            shot = photographs.of_nothing(rng, held_back=wanted == OTHER)
        rows += _pieces(own, shot, some, wanted, rng)
    signs, kind, mould, shares, is_sized = zip(*rows, strict=True)
    return {
        "signs": np.stack(signs), "kind": np.array(kind), "mould": np.array(mould),
        "shares": np.stack(shares).astype(np.float16), "is_sized": np.array(is_sized),
    }  # fmt: skip


def _pieces(
    own: Eyes,
    shot: photographs.Photograph,
    some: renders.Renders,
    wanted: int,
    rng: np.random.Generator,
) -> Iterator[tuple[Any, ...]]:
    seen = seeing.look(shot.rgb, may_have_card=False)
    # The one that is meant, and some of the others.
    for piece in seen.pieces[: 1 if rng.random() < 0.5 else 3]:
        kind, laid = _shown(shot, piece, wanted)
        if kind is None:
            continue
        measured = None
        if rng.random() < 0.3:
            scale, elevation = rng.uniform(0.05, 0.6), rng.uniform(40, 90)
            if laid is not None:
                long, _, elevation = some.sizes[laid.choice]
                points = np.argwhere(laid.cover)[:, ::-1].astype(np.float32)
                scale = float(long) / max(cv2.minAreaRect(points)[1])
            scale *= np.exp(rng.normal(0, 0.015))
            measured = ranking.Measured(
                piece.long * scale, piece.short * scale, float(elevation) + rng.normal(0, 2)
            )
        looked = looking.look_at(own, seen, piece, measured)
        shares = looking.mould_shares(own, [looked], temperature=1.0)
        mould = int(some.mould[laid.choice]) if laid is not None else -1
        yield looked.signs, kind, mould, np.log(shares + 1e-7), measured is not None


def _shown(
    shot: photographs.Photograph, piece: seeing.Piece, wanted: int
) -> tuple[int | None, photographs.Laid | None]:
    """Return what a piece is; None for what cannot be told, such as a corner of a part."""
    if not shot.parts:
        return wanted, None
    corners = cv2.boxPoints((piece.middle, (piece.long + 1, piece.short + 1), piece.angle))
    box = np.zeros(shot.rgb.shape[:2], np.uint8)
    cv2.fillPoly(box, [corners.astype(np.int32)], 1)
    inside = [float((laid.cover & (box > 0)).sum()) for laid in shot.parts]
    whole = [float(laid.cover.sum()) for laid in shot.parts]
    covered = sum(inside) / max(1.0, float(box.sum()))
    if covered < 0.05:
        return NOTHING, None
    share = [one / max(1.0, all_) for one, all_ in zip(inside, whole, strict=True)]
    best = int(np.argmax(inside))
    laid = shot.parts[best]
    if wanted == HEAP:
        several = sum(one > 0.25 and there > 60 for one, there in zip(share, whole, strict=True))
        return (HEAP if several > 2 or laid.shown < 0.3 else None), None
    rest = (sum(inside) - inside[best]) / max(1.0, inside[best])
    # Pieces are found badly on photographs, too: a fragment is a part's all the same.
    if share[best] > 0.25 and laid.shown > 0.5 and rest < 0.3 and covered > 0.2:
        return PART, laid
    return None, None


# -- Fitting ---------------------------------------------------------------------------


def fitted(samples: Samples, chosen: Array, seed: int) -> presence.Judge:
    """Return the judge that tells parts from the rest of the chosen samples."""
    signs, is_part = samples.signs[chosen], samples.kind[chosen] == PART
    weight = np.array([_WEIGHTS[int(kind)] for kind in samples.kind[chosen]])
    weight = np.where(is_part, weight / weight[is_part].sum(), weight / weight[~is_part].sum()) / 2
    mean, spread = signs.mean(axis=0), signs.std(axis=0) + 1e-3
    level = np.clip((signs - mean) / spread, -4, 4).astype(np.float32)
    each = [_network(level, is_part, weight, seed * _TOGETHER + one) for one in range(_TOGETHER)]
    inner, inner_bias, outer, bias = (
        np.concatenate(one, axis=-1) for one in zip(*each, strict=True)
    )
    return presence.Judge(mean, spread, inner, inner_bias, outer / _TOGETHER, bias.mean())


def _network(level: Array, is_part: Array, weight: Array, seed: int) -> list[Array]:
    """Return the weights and biases of one network (AdamW); rows are drawn by their weight."""
    signs = level.shape[1]
    rng = np.random.default_rng(seed)
    held = [
        rng.normal(0, signs ** -0.5, (signs, _INSIDE)), np.zeros(_INSIDE),
        rng.normal(0, _INSIDE**-0.5, _INSIDE), np.zeros(1),
    ]  # fmt: skip
    first, second = [np.zeros_like(one) for one in held], [np.zeros_like(one) for one in held]
    for step in range(1, _STEPS + 1):
        some = rng.choice(len(level), _BATCH, p=weight)
        # Signs are left out and shaken, so that none decides alone: photographs differ from these.
        shaken = level[some] * (rng.random((_BATCH, signs), np.float32) > _LEFT_OUT)
        shaken += _SHAKEN * rng.standard_normal(shaken.shape, np.float32)
        inner = shaken @ held[0] + held[1]
        inside = np.maximum(inner, 0)
        off = (1 / (1 + np.exp(-(inside @ held[2] + held[3]))) - is_part[some]) / _BATCH
        back = np.outer(off, held[2]) * (inner > 0)
        slopes = [shaken.T @ back, back.sum(axis=0), inside.T @ off, np.array([off.sum()])]
        rate = 0.01 * 0.5 * (1 + np.cos(np.pi * step / _STEPS))
        for place, slope in enumerate(slopes):
            first[place] = 0.9 * first[place] + 0.1 * slope
            second[place] = 0.999 * second[place] + 0.001 * slope**2
            now = first[place] / (1 - 0.9**step), second[place] / (1 - 0.999**step)
            held[place] -= rate * now[0] / (np.sqrt(now[1]) + 1e-8)
            if place in (0, 2):
                held[place] *= 1 - rate * _DECAY
    return held


def temperature(samples: Samples, chosen: Array, own: Eyes) -> float:
    """Return by what scores are divided so that the right moulds are likeliest, as they are met."""
    popular = np.maximum(own.lots, ranking.RAREST_LOTS) ** ranking.POPULARITY
    popular = popular / popular.sum()
    mould = samples.mould[chosen]
    # Half of the parts were drawn alike.
    weight = popular[mould] / (0.5 / len(popular) + 0.5 * popular[mould])
    logs = samples.shares[chosen].astype(np.float32)
    best = (np.inf, 1.0)
    for value in np.exp(np.linspace(np.log(0.5), np.log(4), 60)):
        level = logs / value
        level = level - level.max(axis=1, keepdims=True)
        right = level[np.arange(len(mould)), mould] - np.log(np.exp(level).sum(axis=1))
        best = min(best, (float(-(right * weight).sum() / weight.sum()), float(value)))
    return best[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="where the renders are")
    parser.add_argument("--to", type=Path, default=MODEL, help="the exported model it belongs to")
    parser.add_argument("--photographs", type=int, default=9_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    _begin(asked.to)
    own = Eyes(asked.to)
    samples = gather(asked.work, own, asked.photographs, asked.seed)
    print(json.dumps(teach(samples, own, asked.to, asked.seed), indent=1))


def _begin(to: Path) -> None:
    """Give a model that was just exported a judge that takes all for parts: it is looked at with it."""
    told = json.loads((to / "eyes.json").read_text(encoding="utf-8"))
    if "calibration" not in told:
        one = dict.fromkeys(("mean", "inner_bias", "outer", "outer_bias"), np.zeros(1))
        _write(to, told | {"calibration": {"part_from": 0, "nothing_below": 0, "chosen_from": 0, "temperature": 1,
                                           "sized_temperature": 1}},
               one | {"spread": np.ones(1), "inner": np.zeros((1, 1))})  # fmt: skip


def _write(to: Path, told: dict[str, Any], judge: dict[str, Array]) -> None:
    np.savez_compressed(to / "presence.npz", **judge)
    (to / "eyes.json").write_text(json.dumps(told, separators=(",", ":")) + "\n", encoding="utf-8")


def teach(samples: Samples, own: Eyes, to: Path, seed: int) -> dict[str, Any]:
    """Fit all, write it beside the model, and return the figures on what was held back."""
    held = samples.shard % _HELD == 0
    judge = fitted(samples, ~held, seed)
    scores = judge.score(samples.signs)
    parts = samples.kind == PART
    chosen_from = float(np.quantile(scores[held & (samples.kind == NOTHING)], 1 - _CHOSEN))
    not_nothing = float(np.quantile(scores[held & parts], _REJECTED))
    figures: dict[str, Any] = {
        name: {"pieces": int(some.sum()), "chosen": round(float((scores[some] >= chosen_from).mean()), 3)}
        for name, some in {
            "parts": held & parts, "grounds and things": held & (samples.kind == NOTHING),
            "heaps and bits": held & (samples.kind == HEAP), "kinds not fitted on": samples.kind == OTHER,
        }.items()
    }  # fmt: skip
    told = json.loads((to / "eyes.json").read_text(encoding="utf-8"))
    told["calibration"] = {
        "part_from": round(1 / (1 + np.exp(-chosen_from)), 4),
        "chosen_from": _FIRST,
        "nothing_below": round(1 / (1 + np.exp(-not_nothing)), 4),
        "temperature": round(temperature(samples, parts & ~held & ~samples.is_sized, own), 3),
        "sized_temperature": round(temperature(samples, parts & ~held & samples.is_sized, own), 3),
    }
    # The large ones in 16 bits.
    _write(to, told, {name: np.asarray(getattr(judge, name), np.float16 if name == "inner" else np.float32)
                      for name in presence.Judge.__slots__})  # fmt: skip
    return figures | told["calibration"]


if __name__ == "__main__":
    main()
