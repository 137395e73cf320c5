"""An hour of stowing in one tab, scripted: no error, no lost or double piece, flat memory.

Lots are typed by number (another colour each second time), every second lot and a bit has one
more piece by `+`, and each is stowed at once into a bin. Afterwards the server's pieces are
compared with what was pressed, the ledger is checked, and the tab's heap is compared with what
it was after the first fifth.

    python -m benchmarks.station_hour        BENCH_LOTS=60 for a quick look
"""

import csv
import os
import sys
import time
from pathlib import Path

from benchmarks._report import Limit, report
from benchmarks._station import Station, station

LOTS = int(os.environ.get("BENCH_LOTS", "1000"))
REPEATS = round(LOTS * 2.3)
# More than the parts have categories: where no bin is left for a new one, a person is asked.
BINS = 60
PARTS = Path(__file__).resolve().parents[1] / "apps" / "catalog" / "starter" / "parts.csv"


def numbers() -> list[str]:
    """Return part numbers that are no beginning of another one, which the first match might be."""
    with PARTS.open(newline="") as file:
        found = [row["number"] for row in csv.DictReader(file)]
    return [n for n in found if not any(other != n and other.startswith(n) for other in found)]


def stow(bench: Station, number: str, *, second_color: bool, more: int) -> None:
    """Add a lot by number with `more` further pieces, as quickly as the page lets one."""
    keyboard = bench.page.keyboard
    keyboard.type(number)
    keyboard.press("Enter")
    bench.ready(number)
    if bench.choose_color("2" if second_color else "1"):
        bench.ready(number)
    elif second_color:
        keyboard.press("ArrowDown")
        bench.ready(number)
    keyboard.press("Enter")
    for _ in range(more):
        keyboard.press("+")


def main() -> int:
    """Run the hour; print one JSON line."""
    parts = numbers()
    errors: list[str] = []
    with station(bins=BINS, direct=True) as bench:
        bench.page.on("pageerror", lambda error: errors.append(str(error)))
        bench.page.on(
            "response", lambda answer: errors.append(answer.url) if answer.status >= 400 else None
        )
        early, begun = 0, time.monotonic()
        left = REPEATS
        for at in range(LOTS):
            more = round(left / (LOTS - at))
            left -= more
            number = parts[at % len(parts)]
            stow(bench, number, second_color=at >= len(parts), more=more)
            if at == LOTS // 5:
                bench.settled()
                early = bench.heap_bytes()
        bench.settled()
        seconds = time.monotonic() - begun
        late = bench.heap_bytes()
        rows = bench.rows()
        pieces = sum(row["qty"] for row in rows)
        unstowed = sum(not row["is_stowed"] for row in rows)
        bench.app.manage("check_ledger")
    wanted = LOTS + REPEATS
    return report(
        "station_hour",
        figures={
            "lots": len(rows),
            "pieces": pieces,
            "seconds": round(seconds, 1),
            "pieces_per_minute": round(pieces / seconds * 60, 1),
            "errors": len(errors),
            "first_error": errors[0] if errors else "",
            "lost_or_double_pieces": abs(pieces - wanted) + abs(len(rows) - LOTS),
            "not_stowed": unstowed,
            "heap_mb": round(late / 1e6, 1),
        },
        ratios={"heap_late_over_early": round(late / max(early, 1), 3)},
        limits={
            "errors": Limit(0),
            "lost_or_double_pieces": Limit(0),
            "not_stowed": Limit(0),
            "heap_late_over_early": Limit(1.2),
        },
    )


if __name__ == "__main__":
    sys.exit(main())
