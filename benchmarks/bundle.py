"""The gzip size of each page, against the packages that any page needs.

python -m benchmarks.bundle
"""

import json
import subprocess
import sys
from pathlib import Path

from benchmarks._report import Limit, report

ROOT = Path(__file__).resolve().parent.parent
KB = 1000


def main() -> int:
    """Measure the build in `static/`; print one JSON line."""
    checked = subprocess.run(
        ["node", "frontend/checkBundle.mjs"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    measured = json.loads(checked.stdout.strip().splitlines()[-1])
    figures: dict[str, float | str] = dict(measured["figures"])
    vendor = next((ROOT / "static").glob("vendor.*.js.gz")).stat().st_size / KB
    ratios = {"shell_over_vendor": round(float(figures["shell_kb"]) / vendor, 2)}
    limits = {name: Limit(float(value)) for name, value in measured["limits"].items()}
    figures["vendor_kb"] = round(vendor, 1)
    return report("bundle", figures=figures, ratios=ratios, limits=limits)


if __name__ == "__main__":
    sys.exit(main())
