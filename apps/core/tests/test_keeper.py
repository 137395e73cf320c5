import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from django.conf import settings

from apps.core.jobs.keeper import FIRST_PAUSE, HEALTHY_SECONDS, KEEPER, LONGEST_PAUSE, Keeper
from apps.core.jobs.reaper import is_left_alone

# Ends at once, with code 3, as often as it is told to; then it stays until it is asked to end.
WORKER = """
import os, signal, sys
from pathlib import Path
starts = Path(sys.argv[1])
signal.signal(signal.SIGTERM, lambda *_: sys.exit(int(sys.argv[3])))
with starts.open("a") as file:
    file.write(os.environ["BRICKSTOW_KEEPER"] + "\\n")
if len(starts.read_text().splitlines()) <= int(sys.argv[2]):
    sys.exit(3)
print("up", flush=True)
signal.pause()
"""


def worker(starts: Path, *, ends: int, code: int = 0) -> list[str]:
    return [sys.executable, "-c", WORKER, str(starts), str(ends), str(code)]


class Pauses:
    """Notes how long each pause is instead of waiting; ends the keeper after so many."""

    def __init__(self, most: int):
        self.most, self.seconds, self.asked = most, [], None

    def __call__(self, asked: threading.Event, seconds: float) -> None:
        self.seconds.append(seconds)
        if len(self.seconds) == self.most:
            asked.set()


class TestKeeper:
    def test_starts_a_worker_again_that_ended_by_itself(self, tmp_path):
        starts = tmp_path / "starts"
        kept = subprocess.Popen(
            [sys.executable, "-m", "apps.core.jobs.keeper", *worker(starts, ends=1)],
            cwd=settings.BASE_DIR,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            assert kept.stdout.readline() == "up\n"
            kept.terminate()
            _, said = kept.communicate(timeout=60)
        finally:
            kept.kill()

        assert kept.returncode == 0
        assert len(starts.read_text().splitlines()) == 2
        assert "The worker ended by itself (exit code 3)" in said

    def test_does_not_start_it_again_when_asked_to_end(self, tmp_path):
        starts = tmp_path / "starts"
        kept = subprocess.Popen(
            [sys.executable, "-m", "apps.core.jobs.keeper", *worker(starts, ends=0, code=5)],
            cwd=settings.BASE_DIR,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert kept.stdout.readline() == "up\n"
            kept.terminate()

            assert kept.wait(timeout=60) == 5  # as the worker ended
        finally:
            kept.kill()
            kept.stdout.close()
        assert len(starts.read_text().splitlines()) == 1

    def test_waits_twice_as_long_each_time_up_to_half_a_minute(self, tmp_path):
        pauses = Pauses(9)

        Keeper(worker(tmp_path / "starts", ends=99), pause=pauses, clock=lambda: 0.0).run()

        assert pauses.seconds == [0.5, 1, 2, 4, 8, 16, 30, 30, 30]
        assert (pauses.seconds[0], pauses.seconds[-1]) == (FIRST_PAUSE, LONGEST_PAUSE)

    def test_begins_anew_with_a_short_pause_after_a_minute_of_health(self, tmp_path):
        pauses = Pauses(4)
        times = iter([0, 0, 0, 0, 0, HEALTHY_SECONDS, 100, 100])

        Keeper(worker(tmp_path / "starts", ends=99), pause=pauses, clock=lambda: next(times)).run()

        assert pauses.seconds == [0.5, 1, 0.5, 1]

    def test_tells_the_worker_who_keeps_it(self, tmp_path):
        starts = tmp_path / "starts"

        Keeper(worker(starts, ends=99), pause=Pauses(1), clock=lambda: 0.0).run()

        assert starts.read_text().split() == [str(os.getpid())]


class TestIsLeftAlone:
    @pytest.mark.parametrize(
        ("keeper", "is_alone"), [(None, False), (str(os.getppid()), False), ("1234567890", True)]
    )
    def test_is_so_when_its_keeper_is_not_its_parent_any_more(self, monkeypatch, keeper, is_alone):
        monkeypatch.delenv(KEEPER, raising=False)
        if keeper is not None:
            monkeypatch.setenv(KEEPER, keeper)

        assert is_left_alone() is is_alone
