"""How the lots of a store go with the lots of sets: where the power of `ranking.POPULARITY` is from.

python -m vision.popularity STORE.bsx    (needs what the app needs, not vision/requirements.txt)
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apps.exchange.bsx_reader import read_bsx
from apps.pictures.rules.finding import without_print
from apps.recognition.rules.ranking import RAREST_LOTS

Array = NDArray[Any]
MODEL = Path(__file__).resolve().parent.parent / "apps" / "recognition" / "model"


def lots_by_mould(numbers: Iterable[str], moulds: Sequence[Sequence[str]]) -> Array:
    """Count the lots of each mould; a print counts for its plain mould."""
    mould_of = {number.lower(): index for index, own in enumerate(moulds) for number in own}
    found: Counter[int] = Counter()
    for number in numbers:
        plain = without_print(number) or number.lower()
        for known in (number.lower(), plain, plain.rstrip("abcdefgh")):
            if known in mould_of:
                found[mould_of[known]] += 1
                break
    return np.array([found[index] for index in range(len(moulds))], float)


def power(of_store: Array, of_sets: Array) -> float:
    """Return the power of sets' lots that a store's lots go with (Poisson regression)."""
    logs = np.log(np.maximum(of_sets, RAREST_LOTS))
    terms = np.stack([np.ones(len(logs)), logs - logs.mean()], axis=1)
    weights = np.array([np.log(of_store.mean()), 0.0])
    for _ in range(100):
        expected = np.exp(terms @ weights)
        step = np.linalg.solve(
            (terms * expected[:, None]).T @ terms, terms.T @ (of_store - expected)
        )
        weights = weights + step
        if np.abs(step).max() < 1e-9:
            break
    return float(weights[1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store", type=Path, help="BSX file of a store's lots")
    asked = parser.parse_args()
    moulds = json.loads((MODEL / "eyes.json").read_text())["moulds"]
    with asked.store.open("rb") as file:
        numbers = [lot.item_number for lot in read_bsx(file) if lot.item_type == "P"]
    found = lots_by_mould(numbers, [mould["numbers"] for mould in moulds])
    print(
        f"{len(numbers):,} lots of parts, {int(found.sum()):,} of {int((found > 0).sum())} of "
        f"{len(moulds)} moulds, as the lots of sets to the power of "
        f"{power(found, np.array([mould['lots'] for mould in moulds], float)):.2f}"
    )


if __name__ == "__main__":
    main()
