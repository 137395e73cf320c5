"""Plant each fault into a copy of the tree and run the test that must fail: `make mutants`.

Whoever prunes tests runs this before and after: a fault that survives was found by what is gone.
`ONLY=text` plants those whose name or file has this text.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from tests.mutants.faults import ROOT, Fault, faults

LINKED = (".venv", "node_modules")
NOT_COPIED = ("var", ".git", ".make", *LINKED)
#: A worker that ends badly says nothing of a test; pytest says 1 where one failed.
FAILED_ON_PAGE = re.compile(r"^Tests:.*\b\d+ failed", re.MULTILINE)


class Selection(NamedTuple):
    """Tests, by the arguments of what runs them."""

    test: str
    on: str
    is_of_the_page: bool


def main(only: str) -> int:
    chosen = [one for one in faults() if only in one.name or only in one.file]
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        shutil.copytree(ROOT, tree, symlinks=True, ignore=_left_out)
        for name in LINKED:
            (tree / name).symlink_to((ROOT / name).resolve())
        if broken := [one.test for one in _together(chosen) if _fails(one, tree)]:
            print("Without any fault these fail:", *broken, sep="\n  ")
            return 1
        survived = [one for one in chosen if not _is_found(one, tree)]
    print(f"{len(chosen) - len(survived)} of {len(chosen)} faults found")
    return 1 if survived or not chosen else 0


def _left_out(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if name in NOT_COPIED and Path(folder) == ROOT]


def _is_found(fault: Fault, tree: Path) -> bool:
    before = fault.plant(tree)
    try:
        found = _fails(_selection(fault), tree)
    finally:
        (tree / fault.file).write_text(before)
    print(f"{'found   ' if found else 'SURVIVED'}  {fault.name}", flush=True)
    return found


def _together(chosen: list[Fault]) -> list[Selection]:
    """Return their selections, those of whole files as one: to begin costs more than most tests."""
    alone = {one for fault in chosen if " " in (one := _selection(fault)).test}
    whole: defaultdict[tuple[str, bool], set[str]] = defaultdict(set)
    for fault in chosen:
        if " " not in fault.test:
            whole[fault.on, fault.is_of_the_page].add(fault.test)
    joined = [Selection(" ".join(sorted(tests)), *how) for how, tests in whole.items()]
    return sorted(alone) + joined


def _selection(fault: Fault) -> Selection:
    return Selection(fault.test, fault.on, fault.is_of_the_page)


def _fails(selection: Selection, tree: Path) -> bool:
    test, on, is_of_the_page = selection
    arguments = shlex.split(test)
    if is_of_the_page:
        command = ["node_modules/.bin/jest", "--config", "frontend/jest.config.js", "--bail"]
    else:
        command = [str(ROOT / ".venv/bin/python"), "-m", "pytest", "-x", "-p", "no:randomly"]
    if on == "postgresql":
        command = [".ci/on-servers", *command]
    ran = subprocess.run(
        [*command, *arguments],
        cwd=tree,
        env={"SHARED_DATA": str(ROOT.parent / "shared"), **os.environ},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if is_of_the_page:
        return FAILED_ON_PAGE.search(ran.stdout) is not None
    if ran.returncode not in {0, 1}:
        raise SystemExit(f"{test} cannot be run:\n{ran.stdout[-2000:]}")
    return ran.returncode == 1


if __name__ == "__main__":
    sys.exit(main(os.environ.get("ONLY", "")))
