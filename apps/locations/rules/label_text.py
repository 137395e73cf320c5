"""How a location's name is set on its label: as large as it goes. Pure."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Final

# Capitals of the label's font, as a share of its size; lines stand this much apart.
CAPITAL: Final = 0.729
LEADING: Final = 0.98
MOST_LINES: Final = 3
# Where a name in one line is too small to be read at a glance, another line must pay: by a fifth,
# or by a little while the name does not fill the height that was asked.
GAIN: Final = 1.2
SMALL_GAIN: Final = 1.03
_BREAK: Final = re.compile(r"(?<=[-/._ ])(?=[^-/._ ])")


@dataclass(frozen=True, slots=True)
class SetName:
    """The lines and the font's size, in the unit of the room that was given."""

    lines: tuple[str, ...]
    size: float

    @property
    def height(self) -> float:
        """From the top of the first line's capitals to the foot of the last line."""
        return self.size * (CAPITAL + LEADING * (len(self.lines) - 1))


def set_name(
    name: str,
    *,
    width: float,
    height: float,
    legible: float,
    enough: float,
    measure: Callable[[str], float],
) -> SetName:
    """Return the name in one to three lines, in the largest letters that fit into the room.

    It is not broken where its capitals are `legible` in one line. `enough` is the height that the
    name should fill. Lines break behind `-`, `/`, `.`, `_` and blanks only. `measure` gives a
    text's width at size 1.
    """
    best: SetName | None = None
    for lines in _ways(name):
        widest = max(measure(line) for line in lines)
        tall = height / (CAPITAL + LEADING * (len(lines) - 1))
        size = min(tall, width / widest) if widest else tall
        if best is None:
            best = SetName(lines, size)
            if best.height >= legible:
                break
            continue
        more = len(lines) > len(best.lines)
        gain = 1 if not more else GAIN if best.height >= enough else SMALL_GAIN
        if size > best.size * gain:
            best = SetName(lines, size)
    assert best is not None, "one line is always a way"
    return best


def _ways(name: str) -> list[tuple[str, ...]]:
    pieces = _BREAK.split(name)[:12]
    pieces[-1:] = ["".join(_BREAK.split(name)[11:])] if len(pieces) == 12 else pieces[-1:]
    ways = []
    for cuts in range(MOST_LINES):
        for where in combinations(range(1, len(pieces)), cuts):
            ends = [0, *where, len(pieces)]
            lines = tuple("".join(pieces[first:last]).strip() for first, last in pairwise(ends))
            ways.append(lines)
    return ways
