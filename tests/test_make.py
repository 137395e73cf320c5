"""The Makefile prepares what is missing, whatever was deleted."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent


def planned(target: str, var: Path) -> str:
    done = subprocess.run(
        ["make", "-n", target, f"VAR_DIR={var}"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout


class TestRun:
    def test_collects_the_static_files_again_when_they_are_gone(self, tmp_path):
        assert "collectstatic" in planned("run", tmp_path / "deleted")
