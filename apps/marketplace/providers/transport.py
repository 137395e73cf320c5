"""Common parts of the clients: a session, answers of bounded length, connection failures."""

import logging
from collections.abc import Callable
from typing import IO, Final, TypeVar
from urllib.parse import urlsplit

import requests

from apps.marketplace.providers.answers import HEAD
from apps.marketplace.providers.base import MarketplaceError, NoAnswer

logger = logging.getLogger(__name__)

CONNECT_SECONDS: Final = 5
READ_SECONDS: Final = 20  # less than a job's lease, which is renewed before each call
# Only what changes nothing is sent again, and not many times: a person is waiting.
PAUSES: Final = (0.5, 2.0)
# A store has no pages: tens of thousands of lots come in one answer.
LIST_SECONDS: Final = 120
MAX_ANSWER: Final = 64 * 1024 * 1024
MAX_STORE: Final = 1024 * 1024 * 1024  # on disk; a lot takes about 700 bytes

Answer = TypeVar("Answer")


def session_for(base_url: str) -> requests.Session:
    """Return a session; a store on this machine is reached without a proxy."""
    session = requests.Session()
    session.trust_env = urlsplit(base_url).hostname not in {"127.0.0.1", "localhost"}
    return session


def tried(
    ask: Callable[[], Answer],
    *,
    what: str,
    pauses: tuple[float, ...],
    pause: Callable[[float], None],
) -> Answer:
    """Return the answer, asking again after each of `pauses`. Raises MarketplaceError."""
    for seconds in (*pauses, None):
        try:
            return ask()
        except NoAnswer as problem:
            if seconds is None:
                raise
            logger.warning("%s: %s Trying again.", what, problem)
            pause(seconds)
    raise AssertionError("unreachable")


def bounded(response: requests.Response) -> bytes:
    """Return the body of an answer. Raises NoAnswer where it is too long to be one."""
    read = bytearray()
    for piece in response.iter_content(64 * 1024):
        read += piece
        if len(read) > MAX_ANSWER:
            raise NoAnswer("The marketplace's answer is too long to be one.")
    return bytes(read)


def keep(response: requests.Response, into: IO[bytes]) -> bytes:
    """Write the body of an answer to a file and return how it begins. Raises NoAnswer."""
    into.seek(0)
    into.truncate()
    for piece in response.iter_content(256 * 1024):
        into.write(piece)
        if into.tell() > MAX_STORE:
            raise NoAnswer("The marketplace's answer is too long to be a store.")
    into.seek(0)
    return into.read(HEAD)


def no_answer(problem: requests.RequestException) -> MarketplaceError:
    """Return the error of a broken connection."""
    if isinstance(problem, requests.ConnectTimeout):
        return NoAnswer("The marketplace cannot be reached.", is_unsent=True, is_timeout=True)
    if isinstance(problem, requests.Timeout):
        return NoAnswer("The marketplace did not answer in time.", is_timeout=True)
    if isinstance(problem, requests.ConnectionError) and "NewConnectionError" in repr(problem):
        return NoAnswer("The marketplace cannot be reached.", is_unsent=True)
    return NoAnswer("The connection to the marketplace broke off.")
