"""LDraw models (.ldr, .mpd, Studio's .io) as a table of their parts. Runs in a process of its own."""

from __future__ import annotations

from collections import Counter
from typing import Final

#: The colour that a part takes from what holds it.
_AS_ABOVE: Final = "16"
_EDGES: Final = "24"
_MOST_STEPS: Final = 2_000_000
_MOST_PIECES: Final = 2**31 - 1
_DEEPEST: Final = 64
Parts = Counter[tuple[str, str]]


class TooLarge(ValueError):
    """The model is larger than is read."""


def is_ldraw(start: bytes) -> bool:
    """Whether a text begins as a model does: comments (0) and at least one part (1)."""
    lines = [line.split() for line in start.splitlines() if line.strip()]
    if not lines or lines[0][0] != b"0":
        return False
    return any(line[0] == b"1" and len(line) >= 15 for line in lines)


def as_table(content: bytes) -> bytes:
    """Return the parts of a model as CSV with LDraw's colours: sub-models are counted in.

    Raises TooLarge.
    """
    models: dict[str, Parts] = {}
    main: str | None = None
    name = ""
    for line in content.decode("utf-8-sig", errors="replace").splitlines():
        words = line.split(maxsplit=14)
        if len(words) > 2 and words[0] == "0" and words[1].upper() == "FILE":
            name = _name(line.split(maxsplit=2)[2])
            main = name if main is None else main
        elif len(words) == 15 and words[0] == "1":
            # Parts before the first FILE are the model's own.
            main = name if main is None else main
            models.setdefault(name, Counter())[_name(words[14]), words[1]] += 1
    main = main or ""
    # What is a part stays one, even where its drawing is in the file.
    models = {
        name: parts for name, parts in models.items() if name == main or not name.endswith(".dat")
    }
    found: Parts = Counter()
    for (part, color), count in _Counting(models).parts_of(main).items():
        found[part.rpartition("/")[2].removesuffix(".dat"), color] += count
    rows = [
        f'"{part.replace(chr(34), "")}",{color},{count}' for (part, color), count in found.items()
    ]
    return "\n".join(["Part,LDraw Color,Quantity", *rows, ""]).encode()


def _name(text: str) -> str:
    return text.strip().replace("\\", "/").lower()


class _Counting:
    """Counts the parts of models, each once."""

    def __init__(self, models: dict[str, Parts]) -> None:
        self._models = models
        self._known: dict[str, Parts] = {}
        self._open: list[str] = []
        self._steps = 0

    def parts_of(self, name: str) -> Parts:
        if name in self._known:
            return self._known[name]
        if name in self._open or len(self._open) > _DEEPEST:
            raise TooLarge("its sub-models hold one another")
        self._open.append(name)
        total: Parts = Counter()
        for (file, color), count in self._models.get(name, Counter()).items():
            inner = self.parts_of(file) if file in self._models else Counter({(file, "16"): 1})
            self._steps += len(inner)
            for (part, own), pieces in inner.items():
                key = (part, color if own in (_AS_ABOVE, _EDGES) else own)
                total[key] = min(total[key] + pieces * count, _MOST_PIECES)
            if self._steps > _MOST_STEPS:
                raise TooLarge("it has too many parts")
        self._open.pop()
        self._known[name] = total
        return total
