"""`benchmarks/kills.py` in short, embedded: things are killed while people work."""

import os
from pathlib import Path

import pytest

from benchmarks.kills import battle

pytestmark = [
    pytest.mark.faults,
    pytest.mark.long("starts the processes of the app again after each kill"),
]

# The same for everybody, so that a failure can be looked into; SEED=… tries another.
SEED = int(os.environ.get("SEED", "20261121"))


def fight(migrated: Path) -> None:
    with battle(
        "embedded",
        kills=4,
        operations=120,
        seed=SEED,
        small=True,
        migrated=migrated,
        JOB_LEASE_SECONDS="4",
    ) as fought:
        found = fought.fight()

    told = f"SEED={SEED} {found}"
    assert (found["problems"], found["crashes"]) == ([], []), told
    assert (found["lost"], found["doubled"]) == (0, 0), told
    assert (found["ledger_differences"], found["unfinished_jobs"]) == (0, 0), told
    assert (found["stray_files"], found["store_differences"]) == (0, 0), told
    assert found["promised_apart"] == 0, told
    assert (found["kills"], found["operations"]) == (4, 120), told


class TestKills:
    def test_lose_and_double_nothing_embedded(self, migrated_copy: Path) -> None:
        fight(migrated_copy)
