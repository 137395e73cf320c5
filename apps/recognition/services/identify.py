"""From a picture to candidates."""

import datetime as dt
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final
from urllib.parse import urlsplit

from django.conf import settings

from apps.accounts.models import User
from apps.core.errors import DomainError, ErrorCode
from apps.core.isolated import Isolated, Limits, NoRoom, OutOfLimits, Raised
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
from apps.recognition.services.eyes import Asked, EyesState, eyes_state, recognise

logger = logging.getLogger(__name__)

# Where simulators are.
_THIS_MACHINE: Final = {"127.0.0.1", "localhost"}
# The service's limit for each address; all our users share one.
CALLS_PER_SECOND: Final = 5


# Decoders of pictures have had many holes; a photo takes 0.2 s and 50 MB.
_small_jpeg = Isolated(
    "apps.recognition.rules.pictures:small_jpeg",
    Limits(cpu_seconds=1.8, memory_bytes=300_000_000),
)


class PictureUnusable(DomainError):
    code = ErrorCode.UNREADABLE_FILE
    status = 415
    message = "{reason}"


class PictureTooLarge(DomainError):
    code = ErrorCode.PAYLOAD_TOO_LARGE
    message = "{reason}"


class RecognitionBusy(DomainError):
    code = ErrorCode.RATE_LIMITED
    message = "The recogniser is busy. Try again in {seconds} s, or search by number."

    def __init__(self, *, seconds: int) -> None:
        super().__init__(seconds=seconds)
        self.retry_after = seconds


class RecognitionFailed(DomainError):
    code = ErrorCode.UPSTREAM_ERROR
    message = "The recogniser gave no usable answer. Search by number or name meanwhile."


class RecognitionUnreachable(DomainError):
    code = ErrorCode.UPSTREAM_TIMEOUT
    message = "The recogniser cannot be reached. Search by number or name meanwhile."


@dataclass(frozen=True, slots=True)
class RecognitionState:
    """Which recogniser is asked, and whether it answers."""

    provider: str
    is_demo: Annotated[bool, "a simulator that knows the sample pictures"]
    is_reachable: bool
    has_outside: Annotated[bool, "a service outside is asked, too"]
    own: EyesState


def recogniser() -> Recogniser:
    """Return the recogniser outside, of the settings. Raises RecognitionUnreachable without one."""
    if not settings.RECOGNITION_URL:
        raise RecognitionUnreachable
    return Brickognize(settings.RECOGNITION_URL)


def recognition_state(*, seconds: float = HEALTH_SECONDS) -> RecognitionState:
    """Return the state of our recogniser, and whether the external one answers in time."""
    own = eyes_state()
    if not settings.RECOGNITION_URL:
        return RecognitionState(
            provider=own.provider, is_demo=False, is_reachable=own.problem == "", own=own,
            has_outside=False,
        )  # fmt: skip
    provider = recogniser()
    return RecognitionState(
        provider=provider.name,
        is_demo=urlsplit(settings.RECOGNITION_URL).hostname in _THIS_MACHINE,
        is_reachable=provider.is_healthy(seconds=seconds),
        own=own,
        has_outside=True,
    )


def readable_jpeg(
    picture: bytes, *, whose: object = None, long_side: int = pictures.LONG_SIDE
) -> bytes:
    """Return a picture of a person (`whose`, an id) as a small JPEG.

    Raises PictureUnusable, PictureTooLarge, RecognitionBusy.
    """
    if len(picture) > pictures.MAX_BYTES:  # said without handing it over
        raise PictureTooLarge(reason=pictures.too_many_bytes(len(picture)))
    try:
        return _small_jpeg(picture, whose=whose, long_side=long_side)
    except Raised as problem:
        if problem.kind == pictures.PictureTooLarge.__name__:
            raise PictureTooLarge(reason=str(problem)) from problem
        if problem.kind != pictures.PictureProblem.__name__:
            raise
        raise PictureUnusable(reason=str(problem)) from problem
    except OutOfLimits as problem:
        raise PictureTooLarge(reason=pictures.TOO_MUCH_WORK) from problem
    except NoRoom as problem:
        raise RecognitionBusy(seconds=5) from problem


def end_decoders() -> None:
    """End the decoders that wait for a picture; the next one starts another."""
    _small_jpeg.close()


def see(
    *,
    pictures: Sequence[bytes],
    lookup: Lookup,
    asked: Asked,
    now: dt.datetime,
    whom: str = "OWN",
    person: User | None = None,
) -> list[dict[str, Any]]:
    """Return what our own recogniser or the one outside sees, the surest first.

    `pictures` show one part; the external one gets the first only, and ours finds only parts.
    Raises as `identify` and `recognise`.
    """
    jpegs = [readable_jpeg(picture, whose=person and person.pk) for picture in pictures]
    if whom == "OUTSIDE":
        return identify(jpeg=jpegs[0], lookup=lookup, now=now, person=person)
    if lookup not in {Lookup.PART, Lookup.ANY}:
        return []
    return recognise(jpegs=jpegs, asked=asked, person=person)


def identify(
    *, jpeg: bytes, lookup: Lookup, now: dt.datetime, person: User | None = None
) -> list[dict[str, Any]]:
    """Return the external recogniser's candidates for `person`, best first; may be empty.

    Nothing is kept of the picture. Raises PictureUnusable, RecognitionBusy, RecognitionFailed,
    RecognitionUnreachable.
    """
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
    return candidates_of(prediction, provider=provider.name, person=person)
