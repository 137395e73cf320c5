"""Which BrickLink part and colour a Rebrickable one is, decided by shared element ids.

Measured on the real tables: equal numbers are wrong where elements contradict (970c01), and
equal colour names are wrong too (Medium Violet). So elements decide; a number or a name only
helps where no element speaks against it.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

LEAST_VOTES: Final = 3
CONFIDENCE_BY_LINK: Final = 700  # LDraw names both numbers
CONFIDENCE_BY_NUMBER: Final = 500  # the same number, and no element against it
CONFIDENCE_BY_SECOND_SOURCE: Final = 600


@dataclass(frozen=True, slots=True)
class PartMatch:
    """The BrickLink number of a Rebrickable part; confidence of 1000."""

    rebrickable: str
    bricklink: str
    shared: int
    confidence: int
    rank: int
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ColorMatch:
    """The BrickLink colour of a Rebrickable colour; rank 0 is the preferred way back."""

    rebrickable: int
    bricklink: int
    votes: int
    confidence: int
    rank: int


def match_parts(
    votes: Iterable[tuple[str, str, int]],
    *,
    links: Mapping[str, str],
    rebrickable: Iterable[str],
    bricklink: frozenset[str] | set[str],
) -> dict[str, PartMatch]:
    """Return the match of every Rebrickable part that has one.

    `votes` are (Rebrickable, BrickLink, shared elements); `links` what a third catalogue
    says; `rebrickable` and `bricklink` all part numbers of both sides.
    """
    by_part: dict[str, list[tuple[str, int]]] = defaultdict(list)
    contradicted = set()
    for part, target, shared in votes:
        by_part[part].append((target, shared))
        if part != target:
            contradicted.add(target)
    chosen: dict[str, tuple[str, int, int, tuple[str, ...]]] = {}
    for part, candidates in by_part.items():
        candidates.sort(key=lambda pair: (-pair[1], pair[0] != part, pair[0]))
        target, shared = candidates[0]
        total = sum(count for _, count in candidates)
        others = tuple(number for number, _ in candidates[1:])
        chosen[part] = (target, shared, 1000 * shared // total, others)
    for part in rebrickable:
        if part in chosen:
            continue
        link = links.get(part, "")
        if link in bricklink:
            chosen[part] = (link, 0, CONFIDENCE_BY_LINK, ())
        elif part in bricklink and part not in contradicted:
            chosen[part] = (part, 0, CONFIDENCE_BY_NUMBER, ())
    ranks = _ranks((target, shared, part) for part, (target, shared, _, _) in chosen.items())
    return {
        part: PartMatch(part, target, shared, confidence, ranks[target, part], others)
        for part, (target, shared, confidence, others) in chosen.items()
    }


def _ranks(rows: Iterable[tuple[str, int, str]]) -> dict[tuple[str, str], int]:
    """Number the parts of each target: most shared elements first, then the equal number."""
    by_target: dict[str, list[tuple[int, bool, str]]] = defaultdict(list)
    for target, shared, part in rows:
        by_target[target].append((-shared, part != target, part))
    return {
        (target, part): min(rank, 32_000)
        for target, parts in by_target.items()
        for rank, (_, _, part) in enumerate(sorted(parts))
    }


def match_colors(
    votes: Iterable[tuple[int, int, int]],
    *,
    second_sources: Iterable[tuple[int, int]],
    names: Mapping[int, str],
    bricklink_names: Mapping[int, str],
) -> dict[int, ColorMatch]:
    """Return the match of every Rebrickable colour that has one.

    Three votes decide alone; fewer need a second source, or an equal name, that agrees.
    Without any vote two sources must agree, or one source with an equal name.
    """
    by_color: dict[int, dict[int, int]] = defaultdict(dict)
    for color, target, count in votes:
        if count and target in bricklink_names:
            by_color[color][target] = by_color[color].get(target, 0) + count
    said: dict[int, list[int]] = defaultdict(list)
    for color, target in second_sources:
        if target in bricklink_names:
            said[color].append(target)
    folded = {number: name.casefold() for number, name in bricklink_names.items()}
    chosen: dict[int, tuple[int, int, int]] = {}
    for color, name in names.items():
        found = _choose_color(
            by_color.get(color, {}),
            said.get(color, []),
            {number for number, other in folded.items() if other == name.casefold()},
        )
        if found is not None:
            chosen[color] = found
    by_target: dict[int, list[tuple[int, bool, int]]] = defaultdict(list)
    for color, (target, count, _) in chosen.items():
        is_renamed = names[color].casefold() != folded[target]
        by_target[target].append((-count, is_renamed, color))
    ranks = {
        color: rank
        for colors in by_target.values()
        for rank, (_, _, color) in enumerate(sorted(colors))
    }
    return {
        color: ColorMatch(color, target, count, confidence, ranks[color])
        for color, (target, count, confidence) in chosen.items()
    }


def _choose_color(
    votes: Mapping[int, int], said: list[int], same_name: set[int]
) -> tuple[int, int, int] | None:
    """Return (BrickLink colour, votes, confidence of 1000) or None."""
    total = sum(votes.values())
    if votes:
        target = min(votes, key=lambda number: (-votes[number], number))
        if votes[target] >= LEAST_VOTES:
            return target, votes[target], 1000 * votes[target] // total
        agreeing = [number for number in votes if number in said or number in same_name]
        if agreeing:
            target = min(agreeing, key=lambda number: (-votes[number], number))
            return target, votes[target], CONFIDENCE_BY_SECOND_SOURCE
        return None
    for target in said:
        if said.count(target) > 1 or target in same_name:
            return target, 0, CONFIDENCE_BY_SECOND_SOURCE
    return None


def split_path(path: str, names: Iterable[str] | set[str]) -> list[str]:
    """Return the categories of a path (`A / B / C`), longest known name first.

    Four names contain ` / ` themselves, so a plain split would tear them.
    """
    known = names if isinstance(names, set | frozenset) else set(names)
    parts = path.split(" / ")
    found = []
    start = 0
    while start < len(parts):
        for end in range(len(parts), start, -1):
            name = " / ".join(parts[start:end])
            if name in known or end == start + 1:
                found.append(name)
                start = end
                break
    return found
