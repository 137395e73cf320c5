"""The interface of every recogniser, and how it may fail."""

from dataclasses import dataclass
from typing import Final, Protocol


@dataclass(frozen=True, slots=True)
class Site:
    name: str
    url: str


@dataclass(frozen=True, slots=True)
class PredictedItem:
    """An item that a picture may show. `kind` is part, set, fig or sticker; score 0 to 1."""

    number: str
    name: str
    kind: str
    score: float
    category: str | None = None
    image_url: str | None = None
    sites: tuple[Site, ...] = ()


@dataclass(frozen=True, slots=True)
class PredictedColor:
    """A colour by its name; `number` is the recogniser's own and proves nothing alone."""

    number: str
    name: str
    score: float


@dataclass(frozen=True, slots=True)
class Prediction:
    """A recogniser's answer: items and colours, best first. `listing` is for feedback."""

    listing: str
    items: tuple[PredictedItem, ...]
    colors: tuple[PredictedColor, ...] = ()


class RecogniserFailed(Exception):
    """The recogniser gave no usable answer; `text` is the reason, for a log."""


class RecogniserUnreachable(RecogniserFailed):
    """No connection, or no answer in time."""


class RecogniserBusy(RecogniserFailed):
    """It asks to wait for `seconds`."""

    def __init__(self, text: str, *, seconds: int) -> None:
        super().__init__(text)
        self.seconds = seconds


class PictureRefused(RecogniserFailed):
    """It will not read this picture; trying again is useless."""


HEALTH_SECONDS: Final = 2.0


class Recogniser(Protocol):
    name: str

    def identify(self, *, jpeg: bytes, lookup: str) -> Prediction:
        """Return the items in the picture. Raises RecogniserFailed."""

    def is_healthy(self, *, seconds: float = HEALTH_SECONDS) -> bool:
        """Return whether it answers within so many seconds."""
