"""How many keys an add costs at the station, pressed in a real browser, and what the server then has.

The baseline of the same run is the number typed in full: what everybody does without a camera.

    python -m benchmarks.station_keys
"""

import sys

from benchmarks._report import Limit, report
from benchmarks._station import Station, station


def press(bench: Station, *keys: str) -> int:
    """Press keys one by one; return how many."""
    for key in keys:
        bench.page.keyboard.press(key)
    return len(keys)


def wanted_from(bench: Station, before: int, number: str) -> dict[str, object]:
    """Return the one row that was added since. Raises where it is another or none."""
    bench.page.get_by_role("list", name="Last added").locator("> li").nth(before).wait_for()
    bench.settled()
    rows = bench.rows()
    added = rows[before:]
    if len(added) != 1 or added[0]["item_number"] != number:
        raise RuntimeError(f"{number} was wanted, there is {added}")
    return added[0]


def main() -> int:
    """Add in each way once; print one JSON line."""
    keys: dict[str, int] = {}
    with station() as bench:
        bench.show("brick-2x4-blue")
        bench.ready("3001")
        keys["first_guess"] = press(bench, "Enter")
        first = wanted_from(bench, 0, "3001")
        keys["same_again"] = press(bench, "+")
        bench.settled()
        again = bench.rows()[0]
        if (first["color_name"], again["qty"]) != ("Blue", 2):
            raise RuntimeError(f"two blue ones were wanted, there is {again}")

        bench.show("brick-1x2-green")
        bench.ready("3004")
        keys["second_guess"] = press(bench, "ArrowRight")
        bench.page.locator('section[aria-label^="Item "]:not([aria-label="Item 3004"])').wait_for()
        second = bench.page.locator('section[aria-label^="Item "] h2').first.inner_text()
        bench.ready(second)
        keys["second_guess"] += press(bench, "Enter")
        wanted_from(bench, 1, second)

        bench.show("brick-1x4-black")
        bench.ready("3010")
        keys["second_color"] = press(bench, "ArrowDown", "Enter")
        if wanted_from(bench, 2, "3010")["color_name"] == "Black":
            raise RuntimeError("another colour was wanted")

        typed = press(bench, *"3020")
        asked = press(bench, "Enter", *"re", "Enter")
        if wanted_from(bench, 3, "3020")["color_name"] != "Red":
            raise RuntimeError("a red one was wanted")
        # Beside the number and the name of the colour.
        keys["by_number_beyond"] = asked - len("red")
    figures = {f"{name}_keys": float(count) for name, count in keys.items()}
    by_number = typed + len("red") + keys["by_number_beyond"]
    return report(
        "station_keys",
        figures=figures,
        ratios={"by_number_over_first_guess": by_number / keys["first_guess"]},
        limits={
            "first_guess_keys": Limit(1),
            "second_guess_keys": Limit(3),
            "second_color_keys": Limit(3),
            "by_number_beyond_keys": Limit(1),
            "same_again_keys": Limit(1),
            "by_number_over_first_guess": Limit(4, at_least=True),
        },
    )


if __name__ == "__main__":
    sys.exit(main())
