"""From a picture to candidates."""

import datetime as dt
import logging
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings

from apps.core.errors import DomainError, ErrorCode
from apps.core.throttling import count_use
from apps.recognition.providers.base import (
    HEALTH_SECONDS,
    PictureRefused,
    Recogniser,
    RecogniserBusy,
    RecogniserFailed,
    RecogniserUnreachable,
)
from apps.recognition.providers.brickognize import Brickognize
from apps.recognition.rules import pictures
from apps.recognition.rules.lookup import Lookup
from apps.recognition.selectors.candidates import candidates_of

logger = logging.getLogger(__name__)

# What the service asks of each address; all our users come from one.
CALLS_PER_SECOND: Final = 5


class PictureUnusable(DomainError):
    code = ErrorCode.UNSUPPORTED_MEDIA_TYPE
    status = 415
    message = "{reason}"


class PictureTooLarge(DomainError):
    code = ErrorCode.PAYLOAD_TOO_LARGE
    status = 413
    message = "{reason}"


class RecognitionBusy(DomainError):
    code = ErrorCode.RATE_LIMITED
    status = 429
    message = "The recogniser is busy. Try again in {seconds} s, or search by number."

    @property
    def retry_after(self) -> int:
        """Seconds to wait, for the answer's header."""
        return int(self.values["seconds"])


class RecognitionFailed(DomainError):
    code = ErrorCode.UPSTREAM_ERROR
    status = 502
    message = "The recogniser gave no usable answer. Search by number or name meanwhile."


class RecognitionUnreachable(DomainError):
    code = ErrorCode.UPSTREAM_TIMEOUT
    status = 504
    message = "The recogniser cannot be reached. Search by number or name meanwhile."


@dataclass(frozen=True, slots=True)
class RecognitionState:
    """Which recogniser is asked, and whether it answers."""

    provider: str
    is_demo: bool
    is_reachable: bool


def recogniser() -> Recogniser:
    """Return the recogniser of the settings."""
    return Brickognize(settings.RECOGNITION_URL)


def recognition_state(*, seconds: float = HEALTH_SECONDS) -> RecognitionState:
    """Ask whether the recogniser answers within so many seconds."""
    provider = recogniser()
    return RecognitionState(
        provider=provider.name,
        is_demo=settings.RECOGNITION_IS_DEMO,
        is_reachable=provider.is_healthy(seconds=seconds),
    )


def readable_jpeg(picture: bytes, *, long_side: int = pictures.LONG_SIDE) -> bytes:
    """Return a picture as a small JPEG. Raises PictureUnusable, PictureTooLarge."""
    try:
        return pictures.small_jpeg(picture, long_side=long_side)
    except pictures.PictureTooLarge as problem:
        raise PictureTooLarge(reason=str(problem)) from problem
    except pictures.PictureProblem as problem:
        raise PictureUnusable(reason=str(problem)) from problem


def identify(*, picture: bytes, lookup: Lookup, now: dt.datetime) -> list[dict[str, Any]]:
    """Return the candidates of a picture, best first; none is an answer too.

    Nothing is kept of the picture. Raises PictureUnusable, PictureTooLarge,
    RecognitionBusy, RecognitionFailed, RecognitionUnreachable. At most 9 queries, none
    while the recogniser is waited for.
    """
    jpeg = readable_jpeg(picture)
    provider = recogniser()
    used, _ = count_use(key=f"recognition:{provider.name}", seconds=1, now=now)
    if used > CALLS_PER_SECOND:
        raise RecognitionBusy(seconds=1)
    try:
        prediction = provider.identify(jpeg=jpeg, lookup=lookup)
    except RecogniserBusy as problem:
        raise RecognitionBusy(seconds=max(1, problem.seconds)) from problem
    except PictureRefused as problem:
        logger.warning("recogniser refused a picture: %s", problem)
        raise PictureUnusable(
            reason="The recogniser cannot read this picture. Take another one, or search by number."
        ) from problem
    except RecogniserUnreachable as problem:
        logger.warning("recogniser: %s", problem)
        raise RecognitionUnreachable from problem
    except RecogniserFailed as problem:
        logger.warning("recogniser: %s", problem)
        raise RecognitionFailed from problem
    return candidates_of(prediction)
