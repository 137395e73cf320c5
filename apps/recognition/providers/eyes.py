"""The recogniser of our own: a network that travels with the project, run in this process.

It is loaded when it is first asked, once a process, and runs on one thread.
"""

import json
import math
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

NAME: Final = "Brickstow"
MODEL: Final = Path(__file__).resolve().parent.parent / "model"
VECTOR: Final = 320


class NoEyes(Exception):
    """The model cannot be used; the text is the reason, for a person."""


@dataclass(frozen=True, slots=True)
class Mould:
    """A class of the network: a family of part numbers."""

    number: str
    name: str
    numbers: tuple[str, ...]
    lots: int
    twins: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Look:
    """The network's output of one crop: a vector of length 1, and a share for each mould."""

    vector: Any
    shares: Any
    agreement: float  # of both networks and of the crop turned by half: 0 if they say the same
    steadiness: float  # how far the vector stays as it is when the crop is turned


@dataclass(frozen=True, slots=True)
class Calibration:
    """How sure answers are, measured on drawn photographs; vision/presence.py writes it."""

    part_from: float  # from this share on it is taken for a part
    nothing_below: float  # below it, nothing is there
    chosen_from: float  # from this share of its first mould on, that may be chosen at once
    temperature: float  # by which the ranking's scores are divided
    sized_temperature: float  # the same, where the size is known

    def presence(self, part: float, first: float) -> str:
        """Return what is there: PART, UNSURE or NOTHING.

        `part` is how likely it is one, `first` how likely it is the first mould.
        """
        if part >= self.part_from and first >= self.chosen_from:
            return "PART"
        return "NOTHING" if part < self.nothing_below else "UNSURE"


class Eyes:
    """The network with the data of its moulds."""

    def __init__(self, folder: Path) -> None:
        import numpy as np
        import onnxruntime

        try:
            told = json.loads((folder / "eyes.json").read_text(encoding="utf-8"))
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = 1
            options.inter_op_num_threads = 1
            # The arena never gives back the memory of a large batch.
            options.enable_cpu_mem_arena = False
            options.log_severity_level = 3
            self._session = onnxruntime.InferenceSession(
                (folder / "eyes.onnx").read_bytes(), options, providers=["CPUExecutionProvider"]
            )
            with np.load(folder / "sizes.npz") as views:
                self.sizes = views["sizes"].astype(np.float32)
                covers = views["covers"].astype(np.float32) * views["step"]
                # One view of several has a cover.
                sides = self.sizes[:, :: self.sizes.shape[1] // covers.shape[1]]
                self.forms = {
                    "weights": covers, "ratios": sides[..., 1] - sides[..., 0],
                    "mean": views["mean"], "patterns": views["patterns"],
                }  # fmt: skip
            self.version = str(told["version"])
            self.figures: dict[str, Any] = dict(told["figures"])
            self.licence = str(told["licence"])
            self.share_of_pieces = float(told["share_of_pieces"])
            self.calibration = Calibration(**told["calibration"])
            with np.load(folder / "presence.npz") as weights:
                self.judge = {name: weights[name].astype(np.float32) for name in weights}
            self._size = int(told["size"])
            self.moulds = tuple(
                Mould(
                    number=row["number"], name=row["name"], numbers=tuple(row["numbers"]),
                    lots=int(row["lots"]), twins=tuple(row["twins"]),
                )
                for row in told["moulds"]
            )  # fmt: skip
            outputs = {output.name: output.shape for output in self._session.get_outputs()}
        except FileNotFoundError as problem:
            raise NoEyes(
                f"The model file {Path(problem.filename or '').name} is missing."
            ) from problem
        except Exception as problem:
            raise NoEyes("The model file cannot be read.") from problem
        moulds = {outputs.get("scores", [0])[-1], len(self.sizes), len(covers)}
        if outputs.get("vectors", [0])[-1] != VECTOR or moulds != {len(self.moulds)}:
            raise NoEyes("The model file belongs to another version of its list of moulds.")
        self.lots = np.array([mould.lots for mould in self.moulds], np.float32)

    @property
    def size(self) -> int:
        """Return how many pixels a crop has on each side."""
        return self._size

    def look(self, crop: Any, *, long: float | None, aspect: float) -> Look:
        """Identify a square crop (size, size, 3 bytes); `long` in mm if it is known.

        The crop is seen as it is and turned by half, with and without its size.
        """
        import numpy as np

        both = np.stack([crop, crop[::-1, ::-1]]).astype(np.float32)
        pictures = np.ascontiguousarray((both / 127.5 - 1).transpose(0, 3, 1, 2))
        tokens = np.array([[0.0, 0.0, aspect]] * 2, np.float32)
        if long is not None:
            told = [[math.log2(max(long, 1.0)) - 4.5, 1.0, aspect]] * 2
            pictures = np.concatenate([pictures, pictures])
            tokens = np.concatenate([tokens, np.array(told, np.float32)])
        vectors, scores = self._session.run(None, {"pictures": pictures, "tokens": tokens})
        mean = scores.mean(axis=0)
        shares = np.exp(mean - mean.max())
        vector = vectors[:2].mean(axis=0)
        steadiness = max(1e-6, float(np.linalg.norm(vector)))
        # The mean of logarithms of shares sums up to less, the more they differ.
        agreement = float(mean.max() + np.log(shares.sum()))
        return Look(vector / steadiness, shares / shares.sum(), agreement, steadiness)


_lock = threading.Lock()
_loaded: dict[Path, Eyes | NoEyes] = {}


def eyes(folder: Path = MODEL) -> Eyes:
    """Return the recogniser of this process. Raises NoEyes, which is remembered too."""
    with _lock:
        if folder not in _loaded:
            try:
                _loaded[folder] = Eyes(folder)
            except NoEyes as problem:
                _loaded[folder] = problem
            except ImportError:
                _loaded[folder] = NoEyes("The package onnxruntime is not installed.")
        found = _loaded[folder]
    if isinstance(found, NoEyes):
        raise found
    return found


def forget() -> None:
    """Load the model again at the next use: for tests, and after a model was replaced."""
    with _lock:
        _loaded.clear()
