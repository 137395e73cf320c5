import datetime as dt

import pytest

from apps.batches.rules.activity import PAUSE, active_time
from apps.batches.tests.factories import NOON


@pytest.mark.parametrize(
    ("minutes", "active"),
    [
        ([], 0),
        ([0], 0),
        ([0, 0, 0], 0),  # a file's items come all at once
        ([0, 1, 3], 3),
        ([3, 0, 1], 3),
        ([0, 5], 5),
        ([0, 5.1], 0),  # away in between
        ([0, 2, 60, 61], 3),
    ],
)
def test_active_time_leaves_out_the_pauses(minutes, active):
    instants = [NOON + dt.timedelta(minutes=at) for at in minutes]

    assert active_time(instants) == dt.timedelta(minutes=active)
    assert dt.timedelta(minutes=5) == PAUSE
