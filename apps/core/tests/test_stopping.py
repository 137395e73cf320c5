"""A worker that is asked to stop by its group and by its keeper at once."""

import os
import signal

import pytest

from apps.core.jobs import reaper


@pytest.fixture
def asked():
    """The signals that the handler of the worker took, which `stop_once` stands before."""
    taken = []
    before = {number: signal.getsignal(number) for number in reaper.STOPPING_SIGNALS}

    def handler(number, frame):
        taken.append(signal.Signals(number))
        os.kill(os.getpid(), signal.SIGTERM)  # the second one, in the middle of the first

    for number in before:
        signal.signal(number, handler)
    yield taken
    for number, was in before.items():
        signal.signal(number, was)


@pytest.mark.parametrize("number", reaper.STOPPING_SIGNALS)
def test_takes_one_signal_alone(asked, number):
    reaper.stop_once()

    os.kill(os.getpid(), number)

    assert asked == [number]
