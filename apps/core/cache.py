"""The cache in Redis. What it holds can be worked out again, so an outage is a miss."""

import logging
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)


class OutageTolerantCache(RedisCache):
    """Keeps nothing and finds nothing while Redis does not answer."""

    def get(self, key: object, default: object = None, version: int | None = None) -> Any:
        """Return the value, or `default` where there is none or Redis does not answer."""
        try:
            return super().get(key, default, version)
        except RedisError as problem:
            return _warned(problem, default)

    def set(
        self, key: object, value: object, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> None:
        """Keep the value if Redis answers."""
        try:
            super().set(key, value, timeout, version)
        except RedisError as problem:
            _warned(problem, None)

    def add(
        self, key: object, value: object, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> bool:
        """Return whether the key was free, which it is while Redis does not answer."""
        try:
            return bool(super().add(key, value, timeout, version))
        except RedisError as problem:
            return bool(_warned(problem, True))

    def delete(self, key: object, version: int | None = None) -> bool:
        """Return whether the key was there."""
        try:
            return bool(super().delete(key, version))
        except RedisError as problem:
            return bool(_warned(problem, False))


def _warned(problem: RedisError, answer: object) -> Any:
    logger.warning("the cache does not answer: %s", problem)
    return answer
