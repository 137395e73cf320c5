"""Train both networks of the recogniser on renders of the models of parts.

    python -m vision.train --library LDRAW --catalog TABLES --work FOLDER [--begin-with MODEL]

Renders come from a process beside this one and are learnt from as soon as a round is drawn. What
is there already (renders, checkpoint) is gone on from; `--seed` decides all that is drawn by chance.
`--begin-with` goes on from a model that was exported, on new renders: a tenth of the pictures do.
"""

import argparse
import json
import math
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from vision import augment, renders
from vision.captures import Captures, read_captures
from vision.network import NETWORKS, Eyes, Fine, Network, Whole, exported

BATCH: Final = 96
CAPTURED: Final = 16  # of a batch, where there are confirmed pictures
SMALL: Final = 64  # pixels that a training begins with; a step costs less than half
_CONSTANT_UNTIL: Final = 0.35  # of the way; from there the rate falls
_GOING_ON: Final = 0.05  # of the rate, for weights that are trained already
_WARM_UP: Final = 200  # steps
# Of the minutes and pictures, for each network.
_SHARES: Final = {"fine": 0.6, "whole": 0.4}
_SMOOTHING: Final = 0.05
_AVERAGE: Final = 0.998
_SAVE_SECONDS: Final = 90
_HAS_16_BITS: Final = torch.ops.mkldnn._is_mkldnn_bf16_supported()
_HELD_OUT: Final = renders.POSES * renders.VIEWS  # the last of each mould in round 0


@dataclass
class Progress:
    """How far the training is; it is saved with the weights."""

    seconds: float = 0.0
    pictures: int = 0
    steps: int = 0
    size: int = SMALL
    before: int = 0  # pictures that the weights it began with were trained on


@dataclass(frozen=True, slots=True)
class Plan:
    net: str  # of NETWORKS
    work: Path
    pictures: float
    minutes: float
    seed: int
    captures: Captures | None = None
    begin_with: Path | None = None  # a folder that was exported to


class Pool:
    """The renders that are drawn so far."""

    def __init__(self, work: Path) -> None:
        self.work = work
        self.rounds: list[renders.Renders] = []

    def grow(self) -> None:
        while renders.round_path(self.work, len(self.rounds)).exists():
            self.rounds.append(renders.read_round(self.work, len(self.rounds)))

    def draw(self, rng: np.random.Generator) -> tuple[renders.Renders, NDArray[np.int64]]:
        """Return renders of one round for a batch."""
        number = int(rng.integers(len(self.rounds)))
        some = self.rounds[number]
        chosen = rng.integers(len(some.mould), size=BATCH)
        if number == 0:
            chosen -= chosen % _HELD_OUT == _HELD_OUT - 1
        return some, chosen


def train(plan: Plan) -> Path:
    """Train until the pictures or the minutes are used up. Return the checkpoint."""
    torch.set_num_threads(1)  # more of them wait for each other where cores are shared
    torch.manual_seed(plan.seed)
    pool = Pool(plan.work)
    while not pool.rounds:
        pool.grow()
        time.sleep(0 if pool.rounds else 2)
    moulds = len(renders.moulds_of(plan.work))
    net: Network = NETWORKS[plan.net](moulds).to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(net.groups(), lr=net.rate, weight_decay=net.decay)
    average = {key: value.clone() for key, value in net.state_dict().items()}
    progress = Progress()
    path = checkpoint_of(plan.work, plan.net)
    if plan.begin_with is not None:
        told = json.loads((plan.begin_with / "eyes.json").read_text())
        progress.before = told["pictures"][plan.net]
        begun_with = exported(plan.begin_with / "eyes.onnx", moulds)[plan.net].state_dict()
        net.load_state_dict(begun_with)
        average = {key: value.clone() for key, value in begun_with.items()}
    if path.exists():
        kept = _read(path)
        net.load_state_dict(kept["net"])
        optimizer.load_state_dict(kept["optimizer"])
        average, progress = kept["average"], Progress(**kept["progress"])
        print(f"going on after {progress.pictures:,} pictures", flush=True)

    progress.size = net.large
    begun, seconds_before, saved = time.monotonic(), progress.seconds, time.monotonic()
    losses: list[float] = []
    stop = threading.Event()
    share = _share(plan, progress)
    full = net.rate * (_GOING_ON if plan.begin_with is not None else 1)
    made = _prepared(plan, net, pool, progress, stop)
    while share < 1:
        pictures, tokens, labels = next(made)
        net.train()
        if plan.begin_with is not None:
            # Its batch norms are in the convolutions already.
            for module in net.modules():
                if isinstance(module, nn.BatchNorm2d):
                    module.eval()
        warm_up = 30 if plan.begin_with is not None else _WARM_UP
        rate = full * _rate(share, progress.steps, warm_up)
        loss = _step(net, optimizer, pictures, tokens, labels, rate)
        losses.append(loss)
        progress.steps += 1
        progress.pictures += BATCH
        decay = min(_AVERAGE, (1 + progress.steps) / (10 + progress.steps))
        for key, value in net.state_dict().items():
            average[key].lerp_(value, 1 - decay) if value.is_floating_point() else None
        progress.seconds = seconds_before + time.monotonic() - begun
        share = _share(plan, progress)
        if time.monotonic() - saved > _SAVE_SECONDS or share >= 1:
            saved = time.monotonic()
            _save(path, net, optimizer, average, progress)
            print(
                f"{progress.seconds / 60:.1f} min, {progress.pictures:,} pictures, "
                f"{len(pool.rounds)} rounds, loss {np.mean(losses[-60:]):.3f}, "
                f"{share:.0%} of the way",
                flush=True,
            )
    stop.set()
    return path


def _share(plan: Plan, progress: Progress) -> float:
    return max(progress.pictures / plan.pictures, progress.seconds / 60 / plan.minutes)


def _rate(share: float, steps: int, warm_up: int) -> float:
    """Return which part of the full rate a step has."""
    falling = max(0.0, min(1.0, share) - _CONSTANT_UNTIL) / (1 - _CONSTANT_UNTIL)
    return min(1.0, (steps + 1) / warm_up) * 0.5 * (1 + math.cos(math.pi * falling))


def _step(
    net: Network, optimizer: torch.optim.Optimizer, pictures: Tensor, tokens: Tensor, labels: Tensor,
    rate: float,
) -> float:  # fmt: skip
    for group in optimizer.param_groups:
        group["lr"] = rate * group["share"]
    # 16 bits: twice as many pictures in the same time where the CPU has them, a tenth where not.
    with torch.autocast("cpu", torch.bfloat16, enabled=_HAS_16_BITS):
        _, scores = net(pictures, tokens)
    loss = nn.functional.cross_entropy(scores.float(), labels, label_smoothing=_SMOOTHING)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_([p for p in net.parameters() if p.requires_grad], 5.0)
    optimizer.step()
    return loss.item()


def _prepared(
    plan: Plan, net: Network, pool: Pool, progress: Progress, stop: threading.Event
) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """Yield batches that a thread makes ahead."""
    ready: queue.Queue[tuple[Tensor, Tensor, Tensor]] = queue.Queue(maxsize=4)

    def make() -> None:
        rng = np.random.default_rng([plan.seed, progress.steps])
        while not stop.is_set():
            pool.grow()
            is_small = plan.begin_with is None and _share(plan, progress) < net.small_until
            size = SMALL if is_small else net.large
            some, chosen = pool.draw(rng)
            pictures, tokens = augment.batch(some.layers, some.sizes, chosen, size, rng)
            labels = some.mould[chosen].astype(np.int64)
            if plan.captures is not None:
                pictures[:CAPTURED], tokens[:CAPTURED], labels[:CAPTURED] = plan.captures.batch(
                    CAPTURED, size, rng
                )
            batch = (
                torch.from_numpy(pictures).contiguous(memory_format=torch.channels_last),
                torch.from_numpy(tokens),
                torch.from_numpy(labels),
            )
            while not stop.is_set():
                try:
                    ready.put(batch, timeout=1)
                    break
                except queue.Full:
                    continue

    threading.Thread(target=make, daemon=True).start()
    while True:
        yield ready.get()


def _save(
    path: Path, net: Network, optimizer: torch.optim.Optimizer, average: dict[str, Tensor],
    progress: Progress,
) -> None:  # fmt: skip
    draft = path.with_suffix(".draft")
    kept: dict[str, Any] = {
        "net": net.state_dict(),
        "average": average,
        "optimizer": optimizer.state_dict(),
        "progress": vars(progress),
    }
    torch.save(kept, draft)
    os.replace(draft, path)


def _read(path: Path) -> dict[str, Any]:
    kept: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=False)
    return kept


def checkpoint_of(work: Path, net: str) -> Path:
    return work / f"{net}.pt"


def trained(work: Path) -> tuple[Eyes, dict[str, Progress]]:
    """Return both networks, their weights averaged over the last steps, and how far each came."""
    moulds = len(renders.moulds_of(work))
    nets: dict[str, Network] = {}
    progress = {}
    for name, kind in NETWORKS.items():
        kept = _read(checkpoint_of(work, name))
        nets[name] = kind(moulds, pretrained=False)
        nets[name].load_state_dict(kept["average"])
        progress[name] = Progress(**kept["progress"])
    whole, fine = nets["whole"], nets["fine"]
    assert isinstance(whole, Whole)
    assert isinstance(fine, Fine)
    return Eyes(whole, fine).eval(), progress


def unlike(model: Path, work: Path) -> str:
    """Return why a training cannot go on from a model, or nothing."""
    try:
        told = json.loads((model / "eyes.json").read_text())
    except FileNotFoundError:
        return "there is no eyes.json"
    if [row["number"] for row in told["moulds"]] != [
        row["number"] for row in renders.moulds_of(work)
    ]:
        return "it was trained on another list of moulds"
    return ""


def figures(work: Path, eyes: Eyes) -> dict[str, float]:
    """Measure on renders that were held back, with the full augmentation."""
    held = renders.read_round(work, 0)
    chosen = np.arange(_HELD_OUT - 1, len(held.mould), _HELD_OUT)
    found: dict[str, float] = {}
    for known in (True, False):
        rng = np.random.default_rng(99)
        right = {1: 0, 5: 0}
        for some in np.array_split(chosen, max(1, len(chosen) // BATCH)):
            pictures, tokens = augment.batch(
                held.layers, held.sizes, some, Fine.large, rng, known_size=known
            )
            with torch.no_grad():
                _, scores = eyes(torch.from_numpy(pictures), torch.from_numpy(tokens))
            best = scores.topk(5).indices.numpy()
            hits = best == held.mould[some][:, None]
            right[1] += int(hits[:, 0].sum())
            right[5] += int(hits.any(axis=1).sum())
        for count, hit in right.items():
            found[f"renders_{'sized' if known else 'unsized'}_top{count}"] = round(
                hit / len(chosen), 4
            )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", type=Path, required=True, help="LDraw: folder or archive")
    parser.add_argument("--catalog", type=Path, required=True, help="rebrickable/ and mapping/")
    parser.add_argument("--work", type=Path, required=True, help="renders and checkpoints")
    parser.add_argument("--moulds", type=int, default=450)
    parser.add_argument("--also", nargs="*", default=["2639"])
    parser.add_argument("--rounds", type=int, default=14, help="of 12 renders a mould")
    parser.add_argument("--pictures", type=int, default=1_200_000)
    parser.add_argument("--minutes", type=float, default=180)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--captures", type=Path, nargs="*", default=[], help="zips that the app exported"
    )
    parser.add_argument("--begin-with", type=Path, help="folder of an exported model to go on from")
    parser.add_argument("--no-renders", action="store_true", help="another process draws them")
    asked = parser.parse_args()
    drawing = None
    if not asked.no_renders:
        asked.work.mkdir(parents=True, exist_ok=True)
        renders.choose(
            library=asked.library, catalog=asked.catalog, work=asked.work, count=asked.moulds,
            also=asked.also,
        )  # fmt: skip
    if asked.begin_with is not None:
        problem = unlike(asked.begin_with, asked.work)
        if problem:
            parser.error(f"--begin-with {asked.begin_with}: {problem}")
    if not asked.no_renders:
        drawing = subprocess.Popen(
            [sys.executable, "-m", "vision.renders", "--library", str(asked.library), "--catalog",
             str(asked.catalog), "--work", str(asked.work), "--rounds", str(asked.rounds),
             "--seed", str(asked.seed)]
        )  # fmt: skip
    for name, share in _SHARES.items():
        captures = None
        if asked.captures:
            moulds = renders.moulds_of(asked.work)
            captures = read_captures(asked.captures, moulds, NETWORKS[name].large)
            print(f"{len(captures.mould)} captures, {captures.left_out} of other parts", flush=True)
        plan = Plan(
            name, asked.work, asked.pictures * share, asked.minutes * share, asked.seed, captures,
            asked.begin_with,
        )  # fmt: skip
        train(plan)
    if drawing is not None:
        drawing.terminate()
        drawing.wait()
    eyes, _ = trained(asked.work)
    told = figures(asked.work, eyes)
    (asked.work / "figures.json").write_text(json.dumps(told, indent=1))
    print(json.dumps(told, indent=1))


if __name__ == "__main__":
    main()
