"""What tests take of the processor, whatever else the machine does."""

import os
from collections import Counter

import pytest


def _cpu_seconds() -> float:
    """Return what this process and those that it waited for have taken."""
    return sum(os.times()[:4])


class CpuSeconds:
    """Names tests that take much CPU and do not say why; a busy machine makes none of them dearer."""

    MUCH = 5

    def __init__(self) -> None:
        self._began = 0.0
        self._of_run = 0.0
        self._spent: Counter[str] = Counter()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self):
        self._began, self._of_run = _cpu_seconds(), 0.0
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef):
        """What all tests of a run share is paid by the first, and no fault of it."""
        before = _cpu_seconds()
        try:
            return (yield)
        finally:
            if fixturedef.scope == "session":
                self._of_run += _cpu_seconds() - before

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self):
        report = yield
        now = _cpu_seconds()
        report.user_properties.append(("cpu", now - self._began - self._of_run))
        self._began, self._of_run = now, 0.0
        return report

    def pytest_runtest_logreport(self, report) -> None:
        # Servers and browsers that tests share are counted when they end: in a test of the browser
        # that says nothing of the test.
        if not {"long", "browser"} & report.keywords.keys():
            self._spent[report.nodeid] += sum(v for k, v in report.user_properties if k == "cpu")

    def pytest_terminal_summary(self, terminalreporter) -> None:
        for test, spent in self._spent.most_common():
            if spent <= self.MUCH:
                break
            terminalreporter.write_line(
                f"WARNING {test} took {spent:.1f} CPU seconds: let it take less, or say why by long()"
            )
