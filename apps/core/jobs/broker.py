"""Celery's way to Redis, which leaves no file open behind a try that failed.

Kombu opens one to watch with for each connection, and where Redis refuses keeps it until garbage is
collected. Who only sends never needs it, so it is opened when there is something to watch.
"""

from functools import cached_property
from typing import Any

from kombu.transport import redis
from kombu.utils.eventio import poll


class LatePoller(redis.MultiChannelPoller):
    def __init__(self) -> None:
        super().__init__()
        self.__dict__.pop("poller").close()

    @cached_property
    def poller(self) -> Any:
        return poll()


class Transport(redis.Transport):
    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.cycle.poller.close()  # type: ignore[union-attr]
        self.cycle = LatePoller()
