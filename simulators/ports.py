"""Where a simulator listens: on the loopback port at which the app looks for it."""

import os
from urllib.parse import urlsplit

LOOPBACK = "127.0.0.1"


def port_of(variable: str, *, offset: int) -> int:
    """Return the port of the address in `variable`, else the app's PORT plus `offset`."""
    address = os.environ.get(variable, "")
    if address:
        parts = urlsplit(address)
        if parts.hostname in {LOOPBACK, "localhost"} and parts.port:
            return parts.port
        return 0
    return int(os.environ.get("PORT", "8000")) + offset
