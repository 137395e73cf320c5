"""Run all benchmarks, or those named on the command line, each in its own process."""

import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.py") if not path.stem.startswith("_"))


def main(wanted: list[str]) -> int:
    known = names()
    if unknown := [name for name in wanted if name not in known]:
        print(f"No benchmark {', '.join(unknown)}. There are: {', '.join(known)}")
        return 2
    ended = [
        subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], check=False).returncode
        for name in wanted or known
    ]
    return max(ended, default=0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
