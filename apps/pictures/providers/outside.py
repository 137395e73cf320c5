"""Fetches a picture from one of the catalogues' sites."""

from typing import Final
from urllib.parse import urlsplit

import requests

# An address comes from a catalogue's file: it may not lead anywhere else.
HOSTS: Final = frozenset({"img.bricklink.com", "cdn.rebrickable.com"})
MAX_BYTES: Final = 4_000_000
_SECONDS: Final = 6
_STEP: Final = 64 * 1024


class NoPicture(Exception):
    """The site has none, does not answer, or sends what cannot be a picture."""


def fetch(address: str) -> bytes:
    """Return the bytes at an address. Follows no redirect. Raises NoPicture."""
    target = urlsplit(address)
    if target.scheme != "https" or target.hostname not in HOSTS or target.port not in (None, 443):
        raise NoPicture(address)
    try:
        with requests.get(address, timeout=_SECONDS, stream=True, allow_redirects=False) as answer:
            if answer.status_code != 200:
                raise NoPicture(str(answer.status_code))
            content = bytearray()
            for some in answer.iter_content(_STEP):
                content += some
                if len(content) > MAX_BYTES:
                    raise NoPicture("too large")
            return bytes(content)
    except requests.RequestException as problem:
        raise NoPicture(type(problem).__name__) from problem
