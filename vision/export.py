"""Write the files that the app loads: the network, and what is known of its moulds.

python -m vision.export --work FOLDER [--to apps/recognition/model] [--halfway-from MODEL]
"""

import argparse
import json
import subprocess
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from vision import renders
from vision.network import Fine, exported
from vision.train import trained

TO: Final = Path(__file__).resolve().parent.parent / "apps" / "recognition" / "model"
LICENCE: Final = (
    "Made from models of The LDraw Parts Library (www.ldraw.org, CC BY 2.0 and CC BY 4.0) and "
    "from weights of EfficientNet-Lite0 (Google; PyTorch version by ML Illustrated; Apache 2.0)."
)
_ALIKE: Final = 0.955
_PATTERNS: Final = 12
# Finer steps than views are compared with only make the file larger.
_STEPS: Final = 64  # for a doubling of a side
_DEGREE_STEPS: Final = 1
_LEVELS: Final = 63  # of a pattern, to each side


def export(work: Path, to: Path, halfway_from: Path | None = None) -> None:
    eyes, progress = trained(work)
    if halfway_from is not None:
        count = len(renders.moulds_of(work))
        before = exported(halfway_from / "eyes.onnx", count)["fine"].state_dict()
        for key, value in eyes.fine.state_dict().items():
            if value.is_floating_point():
                value.lerp_(before[key], 0.5)
    pictures = {name: one.before + one.pictures for name, one in progress.items()}
    to.mkdir(parents=True, exist_ok=True)
    draft = work / "eyes.onnx"
    torch.onnx.export(
        eyes, (torch.zeros(1, 3, Fine.large, Fine.large), torch.zeros(1, 3)), str(draft), dynamo=False,
        opset_version=17, input_names=["pictures", "tokens"], output_names=["vectors", "scores"],
        dynamic_axes={name: {0: "n"} for name in ("pictures", "tokens", "vectors", "scores")},
    )  # fmt: skip
    onnx.save(halved(onnx.load(draft)), to / "eyes.onnx")
    moulds = renders.moulds_of(work)
    twins = twins_of(work, len(moulds))
    np.savez_compressed(to / "sizes.npz", sizes=sizes_of(work), **covers_of(work))
    figures = work / "figures.json"
    commit = subprocess.run(
        ["git", "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True, check=False
    ).stdout.strip()
    told: dict[str, Any] = {
        "version": f"{commit}-{sum(pictures.values())}",
        "commit": commit,
        "licence": LICENCE,
        "size": Fine.large,
        "pictures": pictures,
        "share_of_pieces": json.loads((work / "moulds.json").read_text())["share"],
        "figures": json.loads(figures.read_text()) if figures.exists() else {},
        "moulds": [
            {"number": mould["number"], "name": mould["name"], "numbers": mould["numbers"],
             "lots": mould["lots"], "twins": twins[index]}
            for index, mould in enumerate(moulds)
        ],
    }  # fmt: skip
    (to / "eyes.json").write_text(json.dumps(told, separators=(",", ":")) + "\n")
    print(
        f"{(to / 'eyes.onnx').stat().st_size / 1e6:.1f} MB, {len(moulds)} moulds, {told['version']}"
    )


def halved(model: onnx.ModelProto) -> onnx.ModelProto:
    """Keep large weights in 16 bits; the runtime widens them once, as it loads."""
    casts = []
    for weight in model.graph.initializer:
        values = numpy_helper.to_array(weight)
        if weight.data_type != TensorProto.FLOAT or values.size < 512:
            continue
        name = weight.name
        weight.CopyFrom(numpy_helper.from_array(values.astype(np.float16), f"{name}_half"))
        casts.append(helper.make_node("Cast", [f"{name}_half"], [name], to=TensorProto.FLOAT))
    for place, cast in enumerate(casts):
        model.graph.node.insert(place, cast)
    return model


def sizes_of(work: Path) -> NDArray[np.float16]:
    """Return log2 of length and width (mm) with the elevation for some views of each mould."""
    sizes = np.load(renders.sizes_path(work))
    sizes = sizes.reshape(len(sizes), -1, 3)
    sizes[..., :2] = np.log2(np.maximum(sizes[..., :2], 1))
    sizes[..., :2] = np.round(sizes[..., :2] * _STEPS) / _STEPS
    sizes[..., 2] = np.round(sizes[..., 2] * _DEGREE_STEPS) / _DEGREE_STEPS
    kept: NDArray[np.float16] = sizes.astype(np.float16)
    return kept


def covers_of(work: Path) -> dict[str, Any]:
    """Return what views cover of their rectangles, as sums of the patterns that differ most."""
    forms = np.load(renders.forms_path(work))
    flat = forms.reshape(len(forms), -1, forms.shape[-1] * forms.shape[-2]).astype(np.float32) / 255
    each = flat.reshape(-1, flat.shape[-1])
    mean = each.mean(axis=0)
    _, patterns = np.linalg.eigh(np.cov((each - mean).T))
    patterns = patterns[:, : -_PATTERNS - 1 : -1].T.astype(np.float32)
    weights = (flat - mean) @ patterns.T
    step = np.float32(np.abs(weights).max() / _LEVELS)
    return {"covers": np.round(weights / step).astype(np.int8), "step": step, "mean": mean,
            "patterns": patterns}  # fmt: skip


def twins_of(work: Path, moulds: int) -> list[list[int]]:
    """Return which others each is taken for from above: the same outline, as it is or mirrored."""
    kept = [renders.read_round(work, number) for number in range(4)
            if renders.round_path(work, number).exists()]  # fmt: skip
    outlines: list[NDArray[Any]] = []
    spans: list[NDArray[Any]] = []
    each = renders.POSES * renders.VIEWS
    for mould in range(moulds):
        own = slice(mould * each, (mould + 1) * each)
        above = [(some.layers[own][row, :, :, 2], some.sizes[own][row]) for some in kept
                 for row in range(each) if some.sizes[own][row, 2] > 76]  # fmt: skip
        shapes = np.stack([cv2.resize(np.asarray(cover), (28, 28), interpolation=cv2.INTER_AREA)
                           for cover, _ in above]) if above else np.zeros((0, 28, 28), np.uint8)  # fmt: skip
        outlines.append(shapes > 127)
        spans.append(np.array([span for _, span in above]).reshape(-1, 3))
    twins: list[set[int]] = [set() for _ in range(moulds)]
    for one in range(moulds):
        for other in range(one + 1, moulds):
            if _look_alike(outlines[one], spans[one], outlines[other], spans[other]):
                twins[one].add(other)
                twins[other].add(one)
    return [sorted(of) for of in twins]


def _look_alike(one: Any, one_span: Any, other: Any, other_span: Any) -> bool:
    if not len(one) or not len(other):
        return False
    near = (np.abs(np.log(one_span[:, None, :2] / other_span[None, :, :2])) < 0.06).all(axis=2)
    if not near.any():
        return False
    flat = one.reshape(len(one), -1).astype(np.float32)
    for turned in (other, other[:, ::-1], other[:, :, ::-1], other[:, ::-1, ::-1]):
        second = turned.reshape(len(other), -1).astype(np.float32)
        both = flat @ second.T
        either = flat.sum(axis=1)[:, None] + second.sum(axis=1)[None] - both
        # By chance two views of different things may agree: most of what agrees in size must.
        alike = (both / np.maximum(either, 1) > _ALIKE) & near
        if alike.sum() >= max(2, 0.3 * near.sum()):
            return True
    return False


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--to", type=Path, default=TO)
    parser.add_argument(
        "--halfway-from", type=Path,
        help="an exported model that the training began with: Fine is the mean of both weights",
    )  # fmt: skip
    asked = parser.parse_args()
    export(asked.work, asked.to, asked.halfway_from)


if __name__ == "__main__":
    main()
