"""The Makefile prepares what is missing, whatever was deleted, and passes on what it is asked."""

import os
import re
import subprocess
import sys
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


class TestTest:
    def test_notes_what_each_step_costs(self, tmp_path):
        told = planned("test", tmp_path, f"STAMPS={tmp_path}")

        steps = "install chromium types-python js guards lint types-typescript unit e2e"
        assert [step for step in steps.split() if f"cpu-{step}" not in told] == []


class TestPostgres:
    def test_runs_every_test_of_the_database_before_a_release(self, tmp_path):
        told = planned("test-postgres", tmp_path)

        assert re.search(
            r"^PYTHONHASHSEED=0 \.ci/on-servers \S*pytest .* -m \"database and ", told, re.M
        )

    def test_runs_what_is_marked_in_each_run_of_ci(self, tmp_path):
        assert '-m "postgres and database and ' in planned("postgres", tmp_path)


class TestCpu:
    """`.ci/cpu` counts what a step took, with all that it started."""

    def test_counts_processes_of_processes_and_sums_them_up(self, tmp_path):
        env = {**os.environ, "CPU_NOTES": str(tmp_path / "cpu")}
        burn = "import time\nwhile time.process_time() < 0.3: pass"
        start = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {burn!r}])"
        for name in ("a step", "a step", "another"):
            subprocess.run(
                [ROOT / ".ci/cpu", name, sys.executable, "-c", start], env=env, check=True
            )

        told = subprocess.run(
            [ROOT / ".ci/cpu"], env=env, check=True, capture_output=True, text=True
        )

        figures = dict(line.rsplit(maxsplit=1) for line in told.stdout.splitlines()[2:])
        spent = {name.strip(): float(figure) for name, figure in figures.items()}
        assert list(spent) == ["a step", "another", "sum"]
        assert spent["a step"] >= 0.6
        assert spent["another"] >= 0.3
        assert spent["sum"] >= 0.9

    def test_fails_as_the_step_does_and_passes_on_what_it_says(self, tmp_path):
        env = {**os.environ, "CPU_NOTES": str(tmp_path / "cpu")}

        ran = subprocess.run(
            [ROOT / ".ci/cpu", "a step", "bash", "-c", "echo said; echo told >&2; exit 3"],
            env=env,
            capture_output=True,
            text=True,
        )

        assert (ran.returncode, ran.stdout, ran.stderr) == (3, "said\n", "told\n")
