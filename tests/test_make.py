"""The Makefile prepares what is missing, whatever was deleted, and passes on what it is asked."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent


def planned(target: str, var: Path, *asked: str) -> str:
    done = subprocess.run(
        ["make", "-n", target, f"VAR_DIR={var}", *asked],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout


class TestRun:
    def test_collects_the_static_files_again_when_they_are_gone(self, tmp_path):
        assert "collectstatic" in planned("run", tmp_path / "deleted")


class TestVision:
    def test_goes_on_from_the_model_that_it_is_told(self, tmp_path):
        told = planned("vision", tmp_path, "BEGIN=my models/first")

        assert '--begin-with "my models/first"' in told

    def test_begins_anew_without_one(self, tmp_path):
        assert "--begin-with" not in planned("vision", tmp_path)
