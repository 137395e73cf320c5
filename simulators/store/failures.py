"""Makes the store fail on request, so that failures of the real one can be tested."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from flask import Response

from simulators.serving import answer, cut


class Mode(StrEnum):
    """The way in which a call fails."""

    BEFORE = "before"  # 500, nothing done
    AFTER = "after"  # done, then 500
    CUT_BEFORE = "cut_before"  # the connection ends without an answer, nothing done
    CUT_AFTER = "cut_after"  # done, then the connection ends
    HALF = "half"  # done, and the answer breaks off in the middle
    HALF_UNSAID = "half_unsaid"  # the same, and its length claims that this was all
    SLOW = "slow"  # done, and answered after `seconds`
    UNAUTHORIZED = "unauthorized_in_200"  # HTTP 200 with meta.code 401: wrong address
    THROTTLED = "throttled_in_200"  # HTTP 200 with meta.code 429
    THROTTLED_BARE = "throttled_bare"  # 429 of a gateway, no envelope
    HTML = "html"  # a page for people instead of JSON
    EMPTY = "empty"  # 200 without a body


_PAGE: Final = "<!DOCTYPE html><title>Site maintenance</title><body>Site maintenance</body>"
# Body, status and type of what a gateway answers.
_BARE: Final = {
    Mode.THROTTLED_BARE: ("Too Many Requests", 429, "text/plain"),
    Mode.HTML: (_PAGE, 200, "text/html;charset=UTF-8"),
    Mode.EMPTY: ("", 200, "application/json"),
}
# The answer of a call that fails by BEFORE, AFTER, UNAUTHORIZED or THROTTLED, in the service's words.
Failed = Callable[[Mode], Response]


@dataclass(slots=True)
class Plan:
    """Fail so many calls whose method and path fit."""

    mode: Mode
    times: int
    method: str = ""
    path: str = ""  # a part of it
    seconds: float = 1.0

    def fits(self, method: str, path: str) -> bool:
        return self.times > 0 and self.method in {"", method} and self.path in path

    def before(self, failed: Failed) -> Response | None:
        """Return the answer of a call that fails before it acts, None for one that acts."""
        if self.mode == Mode.CUT_BEFORE:
            cut()
        if self.mode in {Mode.BEFORE, Mode.UNAUTHORIZED, Mode.THROTTLED}:
            return failed(self.mode)
        if self.mode in _BARE:
            body, status, kind = _BARE[self.mode]
            return answer(body, status, kind=kind)
        return None

    def after(self, made: Response, failed: Failed) -> Response:
        """Return the answer of a call that has acted, as planned."""
        if self.mode == Mode.CUT_AFTER:
            cut()
        if self.mode == Mode.AFTER:
            return failed(self.mode)
        if self.mode == Mode.SLOW:
            time.sleep(self.seconds)
        if self.mode in {Mode.HALF, Mode.HALF_UNSAID}:
            whole = made.get_data()
            made.set_data(whole[: len(whole) // 2])
            if self.mode == Mode.HALF:
                made.content_length = len(whole)
        return made


class Failures:
    """The plans in their order. Safe for many threads."""

    def __init__(self) -> None:
        self._plans: list[Plan] = []
        self._lock = threading.Lock()

    def add(self, plan: Plan) -> None:
        with self._lock:
            self._plans.append(plan)

    def clear(self) -> None:
        with self._lock:
            self._plans.clear()

    def take(self, method: str, path: str) -> Plan | None:
        """Return the plan for this call, used up by one, or None."""
        with self._lock:
            for plan in self._plans:
                if plan.fits(method, path):
                    plan.times -= 1
                    return plan
            return None

    def pending(self) -> list[dict[str, object]]:
        """Return the failures that are still to come."""
        with self._lock:
            return [
                {"mode": plan.mode.value, "times": plan.times, "path": plan.path}
                for plan in self._plans
                if plan.times > 0
            ]
