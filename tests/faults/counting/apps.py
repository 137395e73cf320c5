"""A job kind whose every effect can be counted afterwards."""

import time
from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.db import connection

KIND = "tests.count_slowly"
# Any table that holds a count will do.
# Windows that the hourly sweep does not find past.
FAR = 10**12
MARK = """
INSERT INTO core_ratewindow (key, started, count) VALUES (%s, %s, 1)
ON CONFLICT (key, started) DO UPDATE SET count = core_ratewindow.count + 1
"""


class CountingConfig(AppConfig):
    name = "tests.faults.counting"
    label = "counting"

    def ready(self) -> None:
        from apps.core.jobs.registry import job_handler

        job_handler(KIND)(count_slowly)


def count_slowly(
    run: Any, *, name: str, chunks: int, pause: float, holds: Sequence[int] = (), **_: Any
) -> None:
    """Mark each chunk once, in the chunk's own transaction, pausing in and between them.

    `holds` are counts of chunks. The attempt that reaches one commits empty chunks from there on,
    until it is killed or stopped, or another worker takes its job.
    """
    for number in range(run.state.get("next", 0), chunks):
        with run.chunk(done=number + 1, total=chunks):
            with connection.cursor() as cursor:
                cursor.execute(MARK, [name, FAR + number])
            time.sleep(pause / 10)
            run.state["next"] = number + 1
        time.sleep(pause)
        while number + 1 in holds:
            with run.chunk():
                time.sleep(pause / 10)
            time.sleep(pause)
    with run.finish(result={"chunks": chunks}), connection.cursor() as cursor:
        cursor.execute(MARK, [name, FAR + chunks])
