"""The registration page of the demo store: where a demo account gets its secrets."""

from typing import Any, Final
from urllib.parse import urljoin

import requests

from apps.marketplace.providers.base import NoAnswer

SECONDS: Final = 20
CHUNK: Final = 64 * 1024  # bytes of an answer that is not kept
_AWAY: Final = "The demo store does not run: start the app with make run."


def register(*, base_url: str, name: str) -> dict[str, str]:
    """Return the secrets of the demo seller `name` by field, always the same. Raises NoAnswer."""
    told = _post(base_url, "sellers", {"name": name})
    if not isinstance(told, dict):
        raise NoAnswer(_AWAY)
    return {str(field): str(value) for field, value in told.items()}


def stock(*, base_url: str, name: str) -> None:
    """Put sample lots into the store of a demo seller who never had any. Raises NoAnswer."""
    _post(base_url, "store", {"name": name, "is_stocked": True}, reads=False)


def set_hook(*, base_url: str, name: str, address: str) -> None:
    """Send hints of a demo seller's orders to an address; none if it is empty. Raises NoAnswer."""
    _post(base_url, "orders", {"name": name, "hook": address}, reads=False)


def _post(base_url: str, what: str, told: dict[str, Any], *, reads: bool = True) -> Any:
    """Return the answer. Without `reads` nothing of it is kept: it may hold all lots of a store."""
    try:
        with requests.Session() as session:
            session.trust_env = False
            address = urljoin(base_url, f"/_control/{what}")
            with session.post(address, json=told, timeout=SECONDS, stream=True) as response:
                response.raise_for_status()
                if reads:
                    return response.json()
                for _chunk in response.iter_content(CHUNK):
                    pass
                return None
    except (requests.RequestException, ValueError) as problem:
        raise NoAnswer(_AWAY) from problem
